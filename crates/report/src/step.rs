//! An execution event by event, with what memory and the store buffers hold in between; and the values of a variable.

use crate::harmless::harmless;
use crate::words::short_place;
use raddle_story::{Row, State, Story};

/// An event in a line: `9  peterson.c:14  T1  load wants[1] -> 0 (initial value)`.
pub fn event_line(story: &Story, n: usize) -> String {
    let row: &Row = &story.rows[n];
    let place = row.place.as_ref().map(short_place).unwrap_or_default();
    let note = row.note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    harmless(&format!("{:>4}  {place}  {}  {}{note}", n + 1, row.thread, row.text)).into_owned()
}

/// What memory and buffers hold, with what has changed since marked by a star, and where each thread stands.
pub fn state_text(story: &Story, state: &State, before: Option<&State>) -> String {
    let mut lines = Vec::new();
    for (name, value) in &state.memory {
        let is_new = before.is_some_and(|before| before.memory.get(name) != Some(value));
        lines.push(format!("      {} {name} = {value}", if is_new { "*" } else { " " }));
    }
    for (thread, waiting) in state.buffers.iter().filter(|(_, waiting)| !waiting.is_empty()) {
        let stores: Vec<String> = waiting.iter().map(|(name, value, row)| format!("{name} = {value} (event {})", row + 1)).collect();
        lines.push(format!("        buffer of {thread}: {}", stores.join(", ")));
    }
    let at = |(thread, &row): (&raddle_event::ThreadId, &usize)| {
        Some(format!("{thread} at {}", story.rows[row].place.as_ref().map(short_place)?))
    };
    let threads: Vec<String> = state.threads.iter().filter_map(at).collect();
    if !threads.is_empty() {
        lines.push(format!("        {}", threads.join(", ")));
    }
    lines.iter().map(|line| format!("{}\n", harmless(line))).collect()
}

/// The events that read or write a variable; none where there is no such name.
pub fn values(story: &Story, variable: &str) -> Vec<String> {
    let is_of = |n: &usize| story.rows[*n].deed.variable.as_deref() == Some(variable);
    (0..story.rows.len()).filter(is_of).map(|n| event_line(story, n)).collect()
}

/// The names of the variables of an execution.
pub fn variables(story: &Story) -> Vec<String> {
    let mut names: Vec<String> = story.rows.iter().filter_map(|row| row.deed.variable.clone()).collect();
    names.sort();
    names.dedup();
    names
}
