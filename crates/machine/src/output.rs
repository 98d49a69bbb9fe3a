//! What a program prints, in the order in which a thread prints it.

/// Where something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    Out,
    Err,
}

/// What one call printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    pub stream: Stream,
    pub bytes: Vec<u8>,
}
