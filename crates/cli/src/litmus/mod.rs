//! `raddle litmus`: reads litmus tests, explores each under a model, and answers as herd7 does.
//!
//! Tests are explored side by side, each wholly by one worker; answers are printed in the order of the files. What is
//! wrong with one file is said on the error stream, and the others go on.

mod answer;
mod drawn;
mod explore;
mod models;
mod options;
mod parallel;
mod table;

pub use options::LitmusOptions;

use crate::guard::LastWords;
use crate::internal::Internal;
use crate::output::wanted;
use crate::terminal::{complain, put, say_object};
use crate::{INTERRUPTED, exit, guard};
use answer::{Answer, Failure};
use models::Models;
use options::Format;
use raddle_check::{MemoryModel, Plan};
use raddle_machine::Stopping;
use raddle_report::{DrawnTest, harmless_lines, json_text, litmus_page};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use table::Table;

/// What came of a file: an answer for each model, or why there is none.
type Outcome = Vec<Result<Answer, Failure>>;

/// Runs the tests and gives the exit code.
pub fn litmus(options: &LitmusOptions, internal: &Internal) -> u8 {
    let plans = match plans(options) {
        Ok(plans) => plans,
        Err(why) => {
            complain(why);
            return exit::USAGE;
        }
    };
    let page = match wanted(options.html.as_deref(), "page", &options.files) {
        Ok(page) => page,
        Err(why) => {
            complain(why);
            return exit::USAGE;
        }
    };
    let (started, stop) = (Instant::now(), Stopping::default());
    guard::set_stop(stop.clone());
    let mut printer = Printer::new(options, &plans);
    let work = |n: usize| {
        let file = &options.files[n..=n];
        let outcome = internal.guarded(file, || outcome(&file[0], &plans, options, &stop, internal));
        outcome.unwrap_or_else(|what| vec![Err(Failure::internal(&file[0], &what))])
    };
    printer.leave_words(0);
    parallel::in_order(options.files.len(), options.jobs(), work, |outcome, n_done| {
        printer.print(outcome, n_done);
        printer.leave_words(n_done);
    });
    printer.finish(started.elapsed().as_secs_f64());
    if let Some(Err(why)) = page.map(|page| page.write(&litmus_page(&printer.drawn))) {
        complain(format!("the page: {why}"));
    }
    printer.code(INTERRUPTED.load(Ordering::Relaxed))
}

/// One plan for each model that is asked for.
fn plans(options: &LitmusOptions) -> Result<Vec<Plan>, String> {
    let models = MemoryModel::ALL.iter().map(|named| named.0);
    let plan = |model: MemoryModel, bound| {
        let algorithm = options.algorithm.unwrap_or(model.default_algorithm());
        Plan::new(model, algorithm, bound).map_err(|why| why.to_string())
    };
    match options.model {
        Some(Models::One(model)) => Ok(vec![plan(model, options.buffer_bound)?]),
        None => Ok([plan(MemoryModel::Sc, options.buffer_bound)?].into_iter().chain(plan(MemoryModel::AArch64, None)).collect()),
        // Those that have no buffers are explored without a bound, and those that the algorithm cannot explore are left
        // out.
        Some(Models::All) => Ok(models.filter_map(|model| plan(model, options.buffer_bound).or_else(|_| plan(model, None)).ok()).collect()),
    }
}

/// Reads a file and explores it under each plan that makes sense for it.
fn outcome(file: &Path, plans: &[Plan], options: &LitmusOptions, stop: &Stopping, internal: &Internal) -> Outcome {
    if let Some(limit) = guard::limit() {
        return vec![Err(Failure::cut(file, &limit))];
    }
    let (test, text) = match answer::read(file) {
        Ok(test) => test,
        Err(why) => return vec![Err(why)],
    };
    let explore = |plan: &Plan| {
        let answer = match models::refusal(test.arch, plan.name) {
            Some(why) => Err(Failure::unsupported(file, &why)),
            None => {
                let (limits, text) = (options.limits(stop), options.html.as_ref().map(|_| text.as_str()));
                let explored = internal.guarded(&[file.to_path_buf()], || explore::explore(file, &test, *plan, (&limits, text)));
                explored.unwrap_or_else(|what| Err(Failure::internal(file, &what)))
            }
        };
        answer.map_err(|failure| failure.of(&test.name, plan.name))
    };
    let own = Some(models::own(test.arch)).filter(|own| plans.iter().any(|plan| plan.name == *own)).unwrap_or(MemoryModel::Sc);
    let makes_sense = |plan: &&Plan| match options.model {
        Some(Models::One(_)) => true,
        Some(Models::All) => models::refusal(test.arch, plan.name).is_none(),
        None => plan.name == own,
    };
    plans.iter().filter(makes_sense).map(explore).collect()
}

/// Prints answers as they come.
struct Printer<'o> {
    options: &'o LitmusOptions,
    table: Option<Table>,
    /// Whether the line that shows how far one is stands on the terminal.
    shows_progress: bool,
    n_ok: usize,
    n_no: usize,
    failures: Vec<Failure>,
    files: Arc<[PathBuf]>,
    /// What the page shows.
    drawn: Vec<DrawnTest>,
}

impl<'o> Printer<'o> {
    fn new(options: &'o LitmusOptions, plans: &[Plan]) -> Self {
        let as_table = options.model == Some(Models::All) && options.format == Format::Herd;
        let table = as_table.then(|| Table::new(plans.iter().map(|plan| plan.name).collect()));
        let shows_progress = std::io::stderr().is_terminal();
        let (failures, drawn, files) = (Vec::new(), Vec::new(), options.files.clone().into());
        Printer { options, table, shows_progress, n_ok: 0, n_no: 0, failures, files, drawn }
    }

    fn print(&mut self, outcome: Outcome, n_done: usize) {
        self.clear_progress();
        let mut answers = Vec::new();
        for result in outcome {
            match result {
                Ok(answer) => answers.push(answer),
                Err(failure) => {
                    if failure.code != exit::INTERNAL {
                        complain(&failure.message);
                    }
                    if self.options.format == Format::Json {
                        say_object(&failure.json());
                    }
                    self.failures.push(failure);
                }
            }
        }
        for answer in &answers {
            self.n_ok += answer.is_ok as usize;
            self.n_no += !answer.is_ok as usize;
            match (self.options.format, &self.table) {
                (Format::Json, _) => say_object(&answer.json),
                (Format::Herd, None) => put(&harmless_lines(&answer.report)),
                (Format::Herd, Some(_)) => {}
            }
        }
        if let Some(table) = &mut self.table {
            table.add(&answers);
        }
        self.drawn.extend(answers.into_iter().filter_map(|answer| answer.drawn));
        if self.shows_progress && n_done < self.options.files.len() {
            let _gone = write!(std::io::stderr(), "{n_done} of {} tests", self.options.files.len());
        }
    }

    fn clear_progress(&self) {
        if self.shows_progress {
            let _gone = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// The table, and on the error stream how many of each there were.
    fn finish(&mut self, seconds: f64) {
        if let Some(table) = &self.table {
            put(&harmless_lines(&table.to_string()));
        }
        if self.options.format == Format::Herd {
            let (n_ok, n_no, n_failed) = (self.n_ok, self.n_no, self.failures.len());
            let (n, plural) = (self.options.files.len(), if self.options.files.len() == 1 { "" } else { "s" });
            let _gone = writeln!(std::io::stderr(), "{n} test{plural}: {n_ok} Ok, {n_no} No, {n_failed} not answered, {seconds:.2} s");
        }
    }

    /// What is said where the command is ended from outside when so many tests are answered: that the others are not.
    fn leave_words(&self, n_done: usize) {
        let (files, so_far, format) = (self.files.clone(), self.code(false), self.options.format);
        guard::set_last_words(move |cause| {
            let failures: Vec<Failure> = files[n_done..].iter().map(|file| Failure::ended(file, &cause)).collect();
            let err = failures.iter().map(|failure| format!("raddle: {}\n", failure.message)).collect();
            let objects = failures.iter().filter(|_| format == Format::Json).map(|failure| json_text(&failure.json()) + "\n");
            LastWords { out: objects.collect(), err, code: worst(failures.iter().map(|failure| failure.code).chain([so_far])) }
        });
    }

    /// The exit code: that of a fault, whatever else happened, or else of the worst failure.
    fn code(&self, is_interrupted: bool) -> u8 {
        worst(self.failures.iter().map(|failure| failure.code).chain(is_interrupted.then_some(exit::INTERRUPTED)))
    }
}

/// The code that weighs most. A text that is wrong outweighs one that is only not supported.
fn worst(codes: impl Iterator<Item = u8> + Clone) -> u8 {
    let worst_first = [exit::FAULT, exit::INTERRUPTED, exit::INTERNAL, exit::USAGE, exit::COMPILER, exit::UNSUPPORTED, exit::CUT];
    worst_first.into_iter().find(|worst| codes.clone().any(|code| code == *worst)).unwrap_or(0)
}
