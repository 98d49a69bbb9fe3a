//! What C11 orders and fences become on AArch64: the mapping of compilers, with and without the atomic instructions of
//! LSE.
//!
//! | order | load | store | read-modify-write |
//! |---|---|---|---|
//! | plain, relaxed | `LDR` | `STR` | `LDADD`, `SWP`, `CAS`, ... |
//! | acquire | `LDAPR` | | with `A` |
//! | release | | `STLR` | with `L` |
//! | acq_rel | | | with `A` and `L` |
//! | seq_cst | `LDAR` | `STLR` | with `A` and `L` |
//!
//! Barriers of other machines stand for the weakest barrier of AArch64 that orders as much.

use raddle_event::{Annotation, Barrier, Between, Fence, Half, Mapping, Order};

pub(super) const DMB: Barrier = Barrier(0);
pub(super) const DMB_LD: Barrier = Barrier(1);
pub(super) const DMB_ST: Barrier = Barrier(2);

/// An acquire: `LDAR`, `LDAXR`, and the loads of atomic instructions with `A`.
pub(super) const A: Annotation = Annotation(1);
/// The weaker acquire of `LDAPR`.
pub(super) const Q: Annotation = Annotation(2);
/// Either of them.
pub(super) const A_OR_Q: Annotation = Annotation(A.0 | Q.0);
/// A release: `STLR`, `STLXR`, and the stores of atomic instructions with `L`.
pub(super) const L: Annotation = Annotation(4);
/// The store of an atomic instruction with both `A` and `L`.
pub(super) const AL: Annotation = Annotation(8);

/// The table where read-modify-writes are single instructions.
pub const LSE: Mapping = Mapping { fence, lead: |_| Between::Nothing, trail: |_| false, annotate, compare_branches: false };

/// The table where they are loops of exclusive loads and stores.
pub const LLSC: Mapping = Mapping { annotate: annotate_exclusive, compare_branches: true, ..LSE };

fn fence(fence: Fence) -> Between {
    match fence {
        Fence::Compiler => Between::Nothing,
        Fence::SeqCst | Fence::AcqRel | Fence::Release | Fence::Mfence | Fence::Sync | Fence::Lwsync | Fence::Dmb => Between::Accesses(DMB),
        Fence::Acquire | Fence::Lfence | Fence::DmbLd => Between::Accesses(DMB_LD),
        Fence::Sfence | Fence::Eieio | Fence::DmbSt => Between::Accesses(DMB_ST),
        Fence::Isync | Fence::Isb => Between::Fetches,
    }
}

fn annotate(order: Order, half: Half) -> Annotation {
    match half {
        Half::Load if order == Order::SeqCst => A,
        Half::Load if order.is_acquire() => Q,
        Half::RmwLoad | Half::Reserve if order.is_acquire() => A,
        Half::RmwStore if order.is_acquire() && order.is_release() => Annotation(L.0 | AL.0),
        Half::Store | Half::RmwStore | Half::Conditional if order.is_release() => L,
        _ => Annotation::default(),
    }
}

fn annotate_exclusive(order: Order, half: Half) -> Annotation {
    match half {
        Half::RmwStore => annotate(order, Half::Conditional),
        _ => annotate(order, half),
    }
}
