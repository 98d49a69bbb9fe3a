//! The parameters with which events are committed out of order (Abdulla et al., CAV 2016, figure 4).

use crate::EventId;
use serde::{Deserialize, Serialize};

/// How an event is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Parameter {
    /// A load reads from this store, or from the initial value.
    Source(Option<EventId>),
    /// A store comes right after this one in the coherence order of what is committed, or right after the initial
    /// value.
    ///
    /// (The paper counts the stores before it. Naming the last of them means the same when other stores are left out.)
    After(Option<EventId>),
    /// A choice takes this number.
    Outcome(u32),
    /// The event has only one effect.
    Plain,
}
