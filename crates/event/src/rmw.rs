//! Read-modify-writes, with an optional guard that says when they are enabled.
//!
//! Locks, conditions, barriers, semaphores and joins are made of these, so that no explorer and no model has
//! to know a pthread call.

use serde::{Deserialize, Serialize};

/// How a read-modify-write makes the new value from the old one and its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RmwOp {
    /// The operand, whatever the old value is.
    Exchange,
    /// The sum, which wraps.
    Add,
    /// The old value less the operand, which wraps.
    Sub,
    /// The bits that both have.
    And,
    /// The bits that not both have.
    Nand,
    /// The bits that one of them has.
    Or,
    /// The bits that just one of them has.
    Xor,
    /// The larger one, with signs.
    Max,
    /// The smaller one, with signs.
    Min,
    /// The larger one, without signs.
    UMax,
    /// The smaller one, without signs.
    UMin,
    /// Adds one, wraps to zero above the operand.
    UIncWrap,
    /// Subtracts one, wraps to the operand at zero or above it.
    UDecWrap,
    /// Subtracts where the old value is large enough, else leaves it.
    USubCond,
    /// Subtracts, at least zero.
    USubSat,
    /// The sum of two floating-point numbers.
    FAdd,
    /// The difference of two floating-point numbers.
    FSub,
    /// The larger one of two floating-point numbers.
    FMax,
    /// The smaller one of two floating-point numbers.
    FMin,
    /// Takes the operand where the old value equals the one expected, else does not write.
    CompareExchange,
    /// An owner in the upper 32 bits, a count in the lower: takes it or counts up.
    Acquire,
    /// The inverse: counts down, free where the count ends. Does not write where it is free or has another owner.
    Release,
    /// Adds one where the old value is below the operand, else does not write.
    UIncBelow,
    /// Subtracts one where the lower 32 bits are not all zero, else does not write.
    Down,
    /// Waiters, a bit each: wakes all where they are at most as many as the operand, else sets the top bit, so that
    /// some can be chosen. Does not write where nobody waits.
    Signal,
}

impl RmwOp {
    /// Its word in text.
    pub fn word(self) -> &'static str {
        RmwOp::ALL.iter().find(|(op, _)| *op == self).map_or("", |(_, word)| word)
    }

    /// Every operation with its word in text.
    pub const ALL: [(RmwOp, &'static str); 25] = [
        (RmwOp::Exchange, "xchg"),
        (RmwOp::Add, "add"),
        (RmwOp::Sub, "sub"),
        (RmwOp::And, "and"),
        (RmwOp::Nand, "nand"),
        (RmwOp::Or, "or"),
        (RmwOp::Xor, "xor"),
        (RmwOp::Max, "max"),
        (RmwOp::Min, "min"),
        (RmwOp::UMax, "umax"),
        (RmwOp::UMin, "umin"),
        (RmwOp::UIncWrap, "uinc_wrap"),
        (RmwOp::UDecWrap, "udec_wrap"),
        (RmwOp::USubCond, "usub_cond"),
        (RmwOp::USubSat, "usub_sat"),
        (RmwOp::FAdd, "fadd"),
        (RmwOp::FSub, "fsub"),
        (RmwOp::FMax, "fmax"),
        (RmwOp::FMin, "fmin"),
        (RmwOp::CompareExchange, "cas"),
        (RmwOp::Acquire, "take"),
        (RmwOp::Release, "give"),
        (RmwOp::UIncBelow, "uinc_below"),
        (RmwOp::Down, "down"),
        (RmwOp::Signal, "signal"),
    ];

    /// Whether only the locks and conditions of the library are made of it; a compare-exchange is an instruction of its
    /// own.
    pub fn is_of_library(self) -> bool {
        matches!(self, RmwOp::CompareExchange | RmwOp::Acquire | RmwOp::Release | RmwOp::UIncBelow | RmwOp::Signal)
    }
}

/// A read-modify-write of a word of `size` bytes (at most sixteen).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rmw {
    /// How the new value is made.
    pub op: RmwOp,
    /// What it is made with, besides the old value.
    pub operand: u128,
    /// What a compare-exchange compares with; unused by the others.
    pub expected: u128,
    /// When it is enabled; always where there is none.
    pub guard: Option<Guard>,
}

impl Rmw {
    /// An unguarded operation other than compare-exchange.
    pub fn new(op: RmwOp, operand: u64) -> Rmw {
        Rmw { op, operand: operand as u128, expected: 0, guard: None }
    }

    /// An unguarded compare-exchange.
    pub fn compare_exchange(expected: u128, new: u128) -> Rmw {
        Rmw { op: RmwOp::CompareExchange, operand: new, expected, guard: None }
    }

    /// The same operation, enabled only when the guard holds.
    pub fn guarded(self, guard: Guard) -> Rmw {
        Rmw { guard: Some(guard), ..self }
    }

    /// Whether there are values for which nothing is written.
    pub fn is_conditional(&self) -> bool {
        matches!(self.op, RmwOp::CompareExchange | RmwOp::Release | RmwOp::UIncBelow | RmwOp::Down | RmwOp::Signal)
    }

    /// The value to write, or `None` where nothing is written, as by a compare-exchange that fails.
    pub fn apply(&self, old: u128, size: u32) -> Option<u128> {
        let bits = size * 8;
        let mask = u128::MAX >> (128 - bits);
        let signed = |v: u128| (v << (128 - bits)) as i128 >> (128 - bits);
        let (a, b) = (old, self.operand & mask);
        let new = match self.op {
            RmwOp::Exchange => b,
            RmwOp::Add => a.wrapping_add(b),
            RmwOp::Sub => a.wrapping_sub(b),
            RmwOp::And => a & b,
            RmwOp::Nand => !(a & b),
            RmwOp::Or => a | b,
            RmwOp::Xor => a ^ b,
            RmwOp::Max => signed(a).max(signed(b)) as u128,
            RmwOp::Min => signed(a).min(signed(b)) as u128,
            RmwOp::UMax => a.max(b),
            RmwOp::UMin => a.min(b),
            RmwOp::UIncWrap => {
                if a >= b {
                    0
                } else {
                    a + 1
                }
            }
            RmwOp::UDecWrap => {
                if a == 0 || a > b {
                    b
                } else {
                    a - 1
                }
            }
            RmwOp::USubCond => {
                if a >= b {
                    a - b
                } else {
                    a
                }
            }
            RmwOp::USubSat => a.saturating_sub(b),
            RmwOp::FAdd => float(size, a, b, |a, b| a + b),
            RmwOp::FSub => float(size, a, b, |a, b| a - b),
            RmwOp::FMax => float(size, a, b, f64::max),
            RmwOp::FMin => float(size, a, b, f64::min),
            RmwOp::CompareExchange => {
                if a != self.expected & mask {
                    return None;
                }
                b
            }
            RmwOp::Acquire => {
                if a == 0 {
                    b
                } else {
                    a + 1
                }
            }
            RmwOp::Release => match a >> 32 {
                owner if a == 0 || (owner != 0 && owner != b >> 32) => return None,
                _ => {
                    if a & 0xffff_ffff <= 1 {
                        0
                    } else {
                        a - 1
                    }
                }
            },
            RmwOp::UIncBelow => {
                if a < b {
                    a + 1
                } else {
                    return None;
                }
            }
            RmwOp::Down => {
                if a & 0xffff_ffff == 0 {
                    return None;
                }
                a - 1
            }
            RmwOp::Signal => match a.count_ones() as u128 {
                0 => return None,
                waiting => {
                    if waiting <= b {
                        0
                    } else {
                        a | 1 << (bits - 1)
                    }
                }
            },
        };
        Some(new & mask)
    }
}

/// Both formats are computed in `f64`: a sum or difference of two `f32` rounds to the same `f32`.
fn float(size: u32, a: u128, b: u128, f: impl Fn(f64, f64) -> f64) -> u128 {
    if size == 4 {
        let wide = |v: u128| f32::from_bits(v as u32) as f64;
        (f(wide(a), wide(b)) as f32).to_bits() as u128
    } else {
        f(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits() as u128
    }
}

/// When a guarded action is enabled, by the value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Guard {
    /// The value is this one.
    Is(u64),
    /// The value is another one.
    Not(u64),
    /// None of these bits is set.
    NoneOf(u64),
    /// Some of these bits are set.
    AnyOf(u64),
    /// The thread whose word it is has ended, whatever the value.
    Ended,
    /// The value is this one or a greater one.
    AtLeast(u64),
}

impl Guard {
    /// Whether the guard holds for a value.
    pub fn holds(self, value: u64) -> bool {
        match self {
            Guard::Is(v) => value == v,
            Guard::Not(v) => value != v,
            Guard::NoneOf(bits) => value & bits == 0,
            Guard::AnyOf(bits) => value & bits != 0,
            Guard::Ended => true,
            Guard::AtLeast(v) => value >= v,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(op: RmwOp, size: u32, old: u128, operand: u128, expected: u128) {
        let rmw = Rmw { op, operand, expected: 0, guard: None };
        assert_eq!(rmw.apply(old, size), Some(expected), "{op:?}");
    }

    #[test]
    fn results_are_cut_to_the_size() {
        check(RmwOp::Add, 1, 255, 1, 0);
        check(RmwOp::Sub, 4, 0, 1, 0xffff_ffff);
        check(RmwOp::Min, 2, 0xffff, 1, 0xffff);
        check(RmwOp::UMin, 2, 0xffff, 1, 1);
        check(RmwOp::Nand, 1, 0xf0, 0x3c, 0xcf);
        check(RmwOp::Exchange, 16, 1, u128::MAX, u128::MAX);
        check(RmwOp::UIncWrap, 4, 5, 5, 0);
        check(RmwOp::UDecWrap, 4, 0, 5, 5);
    }

    #[test]
    fn an_owned_word_is_given_back_by_its_owner_only() {
        let (mine, word) = (7 << 32, |count: u128| 7 << 32 | count);
        check(RmwOp::Acquire, 8, 0, word(1), word(1));
        check(RmwOp::Acquire, 8, word(1), word(1), word(2));
        check(RmwOp::Release, 8, word(2), mine, word(1));
        check(RmwOp::Release, 8, word(1), mine, 0);
        check(RmwOp::Release, 8, 3, mine, 2);
        for old in [0, 8 << 32 | 1] {
            assert_eq!(Rmw::new(RmwOp::Release, mine as u64).apply(old, 8), None);
        }
    }

    #[test]
    fn a_signal_wakes_all_or_leaves_the_choice() {
        check(RmwOp::Signal, 8, 0b100, 1, 0);
        check(RmwOp::Signal, 8, 0b110, 1, 1 << 63 | 0b110);
        check(RmwOp::Signal, 8, 0b110, 64, 0);
        assert_eq!(Rmw::new(RmwOp::Signal, 1).apply(0, 8), None);
        assert_eq!(Rmw::new(RmwOp::UIncBelow, 4).apply(4, 8), None);
    }

    #[test]
    fn a_count_goes_down_below_its_marks() {
        check(RmwOp::Down, 8, 1 << 32 | 2, 0, 1 << 32 | 1);
        for old in [0, 1 << 32] {
            assert_eq!(Rmw::new(RmwOp::Down, 0).apply(old, 8), None);
        }
    }

    #[test]
    fn a_failing_compare_exchange_writes_nothing() {
        assert_eq!(Rmw::compare_exchange(3, 4).apply(3, 4), Some(4));
        assert_eq!(Rmw::compare_exchange(3, 4).apply(2, 4), None);
    }
}
