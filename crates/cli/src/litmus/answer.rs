//! What is said about one test under one model, and why nothing can be said.

use crate::exit;
use raddle_check::MemoryModel;
use raddle_litmus::{ErrorKind, Observation, Test};
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
    /// The object for scripts, on one line.
    pub json: String,
}

/// Why there is no answer, with the exit code that tells scripts.
pub struct Failure {
    pub message: String,
    pub code: u8,
}

impl Failure {
    /// Something in the file is not supported.
    pub fn unsupported(file: &Path, what: &str) -> Failure {
        Failure { message: format!("{}: {what}", file.display()), code: exit::UNSUPPORTED }
    }
}

/// Reads a file.
pub fn read(file: &Path) -> Result<Test, Failure> {
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|why| Failure { message: format!("{name}: {why}"), code: exit::USAGE })?;
    raddle_litmus::read(&name, &String::from_utf8_lossy(&bytes)).map_err(|why| {
        let code = match why.kind {
            ErrorKind::Syntax => exit::COMPILER,
            ErrorKind::Unsupported => exit::UNSUPPORTED,
        };
        Failure { message: why.to_string(), code }
    })
}
