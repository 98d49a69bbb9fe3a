//! Bytes in bulk: each of these is one read, one write, or one of both, however long.

use super::{Run, Runner};
use crate::history::Next;
use crate::store::Located;
use raddle_event::{Action, Address, AddressMap, Fault, FaultKind, Order, Value};
use raddle_program::GlobalId;
use std::rc::Rc;

impl Runner<'_, '_> {
    /// Reads bytes of a constant; zeros where it has none.
    pub(super) fn read_constant(&self, global: GlobalId, offset: u64, to: &mut [u8]) {
        let bytes = &self.world.program.globals[global.index()].bytes;
        for (n, byte) in to.iter_mut().enumerate() {
            *byte = bytes.get(offset as usize + n).copied().unwrap_or(0);
        }
    }

    /// Reads `size` bytes.
    pub fn read_bytes(&mut self, address: Address, size: u64) -> Run<Vec<u8>> {
        let mut bytes = vec![0; size as usize];
        match self.locate(address, size) {
            _ if size == 0 => {}
            Located::Private(spot) => {
                self.reveal_for_library(spot, size as usize)?;
                self.thread.store.read(spot, &mut bytes);
            }
            Located::Constant(global, offset) => self.read_constant(global, offset, &mut bytes),
            Located::Shared => {
                let at = self.location(address, size as u32);
                let value = self.ask_value(Action::Read { at, order: Order::Plain, guard: None })?;
                value.with_bytes(size as u32, |from| bytes.copy_from_slice(from));
            }
            Located::Fault(fault) => return Err(Next::Fault(fault)),
        }
        Ok(bytes)
    }

    /// Writes bytes.
    pub fn write_bytes(&mut self, address: Address, bytes: &[u8]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.store(address, bytes.len() as u32, Value::from_bytes(bytes), Order::Plain)
    }

    /// Copies bytes; what was never written stays so.
    pub fn copy(&mut self, to: Address, from: Address, length: u64) -> Run<()> {
        self.check_length(length)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = self.read_bytes(from, length)?;
        let spots = (self.locate(from, length), self.locate(to, length));
        self.write_bytes(to, &bytes)?;
        if let (Located::Private(from), Located::Private(to)) = spots {
            Rc::make_mut(&mut self.thread.store).copy_written(from, to, length as usize);
        }
        Ok(())
    }

    /// Writes `length` times a byte.
    pub fn fill(&mut self, to: Address, byte: u8, length: u64) -> Run<()> {
        self.check_length(length)?;
        self.write_bytes(to, &vec![byte; length as usize])
    }

    pub(super) fn check_length(&self, length: u64) -> Run<()> {
        if length > AddressMap::MAX_OBJECT {
            return Err(Next::Fault(Fault::new(FaultKind::OutOfBounds, format!("{length} bytes are more than any object has"))));
        }
        Ok(())
    }
}
