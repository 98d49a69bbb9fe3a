//! The axiom of release-acquire by its definition: for every variable there is a total coherence order with which po ∪
//! rf ∪ co ∪ fr of that variable is acyclic (OOPSLA 2018, definition 3.1), and in which each read-modify-write stands
//! right behind the write that it reads from.
//!
//! [`PlainGraph::is_newest_allowed_by_ra`] tries the orders. [`PlainGraph::is_allowed_by_ra`] guesses one order and
//! tests that, and tries the others where the guess is wrong.

use super::{Event, PlainGraph, Variable};
use crate::robust::is_acyclic;
use crate::watch::Watch;
use raddle_event::EventId;

impl<W: Watch> PlainGraph<'_, W> {
    /// Whether RA allows the graph.
    pub(super) fn is_allowed_by_ra(&self) -> bool {
        let mut variables: Vec<Variable> = self.events.iter().filter_map(|event| event.variable).collect();
        variables.sort();
        variables.dedup();
        let is_guessed = |variable| self.guess(variable).is_some_and(|order| self.is_coherent(variable, &order, &[]));
        variables
            .into_iter()
            .all(|variable| is_guessed(variable) || self.can_complete(variable, None, &mut Vec::new(), self.writes(variable)))
    }

    /// Whether RA allows the graph as far as the variable of the newest event goes.
    pub(super) fn is_newest_allowed_by_ra(&self) -> bool {
        let variable = self.events.last().and_then(|event| event.variable);
        variable.is_none_or(|variable| self.can_complete(variable, None, &mut Vec::new(), self.writes(variable)))
    }

    /// Whether the model allows that nothing comes after a write in coherence, or after what is there first.
    pub(super) fn can_be_last(&self, variable: Variable, write: Option<EventId>) -> bool {
        if let Some(order) = self.coherence.get(&variable) {
            return order.last().copied() == write;
        }
        let writes = self.writes(variable);
        match write {
            None => writes.is_empty(),
            Some(_) => self.can_complete(variable, write, &mut Vec::new(), writes),
        }
    }

    /// Whether some order of the writes that are left, behind those that are placed, is allowed; one that ends with
    /// `last`, where it is given.
    fn can_complete(&self, variable: Variable, last: Option<EventId>, placed: &mut Vec<EventId>, left: Vec<EventId>) -> bool {
        if !self.is_coherent(variable, placed, &left) {
            return false;
        }
        left.is_empty()
            || left.iter().filter(|next| left.len() == 1 || last != Some(**next)).any(|&next| {
                placed.push(next);
                let rest = left.iter().copied().filter(|&other| other != next).collect();
                let can = self.can_complete(variable, last, placed, rest);
                placed.pop();
                can
            })
    }

    /// Whether an order of writes, with the rest behind it in no order, keeps read-modify-writes atomic and makes no
    /// cycle.
    fn is_coherent(&self, variable: Variable, placed: &[EventId], left: &[EventId]) -> bool {
        let is_atomic = |n: usize| self.event(placed[n]).from.is_none_or(|source| source == n.checked_sub(1).map(|n| placed[n]));
        (0..placed.len()).all(is_atomic) && self.is_acyclic(variable, placed, left)
    }

    /// Whether po ∪ rf ∪ co ∪ fr is acyclic, where the placed writes come in their order and before those that are
    /// left.
    fn is_acyclic(&self, variable: Variable, placed: &[EventId], left: &[EventId]) -> bool {
        let mut rank = vec![0; self.events.len()];
        placed.iter().enumerate().for_each(|(n, &write)| rank[self.at(write)] = n + 1);
        left.iter().for_each(|&write| rank[self.at(write)] = placed.len() + 1);
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); self.events.len()];
        for (at, event) in self.events.iter().enumerate() {
            let before = event.after.iter().copied().chain(event.from.flatten());
            before.for_each(|before| edges[self.at(before)].push(at));
            if event.variable == Some(variable) {
                // co goes from a write, and fr from a read, to the next one; or to all that have no place yet.
                let own = if event.written.is_some() { rank[at] } else { self.rank_of_source(event, &rank) };
                let next = placed.get(own).map(|write| self.at(*write));
                let rest = left.iter().map(|write| self.at(*write)).filter(|_| own == placed.len());
                edges[at].extend(next.into_iter().chain(rest));
                if let (Some(_), Some(_)) = (event.from, &event.written) {
                    let from = self.rank_of_source(event, &rank);
                    edges[at].extend(placed.get(from).map(|write| self.at(*write)).filter(|&write| write != at));
                }
            }
        }
        is_acyclic(&edges)
    }

    fn rank_of_source(&self, event: &Event, rank: &[usize]) -> usize {
        event.from.flatten().map_or(0, |write| rank[self.at(write)])
    }

    /// A coherence order that is likely to do: read-modify-writes behind their sources; for the rest, a write that
    /// happens before an access before what the access writes or reads from.
    fn guess(&self, variable: Variable) -> Option<Vec<EventId>> {
        let first = |write: EventId| {
            let mut first = write;
            while let Some(source) = self.event(first).from {
                first = source?;
            }
            Some(first)
        };
        let accesses: Vec<&Event> = self.events.iter().filter(|event| event.variable == Some(variable)).collect();
        let stands_for = |event: &Event| if event.written.is_some() { Some(event.id) } else { event.from.flatten() };
        let (mut order, mut left) = (Vec::new(), self.writes(variable));
        left.retain(|&write| first(write).is_some());
        self.append_chain(None, variable, &mut order);
        while !left.is_empty() {
            // A write is next when it begins a chain, and no other one that is left must come before the chain.
            let is_next = |&&write: &&EventId| {
                let chain = accesses.iter().filter(|event| stands_for(event).and_then(first) == Some(write));
                let before = |other: &&EventId, event: &Event| event.past.get(&other.thread).is_some_and(|&n| n > other.index);
                self.event(write).from.is_none()
                    && chain.into_iter().all(|event| !left.iter().any(|other| first(*other) != Some(write) && before(&other, event)))
            };
            let next = *left.iter().find(is_next)?;
            self.append_chain(Some(next), variable, &mut order);
            left.retain(|&write| first(write) != Some(next));
        }
        Some(order)
    }

    /// Appends a write, the read-modify-write that reads from it, and so on.
    fn append_chain(&self, first: Option<EventId>, variable: Variable, order: &mut Vec<EventId>) {
        order.extend(first);
        let mut last = first;
        let next = |last| {
            self.events.iter().find(move |event| event.variable == Some(variable) && event.written.is_some() && event.from == Some(last))
        };
        while let Some(event) = next(last) {
            order.push(event.id);
            last = Some(event.id);
        }
    }
}
