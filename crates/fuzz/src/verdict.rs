//! What must hold of the end of every command line: no crash, no internal error, limits that hold, and one answer,
//! whatever the format.

use crate::command::Line;
use crate::watched::Ended;
use serde_json::Value;
use std::time::Duration;

/// How late a command may be. The promise is 0.3 s; a machine that runs other work too gets more.
const LATE: Duration = Duration::from_millis(300);

/// What is wrong with the end of a command, if anything; how late it was is for [`lateness`].
pub fn wrong(line: &Line, end: &Ended) -> Option<String> {
    let (out, err) = (String::from_utf8_lossy(&end.out), String::from_utf8_lossy(&end.err));
    let Some(code) = end.code else { return Some(format!("ended by signal {}", end.signal.unwrap_or(0))) };
    if err.contains("internal error") || err.contains("panicked") {
        return Some(format!("exit code {code}: {}", err.lines().next().unwrap_or_default()));
    }
    if line.command() != "run" && !matches!(code, 0 | 2 | 3 | 4 | 5 | 42) {
        return Some(format!("exit code {code}"));
    }
    let most = (line.megabytes << 20) / 10 * 11;
    if end.peak > most {
        return Some(format!("{} MB of {}", end.peak >> 20, line.megabytes));
    }
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if line.command() != "run" && (out.contains(is_obeyed) || err.contains(is_obeyed)) {
        return Some("what a terminal obeys is printed".into());
    }
    wrong_answer(line, code, &out)
}

/// How much later than it may a command ended. Where models are compared each has its time, and so has the compiler.
pub fn lateness(line: &Line, end: &Ended) -> Option<Duration> {
    let turns = if line.command() == "compare" { 7 } else { 1 };
    end.took.checked_sub((line.time + LATE) * turns)
}

/// What is wrong with what scripts read.
fn wrong_answer(line: &Line, code: i32, out: &str) -> Option<String> {
    // A command line that cannot be parsed has no answer.
    if code == 2 && out.is_empty() {
        return None;
    }
    let read = || serde_json::from_str::<Value>(out).map_err(|why| format!("exit code {code}, and no JSON: {why}"));
    let found = match (line.command(), line.option("--format")) {
        ("check", Some("json")) => read().and_then(|answer| check_json(code, &answer)),
        ("check", Some("sarif")) => read().and_then(|log| check_sarif(code, &log)),
        ("compare", Some("json")) => read().and_then(|answer| expect("exit_code", &answer["exit_code"], code.into())),
        ("litmus", Some("json")) => out.lines().try_for_each(litmus_json),
        _ => Ok(()),
    };
    found.err()
}

fn expect(what: &str, found: &Value, expected: Value) -> Result<(), String> {
    if *found == expected { Ok(()) } else { Err(format!("{what} is {found}, and should be {expected}")) }
}

fn check_json(code: i32, answer: &Value) -> Result<(), String> {
    let verdict = match code {
        0 => "verified",
        42 => "refuted",
        _ => "unknown",
    };
    expect("verdict", &answer["verdict"], verdict.into())?;
    expect("exit_code", &answer["exit_code"], code.into())?;
    expect("whether there is a fault", &answer["fault"].is_object().into(), (code == 42).into())?;
    expect(
        "whether there is a reason",
        &answer["reason"].is_object().into(),
        (answer["reason"].is_object() || !matches!(code, 0 | 42)).into(),
    )
}

fn check_sarif(code: i32, log: &Value) -> Result<(), String> {
    let run = &log["runs"][0];
    expect("exitCode", &run["invocations"][0]["exitCode"], code.into())?;
    expect("executionSuccessful", &run["invocations"][0]["executionSuccessful"], matches!(code, 0 | 42).into())?;
    let n_results = run["results"].as_array().map_or(0, Vec::len);
    expect("whether there are results", &(n_results > 0).into(), (code == 42).into())
}

fn litmus_json(line: &str) -> Result<(), String> {
    let answer: Value = serde_json::from_str(line).map_err(|why| format!("no JSON: {why}: {line}"))?;
    expect("whether there is a reason", &answer["reason"].is_object().into(), answer["observation"].is_null().into())
}
