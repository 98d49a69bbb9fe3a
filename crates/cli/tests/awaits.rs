//! Loops that wait cost nothing: no execution is blocked, whatever explores it (corpus/awaits). docs/awaits.md has the
//! rule.

use crate::support::raddle;
use serde_json::Value;

/// Models with the algorithms that explore under them. Orders of what nobody waits for are not in these programs, so
/// that the counts are the same.
const SCHEDULES: [(&str, &[&str]); 3] =
    [("sc", &["optimal", "source", "classic"]), ("tso", &["optimal", "source", "classic"]), ("pso", &["optimal", "source", "classic"])];
const GRAPHS: [(&str, &[&str]); 2] = [("ra", &["weak-trace"]), ("rc11", &["graphs"])];
const COMMITS: [(&str, &[&str]); 2] = [("power", &["rsmc"]), ("aarch64", &["rsmc"])];

/// What a check says: the verdict, how many executions there are, and how many of them are blocked.
fn found(file: &str, options: &[&str], cflags: &[&str]) -> [Value; 3] {
    let file = format!("corpus/awaits/{file}");
    let mut arguments = vec!["check", &file, "--format", "json"];
    arguments.extend(options);
    arguments.push("--");
    arguments.extend(cflags);
    let found: Value = serde_json::from_slice(&raddle(&arguments).stdout).expect("the report is JSON");
    ["verdict", "executions", "blocked"].map(|field| found[field].clone())
}

/// A program has so many executions, none of them blocked, under some models.
#[track_caller]
fn check_under(models: &[(&str, &[&str])], file: &str, cflags: &[&str], executions: u64) {
    for (model, algorithms) in models {
        for algorithm in *algorithms {
            let found = found(file, &["--model", model, "--algorithm", algorithm], cflags);
            assert_eq!(found, [Value::from("verified"), executions.into(), 0.into()], "{file} {cflags:?} {model} {algorithm}");
        }
    }
}

/// The same under all models.
#[track_caller]
fn check(file: &str, cflags: &[&str], executions: u64) {
    check_under(&SCHEDULES, file, cflags, executions);
    check_under(&GRAPHS, file, cflags, executions);
    check_under(&COMMITS, file, cflags, executions);
}

#[test]
fn a_ticket_lock_has_an_execution_for_each_order() {
    check("ticket.c", &["-DN=3"], 6);
    check("ticket.c", &["-DN=4"], 24);
}

/// Each model by the algorithm that explores it where nothing is said.
const MODELS: [(&str, &[&str]); 8] = [
    ("sc", &["optimal"]),
    ("tso", &["optimal"]),
    ("pso", &["optimal"]),
    ("ra", &["weak-trace"]),
    ("sra", &["graphs"]),
    ("rc11", &["graphs"]),
    ("power", &["rsmc"]),
    ("aarch64", &["rsmc"]),
];

/// The counts that are published of other checkers, without the executions that are blocked there: N! for a lock that
/// is taken once by each of N threads, and as many looks before that.
#[test]
fn locks_of_many_threads() {
    for (n, executions) in [("-DN=5", 120), ("-DN=6", 720), ("-DN=7", 5_040)] {
        check_under(&MODELS, "ticket.c", &[n], executions);
    }
    check_under(&MODELS, "exchange.c", &["-DN=4", "-DTEST"], 576);
    check_under(&MODELS, "exchange.c", &["-DN=5", "-DTEST"], 14_400);
    check_under(&MODELS, "exchange.c", &["-DN=5"], 120);
    check_under(&MODELS, "twa.c", &["-DN=3", "-DAGAIN", "-DPLACES=8"], 96);
    check_under(&MODELS, "twa.c", &["-DN=4", "-DAGAIN", "-DPLACES=8"], 6_144);
}

/// With a look before each exchange each thread may look at any lock that is free before it takes its own.
#[test]
fn locks_that_are_exchanged() {
    check("exchange.c", &["-DN=3"], 6);
    check("exchange.c", &["-DN=3", "-DCAS"], 6);
    check("exchange.c", &["-DN=3", "-DFLAG"], 6);
    check("exchange.c", &["-DN=3", "-DTEST"], 36);
    check("exchange.c", &["-DN=4", "-DTEST"], 576);
}

/// A thread that finds the lock taken looks at it until it is free before it tries again. Under models of graphs such
/// an exchange does not await.
#[test]
fn locks_that_are_exchanged_before_they_are_looked_at() {
    for how in ["-DFIRST", "-DFIRST_CAS", "-DFIRST_BIT"] {
        check_under(&SCHEDULES, "exchange.c", &["-DN=3", how], 6);
        check_under(&COMMITS, "exchange.c", &["-DN=3", how], 6);
    }
}

/// A loop that waits for the sum of two variables, and one in a loop that waits for the same variable.
#[test]
fn loops_that_look_twice() {
    check_under(&SCHEDULES, "nested.c", &["-DSUM"], 1);
    check_under(&SCHEDULES, "nested.c", &["-DSAME"], 1);
    check_under(&COMMITS, "nested.c", &["-DSAME"], 1);
}

/// A thread may be caught in an inner loop although the outer one could end by now; and a value may end both.
#[test]
fn inner_loops_of_which_more_is_to_be_seen() {
    for model in ["sc", "tso", "pso", "ra", "sra", "rc11", "power", "aarch64"] {
        assert_eq!(found("nested.c", &["--model", model, "--liveness"], &[])[0], "refuted", "{model}");
        assert_eq!(found("nested.c", &["--model", model], &["-DOTHER"])[0], "refuted", "{model}");
        assert_eq!(found("nested.c", &["--model", model], &["-DTWICE"])[..2], [Value::from("verified"), 1.into()], "{model}");
    }
}

/// Two threads that take a lock by test-and-set, under POWER too.
#[test]
fn two_threads_that_exchange_a_lock() {
    check("exchange.c", &["-DN=2"], 2);
    check("exchange.c", &["-DN=2", "-DFLAG"], 2);
}

/// A thread that is not the next in line looks at its place and at the ticket that is served, and waits at its place.
#[test]
fn a_lock_whose_threads_wait_apart() {
    check("twa.c", &[], 132);
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

/// Two rounds of the loop are one round of the thread.
#[test]
fn a_loop_that_goes_round_two_flags() {
    check("several.c", &[], 1);
}

/// An atomic look that a loop makes in vain may race where the last one does not: it is not left out where races are
/// looked for.
#[test]
fn a_look_that_is_left_out_would_race() {
    for model in ["sc", "tso", "pso", "ra", "sra", "rc11", "power", "aarch64"] {
        assert_eq!(found("plain_write.c", &["--model", model, "--races"], &[])[0], "refuted", "{model}");
        assert_eq!(found("plain_write.c", &["--model", model, "--races"], &["-DUPDATE"])[0], "refuted", "{model}");
    }
    for (model, executions) in [("sc", 1), ("tso", 1), ("pso", 1), ("ra", 1)] {
        assert_eq!(found("plain_write.c", &["--model", model], &[]), [Value::from("verified"), executions.into(), 0.into()], "{model}");
    }
}

/// The same, where the loop waits with a plain read: that one races itself.
#[test]
fn a_plain_look_races() {
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        assert_eq!(found("plain_write.c", &["--model", model, "--races"], &["-DPLAIN"])[0], "refuted", "{model}");
    }
}

/// And where the loop waits for ever: the last look, in vain, is no event of the execution.
#[test]
fn a_plain_look_in_vain_races() {
    for model in ["sc", "tso", "pso", "ra", "sra", "rc11", "power", "aarch64"] {
        assert_eq!(found("plain_write.c", &["--model", model, "--races"], &["-DPLAIN", "-DNEVER"])[0], "refuted", "{model}");
        let without = found("plain_write.c", &["--model", model, "--races"], &["-DNEVER"]);
        assert_eq!(without[0], "unknown", "{model}: an atomic look races with nothing");
    }
}

/// Threads that wait for ever are told, whatever they wait with.
#[test]
fn loops_that_wait_for_ever() {
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        for how in ["-DLOAD", "-DEXCHANGE", "-DCAS"] {
            assert_eq!(found("for_ever.c", &["--model", model, "--liveness"], &[how])[0], "refuted", "{model} {how}");
            assert_eq!(found("for_ever.c", &["--model", model], &[how]), [Value::from("unknown"), 0.into(), 1.into()], "{model} {how}");
        }
    }
}

/// Who waits in a loop for one that waits for a lock is in its deadlock, not in a livelock.
#[test]
fn loops_that_wait_beside_locks() {
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        assert_eq!(found("for_ever.c", &["--model", model], &["-DLOAD", "-DLOCK"])[0], "refuted", "{model}");
    }
}

/// Who has looked at what has changed since, and waits for something else, goes on in another execution: that is no
/// deadlock for who waits for its lock.
#[test]
fn a_loop_that_waits_behind_an_old_look() {
    for (model, blocked) in [("sc", 0), ("tso", 0), ("pso", 0), ("rc11", 0), ("power", 2), ("aarch64", 2)] {
        for liveness in [&[][..], &["--liveness"]] {
            let options: Vec<&str> = ["--model", model].into_iter().chain(liveness.iter().copied()).collect();
            assert_eq!(found("two_looks.c", &options, &[]), [Value::from("verified"), 2.into(), blocked.into()], "{model}");
        }
    }
}

/// A look at what was never written is wrong, and is not left out.
#[test]
fn a_look_at_what_is_not_written() {
    for model in ["sc", "tso", "pso", "ra", "rc11"] {
        assert_eq!(found("unwritten.c", &["--model", model, "--uninit"], &[])[0], "refuted", "{model}");
    }
}

/// Each round reads where the flag is, and the flag.
#[test]
fn a_flag_behind_a_pointer() {
    check("unwritten.c", &[], 1);
}

/// Objects come into being and cease to be, which is said of all of their bytes.
#[test]
fn a_flag_of_the_thread_that_waits() {
    check("own_node.c", &[], 1);
    check("own_node.c", &["-DHEAP"], 1);
}

/// The object of a loop that waits is freed.
#[test]
fn a_look_at_what_is_freed() {
    for model in ["sc", "tso", "pso", "ra", "rc11", "power", "aarch64"] {
        assert_eq!(found("freed.c", &["--model", model], &[])[0], "refuted", "{model}");
    }
}
