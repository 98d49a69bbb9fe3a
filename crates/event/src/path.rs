//! What was decided in an execution: plain values that can be written down and followed again.

use crate::{EventId, ThreadId, Way, Who};
use serde::{Deserialize, Serialize};

/// The decisions of one execution, in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Path {
    /// Who took each step, and which outcome it had where it was a choice.
    Schedule(Vec<(Who, u32)>),
    /// Whose event was added to the graph each time, and in which way.
    Graph(Vec<(ThreadId, Way)>),
    /// Which events were committed, in this order, and how.
    Commits(Vec<(EventId, Way)>),
}
