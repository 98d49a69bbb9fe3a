//! Events as they are fetched out of order: what they are to the memory, and what of their own thread they depend on or
//! come after.

use crate::{Annotation, Barrier, EventId, LocationId, ThreadId};

/// The number of a set of events of one thread. Zero is the empty set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct DepsId(pub u32);

impl DepsId {
    /// The set that is empty.
    pub const NONE: DepsId = DepsId(0);

    /// Whether it is the empty set.
    pub fn is_none(self) -> bool {
        self == DepsId::NONE
    }
}

/// What an event is to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It reads its location.
    Load,
    /// It writes its location; the second half of a read-modify-write names the load that is its first.
    Store {
        /// The load, by its number in the thread.
        pair: Option<u32>,
    },
    /// A choice, or the end of an object.
    Other,
}

/// An event that has been fetched, as the graph of a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// Whether it loads, stores, or does something else.
    pub role: Role,
    /// The location that is accessed, or the room of the object that is freed.
    pub at: Option<LocationId>,
    /// What its address depends on.
    pub addr: DepsId,
    /// What the value that it stores depends on.
    pub data: DepsId,
    /// What the branches before it depend on.
    pub ctrl: DepsId,
    /// What is decided before the event is fetched: a part of `ctrl` (isync), and of `addr_po` too (isb).
    pub ctrl_isync: DepsId,
    /// What the addresses of the accesses before it depend on.
    pub addr_po: DepsId,
    /// Choices that were made before it was fetched.
    pub choices: DepsId,
    /// How many events of the thread come before the last barrier of each kind.
    pub barriers: [u32; Barrier::KINDS],
    /// The event of the thread that accessed the location last.
    pub previous: Option<u32>,
    /// What its order annotates it with.
    pub annotation: Annotation,
    /// For each bit of an annotation how many events of the thread come up to the last one before that has it; none
    /// where that is zero.
    pub annotated: [u32; Annotation::BITS],
}

impl Fetched {
    /// Whether it reads its location.
    pub fn is_read(&self) -> bool {
        self.role == Role::Load
    }

    /// Whether it writes its location.
    pub fn is_write(&self) -> bool {
        matches!(self.role, Role::Store { .. })
    }

    /// How many events of the thread come before the last barrier of a kind.
    #[inline]
    pub fn behind(&self, Barrier(kind): Barrier) -> u32 {
        self.barriers[kind as usize]
    }

    /// The last event of the thread before that is annotated with one of these bits.
    #[inline]
    pub fn last_annotated(&self, Annotation(bits): Annotation) -> Option<u32> {
        let last = |bit: usize| if bits >> bit & 1 == 1 { self.annotated[bit] } else { 0 };
        (0..Annotation::BITS).map(last).max().unwrap_or(0).checked_sub(1)
    }
}

/// Where the graph of a model finds the events that are fetched.
pub trait Fetching {
    /// An event.
    fn fetched(&self, event: EventId) -> &Fetched;

    /// The events of a thread in a set, by their numbers.
    fn dependencies(&self, thread: ThreadId, deps: DepsId) -> &[u32];

    /// Whether an event happens; none where that is not known yet, which is so for stores of compare-exchanges only.
    fn happens(&self, event: EventId) -> Option<bool>;

    /// Whether what a store writes is known.
    fn is_known(&self, store: EventId) -> bool;

    /// Whether a read is the first half of a compare-exchange of which it was guessed whether it succeeds.
    fn is_guess(&self, read: EventId) -> bool;
}
