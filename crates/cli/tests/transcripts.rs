//! What a user sees, from the first line to the last: transcripts in `snapshots/`, without times.
//!
//! `INSTA_UPDATE=always cargo test -p raddle --test transcripts` writes them anew where a change is meant.

use crate::support::Folder;

/// Runs a command on a program of `programs/` and gives all that it prints, and its exit code.
fn transcript(program: &str, text: &str, options: &str) -> String {
    let answer = Folder::new(program, text).raddle(&format!("check {program} {options}"));
    let counts = |line: &str| line.rsplit_once(", ").filter(|(_, time)| time.ends_with(" s")).map(|(counts, _)| counts.to_string());
    let lines = answer.out.lines().chain(answer.err.lines());
    let shown: Vec<String> = lines.map(|line| counts(line).unwrap_or(line.trim_end().to_string())).collect();
    format!("$ raddle check {program} {options}\n{}\n(exit code {})", shown.join("\n"), answer.code)
}

/// A deadlock: who waits for what, and who holds it.
#[test]
fn a_deadlock() {
    insta::assert_snapshot!(transcript("philosophers.c", include_str!("programs/philosophers.c"), "--model sc"));
}

/// A data race, although no execution of it goes wrong.
#[test]
fn a_data_race() {
    insta::assert_snapshot!(transcript("message.c", include_str!("programs/message.c"), "--model rc11"));
}

/// Nothing is found, but something was cut.
#[test]
fn a_limit() {
    insta::assert_snapshot!(transcript("message.c", include_str!("programs/message.c"), "--model sc --max-executions 1"));
}
