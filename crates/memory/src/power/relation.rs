//! The relations of POWER that are kept as rows.

use crate::commits::rows;

/// A relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Relation {
    /// Direct edges of the preserved program order, between initiations and commits of instructions.
    Ii0,
    Ci0,
    Cc0,
    /// Their closure: initiation or commit of the first, initiation or commit of the second.
    Ii,
    Ic,
    Ci,
    Cc,
    /// Barriers: sync, and all of those that make happens-before.
    Sync,
    Fences,
    /// The direct predecessors in happens-before, and all of them.
    Hb0,
    Hb,
    /// prop-base, and its closure.
    Base,
    Bases,
    /// prop-base*; sync; hb*
    Strong,
    /// (prop-base ∩ W×W); hb*
    Weak,
    /// The direct predecessors in commit-before, and all of them.
    Cb0,
    Cb,
    /// In the propagation graph: which commits (`C`) and propagations (`A`) are ancestors of the commit of the event.
    CommitFromC,
    CommitFromA,
    /// The same for its propagation.
    PropagationFromC,
    PropagationFromA,
}

impl rows::Relation for Relation {
    const N: usize = Relation::PropagationFromA as usize + 1;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}
