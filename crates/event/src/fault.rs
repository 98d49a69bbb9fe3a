//! Faults: the wrong acts of a program that the checker looks for.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of a fault, spelled as in the output for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FaultKind {
    /// `assert` failed, or the program called `abort`.
    Assertion,
    /// No thread can go on, and not all have ended.
    Deadlock,
    /// An access beside the object that its pointer belongs to.
    OutOfBounds,
    /// An access to an object that was freed, or whose function has returned.
    UseAfterFree,
    /// An access through a null pointer.
    NullDereference,
    /// An access through a pointer that belongs to no object.
    WildPointer,
    /// An object is freed twice.
    DoubleFree,
    /// What is freed is no object of the heap, or not its beginning.
    InvalidFree,
    /// Bytes are read that were never written (`--uninit`).
    UninitialisedRead,
    /// A mutex is unlocked by a thread that does not hold it, or the like.
    MutexMisuse,
    /// A thread is joined twice, or the like.
    ThreadMisuse,
    /// An integer is divided by zero.
    DivisionByZero,
    /// Code is reached that the compiler or the program says cannot be.
    Unreachable,
    /// What the compiler's own checks find: an overflow of a signed number, a shift too far, and the like (`--ub`).
    UndefinedBehaviour,
    /// Calls are nested too deep.
    StackOverflow,
    /// The program ends with a status other than zero (`--exit-codes`).
    ExitStatus,
    /// Two accesses that nothing orders, one a write and one not atomic (`--races`, and always under RC11).
    DataRace,
    /// An object of the heap that is never freed (`--leaks`).
    Leak,
    /// An execution that could not have happened under SC (`--robustness`).
    NotRobust,
    /// A loop that waits for what never comes (`--liveness`).
    Livelock,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 20] = [
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
        FaultKind::UndefinedBehaviour,
        FaultKind::StackOverflow,
        FaultKind::ExitStatus,
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
            FaultKind::UndefinedBehaviour => "undefined-behaviour",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::ExitStatus => "exit-status",
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
    /// What kind of wrong act it is.
    pub kind: FaultKind,
    /// What happened, in a sentence for people.
    pub message: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into() }
    }
}
