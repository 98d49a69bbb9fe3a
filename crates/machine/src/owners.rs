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
//! What a parent writes before it spawns the thread, or the next on the way to it, comes before all that the thread
//! does, and does not count.

use raddle_event::{LocationId, Locations, ThreadId, ThreadNames};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The threads seen to write to each location, and what was assumed of them.
#[derive(Default)]
pub(crate) struct Owners {
    /// For each location who writes there, and how many threads that one has spawned by then, at most.
    writers: Vec<SmallVec<[(ThreadId, u32); 1]>>,
    /// The locations of which it was assumed that only this thread writes there.
    assumed: FxHashMap<LocationId, ThreadId>,
}

impl Owners {
    /// A thread that has spawned so many others is about to write. Gives the locations that are contested by that.
    pub fn note(&mut self, at: LocationId, thread: ThreadId, spawned: u32, names: &ThreadNames, locations: &Locations) -> Vec<LocationId> {
        if self.writers.len() <= at.index() {
            self.writers.resize(locations.len(), SmallVec::new());
        }
        let writers = &mut self.writers[at.index()];
        match writers.iter_mut().find(|writer| writer.0 == thread) {
            Some(known) if known.1 >= spawned => return Vec::new(),
            Some(known) => known.1 = spawned,
            None => writers.push((thread, spawned)),
        }
        if self.assumed.is_empty() {
            return Vec::new();
        }
        let near = std::iter::once(&at).chain(locations.overlapping(at));
        let contested = |near: &LocationId| self.assumed.get(near).is_some_and(|&owner| !comes_before(thread, spawned, owner, names));
        near.copied().filter(contested).collect()
    }

    /// Whether only this thread writes to a location, as far as was seen. It is assumed from now on.
    pub fn assume(&mut self, at: LocationId, owner: ThreadId, names: &ThreadNames, locations: &Locations) -> bool {
        let near = std::iter::once(&at).chain(locations.overlapping(at));
        let mut writers = near.filter_map(|near| self.writers.get(near.index())).flatten();
        let is_owned = writers.all(|&(thread, spawned)| comes_before(thread, spawned, owner, names));
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
