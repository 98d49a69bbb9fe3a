//! Reads numbers the way `strtol` and `strtod` do: as much of the text as makes sense.

use rustc_apfloat::ieee::X87DoubleExtended;
use rustc_apfloat::{Float, Round};

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<T> {
    pub negative: bool,
    /// Without the sign.
    pub value: T,
    /// How many bytes were used; none where there is no number.
    pub length: usize,
}

/// Where the number begins behind spaces and a sign, and whether the sign is a minus.
fn start(text: &[u8]) -> (usize, bool) {
    let is_space = |byte: &u8| *byte == b' ' || (9..=13).contains(byte);
    let spaces = text.iter().take_while(|byte| is_space(byte)).count();
    match text.get(spaces) {
        Some(b'-') => (spaces + 1, true),
        Some(b'+') => (spaces + 1, false),
        _ => (spaces, false),
    }
}

fn digit(byte: u8, base: u32) -> Option<u32> {
    (byte as char).to_digit(36).filter(|&digit| digit < base)
}

/// Reads an integer; base 0 means that a prefix tells. The value stays at the largest number where it does not fit.
pub fn integer(text: &[u8], base: i32) -> Parsed<u128> {
    let (mut at, negative) = start(text);
    let nothing = Parsed { negative: false, value: 0, length: 0 };
    let Ok(mut base) = u32::try_from(base) else { return nothing };
    let has_digit = |at: usize, base: u32| text.get(at).is_some_and(|&byte| digit(byte, base).is_some());
    let is_prefix = |letter: u8| text.get(at) == Some(&b'0') && text.get(at + 1).is_some_and(|byte| byte.to_ascii_lowercase() == letter);
    if (base == 0 || base == 16) && is_prefix(b'x') && has_digit(at + 2, 16) {
        (at, base) = (at + 2, 16);
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    if !(2..=36).contains(&base) || !has_digit(at, base) {
        return nothing;
    }
    let mut value = 0u128;
    while let Some(digit) = text.get(at).and_then(|&byte| digit(byte, base)) {
        value = value.saturating_mul(base as u128).saturating_add(digit as u128);
        at += 1;
    }
    Parsed { negative, value, length: at }
}

/// Finds a floating-point number; its text is in lower case.
pub fn float(text: &[u8]) -> Parsed<String> {
    let (at, negative) = start(text);
    let rest = text[at..].to_ascii_lowercase();
    let length = match &rest[..] {
        word if word.starts_with(b"infinity") => 8,
        word if word.starts_with(b"inf") || word.starts_with(b"nan") => 3,
        word if word.starts_with(b"0x") => match number_length(&word[2..], b'p', |byte| byte.is_ascii_hexdigit()) {
            0 => 1,
            length => 2 + length,
        },
        word => number_length(word, b'e', |byte| byte.is_ascii_digit()),
    };
    let value = String::from_utf8_lossy(&rest[..length]).into_owned();
    Parsed { negative: negative && length > 0, value, length: if length == 0 { 0 } else { at + length } }
}

/// How long digits with at most one point and an exponent are.
fn number_length(text: &[u8], exponent: u8, is_digit: impl Fn(u8) -> bool) -> usize {
    let count = |from: usize, is: &dyn Fn(u8) -> bool| text[from.min(text.len())..].iter().take_while(|&&byte| is(byte)).count();
    let whole = count(0, &is_digit);
    let point = text.get(whole) == Some(&b'.');
    let fraction = if point { count(whole + 1, &is_digit) } else { 0 };
    if whole + fraction == 0 {
        return 0;
    }
    let mantissa = whole + fraction + point as usize;
    if text.get(mantissa) != Some(&exponent) {
        return mantissa;
    }
    let sign = matches!(text.get(mantissa + 1), Some(b'+' | b'-')) as usize;
    match count(mantissa + 1 + sign, &|byte: u8| byte.is_ascii_digit()) {
        0 => mantissa,
        digits => mantissa + 1 + sign + digits,
    }
}

/// The value of a text that [`float`] found.
pub fn double(text: &str) -> f64 {
    match text.strip_prefix("0x") {
        Some(digits) => hexadecimal(digits),
        None => text.parse().unwrap_or(0.0),
    }
}

/// The same, rounded once to the shorter format.
pub fn single(text: &str) -> f32 {
    match text.strip_prefix("0x") {
        Some(digits) => hexadecimal(digits) as f32,
        None => text.parse().unwrap_or(0.0),
    }
}

/// The same as a `long double`.
pub fn extended(text: &str) -> X87DoubleExtended {
    match text.as_bytes().first() {
        Some(b'i') => X87DoubleExtended::INFINITY,
        Some(b'n') => X87DoubleExtended::NAN,
        _ => {
            // A hexadecimal number needs an exponent there.
            let exponent = if text.starts_with("0x") && !text.contains('p') { "p0" } else { "" };
            let parsed = X87DoubleExtended::from_str_r(&format!("{text}{exponent}"), Round::NearestTiesToEven);
            parsed.map_or(X87DoubleExtended::ZERO, |parsed| parsed.value)
        }
    }
}

/// Keeps the first digits exactly and remembers in the lowest bit whether others follow, so that one rounding is left
/// to do.
fn hexadecimal(digits: &str) -> f64 {
    let (mantissa, power) = digits.split_once('p').unwrap_or((digits, "0"));
    let mut exponent: i64 = power.parse().unwrap_or(if power.starts_with('-') { -100_000 } else { 100_000 });
    let (mut value, mut behind_point) = (0u64, false);
    for byte in mantissa.bytes() {
        let Some(digit) = (byte as char).to_digit(16) else {
            behind_point = true;
            continue;
        };
        if value >> 58 == 0 {
            value = value << 4 | digit as u64;
            exponent -= 4 * behind_point as i64;
        } else {
            value |= (digit != 0) as u64;
            exponent += 4 * !behind_point as i64;
        }
    }
    scaled(value as f64, exponent)
}

/// `value * 2^exponent`, in steps of which only the last one rounds.
pub fn scaled(mut value: f64, exponent: i64) -> f64 {
    let power = |n: i64| f64::from_bits(((n + 1023) as u64) << 52);
    let mut left = exponent.clamp(-4000, 4000);
    while left > 1023 {
        value *= power(1023);
        left -= 1023;
    }
    // Going down, the last step must take all the bits that a subnormal number loses.
    while left < -1022 {
        value *= power(-1022 + 53);
        left += 1022 - 53;
    }
    value * power(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_integer(text: &str, base: i32, value: i128, length: usize) {
        let parsed = integer(text.as_bytes(), base);
        let sign = if parsed.negative { -1 } else { 1 };
        assert_eq!((sign * parsed.value as i128, parsed.length), (value, length), "{text}");
    }

    #[test]
    fn integers_end_where_their_digits_do() {
        check_integer("  -42abc", 10, -42, 5);
        check_integer("0x1fg", 0, 31, 4);
        check_integer("0x1fg", 16, 31, 4);
        check_integer("0xg", 0, 0, 1);
        check_integer("0779", 0, 0o77, 3);
        check_integer("zz", 36, 35 * 37, 2);
        check_integer("12", 2, 1, 1);
        check_integer("+", 10, 0, 0);
        check_integer("", 10, 0, 0);
        check_integer("99999999999999999999", 10, 99999999999999999999, 20);
    }

    #[track_caller]
    fn check_float(text: &str, value: f64, length: usize) {
        let parsed = float(text.as_bytes());
        let found = double(&parsed.value);
        let found = if parsed.negative { -found } else { found };
        assert_eq!((found.to_bits(), parsed.length), (value.to_bits(), length), "{text}");
    }

    #[test]
    fn floats_end_where_their_digits_do() {
        check_float(" 3.25xyz", 3.25, 5);
        check_float("-1e3e", -1000.0, 4);
        check_float("1e+", 1.0, 1);
        check_float(".5.", 0.5, 2);
        check_float("5.", 5.0, 2);
        check_float(".", 0.0, 0);
        check_float("-x", 0.0, 0);
        check_float("-0", -0.0, 2);
        check_float("inFinity", f64::INFINITY, 8);
        check_float("infin", f64::INFINITY, 3);
        check_float("0x1.8p1z", 3.0, 7);
        check_float("0x.8", 0.5, 4);
        check_float("0xp", 0.0, 1);
        check_float("0x1p-1074", f64::from_bits(1), 9);
        check_float("1e400", f64::INFINITY, 5);
        check_float("2.2250738585072014e-308", f64::MIN_POSITIVE, 23);
    }
}
