//! The relations of a graph, as sets of pairs of events.

use super::PlainGraph;
use crate::relation::Relation;
use crate::watch::Watch;

impl<W: Watch> PlainGraph<'_, W> {
    pub(super) fn relation(&self, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::new(self.events.len(), holds)
    }

    pub(super) fn events_that(&self, holds: impl Fn(usize) -> bool) -> Relation {
        Relation::of(self.events.len(), holds)
    }

    pub(super) fn is_same_variable(&self, a: usize, b: usize) -> bool {
        self.events[a].variable.is_some() && self.events[a].variable == self.events[b].variable
    }

    /// Program order.
    pub(super) fn po(&self) -> Relation {
        let ids: Vec<_> = self.events.iter().map(|event| event.id).collect();
        self.relation(|a, b| ids[a].thread == ids[b].thread && ids[a].index < ids[b].index)
    }

    /// Reads-from.
    pub(super) fn rf(&self) -> Relation {
        self.relation(|a, b| self.events[b].from == Some(Some(self.events[a].id)))
    }

    /// How many writes come before a write in coherence.
    fn place(&self, n: usize) -> Option<usize> {
        let order = self.coherence.get(&self.events[n].variable?)?;
        order.iter().position(|&write| write == self.events[n].id)
    }

    /// Coherence.
    pub(super) fn co(&self) -> Relation {
        let places: Vec<_> = (0..self.events.len()).map(|n| self.place(n)).collect();
        self.relation(|a, b| self.is_same_variable(a, b) && places[a].is_some() && places[b].is_some() && places[a] < places[b])
    }

    /// From a read to the writes that come later than what it reads from.
    pub(super) fn rb(&self) -> Relation {
        let places: Vec<_> = (0..self.events.len()).map(|n| self.place(n)).collect();
        let source = |n: usize| self.events[n].from.map(|from| from.map(|write| places[self.at(write)].expect("a source is a write")));
        let sources: Vec<_> = (0..self.events.len()).map(source).collect();
        let is_later = |a: usize, b: usize| sources[a].is_some_and(|source| places[b].is_some() && source < places[b]);
        self.relation(|a, b| a != b && self.is_same_variable(a, b) && is_later(a, b))
    }

    /// What comes right before an event in its thread, a spawn before the first event of the new thread, the last event
    /// of a thread before its join.
    pub(super) fn right_after(&self) -> Relation {
        self.relation(|a, b| self.events[b].after.contains(&self.events[a].id))
    }
}
