//! An alarm that ends a search in time: another thread watches the clock and the user, so that the search only looks at one flag.

use crate::outcome::Limit;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::{Scope, Thread};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const EVERY: Duration = Duration::from_millis(10);

const QUIET: u8 = 0;
const TIMEOUT: u8 = 1;
const INTERRUPTED: u8 = 2;

/// Rings when the time is up or the user wants to stop.
#[derive(Default)]
pub(crate) struct Alarm {
    reason: AtomicU8,
    is_over: AtomicBool,
}

impl Alarm {
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
            _ => Some(Limit::Interrupted),
        }
    }

    /// Watches until what is returned is dropped; only where there is something to watch for.
    pub fn set<'s>(&'s self, scope: &'s Scope<'s, '_>, timeout: Option<Duration>, interrupted: Option<&'s AtomicBool>) -> Watching<'s> {
        let started = Instant::now();
        let watch = move || {
            while !self.is_over.load(Ordering::Relaxed) {
                if interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    self.reason.store(INTERRUPTED, Ordering::Relaxed);
                    return;
                }
                if timeout.is_some_and(|limit| started.elapsed() >= limit) {
                    self.reason.store(TIMEOUT, Ordering::Relaxed);
                    return;
                }
                std::thread::park_timeout(EVERY);
            }
        };
        let is_needed = timeout.is_some() || interrupted.is_some();
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
