//! What the library remembers for one thread.
//!
//! Some of it belongs to the whole process in a real library: `strtok`'s place, the state of `rand`. Here each
//! thread has its own, so that using it is not an event.

use super::random::Random;
use raddle_event::{Address, ThreadId};

/// The memory of the library for a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Threads that this one has joined or detached: they cannot be joined again.
    pub unjoinable: Vec<ThreadId>,
    /// How many keys it has made.
    pub keys: u32,
    /// The values of `pthread_setspecific`.
    pub specific: Vec<(u32, u64)>,
    /// Destructors of thread-local variables with their arguments, the last one first.
    pub at_thread_end: Vec<(u64, u64)>,
    pub random: Random,
    /// Where `strtok` goes on.
    pub token: Address,
    /// How often the clock has been read.
    pub clock: u64,
}
