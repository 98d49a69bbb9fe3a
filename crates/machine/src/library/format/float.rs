//! Floating-point numbers as text.

use super::Conversion;

/// The text of a number for `f F e E g G a A`.
pub fn float(conversion: &Conversion, value: f64) -> Vec<u8> {
    let (sign, magnitude) = (conversion.sign(value.is_sign_negative()), value.abs());
    if !magnitude.is_finite() {
        let word = if magnitude.is_nan() { "nan" } else { "inf" };
        return cased(conversion, conversion.fill(sign, word, false));
    }
    let point = conversion.alternative;
    let precision = conversion.precision().unwrap_or(6);
    let digits = match conversion.letter.to_ascii_lowercase() {
        b'f' => fixed(magnitude, precision, point),
        b'e' => scientific(magnitude, precision, point),
        b'g' => general(magnitude, precision.max(1), point),
        _ => {
            let prefix = format!("{sign}0x");
            let digits = hexadecimal(magnitude, conversion.precision(), point);
            return cased(conversion, conversion.fill(&prefix, &digits, conversion.zero));
        }
    };
    cased(conversion, conversion.fill(sign, &digits, conversion.zero))
}

fn cased(conversion: &Conversion, mut text: Vec<u8>) -> Vec<u8> {
    if conversion.letter.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    text
}

/// No number has more digits behind the point: what follows them is zero.
const EXACT: usize = 1100;

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let (exact, zeros) = (precision.min(EXACT), precision.saturating_sub(EXACT));
    let mut text = format!("{value:.exact$}");
    text.extend(std::iter::repeat_n('0', zeros));
    if point && precision == 0 {
        text.push('.');
    }
    text
}

/// The digits and the exponent of a number with one digit before the point.
fn split(value: f64, precision: usize) -> (String, i32) {
    let (exact, zeros) = (precision.min(EXACT), precision.saturating_sub(EXACT));
    let text = format!("{value:.exact$e}");
    let (digits, exponent) = text.split_once('e').expect("the text has an exponent");
    (digits.chars().chain(std::iter::repeat_n('0', zeros)).collect(), exponent.parse().expect("the exponent is a number"))
}

fn exponent(exponent: i32) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (mut digits, power) = split(value, precision);
    if point && precision == 0 {
        digits.push('.');
    }
    digits + &exponent(power)
}

/// The shorter of the other two forms, by the exponent; zeros at the end are cut unless the alternative form is asked for.
fn general(value: f64, precision: usize, point: bool) -> String {
    let (digits, power) = split(value, precision - 1);
    let is_fixed = (-4..precision as i32).contains(&power);
    let digits = if is_fixed { fixed(value, (precision as i32 - 1 - power) as usize, point) } else { digits };
    let digits = match point {
        true if digits.contains('.') => digits,
        true => digits + ".",
        false if digits.contains('.') => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits,
    };
    if is_fixed { digits } else { digits + &exponent(power) }
}

/// The digits behind `0x`.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let (biased, mut fraction) = ((bits >> FRACTION) as i32, bits & ((1 << FRACTION) - 1));
    let (mut lead, power) = match (biased, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, biased - 1023),
    };
    if let Some(kept) = precision.filter(|&n| n < 13) {
        let cut = FRACTION - 4 * kept as u32;
        let whole = lead << FRACTION | fraction;
        let (above, rest, half) = (whole >> cut, whole & ((1 << cut) - 1), 1u64 << (cut - 1));
        let up = rest > half || (rest == half && above & 1 == 1);
        let rounded = (above + up as u64) << cut;
        (lead, fraction) = (rounded >> FRACTION, rounded & ((1 << FRACTION) - 1));
    }
    let mut digits = format!("{fraction:013x}");
    match precision {
        Some(n) if n <= 13 => digits.truncate(n),
        Some(n) => digits += &"0".repeat(n - 13),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if point || !digits.is_empty() { "." } else { "" };
    format!("{lead}{dot}{digits}p{power:+}")
}
