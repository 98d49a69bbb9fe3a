//! What the library remembers for one thread.

use raddle_event::{Address, ThreadId};
use raddle_program::FunctionId;

/// An exception that has come to a landing pad: its object, and the number of the type by which it is caught.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Landing {
    pub object: u64,
    pub selector: u32,
}

/// A place that `longjmp` can go back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    pub buffer: u64,
    /// How many frames there were, and where the innermost one stood.
    pub frames: u32,
    pub function: FunctionId,
    pub at: u32,
    /// Its registers; none where threads are fetched out of order, which keep all of them.
    pub registers: Vec<u64>,
}

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
    /// The exception that it has come to a landing pad with.
    pub landing: Landing,
    /// What `setjmp` has kept: by the address of the buffer, the newest last.
    pub jumps: Vec<Jump>,
    /// The buffers of cleanup handlers, the newest last.
    pub cleanups: Vec<u64>,
    /// What the thread returns once its cleanup handlers have run.
    pub result: u64,
    /// Whether it does not look whether it was cancelled.
    pub is_uncancellable: bool,
    /// How many blocks it is in that are one step for all others.
    pub blocks: u32,
    /// How often it has looked at the clock.
    pub looks: u64,
    /// The latest time limit, in seconds, that was over while it waited.
    pub over: u64,
}
