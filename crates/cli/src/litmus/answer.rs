//! What is said about one test under one model, and why nothing can be said.

use crate::guard::Cause;
use crate::terminal::named;
use crate::{exit, input};
use raddle_check::{Limit, MemoryModel};
use raddle_litmus::{ErrorKind, Observation, Test};
use raddle_report::{DrawnTest, Reason, litmus_failure_json};
use serde_json::Value;
use std::path::Path;

/// What is known of a test under a model, ready to be printed.
pub struct Answer {
    pub test: String,
    pub model: MemoryModel,
    pub observation: Observation,
    pub executions: u64,
    /// Whether what the test claims is so.
    pub is_ok: bool,
    /// herd7's text.
    pub report: String,
    /// The object for scripts.
    pub json: Value,
    /// What a page shows, where there is one.
    pub drawn: Option<DrawnTest>,
}

/// Why there is no answer, with the exit code that tells scripts.
pub struct Failure {
    pub file: String,
    /// A word for scripts.
    pub kind: &'static str,
    pub message: String,
    pub code: u8,
    /// The test and the model, where it was read and is explored under one.
    pub of: Option<(String, MemoryModel)>,
}

impl Failure {
    /// A limit ended the exploration.
    pub fn cut(file: &Path, limit: &Limit) -> Failure {
        Failure::ended(file, &Cause::Limit(limit.clone()))
    }

    /// The command was ended from outside before there was an answer.
    pub fn ended(file: &Path, cause: &Cause) -> Failure {
        let crate::failure::Failure { reason, code } = crate::failure::Failure::ended(cause);
        Failure { kind: reason.kind, ..Failure::new(file, format!("{}: {}", named(file), reason.message), code) }
    }

    /// Something in the file is not supported.
    pub fn unsupported(file: &Path, what: &str) -> Failure {
        Failure::new(file, format!("{}: {what}", named(file)), exit::UNSUPPORTED)
    }

    /// Something went wrong with Raddle itself, and has been said.
    pub fn internal(file: &Path, what: &str) -> Failure {
        Failure::new(file, format!("{}: internal error: {what}", named(file)), exit::INTERNAL)
    }

    /// A failure of a file with a message that says where.
    pub fn new(file: &Path, message: String, code: u8) -> Failure {
        Failure { file: file.to_string_lossy().into_owned(), kind: exit::word(code), message, code, of: None }
    }

    /// The same of a test under a model.
    pub fn of(self, test: &str, model: MemoryModel) -> Failure {
        Failure { of: Some((test.to_string(), model)), ..self }
    }

    /// The object for scripts.
    pub fn json(&self) -> Value {
        let (test, model) = self.of.as_ref().map(|(test, model)| (test.as_str(), model.to_string())).unzip();
        litmus_failure_json(&self.file, test, model, &Reason::new(self.kind, self.message.clone()), self.code)
    }
}

/// A litmus test of more bytes than this is none.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a file: the test, and its text.
pub fn read(file: &Path) -> Result<(Test, String), Failure> {
    let name = named(file);
    let bytes = input::read(file, MOST_BYTES).map_err(|why| Failure::new(file, format!("{name}: {why}"), exit::USAGE))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let test = raddle_litmus::read(&name, &text).map_err(|why| {
        let code = match why.kind {
            ErrorKind::Syntax => exit::COMPILER,
            ErrorKind::Unsupported => exit::UNSUPPORTED,
        };
        Failure::new(file, why.to_string(), code)
    })?;
    Ok((test, text))
}
