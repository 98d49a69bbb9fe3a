//! The accesses of each location that later ones may race with, and what goes with the stores that are there.
//!
//! Of each thread and mode only the epoch of the last access counts: what comes after that one comes after the earlier
//! ones too. Locations that overlap are asked for each other's accesses.

use super::known::Message;
use crate::buffered::{common, minus};
use raddle_event::{LocationId, Locations, Range, ThreadId};
use smallvec::{SmallVec, smallvec};

/// How a thread accesses a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub writes: bool,
    pub is_atomic: bool,
}

impl Mode {
    fn index(self) -> usize {
        self.writes as usize + 2 * self.is_atomic as usize
    }

    /// The last epoch with an access that conflicts with one of this mode.
    #[inline]
    fn conflicting(self, [read, written, loaded, stored]: Epochs) -> u32 {
        match (self.writes, self.is_atomic) {
            (false, true) => written,
            (true, true) => read.max(written),
            (false, false) => written.max(stored),
            (true, false) => read.max(written).max(loaded).max(stored),
        }
    }
}

/// For each mode the epoch of the last access of a thread; zero where there is none. Not atomic reads and writes, then
/// atomic ones.
type Epochs = [u32; 4];

#[derive(Debug, Default)]
struct Place {
    /// For each thread, as far as there are any, its last accesses.
    last: Vec<Epochs>,
    /// Whether some execution had an access here that is not atomic. Atomic ones do not race with each other.
    had_plain: bool,
    /// What goes with the last store, and when it was made; zero where there was none.
    source: Message,
    stamp: u64,
}

/// How to take back one change.
#[derive(Clone, Copy)]
enum Undo {
    Last {
        at: LocationId,
        thread: ThreadId,
        mode: u8,
        old: u32,
    },
    Stored {
        at: LocationId,
        source: Message,
        stamp: u64,
    },
    /// What was there is the last of what was cleared.
    Cleared {
        at: LocationId,
    },
    Waiting {
        thread: ThreadId,
    },
}

/// The accesses of all locations.
#[derive(Default)]
pub(super) struct Places {
    all: Vec<Place>,
    /// For each thread what goes with each of the stores that it has put into its buffer.
    waiting: Vec<Vec<Message>>,
    journal: Vec<Undo>,
    cleared: Vec<Place>,
    /// Counts stores, those of earlier executions too.
    now: u64,
}

impl Places {
    pub fn widen(&mut self, n_locations: usize) {
        if self.all.len() < n_locations {
            self.all.resize_with(n_locations, Place::default);
        }
    }

    #[inline]
    pub fn mark(&self) -> u32 {
        self.journal.len() as u32
    }

    #[inline]
    pub fn rewind(&mut self, mark: u32) {
        for &undo in self.journal[mark as usize..].iter().rev() {
            match undo {
                Undo::Last { at, thread, mode, old } => self.all[at.index()].last[thread.index()][mode as usize] = old,
                Undo::Stored { at, source, stamp } => {
                    let place = &mut self.all[at.index()];
                    (place.source, place.stamp) = (source, stamp);
                }
                Undo::Cleared { at } => {
                    let old = self.cleared.pop().expect("it was kept");
                    let had_plain = old.had_plain || self.all[at.index()].had_plain;
                    self.all[at.index()] = Place { had_plain, ..old };
                }
                Undo::Waiting { thread } => drop(self.waiting[thread.index()].pop()),
            }
        }
        self.journal.truncate(mark as usize);
    }

    /// Whether there may be an access that one of this mode could race with.
    #[inline]
    pub fn may_race(&self, at: LocationId, mode: Mode, all: &Locations) -> bool {
        !mode.is_atomic || self.all[at.index()].had_plain || !all.overlapping(at).is_empty()
    }

    /// A thread accesses a location in an epoch of its own.
    #[inline]
    pub fn access(&mut self, (at, thread, mode): (LocationId, ThreadId, Mode), epoch: u32) {
        let Place { last, had_plain, .. } = &mut self.all[at.index()];
        *had_plain |= !mode.is_atomic;
        if last.len() <= thread.index() {
            last.resize(thread.index() + 1, Epochs::default());
        }
        let last = &mut last[thread.index()][mode.index()];
        if *last != epoch {
            self.journal.push(Undo::Last { at, thread, mode: mode.index() as u8, old: *last });
            *last = epoch;
        }
    }

    /// Whether an access by a thread that knows this row of the epochs of others races with an earlier one to the
    /// location or to one that overlaps it.
    pub fn races_around(&self, (at, thread, mode): (LocationId, ThreadId, Mode), row: &[u32], all: &Locations) -> bool {
        let may_race = |at: &&LocationId| !mode.is_atomic || self.all[at.index()].had_plain;
        all.overlapping(at).iter().chain([&at]).filter(may_race).any(|other| self.races((*other, thread, mode), row))
    }

    /// The same for one location.
    fn races(&self, (at, thread, mode): (LocationId, ThreadId, Mode), row: &[u32]) -> bool {
        let mut others = self.all[at.index()].last.iter().zip(row).enumerate();
        others.any(|(other, (&last, &known))| mode.conflicting(last) > known && other != thread.index())
    }

    /// Whether nobody has stored to locations that overlap this one.
    #[inline]
    fn is_apart(&self, at: LocationId, all: &Locations) -> bool {
        all.overlapping(at).iter().all(|other| self.all[other.index()].stamp == 0)
    }

    /// What goes with the store that a load of a location, or of a part of it, reads from, where it is one.
    #[inline]
    pub fn source(&self, at: LocationId, part: Option<&[Range]>, all: &Locations) -> Option<Message> {
        (part.is_none() && self.is_apart(at, all)).then(|| self.all[at.index()].source)
    }

    /// The same, where there may be several: each byte comes from the newest store to it.
    pub fn sources(&self, at: LocationId, part: Option<&[Range]>, all: &Locations) -> SmallVec<[Message; 4]> {
        let mut left = part.map_or_else(|| smallvec![all.range(at)], SmallVec::<[Range; 1]>::from_slice);
        let around = all.overlapping(at).iter().copied().chain([at]);
        let mut stores: SmallVec<[(u64, LocationId); 8]> = around.map(|at| (self.all[at.index()].stamp, at)).collect();
        stores.sort_unstable_by(|one, other| other.cmp(one));
        let mut found = SmallVec::new();
        for (_, other) in stores.into_iter().filter(|&(stamp, _)| stamp > 0) {
            let range = all.range(other);
            if left.iter().any(|&run| common(run, range).is_some()) {
                found.push(self.all[other.index()].source);
                left = left.iter().flat_map(|&run| minus(run, [range])).collect();
            }
        }
        found
    }

    /// A store reaches memory, and this goes with it.
    #[inline(always)]
    pub fn store(&mut self, at: LocationId, message: Message, all: &Locations) {
        let is_silent = message == Message::Nothing && self.all[at.index()].source == Message::Nothing;
        if is_silent && self.is_apart(at, all) {
            return;
        }
        self.now += 1;
        let place = &mut self.all[at.index()];
        self.journal.push(Undo::Stored { at, source: place.source, stamp: place.stamp });
        (place.source, place.stamp) = (message, self.now);
    }

    /// A store waits in the buffer of a thread, and this goes with it.
    pub fn wait(&mut self, thread: ThreadId, message: Message) {
        let n = self.waiting.len().max(thread.index() + 1);
        self.waiting.resize_with(n, Vec::new);
        self.waiting[thread.index()].push(message);
        self.journal.push(Undo::Waiting { thread });
    }

    /// A store that has waited reaches memory: the `count`-th of its thread, counted from one.
    pub fn reach(&mut self, thread: ThreadId, count: u32, at: LocationId, all: &Locations) {
        self.store(at, self.waiting[thread.index()][count as usize - 1], all);
    }

    /// What is here from now on is another object.
    pub fn clear(&mut self, at: LocationId, all: &Locations) {
        for &at in all.overlapping(at).iter().chain([&at]) {
            let place = &mut self.all[at.index()];
            if !place.last.is_empty() || place.stamp > 0 {
                let fresh = Place { had_plain: place.had_plain, ..Place::default() };
                self.cleared.push(std::mem::replace(place, fresh));
                self.journal.push(Undo::Cleared { at });
            }
        }
    }
}
