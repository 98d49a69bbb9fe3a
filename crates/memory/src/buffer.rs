//! Store buffers, and what else the memory knows of each thread.

use crate::runs::Runs;
use raddle_event::{LocationId, Position, StoreId, Value};
use smallvec::SmallVec;
use std::ops::Deref;

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

/// Things that have come since a moment. Those before it stay, so that one can go back without copies.
#[derive(Clone, Debug, PartialEq)]
pub struct Since<T> {
    all: Vec<T>,
    from: u32,
}

impl<T> Default for Since<T> {
    fn default() -> Self {
        Since { all: Vec::new(), from: 0 }
    }
}

impl<T> Deref for Since<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.all[self.from as usize..]
    }
}

impl<T: Clone> Since<T> {
    /// One more.
    #[inline]
    pub fn push(&mut self, one: T) {
        self.all.push(one);
    }

    /// Some more.
    #[inline]
    pub fn extend_from_slice(&mut self, more: &[T]) {
        for one in more {
            self.all.push(one.clone());
        }
    }

    /// Some more.
    pub fn extend(&mut self, more: impl IntoIterator<Item = T>) {
        self.all.extend(more);
    }

    /// How many there were at all times.
    pub fn len_of_all(&self) -> u32 {
        self.all.len() as u32
    }

    /// Goes back to when there were so many.
    pub fn cut(&mut self, len: u32) {
        self.all.truncate(len as usize);
    }

    /// The last one had not come.
    pub fn pop(&mut self) {
        self.all.pop();
    }

    /// A new moment, from which on there are none; gives the old one.
    pub fn begin(&mut self) -> u32 {
        std::mem::replace(&mut self.from, self.all.len() as u32)
    }

    /// Goes back to an old moment.
    pub fn begin_at(&mut self, from: u32) {
        self.from = from;
    }

    /// Forgets what came before the moment.
    pub fn forget_past(&mut self) {
        self.all.drain(..self.from as usize);
        self.from = 0;
    }
}

/// What a thread has done besides its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadState {
    /// Its last event.
    pub last: Option<Position>,
    /// Events of others that its next event comes after: of its parent, of threads it joined, its own updates it waited for.
    pub pending: Since<Position>,
    /// Updates for it since it last waited for them.
    pub updates: Since<Update>,
    pub counts: Counts,
}

/// An update that has happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    pub event: Position,
    pub at: LocationId,
    /// How many barriers between stores stood before its store.
    pub epoch: u32,
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
    pub fn before(&self) -> impl Iterator<Item = Position> + '_ {
        self.pending.iter().copied().chain(self.last)
    }
}
