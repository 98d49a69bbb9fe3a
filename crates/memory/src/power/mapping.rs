//! What C11 orders and fences become on POWER: the leading-sync mapping of compilers.
//!
//! | order of an access | before it | after it, where it reads |
//! |---|---|---|
//! | seq_cst | sync | branch on what was read, isync |
//! | acq_rel | lwsync | branch on what was read, isync |
//! | release | lwsync | |
//! | acquire | | branch on what was read, isync |
//!
//! Barriers of other machines stand for the weakest barrier of POWER that orders as much.

use raddle_event::{Annotation, Barrier, Between, Fence, Mapping, Order};

pub(super) const SYNC: Barrier = Barrier(0);
pub(super) const LWSYNC: Barrier = Barrier(1);
pub(super) const EIEIO: Barrier = Barrier(2);

/// The table of POWER.
pub const MAPPING: Mapping =
    Mapping { fence, lead, trail: Order::is_acquire, annotate: |_, _| Annotation::default(), compare_branches: true };

fn fence(fence: Fence) -> Between {
    match fence {
        Fence::Compiler => Between::Nothing,
        Fence::Sync | Fence::SeqCst | Fence::Mfence | Fence::Dmb => Between::Accesses(SYNC),
        Fence::Lwsync | Fence::Acquire | Fence::Release | Fence::AcqRel | Fence::Lfence | Fence::DmbLd => Between::Accesses(LWSYNC),
        Fence::Eieio | Fence::Sfence | Fence::DmbSt => Between::Accesses(EIEIO),
        Fence::Isync | Fence::Isb => Between::Branches,
    }
}

fn lead(order: Order) -> Between {
    match order {
        Order::SeqCst => Between::Accesses(SYNC),
        Order::Release | Order::AcqRel => Between::Accesses(LWSYNC),
        Order::Plain | Order::Copy | Order::Relaxed | Order::Acquire => Between::Nothing,
    }
}
