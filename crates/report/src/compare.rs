//! A program under several models, as a table with sentences, and as JSON.

use crate::Asked;
use crate::json::{check_json, versioned};
use crate::reason::{Reason, reasons, verdict_word};
use crate::words::{place_words, short_place};
use raddle_check::{Compared, MemoryModel, Verdict};
use raddle_event::{FaultKind, Order};
use raddle_program::Program;
use raddle_story::Weak;
use serde_json::{Value, json};

/// A table of which each row can be printed as soon as it is there.
pub struct Table {
    widths: [usize; 6],
}

const HEAD: [&str; 6] = ["model", "verdict", "executions", "blocked", "robust", "seconds"];

impl Table {
    /// A table with a row for each of these models: as wide as usual answers are.
    pub fn new(models: &[MemoryModel]) -> Table {
        let model = models.iter().map(|model| model.title().len()).chain([HEAD[0].len()]).max().unwrap_or(0);
        Table { widths: [model, "not checked".len(), HEAD[2].len(), HEAD[3].len(), "no (1234 not)".len(), 0] }
    }

    /// The line above the rows.
    pub fn head(&self) -> String {
        self.line(HEAD.map(String::from))
    }

    /// The row of a model.
    pub fn row(&self, row: &Compared) -> String {
        self.line(cells(row))
    }

    fn line(&self, cells: [String; 6]) -> String {
        let padded: Vec<String> = cells.iter().zip(self.widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        padded.join("  ").trim_end().to_string()
    }
}

/// The cells of the row of a model.
pub(crate) fn cells(row: &Compared) -> [String; 6] {
    let count = row.outcome.count;
    let robust = match row.robust {
        Some(true) => "yes".into(),
        Some(false) => format!("no ({} not)", count.not_robust),
        None => "?".into(),
    };
    let (executions, blocked) = (count.executions.to_string(), count.blocked.to_string());
    [name(row), verdict(row).into(), executions, blocked, robust, format!("{:.2}", row.seconds)]
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
pub fn compare_text(program: &Program, file: &str, rows: &[Compared]) -> String {
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
    said.join("\n")
}

/// Which accesses would have to be stronger, where that is shown of the execution; of a race between accesses that no
/// order helps, what would.
pub(crate) fn weakness(row: &Compared) -> Option<String> {
    let kind = row.outcome.found.first().map(|found| found.kind);
    let what = match kind {
        Some(FaultKind::DataRace) => "no data race is in that execution",
        Some(FaultKind::UseAfterFree) => "that execution is impossible, or frees nothing before the access,",
        _ => "that execution is impossible",
    };
    let access = |weak: &Weak| format!("the {} in {} is {}", weak.what, short_place(&weak.place), order_word(weak.order));
    let accesses: Vec<String> = row.weak.iter().map(access).collect();
    match (&accesses[..], kind) {
        ([], Some(FaultKind::DataRace)) => Some(format!(
            "{}: order the two by a lock, or by a release store whose value an acquire load reads between them; or make the variable \
             atomic, which `volatile` does not do",
            name(row)
        )),
        ([], _) => None,
        _ => Some(format!("{}: {what} where {}", name(row), list(&accesses))),
    }
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

pub(crate) fn summary(file: &str, rows: &[Compared]) -> String {
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
    of_compare(json!({ "file": file, "models": models, "summary": summary(file, rows), "exit_code": code }))
}

/// The same where nothing was compared.
pub fn compare_failure_json(file: &str, reason: &Reason, code: u8) -> Value {
    of_compare(json!({ "file": file, "models": [], "reason": reason.json(), "exit_code": code }))
}

/// An answer of `raddle compare` (docs/compare.schema.json).
fn of_compare(object: Value) -> Value {
    versioned("raddle-compare", 1, object)
}
