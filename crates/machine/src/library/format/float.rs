//! Floating-point numbers as text.

use super::Conversion;
use super::decimal::Decimal;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::X87DoubleExtended;

/// A number to be printed.
pub struct Number {
    is_negative: bool,
    size: Size,
}

enum Size {
    /// `mantissa * 2^exponent`; so many bits of the mantissa stand behind the point of a hexadecimal number.
    Finite {
        mantissa: u64,
        exponent: i32,
        behind: u32,
    },
    Infinite,
    Nan,
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        let (biased, fraction) = ((value.to_bits() >> 52) as i32 & 0x7ff, value.to_bits() & ((1 << 52) - 1));
        let size = match value {
            _ if value.is_nan() => Size::Nan,
            _ if value.is_infinite() => Size::Infinite,
            _ => Size::Finite { mantissa: fraction | ((biased > 0) as u64) << 52, exponent: biased.max(1) - 1075, behind: 52 },
        };
        Number { is_negative: value.is_sign_negative(), size }
    }
}

impl From<X87DoubleExtended> for Number {
    fn from(value: X87DoubleExtended) -> Number {
        let bits = value.to_bits();
        let size = match value {
            _ if value.is_nan() => Size::Nan,
            _ if value.is_infinite() => Size::Infinite,
            _ => Size::Finite { mantissa: bits as u64, exponent: ((bits >> 64) as i32 & 0x7fff).max(1) - 16446, behind: 60 },
        };
        Number { is_negative: value.is_negative(), size }
    }
}

/// The text of a number for `f F e E g G a A`.
pub fn float(conversion: &Conversion, value: impl Into<Number>) -> Vec<u8> {
    let Number { is_negative, size } = value.into();
    let sign = conversion.sign(is_negative);
    let (mantissa, exponent, behind) = match size {
        Size::Finite { mantissa, exponent, behind } => (mantissa, exponent, behind),
        Size::Infinite => return cased(conversion, conversion.fill(sign, "inf", false)),
        Size::Nan => return cased(conversion, conversion.fill(sign, "nan", false)),
    };
    let point = conversion.alternative;
    if conversion.letter.eq_ignore_ascii_case(&b'a') {
        let digits = hexadecimal(mantissa, exponent, behind, conversion.precision(), point);
        return cased(conversion, conversion.fill(&format!("{sign}0x"), &digits, conversion.zero));
    }
    let (number, precision) = (Decimal::exact(mantissa, exponent), conversion.precision().unwrap_or(6));
    let digits = match conversion.letter.to_ascii_lowercase() {
        b'f' => fixed(&number, precision, point),
        b'e' => scientific(&number, precision, point),
        _ => general(&number, precision.max(1), point),
    };
    cased(conversion, conversion.fill(sign, &digits, conversion.zero))
}

fn cased(conversion: &Conversion, mut text: Vec<u8>) -> Vec<u8> {
    if conversion.letter.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    text
}

fn fixed(number: &Decimal, precision: usize, point: bool) -> String {
    let mut text = number.fixed(precision);
    if point && precision == 0 {
        text.push('.');
    }
    text
}

fn exponent(exponent: i32) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

fn scientific(number: &Decimal, precision: usize, point: bool) -> String {
    let (mut digits, power) = number.scientific(precision);
    if point && precision == 0 {
        digits.push('.');
    }
    digits + &exponent(power)
}

/// The shorter of the other two forms, by the exponent; zeros at the end are cut unless the alternative form is asked
/// for.
fn general(number: &Decimal, precision: usize, point: bool) -> String {
    let (digits, power) = number.scientific(precision - 1);
    let is_fixed = (-4..precision as i32).contains(&power);
    let digits = if is_fixed { fixed(number, (precision as i32 - 1 - power) as usize, point) } else { digits };
    let digits = match point {
        true if digits.contains('.') => digits,
        true => digits + ".",
        false if digits.contains('.') => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits,
    };
    if is_fixed { digits } else { digits + &exponent(power) }
}

/// The digits behind `0x` of `mantissa * 2^exponent`, of whose bits so many stand behind the point.
fn hexadecimal(mantissa: u64, exponent: i32, behind: u32, precision: Option<usize>, point: bool) -> String {
    let power = if mantissa == 0 { 0 } else { exponent + behind as i32 };
    let (mut whole, n_digits) = (mantissa as u128, behind as usize / 4);
    if let Some(kept) = precision.filter(|&n| n < n_digits) {
        let cut = behind - 4 * kept as u32;
        let (above, rest, half) = (whole >> cut, whole & ((1 << cut) - 1), 1u128 << (cut - 1));
        let up = rest > half || (rest == half && above & 1 == 1);
        whole = (above + up as u128) << cut;
    }
    let (lead, fraction) = (whole >> behind, whole & ((1 << behind) - 1));
    let mut digits = format!("{fraction:0n_digits$x}");
    match precision {
        Some(n) if n <= n_digits => digits.truncate(n),
        Some(n) => digits += &"0".repeat(n - n_digits),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if point || !digits.is_empty() { "." } else { "" };
    format!("{lead:x}{dot}{digits}p{power:+}")
}
