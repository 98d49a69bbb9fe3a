//! What a program prints, in the order in which a thread prints it.

/// Where something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// The standard output.
    Out,
    /// The standard error stream.
    Err,
}

/// Takes what is printed as it is printed; told whether the thread that prints is the only one. For runs that only go
/// forward.
pub type Printer<'p> = Box<dyn FnMut(Vec<Piece>, bool) + 'p>;

/// What one call printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Where it is written.
    pub stream: Stream,
    /// What is written.
    pub bytes: Vec<u8>,
}
