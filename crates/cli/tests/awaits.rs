//! Loops that wait cost nothing: no execution is blocked, whatever explores it (corpus/awaits). docs/awaits.md has the
//! rule.

mod support;

use serde_json::Value;
use support::raddle;

/// The verdict on a program.
fn verdict(file: &str, options: &[&str], cflags: &[&str]) -> Value {
    let file = format!("corpus/awaits/{file}");
    let mut arguments = vec!["check", &file, "--format", "json"];
    arguments.extend(options);
    arguments.push("--");
    arguments.extend(cflags);
    let found: Value = serde_json::from_slice(&raddle(&arguments).stdout).expect("the report is JSON");
    found["verdict"].clone()
}

/// A program has so many executions, none of them blocked or redundant, under SC, TSO and PSO.
#[track_caller]
fn check(file: &str, cflags: &[&str], executions: u64) {
    let file = format!("corpus/awaits/{file}");
    for model in ["sc", "tso", "pso"] {
        for algorithm in ["optimal", "source", "classic"] {
            let mut arguments = vec!["check", &file, "--model", model, "--algorithm", algorithm, "--format", "json", "--"];
            arguments.extend(cflags);
            let found: Value = serde_json::from_slice(&raddle(&arguments).stdout).expect("the report is JSON");
            let found = ["verdict", "executions", "blocked"].map(|field| found[field].clone());
            assert_eq!(found, [Value::from("verified"), executions.into(), 0.into()], "{}", arguments.join(" "));
        }
    }
}

#[test]
fn a_ticket_lock_has_an_execution_for_each_order() {
    check("ticket.c", &["-DN=3"], 6);
    check("ticket.c", &["-DN=4"], 24);
}

/// With a look before each exchange each thread may look at any lock that is free before it takes its own.
#[test]
fn locks_that_are_exchanged() {
    check("exchange.c", &["-DN=3"], 6);
    check("exchange.c", &["-DN=3", "-DCAS"], 6);
    check("exchange.c", &["-DN=3", "-DFLAG"], 6);
    check("exchange.c", &["-DN=3", "-DTEST"], 36);
}

#[test]
fn queue_locks() {
    check("mcs.c", &[], 66);
    check("clh.c", &[], 6);
}

#[test]
fn a_barrier() {
    check("barrier.c", &[], 6);
}

#[test]
fn a_lock_for_readers() {
    check("rwlock.c", &[], 6);
}

/// The consumer looks at the counter of the producer first and at its own then: it is the first look that waits.
#[test]
fn loops_that_compare_what_is_their_own_with_what_is_not() {
    check("ring.c", &[], 9);
}

/// An atomic look that a loop makes in vain may race where the last one does not: it is not left out where races are
/// looked for. A plain one races itself.
#[test]
fn a_look_that_is_left_out_would_race() {
    for model in ["sc", "tso", "pso", "ra", "rc11"] {
        for cflags in [&[][..], &["-DPLAIN"]] {
            assert_eq!(verdict("plain_write.c", &["--model", model, "--races"], cflags), "refuted", "{model} {cflags:?}");
        }
    }
    for model in ["sc", "tso", "pso", "ra"] {
        assert_eq!(verdict("plain_write.c", &["--model", model], &[]), "verified", "{model}");
    }
}

/// Threads that wait for ever are told, whatever they wait with, and beside threads that wait for locks too.
#[test]
fn loops_that_wait_for_ever() {
    for model in ["sc", "tso", "pso"] {
        for how in ["-DLOAD", "-DEXCHANGE", "-DCAS"] {
            assert_eq!(verdict("for_ever.c", &["--model", model, "--liveness"], &[how]), "refuted", "{model} {how}");
        }
    }
    for model in ["sc", "tso", "pso", "ra", "rc11"] {
        assert_eq!(verdict("for_ever.c", &["--model", model], &["-DLOAD", "-DLOCK"]), "refuted", "{model}");
    }
}

/// Looks at what was freed, or was never written, are wrong and are not left out.
#[test]
fn looks_that_are_wrong() {
    for model in ["sc", "tso", "pso", "ra", "rc11"] {
        assert_eq!(verdict("freed.c", &["--model", model], &[]), "refuted", "{model}");
        assert_eq!(verdict("unwritten.c", &["--model", model, "--uninit"], &[]), "refuted", "{model}");
    }
}
