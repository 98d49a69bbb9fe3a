//! Floating point of 80 bits, the `long double` of x86. A number is the pair of registers that holds its bytes.

use crate::apply::x86_integer;
use raddle_program::{Bits, Convert, Extended};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};
use std::cmp::Ordering;

/// How many bits such a number has.
pub const BITS: u8 = 80;

/// A number by its bits.
pub fn number(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits & (u128::MAX >> (128 - BITS as u32)))
}

/// The result of an operation, rounded to nearest.
pub fn arithmetic(op: Extended, a: u128, b: u128) -> u128 {
    let (a, b) = (number(a), number(b));
    let result = match op {
        Extended::Add => a + b,
        Extended::Sub => a - b,
        Extended::Mul => a * b,
        Extended::Div => a / b,
        Extended::Rem => a % b,
    };
    result.value.to_bits()
}

/// In which order two numbers are; `None` where one is not a number.
pub fn order(a: u128, b: u128) -> Option<Ordering> {
    number(a).partial_cmp(&number(b))
}

/// Whether a conversion is from or to such a number, and not from or to an integer of as many bits.
pub fn is_meant(op: Convert, from: Bits, bits: Bits) -> bool {
    match op {
        Convert::SiToFp | Convert::UiToFp => bits.0 == BITS,
        Convert::FpToFp => from.0 == BITS || bits.0 == BITS,
        Convert::FpToSi | Convert::FpToUi | Convert::FpToSiSat | Convert::FpToUiSat => from.0 == BITS,
    }
}

/// A conversion from or to such a number.
pub fn convert(op: Convert, value: u128, from: Bits, bits: Bits) -> u128 {
    let (mask, unused) = (u128::MAX >> (128 - bits.0 as u32), 128 - from.0 as u32);
    let width = bits.0 as usize;
    match op {
        Convert::SiToFp => X87DoubleExtended::from_i128((value << unused) as i128 >> unused).value.to_bits(),
        Convert::UiToFp => X87DoubleExtended::from_u128(value).value.to_bits(),
        Convert::FpToFp => reformat(value, from.0, bits.0),
        Convert::FpToSi => x86_integer(number(value).to_i128(128).value, bits) & mask,
        Convert::FpToUi => number(value).to_i128(128).value as u128 & mask,
        Convert::FpToSiSat => number(value).to_i128(width).value as u128 & mask,
        Convert::FpToUiSat => number(value).to_u128(width).value & mask,
    }
}

fn reformat(value: u128, from: u8, to: u8) -> u128 {
    let mut is_changed = false;
    match (from, to) {
        (32, _) => FloatConvert::<X87DoubleExtended>::convert(Single::from_bits(value), &mut is_changed).value.to_bits(),
        (64, _) => FloatConvert::<X87DoubleExtended>::convert(Double::from_bits(value), &mut is_changed).value.to_bits(),
        (_, 32) => FloatConvert::<Single>::convert(number(value), &mut is_changed).value.to_bits(),
        (_, 64) => FloatConvert::<Double>::convert(number(value), &mut is_changed).value.to_bits(),
        _ => value,
    }
}
