//! The axioms of AArch64, from docs/models/aarch64.md, and what C11 orders and fences become there: written down a
//! second time, since the judge asks no model that it judges.

use super::axioms::Axioms;
use crate::relation::Relation;
use raddle_event::{Annotation, Atomics, Barrier, Between, Fence, Half, Mapping, Order};

const ISH: Barrier = Barrier(2);
const ISHLD: Barrier = Barrier(0);
const ISHST: Barrier = Barrier(1);

const RELEASE: u8 = 1;
const BOTH: u8 = 2;
const ACQUIRE: u8 = 4;
const ACQUIRE_PC: u8 = 8;

/// The table, one row for each fence, and for each order and half.
pub(super) fn mapping(atomics: Atomics) -> Mapping {
    let mapping = Mapping {
        fence: |fence| match fence {
            Fence::Compiler => Between::Nothing,
            Fence::Acquire => Between::Accesses(ISHLD),
            Fence::Release => Between::Accesses(ISH),
            Fence::AcqRel => Between::Accesses(ISH),
            Fence::SeqCst => Between::Accesses(ISH),
            Fence::Mfence => Between::Accesses(ISH),
            Fence::Lfence => Between::Accesses(ISHLD),
            Fence::Sfence => Between::Accesses(ISHST),
            Fence::Sync => Between::Accesses(ISH),
            Fence::Lwsync => Between::Accesses(ISH),
            Fence::Eieio => Between::Accesses(ISHST),
            Fence::Isync => Between::Fetches,
            Fence::Dmb => Between::Accesses(ISH),
            Fence::DmbLd => Between::Accesses(ISHLD),
            Fence::DmbSt => Between::Accesses(ISHST),
            Fence::Isb => Between::Fetches,
        },
        lead: |_| Between::Nothing,
        trail: |_| false,
        annotate: |order, half| Annotation(bits(order, half)),
        compare_branches: false,
    };
    match atomics {
        Atomics::Lse => mapping,
        Atomics::Exclusives => Mapping { annotate: |order, half| Annotation(bits(order, half) & !BOTH), compare_branches: true, ..mapping },
    }
}

fn bits(order: Order, half: Half) -> u8 {
    match (half, order) {
        (_, Order::Plain | Order::Copy | Order::Relaxed) => 0,
        (Half::Load, Order::SeqCst) => ACQUIRE,
        (Half::Load, Order::Acquire | Order::AcqRel) => ACQUIRE_PC,
        (Half::Load, Order::Release) => 0,
        (Half::RmwLoad | Half::Reserve, Order::Release) => 0,
        (Half::RmwLoad | Half::Reserve, Order::Acquire | Order::AcqRel | Order::SeqCst) => ACQUIRE,
        (Half::Store | Half::RmwStore | Half::Conditional, Order::Acquire) => 0,
        (Half::Store | Half::Conditional, Order::Release | Order::AcqRel | Order::SeqCst) => RELEASE,
        (Half::RmwStore, Order::Release) => RELEASE,
        (Half::RmwStore, Order::AcqRel | Order::SeqCst) => RELEASE | BOTH,
    }
}

impl Axioms {
    fn annotated(&self, e: usize, bits: u8) -> bool {
        self.annotations[e].0 & bits != 0
    }

    /// Locally-ordered-before. `ends` says whether the ends of objects are taken as stores.
    pub(super) fn lob(&self, ends: bool) -> Relation {
        let is_store = |e: usize| self.writes[e] || (ends && self.ends[e]);
        let is_one = |e: usize| self.reads[e] || is_store(e);
        let po = self.internal.and(|a, b| self.events[a].index < self.events[b].index && is_one(a) && is_one(b));
        let rfi = self.rf.and(|a, b| self.internal.has(a, b));
        let dp = self.addr.or(&self.data);
        let barrier = |Barrier(kind): Barrier| &self.barriers[kind as usize];
        let all = [
            self.ctrl.and(|_, b| is_store(b)),
            self.addr_po.and(|_, b| is_store(b)),
            dp.then(&rfi),
            self.ctrl_isync.and(|_, b| self.reads[b]),
            self.rmw.clone(),
            self.rmw.then(&rfi).and(|_, b| self.annotated(b, ACQUIRE | ACQUIRE_PC)),
            barrier(ISH).clone(),
            barrier(ISHLD).and(|a, _| self.reads[a]),
            barrier(ISHST).and(|a, b| self.writes[a] && is_store(b)),
            po.and(|a, b| self.annotated(a, RELEASE) && self.annotated(b, ACQUIRE)),
            po.and(|a, _| self.annotated(a, ACQUIRE | ACQUIRE_PC)),
            po.and(|_, b| self.annotated(b, RELEASE)),
            po.and(|a, _| self.annotated(a, BOTH)),
            self.po_loc.and(|a, b| self.writes[a] && self.writes[b]),
            self.ordered.clone(),
        ];
        all.iter().fold(dp, |so_far, more| so_far.or(more)).and(|a, b| is_one(a) && is_one(b))
    }

    /// Commit-before.
    pub(super) fn arm_cb(&self) -> Relation {
        let n = self.events.len();
        // A load that reads an own store comes after the loads between, and not after the store.
        let is_between = |a: usize, b: usize| {
            let own = (0..n).find(|&store| self.rf.has(store, b) && self.internal.has(store, b));
            own.is_none_or(|store| self.events[store].index < self.events[a].index)
        };
        let follows = self.po_loc.and(|a, b| self.writes[b] || is_between(a, b));
        let dependencies = self.addr.or(&self.data).or(&self.ctrl).or(&self.addr_po);
        self.lob(true).or(&self.external(&self.rf)).or(&dependencies).or(&follows).plus()
    }

    /// Whether the axioms of AArch64 hold.
    pub(super) fn hold_on_arm(&self) -> bool {
        let com = self.com();
        let ob = self.external(&com).or(&self.lob(false));
        self.po_loc.or(&com).is_acyclic() && self.is_atomic() && ob.is_acyclic()
    }
}
