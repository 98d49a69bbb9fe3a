//! Sets of events of one thread that a value, an address or a branch depends on.
//!
//! Few different sets occur, and each occurs often, so a set is a number in a table. The table only grows while a
//! thread is fetched, and is cut back when it goes back.

use raddle_event::DepsId;
use smallvec::SmallVec;

/// Events by their number in the thread, in rising order.
pub(crate) type Set = SmallVec<[u32; 4]>;

/// The sets of one thread, but for the empty one.
#[derive(Default)]
pub(crate) struct Dependencies {
    sets: Vec<Set>,
}

impl Dependencies {
    pub fn get(&self, id: DepsId) -> &[u32] {
        id.0.checked_sub(1).map_or(&[], |n| &self.sets[n as usize])
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn truncate(&mut self, len: usize) {
        self.sets.truncate(len);
    }

    /// The sets from `len` on.
    pub fn since(&self, len: usize) -> Vec<Set> {
        self.sets[len..].to_vec()
    }

    /// Adds sets that are not looked for among the others.
    pub fn extend(&mut self, sets: &[Set]) {
        self.sets.extend_from_slice(sets);
    }

    /// The set of one event.
    pub fn one(&mut self, event: u32) -> DepsId {
        self.add(SmallVec::from_slice(&[event]))
    }

    fn add(&mut self, set: Set) -> DepsId {
        self.sets.push(set);
        DepsId(self.sets.len() as u32)
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
        let mut both: Set = SmallVec::from_slice(x);
        both.extend(y.iter().filter(|event| x.binary_search(event).is_err()).copied());
        if both.len() == x.len() {
            return a;
        }
        if both.len() == y.len() {
            return b;
        }
        both.sort_unstable();
        if self.sets.last() == Some(&both) {
            return DepsId(self.sets.len() as u32);
        }
        self.add(both)
    }
}
