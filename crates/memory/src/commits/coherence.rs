//! The coherence order of one location, who reads which of its stores, and which of them are halves of
//! read-modify-writes.
//!
//! SC per location, acyclic (po-loc ∪ com), says in these terms: an access of a thread comes after what the thread has
//! stored to or read from the location before. As accesses to one location are committed in program order, that is one
//! lower bound. Atomicity, empty rmw ∩ (fre; coe), says that no store of another thread stands between what a
//! read-modify-write reads from and what it writes.

use raddle_event::{Position, ThreadId, now_and_then};
use smallvec::SmallVec;

/// A store in its place.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The store.
    pub store: Position,
    /// The thread that stores.
    pub thread: ThreadId,
    /// For the second half of a read-modify-write: what the first half reads from.
    pub pair: Option<Option<Position>>,
    /// The loads that read from it.
    pub readers: SmallVec<[Position; 4]>,
}

/// The stores to one location, oldest first. Place 0 is that of the initial value; the store number `n` has place `n +
/// 1`.
///
/// Invariants:
/// 1. No store is there twice, and no load reads from two of them.
/// 2. Between what a read-modify-write reads from and what it writes stand only stores of its own thread.
#[derive(Clone, Debug, Default)]
pub struct Coherence {
    stores: Vec<Stored>,
    /// Those that read the initial value.
    initial: SmallVec<[Position; 4]>,
}

impl Coherence {
    /// How many places there are, that of the initial value included.
    pub fn n_places(&self) -> usize {
        self.stores.len() + 1
    }

    /// The place of a store, or of the initial value.
    pub fn place(&self, store: Option<Position>) -> usize {
        let Some(store) = store else { return 0 };
        self.stores.iter().rposition(|stored| stored.store == store).expect("the store is in the coherence order of its location") + 1
    }

    /// What stands at a place.
    pub fn at(&self, place: usize) -> Option<&Stored> {
        place.checked_sub(1).map(|n| &self.stores[n])
    }

    /// The store that follows on a place.
    pub fn next(&self, place: usize) -> Option<Position> {
        self.stores.get(place).map(|stored| stored.store)
    }

    /// The stores after a place, oldest first.
    pub fn after(&self, place: usize) -> impl Iterator<Item = Position> + '_ {
        self.stores[place..].iter().map(|stored| stored.store)
    }

    /// Those that read what stands at a place.
    pub fn readers(&self, place: usize) -> &[Position] {
        self.at(place).map_or(&self.initial, |stored| &stored.readers)
    }

    fn readers_mut(&mut self, place: usize) -> &mut SmallVec<[Position; 4]> {
        match place {
            0 => &mut self.initial,
            _ => &mut self.stores[place - 1].readers,
        }
    }

    /// Notes that a load reads what stands at a place.
    pub fn read(&mut self, place: usize, load: Position) {
        self.readers_mut(place).push(load);
    }

    /// Takes back the newest load of a place.
    pub fn unread(&mut self, place: usize) {
        self.readers_mut(place).pop();
    }

    /// Puts a store right after a place.
    pub fn insert(&mut self, place: usize, stored: Stored) {
        let number = stored.store.index();
        self.stores.insert(place, stored);
        debug_assert!(!now_and_then(number) || self.is_sound());
    }

    /// Decides the invariants from scratch.
    fn is_sound(&self) -> bool {
        let is_atomic = |n: usize| {
            let Stored { thread, pair, .. } = self.stores[n];
            pair.is_none_or(|source| {
                let source = self.place(source);
                source <= n && self.stores[source..n].iter().all(|between| between.thread == thread)
            })
        };
        let readers = (0..self.n_places()).flat_map(|place| self.readers(place));
        all_differ(self.stores.iter().map(|stored| stored.store)) && all_differ(readers.copied()) && (0..self.stores.len()).all(is_atomic)
    }

    /// Takes away the store that follows on a place.
    pub fn remove(&mut self, place: usize) {
        self.stores.remove(place);
    }

    /// Whether a store of a thread may stand right after a place, as far as atomicity goes. For the second half of a
    /// read-modify-write `pair` is what the first half reads from.
    pub fn has_room(&self, place: usize, thread: ThreadId, pair: Option<Option<Position>>) -> bool {
        let own = |place: usize| self.at(place).is_some_and(|stored| stored.thread == thread);
        if let Some(source) = pair {
            let source = self.place(source);
            if place < source || !(source + 1..=place).all(own) {
                return false;
            }
        }
        let splits = |(n, stored): (usize, &Stored)| {
            stored.thread != thread && stored.pair.is_some_and(|source| self.place(source) <= place && place <= n)
        };
        !self.stores.iter().enumerate().skip(place).any(splits)
    }

    /// Whether a read-modify-write of another thread already reads what stands at a place, so that one of this thread
    /// would have no room for its store.
    pub fn is_taken(&self, place: usize, thread: ThreadId) -> bool {
        self.stores[place..].iter().any(|stored| stored.thread != thread && stored.pair.is_some_and(|source| self.place(source) == place))
    }
}

/// Whether no event is there twice.
fn all_differ(events: impl Iterator<Item = Position>) -> bool {
    let mut numbers: Vec<u32> = events.map(|event| event.0).collect();
    let n_events = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len() == n_events
}
