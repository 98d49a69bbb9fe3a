//! An execution that has ended, whichever explorer ran it under whichever kind of model.

use crate::core::Stop;
use crate::deadlock::{Conclusion, conclude};
use crate::standing::Standing;
use crate::start_over::Running;
use raddle_event::{Address, Range, ThreadId};
use raddle_machine::{FaultAt, Moment, Witness};
use std::ops::ControlFlow;

/// What there is to know of an execution when it has ended.
pub trait Ending: Running {
    /// Why the whole search must end here, if it must.
    fn stop(&self) -> Option<&Stop> {
        self.core().stop.as_ref()
    }

    /// Whether all threads have come to their ends and nothing went wrong: a quick look that most executions pass.
    fn is_well(&self) -> bool;

    /// The faults that threads committed, in the order in which they happened.
    fn faults(&self) -> Vec<FaultAt> {
        self.core().faults.clone()
    }

    /// How each thread stands.
    fn standings(&self) -> Vec<(ThreadId, Standing)>;

    /// What becomes of the execution, faults that threads committed aside.
    fn conclusion(&self) -> Conclusion {
        conclude(&self.standings())
    }

    /// Whether it may be no execution of the program: what could go wrong there need not, and it proves nothing.
    fn is_supposed(&self) -> bool {
        false
    }

    /// Where a thread stands in the program.
    fn moment(&self, thread: ThreadId) -> Moment;

    /// Whether the execution may have a data race that is not among its faults, where races are looked for: it has none
    /// where this says so.
    fn may_race(&self) -> bool {
        true
    }

    /// Whether program order, reads-from, coherence and from-reads have a cycle, where cycles are looked for and that
    /// is known.
    fn has_cycle(&self) -> Option<bool> {
        None
    }

    /// A thread that has done something outside of blocks that are one step which one of these can see half done,
    /// where the model takes blocks for critical sections ([`crate::intruders`]).
    fn intruder(&self) -> Option<ThreadId> {
        None
    }

    /// A heap object that is left when the program has ended.
    fn leak(&self) -> Option<FaultAt>;

    /// The status with which the program has ended, where a thread has ended it.
    fn status(&self) -> Option<i32>;

    /// The `n`-th word that the first function of a thread has returned, where it has; threads are counted in the order
    /// of their numbers.
    fn result(&self, thread: usize, n: usize) -> Option<u64>;

    /// The first eight bytes that lie at an address of a global in the end, as a number.
    fn final_value(&self, at: Address, size: u32) -> u64;

    /// How to run it again.
    fn witness(&self) -> Witness;

    /// Shows the ending: once, or, where the model leaves open what lies in these ranges in the end, once for each
    /// combination.
    fn show(&self, observed: &[Range], show: &mut dyn FnMut(&dyn Ending) -> ControlFlow<()>) -> ControlFlow<()>;
}
