//! `raddle check --fix`: programs that lack an order or a fence (corpus/fixes). The patch applies, what it makes of the
//! program verifies, it is the one that is expected, and every line of it is needed.

use crate::support::{check_all, raddle, root};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The programs, each under a model, with the changes that are to be proposed.
fn expected() -> Vec<Value> {
    let text = std::fs::read_to_string(root().join("corpus/fixes/expected.jsonl")).expect("the expectations are there");
    text.lines().map(|line| serde_json::from_str(line).expect("an expectation is JSON")).collect()
}

fn text_of<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().expect("it is text")
}

/// The exit code of a check of a file.
fn code(file: &Path, expected: &Value) -> Option<i32> {
    let mut arguments = vec!["check", file.to_str().expect("the path is text"), "--quiet", "--model", text_of(expected, "model"), "--"];
    arguments.extend(expected["cflags"].as_array().expect("it is a list").iter().filter_map(Value::as_str));
    raddle(&arguments).status.code()
}

/// Looks for a fix; gives what is said of it. The patch is in the folder then.
fn fix(folder: &TempDir, expected: &Value) -> Value {
    let patch = folder.path().join("fix.patch");
    let file = format!("corpus/fixes/{}", text_of(expected, "file"));
    let (patch, model) = (patch.to_str().expect("the path is text"), text_of(expected, "model"));
    let mut arguments = vec!["check", &file, "--format", "json", "--model", model, "--patch", patch, "--"];
    arguments.extend(expected["cflags"].as_array().expect("it is a list").iter().filter_map(Value::as_str));
    let output = raddle(&arguments);
    assert_eq!(output.status.code(), Some(42), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("the answer is JSON");
    answer["fix"].clone()
}

/// Applies the patch to a copy of the file, as a user would; gives the copy.
fn patched(folder: &TempDir, file: &str) -> std::path::PathBuf {
    let copy = folder.path().join("corpus/fixes").join(file);
    std::fs::create_dir_all(copy.parent().expect("it has a folder")).expect("there is room");
    std::fs::copy(root().join("corpus/fixes").join(file), &copy).expect("there is room");
    let applied = Command::new("patch").args(["-p1", "-i", "fix.patch"]).current_dir(folder.path()).output().expect("patch is installed");
    assert!(applied.status.success(), "{file}: {}", String::from_utf8_lossy(&applied.stdout));
    copy
}

/// The patched text with one changed line as it was: for each changed line.
fn each_line_back(original: &str, patched: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (original.lines().collect(), patched.lines().collect());
    let (mut at, mut all) = (0, Vec::new());
    for n in 0..new.len() {
        let is_inserted = new[n].contains("thread_fence") && old.get(at) != Some(&new[n]) && new.get(n + 1) == old.get(at);
        let mut back: Vec<&str> = new.clone();
        match is_inserted {
            true => drop(back.remove(n)),
            false if old[at] != new[n] => back[n] = old[at],
            false => {}
        }
        if back != new {
            all.push(back.join("\n"));
        }
        at += !is_inserted as usize;
    }
    all
}

#[test]
fn a_fix_applies_and_verifies_and_is_needed() {
    let all = expected();
    assert!(all.len() >= 20);
    check_all(&all, |expected| {
        let (folder, file) = (TempDir::new().expect("there is room"), text_of(expected, "file"));
        let said = fix(&folder, expected);
        if said["changes"] != expected["changes"] {
            return Err(format!("{file}: {said}, expected {expected}"));
        }
        let copy = patched(&folder, file);
        if code(&copy, expected) != Some(0) {
            return Err(format!("{file}: the patched program does not verify"));
        }
        let original = std::fs::read_to_string(root().join("corpus/fixes").join(file)).expect("it is text");
        let lines = each_line_back(&original, &std::fs::read_to_string(&copy).expect("it is text"));
        if lines.len() != expected["changes"].as_array().map_or(0, Vec::len) {
            return Err(format!("{file}: {} lines are changed, expected {expected}", lines.len()));
        }
        for text in lines {
            std::fs::write(&copy, &text).expect("there is room");
            if code(&copy, expected) != Some(42) {
                return Err(format!("{file}: a change is not needed; without it:\n{text}"));
            }
        }
        Ok(())
    });
}

#[track_caller]
fn check_refused(program: &str, model: &str, why: &str) {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("there is room");
    let output = raddle(&["check", file.to_str().expect("the path is text"), "--model", model, "--fix", "--quiet"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(why), "{said}");
    assert_eq!(output.status.code(), Some(42));
}

#[test]
fn no_order_mends_what_goes_wrong_under_sc() {
    let program = "#include <assert.h>\nint main(void) { assert(0); }\n";
    check_refused(program, "rc11", "no fix: it goes wrong under SC too");
    check_refused(program, "sc", "no fix: under SC all orders are as strong as they can be");
}

/// The order stands in the macro, where one change would be several.
#[test]
fn what_is_spelled_in_a_macro_is_named() {
    let program = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GET(x) atomic_load_explicit(&x, memory_order_relaxed)
static atomic_int data, flag;
static void *reader(void *p) {
    return GET(flag) ? (assert(GET(data) == 1), p) : p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(t, 0);
}
"#;
    check_refused(program, "rc11", "how these spell their order was not understood: load of `data` at");
}
