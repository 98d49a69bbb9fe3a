//! Source places: where in the user's files something stands.

/// The number of a place in [`crate::Program::places`]; number 0 is "nowhere".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PlaceId(pub u32);

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// The file as its compiler was given it.
    pub file: String,
    /// Counted from one; zero where it is not known.
    pub line: u32,
    /// Counted from one; zero where it is not known.
    pub column: u32,
    /// The function in the source, which differs from the one in the program where it was inlined.
    pub function: String,
    /// Where the function was inlined.
    pub inlined_at: Option<PlaceId>,
}
