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
    Nothing,
    /// A barrier between accesses.
    Accesses(Barrier),
    /// What comes after is fetched anew once the branches before are decided (`isync`, `isb`).
    Branches,
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
}

impl Mapping {
    /// The table of a machine that runs in order, which needs none.
    pub const IN_ORDER: Mapping = Mapping { fence: |_| Between::Nothing, lead: |_| Between::Nothing, trail: |_| false };
}
