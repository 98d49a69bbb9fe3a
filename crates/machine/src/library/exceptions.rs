//! What the run time of C++ (crates/llvm/runtime/exceptions.cpp) asks of the machine: which handler an exception finds,
//! and to go there.
//!
//! As in the C++ ABI for Itanium a handler is looked for first. Only where there is one are functions left, and what
//! they have to clean up is done on the way. So an exception that nobody catches is a fault where it is thrown.

use super::cast::{is_pointer_to, parts_of_kind};
use super::notes::Landing;
use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::{Address, FaultKind};

pub const TABLE: &[(&str, Builtin)] = &[
    ("__raddle_landing", landing),
    ("__raddle_type_number", |call| Ok(number(call.word(0)))),
    ("__raddle_has_handler", has_handler),
    ("__raddle_unwind", |call| unwind(call, call.word(0), call.word(1))),
    ("__raddle_upcast", upcast),
    ("__raddle_uncaught", uncaught),
    ("__raddle_terminate", terminate),
    ("_Unwind_Resume", resume),
];

/// How many bytes before an exception its head lies, which begins with its type, where it really is, and which part of
/// it is caught. That is kept there because other exceptions come and go while functions are left.
const HEAD: u64 = 64;

/// Where an exception really is.
fn real(call: &mut Call, object: u64) -> Run<u64> {
    call.load(Address(object.wrapping_sub(HEAD - 8)), 8)
}

/// The number by which a landing pad knows a type: what tells its address from those of others.
fn number(of: u64) -> u64 {
    (of >> 20) as u32 as u64 + 1
}

fn landing(call: &mut Call) -> Run<u64> {
    let Landing { object, selector, .. } = call.runner.thread.counts.notes.landing;
    call.more.push(selector as u64);
    Ok(object)
}

/// The part of an exception that a handler of a type gets, where it catches it.
fn caught(call: &mut Call, object: u64, thrown: u64, wanted: u64) -> Run<Option<u64>> {
    if wanted == 0 {
        return Ok(Some(object));
    }
    if is_pointer_to(call, thrown)?.is_some() {
        let pointer = call.load(Address(object), 8)?;
        return caught_pointer(call, pointer, thrown, wanted);
    }
    if wanted == thrown {
        return Ok(Some(object));
    }
    let parts = parts_of_kind(call, object, thrown)?;
    let mut found = parts.iter().filter(|part| part.0 == wanted).map(|part| part.1);
    let first = found.next();
    Ok(first.filter(|first| found.all(|other| other == *first)))
}

/// A pointer is caught by a pointer that may point there: with more qualifiers, to a base, or to anything.
fn caught_pointer(call: &mut Call, pointer: u64, thrown: u64, wanted: u64) -> Run<Option<u64>> {
    if wanted == thrown {
        return Ok(Some(pointer));
    }
    let (Some((has, from)), Some((may_have, to))) = (is_pointer_to(call, thrown)?, is_pointer_to(call, wanted)?) else { return Ok(None) };
    if has & !may_have != 0 {
        return Ok(None);
    }
    let is_void = type_name(call, to)? == b"v";
    if from == to || is_void {
        return Ok(Some(pointer));
    }
    let parts = parts_of_kind(call, pointer, from)?;
    Ok(parts.iter().find(|part| part.0 == to).map(|part| part.1))
}

fn type_name(call: &mut Call, of: u64) -> Run<Vec<u8>> {
    let name = call.load(Address(of.wrapping_add(8)), 8)?;
    call.string(Address(name))
}

/// How a landing pad takes an exception: which part of it, and by which number; `None` where it lets it pass.
fn taken(call: &mut Call, clauses: &[u64], object: u64, thrown: u64) -> Run<Option<(u64, u32)>> {
    let real = real(call, object)?;
    let mut left = clauses.get(1..).unwrap_or_default();
    while let [kind, value, rest @ ..] = left {
        if *kind == 1 {
            if let Some(part) = caught(call, real, thrown, *value)? {
                return Ok(Some((part, number(*value) as u32)));
            }
            left = rest;
            continue;
        }
        let (allowed, rest) = rest.split_at((*value as usize).min(rest.len()));
        let mut passes = false;
        for &of in allowed {
            passes |= caught(call, real, thrown, of)?.is_some();
        }
        if !passes {
            return Ok(Some((real, u32::MAX)));
        }
        left = rest;
    }
    Ok(None)
}

/// Whether some function that is under way catches an exception.
fn has_handler(call: &mut Call) -> Run<u64> {
    let (object, thrown) = (call.word(0), call.word(1));
    for pad in call.runner.pads() {
        if taken(call, &pad.clauses, object, thrown)?.is_some() {
            return Ok(1);
        }
    }
    Ok(0)
}

/// Goes to the next landing pad that catches an exception or has something to clean up.
fn unwind(call: &mut Call, object: u64, thrown: u64) -> Run<u64> {
    for pad in call.runner.pads() {
        let selector = match taken(call, &pad.clauses, object, thrown)? {
            Some((part, selector)) => {
                call.store(Address(object.wrapping_sub(HEAD - 16)), 8, part)?;
                selector
            }
            None if pad.clauses.first().is_some_and(|&cleans| cleans != 0) => 0,
            None => continue,
        };
        call.runner.land(&pad)?;
        call.notes().landing = Landing { object, selector };
        return Ok(0);
    }
    call.fault(FaultKind::Assertion, "an exception leaves the first function of its thread")
}

/// An exception goes on after something was cleaned up.
fn resume(call: &mut Call) -> Run<u64> {
    let object = call.word(0);
    let thrown = call.load(Address(object.wrapping_sub(HEAD)), 8)?;
    unwind(call, object, thrown)
}

/// The part of an object that is of a type; null where there is none.
fn upcast(call: &mut Call) -> Run<u64> {
    let (object, of, wanted) = (call.word(0), call.word(1), call.word(2));
    if is_pointer_to(call, of)?.is_some() {
        return Ok(0);
    }
    Ok(caught(call, object, of, wanted)?.unwrap_or(0))
}

fn uncaught(call: &mut Call) -> Run<u64> {
    let of = call.word(0);
    let name = String::from_utf8_lossy(&type_name(call, of)?).into_owned();
    let what = match call.address(1) {
        Address(0) => String::new(),
        text => format!(": {}", call.text(text)?),
    };
    let why = if call.word(2) == 0 { "nobody catches" } else { "must not get here, so std::terminate is called:" };
    call.fault(FaultKind::Assertion, format!("{why} an exception of type `{}`{what}", plain_name(&name)))
}

fn terminate(call: &mut Call) -> Run<u64> {
    call.fault(FaultKind::Assertion, "std::terminate is called")
}

/// The name of a type, for one that has no arguments: `St13runtime_error` is `std::runtime_error`.
fn plain_name(mangled: &str) -> String {
    let basic = [("i", "int"), ("PKc", "const char*"), ("c", "char"), ("l", "long"), ("d", "double"), ("b", "bool"), ("j", "unsigned int")];
    if let Some((_, name)) = basic.iter().find(|(short, _)| *short == mangled) {
        return (*name).into();
    }
    let (mut names, mut rest) = (Vec::new(), mangled.strip_prefix('N').and_then(|inner| inner.strip_suffix('E')).unwrap_or(mangled));
    if let Some(inner) = rest.strip_prefix("St") {
        names.push("std");
        rest = inner;
    }
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(length) = rest[..digits].parse::<usize>() else { return mangled.into() };
        let Some(name) = rest.get(digits..digits + length) else { return mangled.into() };
        names.push(name);
        rest = &rest[digits + length..];
    }
    names.join("::")
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn names_of_types_are_those_of_the_source() {
        assert_eq!(plain_name("St13runtime_error"), "std::runtime_error");
        assert_eq!(plain_name("7Failure"), "Failure");
        assert_eq!(plain_name("N4bank7FailureE"), "bank::Failure");
        assert_eq!(plain_name("i"), "int");
        assert_eq!(plain_name("1AIiE"), "1AIiE", "with arguments it stays as it is");
    }
}
