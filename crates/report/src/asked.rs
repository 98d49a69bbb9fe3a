//! What was asked for, as far as the answer repeats it.

use raddle_check::Plan;

/// What was checked and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The first of the files.
    pub file: String,
    /// The model and the algorithm.
    pub plan: Plan,
    /// Whether an execution that is not possible under SC is a fault.
    pub robustness: bool,
    /// Whether the exit statuses are listed.
    pub statuses: bool,
}
