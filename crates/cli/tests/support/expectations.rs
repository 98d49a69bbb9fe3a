//! Programs of the corpus with what is to be concluded of them.

use super::corpus::{check_all, raddle, root};
use serde_json::Value;

/// Checks the programs of a folder of the corpus under each of their models: the exit code and the kind of fault of
/// each line of its `expected.jsonl`.
#[track_caller]
pub fn check_folder(folder: &str) {
    let text = std::fs::read_to_string(root().join(folder).join("expected.jsonl")).expect("the expectations are there");
    let expectations = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an expectation is JSON"));
    let each = |it: Value| words(&it["models"]).into_iter().map(|model| (model, it.clone())).collect::<Vec<_>>();
    let all: Vec<(String, Value)> = expectations.flat_map(each).collect();
    check_all(&all, |(model, expected)| check(folder, model, expected));
}

fn check(folder: &str, model: &str, expected: &Value) -> Result<(), String> {
    let file = format!("{folder}/{}", expected["file"].as_str().expect("a file has a name"));
    let (options, cflags) = (words(&expected["options"]), words(&expected["cflags"]));
    let mut arguments = vec!["check", &file, "--model", model, "--format", "json"];
    arguments.extend(options.iter().map(String::as_str).chain(["--"]).chain(cflags.iter().map(String::as_str)));
    let output = raddle(&arguments);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let got = (output.status.code().map(i64::from), found["fault"]["kind"].as_str());
    match (expected["exit"].as_i64(), expected["fault"].as_str()) == got {
        true => Ok(()),
        false => Err(format!("{}: {got:?}, expected {expected}", arguments.join(" "))),
    }
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().expect("it is a list").iter().map(|word| word.as_str().expect("it is a word").to_string()).collect()
}
