//! Random numbers that depend on the seed alone (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).

use std::ops::RangeInclusive;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator that begins with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, any of 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.word() % n as u64) as u32
    }

    /// A number of the range.
    pub fn within(&mut self, range: RangeInclusive<u32>) -> u32 {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// Yes once in `n` times.
    pub fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// One of several, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// One of several, each as often as its weight says; not all weights are zero.
    pub fn weighted<T: Copy>(&mut self, from: &[(T, u32)]) -> T {
        let mut left = self.below(from.iter().map(|(_, weight)| weight).sum());
        for &(value, weight) in from {
            if left < weight {
                return value;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum of the weights")
    }
}
