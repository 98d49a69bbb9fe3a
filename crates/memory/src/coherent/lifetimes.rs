//! What comes before the end of an object.

use super::{Act, Axioms, Coherent};
use crate::graphs::GraphModel;
use raddle_event::{Position, ThreadId};

impl<A: Axioms> Coherent<A> {
    /// For each thread how many of its events a thread comes after with whatever it does next, where these are no
    /// writes.
    pub(super) fn has_happened(&self, thread: ThreadId) -> &[u32] {
        if A::DELAYS_WRITES { self.skeleton.seen(thread) } else { self.known(thread) }
    }

    /// Whether these accesses of a thread, oldest first, happen before the newest event.
    pub(crate) fn happen_before_newest(&self, accesses: &[Position]) -> bool {
        accesses.last().is_none_or(|last| self.happens_before(*last, self.newest()))
    }

    /// Where the newest event frees an object, the last write of its thread to each variable of it.
    pub(crate) fn freed_writes(&self) -> impl Iterator<Item = Position> {
        let newest = self.newest();
        let freed = match self.events[newest.index()].act {
            Act::Free(object) => Some(object),
            _ => None,
        };
        let thread = self.id(newest).thread;
        freed.into_iter().flat_map(move |object| {
            let variables = self.places.accessed(object).flat_map(|variable| &variable.by_thread);
            let own = variables.filter(move |(of, _)| *of == thread).map(|(_, own)| own);
            own.filter_map(|own| own.iter().rev().copied().find(|&at| self.access(at).is_some_and(|access| access.has_place())))
        })
    }
}
