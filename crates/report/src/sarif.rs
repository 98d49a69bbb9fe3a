//! Faults for tools that read SARIF 2.1.0: each with its place, and its execution as one flow per thread.

use crate::asked::Asked;
use crate::fault::primary_place;
use crate::reason::Reason;
use raddle_check::{Outcome, Verdict};
use raddle_machine::Found;
use raddle_program::Place;
use raddle_story::{MarkedPlace, Row, Story};
use serde_json::{Value, json};

/// The object that `raddle check --format sarif` prints. There is a story for each fault; `reasons` say why it is not
/// the whole answer, `code` is the exit code.
pub fn check_sarif(asked: &Asked, outcome: &Outcome, stories: &[Story], reasons: &[Reason], code: u8) -> Value {
    let mut kinds: Vec<&str> = outcome.found.iter().map(|found| found.kind.word()).collect();
    kinds.sort();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|kind| json!({ "id": kind })).collect();
    let results: Vec<Value> = outcome.found.iter().zip(stories).map(|(found, story)| result(found, story)).collect();
    let has_answer = outcome.verdict != Verdict::Unknown;
    log(&asked.file, rules, results, invocation(has_answer, reasons, code))
}

/// The same where there was nothing to check: the input could not be read, compiled or run at all.
pub fn failure_sarif(file: &str, reason: &Reason, code: u8) -> Value {
    log(file, Vec::new(), Vec::new(), invocation(false, std::slice::from_ref(reason), code))
}

fn log(file: &str, rules: Vec<Value>, results: Vec<Value>, invocation: Value) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "raddle", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "invocations": [invocation],
            "artifacts": [{ "location": { "uri": uri(file) } }],
            "results": results,
        }],
    })
}

/// How the check went. Without an answer it has not succeeded, so that nobody takes an empty list of results for a good
/// sign.
fn invocation(has_answer: bool, reasons: &[Reason], code: u8) -> Value {
    let notification = |reason: &Reason| {
        let mut notification = json!({
            "level": if has_answer { "warning" } else { "error" },
            "message": { "text": reason.message }, "descriptor": { "id": reason.kind },
        });
        if let Some(place) = &reason.place {
            notification["locations"] = json!([location(place)]);
        }
        notification
    };
    let notifications: Vec<Value> = reasons.iter().map(notification).collect();
    json!({ "executionSuccessful": has_answer, "exitCode": code, "toolExecutionNotifications": notifications })
}

fn result(found: &Found, story: &Story) -> Value {
    let flow = |(thread, name): &(raddle_event::ThreadId, String)| {
        let rows = story.rows.iter().enumerate().filter(|(_, row)| row.thread == *thread);
        let steps: Vec<Value> = rows.filter_map(|(n, row)| step(n, row)).collect();
        (!steps.is_empty()).then(|| json!({ "id": format!("{thread} {name}"), "locations": steps }))
    };
    let flows: Vec<Value> = story.threads.iter().filter_map(flow).collect();
    let places: Vec<Value> = primary_place(story).map(location).into_iter().collect();
    let sentences = story.why.notes.iter().chain(&story.why.help);
    let text = sentences.fold(format!("{} ({})", found.message, found.thread), |text, sentence| format!("{text}\n{sentence}"));
    let mut result = json!({
        "ruleId": found.kind.word(), "level": "error", "message": { "text": text }, "locations": places,
    });
    if !story.why.marks.is_empty() {
        result["relatedLocations"] = story.why.marks.iter().map(related).collect();
    }
    if !story.stack.is_empty() {
        result["stacks"] = json!([stack(&story.stack)]);
    }
    if !flows.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    result
}

/// A place that takes part in a fault.
fn related(mark: &MarkedPlace) -> Value {
    let mut location = location(&mark.place);
    location["message"] = json!({ "text": format!("{}: {}", mark.thread, mark.text) });
    location
}

/// The calls that lead to a fault, innermost first.
fn stack(places: &[Place]) -> Value {
    let frame = |place: &Place| {
        let mut location = location(place);
        location["message"] = json!({ "text": place.function });
        json!({ "location": location })
    };
    json!({ "frames": places.iter().map(frame).collect::<Vec<Value>>() })
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
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": region } })
}

/// A path as a reference of a URI: what has no place there is written as `%20`.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    let shown = |byte: u8| if is_plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("/a b/c:d%\u{e9}.c"), "/a%20b/c%3Ad%25%C3%A9.c");
    }
}
