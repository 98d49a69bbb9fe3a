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
    pub after: Before,
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

/// Events that come before another.
pub type Before = SmallVec<[Position; 4]>;

/// Updates, with the number of barriers that stood before their stores.
pub type Updates = SmallVec<[(Position, u32); 2]>;

/// What a thread has done besides its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadState {
    /// Its last event.
    pub last: Option<Position>,
    /// Events of others that its next event comes after: of its parent, of threads it joined, its own updates it waited for.
    pub pending: Before,
    /// Updates for it since it last waited for them.
    pub updates: Updates,
    pub counts: Counts,
    /// Its result, when it has ended.
    pub ended: Option<u64>,
}

/// What a thread has put into its buffer, and what it has reserved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// How many stores it has made.
    pub stores: u32,
    /// How many barriers between stores it has made.
    pub epoch: u32,
    /// Whether it waits for the buffer to become empty, its store already being there.
    pub draining: bool,
    /// Its last read that reserved its location.
    pub reserved: Option<Position>,
}

impl ThreadState {
    /// The events that its next event comes after.
    pub fn before(&self) -> Before {
        let mut before = self.pending.clone();
        if let Some(last) = self.last {
            before.push(last);
        }
        before
    }
}
