//! A line that says how far a check has come, for a person who waits.

use raddle_check::Count;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// After how long it also says what else there is.
const LONG: Duration = Duration::from_secs(10);

/// What can be done where there are too many executions.
const ADVICE: &str = "; where these are too many: `raddle sample`, `--context-bound 0 --iterative`, or smaller parameters";

/// How often the line is renewed.
const EVERY: Duration = Duration::from_secs(1);

/// The line on standard error; nothing where that is not a terminal.
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    is_wanted: bool,
}

impl Progress {
    /// Nothing is shown yet. `is_wanted` says whether a person reads the answer.
    pub fn new(is_wanted: bool) -> Progress {
        Progress { started: Instant::now(), shown: None, is_wanted: is_wanted && std::io::stderr().is_terminal() }
    }

    /// Renews the line when it is time.
    pub fn show(&mut self, count: &Count) {
        if !self.is_wanted || self.shown.unwrap_or(self.started).elapsed() < EVERY {
            return;
        }
        self.shown = Some(Instant::now());
        let (done, seconds) = (count.executions + count.blocked, self.started.elapsed().as_secs_f64());
        let advice = if self.started.elapsed() < LONG { "" } else { ADVICE };
        let mut error = std::io::stderr();
        let line = write!(error, "\r\x1b[K{done} executions, {:.0} a second{advice}", done as f64 / seconds);
        let _gone = line.and_then(|()| error.flush());
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.shown.is_some() {
            let _gone = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
