//! Store buffers, and what else the memory knows of each thread.

use crate::runs::Runs;
use raddle_event::{LocationId, Position, StoreId, Value};
use smallvec::SmallVec;

/// A store that has not reached memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub at: LocationId,
    pub value: Value,
    pub store: StoreId,
    /// The events of its thread that come before it.
    pub after: SmallVec<[Position; 2]>,
    /// The loads that took bytes from here, and which bytes.
    pub loads: SmallVec<[(LocationId, Position, Runs); 1]>,
    /// How many barriers between stores stand before it.
    pub epoch: u32,
}

/// What the memory knows of a thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buffer {
    /// Oldest first.
    pub entries: Vec<Entry>,
    pub state: ThreadState,
}

/// The parts of it that are journaled as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadState {
    /// Its last event.
    pub last: Option<Position>,
    /// Events of others that its next event comes after: of its parent, of threads it joined, its own updates it waited for.
    pub pending: SmallVec<[Position; 2]>,
    /// Updates for it since it last waited for them, with their number of barriers.
    pub updates: SmallVec<[(Position, u32); 2]>,
    /// How many stores it has made.
    pub stores: u32,
    /// How many barriers between stores it has made.
    pub epoch: u32,
    /// Whether it waits for the buffer to become empty, its store already being there.
    pub draining: bool,
    /// Its result, when it has ended.
    pub ended: Option<u64>,
}

impl ThreadState {
    /// The events that its next event comes after.
    pub fn before(&self) -> SmallVec<[Position; 2]> {
        self.last.into_iter().chain(self.pending.iter().copied()).collect()
    }

    /// The thread has waited for its updates: what it does next comes after them.
    pub fn wait_for_updates(&mut self) {
        self.pending.extend(self.updates.drain(..).map(|update| update.0));
    }
}
