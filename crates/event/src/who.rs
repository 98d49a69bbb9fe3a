//! Who takes a step of a schedule.

use crate::{LocationId, ThreadId};
use serde::{Deserialize, Serialize};

/// Who takes a step: a thread, or the memory on behalf of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Who {
    /// A thread, by its number.
    Thread(ThreadId),
    /// The oldest store in the buffer of the thread reaches memory (TSO).
    Update(ThreadId),
    /// The oldest store of the thread to this location reaches memory (PSO).
    UpdateAt(ThreadId, LocationId),
}

impl Who {
    /// The thread that acts, or for which the memory acts.
    #[inline]
    pub fn thread(self) -> ThreadId {
        match self {
            Who::Thread(thread) | Who::Update(thread) | Who::UpdateAt(thread, _) => thread,
        }
    }
}
