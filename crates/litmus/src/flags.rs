//! The flags that arithmetic leaves for conditional jumps, on x86 and AArch64.

use crate::thread::{Binary, Thread};
use raddle_program::{Overflow, Reg};

const NEGATIVE: &str = "flag.negative";
const ZERO: &str = "flag.zero";
/// A carry out of an addition, a borrow into a subtraction.
const CARRY: &str = "flag.carry";
const OVERFLOW: &str = "flag.overflow";

/// What is asked of the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Zero,
    Negative,
    Carry,
    Overflow,
    SignedLess,
    SignedLessOrEqual,
    CarryOrZero,
}

impl Thread<'_> {
    fn set_flag(&mut self, name: &str, value: Reg) {
        let flag = self.register(name);
        self.set(flag, value);
    }

    /// Sets the carry to a value that is zero or one.
    pub fn set_carry(&mut self, value: Reg) {
        self.set_flag(CARRY, value);
    }

    /// `a - b`, with all flags but the carry.
    pub fn sub_with_flags(&mut self, a: Reg, b: Reg, bits: u8) -> Reg {
        let (result, overflow) = self.with_overflow(Overflow::SSub, a, b, bits);
        self.flags_of(result, Some(overflow), bits);
        result
    }

    /// `a + b`, with all flags but the carry.
    pub fn add_with_flags(&mut self, a: Reg, b: Reg, bits: u8) -> Reg {
        let (result, overflow) = self.with_overflow(Overflow::SAdd, a, b, bits);
        self.flags_of(result, Some(overflow), bits);
        result
    }

    /// The flags of a result, all but the carry.
    pub fn flags_of(&mut self, result: Reg, overflow: Option<Reg>, bits: u8) {
        let zero = self.constant(0);
        let is_zero = self.binary(Binary::Eq, result, zero, bits);
        let negative = self.binary(Binary::SLt, result, zero, bits);
        self.set_flag(ZERO, is_zero);
        self.set_flag(NEGATIVE, negative);
        self.set_flag(OVERFLOW, overflow.unwrap_or(zero));
    }

    /// One where the test holds, else zero.
    pub fn test_flags(&mut self, test: Test) -> Reg {
        match test {
            Test::Zero => self.register(ZERO),
            Test::Negative => self.register(NEGATIVE),
            Test::Carry => self.register(CARRY),
            Test::Overflow => self.register(OVERFLOW),
            Test::SignedLess => {
                let (negative, overflow) = (self.register(NEGATIVE), self.register(OVERFLOW));
                self.binary(Binary::Ne, negative, overflow, 64)
            }
            Test::SignedLessOrEqual => {
                let (less, zero) = (self.test_flags(Test::SignedLess), self.register(ZERO));
                self.binary(Binary::Or, less, zero, 64)
            }
            Test::CarryOrZero => {
                let (carry, zero) = (self.register(CARRY), self.register(ZERO));
                self.binary(Binary::Or, carry, zero, 64)
            }
        }
    }
}
