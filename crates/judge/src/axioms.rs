//! All executions of a program under SC, TSO and PSO by the axioms: the graphs of program order, reads-from and
//! coherence that they allow.
//!
//! This shares nothing with the explorers and nothing with the memory that they run on: there are no buffers, no
//! updates and no schedules here. It is what the twin of the explorers enumerates graphs with.
//!
//! The axioms are those of the SPARC manual for TSO and PSO, in the form of Owens, Sarkar and Sewell (TPHOLs 2009): a
//! graph is allowed when its accesses have a *memory order*, an order without cycles which
//!
//! 1. keeps program order, except from a store to a load, and under PSO except from a store to a store of other bytes;
//!    SC keeps all of it. Barriers ([`crate::orders`]), spawns and joins keep more. A read-modify-write is one access,
//!    and waits for the stores before it;
//! 2. contains coherence, which is total for the stores of each byte;
//! 3. makes each byte of a load come from the last store to it, in that order, among those that are before the load in
//!    memory order or in program order.
//!
//! The third says: what is read from another thread's store comes after it (rfe); a load comes before every store that
//! follows the one it reads from (fr); and none of these is before it in program order. With one size for each location
//! this is what is elsewhere put as two axioms: po-loc ∪ rf ∪ co ∪ fr is acyclic (coherence), and ppo ∪ rfe ∪ co ∪ fr ∪
//! fences is acyclic. Since everything is said of bytes, accesses of different sizes that overlap are no other case: co
//! is then an order of each two stores that have a byte in common. All of this asks for pairs of accesses to be
//! ordered, so a partial order is kept; any total order with these pairs in it is a memory order.
//!
//! [`grow`] says how all graphs are found, and why none is missed.

mod grow;
mod order;

pub use grow::{Graphs, enumerate};

use crate::judgement::{Did, Trace};
use crate::orders::{Buffering, Demand};
use order::{AccessId, PartialOrder, Set};
use raddle_event::{Address, Published, Range, ThreadId, Value};
use raddle_machine::Machine;
use std::collections::BTreeMap;

/// How many steps had been added before one was.
type StepNumber = usize;

/// A load, a store or a read-modify-write.
#[derive(Debug)]
struct Access {
    thread: ThreadId,
    range: Range,
    /// For each byte the store that it reads from, or the initial value; empty where it reads nothing.
    from: Vec<Option<AccessId>>,
    written: Option<Value>,
    /// How many stores its thread has with this one.
    store: u32,
    /// When it was added.
    at: StepNumber,
    /// The load that reserved its bytes, for a store that succeeds only if no other thread has stored there since.
    reserved_by: Option<AccessId>,
}

impl Access {
    fn reads(&self) -> bool {
        !self.from.is_empty()
    }

    fn writes(&self) -> bool {
        self.written.is_some()
    }

    /// Where a byte that it reads comes from.
    fn source(&self, byte: u64) -> Option<AccessId> {
        self.from[(byte - self.range.start.0) as usize]
    }

    fn written_byte(&self, byte: u64) -> u8 {
        let value = self.written.as_ref().expect("a source is a store");
        value.with_bytes(self.range.size, |bytes| bytes[(byte - self.range.start.0) as usize])
    }
}

/// What a thread has done so far.
#[derive(Clone, Copy, Default)]
struct ThreadState {
    accesses: Set,
    stores: Set,
    /// What each of its later accesses comes after.
    after: Set,
    /// What each of its later stores comes after.
    stores_after: Set,
    n_stores: u32,
    /// When its last step was added, or the one that spawned it.
    last: Option<StepNumber>,
    reserved: Option<AccessId>,
}

/// What there is to say of a step besides its thread.
#[derive(Clone, Copy)]
enum Added {
    Access(AccessId),
    Choice(u32),
    /// Nothing of it is in the trace.
    Silent,
}

/// A graph, with the machine that makes its steps.
struct Candidate<'p> {
    machine: Machine<'p>,
    buffering: Buffering,
    accesses: Vec<Access>,
    order: PartialOrder,
    /// By number.
    threads: Vec<ThreadState>,
    /// In the order in which they were added.
    steps: Vec<(ThreadId, Added)>,
    /// Objects with their first bytes, and when they came.
    objects: Vec<Published>,
}

impl<'p> Candidate<'p> {
    /// A graph without steps.
    fn new(machine: Machine<'p>, buffering: Buffering) -> Candidate<'p> {
        let objects = machine.first_image().map_or_else(Vec::new, |image| image.to_vec());
        let threads = vec![ThreadState::default(); machine.n_threads()];
        Candidate { machine, buffering, accesses: Vec::new(), order: PartialOrder::default(), threads, steps: Vec::new(), objects }
    }

    fn access(&self, id: AccessId) -> &Access {
        &self.accesses[id.index()]
    }

    fn thread(&mut self, thread: ThreadId) -> &mut ThreadState {
        &mut self.threads[thread.index()]
    }

    /// The stores that have a byte in common with a range.
    fn stores(&self, range: Range) -> impl Iterator<Item = AccessId> + '_ {
        let all = self.accesses.iter().enumerate();
        all.filter(move |(_, access)| access.writes() && access.range.overlaps(range)).map(|(n, _)| AccessId(n as u8))
    }

    /// The stores to a byte.
    fn stores_to(&self, byte: u64) -> impl Iterator<Item = AccessId> + '_ {
        self.stores(Range { start: Address(byte), size: 1 })
    }

    /// Whether a store follows another one, or the initial value, in coherence.
    fn is_followed(&self, order: &PartialOrder, source: Option<AccessId>, store: AccessId) -> bool {
        source != Some(store) && source.is_none_or(|source| order.is_before(source, store))
    }

    /// Whether a load comes before a store because it reads what the store overwrites (fr).
    fn is_overwritten(&self, order: &PartialOrder, load: &Access, store: AccessId, stored: Range) -> bool {
        let mut bytes = load.range.start.0.max(stored.start.0)..load.range.end().min(stored.end());
        bytes.any(|byte| self.is_followed(order, load.source(byte), store))
    }

    /// The byte of an object before any store.
    fn first_byte(&self, byte: u64) -> Option<u8> {
        let holds = |object: &&Published| (object.address.0..object.address.0 + object.size).contains(&byte);
        let object = self.objects.iter().rev().find(holds)?;
        Some(object.bytes.get((byte - object.address.0) as usize).copied().unwrap_or(0))
    }

    fn byte(&self, byte: u64, source: Option<AccessId>) -> u8 {
        match source {
            Some(store) => self.access(store).written_byte(byte),
            None => self.first_byte(byte).expect("it was looked for before"),
        }
    }

    fn value(&self, range: Range, from: &[Option<AccessId>]) -> Value {
        let bytes: Vec<u8> = (range.start.0..range.end()).zip(from).map(|(byte, &source)| self.byte(byte, source)).collect();
        Value::from_bytes(&bytes)
    }

    /// What is in memory once all stores are there.
    fn last_value(&self, range: Range) -> Value {
        let last = |byte| {
            let mut stores = self.stores_to(byte);
            stores.find(|&store| !self.stores_to(byte).any(|other| self.order.is_before(store, other)))
        };
        let from: Vec<Option<AccessId>> = (range.start.0..range.end()).map(last).collect();
        self.value(range, &from)
    }

    // Program order

    /// The accesses of its thread that a new one comes after in memory order.
    fn before_new(&self, new: &Access) -> Set {
        let state = &self.threads[new.thread.index()];
        let mut before = if new.writes() { state.after | state.stores_after } else { state.after };
        for id in state.accesses.iter() {
            let old = self.access(id);
            let keeps_stores = !self.buffering.is_by_location() || old.range.overlaps(new.range);
            if self.buffering.is_direct() || old.reads() || (new.writes() && keeps_stores) {
                before = before.with(id);
            }
        }
        before
    }

    /// What a barrier does to what the thread does after it.
    fn pass(&mut self, thread: ThreadId, barrier: Demand) {
        let state = self.thread(thread);
        match barrier {
            Demand::None => {}
            Demand::Stores => state.stores_after = state.stores_after | state.stores,
            Demand::Drain => state.after = state.after | state.accesses,
        }
    }

    // What came of it

    fn trace(&self) -> Trace {
        let mut threads: BTreeMap<ThreadId, Vec<Did>> = BTreeMap::new();
        for &(thread, step) in &self.steps {
            let did = match step {
                Added::Access(id) => {
                    let Access { range, ref from, .. } = *self.access(id);
                    let name = |store: &AccessId| (self.access(*store).thread, self.access(*store).store);
                    let from = from.iter().map(|source| source.as_ref().map(name)).collect();
                    Did::Access { start: range.start.0, size: range.size, writes: self.access(id).writes(), from }
                }
                Added::Choice(outcome) => Did::Choice(outcome),
                Added::Silent => continue,
            };
            threads.entry(thread).or_default().push(did);
        }
        Trace { threads, coherence: self.coherence() }
    }

    /// For each byte its stores in coherence order.
    fn coherence(&self) -> BTreeMap<u64, Vec<(ThreadId, u32)>> {
        let mut stores: BTreeMap<u64, Vec<AccessId>> = BTreeMap::new();
        for (n, access) in self.accesses.iter().enumerate().filter(|(_, access)| access.writes()) {
            for byte in access.range.start.0..access.range.end() {
                let placed = stores.entry(byte).or_default();
                let new = AccessId(n as u8);
                let place = placed.iter().position(|&other| self.order.is_before(new, other)).unwrap_or(placed.len());
                placed.insert(place, new);
            }
        }
        let name = |id: AccessId| (self.access(id).thread, self.access(id).store);
        stores.into_iter().map(|(byte, placed)| (byte, placed.into_iter().map(name).collect())).collect()
    }
}
