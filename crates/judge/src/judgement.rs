//! What became of an execution that was run again.

use crate::stuck::Stands;
use crate::watch::StoreName;
use raddle_event::{Address, FaultKind, ThreadId};
use raddle_machine::{FaultAt, Machine, Next, Piece};
use std::collections::BTreeMap;

/// The Shasha-Snir trace of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trace {
    /// For each thread what it did: for each access its range, whether it wrote, and the store that each byte was read
    /// from; or its choice.
    pub threads: BTreeMap<ThreadId, Vec<Did>>,
    /// For each byte its stores in the order in which they reached memory.
    pub coherence: BTreeMap<u64, Vec<(ThreadId, u32)>>,
}

/// What a thread did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Did {
    /// An access to memory.
    Access {
        /// The first byte.
        start: u64,
        /// How many bytes.
        size: u32,
        /// Whether it writes.
        writes: bool,
        /// For each byte that it reads the store that wrote it.
        from: Vec<StoreName>,
    },
    /// The outcome of a choice.
    Choice(u32),
}

/// What became of a schedule.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// What each thread did.
    pub trace: Trace,
    /// The faults that threads committed.
    pub faults: Vec<FaultAt>,
    /// How each thread stands.
    pub stands: Stands,
    /// The heap objects that were not freed, with their sizes.
    pub unfreed: Vec<(Address, u64)>,
    /// What the threads returned.
    pub results: BTreeMap<ThreadId, Vec<u64>>,
    /// What was printed, in order.
    pub output: Vec<Piece>,
}

impl Judgement {
    /// Whether a fault of this kind is there: one that the thread has committed, or what has become of the execution.
    pub fn shows(&self, kind: FaultKind, thread: ThreadId) -> bool {
        let is_committed = || self.faults.iter().any(|at| at.thread == thread && at.fault.kind == kind);
        match kind {
            FaultKind::Deadlock if self.faults.is_empty() => is_committed() || self.stands.is_in_deadlock(thread),
            FaultKind::Livelock => self.stands.is_in_livelock(thread),
            FaultKind::Leak => !self.unfreed.is_empty() && self.stands.is_complete(),
            _ => is_committed(),
        }
    }

    /// Notes what each thread has come to in the end.
    pub(crate) fn look_at_threads(&mut self, machine: &Machine) {
        for thread in machine.threads() {
            match machine.next(thread) {
                Next::Fault(fault) => self.faults.push(FaultAt { thread, fault: fault.clone(), moment: machine.moment(thread) }),
                Next::Ended(values) => drop(self.results.insert(thread, values.to_vec())),
                _ => {}
            }
        }
    }
}
