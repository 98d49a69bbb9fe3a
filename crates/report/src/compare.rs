//! A program under several models, as a table with a sentence, and as JSON.

use crate::Asked;
use crate::json::check_json;
use crate::reason::{reasons, verdict_word};
use crate::words::{place_words, short_place};
use raddle_check::{Compared, Verdict};
use raddle_event::{FaultKind, Order};
use raddle_program::Program;
use raddle_story::Weak;
use serde_json::{Value, json};

/// The table, and what is to be said about it.
pub fn compare_text(program: &Program, file: &str, rows: &[Compared]) -> String {
    let head = ["model", "verdict", "executions", "blocked", "robust", "seconds"].map(String::from);
    let cells: Vec<[String; 6]> = std::iter::once(head).chain(rows.iter().map(cells)).collect();
    let widths: Vec<usize> = (0..6).map(|n| cells.iter().map(|row| row[n].chars().count()).max().unwrap_or(0)).collect();
    let line = |row: &[String; 6]| {
        let padded: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        padded.join("  ").trim_end().to_string()
    };
    let table: Vec<String> = cells.iter().map(line).collect();
    format!("{}\n\n{}", table.join("\n"), sentences(program, file, rows).join("\n"))
}

fn cells(row: &Compared) -> [String; 6] {
    let count = row.outcome.count;
    let robust = match row.robust {
        Some(true) => "yes".into(),
        Some(false) => format!("no ({} not)", count.not_robust),
        None => "?".into(),
    };
    [name(row), verdict(row).into(), count.executions.to_string(), count.blocked.to_string(), robust, format!("{:.2}", row.seconds)]
}

fn name(row: &Compared) -> String {
    row.plan.name.title()
}

fn verdict(row: &Compared) -> &'static str {
    match row.outcome.stop {
        Some(_) if row.outcome.verdict == Verdict::Unknown => "not checked",
        _ => verdict_word(row.outcome.verdict),
    }
}

/// What the models make of it: the strongest of them comes first, and is what the others are measured by.
fn sentences(program: &Program, file: &str, rows: &[Compared]) -> Vec<String> {
    let mut said = vec![summary(file, rows)];
    let is_right_elsewhere = rows.iter().any(|row| row.outcome.verdict == Verdict::Verified);
    for row in rows {
        if let Some(found) = row.outcome.found.first() {
            said.push(format!(
                "{}: {}: {} ({}, {})",
                name(row),
                found.kind,
                found.message,
                found.thread,
                place_words(program, &found.moment)
            ));
            said.extend(weakness(row).filter(|_| is_right_elsewhere));
        }
        let cuts: Vec<String> = reasons(program, &row.outcome).into_iter().map(|reason| reason.message).collect();
        if !cuts.is_empty() {
            said.push(format!("{}: {}", name(row), cuts.join(", ")));
        }
    }
    said
}

/// Which accesses would have to be stronger, where that is shown of the execution.
fn weakness(row: &Compared) -> Option<String> {
    let race = row.outcome.found.first().is_some_and(|found| found.kind == FaultKind::DataRace);
    let what = if race { "no data race is in that execution" } else { "that execution is impossible" };
    let access = |weak: &Weak| format!("the {} in {} is {}", weak.what, short_place(&weak.place), order_word(weak.order));
    let accesses: Vec<String> = row.weak.iter().map(access).collect();
    (!accesses.is_empty()).then(|| format!("{}: {what} where {}", name(row), list(&accesses)))
}

fn order_word(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Copy => "plain",
        Order::Relaxed => "relaxed",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcqRel => "acq_rel",
        Order::SeqCst => "seq_cst",
    }
}

fn summary(file: &str, rows: &[Compared]) -> String {
    let with = |verdict: Verdict| rows.iter().filter(|row| row.outcome.verdict == verdict).map(name).collect::<Vec<_>>();
    let (right, wrong) = (with(Verdict::Verified), with(Verdict::Refuted));
    let not_robust: Vec<String> = rows.iter().filter(|row| row.robust == Some(false)).map(name).collect();
    match (&right[..], &wrong[..]) {
        ([], []) => format!("Nothing is known about {file} under any model."),
        ([], _) => format!("{file} is wrong under {}.", list(&wrong)),
        (_, []) if not_robust.is_empty() => format!("{file} is correct under {}.", list(&right)),
        (_, []) => {
            let allow = if not_robust.len() == 1 { "allows" } else { "allow" };
            format!("{file} is correct under {}, although {} {allow} executions that SC does not.", list(&right), list(&not_robust))
        }
        _ => format!("{file} is correct under {}, but wrong under {}.", list(&right), list(&wrong)),
    }
}

/// `SC, TSO and PSO`
fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The object that `raddle compare --format json` prints. There is an exit code for each row, and one for all.
pub fn compare_json(program: &Program, file: &str, rows: &[Compared], codes: &[u8], code: u8) -> Value {
    let object = |(row, code): (&Compared, &u8)| {
        let asked = Asked { file: file.to_string(), plan: row.plan, sampling: None, robustness: false, statuses: false };
        let mut object = check_json(program, &asked, (&row.outcome, &[]), row.seconds, *code);
        // A row is no answer of `raddle check`.
        ["format", "version", "raddle"].iter().for_each(|key| drop(object.as_object_mut().and_then(|object| object.remove(*key))));
        object["robust"] = row.robust.into();
        object["not_robust"] = row.outcome.count.not_robust.into();
        let weak =
            |weak: &Weak| json!({ "file": weak.place.file, "line": weak.place.line, "access": weak.what, "order": order_word(weak.order) });
        object["weak"] = row.weak.iter().map(weak).collect();
        object
    };
    let models: Vec<Value> = rows.iter().zip(codes).map(object).collect();
    json!({ "file": file, "models": models, "summary": summary(file, rows), "exit_code": code })
}
