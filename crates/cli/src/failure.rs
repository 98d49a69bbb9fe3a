//! What keeps a command from doing its work: input that cannot be read, compiled or run.

use crate::exit;
use crate::terminal::complain;
use raddle_check::Limit;
use raddle_report::{Reason, limit_reason};

/// Why there is no answer, and the exit code for it.
pub struct Failure {
    pub reason: Reason,
    pub code: u8,
}

impl Failure {
    /// A failure without a place in the source.
    pub fn new(kind: &'static str, message: impl Into<String>, code: u8) -> Failure {
        Failure { reason: Reason::new(kind, message), code }
    }

    /// A limit ended the command before there was anything to say.
    pub fn cut(limit: &Limit) -> Failure {
        let code = if *limit == Limit::Interrupted { exit::INTERRUPTED } else { exit::CUT };
        Failure { reason: limit_reason(limit), code }
    }

    /// Something went wrong with Raddle itself, and has been said.
    pub fn internal(what: &str) -> Failure {
        Failure::new("internal", format!("internal error: {what}"), exit::INTERNAL)
    }

    /// Says it on the error stream, where that has not been done; gives the exit code.
    pub fn say(&self) -> u8 {
        if self.code != exit::INTERNAL {
            complain(&self.reason.message);
        }
        self.code
    }
}
