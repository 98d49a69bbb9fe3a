//! Where workers meet: the parts of an exploration that wait for somebody, and for answers.
//!
//! A worker takes a part, and gives away some of what it has when another waits for work. A part that has given
//! something away may have to wait for the answer; then it is put here, and its worker takes another.

use crate::board::{Board, Shares};
use crate::parts::{PartId, Parts};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// The parts of an exploration.
pub(crate) struct Hall<'b, U, A> {
    state: Mutex<State<U, A>>,
    bell: Condvar,
    /// How many workers wait for work that is not there.
    wanting: AtomicIsize,
    /// Whether nobody needs to work any more.
    is_over: AtomicBool,
    /// Whether that is so because somebody broke off.
    is_broken: AtomicBool,
    /// Where others see how the exploration is shared, and how many workers there are.
    shown: (Option<&'b Board>, u64),
}

struct State<U, A> {
    parts: Parts<U, A>,
    n_waiting: usize,
}

/// What came for a part.
pub(crate) enum Mail<A> {
    Answers(Vec<A>),
    /// Nothing yet: the part waits here.
    Waits,
}

impl<'b, U, A> Hall<'b, U, A> {
    /// One part, which is all. How it is shared is shown on the board, with the number of workers.
    pub fn new(unit: U, shown: (Option<&'b Board>, u64)) -> Hall<'b, U, A> {
        let state = State { parts: Parts::new(unit), n_waiting: 0 };
        let (wanting, is_over, is_broken) = (AtomicIsize::new(0), AtomicBool::new(false), AtomicBool::new(false));
        Hall { state: Mutex::new(state), bell: Condvar::new(), wanting, is_over, is_broken, shown }
    }

    fn state(&self) -> MutexGuard<'_, State<U, A>> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn update(&self, state: &State<U, A>) {
        self.wanting.store(state.n_waiting as isize - state.parts.n_ready() as isize, Ordering::Relaxed);
        if let (Some(board), workers) = self.shown {
            let (open, done) = state.parts.n_open_and_done();
            board.post_shares(Shares { workers, open, done });
        }
    }

    /// Whether somebody waits for work.
    #[inline]
    pub fn is_wanting(&self) -> bool {
        self.wanting.load(Ordering::Relaxed) > 0
    }

    /// Whether nobody needs to work any more.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Whether somebody broke off.
    pub fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// The exploration ends here.
    pub fn break_off(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
        self.end();
    }

    /// Does the work; where that fails, the exploration ends.
    pub fn until_broken<T>(&self, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        work().inspect_err(|_| self.break_off())
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _state = self.state();
        self.bell.notify_all();
    }

    /// The next part for a worker who has none; nothing when all is done.
    pub fn take(&self) -> Option<(PartId, U)> {
        let mut state = self.state();
        loop {
            if self.is_over() {
                return None;
            }
            if let Some(next) = state.parts.take() {
                self.update(&state);
                return Some(next);
            }
            if state.parts.is_done() {
                self.is_over.store(true, Ordering::Relaxed);
                self.bell.notify_all();
                return None;
            }
            state.n_waiting += 1;
            self.update(&state);
            state = self.bell.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
            state.n_waiting -= 1;
            self.update(&state);
        }
    }

    /// A part gives something away.
    pub fn give(&self, from: PartId, unit: U) {
        let mut state = self.state();
        state.parts.give(from, unit);
        self.update(&state);
        self.bell.notify_one();
    }

    /// Whether somebody has given a part away.
    pub fn is_given(&self, part: PartId) -> bool {
        self.state().parts.is_given(part)
    }

    /// Nothing is left of a part: whoever has given it away gets the answer.
    pub fn finish(&self, part: PartId, answer: Option<A>) {
        let mut state = self.state();
        if state.parts.finish(part, answer) {
            self.bell.notify_one();
        }
        self.update(&state);
    }

    /// What came for a part. Where nothing did, it is written down and waits here.
    pub fn mail(&self, part: PartId, write_down: &mut dyn FnMut() -> U) -> Mail<A> {
        if self.state().parts.has_no_mail(part) {
            let unit = write_down();
            if self.state().parts.put_to_sleep(part, unit) {
                return Mail::Waits;
            }
        }
        Mail::Answers(self.state().parts.take_mail(part))
    }
}
