//! A fault as text: what went wrong and where, the source around it, and the execution that leads there.

use crate::harmless::{harmless, quotable};
use crate::layout::{Look, wrap};
use crate::table::table;
use crate::words::{full_place, place_words, short_place};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use raddle_event::FaultKind;
use raddle_machine::FaultAt;
use raddle_program::{Place, Program};
use raddle_story::{MarkedPlace, Story, is_library};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// The source files by name, as far as they can be read.
pub type Sources = BTreeMap<String, String>;

/// The whole report of a fault.
pub fn fault_text(story: &Story, sources: &Sources, look: Look) -> String {
    let story = &harmless_story(story);
    let sources = &sources.iter().map(|(name, text)| (harmless(name).into(), quotable(text).into())).collect();
    let mut text = headline(&story.fault, story, sources, look);
    if let Some(why) = &story.untold {
        write!(text, "\n\nIts execution cannot be shown: {why}\n").expect("text can be written to");
        return text;
    }
    text.push_str("\n\nThe execution");
    if !story.rows.is_empty() {
        write!(text, ", {} event{}", story.rows.len(), if story.rows.len() == 1 { "" } else { "s" }).expect("text can be written to");
    }
    text.push_str(":\n\n");
    text.push_str(&table(story, look));
    text.push_str(&remarks(story));
    text.push_str(&waiting(story));
    text.push_str(&cycle(story));
    text.push_str(&printed(story));
    text
}

/// What the program printed in this execution.
fn printed(story: &Story) -> String {
    let bytes: Vec<u8> = story.output.iter().flat_map(|piece| piece.bytes.iter().copied()).collect();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<String> = text.lines().map(|line| format!("  {}\n", harmless(line))).collect();
    let left_out = lines.len().saturating_sub(MOST_PRINTED);
    let head = if left_out > 0 { format!("  ({left_out} earlier lines are left out)\n") } else { String::new() };
    if lines.is_empty() { String::new() } else { format!("\nIn this execution the program printed:\n{head}{}", lines[left_out..].concat()) }
}

/// More lines than this are not shown of what a program prints.
const MOST_PRINTED: usize = 40;

/// A fault in one line, for where the whole report cannot be made.
pub fn fault_line(program: &Program, fault: &FaultAt) -> String {
    let FaultAt { fault, thread, moment } = fault;
    format!("{}: {} ({thread}, {})", fault.kind, harmless(&fault.message), place_words(program, moment))
}

/// A fault in one line, without its place.
pub fn fault_words(fault: &FaultAt) -> String {
    format!("{}: {} ({})", fault.fault.kind, harmless(&fault.fault.message), fault.thread)
}

/// A story whose words come from a program that may come from anywhere.
fn harmless_story(story: &Story) -> Story {
    let words = |text: &mut String| *text = harmless(text).into_owned();
    let place = |place: &mut Place| {
        words(&mut place.file);
        words(&mut place.function);
    };
    let mut story = story.clone();
    story.told.threads.iter_mut().for_each(|thread| words(&mut thread.1));
    for row in &mut story.told.rows {
        words(&mut row.text);
        row.note.as_mut().map(words);
        row.place.as_mut().map(place);
    }
    for waiting in &mut story.waiting {
        words(&mut waiting.text);
        waiting.place.as_mut().map(place);
    }
    story.told.remarks.iter_mut().for_each(words);
    let why = &mut story.told.why;
    why.here.iter_mut().chain(&mut why.notes).chain(&mut why.help).for_each(words);
    for mark in &mut why.marks {
        words(&mut mark.text);
        place(&mut mark.place);
        mark.stack.iter_mut().for_each(place);
    }
    story.stack.iter_mut().for_each(place);
    story.untold.as_mut().map(words);
    words(&mut story.fault.fault.message);
    story
}

/// The files that a report of the fault shows parts of.
pub fn files_of(story: &Story) -> Vec<&str> {
    let waiting = story.waiting.iter().filter_map(|waiting| waiting.place.as_ref());
    let marks = story.why.marks.iter().map(|mark| &mark.place);
    let mut files: Vec<&str> = story.stack.iter().chain(waiting).chain(marks).map(|place| place.file.as_str()).collect();
    files.sort();
    files.dedup();
    files
}

/// A label in the source: where, what to say, and whether it is the main one.
struct Label<'m> {
    place: &'m Place,
    text: String,
    primary: bool,
}

fn headline(fault: &FaultAt, story: &Story, sources: &Sources, look: Look) -> String {
    let place = primary_place(story).map(full_place).unwrap_or_else(|| "no place in the source".into());
    let title = format!("{} ({}, {place})", fault.fault.message, fault.thread);
    let labels = labels(fault, story);
    let snippets = snippets(&labels, sources);
    let mut group = Level::ERROR.with_name(fault.fault.kind.word()).primary_title(title).elements(snippets);
    let note = |text: &String| Level::NOTE.message(wrapped(text, look));
    group = group.elements(calls(story).iter().map(note)).elements(story.why.notes.iter().map(note));
    group = group.elements(story.why.help.iter().map(|text| Level::HELP.message(wrapped(text, look))));
    let renderer = if look.colours { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(look.columns).render(&[group])
}

/// What went wrong and where, with the source around it, without colours.
pub fn headline_plain(story: &Story, sources: &Sources) -> String {
    let story = &harmless_story(story);
    let sources = &sources.iter().map(|(name, text)| (harmless(name).into(), quotable(text).into())).collect();
    headline(&story.fault, story, sources, Look { columns: 120, colours: false, is_whole: false })
}

/// A sentence in lines that fit behind `= note: `.
fn wrapped(text: &str, look: Look) -> String {
    let lines = wrap(text, look.columns.saturating_sub(16).max(24));
    lines.iter().map(|line| line.trim_start()).collect::<Vec<_>>().join("\n")
}

/// The place of a fault in the user's own code: the innermost that is not in a header of the system, or else the
/// innermost.
pub fn primary_place(story: &Story) -> Option<&Place> {
    story.stack.iter().find(|place| !is_library(place)).or(story.stack.first())
}

fn labels<'s>(fault: &FaultAt, story: &'s Story) -> Vec<Label<'s>> {
    let waits = |waiting: &'s raddle_story::Waiting| {
        let place = waiting.place.as_ref()?;
        let label = format!("{} waits here", waiting.thread);
        Some(Label { place, text: label, primary: waiting.thread == fault.thread })
    };
    let marks = story.why.marks.iter().map(|mark| Label { place: &mark.place, text: mark.text.clone(), primary: false });
    if !story.waiting.is_empty() {
        return story.waiting.iter().filter_map(waits).chain(marks).collect();
    }
    let label = match fault.fault.kind {
        FaultKind::NotRobust => format!("{} is part of the cycle here", fault.thread),
        _ => story.why.here.clone().unwrap_or_else(|| format!("{} is here", fault.thread)),
    };
    let primary = primary_place(story).map(|place| Label { place, text: label, primary: true });
    primary.into_iter().chain(marks).collect()
}

/// One snippet for each file; the one with the main label first.
fn snippets<'s>(labels: &[Label], sources: &'s Sources) -> Vec<Snippet<'s, annotate_snippets::Annotation<'s>>> {
    let mut files: Vec<&str> = Vec::new();
    for label in labels.iter().filter(|label| label.primary).chain(labels) {
        if !files.contains(&label.place.file.as_str()) {
            files.push(&label.place.file);
        }
    }
    let mut snippets = Vec::new();
    for file in files {
        let Some((name, text)) = sources.get_key_value(file) else { continue };
        let here = labels.iter().filter(|label| label.place.file == file);
        let annotations = here.filter_map(|label| {
            let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            Some(kind.span(span(text, label.place)?).label(label.text.clone()))
        });
        let annotations: Vec<_> = annotations.collect();
        if !annotations.is_empty() {
            snippets.push(Snippet::source(text.as_str()).path(name.as_str()).annotations(annotations));
        }
    }
    snippets
}

/// The rest of the statement that begins at a place, as bytes of the file's text; `None` where the text has no such
/// place.
fn span(text: &str, place: &Place) -> Option<Range<usize>> {
    let before: usize = text.split_inclusive('\n').take(place.line.checked_sub(1)? as usize).map(str::len).sum();
    let line = text[before..].lines().next()?;
    let column = (place.column.max(1) as usize - 1).min(line.len());
    let column = if line.is_char_boundary(column) { column } else { 0 };
    let indent = line.len() - line.trim_start().len();
    let start = if place.column == 0 { indent } else { column };
    let rest = &line[start..];
    let one = rest.chars().next().map_or(0, char::len_utf8);
    let length = rest.find(';').unwrap_or(rest.trim_end().len()).max(one);
    Some(before + start..before + start + length)
}

/// The calls that lead to the fault in the user's code, and those of the library below it in one line.
fn calls(story: &Story) -> Vec<String> {
    if story.fault.fault.kind == FaultKind::Leak {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let primary = story.stack.iter().position(|place| !is_library(place)).unwrap_or(0);
    let below: Vec<&str> = story.stack[..primary].iter().rev().map(|place| place.function.as_str()).collect();
    if !below.is_empty() {
        lines.push(format!("it happens inside the library: {}", below.join(" > ")));
    }
    let callers = story.stack.iter().skip(primary + 1).filter(|place| !is_library(place));
    lines.extend(callers.map(|place| format!("called by {} at {}", place.function, short_place(place))));
    lines.extend(story.why.marks.iter().filter_map(mark_calls));
    lines
}

/// The calls that lead to a secondary place.
fn mark_calls(mark: &MarkedPlace) -> Option<String> {
    let at = mark.stack.iter().position(|place| *place == mark.place)?;
    let callers: Vec<String> = mark.stack[at + 1..]
        .iter()
        .filter(|place| !is_library(place))
        .map(|place| format!("{} at {}", place.function, short_place(place)))
        .collect();
    (!callers.is_empty()).then(|| format!("{} is there called by {}", mark.thread, callers.join(", ")))
}

fn remarks(story: &Story) -> String {
    if story.remarks.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = story.remarks.iter().map(|remark| format!("  {remark}\n")).collect();
    format!("\nOf this graph (each event comes after all that happens before it):\n{}", lines.concat())
}

fn waiting(story: &Story) -> String {
    let mut text = String::new();
    for waiting in &story.waiting {
        let place = waiting.place.as_ref().map(|place| format!(" at {}", short_place(place))).unwrap_or_default();
        writeln!(text, "{} waits{place}: {}", waiting.thread, waiting.text).expect("text can be written to");
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn cycle(story: &Story) -> String {
    if story.cycle.is_empty() {
        return String::new();
    }
    let mut text =
        String::from("\nThe cycle (po: program order, rf: reads from, co: comes later in memory, fr: reads what is overwritten by):\n\n");
    for &(at, edge) in &story.cycle {
        let row = &story.rows[at];
        let place = row.place.as_ref().map(short_place).unwrap_or_default();
        writeln!(text, "  {} {place}  {}\n    {edge}", row.thread, row.text).expect("text can be written to");
    }
    let row = &story.rows[story.cycle[0].0];
    let place = row.place.as_ref().map(short_place).unwrap_or_default();
    writeln!(text, "  {} {place}  {}", row.thread, row.text).expect("text can be written to");
    text
}
