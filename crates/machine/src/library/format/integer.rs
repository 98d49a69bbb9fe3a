//! Integers and pointers as text.

use super::{Conversion, Length};

/// The text of an integer for `d i u o x X`.
pub fn integer(conversion: &Conversion, word: u64) -> Vec<u8> {
    let bits = match conversion.length {
        Length::Byte => 8,
        Length::Short => 16,
        Length::Int => 32,
        Length::Long | Length::LongDouble => 64,
    };
    let is_signed = matches!(conversion.letter, b'd' | b'i');
    let value = (word << (64 - bits)) as i64 >> (64 - bits);
    let magnitude = if is_signed { value.unsigned_abs() } else { word & (u64::MAX >> (64 - bits)) };
    let mut digits = match conversion.letter {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'b' | b'B' => format!("{magnitude:b}"),
        _ => magnitude.to_string(),
    };
    if let Some(precision) = conversion.precision() {
        if magnitude == 0 && precision == 0 {
            digits.clear();
        }
        digits = "0".repeat(precision.saturating_sub(digits.len())) + &digits;
    }
    let prefix = match conversion.letter {
        b'x' if conversion.alternative && magnitude != 0 => "0x",
        b'X' if conversion.alternative && magnitude != 0 => "0X",
        b'b' if conversion.alternative && magnitude != 0 => "0b",
        b'o' if conversion.alternative && !digits.starts_with('0') => {
            digits.insert(0, '0');
            ""
        }
        b'd' | b'i' => conversion.sign(value < 0),
        _ => "",
    };
    conversion.fill(prefix, &digits, conversion.zero && conversion.precision.is_none())
}

/// The text of a pointer for `p`.
pub fn pointer(conversion: &Conversion, word: u64) -> Vec<u8> {
    if word == 0 {
        return conversion.padded(b"(nil)");
    }
    let prefix = format!("{}0x", conversion.sign(false));
    conversion.fill(&prefix, &format!("{word:x}"), conversion.zero)
}
