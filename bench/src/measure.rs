//! Runs a case and reads what came of it.

use crate::case::{Answer, Case, Input};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Row {
    pub case: Case,
    pub answer: Answer,
    pub executions: u64,
    pub blocked: u64,
    pub redundant: u64,
    pub seconds: f64,
}

impl Row {
    /// How many times the program was run: all that was begun counts.
    pub fn runs(&self) -> u64 {
        self.executions + self.blocked + self.redundant
    }

    /// What is not as expected.
    pub fn wrong(&self) -> Option<String> {
        let expected = self.case.expected;
        if self.answer == Answer::Unknown {
            return None;
        }
        if let Some(answer) = expected.answer.filter(|&answer| answer != self.answer) {
            return Some(format!("{} instead of {answer}", self.answer));
        }
        let executions = expected.executions.filter(|&n| n != self.executions)?;
        Some(format!("{} executions instead of {executions}", self.executions))
    }
}

/// Runs a case; says why where nothing came of it.
pub fn measure(raddle: &Path, root: &Path, case: &Case) -> Result<Row, String> {
    let output =
        Command::new(raddle).args(case.arguments()).current_dir(root).output().map_err(|why| format!("{}: {why}", raddle.display()))?;
    let what = || format!("raddle {}: {}", case.arguments().join(" "), String::from_utf8_lossy(&output.stderr).trim());
    let object: Value = serde_json::from_slice(&output.stdout).map_err(|_| what())?;
    read(case, &object).ok_or_else(what)
}

fn read(case: &Case, object: &Value) -> Option<Row> {
    let number = |name: &str| object[name].as_u64();
    let answer = match case.input {
        Input::Program { .. } => match object["verdict"].as_str()? {
            "verified" => Answer::Verified,
            "refuted" => Answer::Refuted,
            _ => Answer::Unknown,
        },
        Input::Litmus { .. } => match object["observation"].as_str()? {
            "Never" => Answer::Verified,
            _ => Answer::Refuted,
        },
    };
    let (executions, blocked, redundant) = (number("executions")?, number("blocked")?, number("redundant")?);
    Some(Row { case: case.clone(), answer, executions, blocked, redundant, seconds: object["seconds"].as_f64()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Expected;
    use serde_json::json;

    #[test]
    fn wrong_counts_and_verdicts_are_found() {
        let input = Input::Program { file: "sb.c".into(), cflags: Vec::new() };
        let check = |expected: Expected, verdict: &str| {
            let case = Case { expected, ..Case::new(input.clone(), "tso", "optimal") };
            let object = json!({ "verdict": verdict, "executions": 4, "blocked": 0, "redundant": 1, "seconds": 0.5 });
            read(&case, &object).expect("the object is complete").wrong()
        };
        let expected = Expected { answer: Some(Answer::Verified), executions: Some(4) };
        assert_eq!(check(expected, "verified"), None);
        assert_eq!(check(expected, "refuted").as_deref(), Some("refuted instead of verified"));
        assert_eq!(check(Expected { executions: Some(3), ..expected }, "verified").as_deref(), Some("4 executions instead of 3"));
        assert_eq!(check(Expected { executions: Some(3), ..expected }, "unknown"), None);
    }
}
