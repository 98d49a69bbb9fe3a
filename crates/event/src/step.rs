//! Steps: what a schedule is made of.

use crate::{LocationId, Range, Rmw};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who takes a step, by number: a thread, or the memory on behalf of a thread (an update). The model gives the numbers,
/// the same ones in all executions of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Actor(pub u32);

impl Actor {
    /// The number as an index into a table by actor.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of a schedule: who takes it, and which outcome it has where it is a choice (else zero).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Step {
    /// Who takes it.
    pub actor: Actor,
    /// The outcome of a choice; zero for all other steps.
    pub choice: u32,
}

/// The `n`-th event of the execution now being run, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position(pub u32);

impl Position {
    /// The number as an index into a table by position.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A buffered store, by the thread's number and the count of its stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StoreId {
    /// The thread that stores.
    pub thread: u32,
    /// How many stores of the thread come before it.
    pub count: u32,
}

/// What a step that was taken depends on.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Events that happen before it and cannot be made to happen after it (besides those of the same actor).
    pub order: Vec<Position>,
    /// Events that it conflicts with, and that happen before it because they came first.
    pub conflicts: Vec<Position>,
    /// Events that it conflicts with, that happen before it, and that it cannot overtake because it would not be
    /// enabled before them.
    pub enabling: Vec<Position>,
    /// Events further back that it could overtake, together with everything that depends on them: for a lock, the
    /// lock that was taken before.
    pub overtakes: Vec<Position>,
}

impl Taken {
    /// Forgets everything, to be filled again.
    pub fn clear(&mut self) {
        self.order.clear();
        self.conflicts.clear();
        self.enabling.clear();
        self.overtakes.clear();
    }
}

/// A read-modify-write that writes or not, by the value that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Conditional {
    /// What it does with what it finds.
    pub rmw: Rmw,
    /// What it finds.
    pub found: u128,
}

/// Bytes that a load takes from stores in the own buffer. Most loads take none, so it is small then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[allow(clippy::box_collection, reason = "one word where there are none")]
pub struct Forwards(Option<Box<Vec<(StoreId, Range)>>>);

impl std::ops::Deref for Forwards {
    type Target = [(StoreId, Range)];
    fn deref(&self) -> &[(StoreId, Range)] {
        self.0.as_deref().map_or(&[], |all| all)
    }
}

impl Forwards {
    /// The store has reached memory: nothing is taken from the buffer that it was in.
    pub fn forget(&mut self, store: StoreId) {
        if let Some(all) = &mut self.0 {
            all.retain(|forward| forward.0 != store);
            if all.is_empty() {
                self.0 = None;
            }
        }
    }
}

impl Extend<(StoreId, Range)> for Forwards {
    fn extend<I: IntoIterator<Item = (StoreId, Range)>>(&mut self, more: I) {
        for forward in more {
            self.0.get_or_insert_default().push(forward);
        }
    }
}

/// What a block that is one step may touch: every location that it was seen to access, in any execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Touched {
    /// What it was seen to read.
    pub reads: Vec<LocationId>,
    /// What it was seen to write.
    pub writes: Vec<LocationId>,
}

/// What a step touches: all that is needed to tell whether it depends on another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Footprint {
    /// What it reads, where it reads.
    pub read: Option<LocationId>,
    /// What it writes, where it writes.
    pub write: Option<LocationId>,
    /// The thread whose step it is, or for which an update is made.
    pub thread: u32,
    /// For an update: the store that reaches memory.
    pub update: Option<StoreId>,
    /// For a load: the stores in the own buffer that it takes bytes from, newest first, and which bytes.
    pub forwards: Forwards,
    /// Whether it waits for the own buffer to be empty (a read-modify-write).
    pub drains: bool,
    /// For a read-modify-write that may write nothing, as a compare-exchange does when it fails: which one it is and
    /// what it finds.
    pub conditional: Option<Box<Conditional>>,
    /// For a choice: how many outcomes it has; else zero.
    pub outcomes: u32,
    /// For a block that is one step: what it may touch. The step touches nothing else then.
    pub block: Option<Arc<Touched>>,
}

impl Footprint {
    /// The location that it is about: what it writes, else what it reads; the first one of a block.
    pub fn location(&self) -> Option<LocationId> {
        let of_block = |touched: &Arc<Touched>| touched.writes.first().or(touched.reads.first()).copied();
        self.write.or(self.read).or_else(|| self.block.as_ref().and_then(of_block))
    }
}
