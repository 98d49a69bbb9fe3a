//! `raddle test`: the functions of a program that are tests, each checked as a program of its own that begins there.

use crate::arguments::{CheckOptions, workers};
use crate::each::{Task, conclude, shared_words};
use crate::exit;
use crate::failure::Failure;
use crate::front_ends::tests;
use crate::internal::Internal;
use raddle_llvm::Test;
use std::ffi::OsString;

/// Checks each test of a program; gives the exit code of all.
pub fn test(options: &CheckOptions, internal: &Internal) -> u8 {
    let refused = |why: &str| Failure::new("usage", why, exit::USAGE).say();
    if options.witness.is_some() || options.pictures.is_any() {
        return refused("--witness, --html, --svg and --dot are for one test: check it with --entry");
    }
    if options.each || options.input.files.iter().any(|file| file.is_dir()) {
        return refused("the files of `raddle test` make one program: no folders, and no --each");
    }
    if options.input.entry != "main" {
        return refused("`raddle test` begins with each of the tests: leave out --entry");
    }
    let found = match tests(&options.input, internal) {
        Ok(found) => found,
        Err(failure) => return failure.say(),
    };
    if found.is_empty() {
        return refused("there are no tests: a test is a function whose name begins with raddle_test_, without parameters");
    }
    let Some((before, after)) = shared_words(options, workers(options.wanted.jobs).min(found.len())) else {
        return refused("name the command first: raddle test FILE...");
    };
    let words = |test: &Test| {
        let begins = [OsString::from("check")].into_iter().chain(before.iter().skip(1).cloned());
        let entry = [OsString::from("--entry"), OsString::from(&test.symbol)];
        let files = options.input.files.iter().map(OsString::from);
        begins.chain(entry).chain(files).chain(after.iter().cloned()).collect()
    };
    let file = options.input.files.first().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    let task = |test: Test| Task { file: file.clone(), words: words(&test), test: Some(test.name) };
    conclude(options, found.into_iter().map(task).collect(), "test")
}
