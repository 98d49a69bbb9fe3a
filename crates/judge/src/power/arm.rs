//! The axioms of AArch64, from docs/models/aarch64.md, and what C11 orders and fences become there: written down a
//! second time, since the judge asks no model that it judges.

use super::axioms::{Axioms, Matrix, closure, cut, irreflexive, relation, seq, union};
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
    pub(super) fn lob(&self, ends: bool) -> Matrix {
        let is_store = |e: usize| self.writes[e] || (ends && self.ends[e]);
        let is_one = |e: usize| self.reads[e] || is_store(e);
        let po = cut(&self.internal, |a, b| self.events[a].index < self.events[b].index && is_one(a) && is_one(b));
        let rfi = cut(&self.rf, |a, b| self.internal[a][b]);
        let dp = union(&[&self.addr, &self.data]);
        let barrier = |Barrier(kind): Barrier| &self.barriers[kind as usize];
        let rmw_rfi = seq(&self.rmw, &rfi);
        let all = union(&[
            &dp,
            &cut(&self.ctrl, |_, b| is_store(b)),
            &cut(&self.addr_po, |_, b| is_store(b)),
            &seq(&dp, &rfi),
            &cut(&self.ctrl_isync, |_, b| self.reads[b]),
            &self.rmw,
            &cut(&rmw_rfi, |_, b| self.annotated(b, ACQUIRE | ACQUIRE_PC)),
            barrier(ISH),
            &cut(barrier(ISHLD), |a, _| self.reads[a]),
            &cut(barrier(ISHST), |a, b| self.writes[a] && is_store(b)),
            &cut(&po, |a, b| self.annotated(a, RELEASE) && self.annotated(b, ACQUIRE)),
            &cut(&po, |a, _| self.annotated(a, ACQUIRE | ACQUIRE_PC)),
            &cut(&po, |_, b| self.annotated(b, RELEASE)),
            &cut(&po, |a, _| self.annotated(a, BOTH)),
            &cut(&self.po_loc, |a, b| self.writes[a] && self.writes[b]),
            &self.ordered,
        ]);
        cut(&all, |a, b| is_one(a) && is_one(b))
    }

    /// Commit-before.
    pub(super) fn arm_cb(&self) -> Matrix {
        let n = self.events.len();
        // A load that reads an own store comes after the loads between, and not after the store.
        let is_between = |a: usize, b: usize| {
            let own = (0..n).find(|&store| self.rf[store][b] && self.internal[store][b]);
            own.is_none_or(|store| self.events[store].index < self.events[a].index)
        };
        let follows = cut(&self.po_loc, |a, b| self.writes[b] || is_between(a, b));
        let rfe = self.external(&self.rf);
        closure(&union(&[&self.lob(true), &rfe, &self.ctrl, &self.addr_po, &self.addr, &self.data, &follows]))
    }

    /// Whether the axioms of AArch64 hold.
    pub(super) fn hold_on_arm(&self) -> bool {
        let com = union(&[&self.rf, &self.co, &self.fr]);
        let (rfe, fre, coe) = (self.external(&self.rf), self.external(&self.fr), self.external(&self.co));
        let between = seq(&fre, &coe);
        let ob = closure(&union(&[&rfe, &fre, &coe, &self.lob(false)]));
        irreflexive(&closure(&union(&[&self.po_loc, &com])))
            && relation(self.events.len(), |a, b| self.rmw[a][b] && between[a][b]).iter().flatten().all(|&pair| !pair)
            && irreflexive(&ob)
    }
}
