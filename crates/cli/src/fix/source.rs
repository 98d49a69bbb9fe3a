//! Accesses in the text of a source file: where a call spells its memory order, and where a fence can stand.
//!
//! This is no parser. It finds calls whose order is spelled out between their own brackets, at the place that the
//! debugger's information has for them, and says nothing of others. Whatever it makes of a text is compiled and checked
//! before anything is claimed of it.

use super::order::{Kind, named};
use raddle_event::Order;
use std::ops::Range;

/// How far an access may reach, in bytes.
const LONGEST: usize = 2000;

/// An order that is spelled out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// Where the word stands that is the order: `relaxed` of `memory_order_relaxed`.
    pub at: Range<usize>,
    /// What is accessed in which way.
    pub kind: Kind,
    pub order: Order,
    /// Whether it is in capital letters: `__ATOMIC_RELAXED`.
    is_capital: bool,
}

impl Spelled {
    /// The word for another order.
    pub fn word(&self, order: Order) -> String {
        if self.is_capital { order.word().to_uppercase() } else { order.word().to_string() }
    }
}

/// Where a line and column stand in a text; both count from one.
pub fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let before: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let at = before + column.checked_sub(1)? as usize;
    (at < text.len() && text.is_char_boundary(at)).then_some(at)
}

/// The order of the call at a place, where it is spelled out: the first one, which is that of success in a
/// compare-exchange.
pub fn spelled(text: &str, at: usize) -> Option<Spelled> {
    let name_end = at + text[at..].find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let open = name_end + text[name_end..].find('(')?;
    // Between the name of a function and its bracket there are template arguments at most.
    if text[name_end..open].contains([';', '{', '}', '=']) {
        return None;
    }
    let kind = kind_of(&text[at..open])?;
    let end = closing(text, open)?;
    let arguments = &text[open..end];
    ["memory_order_", "memory_order::", "__ATOMIC_"]
        .into_iter()
        .filter_map(|prefix| arguments.find(prefix).map(|found| (open + found + prefix.len(), prefix)))
        .min_by_key(|(start, _)| *start)
        .and_then(|(start, prefix)| {
            let length = text[start..end].find(|c: char| !c.is_alphanumeric() && c != '_')?;
            let order = named(&text[start..start + length])?;
            Some(Spelled { at: start..start + length, kind, order, is_capital: prefix == "__ATOMIC_" })
        })
}

/// What a function does, by its name.
fn kind_of(name: &str) -> Option<Kind> {
    let has = |part: &str| name.contains(part);
    Some(if has("fence") {
        Kind::Fence
    } else if has("exchange") || has("fetch") || has("test_and_set") {
        Kind::ReadModifyWrite
    } else if has("load") {
        Kind::Load
    } else if has("store") || has("clear") {
        Kind::Store
    } else {
        return None;
    })
}

/// Where the bracket ends that opens at a place.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text[open..].char_indices().take(LONGEST) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(open + at + 1),
            ')' => depth -= 1,
            ';' | '{' => return None,
            _ => {}
        }
    }
    None
}

/// The line on which the statement begins in which something stands, where a fence can stand before it.
pub fn statement(text: &str, at: usize) -> Option<usize> {
    let line = first_line(text, at);
    let begin = text[line..].trim_start();
    let goes_on = ["else", "case", "default", "}"].iter().any(|word| begin.starts_with(word));
    (line > 0 && !goes_on).then_some(line)
}

fn first_line(text: &str, at: usize) -> usize {
    let mut from = at;
    loop {
        let line = text[..from].rfind('\n').map_or(0, |newline| newline + 1);
        let before = text[..line].trim_end();
        let is_begun = before.is_empty() || before.ends_with([';', '{', '}', ':']) || is_comment(before);
        if is_begun || line == 0 {
            return line;
        }
        from = line - 1;
    }
}

/// Whether a text ends in a line that is a comment or for the preprocessor.
fn is_comment(text: &str) -> bool {
    let line = text.lines().last().unwrap_or_default().trim_start();
    line.starts_with("//") || line.starts_with('#') || line.ends_with("*/") || line.contains("; //")
}

/// A fence as this text would spell it.
pub fn fence(text: &str, order: Order) -> String {
    let word = order.word();
    match () {
        () if text.contains("<stdatomic.h>") => format!("atomic_thread_fence(memory_order_{word});"),
        () if text.contains("<atomic>") => format!("std::atomic_thread_fence(std::memory_order_{word});"),
        () => format!("__atomic_thread_fence(__ATOMIC_{});", word.to_uppercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, Kind)>) {
        let at = text.find('@').expect("the place is marked");
        let text = text.replace('@', "");
        let found = spelled(&text, at);
        let seen = found.as_ref().map(|found| (&text[found.at.clone()], found.kind));
        assert_eq!(seen, expected);
    }

    #[test]
    fn orders_that_are_spelled_out_are_found() {
        check("@atomic_store_explicit(&x, f(1), memory_order_relaxed);", Some(("relaxed", Kind::Store)));
        check("while (!flag.@load(std::memory_order_acquire)) {}", Some(("acquire", Kind::Load)));
        check(
            "x.@compare_exchange_strong(a, b,\n  std::memory_order::relaxed, std::memory_order::relaxed)",
            Some(("relaxed", Kind::ReadModifyWrite)),
        );
        check("@__atomic_store_n(&x, 1, __ATOMIC_RELAXED);", Some(("RELAXED", Kind::Store)));
        check("@atomic_thread_fence(memory_order_acquire);", Some(("acquire", Kind::Fence)));
    }

    #[test]
    fn of_what_is_not_spelled_out_nothing_is_said() {
        check("@atomic_store(&x, 1); atomic_load_explicit(&y, memory_order_relaxed);", None);
        check("@STORE(&x, memory_order_relaxed);", None);
        check("@x = atomic_load_explicit(&y, memory_order_relaxed);", None);
    }

    #[test]
    fn a_statement_begins_on_the_line_after_the_one_before() {
        let text = "void f(void) {\n  x = 1;\n  int r =\n      y;\n}\n";
        assert_eq!(statement(text, text.find("y;").unwrap()), text.find("  int"));
        assert_eq!(statement(text, text.find("x =").unwrap()), text.find("  x"));
        let text = "  if (a)\n    f();\n  else\n    g();\n";
        assert_eq!(statement(text, text.find("g").unwrap()), None);
    }
}
