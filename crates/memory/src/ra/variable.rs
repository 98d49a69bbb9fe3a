//! The writes of a variable of a graph, and what is forced of their order.

use super::coherence::{Block, Coherence};
use crate::graphs::{Waited, Waits};
use raddle_event::{LocationId, Position};

/// A write among all of its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The event; none is the initial value.
    pub event: Option<Position>,
    pub(super) block: Block,
    /// How many writes of its block come before it.
    pub(super) place: u32,
}

impl Write {
    pub(super) const INITIAL: Write = Write { event: None, block: 0, place: 0 };

    /// Whether it is the read-modify-write that reads from another write.
    pub(super) fn is_next(self, source: Write) -> bool {
        (self.block, self.place) == (source.block, source.place + 1)
    }
}

/// The writes of a variable, and what is forced of their order.
pub struct Blocks {
    /// All writes but the initial one, in the order in which they were added.
    pub writes: Vec<Write>,
    /// How many of the writes do not happen after all that were added before them.
    pub n_unordered: u32,
    /// Whether one does not, in this graph or another one.
    pub was_unordered: bool,
    /// Whether threads wait for a value of it, in this graph or another one.
    pub is_awaited: bool,
    /// The location, where loops wait for a value of it.
    pub looked_at: Option<LocationId>,
    pub coherence: Coherence,
    /// For each block its first write; none is the initial value.
    pub firsts: Vec<Option<Position>>,
}

impl Default for Blocks {
    fn default() -> Blocks {
        let coherence = Coherence::default();
        Blocks {
            writes: Vec::new(),
            n_unordered: 0,
            was_unordered: false,
            is_awaited: false,
            looked_at: None,
            coherence,
            firsts: vec![None],
        }
    }
}

impl Waited for Blocks {
    fn waits(&self) -> Waits {
        Waits { is_awaited: self.is_awaited || self.looked_at.is_some(), is_unordered: self.was_unordered }
    }
}

impl Blocks {
    /// Whether each write happens after those that were added before it. Coherence is then the order in which they were
    /// added: it is forced, and nothing else is.
    #[inline]
    pub fn is_ordered(&self) -> bool {
        self.n_unordered == 0
    }
}
