//! `raddle estimate`: ranges hold the truth in nine cases of ten (corpus/estimates.jsonl has programs of
//! corpus/programs with the number of executions that `raddle check` explores), and what is small is counted.

use crate::support::{Compiled, CorpusFile, check_all, raddle, root, words};
use serde_json::Value;
use std::sync::Mutex;

fn estimate(arguments: &[&str]) -> Value {
    let output = raddle(&[&["estimate", "--format", "json"], arguments].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{why}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn ranges_hold_the_truth_in_nine_cases_of_ten() {
    let text = std::fs::read_to_string(root().join("corpus/estimates.jsonl")).expect("the programs are there");
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let (missed, said) = (Mutex::new(Vec::new()), Mutex::new(0));
    check_all(&all, |expected| {
        let file = format!("corpus/programs/{}", expected["file"].as_str().expect("a file has a name"));
        let program = Compiled::new(&CorpusFile { file, flags: words(&expected["cflags"]), options: Vec::new() })?;
        let model = expected["model"].as_str().expect("it is text");
        let answer = estimate(&[program.path(), "--clang", "none", "--no-races", "--model", model, "--seed", "7"]);
        let range = &answer["executions"];
        if let (Some(low), Some(high), Some(truth)) = (range["low"].as_f64(), range["high"].as_f64(), expected["executions"].as_f64()) {
            *said.lock().expect("nobody panics with it") += 1;
            if !(low..=high).contains(&truth) {
                missed.lock().expect("nobody panics with it").push(format!("{expected}: {range}"));
            }
        }
        Ok(())
    });
    let (missed, said) = (missed.into_inner().expect("nobody panics with it"), said.into_inner().expect("nobody panics with it"));
    assert!(said >= 50, "only of {said} something is said");
    assert!(missed.len() * 10 <= said, "{} of {said} ranges do not hold the truth:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_is_small_is_counted() {
    let answer = estimate(&["corpus/reports/peterson.c", "--model", "sc"]);
    let checked = raddle(&["check", "corpus/reports/peterson.c", "--model", "sc", "--format", "json"]);
    let checked: Value = serde_json::from_slice(&checked.stdout).expect("the answer is JSON");
    let all = checked["executions"].as_u64().zip(checked["blocked"].as_u64()).map(|(executions, blocked)| executions + blocked);
    assert_eq!(answer["executions"]["exact"], true);
    assert_eq!(answer["executions"]["likely"].as_f64(), all.map(|all| all as f64));
}

#[test]
fn the_same_seed_gives_the_same_range() {
    let arguments = ["corpus/programs/structures/sigma.c", "--model", "sc", "--seed", "3", "--", "-DN=6", "-DNOCHECK"];
    assert_eq!(estimate(&arguments)["executions"], estimate(&arguments)["executions"]);
}

#[test]
fn what_has_no_estimate_says_so() {
    let output = raddle(&["estimate", "corpus/reports/peterson.c", "--model", "sc", "--algorithm", "naive"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing can be estimated with --algorithm naive"));
}
