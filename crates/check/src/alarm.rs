//! An alarm that ends a search in time: another thread watches the clock and the user, so that the search only looks at
//! one flag.

use crate::outcome::Limit;
use raddle_machine::Stopping;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::{Scope, Thread};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const EVERY: Duration = Duration::from_millis(10);

const QUIET: u8 = 0;
const TIMEOUT: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPTED: u8 = 3;

/// What there is to watch for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alarms<'o> {
    pub timeout: Option<Duration>,
    pub interrupted: Option<&'o AtomicBool>,
    /// Set when there is no more memory, and how many megabytes there may be.
    pub out_of_memory: Option<(&'o AtomicBool, u64)>,
}

/// Rings when the time is up, memory is used up or the user wants to stop.
#[derive(Default)]
pub(crate) struct Alarm {
    reason: AtomicU8,
    is_over: AtomicBool,
    megabytes: u64,
    /// The same for threads that run without a visible action.
    pub stop: Stopping,
}

impl Alarm {
    /// One that does not ring yet.
    pub fn new(watched: &Alarms) -> Alarm {
        Alarm { megabytes: watched.out_of_memory.map_or(0, |(_, most)| most), ..Alarm::default() }
    }

    /// Whether the search must end.
    #[inline]
    pub fn is_ringing(&self) -> bool {
        self.reason.load(Ordering::Relaxed) != QUIET
    }

    /// Why the search must end, if it must.
    #[inline]
    pub fn rings(&self) -> Option<Limit> {
        match self.reason.load(Ordering::Relaxed) {
            QUIET => None,
            TIMEOUT => Some(Limit::Timeout),
            MEMORY => Some(Limit::Memory(self.megabytes)),
            _ => Some(Limit::Interrupted),
        }
    }

    /// Watches until what is returned is dropped; only where there is something to watch for.
    pub fn set<'s>(&'s self, scope: &'s Scope<'s, '_>, watched: Alarms<'s>) -> Watching<'s> {
        let started = Instant::now();
        let Alarms { timeout, interrupted, out_of_memory } = watched;
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let reason = move || match () {
            () if interrupted.is_some_and(is_set) => INTERRUPTED,
            () if timeout.is_some_and(|limit| started.elapsed() >= limit) => TIMEOUT,
            () if out_of_memory.is_some_and(|(flag, _)| is_set(flag)) => MEMORY,
            () => QUIET,
        };
        let watch = move || {
            while !self.is_over.load(Ordering::Relaxed) {
                let reason = reason();
                if reason != QUIET {
                    self.reason.store(reason, Ordering::Relaxed);
                    return self.stop.ask();
                }
                std::thread::park_timeout(EVERY);
            }
        };
        let is_needed = timeout.is_some() || interrupted.is_some() || out_of_memory.is_some();
        Watching { alarm: self, thread: is_needed.then(|| scope.spawn(watch).thread().clone()) }
    }
}

/// The alarm is on. It goes off when the search is over, in whatever way.
pub(crate) struct Watching<'s> {
    alarm: &'s Alarm,
    thread: Option<Thread>,
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.alarm.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = &self.thread {
            thread.unpark();
        }
    }
}
