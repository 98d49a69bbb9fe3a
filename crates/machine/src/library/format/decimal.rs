//! All digits of a binary number, and rounding among them.

/// A number that is not negative: its digits, of which so many stand before the point.
pub struct Decimal {
    digits: Vec<u8>,
    point: usize,
}

/// As many digits as fit a word.
const CHUNK: usize = 19;

impl Decimal {
    /// All digits of `mantissa * 2^exponent`.
    pub fn exact(mantissa: u64, exponent: i32) -> Decimal {
        let behind = (-exponent).max(0) as usize;
        let mut words = vec![mantissa];
        // A division by a power of two is a multiplication by one of five, with the point moved.
        let (base, at_once) = if exponent < 0 { (5u64, 27) } else { (2, 63) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            let step = left.min(at_once);
            multiply(&mut words, base.pow(step));
            left -= step;
        }
        let mut digits = digits_of(words);
        let missing = (behind + 1).saturating_sub(digits.len());
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
        Decimal { point: digits.len() - behind, digits }
    }

    /// The number with so many digits behind the point.
    pub fn fixed(&self, precision: usize) -> String {
        let mut digits = self.rounded(self.point + precision);
        let point = digits.len() - precision;
        let behind = digits.split_off(point);
        joined(digits, behind)
    }

    /// The number with one digit before the point and so many behind it, and the power of ten that belongs to it.
    pub fn scientific(&self, precision: usize) -> (String, i32) {
        let Some(first) = self.digits.iter().position(|&digit| digit != b'0') else {
            return (joined(vec![b'0'], vec![b'0'; precision]), 0);
        };
        let rounded = self.rounded(first + precision + 1);
        // Nines that were rounded up have one digit more: it takes the place of a zero before them, or is a new one.
        let grown = rounded.len() - (first + precision + 1);
        let start = rounded.iter().position(|&digit| digit != b'0').unwrap_or(0);
        let power = self.point as i32 + grown as i32 - 1 - start as i32;
        let digits = &rounded[start..start + precision + 1];
        (joined(digits[..1].to_vec(), digits[1..].to_vec()), power)
    }

    /// The first digits, rounded to nearest by the rest, of two that are as near to the even one. There may be one more
    /// in front.
    fn rounded(&self, kept: usize) -> Vec<u8> {
        let mut digits = self.digits[..kept.min(self.digits.len())].to_vec();
        let rest = &self.digits[digits.len()..];
        digits.resize(kept, b'0');
        let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let goes_up = match rest.split_first() {
            Some((b'5', zeros)) => is_odd || zeros.iter().any(|&digit| digit != b'0'),
            Some((first, _)) => *first > b'5',
            None => false,
        };
        if goes_up {
            match digits.iter().rposition(|&digit| digit != b'9') {
                Some(at) => {
                    digits[at] += 1;
                    digits[at + 1..].fill(b'0');
                }
                None => {
                    digits.fill(b'0');
                    digits.insert(0, b'1');
                }
            }
        }
        digits
    }
}

fn joined(whole: Vec<u8>, behind: Vec<u8>) -> String {
    let text = if behind.is_empty() { whole } else { [whole, behind].join(&b'.') };
    String::from_utf8(text).expect("digits are text")
}

/// Multiplies a long number, whose lowest word comes first.
fn multiply(words: &mut Vec<u64>, by: u64) {
    let mut carry = 0;
    for word in words.iter_mut() {
        let product = *word as u128 * by as u128 + carry;
        *word = product as u64;
        carry = product >> 64;
    }
    if carry > 0 {
        words.push(carry as u64);
    }
}

/// The digits of a long number.
fn digits_of(mut words: Vec<u64>) -> Vec<u8> {
    let mut chunks = Vec::new();
    while !words.is_empty() {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let above = rest << 64 | *word as u128;
            *word = (above / 10u128.pow(CHUNK as u32)) as u64;
            rest = above % 10u128.pow(CHUNK as u32);
        }
        chunks.push(format!("{rest:0CHUNK$}"));
        while words.last() == Some(&0) {
            words.pop();
        }
    }
    let all: String = chunks.into_iter().rev().collect();
    let digits = all.trim_start_matches('0');
    if digits.is_empty() { vec![b'0'] } else { digits.as_bytes().to_vec() }
}
