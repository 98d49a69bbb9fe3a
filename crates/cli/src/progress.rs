//! How far a check has come, for whoever waits: a line on a terminal that is renewed, plain lines now and then where
//! the error stream goes elsewhere.

use crate::beside::Beside;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use raddle_check::{Board, Count, Estimate, Options, Plan, Shares};
use raddle_program::Program;
use raddle_report::{estimate_words, time_words};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// After how long it also says what else there is.
const LONG: Duration = Duration::from_secs(10);

/// What can be done where there are too many executions.
const ADVICE: &str = "; where these are too many: `raddle sample`, `--context-bound 0 --iterative`, or smaller parameters";

/// How often the line is renewed.
const EVERY: Duration = Duration::from_millis(500);
/// How long nothing is said first.
const FIRST: Duration = Duration::from_secs(1);
/// How often a plain line is written.
const EVERY_LINE: Duration = Duration::from_secs(10);

/// Whether it is said how far a check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Where the error stream is a terminal.
    Auto,
    Always,
    Never,
}

enum To {
    /// A line that is renewed.
    Line(ProgressBar),
    /// One line after the other.
    Lines,
    Nobody,
}

/// What is said on standard error.
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    to: To,
    /// Where it stands how the check is shared.
    board: Option<&'static Board>,
    /// What is to be estimated as soon as something is said, and who does it from then on.
    unknown: Option<(Arc<Program>, Plan, Options<'static>)>,
    beside: Option<Beside>,
}

impl Progress {
    /// Nothing is shown yet. `is_read` says whether a person reads the answer.
    pub fn new(when: When, is_read: bool) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        let to = match when {
            When::Never => To::Nobody,
            When::Auto if !is_read || !is_terminal => To::Nobody,
            When::Auto | When::Always if is_terminal => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
                To::Line(bar)
            }
            When::Auto | When::Always => To::Lines,
        };
        Progress { started: Instant::now(), shown: None, to, board: None, unknown: None, beside: None }
    }

    /// The same, with what is on a board of how the check is shared.
    pub fn sharing(self, board: &'static Board) -> Progress {
        Progress { board: Some(board), ..self }
    }

    /// The same, with an estimate of how many executions this check will have.
    pub fn estimating(self, program: &Arc<Program>, plan: Plan, what: &Options<'static>) -> Progress {
        Progress { unknown: Some((program.clone(), plan, what.clone())), ..self }
    }

    /// Says it again when it is time.
    pub fn show(&mut self, count: &Count) {
        let (first, every) = match self.to {
            To::Nobody => return,
            To::Line(_) => (FIRST, EVERY),
            To::Lines => (FIRST, EVERY_LINE),
        };
        let is_early = match self.shown {
            None => self.started.elapsed() < first,
            Some(shown) => shown.elapsed() < every,
        };
        if is_early {
            return;
        }
        self.shown = Some(Instant::now());
        let time = self.started.elapsed();
        let advice = if time < LONG { "" } else { ADVICE };
        if let Some((program, plan, what)) = self.unknown.take() {
            self.beside = Beside::begin(program, plan, what);
        }
        let estimate = self.beside.as_ref().and_then(Beside::estimate);
        let ahead = estimate.and_then(|estimate| ahead(count, time, &estimate)).unwrap_or_default();
        let text = words(count, time, self.board.map(Board::shares).unwrap_or_default()) + &ahead + advice;
        match &self.to {
            To::Line(bar) => {
                bar.set_message(text);
                bar.tick();
            }
            To::Lines => drop(writeln!(std::io::stderr(), "raddle: {text}")),
            To::Nobody => {}
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        self.beside = None;
        if let To::Line(bar) = &self.to {
            bar.finish_and_clear();
        }
    }
}

/// `1200 executions, 400 a second, 30 events for each, 3 s so far; 4 workers, 7 units open, 12 done`
fn words(count: &Count, time: Duration, Shares { workers, open, done: over }: Shares) -> String {
    let (done, seconds) = (count.executions + count.blocked, time.as_secs_f64());
    let length = count.events as f64 / (done.max(1)) as f64;
    let counted = format!("{done} executions, {:.0} a second, {length:.0} events for each, {seconds:.0} s so far", done as f64 / seconds);
    match (workers, open, over) {
        (0, 0, 0) => counted,
        (1, ..) => format!("{counted}; 1 worker, {open} units open, {over} done"),
        _ => format!("{counted}; {workers} workers, {open} units open, {over} done"),
    }
}

/// `; 1200 to 3400 executions in all, most likely 2000: 3 s to 9 s left`, where that does not contradict what is known.
fn ahead(count: &Count, time: Duration, estimate: &Estimate) -> Option<String> {
    let done = (count.executions + count.blocked) as f64;
    if estimate.is_exact || done == 0.0 || done >= estimate.high {
        return None;
    }
    let left = |all: f64| (all - done).max(0.0) / done * time.as_secs_f64();
    let time_left = time_words(left(estimate.low), left(estimate.high));
    Some(format!("; {} in all: {time_left} left", estimate_words(&Estimate { low: estimate.low.max(done), ..*estimate })))
}

#[cfg(test)]
mod tests {
    use super::{ahead, words};
    use raddle_check::{Count, Estimate, Shares};
    use std::time::Duration;

    #[test]
    fn a_line_says_how_many_how_fast_and_how_it_is_shared() {
        let count = Count { executions: 1000, blocked: 200, events: 36_000, ..Count::default() };
        let alone = "1200 executions, 400 a second, 30 events for each, 3 s so far";
        let said = |shares| words(&count, Duration::from_secs(3), shares);
        assert_eq!(said(Shares::default()), alone);
        assert_eq!(said(Shares { workers: 4, open: 7, done: 12 }), format!("{alone}; 4 workers, 7 units open, 12 done"));
    }

    #[test]
    fn what_lies_ahead_is_a_range_that_does_not_contradict_what_is_known() {
        let estimate = Estimate { low: 500.0, likely: 2000.0, high: 4000.0, is_exact: false };
        let after = |executions| ahead(&Count { executions, ..Count::default() }, Duration::from_secs(10), &estimate);
        let words = "; 1000 to 4000 executions, most likely 2000 in all: less than a second to 30 s left";
        assert_eq!(after(1000).as_deref(), Some(words));
        assert_eq!(after(4000), None);
    }
}
