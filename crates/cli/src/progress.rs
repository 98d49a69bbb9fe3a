//! A line that says how far a check has come, for a person who waits.

use raddle_check::{Board, Count, Shares};
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
    /// Where it stands how the check is shared.
    board: Option<&'static Board>,
}

impl Progress {
    /// Nothing is shown yet. `is_wanted` says whether a person reads the answer.
    pub fn new(is_wanted: bool) -> Progress {
        Progress { started: Instant::now(), shown: None, is_wanted: is_wanted && std::io::stderr().is_terminal(), board: None }
    }

    /// The same, with what is on a board of how the check is shared.
    pub fn sharing(self, board: &'static Board) -> Progress {
        Progress { board: Some(board), ..self }
    }

    /// Renews the line when it is time.
    pub fn show(&mut self, count: &Count) {
        if !self.is_wanted || self.shown.unwrap_or(self.started).elapsed() < EVERY {
            return;
        }
        self.shown = Some(Instant::now());
        let (done, seconds) = (count.executions + count.blocked, self.started.elapsed().as_secs_f64());
        let mut error = std::io::stderr();
        let line = line(done, seconds, self.board.map(Board::shares).unwrap_or_default());
        let advice = if self.started.elapsed() < LONG { "" } else { ADVICE };
        let _gone = write!(error, "\r\x1b[K{line}{advice}").and_then(|()| error.flush());
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.shown.is_some() {
            let _gone = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// How far a check has come.
fn line(done: u64, seconds: f64, Shares { workers, open, done: over }: Shares) -> String {
    let counted = format!("{done} executions, {:.0} a second", done as f64 / seconds);
    match (workers, open, over) {
        (0, 0, 0) => counted,
        (1, ..) => format!("{counted}; 1 worker, {open} units open, {over} done"),
        _ => format!("{counted}; {workers} workers, {open} units open, {over} done"),
    }
}

#[cfg(test)]
mod tests {
    use super::line;
    use raddle_check::Shares;

    #[test]
    fn what_is_shared_is_said() {
        assert_eq!(line(600, 2.0, Shares::default()), "600 executions, 300 a second");
        let shares = Shares { workers: 4, open: 7, done: 12 };
        assert_eq!(line(600, 2.0, shares), "600 executions, 300 a second; 4 workers, 7 units open, 12 done");
    }
}
