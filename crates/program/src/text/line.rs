//! One line of text: words, numbers, ids and strings from left to right, and errors that say where.

use super::ParseError;
use crate::field::parse_number;

/// What is left of a line.
pub(super) struct Line<'t> {
    number: u32,
    text: &'t str,
    /// Where the last token begins.
    start: usize,
    /// Where what is left begins.
    at: usize,
}

impl<'t> Line<'t> {
    pub fn new(number: u32, text: &'t str) -> Line<'t> {
        Line { number, text, start: 0, at: 0 }
    }

    /// An error at the token read last.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let column = self.text[..self.start].chars().count() as u32 + 1;
        ParseError { line: self.number, column, message: message.into() }
    }

    /// Goes to the next token and says whether there is none.
    pub fn is_done(&mut self) -> bool {
        let left = self.text[self.at..].trim_start();
        self.at = if left.starts_with("//") { self.text.len() } else { self.text.len() - left.len() };
        self.start = self.at;
        self.at == self.text.len()
    }

    /// Refuses whatever is left.
    pub fn end(&mut self) -> Result<(), ParseError> {
        match self.is_done() {
            true => Ok(()),
            false => Err(self.error(format!("`{}` is too much", self.text[self.at..].trim_end()))),
        }
    }

    /// Everything up to the next white space.
    pub fn word(&mut self) -> Result<&'t str, ParseError> {
        if self.is_done() {
            return Err(self.error("the line ends too early"));
        }
        let left = &self.text[self.at..];
        let word = left.split(char::is_whitespace).next().unwrap_or(left);
        self.at += word.len();
        Ok(word)
    }

    /// Everything but a comment; there are no strings in it.
    pub fn rest(&mut self) -> &'t str {
        self.is_done();
        let left = &self.text[self.at..];
        self.at = self.text.len();
        left.split("//").next().unwrap_or(left).trim_end()
    }

    /// A number that is at most `limit`.
    pub fn number(&mut self, limit: u64) -> Result<u64, ParseError> {
        let word = self.word()?;
        match parse_number(word) {
            Some(number) if number <= limit => Ok(number),
            Some(_) => Err(self.error(format!("`{word}` is more than {limit}"))),
            None => Err(self.error(format!("`{word}` is not a number"))),
        }
    }

    /// A number of 32 bits.
    pub fn number32(&mut self, limit: u32) -> Result<u32, ParseError> {
        self.number(limit as u64).map(|number| number as u32)
    }

    /// The number of an id like `g5`.
    pub fn id(&mut self, prefix: &str) -> Result<u32, ParseError> {
        let word = self.word()?;
        let number = word.strip_prefix(prefix).and_then(|digits| digits.parse().ok());
        number.ok_or_else(|| self.error(format!("`{word}` is not a number after `{prefix}`")))
    }

    /// An id that must be the next one after `len` others.
    pub fn next_id(&mut self, prefix: &str, len: usize) -> Result<(), ParseError> {
        match self.id(prefix)? as usize == len {
            true => Ok(()),
            false => Err(self.error(format!("`{prefix}{len}` comes next"))),
        }
    }

    /// A string in quotes.
    pub fn string(&mut self) -> Result<String, ParseError> {
        if self.is_done() || !self.text[self.at..].starts_with('"') {
            return Err(self.error("a string in quotes is missing"));
        }
        let mut left = self.text[self.at + 1..].chars();
        let mut string = String::new();
        loop {
            match left.next() {
                Some('"') => break,
                Some('\\') => {
                    string.push(escaped(&mut left).ok_or_else(|| self.error("the string has an unknown escape"))?);
                }
                Some(other) => string.push(other),
                None => return Err(self.error("the string has no end")),
            }
        }
        self.at = self.text.len() - left.as_str().len();
        Ok(string)
    }
}

/// The character that the text after a backslash stands for.
fn escaped(left: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match left.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let (digits, rest) = left.as_str().strip_prefix('{')?.split_once('}')?;
            *left = rest.chars();
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
        }
        other @ ('"' | '\'' | '\\') => other,
        _ => return None,
    })
}
