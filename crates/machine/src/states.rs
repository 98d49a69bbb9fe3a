//! States that threads have been in: histories that lead to the same one go on as one.
//!
//! A counter that was read and written back is forgotten by the thread, but each value of it makes another history.
//! Behind the write they are the same, and need not be run again one by one. So a history tree is a tree only as far as
//! states differ.
//!
//! States are joined only behind an action that others can see. A spin loop is found by a look back along the history
//! ([`crate::spin`]), which ends at such an action; so what it finds does not depend on which of the histories was
//! there first. Nor are states joined on the way to which something was printed or published.

use crate::history::{History, HistoryId, Next};
use crate::snapshot::agree;
use crate::thread::Kept;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::rc::Rc;

/// The moments at which threads were in a state, by a hash of it: the newest for each.
#[derive(Default)]
pub(crate) struct States {
    steps: FxHashMap<u64, HistoryId>,
}

impl States {
    /// The moment at which a thread was in the same state and about to do the same.
    pub fn find(&self, history: &History, key: u64, kept: &Kept, next: &Next) -> Option<HistoryId> {
        let step = *self.steps.get(&key)?;
        let node = history.node(step);
        let known = node.kept.as_ref().filter(|known| !node.is_sealed && is_same(known, kept) && node.next == *next)?;
        debug_assert!(agree(known, kept), "other states are taken for the same");
        Some(step)
    }

    /// Remembers a moment.
    pub fn put(&mut self, key: u64, step: HistoryId) {
        self.steps.insert(key, step);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.steps.clear();
    }
}

/// A hash of a state: equal for states that are the same.
pub(crate) fn key(kept: &Kept) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(kept.replies.len());
    if let Some(top) = &kept.frames {
        hasher.write_u64((top.frame.function.0 as u64) << 32 | top.frame.at as u64);
        top.registers.iter().for_each(|&word| hasher.write_u64(word));
    }
    hasher.finish()
}

/// Whether two states are the same. Private memory and the frames below are compared by identity: where neither has
/// changed since the histories parted, they are shared.
fn is_same(a: &Kept, b: &Kept) -> bool {
    let frames = match (&a.frames, &b.frames) {
        (Some(a), Some(b)) => {
            let below = match (&a.below, &b.below) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                (None, None) => true,
                _ => false,
            };
            below && a.frame.is_same(&b.frame) && a.registers == b.registers
        }
        (None, None) => true,
        _ => false,
    };
    frames && Rc::ptr_eq(&a.store, &b.store) && a.replies == b.replies && a.counts == b.counts
}
