//! What every kind of execution has, whichever explorer runs it: its faults, why the whole search must stop, and how long one is patient with it.

use raddle_event::{Fault, ThreadId};
use raddle_machine::{FaultAt, Limits, Moment, Patience};

/// Why the whole search ends, besides a fault of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An execution reached something that cannot be run.
    Unsupported { what: String, thread: ThreadId, moment: Moment },
    /// A thread runs on and on without a visible action.
    Endless { thread: ThreadId, moment: Moment },
    /// Something taken as private is shared: start over.
    Contradicted,
    /// Something is wrong with Raddle itself: what, in a sentence.
    Failed { what: String },
}

/// What has become of the present execution so far.
pub struct Core {
    /// The faults, in the order in which they happened.
    pub faults: Vec<FaultAt>,
    pub stop: Option<Stop>,
    /// Whether an execution goes on after a fault.
    keep_going: bool,
    /// After how many events patience with an execution begins.
    many_events: usize,
    patience: Patience,
}

impl Core {
    /// Nothing has happened.
    pub fn new(keep_going: bool, many_events: usize) -> Core {
        Core { faults: Vec::new(), stop: None, keep_going, many_events, patience: Patience::default() }
    }

    /// Whether the execution has gone wrong in a way that ends the search for its continuation.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.is_some() || (!self.keep_going && !self.faults.is_empty())
    }

    /// A fault has happened.
    pub fn fail(&mut self, thread: ThreadId, fault: Fault, moment: Moment) {
        self.faults.push(FaultAt { fault, thread, moment });
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

    /// The execution goes back to where it had so many faults, and with it what could not be run in it. What concerns all executions stays.
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

    /// Whether patience with a long execution is over.
    #[cold]
    pub fn is_impatient(&mut self, n_events: usize, limits: &Limits) -> bool {
        if n_events == self.many_events {
            self.patience = Patience::default();
        }
        self.patience.is_over(limits.patience) && self.stop.is_none()
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
