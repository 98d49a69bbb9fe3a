//! Programs of the corpus with what is to be concluded of them.

use super::corpus::{Compiled, CorpusFile, check_all, root};
use serde_json::Value;
use std::collections::BTreeMap;

/// The options of Raddle that are for the compiler.
const COMPILING: [&str; 2] = ["--ub", "--lenient"];

/// The expectations of a folder of the corpus, by what is compiled for them.
pub fn expectations(folder: &str) -> Vec<(CorpusFile, Vec<Value>)> {
    let text = std::fs::read_to_string(root().join(folder).join("expected.jsonl")).expect("the expectations are there");
    let mut all: BTreeMap<CorpusFile, Vec<Value>> = BTreeMap::new();
    for line in text.lines() {
        let expected: Value = serde_json::from_str(line).expect("an expectation is JSON");
        let file = format!("{folder}/{}", expected["file"].as_str().expect("a file has a name"));
        let mut options = expected.get("options").map(words).unwrap_or_default();
        options.retain(|option| COMPILING.contains(&option.as_str()));
        all.entry(CorpusFile { file, flags: words(&expected["cflags"]), options }).or_default().push(expected);
    }
    all.into_iter().collect()
}

/// Checks the programs of a folder of the corpus under each of their models: the exit code and the kind of fault of
/// each line of its `expected.jsonl`.
#[track_caller]
pub fn check_folder(folder: &str) {
    check_all(&expectations(folder), |(file, all)| {
        let program = Compiled::new(file)?;
        let mut each = all.iter().flat_map(|expected| words(&expected["models"]).into_iter().map(move |model| (model, expected)));
        each.try_for_each(|(model, expected)| check(&program, &model, expected))
    });
}

fn check(program: &Compiled, model: &str, expected: &Value) -> Result<(), String> {
    let options = words(&expected["options"]);
    let mut arguments = vec!["--model", model, "--format", "json"];
    arguments.extend(options.iter().map(String::as_str));
    let output = program.check(&arguments);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let got = (output.status.code().map(i64::from), found["fault"]["kind"].as_str());
    match (expected["exit"].as_i64(), expected["fault"].as_str()) == got {
        true => Ok(()),
        false => Err(format!("{}: {got:?}, expected {expected}", arguments.join(" "))),
    }
}

/// A list of words.
pub fn words(list: &Value) -> Vec<String> {
    list.as_array().expect("it is a list").iter().map(|word| word.as_str().expect("it is a word").to_string()).collect()
}
