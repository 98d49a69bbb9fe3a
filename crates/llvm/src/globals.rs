//! Global variables: first all of them get their addresses, then their first bytes, which may hold addresses.

use crate::Error;
use crate::ir::{Kind, Value, global_variable};
use crate::layouts::variable_name;
use crate::unit::Unit;
use crate::unsupported::{Lowered, refuse};
use raddle_event::{Address, AddressMap};
use raddle_program::Global;

/// Globals whose names mean something to LLVM only.
fn is_reserved(global: Value<'_>) -> bool {
    global.name().starts_with("llvm.")
}

/// So many zeros at the end of a variable are kept with it.
const KEPT: usize = 1 << 16;

/// The handles of the standard streams, which the machine knows by these numbers.
const STREAMS: [(&str, u64); 3] = [("stdin", 0x10), ("stdout", 0x11), ("stderr", 0x12)];

impl<'m> Unit<'m> {
    /// Adds all global variables of the module.
    pub fn add_globals(&mut self) -> Result<(), Error> {
        let globals: Vec<Value<'m>> = self.module.globals().into_iter().filter(|g| !is_reserved(*g)).collect();
        for &global in &globals {
            self.add_global(global)?;
        }
        for &global in &globals {
            self.fill_global(global).map_err(|what| Error::Unsupported { what: what.0, place: global.name() })?;
        }
        Ok(())
    }

    fn add_global(&mut self, global: Value<'m>) -> Result<(), Error> {
        let of = global.value_type();
        let declared = global.is_declaration();
        let size = self.module.size_of(of);
        if size > AddressMap::MAX_OBJECT {
            let what = format!("a variable of {size} bytes (at most {} can be addressed)", AddressMap::MAX_OBJECT);
            return Err(Error::Unsupported { what, place: global.name() });
        }
        let variable = global_variable(global);
        let layout = variable.and_then(|v| self.variable_layout(v, global));
        let added = self.program.add_global(Global {
            name: variable.and_then(|v| variable_name(v, global)).unwrap_or_else(|| global.name()),
            bytes: Vec::new(),
            size: if declared { size.max(8) } else { size },
            align: global.align().max(self.module.align_of(of)),
            constant: global.is_constant_global() && !declared,
            thread_local: global.is_thread_local(),
            layout,
            address: Address(0),
        });
        let full = || Error::Unsupported { what: "a program with this many globals".into(), place: global.name() };
        self.globals.insert(global, added.ok_or_else(full)?);
        Ok(())
    }

    fn fill_global(&mut self, global: Value<'m>) -> Lowered<()> {
        let id = self.globals[&global];
        let bytes = match global.initialiser() {
            Some(value) if value.is_zero_aggregate() || value.is_undefined() => Vec::new(),
            Some(value) => {
                let mut bytes = vec![0; self.module.size_of(global.value_type()) as usize];
                self.write_constant(value, &mut bytes)?;
                // What comes after the first bytes is zero.
                let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                if used + KEPT < bytes.len() { bytes[..used].to_vec() } else { bytes }
            }
            None => stream_handle(&global.name()),
        };
        self.program.globals[id.index()].bytes = bytes;
        Ok(())
    }

    /// Writes a constant to the start of `bytes`, which are zero.
    fn write_constant(&mut self, value: Value<'m>, bytes: &mut [u8]) -> Lowered<()> {
        if value.is_undefined() || value.is_zero_aggregate() {
            return Ok(());
        }
        let of = value.of();
        if value.is_data() {
            let data = value.data_bytes();
            bytes[..data.len()].copy_from_slice(&data);
            return Ok(());
        }
        match of.kind() {
            Kind::Struct(n) => {
                for member in 0..n {
                    let at = self.module.offset_of(of, member) as usize;
                    self.write_element(value, member, at, bytes)?;
                }
                Ok(())
            }
            Kind::Array(element, n) => {
                let stride = self.module.size_of(element) as usize;
                (0..n as u32).try_for_each(|i| self.write_element(value, i, i as usize * stride, bytes))
            }
            Kind::Vector(element, n) => {
                let stride = self.module.store_size(element) as usize;
                (0..n).try_for_each(|i| self.write_element(value, i, i as usize * stride, bytes))
            }
            // A number in a format that no instruction can read; it is copied at most.
            Kind::Other if value.is_float() => Ok(()),
            _ => {
                let number = self.scalar(value)?.to_le_bytes();
                let size = self.module.store_size(of) as usize;
                bytes[..size].copy_from_slice(&number[..size]);
                Ok(())
            }
        }
    }

    fn write_element(&mut self, value: Value<'m>, number: u32, at: usize, bytes: &mut [u8]) -> Lowered<()> {
        match value.element(number) {
            Some(element) => self.write_constant(element, &mut bytes[at..]),
            None => refuse(format!("the constant `{}`", value.text())),
        }
    }
}

fn stream_handle(name: &str) -> Vec<u8> {
    match STREAMS.iter().find(|(stream, _)| *stream == name) {
        Some((_, handle)) => handle.to_le_bytes().to_vec(),
        None => Vec::new(),
    }
}
