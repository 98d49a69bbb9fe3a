//! The relations of AArch64 that are kept as rows.

use crate::commits::rows;

/// A relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Relation {
    /// The direct predecessors in ordered-before, but for coherence and from-reads; and all predecessors.
    Ob0,
    Ob,
    /// The direct predecessors in commit-before, and all of them.
    Cb0,
    Cb,
}

impl rows::Relation for Relation {
    const N: usize = Relation::Cb as usize + 1;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}
