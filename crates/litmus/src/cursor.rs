//! A cursor over the text that sees tokens.
//!
//! The three parts of a test have different tokens: `||` is one in C and two column marks in assembly, `(*` begins a
//! comment everywhere but in C. So the cursor is told the [`Dialect`] and finds each token when it is asked for it.

use crate::error::{Result, syntax};

/// How the text at the cursor is divided into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Initial and final states.
    State,
    /// Columns of instructions.
    Assembly,
    /// Functions of C.
    C,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Name(&'a str),
    /// Digits, perhaps with `0x` in front.
    Number(&'a str),
    /// What stands between double quotes.
    Text(&'a str),
    Sign(&'a str),
    /// A comment or quotation that does not end.
    Unclosed(&'static str),
    End,
}

#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
}

const STATE_SIGNS: [&str; 6] = ["/\\", "\\/", "=>", "==", "!=", "<>"];
const C_SIGNS: [&str; 22] =
    ["<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "::"];

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, at: usize, dialect: Dialect) -> Cursor<'a> {
        Cursor { text, at, dialect }
    }

    /// The same place, seen in another dialect.
    pub fn switch_to(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    /// The offset of the next token.
    pub fn offset(&self) -> usize {
        self.after_blanks().unwrap_or_else(|comment| comment)
    }

    pub fn peek(&self) -> Token<'a> {
        self.token().0
    }

    /// The token after the next one.
    pub fn peek_second(&self) -> Token<'a> {
        let mut ahead = *self;
        ahead.next();
        ahead.peek()
    }

    pub fn next(&mut self) -> Token<'a> {
        let (token, end) = self.token();
        self.at = end;
        token
    }

    /// Takes the next token if it is this sign.
    pub fn accept(&mut self, sign: &str) -> bool {
        let here = self.peek() == Token::Sign(sign);
        if here {
            self.next();
        }
        here
    }

    /// Takes the next token if it is this word.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let here = self.peek() == Token::Name(word);
        if here {
            self.next();
        }
        here
    }

    pub fn expect(&mut self, sign: &str) -> Result<()> {
        match self.accept(sign) {
            true => Ok(()),
            false => self.expected(&format!("`{sign}`")),
        }
    }

    /// A name, bare or between quotes.
    pub fn name(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Token::Name(name) | Token::Text(name) => {
                self.next();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    /// A number, perhaps with a sign in front.
    pub fn number(&mut self, what: &str) -> Result<i64> {
        let at = self.offset();
        let negative = self.accept("-");
        let Token::Number(digits) = self.peek() else { return self.expected(what) };
        self.next();
        let Some(value) = parse_number(digits) else {
            return syntax(at, format!("`{digits}` is not a number of 64 bits"));
        };
        Ok(if negative { value.wrapping_neg() } else { value } as i64)
    }

    /// The error that something else was expected here.
    pub fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.peek() {
            Token::Name(text) | Token::Number(text) | Token::Sign(text) => format!("`{text}`"),
            Token::Text(text) => format!("`\"{text}\"`"),
            Token::Unclosed(what) => format!("{what} that does not end"),
            Token::End => "the end of the file".into(),
        };
        syntax(self.offset(), format!("expected {what}, found {found}"))
    }

    /// The next token and the offset behind it.
    fn token(&self) -> (Token<'a>, usize) {
        let at = match self.after_blanks() {
            Ok(at) => at,
            Err(_) => return (Token::Unclosed("a comment"), self.text.len()),
        };
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return (Token::End, at) };
        if first == '"' {
            return match rest[1..].find('"') {
                Some(end) => (Token::Text(&rest[1..1 + end]), at + end + 2),
                None => (Token::Unclosed("a quotation"), self.text.len()),
            };
        }
        let dots = self.dialect != Dialect::C;
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || (dots && c == '.');
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            return (Token::Name(&rest[..end]), at + end);
        }
        if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            return (Token::Number(&rest[..end]), at + end);
        }
        let end = self.long_sign(rest).unwrap_or(first.len_utf8());
        (Token::Sign(&rest[..end]), at + end)
    }

    /// The length of the sign of several characters that the text begins with.
    fn long_sign(&self, rest: &str) -> Option<usize> {
        let signs: &[&str] = match self.dialect {
            Dialect::State => &STATE_SIGNS,
            Dialect::Assembly => &[],
            Dialect::C => &C_SIGNS,
        };
        signs.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len())
    }

    /// The offset behind blanks and comments; where a comment does not end, its offset.
    fn after_blanks(&self) -> std::result::Result<usize, usize> {
        let mut at = self.at;
        loop {
            let rest = &self.text[at..];
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            at += rest.len() - trimmed.len();
            let Some(length) = comment(trimmed, self.dialect != Dialect::C) else { return Ok(at) };
            at += length.ok_or(at)?;
        }
    }
}

/// The length of the comment that the text begins with, if it begins with one; no length where it does not end.
pub(crate) fn comment(text: &str, nested: bool) -> Option<Option<usize>> {
    if text.starts_with("//") {
        Some(Some(text.find('\n').unwrap_or(text.len())))
    } else if let Some(inner) = text.strip_prefix("/*") {
        Some(inner.find("*/").map(|end| end + 4))
    } else if nested && text.starts_with("(*") {
        Some(nested_comment(text))
    } else {
        None
    }
}

/// The length of the comment of the form `(* (* *) *)` that the text begins with.
fn nested_comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"(*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*)") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else if rest.is_empty() {
            return None;
        } else {
            at += 1;
        }
    }
}

/// The value of digits, decimal or with `0x`, `0o` or `0b` in front; suffixes of C such as `UL` are dropped.
fn parse_number(digits: &str) -> Option<u64> {
    let lower = digits.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return u64::from_str_radix(hex.trim_end_matches(['u', 'l']), 16).ok();
    }
    if let Some(binary) = lower.strip_prefix("0b") {
        return u64::from_str_radix(binary, 2).ok();
    }
    lower.trim_end_matches(['u', 'l']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dialect: Dialect, text: &str, expected: &str) {
        let mut cursor = Cursor::new(text, 0, dialect);
        let mut found = Vec::new();
        loop {
            match cursor.next() {
                Token::End => break,
                Token::Unclosed(what) => {
                    found.push(format!("!{what}"));
                    break;
                }
                Token::Name(t) | Token::Number(t) | Token::Text(t) | Token::Sign(t) => found.push(t.to_string()),
            }
        }
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn each_dialect_has_its_tokens() {
        check(Dialect::Assembly, "stwcx. r1,r0,r2 || MOV [x],$-1;", "stwcx. r1 , r0 , r2 | | MOV [ x ] , $ - 1 ;");
        check(Dialect::State, "exists (0:r1=0x1f /\\ not x!=2)", "exists ( 0 : r1 = 0x1f /\\ not x != 2 )");
        check(Dialect::C, "if (*x && y.z) {r0 += 1UL;}", "if ( * x && y . z ) { r0 += 1UL ; }");
    }

    #[test]
    fn comments_are_blank() {
        check(Dialect::State, "a (* b (* c *) d *) e // f\r\ng /* h */ i", "a e g i");
        check(Dialect::C, "(*a) /* b */ // c", "( * a )");
        check(Dialect::State, "a (* b", "a !a comment");
        check(Dialect::State, "a \"b", "a !a quotation");
    }

    #[test]
    fn any_character_is_a_token() {
        check(Dialect::State, "é ☃x", "é ☃ x");
    }
}
