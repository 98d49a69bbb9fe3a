//! Choices: any number below another one.

use super::{Run, Runner};
use raddle_event::{Action, Reply};

/// The most outcomes that a single choice has.
const MOST_OUTCOMES: u64 = 100;

impl Runner<'_, '_> {
    /// Any number below `n`. A choice between very many is made digit by digit, the highest first: nobody has to hold
    /// all outcomes at once, and numbers are still tried in their order.
    pub fn choose(&mut self, n: u64) -> Run<u64> {
        let mut unit = 1u64;
        while (n - 1) / unit >= MOST_OUTCOMES {
            unit *= MOST_OUTCOMES;
        }
        let (mut chosen, mut left) = (0, n);
        loop {
            let digit = self.choose_one((left - 1) / unit + 1)?;
            chosen += digit * unit;
            if unit == 1 {
                return Ok(chosen);
            }
            // What is left below the digit: all of it, except below the highest.
            left = (left - digit * unit).min(unit);
            unit /= MOST_OUTCOMES;
        }
    }

    fn choose_one(&mut self, n: u64) -> Run<u64> {
        if n == 1 {
            return Ok(0);
        }
        match self.ask(Action::Choose { n: n as u32 })? {
            Reply::Chosen(number) => Ok(number as u64),
            reply => unreachable!("{reply:?} is no choice"),
        }
    }
}
