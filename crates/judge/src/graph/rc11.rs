//! The axioms of RC11 by their definition (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017). A read-modify-write is one
//! event, so `rmw` leads from an event to itself.

use super::PlainGraph;
use crate::model::Axiom;
use crate::relation::Relation;
use crate::watch::Watch;
use raddle_event::{Fence, Order};

impl<W: Watch> PlainGraph<'_, W> {
    pub(super) fn relation(&self, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::new(self.events.len(), holds)
    }

    fn events_that(&self, holds: impl Fn(usize) -> bool) -> Relation {
        Relation::of(self.events.len(), holds)
    }

    fn is_same_variable(&self, a: usize, b: usize) -> bool {
        self.events[a].variable.is_some() && self.events[a].variable == self.events[b].variable
    }

    fn writes_at(&self, n: usize) -> bool {
        self.events[n].written.is_some()
    }

    fn is_atomic_at(&self, n: usize) -> bool {
        self.events[n].order.is_some_and(|order| !matches!(order, Order::Plain | Order::Copy))
    }

    pub(super) fn po(&self) -> Relation {
        let ids: Vec<_> = self.events.iter().map(|event| event.id).collect();
        self.relation(|a, b| ids[a].thread == ids[b].thread && ids[a].index < ids[b].index)
    }

    pub(super) fn rf(&self) -> Relation {
        self.relation(|a, b| self.events[b].from == Some(Some(self.events[a].id)))
    }

    /// How many writes come before a write in coherence.
    fn place(&self, n: usize) -> Option<usize> {
        let order = self.coherence.get(&self.events[n].variable?)?;
        order.iter().position(|&write| write == self.events[n].id)
    }

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
    fn right_after(&self) -> Relation {
        self.relation(|a, b| self.events[b].after.contains(&self.events[a].id))
    }

    /// Happens-before.
    pub(super) fn hb(&self) -> Relation {
        match self.axiom {
            Axiom::Rc11 => self.hb_of_c11(),
            Axiom::ReleaseAcquire | Axiom::StrongReleaseAcquire => self.po().or(&self.right_after()).or(&self.rf()).plus(),
        }
    }

    fn hb_of_c11(&self) -> Relation {
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
