//! Conversions of `printf`: what stands behind a percent sign, and what it makes of a value. The text is glibc's, byte
//! for byte.

mod decimal;
mod float;
mod integer;

pub use float::float;
pub use integer::{integer, pointer};

/// How many bytes an integer argument has, or that a floating-point one is a `long double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Byte,
    Short,
    Int,
    Long,
    LongDouble,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Number(usize),
    /// An argument of type `int` says it.
    Argument,
}

/// What stands between a percent sign and the end of its conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zero: bool,
    pub width: Amount,
    pub precision: Option<Amount>,
    pub length: Length,
    pub letter: u8,
}

impl Conversion {
    /// Reads a conversion from behind its percent sign; also how long it is. `None` where it does not end.
    pub fn parse(text: &[u8]) -> Option<(Conversion, usize)> {
        let mut reader = Reader { text, at: 0 };
        let mut conversion = Conversion {
            left: false,
            plus: false,
            space: false,
            alternative: false,
            zero: false,
            width: Amount::Number(0),
            precision: None,
            length: Length::Int,
            letter: 0,
        };
        while let Some(flag) = reader.one_of(b"-+ #0'") {
            match flag {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                b'#' => conversion.alternative = true,
                b'0' => conversion.zero = true,
                _ => {}
            }
        }
        conversion.width = reader.amount();
        if reader.one_of(b".").is_some() {
            conversion.precision = Some(reader.amount());
        }
        conversion.length = reader.length();
        conversion.letter = reader.next()?;
        Some((conversion, reader.at))
    }

    /// The width, once the arguments that say it are known: a negative one means left.
    pub fn set_width(&mut self, width: i32) {
        self.left |= width < 0;
        self.width = Amount::Number(width.unsigned_abs() as usize);
    }

    /// The precision, once the arguments that say it are known: a negative one counts as none.
    pub fn set_precision(&mut self, precision: i32) {
        self.precision = usize::try_from(precision).ok().map(Amount::Number);
    }

    fn width(&self) -> usize {
        number(self.width)
    }

    fn precision(&self) -> Option<usize> {
        self.precision.map(number)
    }

    /// Puts the sign and prefix before the digits and fills up to the width: with zeros between them where `zero` says
    /// so, else with spaces.
    fn fill(&self, prefix: &str, digits: &str, zero: bool) -> Vec<u8> {
        let missing = self.width().saturating_sub(prefix.len() + digits.len());
        let text = match (self.left, zero) {
            (true, _) => format!("{prefix}{digits}{}", " ".repeat(missing)),
            (false, true) => format!("{prefix}{}{digits}", "0".repeat(missing)),
            (false, false) => format!("{}{prefix}{digits}", " ".repeat(missing)),
        };
        text.into_bytes()
    }

    /// The sign of a number.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// Text with spaces up to the width.
    pub fn padded(&self, text: &[u8]) -> Vec<u8> {
        let spaces = vec![b' '; self.width().saturating_sub(text.len())];
        if self.left { [text, &spaces].concat() } else { [&spaces, text].concat() }
    }

    /// How many bytes of a string may be looked at.
    pub fn most_bytes(&self) -> u64 {
        self.precision().map_or(u64::MAX, |n| n as u64)
    }
}

fn number(amount: Amount) -> usize {
    match amount {
        Amount::Number(n) => n,
        Amount::Argument => unreachable!("the arguments for width and precision come first"),
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = self.text.get(self.at).copied().filter(|byte| bytes.contains(byte))?;
        self.at += 1;
        Some(byte)
    }

    fn amount(&mut self) -> Amount {
        if self.one_of(b"*").is_some() {
            return Amount::Argument;
        }
        let mut number = 0usize;
        while let Some(digit) = self.one_of(b"0123456789") {
            number = number.saturating_mul(10).saturating_add((digit - b'0') as usize);
        }
        Amount::Number(number)
    }

    fn length(&mut self) -> Length {
        match self.one_of(b"hlzjtLq") {
            Some(b'h') if self.one_of(b"h").is_some() => Length::Byte,
            Some(b'h') => Length::Short,
            Some(b'l') => {
                self.one_of(b"l");
                Length::Long
            }
            Some(b'L') => Length::LongDouble,
            Some(_) => Length::Long,
            None => Length::Int,
        }
    }
}

#[cfg(test)]
mod tests;
