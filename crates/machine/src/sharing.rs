//! What an exploration has taught: which objects are shared, by the site that makes them, and where copies of bytes must be cut.
//!
//! An object is private to its thread until another thread is seen to access it. Then its *site* is shared from
//! the start, and the exploration starts over: what was judged private before has been contradicted. So the judgement is never trusted
//! beyond what was seen, and each site costs at most one new start.

use raddle_event::Range;
use raddle_program::{FunctionId, GlobalId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What makes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// An instruction: a local variable or a call of an allocator.
    Code(FunctionId, u32),
}

/// The sites known to be shared, the addresses at which copies of shared bytes are cut because other accesses begin or
/// end there, and the ranges that several threads write, so that a loop that writes there does not wait
/// ([`crate::owners`]).
///
/// A new cut is not made before the exploration starts over: a copy under way is run again with its answers so far, and must have the same pieces.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    shared: FxHashSet<Site>,
    cuts: BTreeSet<u64>,
    /// Cuts that are made when the exploration starts over.
    new_cuts: BTreeSet<u64>,
    contested: BTreeSet<Range>,
}

impl Sites {
    /// Whether objects of the site are shared.
    pub fn contains(&self, site: Site) -> bool {
        self.shared.contains(&site)
    }

    /// Makes a site shared; tells whether it was not before.
    pub fn share(&mut self, site: Site) -> bool {
        self.shared.insert(site)
    }

    /// The shared sites, sorted.
    pub fn sorted(&self) -> Vec<Site> {
        let mut all: Vec<Site> = self.shared.iter().copied().collect();
        all.sort();
        all
    }

    /// Cuts copies at an address, once the exploration starts over.
    pub fn cut(&mut self, address: u64) {
        if !self.cuts.contains(&address) {
            self.new_cuts.insert(address);
        }
    }

    /// Whether there are cuts that are not made yet.
    pub fn has_new_cuts(&self) -> bool {
        !self.new_cuts.is_empty()
    }

    /// The exploration starts over.
    pub(crate) fn make_cuts(&mut self) {
        self.cuts.append(&mut self.new_cuts);
    }

    /// The addresses at which copies are cut, sorted.
    pub fn cuts(&self) -> impl Iterator<Item = u64> + '_ {
        self.cuts.union(&self.new_cuts).copied()
    }

    /// The first cut inside a range, if one is made there.
    pub fn first_cut(&self, range: Range) -> Option<u64> {
        self.cuts.range(range.start.0 + 1..range.end()).next().copied()
    }

    /// Says that several threads write to a range.
    pub fn contest(&mut self, range: Range) {
        self.contested.insert(range);
    }

    /// The ranges that several threads write, as far as that mattered.
    pub fn contested(&self) -> &BTreeSet<Range> {
        &self.contested
    }

    /// How much is known, cuts aside that are not made yet.
    pub fn len(&self) -> usize {
        self.shared.len() + self.cuts.len() + self.contested.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && !self.has_new_cuts()
    }
}
