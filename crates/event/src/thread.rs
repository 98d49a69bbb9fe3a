//! Threads and their names.
//!
//! A thread is named by its parent and by how many threads the parent had spawned before it, so the
//! name does not depend on the interleaving. [`ThreadNames`] gives each name a small number, once and
//! for all executions of an exploration.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a thread; the first thread of the program is number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The number as an index into a table by thread.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.0)
    }
}

/// Numbers for the names of threads. It only grows; rewinding an execution does not touch it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Option<(ThreadId, u32)>>", into = "Vec<Option<(ThreadId, u32)>>")]
pub struct ThreadNames {
    parents: Vec<Option<(ThreadId, u32)>>,
    numbers: FxHashMap<(ThreadId, u32), ThreadId>,
}

impl From<Vec<Option<(ThreadId, u32)>>> for ThreadNames {
    fn from(parents: Vec<Option<(ThreadId, u32)>>) -> ThreadNames {
        let numbers = parents.iter().zip(0..).filter_map(|(parent, n)| Some(((*parent)?, ThreadId(n)))).collect();
        ThreadNames { parents, numbers }
    }
}

impl From<ThreadNames> for Vec<Option<(ThreadId, u32)>> {
    fn from(names: ThreadNames) -> Self {
        names.parents
    }
}

impl ThreadNames {
    /// Adds a thread that no other thread spawns.
    pub fn root(&mut self) -> ThreadId {
        self.parents.push(None);
        ThreadId(self.parents.len() as u32 - 1)
    }

    /// The number of the `nth` child of `parent`, counted from zero.
    pub fn child(&mut self, parent: ThreadId, nth: u32) -> ThreadId {
        let next = ThreadId(self.parents.len() as u32);
        let id = *self.numbers.entry((parent, nth)).or_insert(next);
        if id == next {
            self.parents.push(Some((parent, nth)));
        }
        id
    }

    /// The parent of a thread and how many siblings it has before it.
    pub fn parent(&self, thread: ThreadId) -> Option<(ThreadId, u32)> {
        self.parents[thread.index()]
    }

    /// How many names have a number.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether no thread has a number yet.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut names = ThreadNames::default();
        let main = names.root();
        let (a, b) = (names.child(main, 0), names.child(main, 1));
        let grandchild = names.child(a, 0);
        assert_eq!(names.child(main, 1), b);
        assert_eq!(names.child(a, 0), grandchild);
        assert_eq!(names.parent(grandchild), Some((a, 0)));
        assert_eq!(names.len(), 4);
    }
}
