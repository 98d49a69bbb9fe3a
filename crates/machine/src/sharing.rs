//! Which objects are shared, by the site that makes them.
//!
//! An object is private to its thread until another thread is seen to access it. Then its *site* is shared from
//! the start, and the exploration starts over: what was judged private before has been contradicted. So the judgement is never trusted
//! beyond what was seen, and each site costs at most one new start.

use raddle_program::{FunctionId, GlobalId};
use rustc_hash::FxHashSet;

/// What makes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// An instruction: a local variable or a call of an allocator.
    Code(FunctionId, u32),
}

/// The sites known to be shared.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    shared: FxHashSet<Site>,
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

    /// How many sites are shared.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether no site is shared.
    pub fn is_empty(&self) -> bool {
        self.shared.is_empty()
    }
}
