//! Threads that take a mutex, try another one and back off (`std::lock` and its like), and threads that look at
//! something under a lock, again and again. docs/awaits.md has the rule.

use crate::support::{Compiled, CorpusFile, Folder};
use raddle_event::Random;
use serde_json::Value;
use std::collections::BTreeSet;

/// The models whose threads run in order.
const MODELS: [&str; 6] = ["sc", "tso", "pso", "ra", "sra", "rc11"];

#[track_caller]
fn check(options: &[&str], cflags: &[&str], verdict: &str, reason: Option<&str>) {
    check_file("corpus/awaits/back_off.c", options, cflags, (verdict, reason));
}

#[track_caller]
fn check_file(file: &str, options: &[&str], cflags: &[&str], (verdict, reason): (&str, Option<&str>)) {
    let program = Compiled::new(&CorpusFile::new(file, cflags)).expect("the compiler takes it");
    for model in MODELS {
        let output = program.check(&[&["--format", "json", "--model", model], options].concat());
        let found: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        let kind = found["reason"]["kind"].as_str().or(found["fault"]["kind"].as_str());
        assert_eq!((&found["verdict"], kind), (&Value::from(verdict), reason), "{model} {options:?} {cflags:?}: {found}");
    }
}

#[test]
fn threads_that_back_off_from_each_other_come_to_an_end() {
    check(&[], &[], "verified", None);
    check(&[], &["-DALTERNATE"], "verified", None);
}

#[test]
fn what_goes_wrong_beside_them_is_found() {
    check(&[], &["-DWRONG"], "refuted", Some("assertion"));
    check(&[], &["-DALTERNATE", "-DWRONG"], "refuted", Some("assertion"));
}

/// A mutex that is kept for ever is a deadlock where another thread locks it, not only tries it.
#[test]
fn a_thread_that_backs_off_for_ever_waits() {
    check(&[], &["-DKEPT"], "refuted", Some("deadlock"));
}

/// A trylock that could fail only because somebody backs off is no fault, and no proof.
#[test]
fn what_is_only_supposed_is_not_reported() {
    check(&[], &["-DSEEN"], "unknown", Some("back-off"));
}

/// Rounds that take a lock, look and give it back are left out where nobody tries a lock, too.
#[test]
fn threads_that_poll_under_a_lock_come_to_an_end() {
    let check = |options: &[&str], cflags: &[&str], is| check_file("corpus/awaits/polls.c", options, cflags, is);
    for kind in [&[][..], &["-DSPIN"], &["-DREADS"], &["-DWRITES"]] {
        for flags in [&[][..], &["-DINSIDE"], &["-DALONE"], &["-DINSIDE", "-DALONE"]] {
            let flags = &[kind, flags].concat()[..];
            check(&["--liveness"], flags, ("verified", None));
            check(&[], &[flags, &["-DWRONG"]].concat(), ("refuted", Some("assertion")));
            check(&["--liveness"], &[flags, &["-DNEVER"]].concat(), ("refuted", Some("livelock")));
        }
    }
}

/// The lock that such a round takes and gives back is one that it has found as it left it.
#[test]
fn threads_that_back_off_for_ever_are_in_a_livelock() {
    for kind in [&[][..], &["-DSPIN"], &["-DREADS"], &["-DWRITES"]] {
        let flags = [kind, &["-DBACKS_OFF"]].concat();
        check_file("corpus/awaits/polls.c", &["--liveness"], &flags, ("refuted", Some("livelock")));
    }
}

const BEGINNING: &str = r"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
void __VERIFIER_assume(int);
#if defined SPIN
static pthread_spinlock_t mu[3];
#define LOCK(m) pthread_spin_lock(&mu[m])
#define UNLOCK(m) pthread_spin_unlock(&mu[m])
#define TRY(m) pthread_spin_trylock(&mu[m])
#define TIMED(m) pthread_spin_trylock(&mu[m])
#elif defined READ_WRITE
static pthread_rwlock_t mu[3] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
#define LOCK(m) (m == 1 ? pthread_rwlock_rdlock(&mu[m]) : pthread_rwlock_wrlock(&mu[m]))
#define UNLOCK(m) pthread_rwlock_unlock(&mu[m])
#define TRY(m) (m == 1 ? pthread_rwlock_tryrdlock(&mu[m]) : pthread_rwlock_trywrlock(&mu[m]))
#define TIMED(m) (m == 1 ? pthread_rwlock_timedrdlock(&mu[m], &limit) : pthread_rwlock_timedwrlock(&mu[m], &limit))
#else
static pthread_mutex_t mu[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
#define LOCK(m) pthread_mutex_lock(&mu[m])
#define UNLOCK(m) pthread_mutex_unlock(&mu[m])
#define TRY(m) pthread_mutex_trylock(&mu[m])
#define TIMED(m) pthread_mutex_timedlock(&mu[m], &limit)
#endif
static struct timespec limit = {1, 0};
static int x;
static atomic_int y, z;
#ifdef ROUNDS
#define BEGIN int rounds = 0;
#define ROUND if (++rounds > ROUNDS) __VERIFIER_assume(0);
#else
#define BEGIN
#define ROUND
#endif
";

/// Something that a thread does with two or three mutexes.
fn statement(random: &mut Random) -> String {
    let mut order = [0, 1, 2];
    if random.once_in(4) {
        order.rotate_left(random.below(3) as usize);
    }
    if random.once_in(2) {
        order.swap(0, 1);
    }
    let [m, k, l] = order;
    let body =
        random.pick(&["x = x * 2 + 1;", "atomic_fetch_add(&y, 1);", "{ int v = atomic_load(&y); x = x * 2 + v; }", "atomic_store(&z, 1);"]);
    let tail = format!("{body} UNLOCK({k}); UNLOCK({m});");
    match random.below(11) {
        9 => format!("{{ BEGIN for (;;) {{ ROUND LOCK({m}); if (atomic_load(&z)) break; UNLOCK({m}); }} {body} UNLOCK({m}); }}"),
        10 => format!("{{ BEGIN for (;;) {{ ROUND LOCK({m}); int v = atomic_load(&y); UNLOCK({m}); if (v) break; }} {body} }}"),
        0..3 => format!("{{ BEGIN for (;;) {{ ROUND LOCK({m}); if (!TRY({k})) break; UNLOCK({m}); }} {tail} }}"),
        3..5 => format!(
            "{{ BEGIN for (;;) {{ ROUND LOCK({m}); if (!TRY({k})) break; UNLOCK({m}); ROUND LOCK({k}); if (!TRY({m})) break; UNLOCK({k}); }} {tail} }}"
        ),
        5 => format!(
            "{{ BEGIN for (;;) {{ ROUND LOCK({m}); if (!TRY({k})) {{ if (!TRY({l})) break; UNLOCK({k}); }} UNLOCK({m}); }} UNLOCK({l}); {tail} }}"
        ),
        6 => format!("if (!TRY({m})) {{ {body} UNLOCK({m}); }} else atomic_fetch_add(&z, 2);"),
        7 => format!("if (!TIMED({m})) {{ {body} UNLOCK({m}); }} else atomic_fetch_add(&z, 2);"),
        _ => format!("LOCK({m}); {body} UNLOCK({m});"),
    }
}

/// A program of two or three threads that back off, try and lock.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let n = if random.once_in(4) { 3 } else { 2 };
    let mut text = BEGINNING.to_owned();
    for thread in 0..n {
        let statements: String = (0..if n == 2 { 1 + random.below(2) } else { 1 }).map(|_| statement(&mut random) + "\n").collect();
        text += &format!("static void *t{thread}(void *p) {{\n{statements}return p; }}\n");
    }
    let each = |what: fn(u32) -> String| (0..n).map(what).collect::<String>();
    let (create, join) = (each(|t| format!("pthread_create(&t[{t}], 0, t{t}, 0);\n")), each(|t| format!("pthread_join(t[{t}], 0);\n")));
    let claim = if random.once_in(3) { "assert(z < 2);" } else { "" };
    text + &format!("int main(void) {{ pthread_t t[{n}];\n{create}{join}{claim} exit((x + 8 * y + 32 * z) & 127); }}\n")
}

/// The statuses and the kinds of faults of a program, and whether that is all.
fn found(folder: &Folder, model: &str, flag: &str) -> (BTreeSet<i64>, BTreeSet<String>, bool) {
    let words = format!("check program.c --model {model} --keep-going --statuses --format json --timeout 20");
    let answer = folder.raddle(&format!("{words} -- {flag}"));
    let report: Value = serde_json::from_str(&answer.out).unwrap_or_else(|_| panic!("{}", answer.err));
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    let statuses = list("statuses").iter().filter_map(|entry| entry["status"].as_i64()).collect();
    let faults = list("faults").into_iter().chain([report["fault"].clone()]);
    let kinds = faults.filter_map(|fault| fault["kind"].as_str().map(str::to_owned)).collect();
    let is_whole = report["limits"]
        .as_array()
        .is_some_and(|limits| limits.is_empty() || limits.iter().all(|limit| limit == "no execution is complete"));
    (statuses, kinds, is_whole)
}

/// The plain twin: the same loops with rounds that are counted are never in the same state again, so that nothing is
/// left out of the rounds that they may make.
#[test]
fn rounds_that_are_left_out_change_nothing() {
    let mut n_compared = 0;
    for seed in 0..36 {
        let (text, model) = (program(seed), MODELS[seed as usize % MODELS.len()]);
        let kind = if seed < 24 { "-DMUTEX" } else { ["-DSPIN", "-DREAD_WRITE"][seed as usize / 6 % 2] };
        let folder = Folder::new("program.c", &text);
        let (statuses, faults, is_whole) = found(&folder, model, &format!("{kind} -DLEFT_OUT"));
        let (some_statuses, some_faults, some_whole) = found(&folder, model, &format!("{kind} -DROUNDS=2"));
        if !some_whole {
            continue;
        }
        n_compared += 1;
        if is_whole {
            assert!(some_statuses.is_subset(&statuses), "seed {seed} {model}: {some_statuses:?} {statuses:?}\n{text}");
            assert!(some_faults.is_subset(&faults), "seed {seed} {model}: {some_faults:?} {faults:?}\n{text}");
        }
        assert!(statuses.is_subset(&some_statuses), "seed {seed} {model}: {statuses:?} {some_statuses:?}\n{text}");
        assert!(faults.is_subset(&some_faults), "seed {seed} {model}: {faults:?} {some_faults:?}\n{text}");
    }
    assert!(n_compared > 24, "{n_compared}");
}
