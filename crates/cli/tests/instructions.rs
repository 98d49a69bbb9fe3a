//! Speed as a habit: host instructions per execution, counted by callgrind, stay under limits that are kept in
//! `bench/limits.jsonl`. They do not depend on how busy the machine is. A limit with options says how many times as
//! many they may be as without the options.
//!
//! The limits here are those of the build that tests use, with its debug assertions; `bench/instructions` looks at the
//! release build.

use crate::support::{check_all, root};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The most host instructions of the check of a small program, clang not counted: nearly all of them are the dynamic
/// linker's, for LLVM's library.
const START_UP: u64 = 32_000_000;

/// The words in a list of a limit.
fn words<'r>(row: &'r Value, key: &str) -> Vec<&'r str> {
    row[key].as_array().into_iter().flatten().filter_map(|word| word.as_str()).collect()
}

/// Host instructions per execution: the slope between two sizes of a program.
fn slope(row: &Value, options: &[&str]) -> Result<f64, String> {
    let count = |size: &str| {
        let text = |key: &str| row[key].as_str().expect("a limit names it");
        let program = root().join("corpus/programs").join(text("program"));
        let options = [&["--model", text("model")], options].concat();
        count_check(&program, &options, &words(row, size)).map_err(|why| format!("{row}: {why}"))
    };
    let ((few, small), (many, large)) = (count("small")?, count("large")?);
    Ok((large - small) as f64 / (many - few) as f64)
}

/// Executions and host instructions of one check.
fn count_check(program: &Path, options: &[&str], flags: &[&str]) -> Result<(u64, u64), String> {
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", env!("CARGO_BIN_EXE_raddle"), "check"])
        .arg(program)
        .args(options)
        .args(["--format", "json", "-j", "1", "--"])
        .args(flags)
        .output()
        .map_err(|e| format!("valgrind, which ./test installs, does not start: {e}"))?;
    let report: Value = serde_json::from_slice(&done.stdout).map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&done.stderr);
    let refs = said.lines().find_map(|line| line.split_once("refs:")).ok_or(said.to_string())?.1;
    let instructions: String = refs.chars().filter(char::is_ascii_digit).collect();
    Ok((report["executions"].as_u64().expect("executions are counted"), instructions.parse().expect("digits")))
}

/// What a program does not use of the run-time library is not read.
#[test]
fn a_small_check_starts_quickly() {
    let (_, instructions) = count_check(&root().join("docs/tour/flags.c"), &[], &["-DFENCE"]).expect("it is counted");
    assert!(instructions <= START_UP, "{instructions} instructions");
}

#[test]
fn an_execution_takes_no_more_instructions_than_it_did() {
    let limits = std::fs::read_to_string(root().join("bench/limits.jsonl")).expect("the limits are kept");
    let rows: Vec<Value> = limits.lines().map(|line| serde_json::from_str(line).expect("a limit is JSON")).collect();
    let rows: Vec<Value> = rows.into_iter().filter(|row| row["tests"].is_number()).collect();
    check_all(&rows, |row| {
        let (options, most) = (words(row, "options"), row["tests"].as_f64().expect("a limit is a number"));
        let times = if options.is_empty() { 1.0 } else { slope(row, &[])? };
        let found = slope(row, &options)? / times;
        if found > most { Err(format!("{row}: {found:.2} instructions per execution, or times as many")) } else { Ok(()) }
    });
}
