//! What a search knows so far, for others to see: where it cannot end in good order, that is what is left of it.

use crate::divide::MOST_WORKERS;
use crate::outcome::Count;
use crate::tally::is_known;
use raddle_machine::Found;
use raddle_program::Program;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts and faults of a search that is under way.
#[derive(Debug)]
pub struct Board {
    /// The counts of each worker.
    counts: [Counts; MOST_WORKERS],
    found: Mutex<Vec<Found>>,
    shares: [AtomicU64; 3],
}

/// How an exploration is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// How many workers there are.
    pub workers: u64,
    /// How many parts of the exploration are not over.
    pub open: u64,
    /// How many parts are over.
    pub done: u64,
}

/// The counts of a worker, apart from those of others in memory.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Counts {
    executions: AtomicU64,
    blocked: AtomicU64,
    redundant: AtomicU64,
    events: AtomicU64,
}

impl Counts {
    const fn new() -> Counts {
        Counts { executions: AtomicU64::new(0), blocked: AtomicU64::new(0), redundant: AtomicU64::new(0), events: AtomicU64::new(0) }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

impl Board {
    /// Nothing, as at the beginning of a search.
    pub const fn new() -> Board {
        Board { counts: [const { Counts::new() }; MOST_WORKERS], found: Mutex::new(Vec::new()), shares: [const { AtomicU64::new(0) }; 3] }
    }

    /// The counts of a worker are these now.
    #[inline]
    pub(crate) fn post(&self, worker: usize, count: &Count) {
        let Counts { executions, blocked, redundant, events } = &self.counts[worker];
        executions.store(count.executions, Ordering::Relaxed);
        blocked.store(count.blocked, Ordering::Relaxed);
        redundant.store(count.redundant, Ordering::Relaxed);
        events.store(count.events, Ordering::Relaxed);
    }

    /// The search starts over: nothing is counted.
    pub(crate) fn restart(&self) {
        (0..MOST_WORKERS).for_each(|worker| self.post(worker, &Count::default()));
        self.post_shares(Shares::default());
    }

    /// A fault was found; perhaps one that another worker has found too.
    pub(crate) fn post_fault(&self, program: &Program, found: &Found) {
        if let Ok(mut all) = self.found.lock()
            && !is_known(program, &all, found.kind, &found.moment)
        {
            all.push(found.clone());
        }
    }

    /// The exploration is shared so now.
    pub(crate) fn post_shares(&self, Shares { workers, open, done }: Shares) {
        self.shares.iter().zip([workers, open, done]).for_each(|(at, n)| at.store(n, Ordering::Relaxed));
    }

    /// How the exploration is shared; nobody shares one that was not divided.
    pub fn shares(&self) -> Shares {
        let [workers, open, done] = self.shares.each_ref().map(|n| n.load(Ordering::Relaxed));
        Shares { workers, open, done }
    }

    /// The search starts over, or another one begins.
    pub fn clear(&self) {
        self.restart();
        if let Ok(mut all) = self.found.lock() {
            all.clear();
        }
    }

    /// What is known so far. Faults are left out while they are being written, by a thread that may never end that.
    pub fn read(&self) -> (Count, Vec<Found>) {
        let load = |n: &AtomicU64| n.load(Ordering::Relaxed);
        let mut count = Count::default();
        for Counts { executions, blocked, redundant, events } in &self.counts {
            let (executions, blocked) = (load(executions), load(blocked));
            count.add(&Count { executions, blocked, redundant: load(redundant), events: load(events), not_robust: 0 });
        }
        (count, self.found.try_lock().map(|found| found.clone()).unwrap_or_default())
    }
}
