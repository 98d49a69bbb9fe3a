//! Bounds of buffers and preemptions, one by one and raised step by step; and all models side by side.

use crate::support::{Folder, STORE_BUFFERING, main_of, raddle};
use serde_json::Value;

/// Each thread makes two stores before it looks at what the other stored first: both see nothing only when two stores
/// can wait.
const TWO_STORES: &str = r#"
#include <assert.h>
#include <pthread.h>
int x, y, x2, y2, r1, r2;
void *left(void *p) {
  x = 1;
  x2 = 1;
  r1 = y;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  y = 1;
  y2 = 1;
  r2 = x;
  pthread_join(t, 0);
  assert(r1 || r2);
  return 0;
}
"#;

/// One thread reads twice; the other writes in between only when the first is preempted.
const TWO_LOOKS: &str = concat!(
    r#"
#include <assert.h>
#include <pthread.h>
int x, r1, r2;
void *writer(void *p) {
  x = 1;
  return 0;
}
void *reader(void *p) {
  r1 = x;
  r2 = x;
  return 0;
}
"#,
    main_of!(writer, reader, "assert(r1 == r2);")
);

/// Each thread adds to a counter in two steps; the first two must be preempted for the fault, the others make it large.
const MANY_THREADS: &str = r#"
#include <assert.h>
#include <pthread.h>
int x, order;
void *adder(void *p) {
  x = x + 1;
  order = order * 2 + 1;
  return 0;
}
int main(void) {
  pthread_t t[15];
  for (int i = 0; i < 15; i++)
    pthread_create(&t[i], 0, adder, 0);
  for (int i = 0; i < 15; i++)
    pthread_join(t[i], 0);
  assert(x == 15);
  return 0;
}
"#;

#[test]
fn a_buffer_bound_is_said_where_it_cuts() {
    let folder = Folder::new("two.c", TWO_STORES);
    folder.check("check two.c --model tso --buffer-bound 0", 3, &["unknown: no fault within buffer bound 0 in 3 executions"]);
    folder.check("check two.c --model tso --buffer-bound 1", 3, &["unknown: no fault within buffer bound 1 in "]);
    folder.check("check two.c --model tso --buffer-bound 2", 42, &["refuted within buffer bound 2: 1 fault"]);
    // Three stores are made in a row, and no more.
    folder.write("sb.c", STORE_BUFFERING);
    folder.check("check sb.c --model tso --buffer-bound 3 -- -DCHECK(x)=", 0, &["verified: no fault in 4 executions under TSO"]);
    for algorithm in ["naive", "classic", "source", "optimal"] {
        folder.check(&format!("check two.c --model pso --buffer-bound 0 --algorithm {algorithm}"), 3, &["no fault within buffer bound 0"]);
        folder.check(&format!("check two.c --model pso --buffer-bound 1 --algorithm {algorithm}"), 42, &["refuted within buffer bound 1"]);
    }
}

#[test]
fn a_context_bound_is_said_where_it_cuts() {
    let folder = Folder::new("looks.c", TWO_LOOKS);
    for algorithm in ["naive", "classic"] {
        folder.check(
            &format!("check looks.c --model sc --context-bound 0 --algorithm {algorithm}"),
            3,
            &["unknown: no fault within context bound 0 in 2 executions"],
        );
        folder.check(
            &format!("check looks.c --model sc --context-bound 1 --algorithm {algorithm}"),
            42,
            &["refuted within context bound 1"],
        );
    }
    // Classic where nothing is said; others would miss executions.
    let answer = folder.check("check looks.c --model sc --context-bound 1 --format json", 42, &[]);
    let object: Value = serde_json::from_str(&answer.out).expect("it prints JSON");
    assert_eq!((object["algorithm"].as_str(), object["context_bound"].as_u64()), (Some("classic"), Some(1)));
    folder.check("check looks.c --model sc --context-bound 1 --algorithm optimal", 2, &["choose --algorithm classic or naive"]);
    folder.check("check looks.c --context-bound 1 --model ra", 2, &["RA has no schedules"]);
    folder.check("check looks.c --model sc --context-bound 1 --algorithm source", 2, &["choose --algorithm classic or naive"]);
}

/// A counter that several threads read and write: the last write of one is lost only when it was preempted so often.
const LOST_AGAIN: &str = r#"
#include <assert.h>
#include <pthread.h>
#ifndef ROUNDS
#define ROUNDS 1
#endif
int x, seen;
void *writer(void *p) {
  for (int i = 1; i <= ROUNDS; i++)
    x = i;
  return 0;
}
void *reader(void *p) {
  for (int i = 1; i <= ROUNDS; i++)
    if (x == i)
      seen++;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(seen < ROUNDS);
  return 0;
}
"#;

/// To see each of so many values the threads take turns: the reader is left after each value but the last, and the
/// writer too. With a preemption less the fault is not there; the search without a bound may find it all the same.
#[test]
fn a_fault_is_found_with_as_many_preemptions_as_it_needs() {
    let folder = Folder::new("lost.c", LOST_AGAIN);
    for (rounds, needed) in [(1, 0), (2, 2), (3, 4)] {
        let check = |options: &str, bound: u32, exit, what: &str| {
            let words = format!("check lost.c --model sc {options} --context-bound {bound} -- -DROUNDS={rounds}");
            folder.check(&words, exit, &[what]);
        };
        check("", needed, 42, "refuted");
        for algorithm in ["--algorithm classic", "--algorithm naive"] {
            check(algorithm, needed, 42, &format!("refuted within context bound {needed}"));
            if needed > 0 {
                check(algorithm, needed - 1, 3, &format!("no fault within context bound {}", needed - 1));
            }
        }
        let words = format!("check lost.c --model sc --context-bound 0 --iterative -- -DROUNDS={rounds}");
        folder.check(&words, 42, &["refuted"]);
    }
}

/// No more executions than without the bound, where the reduction within the bound is the weaker one.
#[test]
fn a_context_bound_explores_no_more_than_no_bound() {
    let count = |program: &str, model: &str, more: &[&str]| {
        let file = format!("corpus/programs/algorithms/{program}.c");
        let all = [&["check", &file, "--model", model, "--format", "json"], more, &["--", "-DNOCHECK"]].concat();
        let found: Value = serde_json::from_slice(&raddle(&all).stdout).expect("the report is JSON");
        let number = |name: &str| found[name].as_u64().expect("it is a number");
        (found["verdict"].clone(), number("executions") + number("blocked") + number("redundant"))
    };
    for (program, model) in [("szymanski", "tso"), ("peterson", "tso"), ("peterson", "pso"), ("dekker", "sc")] {
        let (verdict, all) = count(program, model, &[]);
        for bound in ["0", "1", "2", "3"] {
            let (within, runs) = count(program, model, &["--context-bound", bound]);
            assert!(runs <= all && (within == verdict || within == "unknown"), "{program} {model} {bound}: {runs} of {all}, {within}");
        }
    }
    assert_eq!(count("szymanski", "tso", &["--context-bound", "2"]), ("verified".into(), 497));
}

/// Fifteen threads can come to their ends in more orders than can be tried: bounds are raised all the same.
#[test]
fn bounds_are_raised_although_not_all_is_tried_without_preemptions() {
    let folder = Folder::new("many.c", MANY_THREADS);
    folder.check("check many.c --model sc --context-bound 0 --iterative --timeout 50", 42, &["assertion"]);
}

#[test]
fn bounds_are_raised_until_they_find_or_cut_nothing() {
    let folder = Folder::new("two.c", TWO_STORES);
    folder.check("check two.c --model tso --buffer-bound 0 --iterative", 42, &["refuted within buffer bound 2"]);
    folder.check("check two.c --model tso --context-bound 0 --iterative", 42, &["refuted within context bound "]);
    folder.check("check two.c --model sc --context-bound 0 --iterative", 0, &["verified: no fault in "]);
    folder.check("check two.c --model tso --iterative", 2, &["--iterative raises bounds"]);
    folder.write("looks.c", TWO_LOOKS);
    folder.check(
        "check looks.c --model pso --buffer-bound 0 --context-bound 0 --iterative",
        42,
        &["refuted within buffer bound ", " and context bound 1"],
    );
}

#[test]
fn models_are_shown_side_by_side() {
    let folder = Folder::new("two.c", TWO_STORES);
    let parts = [
        "model",
        "RC11",
        "refuted",
        "no (1 not)",
        "SC ",
        "verified",
        "yes",
        "TSO",
        "refuted",
        "no (1 not)",
        "AArch64",
        "refuted",
        "no (1 not)",
        "POWER",
        "refuted",
        "no (1 not)",
        "two.c is correct under SC, but wrong under RC11, TSO, AArch64 and POWER.",
    ];
    folder.check("compare two.c", 42, &parts);
    folder.write("looks.c", TWO_LOOKS);
    folder.check("compare looks.c", 42, &["looks.c is wrong under RC11, SC, TSO, AArch64 and POWER."]);
    folder.check(
        "compare looks.c -- -DNDEBUG",
        42,
        &["looks.c is correct under SC, TSO, AArch64 and POWER, but wrong under RC11.", "data-race"],
    );
    folder.check("compare looks.c --no-races -- -DNDEBUG", 0, &["looks.c is correct under RC11, SC, TSO, AArch64 and POWER"]);
    folder.check(
        "compare two.c --no-races -- -DNDEBUG",
        0,
        &["two.c is correct under RC11, SC, TSO, AArch64 and POWER, although RC11, TSO, AArch64 and POWER allow executions that SC does not."],
    );
    folder.check("compare two.c --models pso,ra,sra", 42, &["PSO", "two.c is wrong under PSO, RA and SRA."]);
    folder.check(
        "compare two.c --models sc,tso,power --races --leaks --jobs 1 -- -DNDEBUG",
        42,
        &["two.c is wrong under SC, TSO and POWER.", "SC: data-race"],
    );
    folder.check("compare two.c --models pso,none", 2, &["`none` is none of sc, tso, pso"]);
    folder.check("check two.c --model ra --robustness -- -DNDEBUG", 42, &["not-robust"]);
    folder.check(
        "compare two.c --no-races --max-executions 1 -- -DNDEBUG",
        3,
        &["unknown", "Nothing is known about two.c under any model.", "SC: the search stopped after 1 execution"],
    );
    let answer = folder.check("compare two.c --format json", 42, &[]);
    let object: Value = serde_json::from_str(&answer.out).expect("it prints JSON");
    let rows = object["models"].as_array().expect("models are a list");
    let row =
        |n: usize| (rows[n]["model"].as_str(), rows[n]["verdict"].as_str(), rows[n]["robust"].as_bool(), rows[n]["executions"].as_u64());
    assert_eq!(row(1), (Some("sc"), Some("verified"), Some(true), Some(3)));
    assert_eq!(row(2), (Some("tso"), Some("refuted"), Some(false), Some(4)));
    assert_eq!(rows[2]["fault"]["kind"], "assertion");
}

#[test]
fn a_program_that_cannot_be_compared_says_why() {
    let output = raddle(&["compare", "no/such/file.c"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}
