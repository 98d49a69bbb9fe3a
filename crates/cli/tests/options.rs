//! Options of `raddle check` that ask for more, or for less: what each makes of a small program.

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::raddle;
use tempfile::TempDir;

/// The first thread keeps or frees what the second one allocates.
const LEAK: &str = "#include <pthread.h>\n#include <stdlib.h>\nint *p;\nstatic void *make(void *a) {\n  p = malloc(4);\n  return a;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, make, 0);\n  pthread_join(t, 0);\n  if (FREE) free(p);\n  return 0;\n}\n";
const PRIVATE_LEAK: &str = "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(10);\n  p[0] = 0;\n  return p[0];\n}\n";
const UNINITIALISED: &str = "#include <stdlib.h>\nint main(void) {\n  int *a = malloc(8);\n  return a[1] == 77;\n}\n";
/// A thread writes eight bytes of which only four had been written, and another one reads these four before or after.
const HALF_WRITTEN: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nvoid *p;\n\
    static void *write(void *a) {\n  *(volatile long *)p = 7;\n  return a;\n}\n\
    static void *read(void *a) {\n  assert(*(volatile int *)p != WRONG);\n  return a;\n}\n\
    int main(void) {\n  pthread_t t, u;\n  p = malloc(8);\n  *(volatile int *)p = 1;\n  pthread_create(&t, 0, write, 0);\n  pthread_create(&u, 0, read, 0);\n\
    pthread_join(t, 0);\n  pthread_join(u, 0);\n  return 0;\n}\n";
/// Nobody ever raises the flag.
const SPIN: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int flag;\nstatic void *wait(void *a) {\n  while (!flag)\n    ;\n  return a;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, wait, 0);\n  pthread_join(t, 0);\n  return 0;\n}\n";
/// Somebody raises the flag, sooner or later.
const SPIN_ENDS: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int flag;\nstatic void *wait(void *a) {\n  while (!flag)\n    ;\n  return a;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, wait, 0);\n  flag = 1;\n  pthread_join(t, 0);\n  return 0;\n}\n";
/// A compare-exchange that fails has the order FAILURE.
const FAILS: &str = "#include <pthread.h>\n#include <stdatomic.h>\nint data;\natomic_int flag;\nstatic void *wait(void *a) {\n  int no = 0;\n\
    if (!atomic_compare_exchange_strong_explicit(&flag, &no, 2, memory_order_acquire, FAILURE))\n    data = 2;\n  return a;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, wait, 0);\n  data = 1;\n  atomic_store_explicit(&flag, 1, memory_order_release);\n  pthread_join(t, 0);\n  return 0;\n}\n";
/// What SV-COMP says of a function by its name.
const ATOMIC: &str =
    "int x;\nvoid __VERIFIER_atomic_count(void) { x++; }\nint main(void) {\n  __VERIFIER_atomic_count();\n  return 0;\n}\n";
/// Two threads count; how often depends on N.
const COUNT: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int n;\nstatic void *count(void *a) {\n  for (int i = 0; i < N; i++)\n    n++;\n  return a;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, count, 0);\n  count(0);\n  pthread_join(t, 0);\n  return 0;\n}\n";
/// Store buffering: what was read is the exit status; an assumption leaves out where both read one.
const BUFFERING: &str = "#include <pthread.h>\nvolatile int x, y, r, s;\nvoid __VERIFIER_assume(int);\nstatic void *other(void *a) {\n  y = 1;\n  s = x;\n  return a;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, other, 0);\n  x = 1;\n  r = y;\n  pthread_join(t, 0);\n\
    __VERIFIER_assume(r + s < 2);\n  return r * 1000 - s;\n}\n";
const ENDLESS: &str = "int main(void) {\n  volatile int x = 0;\n  for (;;)\n    x++;\n}\n";

#[test]
fn options_ask_for_more_or_less() {
    check(LEAK, &["--leaks", "--", "-DFREE=0"], 42, &["leak", "program.c:5"]);
    check(LEAK, &["--leaks", "--", "-DFREE=1"], 0, &["verified"]);
    check(LEAK, &["--", "-DFREE=0"], 0, &["verified"]);
    check(PRIVATE_LEAK, &["--leaks"], 42, &["leak", "10 bytes", "program.c:3"]);
    check(UNINITIALISED, &["--uninit"], 42, &["uninitialised-read", "program.c:4"]);
    check(UNINITIALISED, &[], 0, &["verified"]);
    for model in ["sc", "tso", "pso"] {
        check(HALF_WRITTEN, &["--uninit", "--model", model, "--", "-DWRONG=1"], 42, &["assertion"]);
        check(HALF_WRITTEN, &["--uninit", "--model", model, "--", "-DWRONG=7"], 42, &["assertion"]);
    }
    check(SPIN, &["--liveness"], 42, &["livelock", "program.c:5"]);
    check(SPIN, &[], 3, &["no execution is complete", "1 blocked"]);
    for (model, blocked) in [("sc", 0), ("tso", 0), ("pso", 0), ("ra", 1), ("power", 1)] {
        check(SPIN, &["--liveness", "--model", model], 42, &["livelock", "program.c:5"]);
        check(SPIN_ENDS, &["--liveness", "--model", model], 0, &[&format!("1 execution, {blocked} blocked")]);
    }
    for model in ["sc", "tso", "pso", "ra"] {
        check(FAILS, &["--races", "--model", model, "--", "-DFAILURE=memory_order_relaxed"], 42, &["data-race", "`data`"]);
        check(FAILS, &["--races", "--model", model, "--", "-DFAILURE=memory_order_acquire"], 0, &["verified"]);
    }
    check(ATOMIC, &[], 5, &["`__VERIFIER_atomic_count`: a function that is atomic for all other threads", "program.c:4"]);
    check(COUNT, &["--unroll", "2", "--", "-DN=3"], 3, &["unknown"]);
    check(COUNT, &["--max-executions", "5", "--", "-DN=3"], 3, &["unknown", "5 executions"]);
    check(COUNT, &["--max-events", "100", "--", "-DN=9"], 3, &["unknown"]);
    check(COUNT, &["--model", "tso", "--buffer-bound", "1", "--", "-DN=2"], 0, &["verified: "]);
}

#[test]
fn exit_statuses_are_listed() {
    let both = ["exit status -1 in 1 execution\n", "exit status 1000 in 1 execution\n"];
    check(BUFFERING, &["--statuses"], 0, &[&["2 executions, 1 blocked"], &both[..]].concat());
    for model in ["tso", "pso", "ra", "power"] {
        check(BUFFERING, &["--statuses", "--model", model], 0, &[&["3 executions, 1 blocked", "exit status 0 in 1 "], &both[..]].concat());
    }
    check(
        BUFFERING,
        &["--statuses", "--format", "json"],
        0,
        &[r#""statuses":[{"executions":1,"status":-1},{"executions":1,"status":1000}]"#],
    );
}

#[test]
fn a_check_ends_in_time() {
    let started = Instant::now();
    check(COUNT, &["--timeout", "0.5", "--", "-DN=30"], 3, &["unknown"]);
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Also when a thread runs on without a visible action.
#[test]
fn a_run_can_be_interrupted() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("endless.c");
    std::fs::write(&file, ENDLESS).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let mut run = command.args(["run", "--max-turns", "1000000"]).arg(&file).stderr(Stdio::null()).spawn().expect("raddle starts");
    std::thread::sleep(Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("`kill` is there");
    assert!(killed.success());
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
}

#[track_caller]
fn check(source: &str, options: &[&str], code: i32, says: &[&str]) {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("program.c").display().to_string();
    std::fs::write(&file, source).expect("there is room");
    let arguments = [&["check", &file], options].concat();
    let output = raddle(&arguments);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let what = format!("raddle {} ends with {} and says:\n{text}", arguments.join(" "), output.status);
    assert_eq!(output.status.code(), Some(code), "{what}");
    for part in says {
        assert!(text.contains(part), "`{part}` is missing: {what}");
    }
}
