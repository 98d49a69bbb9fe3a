//! `raddle compare`: a program under every model, side by side.

use crate::arguments::{CompareOptions, TableFormat};
use crate::progress::Progress;
use crate::run::{load, print_stop};
use crate::terminal::say;
use crate::{INTERRUPTED, exit};
use raddle_check::{Compared, Limit, MemoryModel, Options, Verdict, compare as compare_under};
use raddle_machine::Limits;
use raddle_program::Program;
use raddle_report::{compare_json, compare_text};
use std::sync::atomic::Ordering;

/// Checks the program under all models and gives the exit code.
pub fn compare(options: &CompareOptions) -> u8 {
    let program = match load(&options.input) {
        Ok(program) => program,
        Err(code) => return code,
    };
    let what = Options {
        limits: Limits { unroll: options.unroll, nondet: options.nondet, ..Limits::default() },
        max_executions: options.max_executions,
        timeout: options.timeout,
        interrupted: Some(&INTERRUPTED),
        ..Options::default()
    };
    let progress = &mut Progress::new(options.format == TableFormat::Human);
    let mut rows = Vec::new();
    for (model, _) in MemoryModel::ALL {
        rows.push(compare_under(&program, model, &what, &mut |count| progress.show(count)));
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
    }
    progress.clear();
    let file = options.input.names();
    match options.format {
        TableFormat::Human => say(compare_text(&program, &file, &rows)),
        TableFormat::Json => say(compare_json(&program, &file, &rows)),
    }
    code(&program, &rows)
}

/// The code of the row that weighs most: a fault is a fault, whatever other models say.
fn code(program: &Program, rows: &[Compared]) -> u8 {
    let codes: Vec<u8> = rows.iter().map(|row| row_code(program, row)).collect();
    let heaviest_first = [exit::INTERRUPTED, exit::FAULT, exit::INTERNAL, exit::UNSUPPORTED, exit::CUT];
    heaviest_first.into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}

fn row_code(program: &Program, row: &Compared) -> u8 {
    match &row.outcome.verdict {
        Verdict::Verified => 0,
        Verdict::Refuted => exit::FAULT,
        Verdict::Unknown if row.outcome.limits.contains(&Limit::Interrupted) => exit::INTERRUPTED,
        Verdict::Unknown => exit::CUT,
        Verdict::Stopped(stop) => print_stop(program, stop),
    }
}
