//! A variable of a graph: its accesses by thread, its writes, and what is forced of their order.

use super::coherence::{Block, Coherence};
use raddle_event::{LocationId, Position, ThreadId, Value};

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

/// The number of a variable, the same in every graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VariableId(pub(super) u32);

impl VariableId {
    /// What full fences read and write.
    pub(super) const FENCES: VariableId = VariableId(0);

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A location of one object.
pub(super) struct Variable {
    /// The location, and which of the objects of its room; none for the hidden one.
    pub at: Option<(LocationId, u32)>,
    /// The accesses of each thread that has some or had some in another graph, oldest first.
    pub by_thread: Vec<(ThreadId, Vec<Position>)>,
    /// The initial value, while there are accesses.
    pub initial: Value,
    /// All writes but the initial one, in the order in which they were added.
    pub writes: Vec<Write>,
    pub n_accesses: u32,
    /// How many of the writes do not happen after all that were added before them.
    pub n_unordered: u32,
    /// Whether threads wait for a value of it, in this graph or another one.
    pub is_awaited: bool,
    pub coherence: Coherence,
    /// For each block its first write; none is the initial value.
    pub firsts: Vec<Option<Position>>,
}

impl Variable {
    pub fn new(at: Option<(LocationId, u32)>) -> Variable {
        let coherence = Coherence::default();
        let (by_thread, initial, writes, firsts) = (Vec::new(), Value::Word(0), Vec::new(), vec![None]);
        Variable { at, by_thread, initial, writes, n_accesses: 0, n_unordered: 0, is_awaited: false, coherence, firsts }
    }

    /// Whether each write happens after those that were added before it. Coherence is then the order in which they were added: it is forced, and nothing else is.
    #[inline]
    pub fn is_ordered(&self) -> bool {
        self.n_unordered == 0
    }

    /// Appends an access of a thread. Gives the number of the thread among those that have accesses, and the access before.
    pub fn add_access(&mut self, thread: ThreadId, at: Position) -> (u32, Option<Position>) {
        let own = self.by_thread.iter().position(|(of, _)| *of == thread).unwrap_or_else(|| {
            self.by_thread.push((thread, Vec::new()));
            self.by_thread.len() - 1
        });
        let accesses = &mut self.by_thread[own].1;
        let before = accesses.last().copied();
        accesses.push(at);
        self.n_accesses += 1;
        (own as u32, before)
    }

    /// Takes back the newest access of a thread.
    pub fn drop_access(&mut self, own: u32) {
        self.by_thread[own as usize].1.pop();
        self.n_accesses -= 1;
    }
}
