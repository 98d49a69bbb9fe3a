//! What is left out of a witness: what a thread does behind all that the fault needs. The fault stays the same, and the
//! judge confirms it.

use crate::support::{seeds, two_threads};
use raddle_check::{MemoryModel, Options, Plan, check, confirm};
use raddle_event::Path;
use raddle_machine::Found;
use raddle_program::Program;
use raddle_sample::{Shape, describe};
use raddle_story::{judge, shortened};

fn len(found: &Found) -> usize {
    match &found.witness.path {
        Path::Schedule(steps) => steps.len(),
        Path::Graph(events) => events.len(),
        Path::Commits(events) => events.len(),
    }
}

/// The first fault of a program, as the search found it.
fn found(program: &Program, plan: Plan, options: &Options) -> Option<Found> {
    check(program, plan, options, &mut |_| {}).found.into_iter().next()
}

/// It fails when it sees the first of many stores of the other thread.
const LEFT: &str = "
  load r0, &g1, 4, relaxed
  load r1, &g0, 4, relaxed
  br.eq r1, 0, b2, b1
b1:
  unreachable
b2:
  return ()";

const RIGHT: &str = "
  store &g0, 1, 4, relaxed
  store &g1, 1, 4, relaxed
  store &g1, 2, 4, relaxed
  store &g1, 3, 4, relaxed
  store &g1, 4, 4, relaxed
  return ()";

#[test]
fn what_comes_behind_the_fault_is_left_out() {
    let program = two_threads(LEFT, RIGHT);
    for (model, _) in MemoryModel::ALL {
        let (plan, options) = (Plan::best(model), Options::default());
        let mut outcome = check(&program, plan, &options, &mut |_| {});
        confirm(&program, &options.limits, &mut outcome);
        // The two loads and the first store, which may have to reach memory.
        assert!(len(&outcome.found[0]) <= 4, "{model}: {:?}", outcome.found[0].witness.path);
    }
}

/// Random programs, and what goes wrong in them: races, deadlocks, executions that SC does not have. A witness that was
/// shortened shows the same fault, and cannot be shortened further.
#[test]
fn a_short_witness_shows_the_same_and_stays_as_it_is() {
    let mut n_shorter = 0;
    for seed in seeds(150) {
        let program = describe(seed, &Shape::schedules()).lower();
        for (model, _) in MemoryModel::ALL {
            let plan = Plan::best(model);
            let is_machine = matches!(model, MemoryModel::Power | MemoryModel::AArch64);
            let races = !is_machine && seed % 2 == 0;
            let options = Options { races, robustness: !races && model != MemoryModel::Ra, ..Options::default() };
            let Some(found) = found(&program, plan, &options) else { continue };
            let fault = judge(&program, plan.judged_by(), &options.limits, &found).expect("the judge confirms it");
            let found = Found::of(&fault, found.witness);
            let short = shortened(&program, plan.judged_by(), &options.limits, found.clone());
            assert_eq!(judge(&program, plan.judged_by(), &options.limits, &short), Ok(fault), "{model}, seed {seed}");
            assert!(len(&short) <= len(&found), "{model}, seed {seed}");
            let again = shortened(&program, plan.judged_by(), &options.limits, short.clone());
            assert_eq!(len(&again), len(&short), "{model}, seed {seed}");
            n_shorter += usize::from(len(&short) < len(&found));
        }
    }
    assert!(n_shorter > 20, "only {n_shorter} witnesses were shortened");
}
