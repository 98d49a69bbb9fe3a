//! A page that shows an execution: verdict, explanation, source beside the table, the graph. It is whole in itself,
//! asks the network for nothing, and can be read without its script; the script marks an event everywhere at once and
//! steps through the execution.

use super::svg::{Around, style, svg};
use crate::fault::{Sources, headline_plain, primary_place};
use crate::harmless::harmless;
use crate::words::short_place;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::{AutoEscape, Environment, Value, context};
use raddle_story::{State, Story, is_library};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
pub const RULES: &str = include_str!("page.css");
/// Of longer files only what is near the places of the execution is shown.
const MOST_LINES: usize = 500;
/// How much that is.
const NEAR: usize = 12;
/// Longer executions are not stepped through.
const MOST_STATES: usize = 2000;

/// What a page shows besides the execution.
pub struct Page<'a> {
    /// The file that was checked.
    pub file: &'a str,
    /// What people call the model.
    pub model: String,
    /// The verdict in a sentence, and the counts.
    pub verdict: &'a str,
}

#[derive(Serialize)]
struct Line {
    number: usize,
    text: String,
    /// The events that stand there.
    events: Vec<usize>,
    /// What is said of it.
    marks: Vec<String>,
    is_primary: bool,
    /// Whether lines before it are left out.
    is_after_gap: bool,
}

#[derive(Serialize)]
struct File {
    name: String,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Event {
    number: usize,
    place: String,
    column: usize,
    text: String,
    note: Option<String>,
    is_update: bool,
    is_why: bool,
}

/// The page of a fault, or of none where the execution cannot be shown.
pub fn page(about: &Page, story: &Story, sources: &Sources) -> String {
    let threads: Vec<String> = story.threads.iter().map(|(thread, name)| harmless(&format!("{thread} {name}")).into_owned()).collect();
    let events: Vec<Event> = (0..story.rows.len()).map(|n| event(story, n)).collect();
    let shown = |text: &String| harmless(text).into_owned();
    let context = context! {
        file => harmless(about.file), model => about.model, verdict => harmless(about.verdict.lines().next().unwrap_or_default()),
        counts => about.verdict.lines().nth(1).map(|line| harmless(line).into_owned()),
        kind => story.fault.fault.kind.word(), message => behind_kind(story),
        thread => story.fault.thread.to_string(), place => primary_place(story).map(short_place),
        notes => story.why.notes.iter().map(shown).collect::<Vec<_>>(), help => story.why.help.iter().map(shown).collect::<Vec<_>>(),
        waiting => story.waiting.iter().map(|waiting| harmless(&format!("{} waits: {}", waiting.thread, waiting.text)).into_owned()).collect::<Vec<_>>(),
        untold => story.untold.as_ref().map(shown), snippet => headline_plain(story, sources), output => printed(story),
        threads, events, files => files(story, sources), graph => Value::from_safe_string(svg(story, Around::Page)),
        styles => Value::from_safe_string(format!("{}{RULES}", style())),
        script => Value::from_safe_string(SCRIPT.into()), hash => Value::from_safe_string(STANDARD.encode(Sha256::digest(SCRIPT))),
        states => Value::from_safe_string(states(story)), version => env!("CARGO_PKG_VERSION"),
    };
    rendered(TEMPLATE, context)
}

/// The message of a fault, behind the word for its kind: where it begins with that, without it.
pub fn behind_kind(story: &Story) -> String {
    let (kind, message) = (story.fault.fault.kind.word(), harmless(&story.fault.fault.message));
    message.strip_prefix(kind).map_or_else(|| format!(": {message}"), str::to_string)
}

/// A template with its values, each of which is escaped.
pub fn rendered(template: &str, context: Value) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .render_str(template, context)
        .unwrap_or_else(|why| format!("<!doctype html><p>internal error: {}", super::svg::escaped(&why.to_string())))
}

fn event(story: &Story, n: usize) -> Event {
    let row = &story.rows[n];
    Event {
        number: n + 1,
        place: row.place.as_ref().map(short_place).unwrap_or_default(),
        column: story.threads.iter().position(|(thread, _)| *thread == row.thread).unwrap_or(0),
        text: harmless(&row.text).into_owned(),
        note: row.note.as_ref().map(|note| harmless(note).into_owned()),
        is_update: row.update,
        is_why: story.why.rows.contains(&n),
    }
}

fn printed(story: &Story) -> String {
    let bytes: Vec<u8> = story.output.iter().flat_map(|piece| piece.bytes.iter().copied()).collect();
    crate::harmless::harmless_lines(&String::from_utf8_lossy(&bytes)).into_owned()
}

/// What memory and buffers hold after each event, for the script.
fn states(story: &Story) -> String {
    let one = |state: &State| {
        let buffers: BTreeMap<String, Vec<String>> = state
            .buffers
            .iter()
            .filter(|(_, waiting)| !waiting.is_empty())
            .map(|(thread, waiting)| {
                (thread.to_string(), waiting.iter().map(|(name, value, _)| harmless(&format!("{name} = {value}")).into_owned()).collect())
            })
            .collect();
        let memory: BTreeMap<String, String> =
            state.memory.iter().map(|(name, value)| (harmless(name).into_owned(), harmless(value).into_owned())).collect();
        serde_json::json!({ "memory": memory, "buffers": buffers })
    };
    let mut state = story.initial_state();
    let mut states = vec![one(&state)];
    if story.rows.len() <= MOST_STATES {
        for n in 0..story.rows.len() {
            story.advance(&mut state, n);
            states.push(one(&state));
        }
    }
    // Nothing of it ends the element that it stands in.
    crate::harmless::json_text(&states.into()).replace('<', "\\u003c")
}

/// The sources of the user, with the events at each line.
fn files(story: &Story, sources: &Sources) -> Vec<File> {
    let mut events: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
    for (n, row) in story.rows.iter().enumerate() {
        if let Some(place) = row.place.as_ref().filter(|place| !is_library(place)) {
            events.entry((&place.file, place.line as usize)).or_default().push(n + 1);
        }
    }
    let mut marks: BTreeMap<(&str, usize), Vec<String>> = BTreeMap::new();
    for mark in &story.why.marks {
        marks.entry((&mark.place.file, mark.place.line as usize)).or_default().push(harmless(&mark.text).into_owned());
    }
    let primary = primary_place(story);
    let named: BTreeSet<&str> = events.keys().map(|key| key.0).chain(primary.map(|place| place.file.as_str())).collect();
    let file = |(name, text): (&String, &String)| {
        let all: Vec<&str> = text.lines().collect();
        let is_primary = |number: usize| primary.is_some_and(|place| place.file == *name && place.line as usize == number);
        let is_hit = |number: usize| events.contains_key(&(name.as_str(), number)) || is_primary(number);
        let is_shown = |number: usize| all.len() <= MOST_LINES || (number.saturating_sub(NEAR)..=number + NEAR).any(is_hit);
        let mut last = 0;
        let mut lines = Vec::new();
        for number in (1..=all.len()).filter(|&number| is_shown(number)) {
            lines.push(Line {
                number,
                text: harmless(&all[number - 1].replace('\t', "    ")).into_owned(),
                events: events.get(&(name.as_str(), number)).cloned().unwrap_or_default(),
                marks: marks.get(&(name.as_str(), number)).cloned().unwrap_or_default(),
                is_primary: is_primary(number),
                is_after_gap: number != last + 1,
            });
            last = number;
        }
        File { name: harmless(name).into_owned(), lines }
    };
    sources.iter().filter(|(name, _)| named.contains(name.as_str())).map(file).collect()
}
