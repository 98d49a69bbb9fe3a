//! Several workers count what one worker counts, and find what it finds: under every model with its default algorithm,
//! on random programs whose exploration is divided from the first step on.

use crate::support::linked::linked;
use crate::support::seeds::seeds;
use crate::support::sum::Sum;
use raddle_check::{Limit, MemoryModel, Options, Plan, Verdict, check};
use raddle_program::Program;
use raddle_sample::{Shape, describe};
use std::time::Duration;

/// Programs with more executions than this are left out.
const MOST: u64 = 3_000;

fn options(jobs: usize) -> Options<'static> {
    Options { keep_going: true, leaks: true, statuses: true, jobs, alone: Some(Duration::ZERO), ..Options::default() }
}

/// Compares one worker with several.
fn compare(name: &str, program: &Program, model: MemoryModel) -> bool {
    let plan = Plan::best(model);
    let limited = Options { max_executions: Some(MOST), ..options(1) };
    let one = Sum::of(check(program, plan, &limited, &mut |_| {}));
    if one.limits.contains(&Limit::Executions(MOST)) {
        return false;
    }
    for jobs in [2, 4, 16] {
        let several = Sum::of(check(program, plan, &options(jobs), &mut |_| {}));
        assert_eq!(several, one, "{name} under {model} with {jobs} workers");
    }
    true
}

fn compare_all(shape: &Shape, usual: u64) {
    let mut n = 0;
    for seed in seeds(usual) {
        let description = describe(seed, shape);
        let program = linked(description.lower());
        for (model, _) in MemoryModel::ALL {
            n += compare(&format!("seed {seed}"), &program, model) as u64;
        }
    }
    assert!(n > usual, "only {n} programs are small enough");
}

#[test]
fn schedules_and_graphs() {
    compare_all(&Shape { actions: 10, ..Shape::schedules() }, 12);
}

#[test]
fn choices() {
    compare_all(&Shape { actions: 10, ..Shape::choices() }, 12);
}

#[test]
fn locks() {
    compare_all(&Shape { actions: 10, ..Shape::locks() }, 12);
}

#[test]
fn awaits() {
    compare_all(&Shape { actions: 10, ..Shape::awaits() }, 12);
}

#[test]
fn spawned_threads_and_few_locations() {
    compare_all(&Shape { locations: 1..=2, ..Shape::plain() }, 12);
}

#[test]
fn reservations() {
    compare_all(&Shape::reservations(), 12);
}

/// A load that could read what a compare-exchange of its own thread stores: whether that succeeds is guessed. So it
/// is where what it compares with is read by a load that may be committed later.
#[test]
fn guesses() {
    let check_with = |expected: &str| {
        let text = format!(
            "
global g0 \"x\" size 4
global g1 \"y\" size 4
entry f0
entry f1
function f0 \"exchanges\"
b0:
  load r3, &g1, 4, relaxed
  cas r0, r1, &g0, {expected}, 1, 4, relaxed, relaxed
  load r2, &g0, 4, relaxed
  store &g1, r2, 4, relaxed
  return ()
function f1 \"copies\"
b0:
  load r0, &g1, 4, relaxed
  store &g0, r0, 4, relaxed
  return ()
"
        );
        let program = raddle_program::parse(&text).expect("the program is well written");
        assert!(compare("exchanged", &program, MemoryModel::AArch64));
        let outcome = check(&program, Plan::best(MemoryModel::AArch64), &options(4), &mut |_| {});
        (outcome.verdict, outcome.limits)
    };
    assert_eq!(check_with("1"), (Verdict::Verified, vec![]));
    assert_eq!(check_with("r3"), (Verdict::Verified, vec![]));
}
