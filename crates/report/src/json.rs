//! Objects for scripts.

use crate::asked::Asked;
use crate::words::limit_words;
use raddle_check::{Count, Found, Outcome, Plan, Stop, Verdict};
use raddle_program::Program;
use serde_json::{Value, json};

/// The object that `raddle check --format json` prints.
pub fn check_json(program: &Program, asked: &Asked, outcome: &Outcome, seconds: f64) -> Value {
    let plan = asked.plan;
    let verdict = match outcome.verdict {
        Verdict::Verified => "verified",
        Verdict::Refuted => "refuted",
        Verdict::Unknown | Verdict::Stopped(_) => "unknown",
    };
    let Count { executions, blocked, redundant, events, .. } = outcome.count;
    let mut limits: Vec<String> = outcome.limits.iter().map(limit_words).collect();
    if let Verdict::Stopped(Stop::Endless { thread, .. }) = &outcome.verdict {
        limits.push(format!("{thread} does not seem to terminate"));
    }
    let mut object = json!({
        "file": asked.file, "model": plan.name.to_string(), "algorithm": plan.algorithm.to_string(), "verdict": verdict, "limits": limits,
        "executions": executions, "blocked": blocked, "redundant": redundant, "events": events, "seconds": seconds,
    });
    let bounds = plan.bounds();
    if let Some(bound) = bounds.buffer {
        object["buffer_bound"] = bound.into();
    }
    if let Some(bound) = bounds.context {
        object["context_bound"] = bound.into();
    }
    if asked.robustness {
        object["robust"] = (outcome.count.not_robust == 0).into();
    }
    if let Some(found) = outcome.found.first() {
        object["fault"] = fault_json(program, found);
    }
    if outcome.found.len() > 1 {
        object["faults"] = outcome.found.iter().map(|found| fault_json(program, found)).collect();
    }
    object
}

fn fault_json(program: &Program, found: &Found) -> Value {
    let place = found.moment.place(program);
    json!({
        "kind": found.kind.word(), "message": found.message,
        "file": place.map(|p| p.file.as_str()), "line": place.map(|p| p.line), "column": place.map(|p| p.column),
        "function": place.map(|p| p.function.as_str()), "thread": found.thread.to_string(),
    })
}

/// What is known of a litmus test, for one line of `raddle litmus --format json`.
pub struct LitmusAnswer<'a> {
    pub test: &'a str,
    pub plan: Plan,
    pub observation: &'a str,
    pub states: Vec<String>,
    pub positive: u64,
    pub negative: u64,
    pub count: Count,
    pub seconds: f64,
}

/// The object that `raddle litmus --format json` prints for a test.
pub fn litmus_json(answer: &LitmusAnswer) -> Value {
    json!({
        "test": answer.test, "model": answer.plan.name.to_string(), "algorithm": answer.plan.algorithm.to_string(),
        "observation": answer.observation, "states": answer.states, "positive": answer.positive, "negative": answer.negative,
        "executions": answer.count.executions, "blocked": answer.count.blocked, "redundant": answer.count.redundant, "seconds": answer.seconds,
    })
}
