//! The axioms of SC and TSO by their definition, as docs/models/sc.md and tso.md have them.
//!
//! A fence, a spawn and a join are events without a location; what TSO keeps of program order around them is said of
//! them as of accesses.

use super::{PlainGraph, is_full};
use crate::relation::Relation;
use crate::watch::Watch;
use raddle_event::Order;

impl<W: Watch> PlainGraph<'_, W> {
    /// Whether SC allows the graph: acyclic (po ∪ rf ∪ co ∪ fr).
    pub(super) fn is_allowed_by_sc(&self) -> bool {
        self.po().or(&self.right_after()).or(&self.rf()).or(&self.co()).or(&self.rb()).is_acyclic() && self.is_atomic()
    }

    /// Whether TSO allows the graph: acyclic (po-loc ∪ rf ∪ co ∪ fr), and acyclic (ppo ∪ rfe ∪ co ∪ fr).
    pub(super) fn is_allowed_by_tso(&self) -> bool {
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

    /// What TSO keeps of program order, and what spawns and joins order: all that a thread did comes before its join,
    /// and a spawn before all that the new thread does.
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

    /// Whether TSO keeps the order of two events of a thread, the first of which comes first in program order.
    fn keeps(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.events[a], &self.events[b]);
        let is_barrier = |n: usize| self.events[n].fence.is_some_and(is_full) || self.events[n].spawns.is_some();
        let is_access = |n: usize| self.events[n].variable.is_some();
        let reads = |n: usize| self.events[n].from.is_some();
        let waits_behind = first.order == Some(Order::SeqCst) && self.writes_at(a);
        let is_accesses_kept =
            is_access(a) && is_access(b) && (reads(a) || !reads(b) || first.is_locked || second.is_locked || waits_behind);
        is_barrier(a) || is_barrier(b) || self.joins(a) || is_accesses_kept
    }
}
