//! What cannot be read, and where it stands.

use std::fmt;

/// Whether a text is wrong or only beyond what is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not a litmus test.
    Syntax,
    /// It may well be a litmus test, with something in it that is not supported.
    Unsupported,
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file.
    pub file: String,
    /// Counted from one.
    pub line: u32,
    /// Counted from one, in characters.
    pub column: u32,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Whether the text is wrong, or what it asks for is not supported.
    pub kind: ErrorKind,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// An error that knows its place only as an offset in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub at: usize,
    pub message: String,
    pub kind: ErrorKind,
}

pub(crate) type Result<T> = std::result::Result<T, Problem>;

/// The text is wrong at an offset.
pub(crate) fn syntax<T>(at: usize, message: impl Into<String>) -> Result<T> {
    Err(Problem { at, message: message.into(), kind: ErrorKind::Syntax })
}

/// What stands at an offset is not supported.
pub(crate) fn unsupported<T>(at: usize, message: impl Into<String>) -> Result<T> {
    Err(Problem { at, message: message.into(), kind: ErrorKind::Unsupported })
}
