//! `raddle compare`: a program under several models, side by side.

use crate::arguments::{CompareOptions, TableFormat};
use crate::failure::Failure;
use crate::front_ends::load;
use crate::guard::{self, LastWords};
use crate::internal::Internal;
use crate::output::{Output, wanted};
use crate::progress::{Progress, When};
use crate::terminal::{complain, say, say_object, sources};
use crate::{INTERRUPTED, exit};
use raddle_check::{Board, Compared, MemoryModel, Options, Outcome, Plan, compare as compare_under, guarded};
use raddle_program::Program;
use raddle_report::{Table, compare_failure_json, compare_json, compare_page, compare_text, harmless_lines, json_text};
use serde_json::Value;
use std::path::PathBuf;
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
    let page = match wanted(options.html.as_deref(), "page", &options.input.files) {
        Ok(page) => page,
        Err(why) => return failed(options, &Failure::new("usage", why, exit::USAGE)),
    };
    let program = match load(&options.input, options.wanted.uninit, internal) {
        Ok(program) => Arc::new(program),
        Err(failure) => return failed(options, &failure),
    };
    let what = Options { timeout: options.timeout, board: Some(&BOARD), ..options.wanted.options(&options.input) };
    let progress = &mut Progress::new(When::Auto, format == TableFormat::Human);
    let mut answer = Answer { program, file, format, models: options.models.clone(), rows: Vec::new() };
    answer.begin();
    for &model in &options.models {
        answer.leave();
        BOARD.clear();
        guard::give_back();
        guard::set_timeout(options.timeout);
        let plan = Plan::best(model);
        let races = options.wanted.races(plan);
        let row = compare_under(&answer.program, model, &Options { races, ..what.clone() }, &mut |count| progress.show(count));
        progress.clear();
        answer.show(row);
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
    }
    answer.leave();
    let (text, code) = answer.rest(answer.rows.len());
    guard::answer(code);
    if let Some(page) = page {
        answer.draw(page, &options.input.files);
    }
    answer.rows.iter().for_each(|row| internal.look_at(row.outcome.stop.as_ref(), &answer.program));
    say(text);
    code
}

/// What is said: each row of the table as soon as it is there, then the rest. JSON is said in one go.
#[derive(Clone)]
struct Answer {
    program: Arc<Program>,
    file: String,
    format: TableFormat,
    models: Vec<MemoryModel>,
    rows: Vec<Compared>,
}

impl Answer {
    fn table(&self) -> Option<Table> {
        (self.format == TableFormat::Human).then(|| Table::new(&self.models))
    }

    fn begin(&self) {
        self.table().into_iter().for_each(|table| say(table.head()));
    }

    /// There is one more row.
    fn show(&mut self, row: Compared) {
        self.table().into_iter().for_each(|table| say(table.row(&row)));
        self.rows.push(row);
    }

    /// What is left to say where so many rows have been shown, and the exit code.
    fn rest(&self, n_shown: usize) -> (String, u8) {
        let codes: Vec<u8> = self.rows.iter().map(|row| exit::of(&row.outcome)).collect();
        let code = heaviest(&codes);
        let text = match self.table() {
            Some(table) => {
                let rows = self.rows[n_shown..].iter().map(|row| table.row(row) + "\n");
                let text = rows.chain(["\n".into(), compare_text(&self.program, &self.file, &self.rows)]).collect::<String>();
                harmless_lines(&text).into_owned()
            }
            None => json_text(&compare_json(&self.program, &self.file, &self.rows, &codes, code)),
        };
        (text, code)
    }

    /// Writes the page. One that cannot be written takes no answer back.
    fn draw(&self, page: Output, files: &[PathBuf]) {
        let text = guarded(|| compare_page(&self.program, &self.file, &self.rows, &|story| sources(story, files)));
        if let Err(why) = text.and_then(|text| page.write(&text)) {
            complain(format!("the page: {why}"));
        }
    }

    /// What is said where a limit ends the next model from outside: one row for each model that is left.
    fn leave(&self) {
        let (mut answer, started) = (self.clone(), Instant::now());
        guard::set_last_words(move |cause| {
            let (limit, stop) = cause.met();
            let (mut known, mut seconds) = (BOARD.read(), started.elapsed().as_secs_f64());
            let n_shown = answer.rows.len();
            for &model in &answer.models[n_shown..] {
                let (count, found) = std::mem::take(&mut known);
                let limits = limit.iter().cloned().collect();
                let plan = Plan::best(model);
                let outcome = Outcome::ended_outside(plan, found, count, limits, stop.clone());
                let (weak, seconds) = (Vec::new(), std::mem::take(&mut seconds));
                answer.rows.push(Compared { plan, outcome, robust: None, weak, story: None, seconds });
            }
            let (text, code) = answer.rest(n_shown);
            LastWords { out: format!("{text}\n"), err: String::new(), code }
        });
    }
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
    (format == TableFormat::Json).then(|| compare_failure_json(file, &failure.reason, failure.code))
}

/// The code of the row that weighs most: a fault is a fault, whatever other models say.
fn heaviest(codes: &[u8]) -> u8 {
    let heaviest_first = [exit::FAULT, exit::INTERRUPTED, exit::INTERNAL, exit::UNSUPPORTED, exit::CUT];
    heaviest_first.into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}
