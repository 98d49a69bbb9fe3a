//! What the terminal can show, and the source files that reports quote.

use raddle_check::Story;
use raddle_report::{Look, Sources, files_of};
use std::io::{IsTerminal, Write};

/// Prints a line. A reader that went away is no reason to complain.
pub fn say(text: impl std::fmt::Display) {
    let _gone = writeln!(std::io::stdout(), "{text}");
}

/// How reports on standard output look.
pub fn look() -> Look {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns >= 40);
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Look { columns: columns.unwrap_or(120), colours }
}

/// The texts of the files that a story quotes; those that cannot be read are left out.
pub fn sources(story: &Story) -> Sources {
    let read = |file: &str| std::fs::read(file).ok().map(|bytes| (file.to_string(), String::from_utf8_lossy(&bytes).into_owned()));
    files_of(story).into_iter().filter_map(read).collect()
}
