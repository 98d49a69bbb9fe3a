//! Options of `raddle check` that ask for more, or for less: what each makes of a small program.

use crate::support::Folder;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The first thread keeps or frees what the second one allocates.
const LEAK: &str = r#"
#include <pthread.h>
#include <stdlib.h>
int *p;
static void *make(void *a) {
  p = malloc(4);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, make, 0);
  pthread_join(t, 0);
  if (FREE) free(p);
  return 0;
}
"#;
const PRIVATE_LEAK: &str = r#"
#include <stdlib.h>
int main(void) {
  char *p = malloc(10);
  p[0] = 0;
  return p[0];
}
"#;
const UNINITIALISED: &str = r#"
#include <stdlib.h>
int main(void) {
  int *a = malloc(8);
  return a[1] == 77;
}
"#;
/// A thread writes eight bytes of which only four had been written, and another one reads these four before or after.
const HALF_WRITTEN: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *p;
static void *write(void *a) {
  *(volatile long *)p = 7;
  return a;
}
static void *read(void *a) {
  assert(*(volatile int *)p != WRONG);
  return a;
}
int main(void) {
  pthread_t t, u;
  p = malloc(8);
  *(volatile int *)p = 1;
  pthread_create(&t, 0, write, 0);
  pthread_create(&u, 0, read, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"#;
/// With `RAISED` somebody raises the flag, sooner or later; otherwise nobody ever does.
const SPIN: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
static void *wait(void *a) {
  while (!flag)
    ;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
#ifdef RAISED
  flag = 1;
#endif
  pthread_join(t, 0);
  return 0;
}
"#;
/// A compare-exchange that fails has the order FAILURE.
const FAILS: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
static void *wait(void *a) {
  int no = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &no, 2, memory_order_acquire, FAILURE))
    data = 2;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  pthread_join(t, 0);
  return 0;
}
"#;
/// What SV-COMP says of a function by its name.
const ATOMIC: &str = r#"
int x;
void __VERIFIER_atomic_count(void) { x++; }
int main(void) {
  __VERIFIER_atomic_count();
  return 0;
}
"#;
/// Two threads count; how often depends on N.
const COUNT: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
static void *count(void *a) {
  for (int i = 0; i < N; i++)
    n++;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  count(0);
  pthread_join(t, 0);
  return 0;
}
"#;
/// Store buffering: what was read is the exit status; an assumption leaves out where both read one.
const BUFFERING: &str = r#"
#include <pthread.h>
volatile int x, y, r, s;
void __VERIFIER_assume(int);
static void *other(void *a) {
  y = 1;
  s = x;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x = 1;
  r = y;
  pthread_join(t, 0);
  __VERIFIER_assume(r + s < 2);
  return r * 1000 - s;
}
"#;
const ENDLESS: &str = r#"
int main(void) {
  volatile int x = 0;
  for (;;)
    x++;
}
"#;

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
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        check(SPIN, &["--liveness", "--model", model], 42, &["livelock", "program.c:5"]);
        check(SPIN, &["--liveness", "--model", model, "--", "-DRAISED"], 0, &["1 execution, 0 blocked"]);
    }
    for model in ["sc", "tso", "pso", "ra", "rc11"] {
        check(FAILS, &["--races", "--model", model, "--", "-DFAILURE=memory_order_relaxed"], 42, &["data-race", "`data`"]);
        check(FAILS, &["--races", "--model", model, "--", "-DFAILURE=memory_order_acquire"], 0, &["verified"]);
    }
    check(ATOMIC, &[], 0, &["verified"]);
    check(COUNT, &["--unroll", "2", "--", "-DN=3"], 3, &["unknown"]);
    check(COUNT, &["--max-executions", "5", "--", "-DN=3"], 3, &["unknown", "5 executions"]);
    check(COUNT, &["--max-events", "100", "--", "-DN=9"], 3, &["unknown"]);
    check(COUNT, &["--model", "tso", "--buffer-bound", "1", "--", "-DN=2"], 0, &["verified: "]);
}

#[test]
fn exit_statuses_are_listed() {
    let both = ["exit status -1 in 1 execution\n", "exit status 1000 in 1 execution\n"];
    check(BUFFERING, &["--statuses"], 0, &[&["2 executions, 1 blocked"], &both[..]].concat());
    for model in ["tso", "pso", "ra", "power", "aarch64"] {
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
    let model = if options.contains(&"--model") { "" } else { "--model sc" };
    let answer = Folder::new("program.c", source).raddle(&format!("check program.c {model} {}", options.join(" ")));
    let what = format!("{} makes it end with {} and say:\n{}{}", options.join(" "), answer.code, answer.out, answer.err);
    assert_eq!(answer.code, code, "{what}");
    for part in says {
        assert!(answer.out.contains(part) || answer.err.contains(part), "`{part}` is missing: {what}");
    }
}
