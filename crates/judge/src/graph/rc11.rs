//! The axioms of RC11 by their definition (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017). A read-modify-write is one
//! event, so `rmw` leads from an event to itself.

use super::PlainGraph;
use crate::relation::Relation;
use crate::watch::Watch;
use raddle_event::{Fence, Order};

impl<W: Watch> PlainGraph<'_, W> {
    pub(super) fn writes_at(&self, n: usize) -> bool {
        self.events[n].written.is_some()
    }

    pub(super) fn is_atomic_at(&self, n: usize) -> bool {
        self.events[n].order.is_some_and(|order| !matches!(order, Order::Plain | Order::Copy))
    }

    /// Happens-before, with the orders of C11.
    pub(super) fn hb_of_c11(&self) -> Relation {
        let fence = |n: usize| self.events[n].fence;
        let order = |n: usize| self.events[n].order;
        let (po, rf) = (self.po(), self.rf());
        let atomic = self.events_that(|n| self.is_atomic_at(n));
        let atomic_write = self.events_that(|n| self.writes_at(n) && self.is_atomic_at(n));
        let releases = self.events_that(|n| fence(n).is_some_and(is_release) || order(n).is_some_and(|order| order >= Order::Release));
        let acquires = self
            .events_that(|n| fence(n).is_some_and(is_acquire) || matches!(order(n), Some(Order::Acquire | Order::AcqRel | Order::SeqCst)));
        let is_fence = self.events_that(|n| fence(n).is_some());
        let write = self.events_that(|n| self.writes_at(n));
        let rmw = rf.and(|_, b| self.writes_at(b));
        let rs = write.then(&po.and(|a, b| self.is_same_variable(a, b)).maybe()).then(&atomic_write).then(&rmw.star());
        let from = releases.then(&is_fence.then(&po).maybe()).then(&rs);
        let to = rf.then(&atomic).then(&po.then(&is_fence).maybe()).then(&acquires);
        po.or(&self.right_after()).or(&from.then(&to)).plus()
    }

    /// Whether RC11 allows the graph.
    pub(super) fn is_allowed_by_rc11(&self) -> bool {
        let (hb, rf, co, rb) = (self.hb(), self.rf(), self.co(), self.rb());
        let eco = rf.or(&co).or(&rb).plus();
        hb.is_irreflexive()
            && hb.then(&eco).is_irreflexive()
            && rb.then(&co).is_irreflexive()
            && self.psc(&hb, &eco, &co.or(&rb)).is_acyclic()
    }

    fn psc(&self, hb: &Relation, eco: &Relation, overtaken: &Relation) -> Relation {
        let is_fence = |n: usize| self.events[n].fence.is_some_and(is_full);
        let seq_cst = self.events_that(|n| is_fence(n) || self.events[n].order == Some(Order::SeqCst));
        let (fence, po) = (self.events_that(is_fence), self.po());
        let elsewhere = po.and(|a, b| !self.is_same_variable(a, b));
        // By a spawn or a join from one thread to another. A thread has a beginning, which the spawn happens before,
        // and an end, which happens before the join; they have no location, as the spawn and the join have none: so
        // both ends of this are po-diff-loc.
        let across =
            po.maybe().then(&self.right_after().and(|a, b| self.events[a].id.thread != self.events[b].id.thread)).then(&po.maybe());
        let whole = elsewhere.then(hb).then(&elsewhere);
        let from = elsewhere.then(&hb.maybe()).then(&across);
        let to = across.or(&across.then(&hb.maybe()).then(&elsewhere.or(&across)));
        let around = whole.or(&from).or(&to);
        let scb = po.or(&around).or(&hb.and(|a, b| self.is_same_variable(a, b))).or(overtaken);
        let first = seq_cst.or(&fence.then(&hb.maybe()));
        let last = seq_cst.or(&hb.maybe().then(&fence));
        let between = fence.then(&hb.or(&hb.then(eco).then(hb))).then(&fence);
        first.then(&scb).then(&last).or(&between)
    }
}

fn is_full(fence: Fence) -> bool {
    matches!(fence, Fence::SeqCst | Fence::Mfence | Fence::Sync | Fence::Dmb)
}

fn is_release(fence: Fence) -> bool {
    is_full(fence) || matches!(fence, Fence::Release | Fence::AcqRel | Fence::Sfence | Fence::Lwsync | Fence::Eieio | Fence::DmbSt)
}

fn is_acquire(fence: Fence) -> bool {
    is_full(fence) || matches!(fence, Fence::Acquire | Fence::AcqRel | Fence::Lfence | Fence::Lwsync | Fence::DmbLd)
}
