//! What C11 orders and fences become on POWER, written down a second time, from docs/models/power.md: the judge asks no
//! model that it judges.

use raddle_event::{Annotation, Barrier, Between, Fence, Mapping, Order};

pub(super) const EIEIO: Barrier = Barrier(0);
pub(super) const LWSYNC: Barrier = Barrier(1);
pub(super) const SYNC: Barrier = Barrier(2);

/// One row for each fence, and for each order.
pub(super) const MAPPING: Mapping = Mapping {
    fence: |fence| match fence {
        Fence::Compiler => Between::Nothing,
        Fence::Acquire => Between::Accesses(LWSYNC),
        Fence::Release => Between::Accesses(LWSYNC),
        Fence::AcqRel => Between::Accesses(LWSYNC),
        Fence::SeqCst => Between::Accesses(SYNC),
        Fence::Mfence => Between::Accesses(SYNC),
        Fence::Lfence => Between::Accesses(LWSYNC),
        Fence::Sfence => Between::Accesses(EIEIO),
        Fence::Sync => Between::Accesses(SYNC),
        Fence::Lwsync => Between::Accesses(LWSYNC),
        Fence::Eieio => Between::Accesses(EIEIO),
        Fence::Isync => Between::Branches,
        Fence::Dmb => Between::Accesses(SYNC),
        Fence::DmbLd => Between::Accesses(LWSYNC),
        Fence::DmbSt => Between::Accesses(EIEIO),
        Fence::Isb => Between::Branches,
    },
    lead: |order| match order {
        Order::Plain | Order::Copy | Order::Relaxed | Order::Acquire => Between::Nothing,
        Order::Release | Order::AcqRel => Between::Accesses(LWSYNC),
        Order::SeqCst => Between::Accesses(SYNC),
    },
    trail: |order| match order {
        Order::Plain | Order::Copy | Order::Relaxed | Order::Release => false,
        Order::Acquire | Order::AcqRel | Order::SeqCst => true,
    },
    annotate: |_, _| Annotation(0),
    compare_branches: true,
};
