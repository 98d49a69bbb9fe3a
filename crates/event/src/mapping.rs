//! What orders and fences become on a machine whose events are committed out of order: a table that a model hands to
//! whoever fetches its threads.
//!
//! The fetching counts barriers by their kind, and asks no more of them. What a barrier orders is the model's matter.

use crate::{Fence, Order};

/// A kind of barrier between accesses, by its number in the table of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Barrier(pub u8);

impl Barrier {
    /// How many kinds a model can tell apart.
    pub const KINDS: usize = 3;
}

/// What stands between what comes before and what comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Between {
    /// Neither waits for the other.
    Nothing,
    /// A barrier between accesses.
    Accesses(Barrier),
    /// What comes after is fetched anew once the branches before are decided (`isync`).
    Branches,
    /// The same, and once the addresses of the accesses before are known (`isb`).
    Fetches,
}

/// How compilers for AArch64 write read-modify-writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Atomics {
    /// As single instructions (the Large System Extensions).
    #[default]
    Lse,
    /// As loops of exclusive loads and stores.
    Exclusives,
}

/// What a model wants to know of an access beyond the barriers around it, as bits of its own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Annotation(pub u8);

impl Annotation {
    /// How many bits a model can use.
    pub const BITS: usize = 4;

    /// Whether it has a bit of another.
    #[inline]
    pub fn has(self, other: Annotation) -> bool {
        self.0 & other.0 != 0
    }
}

/// What an access is to its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The load of an instruction that only loads.
    Load,
    /// The store of an instruction that only stores.
    Store,
    /// The first half of a read-modify-write that is one instruction.
    RmwLoad,
    /// The second half of such a read-modify-write.
    RmwStore,
    /// A load that reserves its location.
    Reserve,
    /// A store that happens only while the reservation holds.
    Conditional,
}

/// The table of a model.
#[derive(Clone, Copy)]
pub struct Mapping {
    /// What a fence of the language or an instruction of some machine stands for.
    pub fence: fn(Fence) -> Between,
    /// What an order puts before the access that has it.
    pub lead: fn(Order) -> Between,
    /// Whether a read of this order is followed by a branch on what it has read and by [`Between::Branches`].
    pub trail: fn(Order) -> bool,
    /// What an order annotates the access with that has it.
    pub annotate: fn(Order, Half) -> Annotation,
    /// Whether what follows a compare-exchange depends by control on what it compares; otherwise it is one instruction,
    /// whose store happens or does not.
    pub compare_branches: bool,
}

impl Mapping {
    /// The table of a machine that runs in order, which needs none.
    pub const IN_ORDER: Mapping = Mapping {
        fence: |_| Between::Nothing,
        lead: |_| Between::Nothing,
        trail: |_| false,
        annotate: |_, _| Annotation(0),
        compare_branches: true,
    };
}
