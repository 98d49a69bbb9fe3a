//! An execution that has ended, whichever explorer ran it under whichever kind of model.

use crate::joined::{FaultAt, Stop};
use crate::outcome::Witness;
use raddle_event::{Address, ThreadId};
use raddle_machine::{Blocked, Moment};

/// What there is to know of an execution when it has ended.
pub trait Ending {
    /// Why the whole search must end here, if it must.
    fn stop(&self) -> Option<&Stop>;

    /// Whether all threads have come to their ends and nothing went wrong.
    fn is_well(&self) -> bool {
        self.stop().is_none() && self.faults().is_empty() && self.blocked().is_none() && self.deadlocked().is_empty()
    }

    /// The faults that threads committed, in the order in which they happened.
    fn faults(&self) -> &[FaultAt];

    /// Whether some thread will never go on because of an assumption, a spin loop or a loop bound; and which of these.
    fn blocked(&self) -> Option<Blocked>;

    /// The threads that wait for something that never comes, where no thread has ended the program.
    fn deadlocked(&self) -> Vec<ThreadId>;

    /// A thread that goes round a loop for ever because the write that would end it never comes.
    fn spinning(&self) -> Option<ThreadId>;

    /// Where a thread stands in the program.
    fn moment(&self, thread: ThreadId) -> Moment;

    /// A heap object that is left when the program has ended.
    fn leak(&self) -> Option<FaultAt>;

    /// What makes the execution impossible under SC, where something does.
    fn not_robust(&self) -> Option<FaultAt>;

    /// Two accesses that nothing orders, one of them a write and one not atomic.
    fn race(&self) -> Option<FaultAt>;

    /// What the first function of the `n`-th thread has returned, where it has.
    fn results(&self, n: usize) -> Option<&[u64]>;

    /// The first eight bytes that lie at an address of a global in the end, as a number.
    fn final_value(&self, at: Address, size: u32) -> u64;

    /// How to run it again.
    fn witness(&self) -> Witness;
}
