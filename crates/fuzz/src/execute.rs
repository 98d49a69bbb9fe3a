//! Runs whatever the verifier accepts, a little, under every model: nothing that a program does may break the machine,
//! an explorer, the judge or the words for a fault.

use raddle_check::{MemoryModel, Options, Outcome, Plan, check, confirm};
use raddle_join::Stop;
use raddle_machine::{Limits, link};
use raddle_program::{Program, verify};
use raddle_report::{Look, Sources, fault_text};
use std::time::Duration;

/// The terminal that faults are told to.
pub const LOOK: Look = Look { columns: 80, colours: false };

/// What a program may do, so that running it a little costs little.
pub fn limits() -> Limits {
    Limits {
        private_turns: Some(500),
        patience: Some(Duration::ZERO),
        events: 60,
        frames: 30,
        stack: 1 << 16,
        heap: 1 << 16,
        nondet: Some((0, 1)),
        ..Limits::default()
    }
}

/// Whether running a program a little costs little.
pub fn is_small(program: &Program) -> bool {
    let size = |global: &raddle_program::Global| global.size;
    program.globals.iter().fold(0, |sum: u64, global| sum.saturating_add(size(global))) <= 1 << 16
        && program.entries.len() <= 4
        && program.functions.iter().all(|function| function.frame() <= 1 << 10)
}

/// Runs a program that the verifier has accepted, in order and out of order.
pub fn execute(mut program: Program) {
    link(&mut program);
    assert_eq!(verify(&program), Ok(()), "what is linked keeps the invariants");
    for (model, _) in MemoryModel::ALL {
        let plan = Plan::new(model, model.default_algorithm(), None).expect("every model has an algorithm");
        explore(&program, plan, limits());
        explore(&program, plan, Limits { unroll: Some(2), uninitialised: true, spurious: true, ..limits() });
    }
}

/// Explores a little, and tells what is found.
fn explore(program: &Program, plan: Plan, limits: Limits) {
    let options = Options {
        limits,
        max_executions: Some(8),
        max_events: Some(2000),
        keep_going: true,
        liveness: true,
        leaks: true,
        ..Options::default()
    };
    let mut outcome = check(program, plan, &options, &mut |_| ());
    is_sound(&outcome);
    let stories = confirm(program, &options.limits, &mut outcome);
    is_sound(&outcome);
    for story in &stories {
        assert_eq!(story.untold, None, "a fault can be told");
        fault_text(story, &Sources::new(), LOOK);
    }
}

fn is_sound(outcome: &Outcome) {
    if let Some(Stop::Failed { what }) = &outcome.stop {
        panic!("{what}");
    }
}
