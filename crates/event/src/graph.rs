//! What execution graphs are made of: events by name, and the ways in which the next one can be added.

use crate::ThreadId;
use serde::{Deserialize, Serialize};

/// An event of a graph: the action of a thread that has so many before it. The name is the same in every graph that has
/// the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventId {
    /// Whose action it is.
    pub thread: ThreadId,
    /// How many events the thread has before it.
    pub index: u32,
}

/// What was decided when an event was added to a graph, or committed (the parameter of CAV 2016, figure 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Way {
    /// There was nothing to decide.
    Only,
    /// It reads from this write, or from the initial value.
    From(Option<EventId>),
    /// It is a write and comes right after this one in the coherence order of what is there, or first.
    ///
    /// (CAV 2016 counts the writes before it. Naming the last of them means the same when other writes are left out.)
    After(Option<EventId>),
    /// It is a choice and has this outcome.
    Outcome(u32),
    /// It is no event of the program: the thread could read what ends its loop, and reads what leads it round instead,
    /// until it is revisited, or for ever.
    Parked,
}

/// A way in which the next event of a thread can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What is decided by it.
    pub way: Way,
    /// The read-modify-write that reads from the same write already. No graph can have both.
    pub taken: Option<EventId>,
}
