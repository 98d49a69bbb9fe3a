//! Stores before an `eieio` that are committed after stores behind it.
//!
//! `eieio` orders stores in happens-before, but commit-before does not have it: an allowed graph may need the store
//! behind it first. Then an edge of happens-before goes from the new event to one that is committed already, and rows
//! that were thought final change. This is rare, so everything is simply computed again from the direct edges, until
//! nothing changes, and the axioms are looked at as they stand.

use super::Power;
use super::relation::Relation as R;
use crate::commits::CommitModel;
use raddle_event::{Position, ThreadId};

impl Power {
    fn numbers(&self) -> impl Iterator<Item = Position> + use<> {
        (0..self.graph.len() as u32).map(Position)
    }

    /// Adds the edges of an event to stores that were committed before it, and computes everything again.
    pub(super) fn commit_late(&mut self, e: Position) {
        let later: Vec<Position> = self.after_eieio(self.graph.event(e).id).collect();
        for store in later {
            self.rows.insert(store, R::Fences, e);
        }
        while self.pass() {}
        for thread in (0..self.behind.len() as u32).map(ThreadId) {
            let events = self.behind[thread.index()].events.clone();
            self.put_behind(thread, events);
        }
    }

    /// Closes all relations once more; tells whether something changed.
    fn pass(&mut self) -> bool {
        let mut changed = false;
        for e in self.numbers() {
            let event = self.graph.event(e);
            let (thread, is_read, is_write) = (event.id.thread, event.is_read(), event.is_write());
            let before: Vec<u64> = self.closed(e);
            self.close(thread, e, is_read, is_write, true);
            self.communicate(e, is_write);
            changed |= self.closed(e) != before;
        }
        changed
    }

    fn closed(&self, e: Position) -> Vec<u64> {
        let relations =
            [R::Hb, R::Base, R::Bases, R::Strong, R::Weak, R::CommitFromC, R::CommitFromA, R::PropagationFromC, R::PropagationFromA];
        relations.into_iter().flat_map(|relation| self.rows.row(e, relation).to_vec()).collect()
    }

    /// The ancestors of an event through com.
    fn communicate(&mut self, e: Position, is_write: bool) {
        let Some(at) = self.graph.event(e).at.filter(|_| is_write || self.graph.event(e).is_read()) else { return };
        let order = self.graph.order(at);
        let mut above: Vec<Position> = Vec::new();
        if is_write {
            let place = order.place(Some(e)) - 1;
            let before = order.at(place).map(|stored| stored.store);
            above.extend(before.iter().chain(order.readers(place)));
            if let Some(before) = before {
                self.rows.add(e, R::PropagationFromC, before, R::PropagationFromC);
                self.rows.add_with(e, R::PropagationFromA, before, R::PropagationFromA);
            }
            self.rows.add(e, R::CommitFromC, e, R::PropagationFromC);
            self.rows.add_with(e, R::CommitFromA, e, R::PropagationFromA);
        } else {
            above.extend(self.graph.event(e).source);
        }
        for number in above {
            self.rows.add_with(e, R::CommitFromC, number, R::CommitFromC);
            self.rows.add(e, R::CommitFromA, number, R::CommitFromA);
        }
    }

    /// Whether the axioms hold, by the relations as they are: no event before itself, and no load that an older store
    /// was to be seen by.
    pub(super) fn is_consistent(&self) -> bool {
        let cyclic = |e: Position| {
            let event = self.graph.event(e);
            self.rows.contains(e, R::Hb, e)
                || self.rows.contains(e, R::CommitFromC, e)
                || (event.is_write() && self.rows.contains(e, R::PropagationFromA, e))
        };
        let unseen = |e: Position| {
            let Some(at) = self.graph.event(e).at.filter(|_| self.graph.event(e).is_read()) else { return false };
            let order = self.graph.order(at);
            order.after(order.place(self.graph.event(e).source)).any(|store| self.rows.contains(e, R::Weak, store))
        };
        !self.numbers().any(|e| cyclic(e) || unseen(e))
    }
}
