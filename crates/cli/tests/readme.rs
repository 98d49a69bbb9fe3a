//! The transcripts in the README and in the book are what the binary prints. Times aside: each is shown as 0.00 s.
//!
//! `RADDLE_UPDATE=1 cargo test --package raddle --test cli readme::` writes them anew.

use crate::support::{raddle, root};

const FENCE: &str = "```console\n";

/// The chapters of the book that have some.
const CHAPTERS: [&str; 3] = ["docs/book/harness.md", "docs/book/smaller.md", "docs/book/tutorial.md"];

#[test]
fn transcripts_are_real() {
    check("README.md");
}

#[test]
fn transcripts_of_the_book_are_real() {
    CHAPTERS.iter().for_each(|chapter| check(chapter));
}

#[track_caller]
fn check(name: &str) {
    let file = root().join(name);
    let text = std::fs::read_to_string(&file).expect("the document is there");
    let fresh = with_transcripts(&text);
    if std::env::var_os("RADDLE_UPDATE").is_some() {
        std::fs::write(&file, &fresh).expect("the document can be written");
    }
    assert!(text.contains(FENCE), "{name} has a transcript");
    assert_eq!(text, fresh, "update {name} if the change is meant");
}

/// The text with every transcript made anew from its commands.
fn with_transcripts(text: &str) -> String {
    let mut parts = text.split(FENCE);
    let mut fresh = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (transcript, rest) = part.split_once("```").expect("a transcript ends");
        let commands = transcript.lines().filter_map(|line| line.strip_prefix("$ raddle "));
        fresh += FENCE;
        commands.for_each(|command| fresh += &run(command));
        fresh += "```";
        fresh += rest;
    }
    fresh
}

/// A command with what it prints.
fn run(command: &str) -> String {
    let arguments: Vec<&str> = command.split(' ').collect();
    let output = raddle(&arguments);
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let lines: String = printed.lines().map(|line| without_time(line.trim_end()) + "\n").collect();
    format!("$ raddle {command}\n{lines}")
}

/// A line in which a number of seconds with decimals is zero: before an `s`, or in the last column of a table.
fn without_time(line: &str) -> String {
    let is_seconds = |words: &[&str], n: usize| {
        words.get(n + 1).is_none_or(|next| *next == "s") && words[n].contains('.') && words[n].parse::<f64>().is_ok()
    };
    let words: Vec<&str> = line.split(' ').collect();
    let fresh: Vec<&str> = (0..words.len()).map(|n| if is_seconds(&words, n) { "0.00" } else { words[n] }).collect();
    fresh.join(" ")
}
