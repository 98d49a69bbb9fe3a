//! The relations of a graph, as sets of pairs of events.

use super::PlainGraph;
use crate::relation::Relation;
use crate::watch::Watch;
use raddle_event::ThreadId;

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

    /// The first event on a cycle of program order, spawns, joins and communication, where there is one: then the graph
    /// is none of SC. Gives its thread, and how many events were added before it. Fences communicate in no way that a
    /// program could see.
    pub fn first_on_cycle(&self) -> Option<(ThreadId, usize)> {
        let is_seen = |n: usize| self.events[n].variable.is_some_and(|variable| variable.0.is_some());
        let communication = self.rf().or(&self.co()).or(&self.rb()).and(|a, _| is_seen(a));
        let all = self.po().or(&self.right_after()).or(&communication).plus();
        (0..self.events.len()).find(|&n| all.has(n, n)).map(|n| (self.events[n].id.thread, n))
    }

    /// What comes right before an event in its thread, a spawn before the first event of the new thread, the last event
    /// of a thread before its join.
    pub(super) fn right_after(&self) -> Relation {
        self.relation(|a, b| self.events[b].after.contains(&self.events[a].id))
    }
}
