//! Where the search for the continuation of an execution stops, under every model: at the limit of its length, and
//! where a model has no words for what a thread does.

use crate::text::program;
use raddle_check::{MemoryModel, Options, Plan, Semantics, Verdict, check};
use raddle_event::ThreadId;
use raddle_join::Stop;
use raddle_machine::Limits;
use raddle_program::{Program, parse};
use std::time::Duration;

/// What stopped the check of a program whose executions may have so many events, without any patience with longer ones.
fn stop(threads: &[&str], model: MemoryModel, events: u32) -> Option<Stop> {
    stop_of(&program(threads), model, events)
}

fn stop_of(program: &Program, model: MemoryModel, events: u32) -> Option<Stop> {
    let plan = Plan::new(model, model.default_algorithm(), None).expect("the pairing exists");
    let options = Options { limits: Limits { events, patience: Some(Duration::ZERO), ..Limits::default() }, ..Options::default() };
    let outcome = check(program, plan, &options, &mut |_| {});
    assert_eq!(outcome.verdict == Verdict::Verified, outcome.stop.is_none(), "what is not stopped is verified");
    outcome.stop
}

fn endless(threads: &[&str], model: MemoryModel, events: u32) -> Option<ThreadId> {
    stop(threads, model, events).map(|stop| match stop {
        Stop::Endless { thread, .. } => thread,
        other => panic!("{model}: {other:?}"),
    })
}

/// Four stores and a load. An execution of just as many events as the limit says is not too long. One that is longer is
/// judged endless when the thread that has most of the events goes on; graphs (RA, SRA, RC11) grow by the load last.
#[test]
fn an_execution_may_be_as_long_as_the_limit() {
    let threads = ["x=1; x=1; x=1; x=1", "r=x"];
    for (model, _) in MemoryModel::ALL {
        assert_eq!(endless(&threads, model, 5), None, "{model}");
        let is_last = matches!(Plan::best(model).semantics, Semantics::Graphs(_));
        assert_eq!(endless(&threads, model, 4).is_none(), is_last, "{model}");
        assert_eq!(endless(&threads, model, 3), Some(ThreadId(0)), "{model}");
    }
}

/// A reservation has a meaning under SC, TSO, PSO, POWER and AArch64, and none in graphs that grow.
#[test]
fn what_a_model_has_no_words_for_is_not_passed_over() {
    for (model, _) in MemoryModel::ALL {
        let found = stop(&["reserve x", "x=1"], model, 100);
        let is_refused = matches!(found, Some(Stop::Unsupported { ref what, thread: ThreadId(0), .. }) if what.contains("load-reserve"));
        assert_eq!(is_refused, matches!(Plan::best(model).semantics, Semantics::Graphs(_)), "{model}: {found:?}");
    }
}

/// Half of what is reserved is stored by one thread, the other half by another. The two stores are independent of each
/// other, and each breaks the reservation: `optimal` explored some of these traces twice.
#[test]
fn a_reservation_of_bytes_of_several_sizes_is_refused() {
    let text = "global g0 \"x\" size 8 align 8\nentry f0\nentry f1\nentry f2\nfunction f0 \"reserves\"\nb0:\n  load.reserve r0, &g0, 8, relaxed\n  \
                store.conditional r1, &g0, 1, 8, relaxed\n  return ()\nfunction f1 \"low\"\nb0:\n  store &g0, 1, 4, plain\n  load r0, &g0, 1, plain\n  \
                return ()\nfunction f2 \"high\"\nb0:\n  add r0, &g0, 4, 64\n  store r0, 1, 4, plain\n  store &g0, 1, 2, plain\n  return ()\n";
    let program = parse(text).expect("it is a program");
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let found = stop_of(&program, model, 1000);
        assert!(matches!(found, Some(Stop::Unsupported { ref what, .. }) if what.contains("several sizes")), "{model}: {found:?}");
    }
}

/// Stores that wait in a buffer are no events, and there may be no end of them.
#[test]
fn what_others_cannot_see_may_not_go_on_for_ever() {
    let text = "global g0 \"x\" size 4\nentry f0\nentry f1\nfunction f0 \"stores\"\nloop l0 (r0)\nb0:\n  move r0, 0\n  loop.enter l0\n  jump b1\nb1:\n  \
                add r0, r0, 1, 32\n  store &g0, r0, 4, plain\n  loop.next l0, b1\nfunction f1 \"loads\"\nb0:\n  load r0, &g0, 4, plain\n  return ()\n";
    let program = parse(text).expect("it is a program");
    for (model, _) in MemoryModel::ALL {
        let found = stop_of(&program, model, 1000);
        assert!(matches!(found, Some(Stop::Endless { thread: ThreadId(0), .. })), "{model}: {found:?}");
    }
}

/// A private loop that counts is never twice in the same state. It is given up when it has made very many turns, and
/// not before.
#[test]
fn a_loop_that_nobody_sees_may_not_go_on_for_ever() {
    let counts = |most: &str| {
        parse(&format!(
            "entry f0\nfunction f0 \"counts\"\nloop l0 (r0)\nb0:\n  move r0, 0\n  loop.enter l0\n  jump b1\nb1:\n  \
             add r0, r0, 1, 64\n  br.eq r0, {most}, b3, b2\nb2:\n  loop.next l0, b1\nb3:\n  return ()\n"
        ))
        .unwrap_or_else(|why| panic!("{why}"))
    };
    let found = stop_of(&counts("0"), MemoryModel::Sc, 1000);
    assert!(matches!(found, Some(Stop::Endless { thread: ThreadId(0), .. })), "{found:?}");
    assert_eq!(stop_of(&counts("100000000"), MemoryModel::Sc, 1000), None);
}
