//! Threads of one function: programs whose threads may be exchanged, and such in which something tells them apart.

use raddle_event::Random;

/// How often the threads of a description run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// How many threads do what each but the first of the description does.
    pub n: Vec<u32>,
    /// What tells them apart, where something does.
    pub apart: Option<ToldApart>,
}

/// What can tell threads of one function apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldApart {
    /// Their arguments differ, and they look which of the threads of the program they are.
    Arguments,
    /// One looks whether it is this thread of the program, where what it has read last is one.
    Number(u32),
    /// They write down an address of their own.
    Address,
    /// Something happens between their starts.
    BetweenSpawns,
    /// Something happens before all of them are joined.
    BetweenJoins,
    /// Only one is joined.
    Unjoined,
    /// What they return is looked at.
    Results,
}

impl Copies {
    /// Of the threads of a description, all told at most as many as `most`.
    pub fn of(seed: u64, n_threads: usize, most: u32, is_apart: bool) -> Copies {
        let mut random = Random::new(seed);
        let mut left = most;
        let n: Vec<u32> = (1..n_threads)
            .map(|_| {
                let n = random.within(1..=3).min(left);
                left -= n;
                n
            })
            .collect();
        let number = random.within(2..=4);
        let all = [
            ToldApart::Arguments,
            ToldApart::Number(number),
            ToldApart::Address,
            ToldApart::BetweenSpawns,
            ToldApart::BetweenJoins,
            ToldApart::Unjoined,
            ToldApart::Results,
        ];
        Copies { n, apart: is_apart.then(|| random.pick(&all)) }
    }
}
