//! The functions of `<math.h>` for `long double` whose results are exact or rounded once. Others are not known: no
//! library computes them alike.

use super::parse;
use super::{Builtin, Call, errno, int, number};
use crate::extended;
use crate::runner::Run;
use raddle_event::Address;
use rustc_apfloat::ieee::X87DoubleExtended;
use rustc_apfloat::{Category, Float, Round};

pub const TABLE: &[(&str, Builtin)] = &[
    ("fabsl", |call| one(call, |x| x.abs())),
    ("sqrtl", |call| one(call, sqrt)),
    ("floorl", |call| rounded(call, Round::TowardNegative)),
    ("ceill", |call| rounded(call, Round::TowardPositive)),
    ("truncl", |call| rounded(call, Round::TowardZero)),
    ("roundl", |call| rounded(call, Round::NearestTiesToAway)),
    ("rintl", |call| rounded(call, Round::NearestTiesToEven)),
    ("nearbyintl", |call| rounded(call, Round::NearestTiesToEven)),
    ("roundevenl", |call| rounded(call, Round::NearestTiesToEven)),
    ("lroundl", |call| Ok(whole(x(call, 0), Round::NearestTiesToAway))),
    ("llroundl", |call| Ok(whole(x(call, 0), Round::NearestTiesToAway))),
    ("lrintl", |call| Ok(whole(x(call, 0), Round::NearestTiesToEven))),
    ("llrintl", |call| Ok(whole(x(call, 0), Round::NearestTiesToEven))),
    ("fmodl", |call| two(call, |x, y| x.c_fmod(y).value)),
    ("fminl", |call| two(call, |x, y| x.min(y))),
    ("fmaxl", |call| two(call, |x, y| x.max(y))),
    ("copysignl", |call| two(call, |x, y| x.copy_sign(y))),
    ("fdiml", |call| two(call, |x, y| if x <= y { X87DoubleExtended::ZERO } else { (x - y).value })),
    ("ldexpl", |call| one_and(call, |x, n| x.scalbn(n))),
    ("scalbnl", |call| one_and(call, |x, n| x.scalbn(n))),
    ("scalblnl", |call| one_and(call, |x, n| x.scalbn(n))),
    ("frexpl", frexp),
    ("modfl", modf),
    ("strtold", parse),
    ("__isnanl", |call| Ok(x(call, 0).is_nan() as u64)),
    ("__isinfl", |call| Ok(int(if x(call, 0).is_infinite() { if x(call, 0).is_negative() { -1 } else { 1 } } else { 0 }))),
    ("__finitel", |call| Ok(x(call, 0).is_finite() as u64)),
    ("__signbitl", |call| Ok(x(call, 0).is_negative() as u64)),
    ("__fpclassifyl", |call| Ok(class(x(call, 0)))),
    ("__raddle_class_of_long_double", |call| Ok(1 << llvm_class(x(call, 0)))),
];

/// An argument that takes this word and the next.
fn x(call: &Call, number: usize) -> X87DoubleExtended {
    extended::number(call.word(number) as u128 | (call.word(number + 1) as u128) << 64)
}

fn give(call: &mut Call, value: X87DoubleExtended) -> Run<u64> {
    let bits = value.to_bits();
    call.more.push((bits >> 64) as u64);
    Ok(bits as u64)
}

fn one(call: &mut Call, f: impl Fn(X87DoubleExtended) -> X87DoubleExtended) -> Run<u64> {
    give(call, f(x(call, 0)))
}

fn two(call: &mut Call, f: impl Fn(X87DoubleExtended, X87DoubleExtended) -> X87DoubleExtended) -> Run<u64> {
    give(call, f(x(call, 0), x(call, 2)))
}

fn one_and(call: &mut Call, f: impl Fn(X87DoubleExtended, i32) -> X87DoubleExtended) -> Run<u64> {
    give(call, f(x(call, 0), call.int(2)))
}

fn rounded(call: &mut Call, round: Round) -> Run<u64> {
    one(call, |x| x.round_to_integral(round).value)
}

fn whole(x: X87DoubleExtended, round: Round) -> u64 {
    x.to_i128_r(64, round, &mut false).value as u64
}

/// The root of the mantissa, shifted so that it has as many bits and the exponent is even, rounded by what is left.
fn sqrt(x: X87DoubleExtended) -> X87DoubleExtended {
    if !x.is_finite_non_zero() || x.is_negative() {
        return if x.is_zero() || x.is_nan() || !x.is_negative() { x } else { X87DoubleExtended::NAN.copy_sign(x) };
    }
    let exponent = x.ilogb();
    let mantissa = x.scalbn(63 - exponent).to_u128(64).value;
    let even = exponent.rem_euclid(2);
    let square = mantissa << (63 + even);
    let root = square.isqrt();
    let root = root + (square - root * root > root) as u128;
    X87DoubleExtended::from_u128(root).value.scalbn((exponent - even) / 2 - 63)
}

fn frexp(call: &mut Call) -> Run<u64> {
    let (value, mut exponent) = (x(call, 0), 0);
    let fraction = if value.is_finite_non_zero() { value.frexp(&mut exponent) } else { value };
    call.store(call.address(2), 4, exponent as u32 as u64)?;
    give(call, fraction)
}

fn modf(call: &mut Call) -> Run<u64> {
    let value = x(call, 0);
    let whole = value.round_to_integral(Round::TowardZero).value;
    let Address(at) = call.address(2);
    let bits = whole.to_bits().to_le_bytes();
    call.runner.write_bytes(Address(at), &bits[..extended::BITS as usize / 8])?;
    let fraction = if value.is_infinite() { X87DoubleExtended::ZERO } else { (value - whole).value };
    give(call, fraction.copy_sign(value))
}

fn parse(call: &mut Call) -> Run<u64> {
    let parsed = number::floating(call)?;
    let value = parse::extended(&parsed.value);
    if number::is_out_of_range(&parsed.value, value.is_infinite(), value.is_zero()) {
        errno::set(call, errno::ERANGE)?;
    }
    give(call, if parsed.negative { -value } else { value })
}

/// glibc's numbers for the classes.
fn class(x: X87DoubleExtended) -> u64 {
    match x.category() {
        Category::NaN => 0,
        Category::Infinity => 1,
        Category::Zero => 2,
        Category::Normal if x.is_denormal() => 3,
        Category::Normal => 4,
    }
}

/// LLVM's: what is not a number, signalling and quiet, then from the lowest to the highest.
fn llvm_class(x: X87DoubleExtended) -> u64 {
    let from_zero = match x.category() {
        Category::NaN => return !x.is_signaling() as u64,
        Category::Zero => 0,
        Category::Normal if x.is_denormal() => 1,
        Category::Normal => 2,
        Category::Infinity => 3,
    };
    if x.is_negative() { 5 - from_zero } else { 6 + from_zero }
}
