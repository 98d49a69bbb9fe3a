//! The litmus tests in `corpus/litmus`, against herd7's answers.
//!
//! `RADDLE_LITMUS_CORPUS` names another directory of the same layout.

mod sc;

use raddle_litmus::{Tally, Test, read};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One line of `expected.jsonl`.
struct Expected {
    model: String,
    observation: String,
    condition: String,
    states: BTreeSet<String>,
}

fn corpus() -> Vec<PathBuf> {
    let root = match std::env::var_os("RADDLE_LITMUS_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus"),
    };
    ["X86", "PPC", "AArch64", "C", "C-RA"].map(|arch| root.join(arch)).to_vec()
}

/// The answers by file and the name of the test that they are about.
fn expected(directory: &Path) -> BTreeMap<String, (String, Vec<Expected>)> {
    let text = std::fs::read_to_string(directory.join("expected.jsonl")).unwrap();
    let mut answers: BTreeMap<String, (String, Vec<Expected>)> = BTreeMap::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| line[key].as_str().unwrap().to_string();
        let states = line["states"].as_array().unwrap().iter().map(|state| state.as_str().unwrap().to_string()).collect();
        let answer = Expected { model: word("model"), observation: word("observation"), condition: word("condition"), states };
        answers.entry(word("file")).or_insert_with(|| (word("test"), Vec::new())).1.push(answer);
    }
    answers
}

fn for_each_test(mut check: impl FnMut(&str, &Test, &[Expected])) {
    let mut n_tests = 0;
    for directory in corpus() {
        for (file, (name, answers)) in expected(&directory) {
            let text = std::fs::read_to_string(directory.join(&file)).unwrap();
            let test = read(&file, &text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(test.name, name);
            check(&file, &test, &answers);
            n_tests += 1;
        }
    }
    assert!(n_tests >= 90, "only {n_tests} tests were found");
}

#[test]
fn programs_keep_the_invariants() {
    for_each_test(|file, test, _| assert_eq!(raddle_program::verify(&test.program), Ok(()), "{file}"));
}

#[test]
fn conditions_print_as_in_herd() {
    for_each_test(|file, test, answers| answers.iter().for_each(|a| assert_eq!(test.condition_text, a.condition, "{file}")));
}

#[test]
fn states_have_the_shape_of_herds() {
    for_each_test(|file, test, answers| {
        let zeros = test.state(&vec![0; test.observed.len()]);
        let names = |state: &str| state.split("; ").map(|entry| entry.split('=').next().unwrap().to_string()).collect::<Vec<_>>();
        for state in answers.iter().flat_map(|a| &a.states) {
            assert_eq!(names(&zeros), names(state), "{file}");
        }
    });
}

#[test]
fn sequentially_consistent_states_are_herds() {
    for_each_test(|file, test, answers| {
        let Some(answer) = answers.iter().find(|a| a.model == "sc") else { return };
        let mut tally = Tally::new(test);
        for values in sc::final_values(test) {
            tally.add(&values, 1);
        }
        let states: BTreeSet<String> = tally.states().into_iter().collect();
        assert_eq!(states, answer.states, "{file}");
        assert_eq!(tally.observation().word(), answer.observation, "{file}");
    });
}
