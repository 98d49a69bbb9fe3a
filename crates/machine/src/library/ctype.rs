//! Characters: the functions of `<ctype.h>` and the tables that its macros look into, for the C locale.

use super::{Builtin, Call, int};
use crate::runner::Run;

pub const TABLE: &[(&str, Builtin)] = &[
    ("isupper", |call| is(call, UPPER)),
    ("islower", |call| is(call, LOWER)),
    ("isalpha", |call| is(call, ALPHA)),
    ("isdigit", |call| is(call, DIGIT)),
    ("isxdigit", |call| is(call, XDIGIT)),
    ("isspace", |call| is(call, SPACE)),
    ("isprint", |call| is(call, PRINT)),
    ("isgraph", |call| is(call, GRAPH)),
    ("isblank", |call| is(call, BLANK)),
    ("iscntrl", |call| is(call, CONTROL)),
    ("ispunct", |call| is(call, PUNCTUATION)),
    ("isalnum", |call| is(call, ALNUM)),
    ("isascii", |call| Ok((call.word(0) as u32 <= 127) as u64)),
    ("toascii", |call| Ok(call.word(0) & 127)),
    ("tolower", |call| Ok(int(lowered(call.int(0))))),
    ("toupper", |call| Ok(int(raised(call.int(0))))),
];

// The bits of glibc on a little-endian machine.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const XDIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1 << 0;
const CONTROL: u16 = 1 << 1;
const PUNCTUATION: u16 = 1 << 2;
const ALNUM: u16 = 1 << 3;

/// The indices of the tables.
const INDICES: std::ops::Range<i32> = -128..256;

fn class(c: i32) -> u16 {
    let Ok(c) = u8::try_from(c) else { return 0 };
    let is_space = c == b' ' || (9..=13).contains(&c);
    let bits = [
        (UPPER, c.is_ascii_uppercase()),
        (LOWER, c.is_ascii_lowercase()),
        (ALPHA, c.is_ascii_alphabetic()),
        (DIGIT, c.is_ascii_digit()),
        (XDIGIT, c.is_ascii_hexdigit()),
        (SPACE, is_space),
        (PRINT, c == b' ' || c.is_ascii_graphic()),
        (GRAPH, c.is_ascii_graphic()),
        (BLANK, c == b' ' || c == b'\t'),
        (CONTROL, c.is_ascii_control()),
        (PUNCTUATION, c.is_ascii_punctuation()),
        (ALNUM, c.is_ascii_alphanumeric()),
    ];
    bits.iter().filter(|bit| bit.1).map(|bit| bit.0).sum()
}

fn lowered(c: i32) -> i32 {
    if class(c) & UPPER != 0 { c + 32 } else { c }
}

fn raised(c: i32) -> i32 {
    if class(c) & LOWER != 0 { c - 32 } else { c }
}

fn is(call: &mut Call, bit: u16) -> Run<u64> {
    Ok((class(call.int(0)) & bit) as u64)
}

/// What `__ctype_b_loc` points to.
pub fn classes() -> Vec<u8> {
    INDICES.flat_map(|c| class(c).to_le_bytes()).collect()
}

/// What `__ctype_tolower_loc` points to.
pub fn lower() -> Vec<u8> {
    INDICES.flat_map(|c| lowered(c).to_le_bytes()).collect()
}

/// What `__ctype_toupper_loc` points to.
pub fn upper() -> Vec<u8> {
    INDICES.flat_map(|c| raised(c).to_le_bytes()).collect()
}
