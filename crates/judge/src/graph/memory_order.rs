//! The axioms of SC, TSO and PSO by their definition, as docs/models/sc.md, tso.md and pso.md have them.
//!
//! A fence, a spawn, a join and a `free` are events without a location; what TSO and PSO keep of program order around
//! them is said of them as of accesses.

use super::{Axiom, PlainGraph};
use crate::orders::{Buffering, Demand};
use crate::relation::Relation;
use crate::watch::Watch;
use raddle_event::Order;

impl<W: Watch> PlainGraph<'_, W> {
    /// Whether SC allows the graph: acyclic (po ∪ rf ∪ co ∪ fr).
    pub(super) fn is_allowed_by_sc(&self) -> bool {
        self.po().or(&self.right_after()).or(&self.rf()).or(&self.co()).or(&self.rb()).is_acyclic() && self.is_atomic()
    }

    /// Whether TSO or PSO allows the graph: acyclic (po-loc ∪ rf ∪ co ∪ fr), and acyclic (ppo ∪ rfe ∪ co ∪ fr).
    pub(super) fn is_allowed_with_buffers(&self) -> bool {
        let (po, rf, overwritten) = (self.po(), self.rf(), self.co().or(&self.rb()));
        let po_loc = po.and(|a, b| self.is_same_variable(a, b));
        let rfe = rf.and(|a, b| self.is_elsewhere(a, b));
        po_loc.or(&rf).or(&overwritten).is_acyclic() && self.ppo().or(&rfe).or(&overwritten).is_acyclic() && self.is_atomic()
    }

    /// empty rmw ∩ (fr ; co).
    fn is_atomic(&self) -> bool {
        self.rb().then(&self.co()).is_irreflexive()
    }

    fn is_elsewhere(&self, a: usize, b: usize) -> bool {
        self.events[a].id.thread != self.events[b].id.thread
    }

    /// What happens before under PSO, whatever coherence says: (ppo ∪ rfe)+.
    pub(super) fn hb_of_pso(&self) -> Relation {
        let rfe = self.rf().and(|a, b| self.is_elsewhere(a, b));
        let po_loc = self.po().and(|a, b| self.is_same_variable(a, b) && self.writes_at(a) && self.writes_at(b));
        self.ppo().or(&po_loc).or(&rfe).plus()
    }

    /// What the model keeps of program order, and what spawns and joins order: all that a thread did comes before its
    /// join, and a spawn before all that the new thread does.
    fn ppo(&self) -> Relation {
        let po = self.po();
        let across = po.maybe().then(&self.right_after().and(|a, b| self.is_elsewhere(a, b))).then(&po.maybe());
        let to_join = across.and(|a, b| self.is_elsewhere(a, b) && self.joins(b));
        let from_spawn = across.and(|a, b| self.is_elsewhere(a, b) && self.events[a].spawns == Some(self.events[b].id.thread));
        po.and(|a, b| self.keeps(a, b)).or(&to_join).or(&from_spawn)
    }

    /// Whether an event comes after the end of another thread.
    fn joins(&self, n: usize) -> bool {
        let thread = self.events[n].id.thread;
        self.events[n].after.iter().any(|before| before.thread != thread && self.event(*before).spawns != Some(thread))
    }

    /// Whether the model keeps the order of two events of a thread, the first of which comes first in program order.
    fn keeps(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.events[a], &self.events[b]);
        let waits = |n: usize| self.demand_of_fence(n) == Demand::Drain || self.events[n].spawns.is_some();
        let is_ahead_of_all = |n: usize| self.joins(n) || self.events[n].frees.is_some();
        if waits(a) || waits(b) || is_ahead_of_all(a) {
            return true;
        }
        if let Some(object) = second.frees {
            return first.variable.is_some_and(|(range, number)| range.is_some() && (first.from.is_some() || number == object));
        }
        let is_access = |n: usize| self.events[n].variable.is_some();
        let reads = |n: usize| self.events[n].from.is_some();
        let waits_behind = first.order == Some(Order::SeqCst) && self.writes_at(a);
        let is_locked = first.is_locked || second.is_locked;
        let are_in_one_queue = || self.axiom != Axiom::Pso || self.is_divided(a, b);
        is_access(a) && is_access(b) && (is_locked || waits_behind || reads(a) || (!reads(b) && are_in_one_queue()))
    }

    /// Whether a barrier between stores stands between two events of a thread, or is the second one.
    fn is_divided(&self, a: usize, b: usize) -> bool {
        let (first, last) = (self.events[a].id, self.events[b].id);
        let divides = |n: usize| match self.events[n].order {
            Some(order) if self.writes_at(n) => self.buffering().store(order).0 != Demand::None,
            _ => self.demand_of_fence(n) != Demand::None,
        };
        self.of_thread[&first.thread][first.index as usize + 1..=last.index as usize].iter().any(|&n| divides(n))
    }

    fn demand_of_fence(&self, n: usize) -> Demand {
        self.events[n].fence.map_or(Demand::None, |fence| self.buffering().fence(fence))
    }

    fn buffering(&self) -> Buffering {
        match self.axiom {
            Axiom::Pso => Buffering::ByLocation { bound: None },
            _ => Buffering::Queue { bound: None },
        }
    }
}
