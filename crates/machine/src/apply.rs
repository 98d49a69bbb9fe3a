//! What an instruction does, given the values of its operands.
//!
//! Both the in-order runner and an out-of-order one call this; neither repeats it. It covers everything that neither
//! touches memory nor calls: arithmetic, conversions, comparisons and jumps. The rest is answered by
//! [`Flow::Effect`].

use crate::extended;
use raddle_event::FaultKind;
use raddle_program::{Bits, BlockId, Convert, Def, FloatTest, Function, Instr, Overflow, Reg, Use, Wide};
use std::cmp::Ordering;

/// The register file that an instruction reads and writes.
pub trait Registers {
    /// The word in a register.
    fn get(&self, reg: Reg) -> u64;
    /// Puts a word into a register.
    fn set(&mut self, reg: Reg, value: u64);
}

/// What comes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The instruction that follows.
    Next,
    /// The one at this place of the function: where a block begins.
    Goto(usize),
    /// It goes wrong, in this way.
    Fault(FaultKind),
    /// The instruction is about memory, calls or loops: the runner's matter.
    Effect,
}

/// The lower `bits` bits.
#[inline(always)]
pub fn cut(value: u64, bits: Bits) -> u64 {
    value & (u64::MAX >> (64 - bits.0 as u32))
}

/// The value of a signed integer of this width.
#[inline(always)]
pub fn signed(value: u64, bits: Bits) -> i64 {
    let up = 64 - bits.0 as u32;
    ((value << up) as i64) >> up
}

/// Runs one instruction over the registers.
#[inline(always)]
pub fn apply(instr: &Instr, function: &Function, regs: &mut impl Registers) -> Flow {
    macro_rules! set {
        ($to:expr, $value:expr) => {{
            let value = $value;
            regs.set($to.0, value);
            Flow::Next
        }};
    }
    macro_rules! get {
        ($from:expr) => {
            regs.get($from.0)
        };
    }
    macro_rules! signed {
        ($from:expr, $bits:expr) => {
            signed(regs.get($from.0), $bits)
        };
    }
    let goto = |block: BlockId| Flow::Goto(function.blocks[block.index()] as usize);
    match *instr {
        Instr::Move { to, a } => set!(to, get!(a)),
        Instr::Add { to, a, b, bits } => set!(to, cut(get!(a).wrapping_add(get!(b)), bits)),
        Instr::Sub { to, a, b, bits } => set!(to, cut(get!(a).wrapping_sub(get!(b)), bits)),
        Instr::Mul { to, a, b, bits } => set!(to, cut(get!(a).wrapping_mul(get!(b)), bits)),
        Instr::UDiv { to, a, b, .. } => match get!(a).checked_div(get!(b)) {
            Some(value) => set!(to, value),
            None => Flow::Fault(FaultKind::DivisionByZero),
        },
        Instr::URem { to, a, b, .. } => match get!(a).checked_rem(get!(b)) {
            Some(value) => set!(to, value),
            None => Flow::Fault(FaultKind::DivisionByZero),
        },
        Instr::SDiv { to, a, b, bits } => match signed_division(signed!(a, bits), signed!(b, bits), bits) {
            Some((quotient, _)) => set!(to, cut(quotient as u64, bits)),
            None => Flow::Fault(FaultKind::DivisionByZero),
        },
        Instr::SRem { to, a, b, bits } => match signed_division(signed!(a, bits), signed!(b, bits), bits) {
            Some((_, remainder)) => set!(to, cut(remainder as u64, bits)),
            None => Flow::Fault(FaultKind::DivisionByZero),
        },
        Instr::And { to, a, b } => set!(to, get!(a) & get!(b)),
        Instr::Or { to, a, b } => set!(to, get!(a) | get!(b)),
        Instr::Xor { to, a, b } => set!(to, get!(a) ^ get!(b)),
        Instr::Shl { to, a, b, bits } => set!(to, if get!(b) < bits.0 as u64 { cut(get!(a) << get!(b), bits) } else { 0 }),
        Instr::LShr { to, a, b, bits } => set!(to, if get!(b) < bits.0 as u64 { get!(a) >> get!(b) } else { 0 }),
        Instr::AShr { to, a, b, bits } => set!(to, cut((signed!(a, bits) >> get!(b).min(63)) as u64, bits)),
        Instr::FShl { to, a, b, c, bits } => set!(to, funnel(get!(a), get!(b), get!(c) % bits.0 as u64, bits)),
        Instr::FShr { to, a, b, c, bits } => {
            let n = bits.0 as u64;
            let right = get!(c) % n;
            set!(to, if right == 0 { get!(b) } else { funnel(get!(a), get!(b), n - right, bits) })
        }
        Instr::Part { to, a, from, at, bytes } => set!(to, cut(get!(a) >> (8 * from), Bits(8 * bytes as u8)) << (8 * at)),
        Instr::Trunc { to, a, bits } => set!(to, cut(get!(a), bits)),
        Instr::SExt { to, a, from, bits } => set!(to, cut(signed!(a, from) as u64, bits)),
        Instr::Eq { to, a, b } => set!(to, (get!(a) == get!(b)) as u64),
        Instr::Ne { to, a, b } => set!(to, (get!(a) != get!(b)) as u64),
        Instr::ULt { to, a, b } => set!(to, (get!(a) < get!(b)) as u64),
        Instr::ULe { to, a, b } => set!(to, (get!(a) <= get!(b)) as u64),
        Instr::SLt { to, a, b, bits } => set!(to, (signed!(a, bits) < signed!(b, bits)) as u64),
        Instr::SLe { to, a, b, bits } => set!(to, (signed!(a, bits) <= signed!(b, bits)) as u64),
        Instr::Select { to, c, a, b } => set!(to, if get!(c) != 0 { get!(a) } else { get!(b) }),
        Instr::SMin { to, a, b, bits } => set!(to, cut(signed!(a, bits).min(signed!(b, bits)) as u64, bits)),
        Instr::SMax { to, a, b, bits } => set!(to, cut(signed!(a, bits).max(signed!(b, bits)) as u64, bits)),
        Instr::UMin { to, a, b } => set!(to, get!(a).min(get!(b))),
        Instr::UMax { to, a, b } => set!(to, get!(a).max(get!(b))),
        Instr::Abs { to, a, bits } => set!(to, cut(signed!(a, bits).unsigned_abs(), bits)),
        Instr::Saturate { to, op, a, b, bits } => set!(to, saturate(op, get!(a), get!(b), bits)),
        Instr::WithOverflow { to, flag, op, a, b, bits } => {
            let (value, overflows) = with_overflow(op, get!(a), get!(b), bits);
            regs.set(to.0, value);
            set!(flag, overflows as u64)
        }
        Instr::PopCount { to, a } => set!(to, get!(a).count_ones() as u64),
        Instr::LeadingZeros { to, a, bits } => set!(to, cut(get!(a), bits).leading_zeros() as u64 - (64 - bits.0 as u64)),
        Instr::TrailingZeros { to, a, bits } => set!(to, get!(a).trailing_zeros().min(bits.0 as u32) as u64),
        Instr::SwapBytes { to, a, bits } => set!(to, get!(a).swap_bytes() >> (64 - bits.0 as u32)),
        Instr::ReverseBits { to, a, bits } => set!(to, get!(a).reverse_bits() >> (64 - bits.0 as u32)),
        Instr::Index { to, base, index, scale } => set!(to, get!(base).wrapping_add(get!(index).wrapping_mul(scale))),

        Instr::FAdd { to, a, b, bits } => set!(to, float(bits, get!(a), get!(b), |a, b| a + b, |a, b| a + b)),
        Instr::FSub { to, a, b, bits } => set!(to, float(bits, get!(a), get!(b), |a, b| a - b, |a, b| a - b)),
        Instr::FMul { to, a, b, bits } => set!(to, float(bits, get!(a), get!(b), |a, b| a * b, |a, b| a * b)),
        Instr::FDiv { to, a, b, bits } => set!(to, float(bits, get!(a), get!(b), |a, b| a / b, |a, b| a / b)),
        Instr::FRem { to, a, b, bits } => set!(to, float(bits, get!(a), get!(b), |a, b| a % b, |a, b| a % b)),
        Instr::FNeg { to, a, bits } => set!(to, get!(a) ^ 1 << (bits.0 - 1)),
        Instr::FAbs { to, a, bits } => set!(to, get!(a) & !(1 << (bits.0 - 1))),
        Instr::FMulAdd { to, a, b, c, bits } => set!(to, fused(bits, get!(a), get!(b), get!(c))),
        Instr::FCompare { to, test, a, b, bits } => set!(to, compare(test, get!(a), get!(b), bits) as u64),
        Instr::FConvert { to, op, a, from, bits } => {
            let high = if from.0 > 64 { regs.get(Reg(a.0.0 + 1)) } else { 0 };
            let value = convert(op, get!(a) as u128 | (high as u128) << 64, from, bits);
            if bits.0 > 64 {
                regs.set(Reg(to.0.0 + 1), (value >> 64) as u64);
            }
            set!(to, value as u64)
        }

        Instr::WideOp { to, op, a, b, bits } => match wide(op, pair(regs, a), pair(regs, b), bits) {
            None => Flow::Fault(FaultKind::DivisionByZero),
            Some(value) if op.is_comparison() => set!(to, value as u64),
            Some(value) => set_pair(regs, to, value),
        },
        Instr::WideSExt { to, a, from, bits } => set_pair(regs, to, signed!(a, from) as i128 as u128 & wide_mask(bits)),
        Instr::Extended { to, op, a, b } => set_pair(regs, to, extended::arithmetic(op, pair(regs, a), pair(regs, b))),
        Instr::ExtendedCompare { to, test, a, b } => set!(to, holds(test, extended::order(pair(regs, a), pair(regs, b))) as u64),

        Instr::Jump { to } => goto(to.0),
        Instr::Branch { c, yes, no } => goto(if get!(c) != 0 { yes.0 } else { no.0 }),
        Instr::BranchEq { a, b, yes, no } => goto(if get!(a) == get!(b) { yes.0 } else { no.0 }),
        Instr::BranchULt { a, b, yes, no } => goto(if get!(a) < get!(b) { yes.0 } else { no.0 }),
        Instr::BranchSLt { a, b, bits, yes, no } => goto(if signed!(a, bits) < signed!(b, bits) { yes.0 } else { no.0 }),
        Instr::Invoked { normal, .. } => goto(normal.0),
        Instr::Switch { value, cases, otherwise } => {
            let (value, cases) = (get!(value), &function.tables[cases.index()].cases);
            let found = cases.binary_search_by_key(&value, |case| case.0);
            goto(found.map_or(otherwise.0, |at| cases[at].1))
        }
        Instr::Unreachable {} => Flow::Fault(FaultKind::Unreachable),
        Instr::Assume { c } if get!(c) == 0 => Flow::Fault(FaultKind::Unreachable),
        Instr::Assume { .. } => Flow::Next,
        // All are named, so that the compiler need not look whether an instruction is another one.
        Instr::Load { .. }
        | Instr::Store { .. }
        | Instr::StoreUnless { .. }
        | Instr::Rmw { .. }
        | Instr::CompareExchange { .. }
        | Instr::CompareExchangeWeak { .. }
        | Instr::LoadReserve { .. }
        | Instr::StoreConditional { .. }
        | Instr::FenceOp { .. }
        | Instr::Copy { .. }
        | Instr::Fill { .. }
        | Instr::Alloca { .. }
        | Instr::StackSave { .. }
        | Instr::StackRestore { .. }
        | Instr::LifeBegin { .. }
        | Instr::LifeEnd { .. }
        | Instr::ThreadLocal { .. }
        | Instr::VaStart { .. }
        | Instr::Call { .. }
        | Instr::CallPointer { .. }
        | Instr::CallExtern { .. }
        | Instr::Return { .. }
        | Instr::Enter { .. }
        | Instr::Latch { .. }
        | Instr::Unsupported { .. } => Flow::Effect,
    }
}

/// Quotient and remainder; `None` for a division by zero or one that does not fit.
fn signed_division(a: i64, b: i64, bits: Bits) -> Option<(i64, i64)> {
    let smallest = signed(1 << (bits.0 - 1), bits);
    if b == 0 || (a == smallest && b == -1) {
        return None;
    }
    Some((a / b, a % b))
}

fn funnel(high: u64, low: u64, left: u64, bits: Bits) -> u64 {
    if left == 0 { high } else { cut(high << left | low >> (bits.0 as u64 - left), bits) }
}

/// The exact result of an operation that may not fit its width.
fn exact(op: Overflow, a: u64, b: u64, bits: Bits) -> i128 {
    let s = |v| signed(v, bits) as i128;
    match op {
        Overflow::SAdd => s(a) + s(b),
        Overflow::SSub => s(a) - s(b),
        Overflow::SMul => s(a) * s(b),
        Overflow::UAdd => a as i128 + b as i128,
        Overflow::USub => a as i128 - b as i128,
        // Two 64-bit numbers may fill 128 bits: what does not fit is far above every limit.
        Overflow::UMul => i128::try_from(a as u128 * b as u128).unwrap_or(i128::MAX),
    }
}

fn limits(op: Overflow, bits: Bits) -> (i128, i128) {
    let n = bits.0 as u32;
    match op {
        Overflow::SAdd | Overflow::SSub | Overflow::SMul => (-(1i128 << (n - 1)), (1i128 << (n - 1)) - 1),
        Overflow::UAdd | Overflow::USub | Overflow::UMul => (0, (1i128 << n) - 1),
    }
}

fn saturate(op: Overflow, a: u64, b: u64, bits: Bits) -> u64 {
    let (low, high) = limits(op, bits);
    cut(exact(op, a, b, bits).clamp(low, high) as u64, bits)
}

fn with_overflow(op: Overflow, a: u64, b: u64, bits: Bits) -> (u64, bool) {
    let (low, high) = limits(op, bits);
    let value = exact(op, a, b, bits);
    let wrapped = if op == Overflow::UMul { a.wrapping_mul(b) } else { value as u64 };
    (cut(wrapped, bits), !(low..=high).contains(&value))
}

#[inline(always)]
fn float(bits: Bits, a: u64, b: u64, single: impl Fn(f32, f32) -> f32, double: impl Fn(f64, f64) -> f64) -> u64 {
    match bits.0 {
        32 => single(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits() as u64,
        _ => double(f64::from_bits(a), f64::from_bits(b)).to_bits(),
    }
}

fn fused(bits: Bits, a: u64, b: u64, c: u64) -> u64 {
    match bits.0 {
        32 => f32::from_bits(a as u32).mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32)).to_bits() as u64,
        _ => f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits(),
    }
}

fn widened(value: u64, bits: Bits) -> f64 {
    if bits.0 == 32 { f32::from_bits(value as u32) as f64 } else { f64::from_bits(value) }
}

fn compare(test: FloatTest, a: u64, b: u64, bits: Bits) -> bool {
    holds(test, widened(a, bits).partial_cmp(&widened(b, bits)))
}

/// Whether a test holds of numbers in this order. Tests are numbered by the orders in which they hold, as in LLVM.
fn holds(test: FloatTest, order: Option<Ordering>) -> bool {
    let bit = match order {
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        Some(Ordering::Less) => 2,
        None => 3,
    };
    test as u8 >> bit & 1 == 1
}

fn convert(op: Convert, value: u128, from: Bits, bits: Bits) -> u128 {
    if extended::is_meant(op, from, bits) {
        return extended::convert(op, value, from, bits);
    }
    let mask = u128::MAX >> (128 - bits.0 as u32);
    let signed = (value << (128 - from.0 as u32)) as i128 >> (128 - from.0 as u32);
    let single = bits.0 == 32;
    match op {
        Convert::SiToFp if single => (signed as f32).to_bits() as u128,
        Convert::SiToFp => (signed as f64).to_bits() as u128,
        Convert::UiToFp if single => (value as f32).to_bits() as u128,
        Convert::UiToFp => (value as f64).to_bits() as u128,
        Convert::FpToSi => x86_integer(widened(value as u64, from) as i128, bits) & mask,
        Convert::FpToUi => widened(value as u64, from) as i128 as u128 & mask,
        Convert::FpToSiSat => {
            let limit = 1i128.checked_shl(bits.0 as u32 - 1).unwrap_or(i128::MIN);
            (widened(value as u64, from) as i128).clamp(limit.wrapping_neg(), limit.wrapping_sub(1)) as u128 & mask
        }
        Convert::FpToUiSat => (widened(value as u64, from) as u128).min(mask),
        Convert::FpToFp if from.0 == bits.0 => value,
        Convert::FpToFp if single => (f64::from_bits(value as u64) as f32).to_bits() as u128,
        Convert::FpToFp => (f32::from_bits(value as u32) as f64).to_bits() as u128,
    }
}

/// What does not fit is not defined by the language; the machine at hand gives the smallest integer.
pub fn x86_integer(value: i128, bits: Bits) -> u128 {
    let width = if bits.0 <= 32 { 32 } else { bits.0.clamp(64, 127) } as u32;
    let limit = 1i128 << (width - 1);
    if (-limit..limit).contains(&value) { value as u128 } else { limit.wrapping_neg() as u128 }
}

fn pair(regs: &impl Registers, a: Use) -> u128 {
    regs.get(a.0) as u128 | (regs.get(Reg(a.0.0 + 1)) as u128) << 64
}

fn set_pair(regs: &mut impl Registers, to: Def, value: u128) -> Flow {
    regs.set(to.0, value as u64);
    regs.set(Reg(to.0.0 + 1), (value >> 64) as u64);
    Flow::Next
}

fn wide_mask(bits: Bits) -> u128 {
    u128::MAX >> (128 - bits.0 as u32)
}

/// `None` for a division by zero or one that does not fit.
fn wide(op: Wide, a: u128, b: u128, bits: Bits) -> Option<u128> {
    let up = 128 - bits.0 as u32;
    let s = |v: u128| (v << up) as i128 >> up;
    let shift = b.min(128) as u32;
    let value = match op {
        Wide::Add => a.wrapping_add(b),
        Wide::Sub => a.wrapping_sub(b),
        Wide::Mul => a.wrapping_mul(b),
        Wide::UDiv => a.checked_div(b)?,
        Wide::URem => a.checked_rem(b)?,
        Wide::SDiv => s(a).checked_div(s(b))? as u128,
        Wide::SRem => s(a).checked_rem(s(b))? as u128,
        Wide::Shl => a.checked_shl(shift).unwrap_or(0),
        Wide::LShr => a.checked_shr(shift).unwrap_or(0),
        Wide::AShr => (s(a) >> shift.min(127)) as u128,
        Wide::And => a & b,
        Wide::Or => a | b,
        Wide::Xor => a ^ b,
        Wide::Eq => (a == b) as u128,
        Wide::Ne => (a != b) as u128,
        Wide::ULt => (a < b) as u128,
        Wide::ULe => (a <= b) as u128,
        Wide::SLt => (s(a) < s(b)) as u128,
        Wide::SLe => (s(a) <= s(b)) as u128,
    };
    Some(value & wide_mask(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of bytes, against the arithmetic of Rust.
    #[test]
    fn sums_and_products_overflow_where_they_do_not_fit() {
        let byte = Bits(8);
        for (a, b) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
            let (s, t) = (a as i8, b as i8);
            let signed = |(value, over): (i8, bool)| (value as u8 as u64, over);
            let unsigned = |(value, over): (u8, bool)| (value as u64, over);
            let of = |op| with_overflow(op, a as u64, b as u64, byte);
            assert_eq!(of(Overflow::SAdd), signed(s.overflowing_add(t)));
            assert_eq!(of(Overflow::SSub), signed(s.overflowing_sub(t)));
            assert_eq!(of(Overflow::SMul), signed(s.overflowing_mul(t)));
            assert_eq!(of(Overflow::UAdd), unsigned(a.overflowing_add(b)));
            assert_eq!(of(Overflow::USub), unsigned(a.overflowing_sub(b)));
            assert_eq!(of(Overflow::UMul), unsigned(a.overflowing_mul(b)));
            assert_eq!(saturate(Overflow::SAdd, a as u64, b as u64, byte), s.saturating_add(t) as u8 as u64);
            assert_eq!(saturate(Overflow::USub, a as u64, b as u64, byte), a.saturating_sub(b) as u64);
        }
        assert_eq!(with_overflow(Overflow::UMul, u64::MAX, u64::MAX, Bits(64)), (1, true));
        assert_eq!(with_overflow(Overflow::UAdd, u64::MAX, 0, Bits(64)), (u64::MAX, false));
    }

    /// Less, equal, greater, unordered: for each test with which of these it holds.
    #[test]
    fn floats_are_compared_in_four_ways() {
        use FloatTest::*;
        let tests = [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True];
        let holds = [
            "----", "-=--", "-->-", "-=>-", "<---", "<=--", "<->-", "<=>-", "---?", "-=-?", "-->?", "-=>?", "<--?", "<=-?", "<->?", "<=>?",
        ];
        for (test, holds) in tests.into_iter().zip(holds) {
            for (n, (a, b)) in [(1.0, 2.0), (2.0, 2.0), (2.0, 1.0), (f64::NAN, 1.0)].into_iter().enumerate() {
                let wanted = holds.as_bytes()[n] != b'-';
                assert_eq!(compare(test, f64::to_bits(a), f64::to_bits(b), Bits(64)), wanted, "{test:?} {a} {b}");
                let single = |value: f64| (value as f32).to_bits() as u64;
                assert_eq!(compare(test, single(a), single(b), Bits(32)), wanted, "{test:?} {a} {b}");
            }
        }
    }

    #[test]
    fn numbers_are_converted_as_the_machine_does() {
        let from = |op, value: f64, bits| convert(op, value.to_bits() as u128, Bits(64), Bits(bits)) as u64;
        assert_eq!(from(Convert::FpToUi, 5.9, 8), 5);
        assert_eq!(from(Convert::FpToUi, 4_000_000_000.0, 32), 4_000_000_000);
        assert_eq!(from(Convert::FpToSi, -5.9, 16), -5i16 as u16 as u64);
        // The smallest integer stands for what does not fit; halves of registers are computed in the whole.
        assert_eq!(from(Convert::FpToSi, 2_147_483_647.0, 32), i32::MAX as u64);
        assert_eq!(from(Convert::FpToSi, 2_147_483_648.0, 32), i32::MIN as u32 as u64);
        assert_eq!(from(Convert::FpToSi, 40_000.0, 16), 40_000);
        assert_eq!(from(Convert::FpToSi, 1e30, 64), i64::MIN as u64);
        assert_eq!(from(Convert::FpToSi, 1e18, 64), 1_000_000_000_000_000_000);
        assert_eq!(
            [from(Convert::FpToSiSat, 300.0, 8), from(Convert::FpToSiSat, -300.0, 8), from(Convert::FpToUiSat, 300.0, 8)],
            [127, 128, 255]
        );
        let to = |op, value: u64, bits| convert(op, value as u128, Bits(64), Bits(bits)) as u64;
        assert_eq!(to(Convert::SiToFp, -3i64 as u64, 64), (-3.0f64).to_bits());
        assert_eq!(to(Convert::UiToFp, 3, 32), 3.0f32.to_bits() as u64);
        assert_eq!(convert(Convert::FpToFp, 1.5f32.to_bits() as u128, Bits(32), Bits(64)) as u64, 1.5f64.to_bits());
    }
}
