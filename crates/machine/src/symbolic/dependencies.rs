//! Sets of events of one thread that a value, an address or a branch depends on.
//!
//! Few different sets occur, and each occurs often, so a set is a number in a table. The table only grows while a thread
//! is fetched, and is cut back when it goes back.

use smallvec::SmallVec;

/// The number of a set of events. Zero is the empty set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct DepsId(u32);

impl DepsId {
    pub const NONE: DepsId = DepsId(0);

    pub fn is_none(self) -> bool {
        self == DepsId::NONE
    }
}

/// The sets of one thread: events by their number in the thread, in rising order.
pub(crate) struct Dependencies {
    sets: Vec<SmallVec<[u32; 4]>>,
}

impl Default for Dependencies {
    fn default() -> Self {
        Dependencies { sets: vec![SmallVec::new()] }
    }
}

impl Dependencies {
    pub fn get(&self, id: DepsId) -> &[u32] {
        &self.sets[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn truncate(&mut self, len: usize) {
        self.sets.truncate(len);
    }

    /// The set of one event.
    pub fn one(&mut self, event: u32) -> DepsId {
        self.add(SmallVec::from_slice(&[event]))
    }

    fn add(&mut self, set: SmallVec<[u32; 4]>) -> DepsId {
        self.sets.push(set);
        DepsId(self.sets.len() as u32 - 1)
    }

    /// The union of two sets.
    pub fn union(&mut self, a: DepsId, b: DepsId) -> DepsId {
        if a == b || b.is_none() {
            return a;
        }
        if a.is_none() {
            return b;
        }
        let (x, y) = (self.get(a), self.get(b));
        let mut both: SmallVec<[u32; 4]> = SmallVec::from_slice(x);
        both.extend(y.iter().filter(|event| x.binary_search(event).is_err()).copied());
        if both.len() == x.len() {
            return a;
        }
        if both.len() == y.len() {
            return b;
        }
        both.sort_unstable();
        if self.sets.last() == Some(&both) {
            return DepsId(self.sets.len() as u32 - 1);
        }
        self.add(both)
    }
}
