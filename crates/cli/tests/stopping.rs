//! A check that would take too long ends in time, with what is known so far.

#![cfg(unix)]

use crate::support::Folder;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Has far more executions than anybody waits for.
const LARGE: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int n[4];
void *other(void *p) {
  for (int i = 0; i < 40; i++) n[i & 3] += i;
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, other, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
"#;

#[test]
fn a_timeout_ends_it() {
    let folder = Folder::new("large.c", LARGE);
    let started = Instant::now();
    folder.check("check large.c --timeout 2", 3, &["unknown: the time limit ended the search", "executions, 0 blocked, 0 redundant"]);
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_interrupt_ends_it() {
    let folder = Folder::new("large.c", LARGE);
    let child = Command::new(assert_cmd::cargo::cargo_bin("raddle"))
        .current_dir(folder.path())
        .args(["check", "large.c", "--timeout", "60"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be run");
    std::thread::sleep(Duration::from_millis(1500));
    let sent = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill can be run").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stdout).contains("unknown: the search was interrupted"));
    assert!(sent.elapsed() < Duration::from_secs(5));
}

/// The compiler is ended with the command, and has refused nothing.
#[test]
fn an_interrupt_while_compiling_ends_it() {
    let folder = Folder::new("x.c", "int main(void) { return 0; }\n");
    folder.write("clang", "#!/bin/sh\n: > started\nexec sleep 1234567\n");
    let clang = folder.path().join("clang");
    std::fs::set_permissions(&clang, std::fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    for words in ["check x.c --format json", "check x.c --format sarif", "check x.c", "run x.c", "compare x.c --format json", "compare x.c"]
    {
        let _not_there = std::fs::remove_file(folder.path().join("started"));
        let child = Command::new(assert_cmd::cargo::cargo_bin("raddle"))
            .current_dir(folder.path())
            .args(words.split_whitespace())
            .args(["--clang", "./clang"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be run");
        while !folder.path().join("started").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill can be run").success());
        let output = child.wait_with_output().expect("it ends");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(130), "{words}\n{out}{err}");
        assert!(err.contains("interrupted") && !err.contains("refused"), "{words}\n{err}");
        assert!(!words.contains("--format") || out.contains("\"interrupted\""), "{words}\n{out}");
    }
}

/// A loop of visible actions that does not only wait: its executions have no end, and the check says so soon.
#[test]
fn an_execution_without_end_is_told() {
    let source = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
                  void *count(void *p) { while (1) atomic_fetch_add(&x, 1); return 0; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); pthread_join(t, 0); return 0; }\n";
    let folder = Folder::new("endless.c", source);
    folder.check("check endless.c", 3, &["does not seem to terminate: use --unroll", "endless.c:4"]);
    folder.check("check endless.c --unroll 3", 3, &["unknown"]);
}

/// Depth-first search goes round the loop for ever; what goes wrong after two rounds is found all the same.
#[test]
fn what_is_a_few_rounds_away_is_found() {
    let source = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int lock;\n\
                  void *take(void *p) { int n = 0; while (atomic_exchange(&lock, 1)) n++; assert(n < 2); atomic_store(&lock, 0); return 0; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, take, 0); take(0); pthread_join(t, 0); return 0; }\n";
    let folder = Folder::new("tries.c", source);
    for model in ["sc", "rc11"] {
        folder.check(&format!("check tries.c --model {model} --witness bug.json"), 42, &["assertion `n < 2` fails"]);
        folder.check("replay bug.json", 42, &["assertion `n < 2` fails"]);
    }
}

/// A thread that tries again and again, and counts its tries, in ever more executions: it is named, not the one that
/// came last.
#[test]
fn the_thread_that_does_not_end_is_named() {
    let source = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int lock;\n\
                  void *take(void *p) { int n = 0; while (atomic_exchange(&lock, 1)) n++; atomic_store(&lock, 0); return 0; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, take, 0); take(0); pthread_join(t, 0); return 0; }\n";
    let folder = Folder::new("tries.c", source);
    // Every worker has its patience.
    for (model, jobs) in [("sc", 2), ("ra", 1), ("rc11", 1)] {
        let words = format!("check tries.c --model {model} --jobs {jobs} --patience 1");
        folder.check(&words, 3, &["does not seem to terminate: use --unroll", "tries.c:4"]);
    }
}
