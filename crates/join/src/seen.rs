//! What was seen of all executions, by the machine and by the memory model, as a plain value: what those who explore
//! parts of an exploration tell one another.

use raddle_memory::graphs::Waiting;
use serde::{Deserialize, Serialize};

/// What was seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// By the machine.
    pub world: raddle_machine::Seen,
    /// For what threads wait, where a model grows graphs.
    pub waiting: Waiting,
}
