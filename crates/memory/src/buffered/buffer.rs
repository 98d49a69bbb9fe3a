//! Store buffers, and what else the memory knows of each thread.

use super::runs::Runs;
use raddle_event::{LocationId, Position, StoreId, Value, now_and_then};
use smallvec::SmallVec;
use std::ops::Deref;

/// A store that was put into a buffer.
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
    pub entries: Entries,
    pub state: ThreadState,
}

/// The place of an entry among all that its thread ever made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryId(u32);

/// The entries in a buffer, oldest first. Those that have left stay in the table and know their neighbours. Going back
/// links them again in the opposite order, and copies nothing.
///
/// Invariant: those that are there have ascending numbers from the oldest to the newest, and neighbours know each
/// other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entries {
    all: Vec<(Entry, Neighbours)>,
    ends: Neighbours,
}

/// The entries next to one; those of the ends are the newest and the oldest one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Neighbours {
    older: Option<EntryId>,
    newer: Option<EntryId>,
}

impl Entries {
    /// Whether none is there.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.newer.is_none()
    }

    /// The oldest one.
    pub fn oldest(&self) -> Option<EntryId> {
        self.ends.newer
    }

    /// An entry.
    pub fn get(&self, id: EntryId) -> &Entry {
        &self.all[id.0 as usize].0
    }

    /// An entry, to be changed.
    pub fn get_mut(&mut self, id: EntryId) -> &mut Entry {
        &mut self.all[id.0 as usize].0
    }

    /// The entries, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = EntryId> + '_ {
        std::iter::successors(self.ends.newer, |id| self.all[id.0 as usize].1.newer)
    }

    /// The entries, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.ids().map(|id| self.get(id))
    }

    /// The entries, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.ends.older, |id| self.all[id.0 as usize].1.older).map(|id| self.get(id))
    }

    /// The entries that are older than one, newest first.
    pub fn older(&self, id: EntryId) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.all[id.0 as usize].1.older, |id| self.all[id.0 as usize].1.older).map(|id| self.get(id))
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: Entry) {
        let id = EntryId(self.all.len() as u32);
        self.all.push((entry, Neighbours { older: self.ends.older, newer: None }));
        self.link(id);
    }

    /// Takes back the push of the newest entry.
    pub fn pop(&mut self) {
        self.leave(EntryId(self.all.len() as u32 - 1));
        self.all.pop();
    }

    /// Takes an entry out, which may come back later.
    pub fn leave(&mut self, id: EntryId) {
        let Neighbours { older, newer } = self.all[id.0 as usize].1;
        self.around(older).newer = newer;
        self.around(newer).older = older;
        debug_assert!(!now_and_then(id.0 as usize) || self.is_sound());
    }

    /// Puts back the entry that was taken out last.
    pub fn link(&mut self, id: EntryId) {
        let Neighbours { older, newer } = self.all[id.0 as usize].1;
        self.around(older).newer = Some(id);
        self.around(newer).older = Some(id);
        debug_assert!(!now_and_then(id.0 as usize) || self.is_sound());
    }

    /// Decides the invariant from scratch.
    fn is_sound(&self) -> bool {
        let mut before = None;
        let is_linked = self.ids().all(|id| {
            let is_next = self.all[id.0 as usize].1.older == before && before.is_none_or(|EntryId(older)| older < id.0);
            before = Some(id);
            is_next
        });
        is_linked && self.ends.older == before
    }

    fn around(&mut self, id: Option<EntryId>) -> &mut Neighbours {
        match id {
            Some(id) => &mut self.all[id.0 as usize].1,
            None => &mut self.ends,
        }
    }

    /// Forgets those that have left, where all have.
    pub fn forget_past(&mut self) {
        if self.is_empty() {
            self.all.clear();
        }
    }
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
    /// Appends one.
    #[inline]
    pub fn push(&mut self, one: T) {
        self.all.push(one);
    }

    /// Appends several.
    #[inline]
    pub fn extend_from_slice(&mut self, more: &[T]) {
        for one in more {
            self.all.push(one.clone());
        }
    }

    /// Appends several.
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
    /// Events of others that its next event comes after: of its parent, of threads it joined, its own updates it waited
    /// for.
    pub pending: Since<Position>,
    /// Updates for it since it last waited for them.
    pub updates: Since<Update>,
    pub counts: Counts,
    /// Its last read that reserved its location.
    pub reserved: Option<Position>,
}

/// An update that has happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    pub event: Position,
    pub at: LocationId,
    /// How many barriers between stores stood before its store.
    pub epoch: u32,
}

/// What a thread has put into its buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// How many stores it has made.
    pub stores: u32,
    /// How many barriers between stores it has made.
    pub epoch: u32,
    /// Whether it waits for the buffer to become empty, its store already being there.
    pub draining: bool,
}

impl ThreadState {
    /// The updates that an update for a store of an epoch comes after: those of the last epoch before it. Updates come
    /// in the order of their epochs, and those of an epoch after all of the one before it.
    pub fn updates_before(&self, epoch: u32) -> impl Iterator<Item = &Update> {
        let earlier = match self.updates.last() {
            Some(last) if last.epoch < epoch => self.updates.len(),
            _ if epoch == 0 => 0,
            _ => self.updates.partition_point(|update| update.epoch < epoch),
        };
        let last = self.updates[..earlier].last().map(|update| update.epoch);
        self.updates[..earlier].iter().rev().take_while(move |update| Some(update.epoch) == last)
    }

    /// The events that its next event comes after.
    pub fn before(&self) -> impl Iterator<Item = Position> + '_ {
        self.pending.iter().copied().chain(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(at: u32) -> Entry {
        let store = StoreId { thread: 0, count: at };
        Entry { at: LocationId(at), value: Value::Word(0), store, after: Before::new(), loads: SmallVec::new(), epoch: 0 }
    }

    fn places(entries: &Entries) -> Vec<u32> {
        let oldest_first: Vec<u32> = entries.iter().map(|entry| entry.at.0).collect();
        let mut newest_first: Vec<u32> = entries.newest_first().map(|entry| entry.at.0).collect();
        newest_first.reverse();
        assert_eq!(oldest_first, newest_first);
        oldest_first
    }

    /// Entries leave in any order and come back in the opposite one.
    #[test]
    fn entries_come_back_where_they_were() {
        let mut entries = Entries::default();
        (1..=4).for_each(|at| entries.push(entry(at)));
        let ids: Vec<EntryId> = entries.ids().collect();
        assert_eq!(entries.older(ids[2]).map(|entry| entry.at.0).collect::<Vec<_>>(), [2, 1]);
        entries.leave(ids[1]);
        entries.leave(ids[3]);
        entries.leave(ids[0]);
        assert_eq!((places(&entries), entries.oldest()), (vec![3], Some(ids[2])));
        entries.link(ids[0]);
        entries.link(ids[3]);
        assert_eq!(places(&entries), [1, 3, 4]);
        entries.link(ids[1]);
        entries.pop();
        assert_eq!(places(&entries), [1, 2, 3]);
    }

    /// Updates of three epochs: one of the last comes after those of the one before it, and so, by these, after all
    /// others.
    #[test]
    fn an_update_comes_after_those_of_the_last_epoch_before_its_own() {
        let mut state = ThreadState::default();
        for (event, epoch) in [(0, 0), (1, 0), (2, 2), (3, 2), (4, 5)] {
            state.updates.push(Update { event: Position(event), at: LocationId(0), epoch });
        }
        let before = |epoch| state.updates_before(epoch).map(|update| update.event.0).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3, 5, 6].map(before), [vec![], vec![1, 0], vec![1, 0], vec![3, 2], vec![3, 2], vec![4]]);
    }

    #[test]
    fn what_has_come_since_a_moment_can_be_put_back() {
        let mut since = Since::default();
        since.extend([1, 2]);
        let from = since.begin();
        since.push(3);
        assert_eq!(since[..], [3]);
        since.pop();
        since.begin_at(from);
        assert_eq!(since[..], [1, 2]);
        since.cut(1);
        assert_eq!((since[..].to_vec(), since.len_of_all()), (vec![1], 1));
    }
}
