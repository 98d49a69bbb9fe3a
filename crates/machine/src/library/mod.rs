//! The functions that programs call and do not define: pthreads, C11 threads, the C library and what C++ needs at run
//! time.
//!
//! A function here is written straight on. Where it needs an answer from the shared memory it asks with `?`: it is then
//! run again from its beginning with the answers so far, and what it had done is taken back. Choices come first in a
//! function, because nothing is taken back before the first thread is spawned. A function that is not here is
//! unsupported when it is reached.
//!
//! Functions that call back into the program are program functions themselves: see [`prelude`].
//!
//! A result of fewer than 64 bits has zeros above them, like every register.

mod barrier;
mod c11;
mod cast;
mod condition;
mod ctype;
mod cxx;
mod environment;
mod errno;
mod exceptions;
mod files;
mod format;
mod futex;
mod hash;
mod heap;
mod holder;
mod jump;
mod key;
mod list;
mod long_double;
mod math;
mod memory;
mod mutex;
mod notes;
mod number;
mod once;
mod parse;
mod prelude;
mod print;
mod process;
mod random;
mod rwlock;
mod semaphore;
mod spinlock;
mod string;
mod sync;
mod thread;
mod time;
mod tree;
mod verifier;

pub(crate) use condition::{TIMED_WAITS, WAITS};
pub use holder::holder;
pub(crate) use mutex::{GIVING, TAKING, TRYING};
pub(crate) use notes::Notes;
pub use prelude::link;
pub(crate) use random::Random;

use crate::history::Next;
use crate::output::{Piece, Stream};
use crate::runner::{Run, Runner};
use crate::sharing::Site;
use errno::ERRNO;
use raddle_event::{Address, Fault, FaultKind, Order, Value};
use raddle_program::{ExternId, GlobalId, Program};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// What a function of the library is: it looks at its arguments and gives one word; a few give [`Call::more`].
type Builtin = fn(&mut Call) -> Run<u64>;

/// Names with what they stand for.
type Table = &'static [(&'static str, Builtin)];

const TABLES: &[Table] = &[
    barrier::TABLE,
    c11::TABLE,
    cast::TABLE,
    condition::TABLE,
    ctype::TABLE,
    cxx::TABLE,
    environment::TABLE,
    exceptions::TABLE,
    files::TABLE,
    futex::TABLE,
    hash::TABLE,
    heap::TABLE,
    jump::TABLE,
    key::TABLE,
    list::TABLE,
    long_double::TABLE,
    math::TABLE,
    memory::TABLE,
    mutex::TABLE,
    number::TABLE,
    once::TABLE,
    print::TABLE,
    process::TABLE,
    random::TABLE,
    rwlock::TABLE,
    semaphore::TABLE,
    spinlock::TABLE,
    string::TABLE,
    thread::TABLE,
    time::TABLE,
    tree::TABLE,
    verifier::TABLE,
];

/// A variable that the library keeps for all threads: its name, its size, and the functions that need it.
type Shared = (&'static str, u64, &'static [&'static str]);

/// Those that there are. [`link`] adds them.
const SHARED: &[Shared] = &[
    process::AT_EXIT,
    futex::WAITERS,
    semaphore::NAMED,
    random::GENERATOR,
    string::TOKEN,
    thread::CLAIMS,
    time::CLOCK,
    verifier::BLOCK,
    jump::CANCELLED,
];

/// Whether a function is known by this name: here, or in the prelude.
pub fn knows(name: &str) -> bool {
    let mut tables = TABLES.iter().copied().chain(math::PAIRS.iter().map(|pair| &pair[..]));
    prelude::defines(name) || tables.any(|table| table.iter().any(|row| row.0 == name))
}

/// The functions that a program calls, by number.
pub(crate) struct Library {
    known: Vec<Option<Builtin>>,
    /// The variable behind `errno`, where the program looks at it.
    errno: Option<GlobalId>,
    /// The table of claimed threads, where there is one.
    pub claims: Option<GlobalId>,
    /// The word of blocks that are one step for all others, where there are such.
    pub block: Option<Address>,
    /// Whether a thread may be cancelled.
    pub cancels: bool,
    /// Whether a mutex may be robust.
    pub robust: bool,
    /// Whether the program waits for conditions with time limits.
    pub limited: bool,
    /// Whether the program asks how large an object is.
    pub asks_sizes: bool,
    /// Whether the program tries to take mutexes.
    pub tries: bool,
    /// The variable that stands for the clock, if the program looks at it.
    pub clock: Option<GlobalId>,
}

impl Library {
    /// Finds each function that the program calls.
    pub fn new(program: &Program) -> Library {
        let all: FxHashMap<&str, Builtin> =
            TABLES.iter().copied().chain(math::PAIRS.iter().map(|pair| &pair[..])).flatten().copied().collect();
        let known = program.externs.iter().map(|name| all.get(name.as_str()).copied()).collect();
        let find = |name| program.globals.iter().position(|global| global.name == name).map(|number| GlobalId(number as u32));
        let limited = program.externs.iter().any(|name| TIMED_WAITS.contains(&name.as_str()));
        let tries = program.externs.iter().any(|name| TRYING.contains(&name.as_str()));
        let asks_sizes = program.externs.iter().any(|name| heap::ASKS_SIZES.contains(&name.as_str()));
        let block = find(verifier::BLOCK.0).map(|id| program.globals[id.index()].address);
        let robust = program.externs.iter().any(|name| name == mutex::SET_ROBUST);
        let cancels = program.externs.iter().any(|name| name == "pthread_cancel");
        Library {
            known,
            limited,
            asks_sizes,
            tries,
            block,
            cancels,
            robust,
            claims: find(thread::CLAIMS.0),
            clock: find(time::CLOCK.0),
            errno: find(ERRNO),
        }
    }
}

/// A call of a function of the library.
pub(crate) struct Call<'c, 'r, 'p> {
    pub runner: &'c mut Runner<'r, 'p>,
    pub name: &'p str,
    pub site: Site,
    /// Results after the first.
    pub more: SmallVec<[u64; 2]>,
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

    /// Reads a word of at most eight bytes, as a program does that is not atomic.
    pub fn load(&mut self, address: Address, size: u32) -> Run<u64> {
        self.runner.load(address, size, Order::Plain, true).map(|word| word as u64)
    }

    /// Writes a word of at most eight bytes, as a program does that is not atomic.
    pub fn store(&mut self, address: Address, size: u32, word: u64) -> Run<()> {
        self.runner.store(address, size, Value::from_u128(word as u128, size), Order::Plain)
    }

    /// Writes a word where the program gave an address for it.
    pub fn give(&mut self, address: Address, size: u32, word: u64) -> Run<()> {
        if address.0 == 0 { Ok(()) } else { self.store(address, size, word) }
    }

    /// The bytes of a string, without the zero at its end.
    pub fn string(&mut self, address: Address) -> Run<Vec<u8>> {
        self.string_of(address, u64::MAX)
    }

    /// The bytes of a string, at most so many.
    pub fn string_of(&mut self, address: Address, most: u64) -> Run<Vec<u8>> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < most {
            let byte = self.load(Address(address.0 + bytes.len() as u64), 1)? as u8;
            if byte == 0 {
                break;
            }
            bytes.push(byte);
        }
        Ok(bytes)
    }

    /// A string as text for a person.
    pub fn text(&mut self, address: Address) -> Run<String> {
        self.string(address).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The address of a variable that the library keeps for all threads.
    pub fn shared(&self, of: Shared) -> Run<Address> {
        Ok(self.runner.world.program.globals[self.shared_id(of)?.index()].address)
    }

    /// A variable that the library keeps for all threads; [`link`] has put it into a program that calls what needs it.
    pub fn shared_id(&self, (name, ..): Shared) -> Run<GlobalId> {
        match self.runner.world.program.globals.iter().position(|global| global.name == name) {
            Some(number) => Ok(GlobalId(number as u32)),
            None => self.unsupported(format!("`{}`, in a program that the library has not been linked to", self.name)),
        }
    }

    /// The number of a thing in a table for all threads, by what names it. Numbers outlive executions.
    pub fn slot(&mut self, of: Shared, key: Vec<u8>) -> usize {
        let slots = &mut self.runner.world.slots;
        let taken = slots.keys().filter(|known| known.0 == of.0).count();
        *slots.entry((of.0.into(), key)).or_insert(taken)
    }

    /// What the library remembers for the thread, to change it.
    pub fn notes(&mut self) -> &mut Notes {
        Rc::make_mut(&mut self.runner.thread.counts.notes)
    }

    /// Prints.
    pub fn print(&mut self, stream: Stream, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.runner.thread.output.push(Piece { stream, bytes });
        }
    }

    /// A fault of this call.
    pub fn fault<T>(&self, kind: FaultKind, what: impl Into<String>) -> Run<T> {
        Err(Next::Fault(Fault::new(kind, what)))
    }

    /// Something that the library cannot do.
    pub fn unsupported<T>(&self, what: impl Into<String>) -> Run<T> {
        Err(Next::Unsupported(what.into()))
    }
}

/// A result of type `int`.
fn int(value: i32) -> u64 {
    value as u32 as u64
}

/// A function that does nothing and gives zero.
fn nothing(_: &mut Call) -> Run<u64> {
    Ok(0)
}

/// Calls a function of the library.
pub(crate) fn call(runner: &mut Runner, function: ExternId, arguments: &[u64], site: Site) -> Run<SmallVec<[u64; 3]>> {
    let name = runner.world.program.externs[function.index()].as_str();
    let Some(builtin) = runner.world.library.known[function.index()] else {
        return Err(Next::Unsupported(format!("the function `{name}`, which is neither defined nor known")));
    };
    let mut call = Call { runner, name, site, more: SmallVec::new(), arguments };
    let mut results = smallvec![builtin(&mut call)?];
    results.extend(call.more);
    Ok(results)
}
