//! Several workers: the counts of one, limits that hold, and faults that end all of them.

use crate::support::{Answer, Folder, check_all, raddle, rare, root};
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

/// Of 2^16 executions these two are faults, at two places.
const RARE: [&str; 2] = ["seen == 0x0f0f", "seen == 0xf0f0"];

#[test]
fn a_fault_ends_all_workers() {
    let folder = rare(16, &RARE);
    for model in ["ra", "rc11", "power", "aarch64"] {
        folder.check(&format!("check rare.c --model {model} -j 4"), 42, &["assertion"]);
    }
}

/// A witness is the same each time by one worker.
#[test]
fn one_worker_finds_the_same_fault_each_time() {
    let folder = rare(16, &RARE);
    let said = |_| folder.raddle("check rare.c --model ra -j 1 --witness bug.json").out.lines().map(str::to_owned).collect::<Vec<_>>();
    let told = |n| said(n).into_iter().filter(|line| !line.contains(" s")).collect::<Vec<_>>();
    assert_eq!(told(0), told(1));
}

#[test]
fn all_faults_are_found_by_several_workers() {
    let folder = rare(16, &RARE);
    let Answer { code, out, .. } = folder.raddle("check rare.c --model ra -j 4 --keep-going --format json");
    let said: Value = serde_json::from_str(&out).expect("the answer is JSON");
    assert_eq!((code, said["executions"].as_u64()), (42, Some(65536)), "{said}");
    assert_eq!(said["faults"].as_array().map(Vec::len), Some(2), "{said}");
}

/// A check under SC or TSO that takes long goes on as graphs. It is no shorter for that, whatever was found or cut
/// before.
#[test]
fn a_long_check_explores_all_of_it() {
    let found = rare(13, &["seen == 0"]);
    let text = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, n;
static void *writer(void *arg) { atomic_store(&x, 1); return arg; }
static void *reader(void *arg) { if (atomic_load(&x)) for (int i = 0; i < 20; i++) atomic_load(&n); return arg; }
int main(void)
{
    pthread_t w, r[N];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++) pthread_create(&r[i], NULL, reader, NULL);
}
";
    let cut = Folder::new("cut.c", text);
    for model in ["sc", "tso"] {
        for (folder, words, counts) in
            [(&found, "check rare.c --keep-going", [1 << 13, 0]), (&cut, "check cut.c --unroll 15 -- -DN=13", [1, (1 << 13) - 1])]
        {
            let words = words.replace(".c ", &format!(".c --model {model} --format json "));
            let said: Value = serde_json::from_str(&folder.raddle(&words).out).expect("the answer is JSON");
            assert_eq!(["executions", "blocked"].map(|count| said[count].as_u64()), counts.map(Some), "{words}: {said}");
        }
    }
}
