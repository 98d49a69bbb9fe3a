//! What a check concluded. None of this is an error of the tool.

use crate::joined::{FaultAt, Stop};
use raddle_event::{EventId, Fault, FaultKind, Parameter, ThreadId, Way, Who};
use raddle_machine::{Moment, Sites, Tables};
use std::collections::BTreeMap;

/// What was cut, so that the absence of faults proves less.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Loops were cut after this many iterations.
    Unroll(u32),
    /// Only executions were explored in which at most this many stores wait in a buffer.
    Buffer(u32),
    /// Only executions were explored that have at most this many preemptions.
    Context(u32),
    Executions(u64),
    Events(u64),
    Timeout,
    /// There were nearly as many megabytes in use as there may be: this many.
    Memory(u64),
    Interrupted,
    /// Nothing else was cut, but no execution is complete: each fails an assumption or waits in a loop.
    NoneComplete,
}

impl Limit {
    /// Whether it is a bound of the plan: all that it allows was explored.
    pub fn is_bound(&self) -> bool {
        matches!(self, Limit::Buffer(_) | Limit::Context(_))
    }
}

/// How many of each were explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Complete executions: every thread ended, or a fault or deadlock ended it.
    pub executions: u64,
    /// Executions that ended in a failed assumption, a spin loop or a loop bound.
    pub blocked: u64,
    /// Executions given up because they are explored elsewhere.
    pub redundant: u64,
    /// Steps taken.
    pub events: u64,
    /// Executions whose Shasha-Snir trace has a cycle; counted when asked for.
    pub not_robust: u64,
}

/// The execution that shows a fault: enough, with the program, to run it again.
#[derive(Clone, Debug)]
pub struct Witness {
    pub path: Path,
    /// The sites that were taken as shared.
    pub sites: Sites,
    /// The numbers that threads, addresses and locations had.
    pub tables: Tables,
}

/// What was decided in an execution.
#[derive(Clone, Debug)]
pub enum Path {
    /// Who took each step, and which outcome it had where it was a choice.
    Schedule(Vec<(Who, u32)>),
    /// Whose event was added to the graph each time, and in which way.
    Graph(Vec<(ThreadId, Way)>),
    /// Which events were committed, in this order, and how.
    Commits(Vec<(EventId, Parameter)>),
}

/// A fault with the execution that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    pub kind: FaultKind,
    pub message: String,
    pub thread: ThreadId,
    pub moment: Moment,
    pub witness: Witness,
}

/// How the check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// At least one execution is complete, nothing was cut, and none had a fault.
    Verified,
    /// At least one fault was found, whatever else happened.
    Refuted,
    /// No fault was found, but something was cut or could not be run, or no execution is complete.
    Unknown,
}

/// Everything that a check found.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    pub found: Vec<Found>,
    /// What was cut.
    pub limits: Vec<Limit>,
    /// Something in an execution that cannot be run, or does not seem to end.
    pub stop: Option<Stop>,
    pub count: Count,
    /// Each status with which the program ends in a complete execution without a fault, and the number of these; collected when asked for.
    pub statuses: BTreeMap<i32, u64>,
}

impl Found {
    /// A fault that one thread committed.
    pub fn of(at: &FaultAt, witness: Witness) -> Found {
        let FaultAt { fault, thread, moment } = at.clone();
        Found { kind: fault.kind, message: fault.message, thread, moment, witness }
    }

    /// The fault without its execution.
    pub fn at(&self) -> FaultAt {
        FaultAt { fault: Fault::new(self.kind, self.message.clone()), thread: self.thread, moment: self.moment.clone() }
    }
}
