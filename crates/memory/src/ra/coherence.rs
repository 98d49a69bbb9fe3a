//! What is forced of the coherence order of one variable.
//!
//! A read-modify-write stands right after the write that it reads from. So the writes of a variable form *blocks*: a
//! plain write (or the initial value), then the read-modify-write that reads from it, then the one that reads from
//! that, and so on. No other write comes in between; hence when one write of a block comes before one of another block,
//! the whole block comes before the whole other one. What is forced is therefore an order of blocks, and this keeps its
//! transitive closure: for each block the set of blocks before it.
//!
//! Saturation (Abdulla, Atig, Jonsson, Ngo, OOPSLA 2018, definition 4.1) says which pairs to put in: a write that
//! happens before an access comes before the write that the access writes or reads from. See docs/models/ra.md.

/// The number of a block of one variable; 0 is that of the initial value.
pub type Block = u32;

/// The blocks of a variable and which come before which.
pub struct Coherence {
    /// How many words a row has.
    words: usize,
    /// For each block the set of blocks that come before it.
    before: Vec<u64>,
    /// How many writes each block has.
    lengths: Vec<u32>,
}

/// Rows as they were, to take back changes.
#[derive(Default)]
pub struct Log {
    changes: Vec<(u32, Block)>,
    words: Vec<u64>,
    sizes: Vec<u32>,
}

impl Log {
    /// How many changes there are.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// The variable whose row was changed last, and the block.
    pub fn last(&self) -> Option<(u32, Block)> {
        self.changes.last().copied()
    }

    fn push(&mut self, variable: u32, block: Block, row: &[u64]) {
        self.changes.push((variable, block));
        self.words.extend_from_slice(row);
        self.sizes.push(row.len() as u32);
    }
}

impl Default for Coherence {
    fn default() -> Coherence {
        Coherence { words: 1, before: vec![0], lengths: vec![1] }
    }
}

impl Coherence {
    /// The blocks that come before a block, as a set of bits.
    #[inline]
    pub fn before(&self, block: Block) -> &[u64] {
        &self.before[block as usize * self.words..(block as usize + 1) * self.words]
    }

    /// Whether a block comes before another one.
    #[inline]
    pub fn is_before(&self, first: Block, second: Block) -> bool {
        contains(self.before(second), first)
    }

    /// How many writes a block has.
    #[inline]
    pub fn length(&self, block: Block) -> u32 {
        self.lengths[block as usize]
    }

    /// A read-modify-write joins a block as its last write.
    pub fn lengthen(&mut self, block: Block) {
        self.lengths[block as usize] += 1;
    }

    /// Takes back [`Coherence::lengthen`].
    pub fn shorten(&mut self, block: Block) {
        self.lengths[block as usize] -= 1;
    }

    /// A plain write begins a block. The initial value comes before it.
    pub fn push(&mut self) -> Block {
        let block = self.lengths.len() as Block;
        if block as usize >= self.words * 64 {
            self.widen();
        }
        self.lengths.push(1);
        self.before.resize(self.lengths.len() * self.words, 0);
        self.before[block as usize * self.words] = 1;
        block
    }

    /// Takes back [`Coherence::push`].
    pub fn pop(&mut self) {
        self.lengths.pop();
        self.before.truncate(self.lengths.len() * self.words);
    }

    fn widen(&mut self) {
        let words = self.words * 2;
        let mut before = vec![0; self.lengths.len() * words];
        for n in 0..self.lengths.len() {
            before[n * words..n * words + self.words].copy_from_slice(&self.before[n * self.words..(n + 1) * self.words]);
        }
        (self.before, self.words) = (before, words);
    }

    /// Puts `first`, and all that comes before it, before the newest block, after which nothing comes yet.
    pub fn precede_newest(&mut self, first: Block) {
        let newest = self.lengths.len() - 1;
        let (earlier, row) = self.before.split_at_mut(newest * self.words);
        let from = &earlier[first as usize * self.words..(first as usize + 1) * self.words];
        row.iter_mut().zip(from).for_each(|(mine, theirs)| *mine |= theirs);
        row[first as usize / 64] |= 1 << (first % 64);
    }

    /// Puts `first`, and all that comes before it, before `second` and all that comes after that. `second` must not
    /// come before `first`.
    pub fn precede(&mut self, first: Block, second: Block, variable: u32, log: &mut Log) {
        debug_assert!(first != second && !self.is_before(second, first), "coherence stays an order");
        if self.is_before(first, second) {
            return;
        }
        for block in 0..self.lengths.len() as Block {
            if block == second || self.is_before(second, block) {
                log.push(variable, block, self.before(block));
                for word in 0..self.words {
                    self.before[block as usize * self.words + word] |= self.before[first as usize * self.words + word];
                }
                self.before[block as usize * self.words + first as usize / 64] |= 1 << (first % 64);
            }
        }
    }

    /// Takes back the newest change in the log, which is one of this variable.
    pub fn restore(&mut self, log: &mut Log) {
        let (Some((_, block)), Some(size)) = (log.changes.pop(), log.sizes.pop()) else { return };
        let start = log.words.len() - size as usize;
        let row = &mut self.before[block as usize * self.words..(block as usize + 1) * self.words];
        row.fill(0);
        row[..size as usize].copy_from_slice(&log.words[start..]);
        log.words.truncate(start);
    }
}

/// Whether a set of blocks has a block.
#[inline]
pub fn contains(set: &[u64], block: Block) -> bool {
    set[block as usize / 64] & (1 << (block % 64)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before_what_is_closed_and_taken_back() {
        let (mut coherence, mut log) = (Coherence::default(), Log::default());
        for _ in 0..100 {
            coherence.push();
        }
        coherence.precede(1, 2, 7, &mut log);
        coherence.precede(3, 70, 7, &mut log);
        let mark = log.len();
        coherence.precede(2, 3, 7, &mut log);
        assert!(coherence.is_before(1, 70) && coherence.is_before(0, 1) && !coherence.is_before(70, 1));
        while log.len() > mark {
            coherence.restore(&mut log);
        }
        assert!(coherence.is_before(1, 2) && coherence.is_before(3, 70) && !coherence.is_before(1, 3) && !coherence.is_before(2, 70));
    }

    #[test]
    fn the_newest_block_comes_after_all_that_is_before_what_precedes_it() {
        let (mut coherence, mut log) = (Coherence::default(), Log::default());
        let (a, b) = (coherence.push(), coherence.push());
        coherence.precede(a, b, 0, &mut log);
        let c = coherence.push();
        coherence.precede_newest(b);
        assert!(coherence.is_before(a, c) && coherence.is_before(b, c) && coherence.is_before(0, c));
        coherence.pop();
        assert_eq!(coherence.push(), c);
        assert!(!coherence.is_before(a, c));
    }
}
