//! Bytes in bulk. What is shared is read and written word by word, as a compiler would do it, so that others may come
//! in between. What is less than a word, or lies across two, is accessed in pieces that machines have accesses for:
//! one, two, four bytes, each at a multiple of its size.
//!
//! A word is cut further where the access of another thread begins or ends inside it; what is long is cut only where
//! others access it (see [`crate::meeting`]). Some models want all accesses to a location to have one size: there a
//! word is cut wherever other accesses to it begin or end, and plain accesses are cut as copies are (see
//! [`crate::Sites`]).

use super::{Run, Runner};
use crate::history::Next;
use crate::meeting::{AccessKind, SHORT, WORD};
use crate::store::Located;
use raddle_event::{Action, Address, AddressMap, Fault, FaultKind, Order, Range, Value};
use raddle_program::GlobalId;
use std::rc::Rc;

impl Runner<'_, '_> {
    /// The pieces in which shared bytes are accessed.
    pub(super) fn pieces(&self, start: Address, size: u64) -> Vec<Range> {
        self.cut(start, size, size > SHORT)
    }

    /// Words, cut further where there are cuts; where `long` the pieces between cuts, if they are longer than words.
    pub(super) fn cut(&self, start: Address, size: u64, long: bool) -> Vec<Range> {
        let (mut at, end) = (start.0, start.0 + size);
        let mut pieces = Vec::new();
        while at < end {
            let word = if long { end } else { end.min((at / WORD + 1) * WORD) };
            let whole = Range { start: Address(at), size: (word - at) as u32 };
            if let Some(together) = self.together(Range { start: Address(at), size: (end - at) as u32 }) {
                at = together.end();
                pieces.push(together);
                continue;
            }
            let next = self.world.sites.first_cut(whole).unwrap_or(word);
            match next - at {
                0..=WORD => pieces.extend(aligned(at, next)),
                size => pieces.push(Range { size: size as u32, ..whole }),
            }
            at = next;
        }
        pieces
    }

    /// What the rest of a copy or fill begins with that is written and read as a whole.
    #[inline]
    fn together(&self, rest: Range) -> Option<Range> {
        let wholes = self.world.sites.wholes();
        if wholes.is_empty() { None } else { wholes.beginning(rest) }
    }

    /// Whether an access to a value is no single one: it moves a part of a structure, is of a size that machines have
    /// no access for, or is plain and cut. Neither C nor its compilers promise that a plain access is one.
    #[inline]
    pub(super) fn falls_apart(&self, start: Address, size: u32, order: Order) -> bool {
        let sites = &self.world.sites;
        match order {
            Order::Copy => true,
            Order::Plain if !size.is_power_of_two() => true,
            Order::Plain => size <= 8 && sites.cuts_plain() && sites.first_cut(Range { start, size }).is_some(),
            _ => false,
        }
    }

    /// Reads bytes of a constant; zeros where it has none.
    pub(super) fn read_constant(&self, global: GlobalId, offset: u64, to: &mut [u8]) {
        let bytes = &self.world.program.globals[global.index()].bytes;
        for (n, byte) in to.iter_mut().enumerate() {
            *byte = bytes.get(offset as usize + n).copied().unwrap_or(0);
        }
    }

    /// Reads `size` bytes.
    pub fn read_bytes(&mut self, address: Address, size: u64) -> Run<Vec<u8>> {
        self.read_bytes_as(address, size, Order::Plain)
    }

    pub(super) fn read_bytes_as(&mut self, address: Address, size: u64, order: Order) -> Run<Vec<u8>> {
        let mut bytes = vec![0; size as usize];
        match self.locate(address, size) {
            _ if size == 0 => {}
            Located::Private(spot) => {
                self.reveal_for_library(spot, size as usize)?;
                self.thread.store.read(spot, &mut bytes);
            }
            Located::Constant(global, offset) => self.read_constant(global, offset, &mut bytes),
            Located::Shared => {
                for piece in self.pieces(address, size) {
                    let value = self.read_shared(piece, AccessKind::piece_of(size, false), order)?;
                    let to = &mut bytes[(piece.start.0 - address.0) as usize..(piece.end() - address.0) as usize];
                    value.with_bytes(piece.size, |from| to.copy_from_slice(from));
                }
            }
            Located::Fault(fault) => return Err(Next::Fault(fault)),
        }
        Ok(bytes)
    }

    /// Reads shared bytes, where they are a part of what is written as a whole as such ([`crate::parts`]).
    pub(super) fn read_shared(&mut self, range: Range, access: AccessKind, order: Order) -> Run<Value> {
        let whole = match self.world.sites.wholes().is_empty() {
            true => None,
            false => self.world.sites.wholes().around(range, order),
        };
        let Some(whole) = whole else {
            let at = self.note_access(range, access)?;
            return self.ask_value(Action::Read { at, order, guard: None });
        };
        self.world.sites.demand(whole, order);
        let at = self.note_access(whole, AccessKind::whole(false))?;
        let value = self.ask_value(Action::Read { at, order, guard: None })?;
        let from = (range.start.0 - whole.start.0) as usize;
        Ok(value.with_bytes(whole.size, |bytes| Value::from_bytes(&bytes[from..from + range.size as usize])))
    }

    /// Writes bytes.
    pub fn write_bytes(&mut self, address: Address, bytes: &[u8]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if self.locate(address, bytes.len() as u64) != Located::Shared {
            return self.store(address, bytes.len() as u32, Value::from_bytes(bytes), Order::Plain);
        }
        for piece in self.pieces(address, bytes.len() as u64) {
            let part = &bytes[(piece.start.0 - address.0) as usize..(piece.end() - address.0) as usize];
            let at = self.location_of_piece(piece, bytes.len() as u64, true)?;
            self.write_shared(at, Value::from_bytes(part), Order::Plain)?;
        }
        Ok(())
    }

    /// Copies bytes; what was never written stays so.
    pub fn copy(&mut self, to: Address, from: Address, length: u64) -> Run<()> {
        self.check_length(length)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = self.read_bytes_as(from, length, Order::Copy)?;
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
        match self.locate(to, length) {
            Located::Private(spot) if length > 0 => {
                self.uncover(spot, length as usize);
                Rc::make_mut(&mut self.thread.store).fill(spot, length as usize, byte);
                Ok(())
            }
            Located::Fault(fault) if length > 0 => Err(Next::Fault(fault)),
            _ => self.write_bytes(to, &vec![byte; length as usize]),
        }
    }

    pub(super) fn check_length(&self, length: u64) -> Run<()> {
        if length > AddressMap::MAX_OBJECT {
            return Err(Next::Fault(Fault::new(FaultKind::OutOfBounds, format!("{length} bytes are more than any object has"))));
        }
        Ok(())
    }
}

/// The bytes from one address to another in the largest pieces of at most a word that lie at multiples of their sizes,
/// which are powers of two.
fn aligned(start: u64, end: u64) -> impl Iterator<Item = Range> {
    let mut at = start;
    std::iter::from_fn(move || {
        let sizes = [8, 4, 2, 1];
        let size = sizes.into_iter().find(|size| at.is_multiple_of(*size) && at + size <= end)?;
        at += size;
        Some(Range { start: Address(at - size), size: size as u32 })
    })
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[track_caller]
    fn check(start: u64, end: u64, sizes: &[u32]) {
        assert_eq!(aligned(start, end).map(|piece| piece.size).collect::<Vec<_>>(), sizes);
        assert!(aligned(start, end).all(|piece| piece.start.0 % piece.size as u64 == 0));
    }

    #[test]
    fn pieces_are_aligned_powers_of_two() {
        check(64, 72, &[8]);
        check(64, 71, &[4, 2, 1]);
        check(65, 68, &[1, 2]);
        check(66, 72, &[2, 4]);
        check(65, 71, &[1, 2, 2, 1]);
        check(64, 64, &[]);
    }
}
