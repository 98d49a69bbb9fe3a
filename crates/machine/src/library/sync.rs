//! What the objects of synchronisation have in common.
//!
//! Each is a word at the start of its object. What a call does to it is one event, with the order that its
//! implementations have and no more (docs/library-order.md has the table). A call that may find nothing to do (a
//! failing trylock, a signal without waiter) is a load where it finds nothing to do. Under RA that is what a
//! read-modify-write is that does not write. Where a read-modify-write orders more than a load even so (under TSO and
//! PSO it waits for the buffer, on POWER a release has its barrier in front), the call looks first, as implementations
//! do.
//!
//! A thread notes what it holds, so that it can be told when it unlocks what it does not hold, and locking again what
//! is recursive is no event at all.

use super::Call;
use crate::history::Next;
use crate::runner::Run;
use raddle_event::{Address, Fault, FaultKind, Fence, Order, Rmw, Value};

impl Call<'_, '_, '_> {
    /// Changes the word of an object, and waits for the guard; gives the old word.
    pub fn change(&mut self, at: Address, size: u32, rmw: Rmw, order: Order) -> Run<u64> {
        self.need_written(at, size)?;
        let old = self.runner.rmw(at, size, rmw, order);
        self.of_object(old)
    }

    /// The same, for a change that may not happen: then it is a load without order.
    pub fn attempt(&mut self, at: Address, size: u32, rmw: Rmw, order: Order) -> Run<u64> {
        if self.runner.looks_first() {
            let word = self.look(at, size)?;
            if rmw.apply(word as u128, size).is_none() {
                return Ok(word);
            }
        }
        self.need_written(at, size)?;
        let old = self.runner.rmw_or_read(at, size, rmw, order, Order::Relaxed);
        self.of_object(old)
    }

    /// Looks at the word of an object.
    pub fn look(&mut self, at: Address, size: u32) -> Run<u64> {
        let word = self.runner.load(at, size, Order::Relaxed, true);
        self.of_object(word)
    }

    /// Puts a word into an object that other threads may look at.
    pub fn put(&mut self, at: Address, size: u32, word: u64, order: Order) -> Run<()> {
        self.runner.store(at, size, Value::from_u128(word as u128, size), order)
    }

    /// A locked instruction of the implementation that changes nothing here: under TSO and PSO it waits for the buffer.
    pub fn locked_instruction(&mut self) -> Run<()> {
        if self.runner.thread.counts.stored { self.runner.fence(Fence::Mfence) } else { Ok(()) }
    }

    /// The thread has found a lock taken without waiting for it: so it knows that somebody holds it now.
    pub fn found_taken(&mut self, at: Address) {
        let runner = &mut *self.runner;
        if runner.world.ends_in_vain() {
            runner.thread.counts.found_taken += 1;
            runner.world.sites.find_taken(at, runner.thread.id, runner.thread.counts.found_taken);
        }
    }

    /// Something wrong is done to an object.
    pub fn misuse<T>(&self, what: impl Into<String>) -> Run<T> {
        self.fault(FaultKind::MutexMisuse, what)
    }

    /// How often the thread holds what lies at an address.
    pub fn holds(&self, at: Address) -> u32 {
        let held = &self.runner.thread.counts.notes.held;
        held.iter().find(|entry| entry.0 == at).map_or(0, |entry| entry.1)
    }

    /// Whether the thread holds what lies at an address, and the word there says so as well: else the memory has become
    /// another object since.
    pub fn still_holds(&mut self, at: Address, size: u32, is_own: impl Fn(u64) -> bool) -> Run<bool> {
        if self.holds(at) == 0 {
            return Ok(false);
        }
        let word = self.look(at, size)?;
        if !is_own(word) {
            self.forget(at);
        }
        Ok(is_own(word))
    }

    /// The thread holds what lies at an address, or holds it once more.
    pub fn hold(&mut self, at: Address) {
        let held = &mut self.notes().held;
        match held.binary_search_by_key(&at, |entry| entry.0) {
            Ok(n) => held[n].1 += 1,
            Err(n) => held.insert(n, (at, 1)),
        }
    }

    /// The thread holds what lies at an address once less.
    pub fn let_go(&mut self, at: Address) {
        let held = &mut self.notes().held;
        if let Ok(n) = held.binary_search_by_key(&at, |entry| entry.0) {
            held[n].1 -= 1;
            held.retain(|entry| entry.1 != 0);
        }
    }

    /// Another object comes into being at an address: the thread does not hold it.
    pub fn forget(&mut self, at: Address) {
        if self.holds(at) != 0 {
            self.notes().held.retain(|entry| entry.0 != at);
        }
    }

    fn need_written(&mut self, at: Address, size: u32) -> Run<()> {
        if self.runner.is_written(at, size) { Ok(()) } else { self.misuse(NOT_INITIALISED) }
    }

    /// What the memory says of a word, in terms of objects.
    fn of_object(&self, answer: Run<u128>) -> Run<u64> {
        match answer {
            Err(Next::Fault(Fault { kind: FaultKind::UninitialisedRead, .. })) => self.misuse(NOT_INITIALISED),
            answer => answer.map(|word| word as u64),
        }
    }
}

const NOT_INITIALISED: &str = "an object is used that was never initialised";
