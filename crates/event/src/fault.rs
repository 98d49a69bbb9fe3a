//! Faults: the wrong acts of a program that the checker looks for.

use std::fmt;

/// The kind of a fault, spelled as in the output for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    Assertion,
    Deadlock,
    OutOfBounds,
    UseAfterFree,
    NullDereference,
    WildPointer,
    DoubleFree,
    InvalidFree,
    UninitialisedRead,
    MutexMisuse,
    ThreadMisuse,
    DivisionByZero,
    Unreachable,
    StackOverflow,
    DataRace,
    Leak,
    NotRobust,
    Livelock,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 18] = [
        FaultKind::Assertion,
        FaultKind::Deadlock,
        FaultKind::OutOfBounds,
        FaultKind::UseAfterFree,
        FaultKind::NullDereference,
        FaultKind::WildPointer,
        FaultKind::DoubleFree,
        FaultKind::InvalidFree,
        FaultKind::UninitialisedRead,
        FaultKind::MutexMisuse,
        FaultKind::ThreadMisuse,
        FaultKind::DivisionByZero,
        FaultKind::Unreachable,
        FaultKind::StackOverflow,
        FaultKind::DataRace,
        FaultKind::Leak,
        FaultKind::NotRobust,
        FaultKind::Livelock,
    ];

    /// The kind that a word stands for.
    pub fn from_word(word: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The word for the kind.
    pub fn word(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::Deadlock => "deadlock",
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::NullDereference => "null-dereference",
            FaultKind::WildPointer => "wild-pointer",
            FaultKind::DoubleFree => "double-free",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::UninitialisedRead => "uninitialised-read",
            FaultKind::MutexMisuse => "mutex-misuse",
            FaultKind::ThreadMisuse => "thread-misuse",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::Unreachable => "unreachable",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::DataRace => "data-race",
            FaultKind::Leak => "leak",
            FaultKind::NotRobust => "not-robust",
            FaultKind::Livelock => "livelock",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A wrong act: its kind, and a sentence with the values involved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into() }
    }
}
