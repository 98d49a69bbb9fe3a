//! What is written to the terminal, or to whoever reads instead of it, and the source files that reports quote.
//!
//! Nothing that is written here comes from Raddle alone: names, messages and what a program prints are shown without
//! what a terminal would obey. An answer that nobody can read is no answer: see [`settled`].

use crate::exit;
use raddle_report::{Look, Sources, files_of, harmless, harmless_lines, json_text};
use raddle_story::Story;
use serde_json::Value;
use std::fmt::Display;
use std::io::{Error, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;

/// Why something could not be written to standard output, where that has happened.
static LOST: Mutex<Option<Error>> = Mutex::new(None);

/// Prints lines.
pub fn say(text: impl Display) {
    put(&format!("{}\n", harmless_lines(&text.to_string())));
}

/// Prints an object for scripts.
pub fn say_object(object: &Value) {
    put(&format!("{}\n", json_text(object)));
}

/// Prints a report whose words are harmless already, with colours where there are any.
pub fn say_report(text: &str) {
    put(&format!("{text}\n"));
}

/// Prints text as it is.
pub fn put(text: &str) {
    let mut out = std::io::stdout().lock();
    note_lost(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Notes that something could not be written to standard output.
pub fn note_lost(written: std::io::Result<()>) {
    if let (Err(why), Ok(mut lost)) = (written, LOST.lock()) {
        lost.get_or_insert(why);
    }
}

/// Says what is wrong, on the error stream. Where nobody reads that either, nobody does.
pub fn complain(text: impl Display) {
    let _unread = writeln!(std::io::stderr(), "raddle: {}", harmless_lines(&text.to_string()));
}

/// The exit code of a command, where its answer could not be written: that of a fault, or of another failure, stays;
/// there is no success without an answer.
pub fn settled(code: u8) -> u8 {
    let lost = LOST.lock().ok().and_then(|mut lost| lost.take());
    if let Some(why) = lost.as_ref().filter(|why| why.kind() != ErrorKind::BrokenPipe) {
        complain(format!("the answer cannot be written: {why}"));
    }
    if lost.is_some() && code == 0 { exit::USAGE } else { code }
}

/// How reports on standard output look: as wide as `COLUMNS` says or the terminal is.
pub fn look() -> Look {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    let columns = said.or_else(asked).filter(|columns| (20..=1000).contains(columns)).unwrap_or(120);
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Look { columns, colours, is_whole: false }
}

/// A path in words.
pub fn named(path: &std::path::Path) -> String {
    harmless(&path.to_string_lossy()).into_owned()
}

/// The texts of the files that a story quotes; those that cannot be read are left out. The names of some `files` may be
/// no text: a place in the program has them as far as they are.
pub fn sources(story: &Story, files: &[PathBuf]) -> Sources {
    let given = |name: &str| files.iter().find(|file| file.to_string_lossy() == name).cloned();
    let read = |name: &str| {
        let path = given(name).unwrap_or_else(|| name.into());
        let bytes = crate::input::read(&path, crate::input::MOST_SOURCE).ok()?;
        Some((name.to_string(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    files_of(story).into_iter().filter_map(read).collect()
}
