//! The functions of `<math.h>`, computed by the mathematical library of the machine that the checker runs on.

use super::parse::scaled;
use super::{Builtin, Call, int};
use crate::runner::Run;

/// A row for a function of one argument and the same for `float`.
macro_rules! unary {
    ($name:literal, $single:literal, $function:ident) => {
        [($name, |call: &mut Call| one(call, f64::$function)), ($single, |call: &mut Call| one_single(call, f32::$function))]
    };
}

/// The same for two arguments.
macro_rules! binary {
    ($name:literal, $single:literal, $function:ident) => {
        [($name, |call: &mut Call| two(call, f64::$function)), ($single, |call: &mut Call| two_single(call, f32::$function))]
    };
}

type Pair = [(&'static str, Builtin); 2];

/// Functions that exist for both formats under the name of a method.
pub const PAIRS: &[Pair] = &[
    unary!("sin", "sinf", sin),
    unary!("cos", "cosf", cos),
    unary!("tan", "tanf", tan),
    unary!("asin", "asinf", asin),
    unary!("acos", "acosf", acos),
    unary!("atan", "atanf", atan),
    unary!("sinh", "sinhf", sinh),
    unary!("cosh", "coshf", cosh),
    unary!("tanh", "tanhf", tanh),
    unary!("asinh", "asinhf", asinh),
    unary!("acosh", "acoshf", acosh),
    unary!("atanh", "atanhf", atanh),
    unary!("exp", "expf", exp),
    unary!("exp2", "exp2f", exp2),
    unary!("expm1", "expm1f", exp_m1),
    unary!("log", "logf", ln),
    unary!("log2", "log2f", log2),
    unary!("log10", "log10f", log10),
    unary!("log1p", "log1pf", ln_1p),
    unary!("sqrt", "sqrtf", sqrt),
    unary!("cbrt", "cbrtf", cbrt),
    unary!("fabs", "fabsf", abs),
    unary!("floor", "floorf", floor),
    unary!("ceil", "ceilf", ceil),
    unary!("round", "roundf", round),
    unary!("trunc", "truncf", trunc),
    unary!("rint", "rintf", round_ties_even),
    unary!("nearbyint", "nearbyintf", round_ties_even),
    unary!("roundeven", "roundevenf", round_ties_even),
    binary!("pow", "powf", powf),
    binary!("atan2", "atan2f", atan2),
    binary!("hypot", "hypotf", hypot),
    binary!("fmin", "fminf", min),
    binary!("fmax", "fmaxf", max),
    binary!("copysign", "copysignf", copysign),
];

pub const TABLE: &[(&str, Builtin)] = &[
    ("fmod", |call| two(call, |x, y| x % y)),
    ("fmodf", |call| two_single(call, |x, y| x % y)),
    ("remainder", |call| two(call, remainder)),
    ("fdim", |call| two(call, |x, y| if x <= y { 0.0 } else { x - y })),
    ("fdimf", |call| two_single(call, |x, y| if x <= y { 0.0 } else { x - y })),
    ("fma", |call| Ok(x(call, 0).mul_add(x(call, 1), x(call, 2)).to_bits())),
    ("fmaf", |call| Ok(single(call, 0).mul_add(single(call, 1), single(call, 2)).to_bits() as u64)),
    ("nextafter", |call| two(call, next_after)),
    ("ldexp", |call| Ok(scaled(x(call, 0), call.int(1) as i64).to_bits())),
    ("scalbn", |call| Ok(scaled(x(call, 0), call.int(1) as i64).to_bits())),
    ("scalbln", |call| Ok(scaled(x(call, 0), call.word(1) as i64).to_bits())),
    ("ldexpf", |call| Ok((scaled(single(call, 0) as f64, call.int(1) as i64) as f32).to_bits() as u64)),
    ("frexp", frexp),
    ("modf", modf),
    ("logb", |call| one(call, |x| if x == 0.0 { f64::NEG_INFINITY } else { exponent(x) as f64 })),
    ("ilogb", |call| Ok(int(exponent(x(call, 0))))),
    ("lround", |call| Ok(x(call, 0).round() as i64 as u64)),
    ("llround", |call| Ok(x(call, 0).round() as i64 as u64)),
    ("lroundf", |call| Ok(single(call, 0).round() as i64 as u64)),
    ("lrint", |call| Ok(x(call, 0).round_ties_even() as i64 as u64)),
    ("llrint", |call| Ok(x(call, 0).round_ties_even() as i64 as u64)),
    ("lrintf", |call| Ok(single(call, 0).round_ties_even() as i64 as u64)),
    ("isnan", |call| Ok(x(call, 0).is_nan() as u64)),
    ("__isnan", |call| Ok(x(call, 0).is_nan() as u64)),
    ("__isnanf", |call| Ok(single(call, 0).is_nan() as u64)),
    ("isinf", |call| infinite(x(call, 0))),
    ("__isinf", |call| infinite(x(call, 0))),
    ("__isinff", |call| infinite(single(call, 0) as f64)),
    ("finite", |call| Ok(x(call, 0).is_finite() as u64)),
    ("__finite", |call| Ok(x(call, 0).is_finite() as u64)),
    ("__finitef", |call| Ok(single(call, 0).is_finite() as u64)),
    ("__signbit", |call| Ok(x(call, 0).is_sign_negative() as u64)),
    ("__signbitf", |call| Ok(single(call, 0).is_sign_negative() as u64)),
    ("__fpclassify", |call| Ok(class(x(call, 0).classify()))),
    ("__fpclassifyf", |call| Ok(class(single(call, 0).classify()))),
];

fn x(call: &Call, number: usize) -> f64 {
    f64::from_bits(call.word(number))
}

fn single(call: &Call, number: usize) -> f32 {
    f32::from_bits(call.word(number) as u32)
}

fn one(call: &mut Call, f: impl Fn(f64) -> f64) -> Run<u64> {
    Ok(f(x(call, 0)).to_bits())
}

fn one_single(call: &mut Call, f: impl Fn(f32) -> f32) -> Run<u64> {
    Ok(f(single(call, 0)).to_bits() as u64)
}

fn two(call: &mut Call, f: impl Fn(f64, f64) -> f64) -> Run<u64> {
    Ok(f(x(call, 0), x(call, 1)).to_bits())
}

fn two_single(call: &mut Call, f: impl Fn(f32, f32) -> f32) -> Run<u64> {
    Ok(f(single(call, 0), single(call, 1)).to_bits() as u64)
}

fn infinite(x: f64) -> Run<u64> {
    Ok(if x.is_infinite() { int(x.signum() as i32) } else { 0 })
}

/// glibc's numbers for the classes.
fn class(of: std::num::FpCategory) -> u64 {
    use std::num::FpCategory::*;
    match of {
        Nan => 0,
        Infinite => 1,
        Zero => 2,
        Subnormal => 3,
        Normal => 4,
    }
}

/// The rest of a division whose quotient is rounded to the nearest integer.
fn remainder(x: f64, y: f64) -> f64 {
    let y = y.abs();
    let mut rest = x.abs() % (2.0 * y);
    if rest > y / 2.0 {
        rest -= y;
        if rest >= y / 2.0 {
            rest -= y;
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn next_after(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == y {
        return y;
    }
    if x == 0.0 {
        return f64::from_bits(1).copysign(y);
    }
    let outwards = (x < y) == (x > 0.0);
    f64::from_bits(if outwards { x.to_bits() + 1 } else { x.to_bits() - 1 })
}

/// The power of two below a number that is not zero.
fn exponent(x: f64) -> i32 {
    if x == 0.0 || x.is_nan() {
        return i32::MIN;
    }
    if x.is_infinite() {
        return i32::MAX;
    }
    let biased = |x: f64| (x.to_bits() >> 52 & 0x7ff) as i32;
    match biased(x) {
        0 => biased(x * 2f64.powi(64)) - 64 - 1023,
        biased => biased - 1023,
    }
}

/// A number from a half to one, and the power of two told to the second argument.
fn frexp(call: &mut Call) -> Run<u64> {
    let x = x(call, 0);
    let power = if x == 0.0 || !x.is_finite() { 0 } else { exponent(x) + 1 };
    call.store(call.address(1), 4, int(power))?;
    Ok(scaled(x, -power as i64).to_bits())
}

/// The part behind the point; the part before it told to the second argument.
fn modf(call: &mut Call) -> Run<u64> {
    let x = x(call, 0);
    call.store(call.address(1), 8, x.trunc().to_bits())?;
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    Ok(fraction.copysign(x).to_bits())
}
