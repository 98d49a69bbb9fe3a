//! The transcripts in the README and in the book are what the binary prints. Times aside: each is shown as 0.00 s.
//!
//! `RADDLE_UPDATE=1 cargo test --package raddle --test cli readme::` writes them anew.

use crate::support::{raddle, root};
use tempfile::TempDir;

const FENCE: &str = "```console\n";

/// The chapters of the book that have some.
const CHAPTERS: [&str; 5] =
    ["docs/book/harness.md", "docs/book/models.md", "docs/book/reading.md", "docs/book/smaller.md", "docs/book/tutorial.md"];

/// The pictures of the book, and what draws them.
const PICTURES: [(&str, &str); 3] = [
    ("tso.svg", "check corpus/reports/peterson.c -m tso"),
    ("rc11.svg", "check corpus/reports/message.c -m rc11"),
    ("aarch64.svg", "check corpus/reports/message.c -m aarch64"),
];

#[test]
fn transcripts_are_real() {
    check("README.md");
}

#[test]
fn transcripts_of_the_book_are_real() {
    CHAPTERS.iter().for_each(|chapter| check(chapter));
}

#[test]
fn pictures_of_the_book_are_real() {
    let folder = TempDir::new().expect("a folder can be made");
    for (name, command) in PICTURES {
        let fresh = folder.path().join(name);
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--svg", fresh.to_str().expect("a name is text")]);
        raddle(&arguments);
        let (fresh, kept) = (std::fs::read(&fresh).expect("it is drawn"), root().join("docs/book/pictures").join(name));
        if std::env::var_os("RADDLE_UPDATE").is_some() {
            std::fs::write(&kept, &fresh).expect("it can be written");
        }
        assert!(std::fs::read(&kept).is_ok_and(|kept| kept == fresh), "update {name} if the change is meant");
    }
}

/// Every chapter is in the book.
#[test]
fn the_book_has_its_chapters() {
    let book = root().join("docs/book");
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).expect("it can be read");
    let linked: Vec<&str> =
        summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')')).filter(|to| !to.is_empty()).collect();
    for entry in std::fs::read_dir(book).expect("it can be read") {
        let name = entry.expect("it can be read").file_name().into_string().expect("a name is text");
        let is_chapter = name.ends_with(".md") && !["README.md", "SUMMARY.md"].contains(&name.as_str());
        assert!(!is_chapter || linked.contains(&name.as_str()), "{name} is not in the book");
    }
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
