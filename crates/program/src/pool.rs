//! The constants of a function while it is made or printed.
//!
//! A word is looked up as the first constant of its value, a pair as the first two neighbours of its values. Because
//! the parser and the [`crate::Builder`] both look constants up here, a literal in text finds the constant it was
//! printed for.

use rustc_hash::FxHashMap;

/// Constants in order, with the first place of each word and of each pair of neighbours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    values: Vec<u64>,
    words: FxHashMap<u64, u32>,
    pairs: FxHashMap<(u64, u64), u32>,
}

impl Pool {
    /// The pool of a finished function.
    pub fn of(values: &[u64]) -> Pool {
        let mut pool = Pool::default();
        values.iter().for_each(|&value| pool.push(value));
        pool
    }

    /// The constants in order.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// Appends a constant, even one that is there already.
    pub fn push(&mut self, value: u64) {
        let number = self.values.len() as u32;
        if let Some(&before) = self.values.last() {
            self.pairs.entry((before, value)).or_insert(number - 1);
        }
        self.words.entry(value).or_insert(number);
        self.values.push(value);
    }

    /// The number of a constant of this value.
    pub fn word(&mut self, value: u64) -> u32 {
        self.find_word(value).unwrap_or_else(|| {
            self.push(value);
            self.values.len() as u32 - 1
        })
    }

    /// The number of the first of two constants in a row.
    pub fn pair(&mut self, low: u64, high: u64) -> u32 {
        self.find_pair(low, high).unwrap_or_else(|| {
            self.push(low);
            self.push(high);
            self.values.len() as u32 - 2
        })
    }

    /// The number of the first constant of this value.
    pub fn find_word(&self, value: u64) -> Option<u32> {
        self.words.get(&value).copied()
    }

    /// The number of the first two neighbours of these values.
    pub fn find_pair(&self, low: u64, high: u64) -> Option<u32> {
        self.pairs.get(&(low, high)).copied()
    }
}
