//! Store buffers.

use raddle_event::{LocationId, Order, Position, StoreId, Value};
use smallvec::SmallVec;

/// A store that has not reached memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub at: LocationId,
    pub value: Value,
    pub store: StoreId,
    pub order: Order,
    /// The events of its thread that come before it.
    pub after: SmallVec<[Position; 2]>,
    /// The newest load that took its value from here.
    pub load: Option<Position>,
    /// How many barriers between stores stand before it.
    pub epoch: u32,
}

/// What a thread has in its buffer, oldest first, and what its next event comes after.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buffer {
    pub entries: Vec<Entry>,
    /// How many stores the thread has made.
    pub stores: u32,
    /// How many barriers between stores it has made.
    pub epoch: u32,
    /// Whether it waits for the buffer to become empty, its store already being there.
    pub draining: bool,
    /// Its last event.
    pub last: Option<Position>,
    /// Events of others that its next event comes after: the spawn, joined threads.
    pub pending: SmallVec<[Position; 2]>,
    /// Updates for it since it last waited for them.
    pub updates: SmallVec<[Position; 2]>,
    /// Whether the thread has ended.
    pub ended: bool,
}

impl Buffer {
    /// The events that the next event of the thread comes after.
    pub fn before(&self) -> impl Iterator<Item = Position> + '_ {
        self.last.into_iter().chain(self.pending.iter().copied())
    }
}
