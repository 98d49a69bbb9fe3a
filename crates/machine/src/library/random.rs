//! `rand` and `random`: glibc's additive generator of type 3, so that a program sees the numbers that it sees natively.
//!
//! Each number is the sum of those 3 and 31 before it; the first ones come from a linear generator.
//!
//! The process has one generator, behind a lock: a draw and a seed are read-modify-writes of a word that all threads
//! share. It holds the seed above and below it how many numbers have been drawn since.

use super::{Builtin, Call, Shared, int};
use crate::runner::Run;
use raddle_event::{Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[("rand", draw), ("random", draw), ("srand", seed), ("srandom", seed), ("rand_r", rand_r)];

/// The seed and the count of draws.
pub const GENERATOR: Shared = ("generator of rand", 8, &["rand", "random", "srand", "srandom"]);

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The numbers that a seed gives, as far as they have been asked for.
pub struct Random {
    row: Vec<i32>,
    /// The place of the oldest number in the row.
    at: usize,
    numbers: Vec<u32>,
}

impl Random {
    /// The generator that begins with this seed.
    pub fn new(seed: u32) -> Random {
        let mut row = vec![if seed == 0 { 1 } else { seed as i32 }; DEGREE];
        for n in 1..DEGREE {
            let next = 16807 * (row[n - 1] as i64) % 2_147_483_647;
            row[n] = if next < 0 { next + 2_147_483_647 } else { next } as i32;
        }
        let mut random = Random { row, at: SEPARATION, numbers: Vec::new() };
        for _ in 0..10 * DEGREE {
            random.next();
        }
        random
    }

    /// The number that is drawn after `n` others.
    pub fn nth(&mut self, n: u32) -> u32 {
        while self.numbers.len() <= n as usize {
            let next = self.next();
            self.numbers.push(next);
        }
        self.numbers[n as usize]
    }

    /// The next number, of 31 bits.
    fn next(&mut self) -> u32 {
        let before = self.row[(self.at + DEGREE - SEPARATION) % DEGREE];
        let sum = self.row[self.at].wrapping_add(before);
        self.row[self.at] = sum;
        self.at = (self.at + 1) % DEGREE;
        sum as u32 >> 1
    }
}

fn seed(call: &mut Call) -> Run<u64> {
    let (at, seed) = (call.shared(GENERATOR)?, call.word(0) << 32);
    call.runner.rmw(at, 8, Rmw::new(RmwOp::Exchange, seed), Order::AcqRel)?;
    Ok(0)
}

fn draw(call: &mut Call) -> Run<u64> {
    let at = call.shared(GENERATOR)?;
    let before = call.runner.rmw(at, 8, Rmw::new(RmwOp::Add, 1), Order::AcqRel)? as u64;
    let (seed, drawn) = ((before >> 32) as u32, before as u32);
    let random = call.runner.world.random.entry(seed).or_insert_with(|| Random::new(seed));
    Ok(random.nth(drawn) as u64)
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
        assert_eq!([3, 2, 1, 0].map(|n| random.nth(3 - n)), expected);
    }

    #[test]
    fn the_numbers_are_those_of_glibc() {
        check(1, [1804289383, 846930886, 1681692777, 1714636915]);
        check(0, [1804289383, 846930886, 1681692777, 1714636915]);
        check(42, [71876166, 708592740, 1483128881, 907283241]);
    }
}
