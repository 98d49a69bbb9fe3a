//! A case: a program under a plan, and what is expected of it.

use std::fmt;
use std::path::PathBuf;

/// What is run.
#[derive(Clone, Debug)]
pub enum Input {
    Program { file: PathBuf, cflags: Vec<String> },
    Litmus { file: PathBuf },
}

/// What a check answers. A litmus test is refuted when its condition can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Verified,
    Refuted,
    /// A limit ended it.
    Unknown,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Verified => "verified",
            Answer::Refuted => "refuted",
            Answer::Unknown => "unknown",
        })
    }
}

/// What must come of a case; nothing is expected where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected {
    pub answer: Option<Answer>,
    pub executions: Option<u64>,
}

/// A program under a plan.
#[derive(Clone, Debug)]
pub struct Case {
    pub input: Input,
    pub model: &'static str,
    pub algorithm: &'static str,
    pub buffer_bound: Option<u32>,
    /// After so many seconds the answer is unknown, and nothing is expected of it.
    pub timeout: u32,
    pub expected: Expected,
}

/// How long a case may take where nothing else is said, in seconds.
const USUAL_TIMEOUT: u32 = 60;

impl Case {
    /// A case with no bound and nothing expected.
    pub fn new(input: Input, model: &'static str, algorithm: &'static str) -> Case {
        Case { input, model, algorithm, buffer_bound: None, timeout: USUAL_TIMEOUT, expected: Expected::default() }
    }

    /// The name of the program with its parameters.
    pub fn name(&self) -> String {
        let (file, cflags) = match &self.input {
            Input::Program { file, cflags } => (file, cflags.join(" ")),
            Input::Litmus { file } => (file, String::new()),
        };
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        format!("{stem} {cflags}").trim_end().to_string()
    }

    /// What `raddle` is called with.
    pub fn arguments(&self) -> Vec<String> {
        let (command, file) = match &self.input {
            Input::Program { file, .. } => ("check", file),
            Input::Litmus { file } => ("litmus", file),
        };
        let mut words = vec![command.to_string(), file.display().to_string()];
        words.extend(["--model", self.model, "--algorithm", self.algorithm, "--jobs", "1", "--format", "json"].map(String::from));
        if let Some(bound) = self.buffer_bound {
            words.extend(["--buffer-bound".to_string(), bound.to_string()]);
        }
        if let Input::Program { cflags, .. } = &self.input {
            words.extend(["--timeout".to_string(), self.timeout.to_string(), "--".to_string()]);
            words.extend(cflags.iter().cloned());
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_a_command_line() {
        let input = Input::Program { file: "a/sb.c".into(), cflags: vec!["-DN=2".into()] };
        let case = Case { buffer_bound: Some(1), ..Case::new(input, "tso", "classic") };
        assert_eq!(case.name(), "sb -DN=2");
        assert_eq!(
            case.arguments().join(" "),
            "check a/sb.c --model tso --algorithm classic --jobs 1 --format json --buffer-bound 1 --timeout 60 -- -DN=2"
        );
    }
}
