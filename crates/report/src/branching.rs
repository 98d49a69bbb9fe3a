//! What the executions come from, as a small table and for scripts.

use crate::harmless::harmless;
use crate::story::place_json;
use crate::words::{many, short_place};
use raddle_check::{Cause, Count, Named};
use raddle_program::Place;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

/// Fewer executions are nobody's trouble.
const LEAST: u64 = 10_000;
/// What less comes from than this part of them is left out of the table: one of so many.
const LEAST_PART: u64 = 100;
/// How many rows the table has.
const MOST_ROWS: usize = 5;
/// How many lines of the source are named in a row.
const MOST_PLACES: usize = 3;

/// Whether anybody wants to know: where there are many executions.
pub fn has_many(count: &Count) -> bool {
    count.executions + count.blocked >= LEAST
}

/// The table, where there is something in it.
pub fn branching_text(count: &Count, causes: &[Cause]) -> Option<String> {
    let n = count.executions + count.blocked;
    let rows: Vec<&Cause> = causes.iter().filter(|cause| cause.executions * LEAST_PART >= n).take(MOST_ROWS).collect();
    if rows.is_empty() {
        return None;
    }
    let names: Vec<String> = rows.iter().map(|cause| name(&cause.what)).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let mut text = format!("Where the {} come from (one may come from several):", many(n, "execution"));
    for (cause, name) in rows.iter().zip(&names) {
        let room = " ".repeat(widest - name.width());
        let places = places(&cause.what);
        let row = format!("\n{} {name}{room}  {}", percent(cause.executions, n), places.join(", "));
        text += row.trim_end();
    }
    Some(text)
}

/// ` 92 %`, rounded down, so that it is never all of them.
fn percent(part: u64, n: u64) -> String {
    format!("{:>4} %", (u128::from(part) * 100 / u128::from(n.max(1))))
}

fn name(what: &Named) -> String {
    match what {
        Named::Choice => "values that the program leaves open".into(),
        Named::Variable(accessed) => harmless(&accessed.name).into_owned(),
        Named::Unnamed => "other memory".into(),
    }
}

fn places(what: &Named) -> Vec<String> {
    let Named::Variable(accessed) = what else { return Vec::new() };
    let mut places: Vec<String> = accessed.places.iter().take(MOST_PLACES).map(short_place).collect();
    if accessed.places.len() > MOST_PLACES {
        places.push("...".into());
    }
    places
}

/// The same as a list.
pub fn branching_json(causes: &[Cause]) -> Value {
    let row = |cause: &Cause| {
        let (variable, places): (Option<&str>, &[Place]) = match &cause.what {
            Named::Variable(accessed) => (Some(&accessed.name), &accessed.places),
            Named::Choice | Named::Unnamed => (None, &[]),
        };
        json!({
            "executions": cause.executions, "choice": cause.what == Named::Choice, "variable": variable,
            "places": places.iter().map(place_json).collect::<Vec<_>>(),
        })
    };
    causes.iter().map(row).collect()
}
