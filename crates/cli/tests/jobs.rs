//! Several workers: the counts of one, limits that hold, and faults that end all of them.

use crate::support::{Answer, Folder, check_all, raddle, root};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Checks a program of the corpus; gives the exit code and what is said of it.
fn check(program: &str, model: &str, words: &[&str], flags: &str) -> (Option<i32>, Value) {
    let file = root().join("corpus/programs").join(program);
    let file = file.to_str().expect("a path of the corpus is text");
    let arguments = [&["check", file, "--model", model, "--format", "json"], words, &["--", flags]].concat();
    let done = raddle(&arguments);
    (done.status.code(), serde_json::from_slice(&done.stdout).expect("the answer is JSON"))
}

/// Programs that take long enough for several workers.
const LONG: [(&str, &str, &str); 10] = [
    ("structures/readers.c", "ra", "-DN=14"),
    ("structures/lastzero.c", "ra", "-DN=10"),
    ("structures/pthread_demo.c", "ra", "-DN=7"),
    ("structures/readers.c", "rc11", "-DN=12"),
    ("structures/lastzero.c", "rc11", "-DN=9"),
    ("structures/redundant_co.c", "rc11", "-DN=3"),
    ("structures/readers.c", "power", "-DN=12"),
    ("structures/lastzero.c", "power", "-DN=7"),
    ("structures/readers.c", "aarch64", "-DN=12"),
    ("structures/lastzero.c", "aarch64", "-DN=7"),
];

#[test]
fn several_workers_count_what_one_counts() {
    check_all(&LONG, |&(program, model, flags)| {
        let counted = |jobs: &str| {
            let (code, said) = check(program, model, &["-j", jobs], flags);
            let numbers = ["executions", "blocked", "redundant", "events"].map(|key| said[key].as_u64());
            (code, numbers)
        };
        let one = counted("1");
        if one.0 != Some(0) {
            return Err(format!("{program} {model} {flags}: {one:?}"));
        }
        for jobs in ["2", "4", "16"] {
            let several = counted(jobs);
            if several != one {
                return Err(format!("{program} {model} {flags}: {several:?} with {jobs} workers, {one:?} with one"));
            }
        }
        Ok(())
    });
}

/// An exploration that takes hours.
#[test]
fn time_is_up_for_all_workers() {
    for model in ["ra", "rc11", "power", "aarch64"] {
        let started = Instant::now();
        let (code, said) = check("structures/readers.c", model, &["-j", "4", "--timeout", "1"], "-DN=30");
        assert_eq!(code, Some(3), "{model}: {said}");
        assert!(started.elapsed() < Duration::from_secs(8), "{model} took {:?}", started.elapsed());
    }
}

/// Of 2^16 executions the ones where the readers in the middle differ are faults: two, at two places.
const RARE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define N 16
atomic_int x;
static void *writer(void *arg) { atomic_store_explicit(&x, 1, memory_order_release); return arg; }
static void *reader(void *arg) { (void)arg; return (void *)(intptr_t)atomic_load_explicit(&x, memory_order_acquire); }
int main(void)
{
    pthread_t w, r[N];
    unsigned seen = 0;
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++) pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++) {
        void *result;
        pthread_join(r[i], &result);
        seen |= (unsigned)(intptr_t)result << i;
    }
    assert(seen != 0x0f0f);
    assert(seen != 0xf0f0);
}
"#;

#[test]
fn a_fault_ends_all_workers() {
    let folder = Folder::new("rare.c", RARE);
    for model in ["ra", "rc11", "power", "aarch64"] {
        folder.check(&format!("check rare.c --model {model} -j 4"), 42, &["assertion"]);
    }
}

/// A witness is the same each time by one worker.
#[test]
fn one_worker_finds_the_same_fault_each_time() {
    let folder = Folder::new("rare.c", RARE);
    let said = |_| folder.raddle("check rare.c --model ra -j 1 --witness bug.json").out.lines().map(str::to_owned).collect::<Vec<_>>();
    let told = |n| said(n).into_iter().filter(|line| !line.contains(" s")).collect::<Vec<_>>();
    assert_eq!(told(0), told(1));
}

#[test]
fn all_faults_are_found_by_several_workers() {
    let folder = Folder::new("rare.c", RARE);
    let Answer { code, out, .. } = folder.raddle("check rare.c --model ra -j 4 --keep-going --format json");
    let said: Value = serde_json::from_str(&out).expect("the answer is JSON");
    assert_eq!((code, said["executions"].as_u64()), (42, Some(65536)), "{said}");
    assert_eq!(said["faults"].as_array().map(Vec::len), Some(2), "{said}");
}
