//! What was asked for, as far as the answer repeats it.

use raddle_check::Plan;

/// What was checked and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The first of the files.
    pub file: String,
    pub plan: Plan,
    pub robustness: bool,
    /// Whether the exit statuses are listed.
    pub statuses: bool,
}
