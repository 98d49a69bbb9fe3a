//! Faults for tools that read SARIF 2.1.0: each with its place, and its execution as one flow per thread.

use crate::asked::Asked;
use raddle_check::{Found, Outcome, Row, Story};
use raddle_program::Place;
use serde_json::{Value, json};

/// The object that `raddle check --format sarif` prints. There is a story for each fault.
pub fn check_sarif(asked: &Asked, outcome: &Outcome, stories: &[Story]) -> Value {
    let mut kinds: Vec<&str> = outcome.found.iter().map(|found| found.kind.word()).collect();
    kinds.sort();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|kind| json!({ "id": kind })).collect();
    let results: Vec<Value> = outcome.found.iter().zip(stories).map(|(found, story)| result(found, story)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "raddle", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "artifacts": [{ "location": { "uri": asked.file } }],
            "results": results,
        }],
    })
}

fn result(found: &Found, story: &Story) -> Value {
    let flow = |(thread, name): &(raddle_event::ThreadId, String)| {
        let rows = story.rows.iter().enumerate().filter(|(_, row)| row.thread == *thread);
        let steps: Vec<Value> = rows.filter_map(|(n, row)| step(n, row)).collect();
        (!steps.is_empty()).then(|| json!({ "id": format!("{thread} {name}"), "locations": steps }))
    };
    let flows: Vec<Value> = story.threads.iter().filter_map(flow).collect();
    let places: Vec<Value> = story.stack.first().map(location).into_iter().collect();
    let mut result = json!({
        "ruleId": found.kind.word(), "level": "error",
        "message": { "text": format!("{} ({})", found.message, found.thread) }, "locations": places,
    });
    if !flows.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    result
}

fn step(n: usize, row: &Row) -> Option<Value> {
    let mut location = location(row.place.as_ref()?);
    location["message"] = json!({ "text": row.text });
    Some(json!({ "executionOrder": n + 1, "location": location }))
}

fn location(place: &Place) -> Value {
    let mut region = json!({ "startLine": place.line });
    if place.column > 0 {
        region["startColumn"] = place.column.into();
    }
    json!({ "physicalLocation": { "artifactLocation": { "uri": place.file }, "region": region } })
}
