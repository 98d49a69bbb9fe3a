//! The functions that programs call and do not define: pthreads, C11 threads and the C library.
//!
//! A function here is written straight on. Where it needs an answer from the shared memory it asks with `?`: it is then run again from its
//! beginning with the answers so far, and what it had done is taken back. A function that is not here is unsupported when it is reached.

mod heap;
mod process;
mod pthread;

use crate::history::Next;
use crate::runner::{Run, Runner};
use crate::sharing::Site;
use raddle_event::{Address, Fault, FaultKind, Order};
use raddle_program::{ExternId, Program};
use smallvec::{SmallVec, smallvec};

/// What a function of the library is: it looks at its arguments and gives one word.
type Builtin = fn(&mut Call) -> Run<u64>;

/// The functions that a program calls, by number.
pub(crate) struct Library {
    known: Vec<Option<Builtin>>,
}

impl Library {
    /// Finds each function that the program calls.
    pub fn new(program: &Program) -> Library {
        Library { known: program.externs.iter().map(|name| find(name)).collect() }
    }
}

fn find(name: &str) -> Option<Builtin> {
    let tables = [pthread::TABLE, heap::TABLE, process::TABLE];
    tables.iter().flat_map(|table| table.iter()).find(|entry| entry.0 == name).map(|entry| entry.1)
}

/// A call of a function of the library.
pub(crate) struct Call<'c, 'r, 'p> {
    pub runner: &'c mut Runner<'r, 'p>,
    pub name: &'p str,
    pub site: Site,
    arguments: &'c [u64],
}

impl Call<'_, '_, '_> {
    /// An argument; zero where the caller gave fewer.
    pub fn word(&self, number: usize) -> u64 {
        self.arguments.get(number).copied().unwrap_or(0)
    }

    /// An argument of type `int`.
    pub fn int(&self, number: usize) -> i32 {
        self.word(number) as i32
    }

    /// An argument that is a pointer.
    pub fn address(&self, number: usize) -> Address {
        Address(self.word(number))
    }

    /// The bytes of a string, without the zero at its end.
    pub fn string(&mut self, address: Address) -> Run<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let byte = self.runner.load(Address(address.0 + bytes.len() as u64), 1, Order::Plain, true)? as u8;
            if byte == 0 {
                return Ok(bytes);
            }
            bytes.push(byte);
        }
    }

    /// A string as text for a person.
    pub fn text(&mut self, address: Address) -> Run<String> {
        self.string(address).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A fault of this call.
    pub fn fault<T>(&self, kind: FaultKind, what: impl Into<String>) -> Run<T> {
        Err(Next::Fault(Fault::new(kind, what)))
    }
}

/// Calls a function of the library.
pub(crate) fn call(runner: &mut Runner, function: ExternId, arguments: &[u64], site: Site) -> Run<SmallVec<[u64; 2]>> {
    let name = runner.world.program.externs[function.index()].as_str();
    let Some(builtin) = runner.world.library.known[function.index()] else {
        return Err(Next::Unsupported(format!("the function `{name}`, which is neither defined nor known")));
    };
    let mut call = Call { runner, name, site, arguments };
    builtin(&mut call).map(|value| smallvec![value])
}

/// What a thread does when it ends, before it says so.
pub(crate) fn before_end(_runner: &mut Runner) -> Run<()> {
    Ok(())
}
