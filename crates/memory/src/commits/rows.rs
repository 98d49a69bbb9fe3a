//! Relations over committed events as rows of bits: for each event and relation the events that come before it.
//!
//! All rows have the same number of words, which doubles when more events are committed than fit.

use raddle_event::Position;
use std::marker::PhantomData;

/// The relations of a model that are kept as rows.
pub trait Relation: Copy {
    /// How many there are.
    const N: usize;

    /// The number of the relation among them.
    fn index(self) -> usize;
}

/// All rows.
#[derive(Clone, Debug)]
pub struct Rows<R> {
    words: usize,
    bits: Vec<u64>,
    /// Rows that were changed, as they were before, to be put back.
    saved: Vec<u64>,
    relations: PhantomData<R>,
}

impl<R> Default for Rows<R> {
    fn default() -> Self {
        Rows { words: 1, bits: Vec::new(), saved: Vec::new(), relations: PhantomData }
    }
}

/// Calls `f` for each number in a row. A macro, so that `f` may change other rows.
macro_rules! each {
    ($rows:expr, $of:expr, $relation:expr, |$number:ident| $body:expr) => {
        for word in 0..$rows.words() {
            let mut bits = $rows.word($of, $relation, word);
            while bits != 0 {
                let $number = Position((word * 64) as u32 + bits.trailing_zeros());
                bits &= bits - 1;
                $body
            }
        }
    };
}
pub(crate) use each;

/// Calls `f` for each number in a row, newest first, that is not in another row of the same event by then: `f` adds it
/// there, with all that comes before it, so that what comes before it need not be looked at. Where rows are not final
/// yet (`$all`), all are looked at.
macro_rules! newest {
    ($rows:expr, $all:expr, $of:expr, $relation:expr, $known:expr, |$number:ident| $body:expr) => {
        for word in (0..$rows.words()).rev() {
            let mut left = $rows.word($of, $relation, word);
            loop {
                if !$all {
                    left &= !$rows.word($of, $known, word);
                }
                if left == 0 {
                    break;
                }
                let bit = 63 - left.leading_zeros();
                left ^= 1 << bit;
                let $number = Position((word * 64) as u32 + bit);
                $body
            }
        }
    };
}
pub(crate) use newest;

impl<R: Relation> Rows<R> {
    /// How many words a row has.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    #[inline]
    fn start(&self, of: Position, relation: R) -> usize {
        (of.index() * R::N + relation.index()) * self.words
    }

    /// A word of a row.
    #[inline]
    pub fn word(&self, of: Position, relation: R, word: usize) -> u64 {
        self.bits[self.start(of, relation) + word]
    }

    /// A row.
    #[inline]
    pub fn row(&self, of: Position, relation: R) -> &[u64] {
        let start = self.start(of, relation);
        &self.bits[start..start + self.words]
    }

    /// Makes room for an event, with empty rows.
    pub fn open(&mut self, event: Position) {
        while event.index() >= 64 * self.words {
            self.widen();
        }
        let (start, end) = (event.index() * R::N * self.words, (event.index() + 1) * R::N * self.words);
        if self.bits.len() < end {
            self.bits.resize(end, 0);
        }
        self.bits[start..end].fill(0);
    }

    fn widen(&mut self) {
        for rows in [&mut self.bits, &mut self.saved] {
            let old = std::mem::take(rows);
            for row in old.chunks(self.words) {
                rows.extend_from_slice(row);
                rows.resize(rows.len() + self.words, 0);
            }
        }
        self.words *= 2;
    }

    /// Whether an event is in a row.
    #[inline]
    pub fn contains(&self, of: Position, relation: R, other: Position) -> bool {
        self.word(of, relation, other.index() / 64) >> (other.index() % 64) & 1 == 1
    }

    /// Puts an event into a row.
    #[inline]
    pub fn insert(&mut self, of: Position, relation: R, other: Position) {
        let start = self.start(of, relation);
        self.bits[start + other.index() / 64] |= 1 << (other.index() % 64);
    }

    /// Adds a row to a row.
    #[inline]
    pub fn add(&mut self, to: Position, relation: R, from: Position, other: R) {
        let (to, from) = (self.start(to, relation), self.start(from, other));
        // Most graphs have no more than 64 events.
        if self.words == 1 {
            self.bits[to] |= self.bits[from];
            return;
        }
        for word in 0..self.words {
            let more = self.bits[from + word];
            self.bits[to + word] |= more;
        }
    }

    /// Adds an event and a row of it to a row.
    #[inline]
    pub fn add_with(&mut self, to: Position, relation: R, from: Position, other: R) {
        self.add(to, relation, from, other);
        self.insert(to, relation, from);
    }

    /// Adds the part of a row that is in `mask` to a row.
    #[inline]
    pub fn add_masked(&mut self, to: Position, relation: R, from: Position, other: R, mask: &Bits) {
        let (to, from) = (self.start(to, relation), self.start(from, other));
        for word in 0..self.words {
            let more = self.bits[from + word] & mask.word(word);
            self.bits[to + word] |= more;
        }
    }

    /// A row as a set.
    pub fn bits(&self, of: Position, relation: R) -> Bits {
        Bits(self.row(of, relation).to_vec())
    }

    /// Adds a set to a row.
    #[inline]
    pub fn add_bits(&mut self, to: Position, relation: R, set: &Bits) {
        let start = self.start(to, relation);
        for word in 0..self.words.min(set.0.len()) {
            self.bits[start + word] |= set.0[word];
        }
    }

    /// Saves the rows of an event from one relation to another.
    pub fn save(&mut self, of: Position, first: R, last: R) {
        let rows = self.start(of, first)..self.start(of, last) + self.words;
        self.saved.extend_from_slice(&self.bits[rows]);
    }

    /// Puts back the rows that were saved last, which are these.
    pub fn restore(&mut self, of: Position, first: R, last: R) {
        let rows = self.start(of, first)..self.start(of, last) + self.words;
        let kept = self.saved.len() - rows.len();
        self.bits[rows].copy_from_slice(&self.saved[kept..]);
        self.saved.truncate(kept);
    }
}

/// A set of committed events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl AsRef<Bits> for Bits {
    fn as_ref(&self) -> &Bits {
        self
    }
}

impl Bits {
    /// Sixty-four of its events at once, by their numbers.
    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        self.0.get(word).copied().unwrap_or(0)
    }

    /// Whether an event is in it.
    #[inline]
    pub fn contains(&self, number: Position) -> bool {
        self.word(number.index() / 64) >> (number.index() % 64) & 1 == 1
    }

    /// Adds an event.
    pub fn insert(&mut self, number: Position) {
        let word = number.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number.index() % 64);
    }

    /// Takes an event out.
    pub fn remove(&mut self, number: Position) {
        if let Some(word) = self.0.get_mut(number.index() / 64) {
            *word &= !(1 << (number.index() % 64));
        }
    }

    /// Adds another set.
    pub fn add(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }
}
