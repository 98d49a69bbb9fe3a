//! What a check concluded. None of this is an error of the tool.

use crate::plan::Plan;
use raddle_explore::{Concern, Guarantee};
use raddle_join::Stop;
use raddle_machine::{Found, Witness};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was cut, so that the absence of faults proves less.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    /// Loops were cut after this many iterations.
    Unroll(u32),
    /// What the program leaves open took only values from the first to the last of these.
    Values(i64, i64),
    /// Only executions were explored in which at most this many stores wait in a buffer.
    Buffer(u32),
    /// Only executions were explored that have at most this many preemptions.
    Context(u32),
    /// Only so many executions were drawn at random; and what the strategy promises of them.
    Samples(u64, Option<Guarantee>),
    /// As many executions were explored as there may be (`--max-executions`).
    Executions(u64),
    /// As many events happened as there may be (`--max-events`).
    Events(u64),
    /// The time is over (`--timeout`).
    Timeout,
    /// There were nearly as many megabytes in use as there may be: this many.
    Memory(u64),
    /// Somebody asked it to stop.
    Interrupted,
    /// A load that could read what a compare-exchange of its own thread stores has waited for that compare-exchange
    /// to load.
    Forwarding,
    /// Something may go wrong, but it was found only where a trylock fails because others back off, and whether it can
    /// was not followed.
    BackOff,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Count {
    /// Adds what another worker has explored.
    pub(crate) fn add(&mut self, other: &Count) {
        let Count { executions, blocked, redundant, events, not_robust } = other;
        self.executions += executions;
        self.blocked += blocked;
        self.redundant += redundant;
        self.events += events;
        self.not_robust += not_robust;
    }
}

/// What the executions come from ([`raddle_explore::Branching`]).
#[derive(Clone, Debug, Default)]
pub struct Branched {
    /// How many executions, complete or blocked, come from each concern. One may come from several.
    pub executions: BTreeMap<Concern, u64>,
    /// An execution that comes from it, for some of them.
    pub examples: BTreeMap<Concern, Arc<Witness>>,
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
    /// By which plan: not always the one that was asked for.
    pub plan: Plan,
    /// The answer, in a word.
    pub verdict: Verdict,
    /// The faults, by kind and place.
    pub found: Vec<Found>,
    /// What was cut.
    pub limits: Vec<Limit>,
    /// Something in an execution that cannot be run, or does not seem to end.
    pub stop: Option<Stop>,
    /// How many executions were explored.
    pub count: Count,
    /// How many threads were interchangeable, group by group: the counts are those up to their order.
    pub interchangeable: Vec<usize>,
    /// Whether something was allocated after something was freed, and memory was not used again.
    pub could_reuse: bool,
    /// Each status with which the program ends in a complete execution without a fault, and the number of these;
    /// collected when asked for.
    pub statuses: BTreeMap<i32, u64>,
    /// What the executions come from; nothing where not all are explored in turn.
    pub branched: Branched,
}

impl Outcome {
    /// What is known where something outside has ended a check.
    pub fn ended_outside(plan: Plan, found: Vec<Found>, count: Count, limits: Vec<Limit>, stop: Option<Stop>) -> Outcome {
        let verdict = if found.is_empty() { Verdict::Unknown } else { Verdict::Refuted };
        let (statuses, branched) = (BTreeMap::new(), Branched::default());
        Outcome { plan, verdict, found, limits, stop, count, interchangeable: Vec::new(), could_reuse: false, statuses, branched }
    }
}
