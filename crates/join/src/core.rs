//! What every kind of execution has, whichever explorer runs it: its faults, why the whole search must stop, and how
//! long one is patient with it.

use raddle_event::{Fault, ThreadId};
use raddle_machine::{FaultAt, Limits, Moment, Patience};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Why the whole search ends, besides a fault of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// An execution reached something that cannot be run.
    Unsupported {
        /// What it is, in a sentence.
        what: String,
        /// Which thread came to it.
        thread: ThreadId,
        /// Where the thread was.
        moment: Moment,
    },
    /// A thread runs on and on without a visible action.
    Endless {
        /// Which thread it is.
        thread: ThreadId,
        /// Where it was when patience was over.
        moment: Moment,
    },
    /// Something taken as private is shared: start over.
    Contradicted,
    /// Something is wrong with Raddle itself.
    Failed {
        /// What it is, in a sentence.
        what: String,
    },
}

/// What has become of the present execution so far.
pub struct Core {
    /// The faults, in the order in which they happened.
    pub faults: Vec<FaultAt>,
    /// Why the search must stop, where it must.
    pub stop: Option<Stop>,
    /// Whether an execution goes on after a fault.
    keep_going: bool,
    /// After how many events patience with an execution begins.
    many_events: usize,
    patience: Patience,
    growth: Growth,
}

/// How often an execution must be longer than all before it to make one doubt that there is a longest.
const OFTEN: u32 = 500;

/// Executions that get longer and longer.
#[derive(Default)]
struct Growth {
    /// How many events the longest execution has.
    longest: usize,
    /// How often one was longer than all before it.
    n_longer: u32,
    patience: Patience,
}

impl Core {
    /// Nothing has happened.
    pub fn new(keep_going: bool, many_events: usize) -> Core {
        let (patience, growth) = (Patience::default(), Growth::default());
        Core { faults: Vec::new(), stop: None, keep_going, many_events, patience, growth }
    }

    /// Whether the execution has gone wrong in a way that ends the search for its continuation.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.is_some() || (!self.keep_going && !self.faults.is_empty())
    }

    /// A fault has happened. Behind an action that could not be run it is none: what that action gave is not known.
    pub fn fail(&mut self, thread: ThreadId, fault: Fault, moment: Moment) {
        if !matches!(self.stop, Some(Stop::Unsupported { .. })) {
            self.faults.push(FaultAt { fault, thread, moment });
        }
    }

    /// A thread has come to a fault, which may be known already.
    pub fn fail_once(&mut self, thread: ThreadId, fault: Fault, moment: Moment) {
        let is_same = |known: &FaultAt| known.thread == thread && known.fault.kind == fault.kind && known.moment == moment;
        if !self.faults.iter().any(is_same) {
            self.fail(thread, fault, moment);
        }
    }

    /// Whether an execution goes on after a fault.
    pub fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// The search must stop. The first reason counts.
    pub fn stop_by(&mut self, stop: Stop) {
        self.stop.get_or_insert(stop);
    }

    /// Something was learned about all executions: the exploration starts over, whatever else there is.
    pub fn contradict(&mut self) {
        self.stop = Some(Stop::Contradicted);
    }

    /// The execution goes back to where it had so many faults, and with it what could not be run in it. What concerns
    /// all executions stays.
    #[inline]
    pub fn rewind(&mut self, n_faults: usize) {
        self.faults.truncate(n_faults);
        if matches!(self.stop, Some(Stop::Unsupported { .. })) {
            self.stop = None;
        }
    }

    /// Whether an execution of so many events is long enough to lose patience with it.
    #[inline]
    pub fn is_long(&self, n_events: usize) -> bool {
        n_events >= self.many_events
    }

    /// Whether patience with a long execution, which is so long, is over: `patience` says how much there is where it
    /// began then.
    #[cold]
    pub fn is_impatient(&mut self, n_events: usize, patience: impl Fn(Instant) -> Option<Duration>) -> bool {
        if n_events == self.many_events {
            self.patience = Patience::default();
        }
        self.patience.is_over_where(patience) && self.stop.is_none()
    }

    /// An execution has so many events in the end. Tells whether patience is over with executions that get longer and
    /// longer: a loop that others can see may have no longest one.
    pub fn is_impatient_with_growth(&mut self, n_events: usize, limits: &Limits) -> bool {
        let growth = &mut self.growth;
        if n_events <= growth.longest {
            return false;
        }
        (growth.longest, growth.n_longer) = (n_events, growth.n_longer + 1);
        growth.n_longer > OFTEN && growth.patience.is_over(limits.patience)
    }

    /// Whether patience is over with an execution in which so much was done without an event.
    #[cold]
    pub fn is_impatient_in_silence(&mut self, n_silent: u64, limits: &Limits) -> bool {
        if n_silent < self.many_events as u64 {
            self.patience = Patience::default();
            return false;
        }
        self.patience.is_over(limits.patience)
    }
}
