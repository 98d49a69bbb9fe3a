//! `raddle sample`: executions that are drawn at random are among those that `raddle check` explores, and of small
//! programs all of these are drawn.

use crate::support::{Folder, main_of, raddle};
use serde_json::Value;

/// Two threads exchange values by relaxed accesses, a read-modify-write and a lock; the status tells what they saw.
const MEETING: &str = concat!(
    r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y, z;
static int n, a, b, c;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *left(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
    pthread_mutex_lock(&mutex);
    n = n * 2;
    pthread_mutex_unlock(&mutex);
    return 0;
}
static void *right(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    c = atomic_fetch_add_explicit(&z, 2, memory_order_relaxed);
    pthread_mutex_lock(&mutex);
    n = n + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}
"#,
    main_of!(left, right, "exit(a + 2 * b + 4 * c + 8 * n);")
);

/// A fault that needs one preemption in the middle of a thread.
const LOST_UPDATE: &str = concat!(
    r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *increase(void *p)
{
    int old = atomic_load(&n);
    atomic_store(&n, old + 1);
    return 0;
}
"#,
    main_of!(increase, increase, "assert(n == 2);")
);

/// The statuses with which a program ends.
#[track_caller]
fn statuses(folder: &Folder, words: &str, code: i32) -> Vec<i64> {
    let answer = folder.check(words, code, &[]);
    let object: Value = serde_json::from_str(&answer.out).expect("an object");
    let each = object["statuses"].as_array().expect("statuses").iter();
    each.map(|status| status["status"].as_i64().expect("a number")).collect()
}

#[test]
fn samples_are_executions_and_of_a_small_program_all_are_drawn() {
    let folder = Folder::new("meeting.c", MEETING);
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        let all = statuses(&folder, &format!("check meeting.c --model {model} --statuses --format json"), 0);
        assert!(all.len() > 4, "{model}: {all:?}");
        let strategies: &[&str] = match model {
            "sc" | "tso" | "pso" => &["uniform", "pct --depth 4", "pos"],
            _ => &["uniform", "pct"],
        };
        for strategy in strategies {
            let words = format!("sample meeting.c --model {model} --samples 3000 --statuses --format json --strategy {strategy}");
            let drawn = statuses(&folder, &words, 3);
            // Over graphs PCT draws some of them rarely.
            let is_all = drawn == all || (*strategy == "pct" && drawn.iter().all(|status| all.contains(status)));
            assert!(is_all, "{model}, {strategy}: {drawn:?} of {all:?}");
        }
    }
}

#[test]
fn a_fault_is_found_kept_and_run_again() {
    let folder = Folder::new("lost.c", LOST_UPDATE);
    for model in ["sc", "tso", "ra", "rc11", "power", "aarch64"] {
        let words = format!("sample lost.c --model {model} --samples 500 --witness bug.json");
        folder.check(&words, 42, &["assertion", "refuted: 1 fault"]);
        folder.check("replay bug.json", 42, &["assertion"]);
    }
}

#[test]
fn what_pct_promises_is_said() {
    let folder = Folder::new("meeting.c", MEETING);
    let parts = ["unknown: 200 executions were drawn at random (by PCT, which finds a fault of depth 2 among 3 actors and "];
    folder.check("sample meeting.c --model sc --samples 200 --strategy pct --depth 2", 3, &parts);
    let plain = folder.check("sample meeting.c --model ra --samples 20 --strategy pct", 3, &["20 executions were drawn at random; "]);
    assert!(!plain.out.contains("probability"));
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let folder = Folder::new("lost.c", LOST_UPDATE);
    let counts = |seed: u32| {
        let answer = folder.raddle(&format!("sample lost.c --model sc --seed {seed} --format json"));
        let object: Value = serde_json::from_str(&answer.out).expect("an object");
        (object["executions"].clone(), object["seed"].clone(), object["algorithm"].clone())
    };
    assert_eq!(counts(3), counts(3));
    assert_eq!(counts(3).1, 3);
    assert_eq!(counts(3).2, "uniform");
}

#[test]
fn what_does_not_go_with_sampling_is_refused() {
    let folder = Folder::new("lost.c", LOST_UPDATE);
    for (words, why) in [
        ("--model sc --algorithm source", "samples are drawn by a strategy"),
        ("--model sc --context-bound 2", "samples are not counted by their preemptions"),
        ("--model ra --strategy pos", "pos draws schedules, and RA has graphs"),
        ("--model tso --buffer-bound 1 --iterative", "samples are drawn within one bound"),
        ("--samples 0", "0 is not in 1.."),
    ] {
        folder.check(&format!("sample lost.c {words}"), 2, &[why]);
    }
}

/// Programs that are known for being hard (corpus/hard), small enough for a test. docs/algorithms/sampling.md has what
/// the large ones take.
#[test]
fn faults_that_are_hard_to_find_are_found() {
    for (file, options, cflags) in [
        ("reorder.c", "--strategy uniform --samples 1000", "-DSETTERS=9"),
        ("reorder.c", "--strategy pos --samples 1000", "-DSETTERS=19"),
        ("twostage.c", "--strategy pct --depth 2 --samples 4000", "-DTHREADS=8"),
        ("work_stealing.c", "--strategy pos --samples 1000", "-DBUG"),
    ] {
        let file = format!("corpus/hard/{file}");
        let mut arguments = vec!["sample", &file, "--model", "sc", "--seed", "1"];
        arguments.extend(options.split(' '));
        arguments.extend(["--", cflags]);
        let output = raddle(&arguments);
        assert_eq!(output.status.code(), Some(42), "{file} {options} {cflags}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// The queue without the seeded fault is right.
#[test]
fn a_queue_without_the_fault_is_right() {
    let output = raddle(&["check", "corpus/hard/work_stealing.c", "--model", "sc", "--", "-DITEMS=2", "-DTHIEVES=1"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}
