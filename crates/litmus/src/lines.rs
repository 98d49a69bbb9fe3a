//! Lines and columns of offsets in a text.

use crate::error::{Error, Problem};
use raddle_program::Place;

/// A file's text with the offsets where its lines begin.
pub(crate) struct Lines<'a> {
    file: &'a str,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Lines<'a> {
        let after_newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { file, text, starts: std::iter::once(0).chain(after_newlines).collect() }
    }

    /// Line and column, both counted from one.
    fn position(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= at) - 1;
        let before = self.text.get(self.starts[line]..at).unwrap_or("");
        (line as u32 + 1, before.chars().count() as u32 + 1)
    }

    /// The place of an instruction of a thread.
    pub fn place(&self, at: usize, function: &str) -> Place {
        let (line, column) = self.position(at);
        Place { file: self.file.into(), line, column, function: function.into(), inlined_at: None }
    }

    /// The error that a problem is in this file.
    pub fn error(&self, problem: Problem) -> Error {
        let (line, column) = self.position(problem.at.min(self.text.len()));
        Error { file: self.file.into(), line, column, message: problem.message, kind: problem.kind }
    }
}
