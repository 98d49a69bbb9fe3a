//! What can keep a program from being read.

use std::fmt;
use std::path::PathBuf;

/// Why a program could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A file cannot be opened, or is of a kind that is not known.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The compiler refused a file.
    Compiler {
        /// The file.
        file: PathBuf,
        /// What the compiler said, verbatim.
        output: String,
    },
    /// A file is not sound LLVM code, or not what this reader understands.
    BadBitcode {
        /// The file.
        file: PathBuf,
        /// What LLVM says.
        why: String,
    },
    /// No file defines `main`.
    NoMain,
    /// No file defines the function that the program is to begin with.
    NoEntry(String),
    /// Something that cannot wait until it is reached.
    Unsupported {
        /// What it is.
        what: String,
        /// Where it is.
        place: String,
    },
}

impl Error {
    /// Whether the compiler refused the input.
    pub fn is_compiler_error(&self) -> bool {
        matches!(self, Error::Compiler { .. })
    }

    /// Whether the input is sound but cannot be checked.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Error::Unsupported { .. })
    }

    /// Whether the files given are not programs.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Error::Unreadable { .. } | Error::BadBitcode { .. } | Error::NoMain | Error::NoEntry(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable { file, why } => write!(f, "cannot read `{}`: {why}", file.display()),
            Error::Compiler { file, output } => write!(f, "the compiler refused `{}`:\n{output}", file.display()),
            Error::BadBitcode { file, why } => write!(f, "`{}` is not sound LLVM code: {why}", file.display()),
            Error::NoMain => write!(f, "no function `main` is defined"),
            Error::NoEntry(name) => write!(f, "no function `{name}` is defined"),
            Error::Unsupported { what, place } => write!(f, "{place}: {what} is not supported"),
        }
    }
}

impl std::error::Error for Error {}
