//! Who writes where: a location that one thread alone writes is *owned* by it.
//!
//! A loop that writes again what its thread wrote there before is waiting, where nobody else writes there: then the
//! second write stands right after the first in coherence, under every model, and nobody can tell whether it was made.
//! So a round of the loop can be left out of an execution, as one that only reads ([`crate::spin`]).
//!
//! That nobody else writes there is assumed when a round is judged, and never trusted beyond what was seen: when
//! another thread is about to write there, in any execution, the location is *contested*, and the exploration starts
//! over (as it does for objects that turn out to be shared, see [`crate::sharing`]). Nothing is missed before that: up
//! to the first write of another thread every execution has a shorter one beside it, which has that write too.
//!
//! A thread that waits is also taken to find again what it alone writes, or nobody ([`crate::awaits`]). That is assumed
//! of a location and a thread, and contradicted in the same way: the location is then *foreign* to the thread.
//!
//! What a parent writes before it spawns the thread, or the next on the way to it, comes before all that the thread
//! does, and does not count.

use raddle_event::{LocationId, Locations, ThreadId, ThreadNames};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A thread that accesses plain memory, whether to write, and how many threads it has spawned by then, at most.
type PlainUser = (ThreadId, bool, u32);

/// The threads seen to write to each location, and what was assumed of them.
#[derive(Default)]
pub(crate) struct Owners {
    /// For each location who writes there, and how many threads that one has spawned by then, at most.
    writers: Vec<SmallVec<[(ThreadId, u32); 1]>>,
    /// The locations of which it was assumed that only this thread writes there.
    assumed: FxHashMap<LocationId, ThreadId>,
    /// The locations of which it was assumed that these threads find there what they or nobody wrote.
    found_again: FxHashMap<LocationId, SmallVec<[ThreadId; 1]>>,
    /// For each location who accesses it as plain memory, whether to write, and how many threads that one has spawned
    /// by then, at most.
    plain: FxHashMap<LocationId, SmallVec<[PlainUser; 1]>>,
}

/// What the write of a thread contradicts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Contradicted {
    pub contested: Vec<LocationId>,
    pub foreign: Vec<(LocationId, ThreadId)>,
}

impl Owners {
    /// A thread that has spawned so many others is about to write. Gives what is contradicted by that.
    pub fn note(&mut self, at: LocationId, thread: ThreadId, spawned: u32, names: &ThreadNames, locations: &Locations) -> Contradicted {
        if self.writers.len() <= at.index() {
            self.writers.resize(locations.len(), SmallVec::new());
        }
        let writers = &mut self.writers[at.index()];
        match writers.iter_mut().find(|writer| writer.0 == thread) {
            Some(known) if known.1 >= spawned => return Contradicted::default(),
            Some(known) => known.1 = spawned,
            None => writers.push((thread, spawned)),
        }
        if self.assumed.is_empty() && self.found_again.is_empty() {
            return Contradicted::default();
        }
        let is_foreign = |owner: ThreadId| !comes_before(thread, spawned, owner, names);
        let near = || std::iter::once(&at).chain(locations.overlapping(at)).copied();
        let finders = |near: LocationId| self.found_again.get(&near).into_iter().flatten().map(move |&finder| (near, finder));
        Contradicted {
            contested: near().filter(|near| self.assumed.get(near).is_some_and(|&owner| is_foreign(owner))).collect(),
            foreign: near().flat_map(finders).filter(|&(_, finder)| is_foreign(finder)).collect(),
        }
    }

    /// Who was seen to write where, and how many threads that one had spawned by then, at most.
    pub fn writers(&self) -> impl Iterator<Item = (LocationId, ThreadId, u32)> {
        let one = |(at, writers): (usize, &SmallVec<[(ThreadId, u32); 1]>)| {
            writers.iter().map(move |&(thread, spawned)| (LocationId(at as u32), thread, spawned)).collect::<Vec<_>>()
        };
        self.writers.iter().enumerate().flat_map(one)
    }

    /// The locations that were assumed to be written by one thread alone.
    pub fn assumed(&self) -> impl Iterator<Item = (LocationId, ThreadId)> {
        self.assumed.iter().map(|(&at, &owner)| (at, owner))
    }

    /// The threads that were assumed to find again what is at a location.
    pub fn found_again(&self) -> impl Iterator<Item = (LocationId, ThreadId)> {
        self.found_again.iter().flat_map(|(&at, finders)| finders.iter().map(move |&finder| (at, finder)))
    }

    /// A thread that has spawned so many others is about to access plain memory, to write or not. Tells whether that is
    /// new.
    pub fn note_plain(&mut self, at: LocationId, (thread, spawned): (ThreadId, u32), writes: bool) -> bool {
        let users = self.plain.entry(at).or_default();
        match users.iter_mut().find(|user| (user.0, user.1) == (thread, writes)) {
            Some(known) if known.2 >= spawned => return false,
            Some(known) => known.2 = spawned,
            None => users.push((thread, writes, spawned)),
        }
        true
    }

    /// Whether others than a thread write to a location as to plain memory, or access it so where the thread `writes`,
    /// and not only before it was spawned.
    pub fn is_plain_to(&self, at: LocationId, thread: ThreadId, writes: bool, names: &ThreadNames) -> bool {
        let conflicts = |&(user, to_write, spawned): &PlainUser| (writes || to_write) && !comes_before(user, spawned, thread, names);
        self.plain.get(&at).is_some_and(|users| users.iter().any(conflicts))
    }

    /// Who was seen to access plain memory, whether to write, and how many threads that one had spawned by then, at
    /// most.
    pub fn plain(&self) -> impl Iterator<Item = (LocationId, ThreadId, bool, u32)> {
        let mut all: Vec<_> = self.plain.iter().map(|(&at, users)| (at, users)).collect();
        all.sort_by_key(|(at, _)| *at);
        all.into_iter().flat_map(|(at, users)| users.iter().map(move |&(thread, writes, spawned)| (at, thread, writes, spawned)))
    }

    /// A thread is taken to find again what is at a location.
    pub fn assume_found_again(&mut self, at: LocationId, thread: ThreadId) {
        let finders = self.found_again.entry(at).or_default();
        if !finders.contains(&thread) {
            finders.push(thread);
        }
    }

    /// Whether only this thread writes to a location, as far as was seen.
    pub fn is_owned(&self, at: LocationId, owner: ThreadId, names: &ThreadNames, locations: &Locations) -> bool {
        let near = std::iter::once(&at).chain(locations.overlapping(at));
        let mut writers = near.filter_map(|near| self.writers.get(near.index())).flatten();
        writers.all(|&(thread, spawned)| comes_before(thread, spawned, owner, names))
    }

    /// The same. It is assumed from now on.
    pub fn assume(&mut self, at: LocationId, owner: ThreadId, names: &ThreadNames, locations: &Locations) -> bool {
        let is_owned = self.is_owned(at, owner, names, locations);
        if is_owned {
            self.assumed.insert(at, owner);
        }
        is_owned
    }
}

/// Whether all that a thread does before it has spawned more than so many others comes before all that the owner does,
/// or in its order.
fn comes_before(thread: ThreadId, spawned: u32, owner: ThreadId, names: &ThreadNames) -> bool {
    let mut link = owner;
    while link != thread {
        match names.parent(link) {
            Some((parent, nth)) if parent == thread => return spawned <= nth,
            Some((parent, _)) => link = parent,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_event::{Address, Range};

    #[test]
    fn a_location_is_owned_until_another_thread_writes_there() {
        let (mut names, mut locations, mut owners) = (ThreadNames::default(), Locations::default(), Owners::default());
        let main = names.root();
        let (first, second) = (names.child(main, 0), names.child(main, 1));
        let grandchild = names.child(second, 0);
        let mut at = |start, size| locations.number(Range { start: Address(start), size });
        let (x, low, y) = (at(64, 4), at(64, 2), at(68, 4));
        let note = |owners: &mut Owners, at, thread, spawned| owners.note(at, thread, spawned, &names, &locations);
        owners.assume_found_again(y, second);
        let note = |owners: &mut Owners, at, thread, spawned| {
            let Contradicted { contested, foreign } = note(owners, at, thread, spawned);
            assert_eq!(foreign.is_empty(), at != y, "{foreign:?}");
            contested
        };
        assert_eq!(note(&mut owners, x, main, 0), []);
        assert_eq!(note(&mut owners, x, second, 0), []);
        assert!(owners.assume(x, second, &names, &locations), "what main writes before it spawns does not count");
        assert_eq!(note(&mut owners, x, second, 7), [], "the owner writes");
        assert_eq!(note(&mut owners, y, first, 0), [], "another location");
        assert_eq!(note(&mut owners, x, main, 1), [], "before the second child is spawned");
        assert_eq!(note(&mut owners, low, main, 2), [x], "a part of it, afterwards");
        assert_eq!(note(&mut owners, x, grandchild, 0), [x]);
        assert_eq!(note(&mut owners, x, first, 0), [x]);
        assert!(!owners.assume(x, second, &names, &locations));
        assert!(!owners.assume(low, main, &names, &locations));
    }
}
