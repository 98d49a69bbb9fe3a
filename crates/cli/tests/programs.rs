//! The C programs of corpus/programs: verdict, kind of fault and exact count under every model that they have an
//! expectation for.

mod support;

use serde_json::Value;
use support::{check_all, raddle, root};

#[test]
fn programs_have_their_verdicts_and_counts() {
    let text = std::fs::read_to_string(root().join("corpus/programs/expected.jsonl")).expect("the expectations are there");
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an expectation is JSON")).collect();
    check_all(&all, check);
}

/// Whatever explores schedules finds as many executions, also where objects come to their ends, which random programs
/// have none of.
#[test]
fn algorithms_agree_on_counts() {
    let text = std::fs::read_to_string(root().join("corpus/programs/expected.jsonl")).expect("the expectations are there");
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an expectation is JSON"));
    let is_small = |it: &Value| it["executions"].as_u64().is_none_or(|n| n > 1 && n <= 200);
    let some: Vec<Value> = all.filter(|it| it["model"] == "tso" && it["verdict"] == "verified" && is_small(it)).collect();
    check_all(&some, |it| {
        let counts = |algorithm: &str| {
            let file = format!("corpus/programs/{}", word(&it["file"]));
            let mut arguments = vec!["check", &file, "--model", "tso", "--algorithm", algorithm, "--format", "json", "--"];
            arguments.extend(it["cflags"].as_array().expect("flags are a list").iter().map(word));
            let found: Value = serde_json::from_slice(&raddle(&arguments).stdout).expect("the report is JSON");
            (found["executions"].as_u64(), found["blocked"].as_u64())
        };
        let optimal = counts("optimal");
        for (name, found) in ["source", "classic"].map(|name| (name, counts(name))) {
            if found != optimal {
                return Err(format!("{it}: {name} {found:?}, optimal {optimal:?}"));
            }
        }
        Ok(())
    });
}

fn check(expected: &Value) -> Result<(), String> {
    let (model, file) = (word(&expected["model"]), format!("corpus/programs/{}", word(&expected["file"])));
    let mut arguments = vec!["check", &file, "--model", model, "--format", "json", "--"];
    arguments.extend(expected["cflags"].as_array().expect("flags are a list").iter().map(word));
    let output = raddle(&arguments);
    let wrong = |what: String| Err(format!("{}: {what}", arguments.join(" ")));
    let Ok(found) = serde_json::from_slice::<Value>(&output.stdout) else {
        return wrong(format!("no JSON: {}", String::from_utf8_lossy(&output.stderr)));
    };
    let mut fields = vec![("verdict", &expected["verdict"], &found["verdict"]), ("fault", &expected["fault"], &found["fault"]["kind"])];
    let none = Value::from(0);
    if !expected["executions"].is_null() {
        fields.push(("executions", &expected["executions"], &found["executions"]));
        fields.push(("redundant", &none, &found["redundant"]));
    }
    for (name, expected, found) in fields {
        if expected != found {
            return wrong(format!("{name} is {found}, expected {expected}"));
        }
    }
    let code = if found["verdict"] == "verified" { 0 } else { 42 };
    if output.status.code() == Some(code) { Ok(()) } else { wrong(format!("{}, expected {code}", output.status)) }
}

fn word(value: &Value) -> &str {
    value.as_str().expect("it is a string")
}
