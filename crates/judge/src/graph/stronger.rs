//! Which accesses would have to be stronger for a graph of RC11 not to be allowed, or to have no race, or no object
//! that is freed before an access to it is over.
//!
//! Orders are raised and the axioms asked again, so that what is said is shown: first all loads are acquire and all
//! stores release; where that changes nothing, all are seq_cst. Then each access gets its own order back as long as the
//! graph stays forbidden, or a read-modify-write half of what it was given. What is left is a smallest set in the sense
//! that none of it can be left out, not the only one.

use super::Axiom;
use super::PlainGraph;
use crate::watch::Watch;
use raddle_event::Order;

/// Graphs with more events are not looked at.
const MOST: usize = 100;

/// What is wrong with a graph that the model allows.
#[derive(Clone, Copy)]
struct Wrong {
    races: bool,
    frees_early: bool,
}

impl<W: Watch> PlainGraph<'_, W> {
    /// The accesses, each with the order that it would have to have; none where stronger orders change nothing.
    /// `may_change` says which events are accesses of the program.
    pub fn stronger(&mut self, may_change: impl Fn(usize) -> bool) -> Vec<(usize, Order)> {
        if self.axiom != Axiom::Rc11 || self.events.len() > MOST {
            return Vec::new();
        }
        let own: Vec<Option<Order>> = self.events.iter().map(|event| event.order).collect();
        let (mut found, wrong) = (Vec::new(), Wrong { races: self.has_race(), frees_early: self.frees_early() });
        for raised in [Self::synchronising, |_: &Self, _: usize| Order::SeqCst] {
            let changed: Vec<(usize, Order)> = (0..own.len())
                .filter(|&n| self.is_atomic_at(n) && may_change(n))
                .map(|n| (n, raised(self, n)))
                .filter(|&(n, order)| own[n] != Some(order) && own[n] != Some(Order::SeqCst))
                .collect();
            found = self.least(changed, &own, wrong);
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Of these changes those without which the graph is not mended; none where all of them do not mend it.
    fn least(&mut self, changed: Vec<(usize, Order)>, own: &[Option<Order>], wrong: Wrong) -> Vec<(usize, Order)> {
        changed.iter().for_each(|&(n, order)| self.events[n].order = Some(order));
        let mut needed = Vec::new();
        if self.is_mended(wrong) {
            for (n, order) in changed {
                let halves = [Order::Release, Order::Acquire].into_iter().filter(|_| order == Order::AcqRel).map(Some);
                let mut tried = std::iter::once(own[n]).chain(halves).chain([Some(order)]);
                let least = tried.find(|&less| {
                    self.events[n].order = less;
                    self.is_mended(wrong)
                });
                needed.extend(least.flatten().filter(|&least| Some(least) != own[n]).map(|least| (n, least)));
            }
        }
        self.events.iter_mut().zip(own).for_each(|(event, order)| event.order = *order);
        needed
    }

    /// The least order with which an access synchronises.
    fn synchronising(&self, n: usize) -> Order {
        match (self.events[n].from.is_some(), self.writes_at(n)) {
            (true, true) => Order::AcqRel,
            (true, false) => Order::Acquire,
            _ => Order::Release,
        }
    }

    /// Whether the model does not allow the graph, or what was wrong with it is not any more.
    fn is_mended(&self, wrong: Wrong) -> bool {
        let is_right = |was_wrong: bool, is_wrong: &dyn Fn() -> bool| !was_wrong || !is_wrong();
        let is_left = is_right(wrong.races, &|| self.has_race()) && is_right(wrong.frees_early, &|| self.frees_early());
        !self.is_allowed() || ((wrong.races || wrong.frees_early) && is_left)
    }

    /// Whether an object is freed although an access by another thread does not happen before that.
    fn frees_early(&self) -> bool {
        let hb = self.hb();
        let freed_by = |n: usize| match self.events[n].variable {
            Some((Some(_), number)) => self.objects[number].freed_by.map(|by| self.at(by)),
            _ => None,
        };
        (0..self.events.len())
            .any(|n| freed_by(n).is_some_and(|by| self.events[by].id.thread != self.events[n].id.thread && !hb.has(n, by)))
    }

    /// Whether two accesses to a variable, one of them a write and one not atomic, are in no order by happens-before.
    fn has_race(&self) -> bool {
        let hb = self.hb();
        let races = |a: usize, b: usize| {
            self.is_same_variable(a, b)
                && self.events[a].id.thread != self.events[b].id.thread
                && (self.writes_at(a) || self.writes_at(b))
                && !(self.is_atomic_at(a) && self.is_atomic_at(b))
                && !hb.has(a, b)
                && !hb.has(b, a)
        };
        (0..self.events.len()).any(|b| (0..b).any(|a| races(a, b)))
    }
}
