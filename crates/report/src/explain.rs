//! What each kind of fault means, with an example and how to mend it: the texts are in `faults/`, and a test runs every
//! example.

use raddle_event::FaultKind;

/// The text about a kind of fault, as Markdown.
pub fn explanation(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Assertion => include_str!("../faults/assertion.md"),
        FaultKind::Deadlock => include_str!("../faults/deadlock.md"),
        FaultKind::OutOfBounds => include_str!("../faults/out-of-bounds.md"),
        FaultKind::UseAfterFree => include_str!("../faults/use-after-free.md"),
        FaultKind::NullDereference => include_str!("../faults/null-dereference.md"),
        FaultKind::WildPointer => include_str!("../faults/wild-pointer.md"),
        FaultKind::DoubleFree => include_str!("../faults/double-free.md"),
        FaultKind::InvalidFree => include_str!("../faults/invalid-free.md"),
        FaultKind::UninitialisedRead => include_str!("../faults/uninitialised-read.md"),
        FaultKind::MutexMisuse => include_str!("../faults/mutex-misuse.md"),
        FaultKind::ThreadMisuse => include_str!("../faults/thread-misuse.md"),
        FaultKind::DivisionByZero => include_str!("../faults/division-by-zero.md"),
        FaultKind::Unreachable => include_str!("../faults/unreachable.md"),
        FaultKind::UndefinedBehaviour => include_str!("../faults/undefined-behaviour.md"),
        FaultKind::StackOverflow => include_str!("../faults/stack-overflow.md"),
        FaultKind::ExitStatus => include_str!("../faults/exit-status.md"),
        FaultKind::DataRace => include_str!("../faults/data-race.md"),
        FaultKind::Leak => include_str!("../faults/leak.md"),
        FaultKind::NotRobust => include_str!("../faults/not-robust.md"),
        FaultKind::Livelock => include_str!("../faults/livelock.md"),
    }
}
