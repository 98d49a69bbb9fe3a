//! Objects for scripts.

use crate::asked::Asked;
use crate::reason::{Reason, reasons, stop_reason, verdict_word};
use crate::story::{place_json, story_json};
use crate::words::limit_words;
use raddle_check::{Count, Outcome, Plan, Verdict};
use raddle_machine::Found;
use raddle_program::Program;
use raddle_story::{Story, user_place};
use serde_json::{Value, json};

/// What the object says of itself; docs/report.schema.json describes it.
const FORMAT: &str = "raddle-check";
/// Raised when something is taken away or means something else.
const VERSION: u32 = 1;

/// An object of a format, which says so; its version, and that of Raddle.
pub fn versioned(format: &str, version: u32, mut object: Value) -> Value {
    object["format"] = format.into();
    object["version"] = version.into();
    object["raddle"] = env!("CARGO_PKG_VERSION").into();
    object
}

/// An answer of `raddle litmus` (docs/litmus.schema.json).
fn of_litmus(object: Value) -> Value {
    versioned("raddle-litmus", 1, object)
}

/// The object that `raddle check --format json` prints; `code` is the exit code.
/// There is a story for each fault, or none at all.
pub fn check_json(program: &Program, asked: &Asked, (outcome, stories): (&Outcome, &[Story]), seconds: f64, code: u8) -> Value {
    let plan = asked.plan;
    let Count { executions, blocked, redundant, events, .. } = outcome.count;
    let mut limits: Vec<String> = outcome.limits.iter().map(limit_words).collect();
    limits.extend(outcome.stop.as_ref().map(|stop| stop_reason(program, stop).message));
    let mut object = json!({
        "format": FORMAT, "version": VERSION, "raddle": env!("CARGO_PKG_VERSION"),
        "file": asked.file, "model": plan.name.to_string(), "algorithm": asked.algorithm(),
        "verdict": verdict_word(outcome.verdict), "limits": limits, "exit_code": code,
        "executions": executions, "blocked": blocked, "redundant": redundant, "events": events, "seconds": seconds,
    });
    if plan.symmetry {
        object["interchangeable"] = outcome.interchangeable.clone().into();
    }
    if let Some(sampling) = asked.sampling {
        object["samples"] = sampling.samples.into();
        object["seed"] = sampling.seed.into();
    }
    let bounds = plan.bounds();
    if let Some(bound) = bounds.buffer {
        object["buffer_bound"] = bound.into();
    }
    if let Some(bound) = bounds.context {
        object["context_bound"] = bound.into();
    }
    if asked.robustness {
        object["robust"] = match outcome.verdict {
            _ if outcome.count.not_robust > 0 => false.into(),
            Verdict::Verified => true.into(),
            _ => Value::Null,
        };
    }
    if asked.statuses {
        let each = |(status, executions): (&i32, &u64)| json!({ "status": status, "executions": executions });
        object["statuses"] = outcome.statuses.iter().map(each).collect();
    }
    if let Some(reason) = reasons(program, outcome).first() {
        object["reason"] = reason.json();
    }
    let faults: Vec<Value> = outcome.found.iter().enumerate().map(|(n, found)| fault_json(program, found, stories.get(n))).collect();
    if let Some(fault) = faults.first() {
        object["fault"] = fault.clone();
    }
    if faults.len() > 1 {
        object["faults"] = faults.into();
    }
    object
}

/// The same where there was nothing to check: the input could not be read, compiled or run at all.
pub fn failure_json(file: &str, model: &str, reason: &Reason, code: u8) -> Value {
    json!({
        "format": FORMAT, "version": VERSION, "raddle": env!("CARGO_PKG_VERSION"),
        "file": file, "model": model, "algorithm": null, "verdict": "unknown", "limits": [reason.message], "exit_code": code,
        "executions": 0, "blocked": 0, "redundant": 0, "events": 0, "seconds": 0.0, "reason": reason.json(),
    })
}

fn fault_json(program: &Program, found: &Found, story: Option<&Story>) -> Value {
    let place = user_place(program, &found.moment);
    let mut object = json!({
        "kind": found.kind.word(), "message": found.message,
        "file": place.map(|p| p.file.as_str()), "line": place.map(|p| p.line), "column": place.map(|p| p.column),
        "function": place.map(|p| p.function.as_str()), "thread": found.thread.to_string(),
    });
    if let Some(story) = story {
        object["stack"] = story.stack.iter().map(place_json).collect();
        object["story"] = story_json(story);
    }
    object
}

/// What is known of a litmus test, for one line of `raddle litmus --format json`.
pub struct LitmusAnswer<'a> {
    /// The name of the test.
    pub test: &'a str,
    /// The model and the algorithm.
    pub plan: Plan,
    /// Whether the condition holds never, sometimes or always.
    pub observation: &'a str,
    /// What makes the test undefined, as herd7 flags it.
    pub flags: Vec<&'a str>,
    /// The final states, as herd7 writes them.
    pub states: Vec<String>,
    /// In how many executions the condition holds.
    pub positive: u64,
    /// In how many it does not.
    pub negative: u64,
    /// How many executions there were.
    pub count: Count,
    /// How long it took.
    pub seconds: f64,
}

/// The same where there is no answer; the test and the model where they are known.
pub fn litmus_failure_json(file: &str, test: Option<&str>, model: Option<String>, reason: &Reason, code: u8) -> Value {
    of_litmus(json!({
        "test": test, "file": file, "model": model, "observation": null, "states": [], "positive": 0, "negative": 0,
        "executions": 0, "blocked": 0, "redundant": 0, "seconds": 0.0, "reason": reason.json(), "exit_code": code,
    }))
}

/// The object that `raddle litmus --format json` prints for a test.
pub fn litmus_json(answer: &LitmusAnswer) -> Value {
    of_litmus(json!({
        "test": answer.test, "model": answer.plan.name.to_string(), "algorithm": answer.plan.algorithm.to_string(),
        "observation": answer.observation, "flags": answer.flags, "states": answer.states, "positive": answer.positive, "negative": answer.negative,
        "executions": answer.count.executions, "blocked": answer.count.blocked, "redundant": answer.count.redundant, "seconds": answer.seconds,
    }))
}
