//! Which accesses would have to be stronger for a graph of RC11 not to be allowed, or to have no race.
//!
//! Orders are raised and the axioms asked again, so that what is said is shown: first all loads are acquire and all
//! stores release; where that changes nothing, all are seq_cst. Then each access gets its own order back as long as the
//! graph stays forbidden. What is left is a smallest set in the sense that none of it can be left out, not the only
//! one.

use super::Axiom;
use super::PlainGraph;
use crate::watch::Watch;
use raddle_event::Order;

/// Graphs with more events are not looked at.
const MOST: usize = 100;

impl<W: Watch> PlainGraph<'_, W> {
    /// The accesses, each with the order that it would have to have; none where stronger orders change nothing.
    /// `may_change` says which events are accesses of the program.
    pub fn stronger(&mut self, may_change: impl Fn(usize) -> bool) -> Vec<(usize, Order)> {
        if self.axiom != Axiom::Rc11 || self.events.len() > MOST {
            return Vec::new();
        }
        let own: Vec<Option<Order>> = self.events.iter().map(|event| event.order).collect();
        let (mut found, has_race) = (Vec::new(), self.has_race());
        for raised in [Self::synchronising, |_: &Self, _: usize| Order::SeqCst] {
            let changed: Vec<(usize, Order)> = (0..own.len())
                .filter(|&n| self.is_atomic_at(n) && may_change(n))
                .map(|n| (n, raised(self, n)))
                .filter(|&(n, order)| own[n] != Some(order) && own[n] != Some(Order::SeqCst))
                .collect();
            found = self.least(changed, &own, has_race);
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Of these changes those without which the graph is not mended; none where all of them do not mend it.
    fn least(&mut self, changed: Vec<(usize, Order)>, own: &[Option<Order>], has_race: bool) -> Vec<(usize, Order)> {
        changed.iter().for_each(|&(n, order)| self.events[n].order = Some(order));
        let mut needed = Vec::new();
        if self.is_mended(has_race) {
            for (n, order) in changed {
                self.events[n].order = own[n];
                if !self.is_mended(has_race) {
                    self.events[n].order = Some(order);
                    needed.push((n, order));
                }
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

    /// Whether the model does not allow the graph, or it had a race and has none.
    fn is_mended(&self, has_race: bool) -> bool {
        !self.is_allowed() || (has_race && !self.has_race())
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
