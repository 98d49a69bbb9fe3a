//! What a run prints, as it prints it, although a run may start over.
//!
//! A run starts over when something that was taken as private turns out to be shared, and may then take another course:
//! what is private takes no turn of the scheduler. So what is printed while there are several threads is held back, up
//! to a bound. What a single thread prints does not depend on the scheduler and is shown at once. A run that starts
//! over must print what was shown before, which is compared and not shown again.

use raddle_machine::{Piece, Stopping};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// How many bytes are held back at most.
const MOST_HELD: usize = 4 << 20;

/// What was printed.
pub(crate) struct Printed<'o> {
    show: &'o mut dyn FnMut(&[Piece]) -> bool,
    /// What was printed and is not shown yet.
    held: Vec<Piece>,
    n_held: usize,
    /// What was shown by the runs before this one, and what this one has printed of it.
    shown: Sum,
    again: Sum,
    /// Asked to stop the run when nobody reads what it prints, or it does not print again what was shown.
    stop: Stopping,
    pub is_unread: bool,
    pub is_another: bool,
}

/// So many bytes, with a hash of them and their streams.
#[derive(Clone, Copy, Default, PartialEq)]
struct Sum {
    n: u64,
    hash: u64,
}

impl Sum {
    fn add(&mut self, piece: &Piece, n: usize) {
        // Byte by byte: where pieces begin and end does not matter.
        for &byte in &piece.bytes[..n] {
            let mut hasher = FxHasher::default();
            hasher.write_u64(self.hash);
            hasher.write_u16((piece.stream as u16) << 8 | byte as u16);
            self.hash = hasher.finish();
        }
        self.n += n as u64;
    }
}

impl<'o> Printed<'o> {
    /// Nothing yet. `show` tells whether somebody still reads.
    pub fn new(show: &'o mut dyn FnMut(&[Piece]) -> bool, stop: Stopping) -> Printed<'o> {
        Printed {
            show,
            held: Vec::new(),
            n_held: 0,
            shown: Sum::default(),
            again: Sum::default(),
            stop,
            is_unread: false,
            is_another: false,
        }
    }

    /// Takes what a thread has printed; `alone` says whether it is the only one.
    pub fn take(&mut self, pieces: Vec<Piece>, alone: bool) {
        for mut piece in pieces {
            let left = (self.shown.n - self.again.n).min(piece.bytes.len() as u64) as usize;
            self.again.add(&piece, left);
            piece.bytes.drain(..left);
            self.is_another |= self.again.n == self.shown.n && self.again != self.shown;
            self.n_held += piece.bytes.len();
            self.held.extend(Some(piece).filter(|piece| !piece.bytes.is_empty()));
        }
        if alone || self.n_held > MOST_HELD {
            self.show();
        }
    }

    fn show(&mut self) {
        if !self.is_another && !self.held.is_empty() {
            self.is_unread |= !(self.show)(&self.held);
            self.held.iter().for_each(|piece| self.shown.add(piece, piece.bytes.len()));
            self.again = self.shown;
        }
        self.held.clear();
        self.n_held = 0;
        if self.is_unread || self.is_another {
            self.stop.ask();
        }
    }

    /// The run starts over.
    pub fn start_over(&mut self) {
        self.held.clear();
        (self.n_held, self.again) = (0, Sum::default());
    }

    /// The run is over.
    pub fn finish(&mut self) {
        self.is_another |= self.again.n < self.shown.n;
        self.show();
    }
}
