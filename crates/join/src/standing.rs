//! How the threads stand when an execution can go no further. The same for every model: a model only says what its
//! memory holds and which values are stale. What that makes of the execution is said by [`crate::deadlock`].

use raddle_event::{Action, LocationId, ThreadId};
use raddle_machine::{Blocked, Kind, Machine, Next, holder};

/// How a thread stands in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has returned from its first function, or has gone wrong.
    Ended,
    /// It has ended the program.
    Exited,
    /// An assumption of it does not hold.
    Assumes,
    /// A loop of it was cut.
    Cut,
    /// It stands for values that were left out.
    LeftOut,
    /// It is parked on values that memory has no longer: in another execution it goes on.
    Stale,
    /// It would read the same values for ever.
    Spins,
    /// It waits for the end of another thread.
    Joins(ThreadId),
    /// It waits for a lock, condition, barrier or semaphore: one that this thread holds, where that can be said.
    Waits(Option<ThreadId>),
}

/// How the threads of a machine that runs in order stand. `is_stale` says of a thread that spins whether it would find
/// other values now, `word` what lies at a location, where that is certain.
pub fn standings(
    machine: &Machine,
    is_stale: impl Fn(ThreadId) -> bool,
    word: impl Fn(LocationId) -> Option<u64>,
) -> Vec<(ThreadId, Standing)> {
    // Blocks that are one step end: who stands before one for ever would only go round a loop with it.
    let is_before_block = |action: &Action| action.location().is_some_and(|at| machine.block_word() == Some(at));
    let goes_round = |thread: ThreadId| match machine.next(thread) {
        Next::Action(action) => machine.ahead(thread).kind == Kind::Awaits || is_before_block(action),
        _ => false,
    };
    let standing = |thread: ThreadId| match machine.next(thread) {
        Next::Exited(_) => Standing::Exited,
        Next::Blocked(Blocked::Assume) => Standing::Assumes,
        Next::Blocked(Blocked::LoopBound) => Standing::Cut,
        Next::Blocked(Blocked::Values) => Standing::LeftOut,
        Next::Blocked(Blocked::Spin) if is_stale(thread) => Standing::Stale,
        Next::Blocked(Blocked::Spin) => Standing::Spins,
        Next::Action(_) if goes_round(thread) => match is_stale(thread) {
            true => Standing::Stale,
            false => Standing::Spins,
        },
        // That a conditional store succeeds is an assumption.
        Next::Action(Action::WriteReserved { .. }) => Standing::Assumes,
        Next::Action(action) => match action.location().and_then(|at| machine.word_of(at)) {
            Some(joined) => Standing::Joins(joined),
            None => {
                Standing::Waits(action.location().and_then(|at| holder(action.guard()?, machine.locations().range(at).size, word(at)?)))
            }
        },
        _ => Standing::Ended,
    };
    machine.threads().map(|thread| (thread, standing(thread))).collect()
}
