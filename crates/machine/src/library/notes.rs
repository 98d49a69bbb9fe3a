//! What the library remembers for one thread.

use raddle_event::{Address, ThreadId};

/// The memory of the library for a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The locks that it holds, in the order of their addresses, and how often.
    pub held: Vec<(Address, u32)>,
    /// The threads that it has joined or detached, or is joining, where no other thread does.
    pub claimed: Vec<ThreadId>,
    /// How many keys it has made.
    pub keys: u32,
    /// The values of `pthread_setspecific`.
    pub specific: Vec<(u32, u64)>,
    /// Destructors of thread-local variables with their arguments, the last one first.
    pub at_thread_end: Vec<(u64, u64)>,
    /// How many blocks it is in that are one step for all others.
    pub blocks: u32,
    /// How often it has looked at the clock.
    pub looks: u64,
    /// The latest time limit, in seconds, that was over while it waited.
    pub over: u64,
}
