//! What keeps a command from doing its work: input that cannot be read, compiled or run.

use crate::exit;
use crate::guard::{Cause, LastWords};
use crate::terminal::{complain, named};
use raddle_check::Limit;
use raddle_report::{Reason, limit_reason};
use std::path::PathBuf;

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

    /// The command was ended from outside before there was anything to say.
    pub fn ended(cause: &Cause) -> Failure {
        match cause {
            Cause::Limit(limit) => Failure::cut(limit),
            Cause::Crash(what) => Failure::internal(what),
        }
    }

    /// The command was ended from outside while it read these files. LLVM's reader is not made for files that are not
    /// sound.
    pub fn ended_reading(files: &[PathBuf], cause: &Cause) -> Failure {
        match (cause, files.iter().find(|file| raddle_llvm::is_llvm_code(file))) {
            (Cause::Crash(what), Some(file)) => {
                let message = format!("`{}` is not sound LLVM code, or too deep for it: LLVM's reader ends in a {what}", named(file));
                Failure::new("compiler", message, exit::COMPILER)
            }
            _ => Failure::ended(cause),
        }
    }

    /// Something went wrong with Raddle itself, and has been said.
    pub fn internal(what: &str) -> Failure {
        Failure::new("internal", format!("internal error: {what}"), exit::INTERNAL)
    }

    /// What is said of it where the command is ended from outside, beside an object for scripts.
    pub fn last_words(&self, out: String) -> LastWords {
        let report = match self.code {
            exit::INTERNAL => {
                "raddle: this is a mistake of Raddle. Please report it with the command line and the files that it was given\n"
            }
            _ => "",
        };
        LastWords { out, err: format!("raddle: {}\n{report}", self.reason.message), code: self.code }
    }

    /// Says it on the error stream, where that has not been done; gives the exit code.
    pub fn say(&self) -> u8 {
        if self.code != exit::INTERNAL {
            complain(&self.reason.message);
        }
        self.code
    }
}
