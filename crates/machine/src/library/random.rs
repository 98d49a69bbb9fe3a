//! `rand` and `random`: glibc's additive generator of type 3, so that a program sees the numbers that it sees natively.
//!
//! Each number is the sum of those 3 and 31 before it; the first ones come from a linear generator.

use super::{Builtin, Call, int};
use crate::runner::Run;

pub const TABLE: &[(&str, Builtin)] = &[
    ("rand", |call| Ok(call.notes().random.next() as u64)),
    ("random", |call| Ok(call.notes().random.next() as u64)),
    ("srand", seed),
    ("srandom", seed),
    ("rand_r", rand_r),
];

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The state of the generator; empty until it is first used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Random {
    row: Vec<i32>,
    /// The place of the oldest number in the row.
    at: usize,
}

impl Random {
    /// The generator that begins with this seed.
    pub fn new(seed: u32) -> Random {
        let mut row = vec![if seed == 0 { 1 } else { seed as i32 }; DEGREE];
        for n in 1..DEGREE {
            let next = 16807 * (row[n - 1] as i64) % 2_147_483_647;
            row[n] = if next < 0 { next + 2_147_483_647 } else { next } as i32;
        }
        let mut random = Random { row, at: SEPARATION };
        for _ in 0..10 * DEGREE {
            random.next();
        }
        random
    }

    /// The next number, of 31 bits.
    pub fn next(&mut self) -> u32 {
        if self.row.is_empty() {
            *self = Random::new(1);
        }
        let before = self.row[(self.at + DEGREE - SEPARATION) % DEGREE];
        let sum = self.row[self.at].wrapping_add(before);
        self.row[self.at] = sum;
        self.at = (self.at + 1) % DEGREE;
        sum as u32 >> 1
    }
}

fn seed(call: &mut Call) -> Run<u64> {
    let seed = call.word(0) as u32;
    call.notes().random = Random::new(seed);
    Ok(0)
}

/// glibc's generator for a state that the program keeps.
fn rand_r(call: &mut Call) -> Run<u64> {
    let at = call.address(0);
    let mut state = call.load(at, 4)? as u32;
    let mut step = || {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        state / 65536
    };
    let first = step() % 2048;
    let second = (first << 10) ^ (step() % 1024);
    let result = (second << 10) ^ (step() % 1024);
    call.store(at, 4, state as u64)?;
    Ok(int(result as i32))
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[track_caller]
    fn check(seed: u32, expected: [u32; 4]) {
        let mut random = Random::new(seed);
        assert_eq!([(); 4].map(|()| random.next()), expected);
    }

    #[test]
    fn the_numbers_are_those_of_glibc() {
        check(1, [1804289383, 846930886, 1681692777, 1714636915]);
        check(0, [1804289383, 846930886, 1681692777, 1714636915]);
        check(42, [71876166, 708592740, 1483128881, 907283241]);
    }
}
