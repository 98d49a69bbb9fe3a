//! `raddle compare`: a program under several models, side by side.

use crate::arguments::{CompareOptions, TableFormat};
use crate::failure::Failure;
use crate::files::readable;
use crate::front_ends::load;
use crate::guard::{self, LastWords};
use crate::internal::Internal;
use crate::progress::{Progress, When};
use crate::terminal::{say, say_object};
use crate::{INTERRUPTED, exit};
use raddle_check::{Board, Compared, MemoryModel, Options, Outcome, Plan, Verdict, compare as compare_under};
use raddle_machine::Limits;
use raddle_program::Program;
use raddle_report::{compare_json, compare_text, harmless_lines, json_text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What is known so far under the model at hand.
static BOARD: Board = Board::new();

/// Checks the program under each of the models and gives the exit code.
pub fn compare(options: &CompareOptions, internal: &Internal) -> u8 {
    let (format, file) = (options.format, options.input.names());
    let (names, files) = (file.clone(), options.input.files.clone());
    guard::set_last_words(move |cause| {
        let failure = Failure::ended_reading(&files, &cause);
        failure.last_words(object(&names, format, &failure).map_or(String::new(), |object| json_text(&object) + "\n"))
    });
    let program = match load(&options.input, false, internal) {
        Ok(program) => Arc::new(program),
        Err(failure) => return failed(options, &failure),
    };
    let what = Options {
        limits: Limits { unroll: options.unroll, nondet: options.nondet, files: readable(&options.input), ..Limits::default() },
        max_executions: options.max_executions,
        timeout: options.timeout,
        races: !options.no_races,
        interrupted: Some(&INTERRUPTED),
        out_of_memory: Some(guard::out_of_memory()),
        board: Some(&BOARD),
        ..Options::default()
    };
    let progress = &mut Progress::new(When::Auto, options.format == TableFormat::Human);
    let mut rows: Vec<Compared> = Vec::new();
    for (n, &model) in options.models.iter().enumerate() {
        leave_rows(&program, (&file, format), &rows, &options.models[n..]);
        BOARD.clear();
        guard::give_back();
        guard::set_timeout(options.timeout);
        rows.push(compare_under(&program, model, &what, &mut |count| progress.show(count)));
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
    }
    progress.clear();
    let (text, code) = answer(&program, &file, format, &rows);
    guard::answer(code);
    rows.iter().for_each(|row| internal.look_at(row.outcome.stop.as_ref(), &program));
    say(text);
    code
}

/// The answer in the format that was asked for, and the exit code.
fn answer(program: &Program, file: &str, format: TableFormat, rows: &[Compared]) -> (String, u8) {
    let codes: Vec<u8> = rows.iter().map(|row| exit::of(&row.outcome)).collect();
    let code = heaviest(&codes);
    let text = match format {
        TableFormat::Human => harmless_lines(&compare_text(program, file, rows)).into_owned(),
        TableFormat::Json => json_text(&compare_json(program, file, rows, &codes, code)),
    };
    (text, code)
}

/// What is said where a limit ends the next model from outside: the rows so far, and one for each model that is left.
fn leave_rows(program: &Arc<Program>, (file, format): (&str, TableFormat), rows: &[Compared], left: &[MemoryModel]) {
    let (program, file, mut rows, left, started) = (program.clone(), file.to_string(), rows.to_vec(), left.to_vec(), Instant::now());
    guard::set_last_words(move |cause| {
        let (limit, stop) = cause.met();
        let (mut known, mut seconds) = (BOARD.read(), started.elapsed().as_secs_f64());
        for &model in &left {
            let (count, found) = std::mem::take(&mut known);
            let verdict = if found.is_empty() { Verdict::Unknown } else { Verdict::Refuted };
            let plan = Plan::best(model);
            let outcome = Outcome {
                plan,
                verdict,
                found,
                limits: limit.iter().cloned().collect(),
                stop: stop.clone(),
                count,
                statuses: BTreeMap::new(),
            };
            let (weak, seconds) = (Vec::new(), std::mem::take(&mut seconds));
            rows.push(Compared { plan, outcome, robust: None, weak, seconds });
        }
        let (text, code) = answer(&program, &file, format, &rows);
        LastWords { out: format!("{text}\n"), err: String::new(), code }
    });
}

/// Says why there is nothing to compare; gives the exit code.
fn failed(options: &CompareOptions, failure: &Failure) -> u8 {
    guard::answer(failure.code);
    if let Some(object) = object(&options.input.names(), options.format, failure) {
        say_object(&object);
    }
    failure.say()
}

/// The object for scripts where there is nothing to compare.
fn object(file: &str, format: TableFormat, failure: &Failure) -> Option<Value> {
    let object = || json!({ "file": file, "models": [], "reason": failure.reason.json(), "exit_code": failure.code });
    (format == TableFormat::Json).then(object)
}

/// The code of the row that weighs most: a fault is a fault, whatever other models say.
fn heaviest(codes: &[u8]) -> u8 {
    let heaviest_first = [exit::FAULT, exit::INTERRUPTED, exit::INTERNAL, exit::UNSUPPORTED, exit::CUT];
    heaviest_first.into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}
