//! Threads that were found to wait, so that they are not asked again before something has happened to what they wait
//! for.

use raddle_event::{LocationId, ThreadId};

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Awaited(u32);

impl Awaited {
    const NOTHING: Awaited = Awaited(u32::MAX);

    /// The end of another thread.
    pub const END: Awaited = Awaited(u32::MAX - 1);

    /// Another value of a location.
    pub fn value(at: LocationId) -> Awaited {
        Awaited(at.0)
    }
}

/// The threads that wait, and what each waits for.
#[derive(Default)]
pub struct Waiters {
    awaited: Vec<Awaited>,
    /// No thread before this one can go on.
    first: usize,
}

impl Waiters {
    /// A thread waits.
    pub fn put(&mut self, thread: ThreadId, awaited: Awaited) {
        if self.awaited.len() <= thread.index() {
            self.awaited.resize(thread.index() + 1, Awaited::NOTHING);
        }
        self.awaited[thread.index()] = awaited;
    }

    /// Whether a thread still waits.
    #[inline]
    pub fn has(&self, thread: usize) -> bool {
        self.awaited.get(thread).is_some_and(|&awaited| awaited != Awaited::NOTHING)
    }

    /// The first thread that may be able to go on.
    pub fn first(&self) -> usize {
        self.first
    }

    /// None of the threads before this one can go on.
    pub fn skip_to(&mut self, thread: ThreadId) {
        self.first = thread.index();
    }

    /// A thread may be able to go on.
    #[inline]
    fn start(&mut self, thread: ThreadId) {
        self.first = self.first.min(thread.index());
        if let Some(awaited) = self.awaited.get_mut(thread.index()) {
            *awaited = Awaited::NOTHING;
        }
    }

    /// Something has happened to what threads may wait for.
    #[inline]
    pub fn wake(&mut self, happened: Awaited) {
        for thread in 0..self.awaited.len() {
            if self.awaited[thread] == happened {
                self.start(ThreadId(thread as u32));
            }
        }
    }

    /// Anything may have happened.
    #[inline]
    pub fn wake_all(&mut self) {
        self.awaited.clear();
        self.first = 0;
    }
}
