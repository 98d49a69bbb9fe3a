//! Variables of the C library: those that programs reach through a function (`errno` and the tables of `<ctype.h>`),
//! and those that only the library itself knows because all threads share them.

use super::Definition;
use super::writer::Writer;
use crate::library::SHARED;
use crate::library::ctype;
use crate::library::errno::ERRNO;
use raddle_event::Address;
use raddle_program::{Global, Program};

pub const TABLE: &[Definition] = &[
    Definition::new("__errno_location", 0, 1, errno),
    Definition::new("__ctype_b_loc", 0, 1, |w| table(w, "__ctype_b", ctype::classes(), 2)),
    Definition::new("__ctype_tolower_loc", 0, 1, |w| table(w, "__ctype_tolower", ctype::lower(), 4)),
    Definition::new("__ctype_toupper_loc", 0, 1, |w| table(w, "__ctype_toupper", ctype::upper(), 4)),
];

/// Adds what the library itself keeps for all threads, where the program calls a function that needs it.
pub fn fill(program: &mut Program) {
    for &(name, size, users) in SHARED {
        if program.externs.iter().any(|called| users.contains(&called.as_str())) {
            program.add_global(Global { constant: false, ..variable(name, vec![0; size as usize]) });
        }
    }
}

/// A constant.
pub fn variable(name: &str, bytes: Vec<u8>) -> Global {
    let size = bytes.len() as u64;
    Global { name: name.into(), bytes, size, align: 8, constant: true, thread_local: false, layout: None, address: Address(0) }
}

fn errno(w: &mut Writer) {
    let global = Global { constant: false, thread_local: true, ..variable(ERRNO, vec![0; 4]) };
    match w.program().add_global(global) {
        Some(global) => {
            let address = w.thread_local(global);
            w.ret(&[address]);
        }
        None => w.unreachable(),
    }
}

/// A table that begins at index -128, and a variable that points to index 0 of it.
fn table(w: &mut Writer, name: &str, bytes: Vec<u8>, width: u64) {
    let program = w.program();
    let table = program.add_global(variable(name, bytes)).map(|id| program.globals[id.index()].address.0 + 128 * width);
    let pointer = table.and_then(|at| program.add_global(variable(name, at.to_le_bytes().to_vec())));
    let address = pointer.map(|id| program.globals[id.index()].address.0);
    match address {
        Some(address) => {
            let address = w.constant(address);
            w.ret(&[address]);
        }
        None => w.unreachable(),
    }
}
