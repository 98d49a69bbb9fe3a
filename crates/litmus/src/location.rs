//! How a state names a register or a location: `0:EAX`, `x`, `[x]`, `x[2]`.

use crate::cursor::{Cursor, Token};
use crate::error::{Result, syntax};

/// A register of a thread, a location, or one element of an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Named {
    Register { thread: usize, name: String },
    Location(String),
    Element(String, u64),
}

/// What a state says that a register or location holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    /// The address of a location, and how many elements behind it.
    Address(String, u64),
}

/// Whether a register of a thread stands here: `0:` or `P0:`.
pub(crate) fn at_register(cursor: &Cursor) -> bool {
    let thread = match cursor.peek() {
        Token::Number(_) => true,
        Token::Name(name) => thread_number(name).is_some(),
        _ => false,
    };
    thread && cursor.peek_second() == Token::Sign(":")
}

/// The number of a thread's name such as `P0`.
pub(crate) fn thread_number(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('P')?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Reads `0:EAX`.
pub(crate) fn register(cursor: &mut Cursor) -> Result<Named> {
    let at = cursor.offset();
    let thread = match cursor.next() {
        Token::Number(digits) => digits.parse().ok(),
        Token::Name(name) => thread_number(name),
        _ => None,
    };
    let Some(thread) = thread else { return syntax(at, "expected the number of a thread") };
    cursor.expect(":")?;
    let sign = if cursor.accept("%") { "%" } else { "" };
    let name = format!("{sign}{}", cursor.name("a register")?);
    Ok(Named::Register { thread, name })
}

/// Reads a register or location.
pub(crate) fn named(cursor: &mut Cursor) -> Result<Named> {
    if at_register(cursor) {
        return register(cursor);
    }
    let bracket = cursor.accept("[");
    if !bracket {
        cursor.accept("*");
    }
    let name = cursor.name("a register (`0:r1`) or a location")?.to_string();
    let named = match index(cursor)? {
        Some(at) => Named::Element(name, at),
        None => Named::Location(name),
    };
    if bracket {
        cursor.expect("]")?;
    }
    Ok(named)
}

/// Reads `[2]` where it stands.
pub(crate) fn index(cursor: &mut Cursor) -> Result<Option<u64>> {
    if cursor.peek() != Token::Sign("[") {
        return Ok(None);
    }
    cursor.next();
    let at = cursor.offset();
    let number = cursor.number("an index")?;
    cursor.expect("]")?;
    match u64::try_from(number) {
        Ok(number) if number < MAX_ELEMENTS => Ok(Some(number)),
        _ => syntax(at, format!("an index is less than {MAX_ELEMENTS}")),
    }
}

/// The largest array.
pub(crate) const MAX_ELEMENTS: u64 = 1 << 12;

/// Reads a number or an address.
pub(crate) fn value(cursor: &mut Cursor) -> Result<Value> {
    cursor.accept("&");
    match cursor.peek() {
        Token::Name(_) | Token::Text(_) => {
            let name = cursor.name("a value")?.to_string();
            let at = index(cursor)?.unwrap_or(0);
            Ok(Value::Address(name, at))
        }
        _ => Ok(Value::Number(cursor.number("a number or the name of a location")?)),
    }
}

/// Whether what a register or location holds stands here, not a value: `1:EAX`, `[y]`, `*y`.
pub(crate) fn at_deref(cursor: &Cursor) -> bool {
    at_register(cursor) || matches!(cursor.peek(), Token::Sign("[" | "*"))
}
