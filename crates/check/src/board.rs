//! What a search knows so far, for others to see: where it cannot end in good order, that is what is left of it.

use crate::outcome::Count;
use raddle_machine::Found;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts and faults of a search that is under way.
#[derive(Debug, Default)]
pub struct Board {
    executions: AtomicU64,
    blocked: AtomicU64,
    redundant: AtomicU64,
    events: AtomicU64,
    found: Mutex<Vec<Found>>,
}

impl Board {
    /// Nothing, as at the beginning of a search.
    pub const fn new() -> Board {
        Board {
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            redundant: AtomicU64::new(0),
            events: AtomicU64::new(0),
            found: Mutex::new(Vec::new()),
        }
    }

    /// The counts are these now.
    #[inline]
    pub(crate) fn post(&self, count: &Count) {
        self.executions.store(count.executions, Ordering::Relaxed);
        self.blocked.store(count.blocked, Ordering::Relaxed);
        self.redundant.store(count.redundant, Ordering::Relaxed);
        self.events.store(count.events, Ordering::Relaxed);
    }

    /// One more fault was found.
    pub(crate) fn post_fault(&self, found: &Found) {
        if let Ok(mut all) = self.found.lock() {
            all.push(found.clone());
        }
    }

    /// The search starts over, or another one begins.
    pub fn clear(&self) {
        self.post(&Count::default());
        if let Ok(mut all) = self.found.lock() {
            all.clear();
        }
    }

    /// What is known so far. Faults are left out while they are being written, by a thread that may never end that.
    pub fn read(&self) -> (Count, Vec<Found>) {
        let load = |n: &AtomicU64| n.load(Ordering::Relaxed);
        let (executions, blocked) = (load(&self.executions), load(&self.blocked));
        let count = Count { executions, blocked, redundant: load(&self.redundant), events: load(&self.events), not_robust: 0 };
        (count, self.found.try_lock().map(|found| found.clone()).unwrap_or_default())
    }
}
