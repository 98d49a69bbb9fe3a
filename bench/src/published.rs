//! Published tables: their lines, each with the program that we run for it and what the paper has.

use crate::case::{Answer, Case, Expected, Input};
use crate::experiment::Summary;
use crate::measure::Row;

/// A program of the corpus (or of `bench/`), with its parameters.
pub fn program(file: &str, cflags: &[&str]) -> Input {
    let file = if file.starts_with("bench/") { file.into() } else { format!("corpus/programs/{file}").into() };
    Input::Program { file, cflags: cflags.iter().map(|flag| flag.to_string()).collect() }
}

/// A table of verdicts: a star says that a fault was found.
pub struct Starred {
    pub program: &'static str,
    /// For which model fences were added; a dash for none.
    pub fences: &'static str,
    pub file: &'static str,
    pub cflags: &'static [&'static str],
    /// The published seconds, with their stars, under each model; t/o where the paper's tool did not end.
    pub published: &'static [&'static str],
}

impl Starred {
    pub const fn line(
        program: &'static str,
        fences: &'static str,
        file: &'static str,
        cflags: &'static [&'static str],
        published: &'static [&'static str],
    ) -> Starred {
        Starred { program, fences, file, cflags, published }
    }
}

/// One case for each line and model; the star is expected.
pub fn starred_cases(lines: &[Starred], models: &[&'static str], algorithm: &'static str) -> Vec<Case> {
    let case = |line: &Starred, model: &'static str, published: &str| {
        let answer = match published.as_bytes() {
            [b'*', ..] => Some(Answer::Refuted),
            b"t/o" => None,
            _ => Some(Answer::Verified),
        };
        Case { expected: Expected { answer, executions: None }, ..Case::new(program(line.file, line.cflags), model, algorithm) }
    };
    lines.iter().flat_map(|line| models.iter().zip(line.published).map(move |(model, published)| case(line, model, published))).collect()
}

/// The published seconds beside ours, with stars, and our executions.
pub fn starred_summary(lines: &[Starred], models: &[&str], rows: &[Row]) -> Summary {
    let head = ["program", "fences"].map(String::from).into_iter();
    let heads = models.iter().flat_map(|model| ["published s", "s", "executions"].map(|what| format!("{} {what}", model.to_uppercase())));
    let mut table = vec![head.chain(heads).collect::<Vec<_>>()];
    for (line, rows) in lines.iter().zip(rows.chunks_exact(models.len())) {
        let ours = |(row, published): (&Row, &&str)| {
            let star = if row.answer == Answer::Refuted { "*" } else { "" };
            [published.to_string(), format!("{star}{:.4}", row.seconds), row.executions.to_string()]
        };
        let start = [line.program.to_string(), line.fences.to_string()].into_iter();
        table.push(start.chain(rows.iter().zip(line.published).flat_map(ours)).collect());
    }
    Summary { table, plots: Vec::new() }
}

/// A line of a table of counts.
pub struct Counted {
    pub program: &'static str,
    pub file: &'static str,
    pub cflags: &'static [&'static str],
    /// The published number of executions; `agrees` says whether our version of the program is expected to have it.
    pub published: u64,
    pub agrees: bool,
    /// The published seconds.
    pub seconds: f64,
}

/// One case for each line.
pub fn counted_cases(lines: &[Counted], model: &'static str, algorithm: &'static str) -> Vec<Case> {
    let case = |line: &Counted| Case {
        expected: Expected { answer: Some(Answer::Verified), executions: line.agrees.then_some(line.published) },
        timeout: 600,
        ..Case::new(program(line.file, line.cflags), model, algorithm)
    };
    lines.iter().map(case).collect()
}

/// Published executions and seconds beside ours.
pub fn counted_summary(lines: &[Counted], rows: &[Row]) -> Summary {
    let head = ["program", "published executions", "executions", "published s", "s", "executions a second"];
    let mut table = vec![head.map(String::from).to_vec()];
    for (line, row) in lines.iter().zip(rows) {
        let rate = row.runs() as f64 / row.seconds;
        let numbers =
            [line.published.to_string(), row.executions.to_string(), format!("{:.2}", line.seconds), format!("{:.4}", row.seconds)];
        table.push([line.program.to_string()].into_iter().chain(numbers).chain([format!("{rate:.0}")]).collect());
    }
    Summary { table, plots: Vec::new() }
}
