//! An execution that has ended, whichever explorer ran it under whichever kind of model.

use crate::joined::{FaultAt, Stop};
use crate::outcome::Witness;
use crate::standing::{Conclusion, Standing, conclude};
use raddle_event::{Address, ThreadId};
use raddle_machine::Moment;

/// What there is to know of an execution when it has ended.
pub trait Ending {
    /// Why the whole search must end here, if it must.
    fn stop(&self) -> Option<&Stop>;

    /// Whether all threads have come to their ends and nothing went wrong: a quick look that most executions pass.
    fn is_well(&self) -> bool;

    /// The faults that threads committed, in the order in which they happened.
    fn faults(&self) -> &[FaultAt];

    /// How each thread stands.
    fn standings(&self) -> Vec<(ThreadId, Standing)>;

    /// What becomes of the execution, faults that threads committed aside.
    fn conclusion(&self) -> Conclusion {
        conclude(&self.standings())
    }

    /// Where a thread stands in the program.
    fn moment(&self, thread: ThreadId) -> Moment;

    /// A heap object that is left when the program has ended.
    fn leak(&self) -> Option<FaultAt>;

    /// What makes the execution impossible under SC, where something does.
    fn not_robust(&self) -> Option<FaultAt>;

    /// Two accesses that nothing orders, one of them a write and one not atomic.
    fn race(&self) -> Option<FaultAt>;

    /// The status with which the program has ended, where a thread has ended it.
    fn status(&self) -> Option<i32>;

    /// What the first function of the `n`-th thread has returned, where it has.
    fn results(&self, n: usize) -> Option<&[u64]>;

    /// The first eight bytes that lie at an address of a global in the end, as a number.
    fn final_value(&self, at: Address, size: u32) -> u64;

    /// How to run it again.
    fn witness(&self) -> Witness;
}
