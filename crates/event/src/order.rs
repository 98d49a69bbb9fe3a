//! The strength of accesses and fences, as the source says it. What they mean is the model's matter.

/// The memory order of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Not an atomic access.
    Plain,
    /// Not atomic, and what is read is only moved elsewhere: that it was never written is no fault.
    Copy,
    /// Atomic, and orders no other access.
    Relaxed,
    /// What comes after it in its thread stays after it.
    Acquire,
    /// What comes before it in its thread stays before it.
    Release,
    /// Both, for read-modify-writes.
    AcqRel,
    /// Both, and there is one order of all that are sequentially consistent.
    SeqCst,
}

impl Order {
    /// Every order with its word in text.
    pub const ALL: [(Order, &'static str); 7] = [
        (Order::Plain, "plain"),
        (Order::Copy, "copy"),
        (Order::Relaxed, "relaxed"),
        (Order::Acquire, "acquire"),
        (Order::Release, "release"),
        (Order::AcqRel, "acq_rel"),
        (Order::SeqCst, "seq_cst"),
    ];

    /// Its word in text.
    pub fn word(self) -> &'static str {
        Order::ALL.iter().find(|(order, _)| *order == self).map_or("", |(_, word)| word)
    }

    /// Whether the access is atomic.
    pub fn is_atomic(self) -> bool {
        !matches!(self, Order::Plain | Order::Copy)
    }

    /// Whether what the access writes is a release.
    pub fn is_release(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// Whether what the access reads is an acquire.
    pub fn is_acquire(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }
}

/// A fence of C11 or a barrier instruction of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fence {
    /// Orders nothing at run time: `asm volatile("" ::: "memory")` or a signal fence.
    Compiler,
    /// `atomic_thread_fence` with acquire: loads before it, and all that comes after it.
    Acquire,
    /// `atomic_thread_fence` with release: all that comes before it, and stores after it.
    Release,
    /// `atomic_thread_fence` with both.
    AcqRel,
    /// `atomic_thread_fence` with seq_cst: a full fence.
    SeqCst,
    /// x86: a full fence.
    Mfence,
    /// x86: orders loads, which x86 does anyway.
    Lfence,
    /// x86: orders stores, which x86 does anyway.
    Sfence,
    /// POWER: a full fence.
    Sync,
    /// POWER: orders all but a store before a load after it.
    Lwsync,
    /// POWER: orders stores.
    Eieio,
    /// POWER: what comes after it waits until the branches before it are decided.
    Isync,
    /// ARM: a full fence, as `dmb` or `dsb`.
    Dmb,
    /// ARM: loads before it, and all that comes after it.
    DmbLd,
    /// ARM: orders stores.
    DmbSt,
    /// ARM: what comes after it is fetched anew once the branches and addresses before it are known.
    Isb,
}

impl Fence {
    /// Whether loads before it come before what follows it.
    pub fn is_acquire(self) -> bool {
        use Fence::{AcqRel, Acquire, Dmb, DmbLd, Lfence, Lwsync, Mfence, SeqCst, Sync};
        matches!(self, Acquire | AcqRel | SeqCst | Mfence | Lfence | Sync | Lwsync | Dmb | DmbLd)
    }

    /// Whether stores after it come after the stores before it.
    pub fn is_release(self) -> bool {
        use Fence::{AcqRel, Dmb, DmbSt, Eieio, Lwsync, Mfence, Release, SeqCst, Sfence, Sync};
        matches!(self, Release | AcqRel | SeqCst | Mfence | Sfence | Sync | Lwsync | Eieio | Dmb | DmbSt)
    }

    /// Whether it orders everything: one of C11's seq_cst fences, or a barrier of a machine that does.
    pub fn is_full(self) -> bool {
        matches!(self, Fence::SeqCst | Fence::Mfence | Fence::Sync | Fence::Dmb)
    }

    /// Its word in text.
    pub fn word(self) -> &'static str {
        Fence::ALL.iter().find(|(fence, _)| *fence == self).map_or("", |(_, word)| word)
    }

    /// Every fence with its word in text.
    pub const ALL: [(Fence, &'static str); 16] = [
        (Fence::Compiler, "compiler"),
        (Fence::Acquire, "acquire"),
        (Fence::Release, "release"),
        (Fence::AcqRel, "acq_rel"),
        (Fence::SeqCst, "seq_cst"),
        (Fence::Mfence, "mfence"),
        (Fence::Lfence, "lfence"),
        (Fence::Sfence, "sfence"),
        (Fence::Sync, "sync"),
        (Fence::Lwsync, "lwsync"),
        (Fence::Eieio, "eieio"),
        (Fence::Isync, "isync"),
        (Fence::Dmb, "dmb"),
        (Fence::DmbLd, "dmb.ld"),
        (Fence::DmbSt, "dmb.st"),
        (Fence::Isb, "isb"),
    ];
}
