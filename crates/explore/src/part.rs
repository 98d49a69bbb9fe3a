//! What explorations that can be written down and divided have in common.

/// What an exploration has left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    Work,
    /// Parts that were given away are explored elsewhere; what comes back may be more work.
    Answers,
    Nothing,
}

/// A unit of work that does not fit the system or is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit;
