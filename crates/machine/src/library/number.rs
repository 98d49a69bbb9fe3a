//! Numbers from text, and the integer arithmetic of `<stdlib.h>`.

use super::errno::{self, ERANGE};
use super::parse::{self, Parsed};
use super::{Builtin, Call, int};
use crate::runner::Run;
use raddle_event::FaultKind;

pub const TABLE: &[(&str, Builtin)] = &[
    ("atoi", |call| signed(call, 10).map(|value| int(value as i32))),
    ("atol", |call| signed(call, 10)),
    ("atoll", |call| signed(call, 10)),
    ("atof", double),
    ("strtol", |call| signed(call, call.int(2))),
    ("strtoll", |call| signed(call, call.int(2))),
    ("strtoimax", |call| signed(call, call.int(2))),
    ("strtoul", |call| unsigned(call, call.int(2))),
    ("strtoull", |call| unsigned(call, call.int(2))),
    ("strtoumax", |call| unsigned(call, call.int(2))),
    ("__isoc23_strtol", |call| signed(call, call.int(2))),
    ("__isoc23_strtoll", |call| signed(call, call.int(2))),
    ("__isoc23_strtoimax", |call| signed(call, call.int(2))),
    ("__isoc23_strtoul", |call| unsigned(call, call.int(2))),
    ("__isoc23_strtoull", |call| unsigned(call, call.int(2))),
    ("__isoc23_strtoumax", |call| unsigned(call, call.int(2))),
    ("strtod", double),
    ("strtof", single),
    ("abs", |call| Ok(int(call.int(0).wrapping_abs()))),
    ("labs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
    ("llabs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
    ("imaxabs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
    ("div", div),
    ("ldiv", ldiv),
    ("lldiv", ldiv),
    ("imaxdiv", ldiv),
];

/// The digits of a number, where it ends told to the second argument. `atoi` and its like have no second argument and
/// no base.
fn digits(call: &mut Call, base: i32) -> Run<Parsed<u128>> {
    let text = call.string(call.address(0))?;
    let parsed = parse::integer(&text, base);
    tell_end(call, parsed.length)?;
    Ok(parsed)
}

fn tell_end(call: &mut Call, length: usize) -> Run<()> {
    let end = call.word(0) + length as u64;
    if call.name.starts_with("ato") { Ok(()) } else { call.give(call.address(1), 8, end) }
}

fn signed(call: &mut Call, base: i32) -> Run<u64> {
    let parsed = digits(call, base)?;
    let limit = i64::MAX as u128 + parsed.negative as u128;
    if parsed.value > limit {
        errno::set(call, ERANGE)?;
    }
    let magnitude = parsed.value.min(limit) as u64;
    Ok(if parsed.negative { magnitude.wrapping_neg() } else { magnitude })
}

fn unsigned(call: &mut Call, base: i32) -> Run<u64> {
    let parsed = digits(call, base)?;
    let Ok(magnitude) = u64::try_from(parsed.value) else {
        errno::set(call, ERANGE)?;
        return Ok(u64::MAX);
    };
    Ok(if parsed.negative { magnitude.wrapping_neg() } else { magnitude })
}

pub fn floating(call: &mut Call) -> Run<Parsed<String>> {
    let text = call.string(call.address(0))?;
    let parsed = parse::float(&text);
    tell_end(call, parsed.length)?;
    Ok(parsed)
}

fn double(call: &mut Call) -> Run<u64> {
    let parsed = floating(call)?;
    let value = parse::double(&parsed.value);
    if is_out_of_range(&parsed.value, value.is_infinite(), value == 0.0) {
        errno::set(call, ERANGE)?;
    }
    Ok(if parsed.negative { -value } else { value }.to_bits())
}

fn single(call: &mut Call) -> Run<u64> {
    let parsed = floating(call)?;
    let value = parse::single(&parsed.value);
    if is_out_of_range(&parsed.value, value.is_infinite(), value == 0.0) {
        errno::set(call, ERANGE)?;
    }
    Ok(if parsed.negative { -value } else { value }.to_bits() as u64)
}

/// Whether digits gave infinity, or digits that are not all zero gave zero.
pub fn is_out_of_range(text: &str, is_infinite: bool, is_zero: bool) -> bool {
    let mantissa = text.split(['e', 'p']).next().unwrap_or_default().trim_start_matches("0x");
    let has_digits = mantissa.bytes().any(|byte| byte.is_ascii_hexdigit() && byte != b'0');
    !text.starts_with(['i', 'n']) && has_digits && (is_infinite || is_zero)
}

/// Both results in one word.
fn div(call: &mut Call) -> Run<u64> {
    let (a, b) = (call.int(0), call.int(1));
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rest)) => Ok(int(quotient) | int(rest) << 32),
        _ => call.fault(FaultKind::DivisionByZero, "division by zero, or a quotient that does not fit"),
    }
}

fn ldiv(call: &mut Call) -> Run<u64> {
    let (a, b) = (call.word(0) as i64, call.word(1) as i64);
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rest)) => {
            call.more.push(rest as u64);
            Ok(quotient as u64)
        }
        _ => call.fault(FaultKind::DivisionByZero, "division by zero, or a quotient that does not fit"),
    }
}
