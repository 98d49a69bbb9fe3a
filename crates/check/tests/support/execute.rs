//! Runs whatever the verifier accepts, a little, under every model: nothing that a program does may break the machine.

use raddle_check::{MemoryModel, Options, Plan, check};
use raddle_machine::{Limits, link};
use raddle_program::{Program, parse, verify};
use std::time::Duration;

/// What a program may have so that running it a little costs little.
fn is_small(program: &Program) -> bool {
    let size = |global: &raddle_program::Global| global.size;
    program.globals.iter().map(size).sum::<u64>() <= 1 << 16
        && program.entries.len() <= 4
        && program.functions.iter().all(|function| function.frame() <= 1 << 10)
}

/// Whether a text is a program that the verifier accepts; if so it is run in order and out of order.
pub fn execute(text: &str) -> bool {
    let Some(mut program) = parse(text).ok().filter(|program| verify(program).is_ok() && is_small(program)) else { return false };
    link(&mut program);
    assert_eq!(verify(&program), Ok(()), "what is linked keeps the invariants");
    let limits = Limits {
        private_turns: Some(500),
        patience: Some(std::time::Duration::ZERO),
        events: 60,
        frames: 30,
        stack: 1 << 16,
        heap: 1 << 16,
        nondet: Some((0, 1)),
        ..Limits::default()
    };
    let options = |unroll, uninitialised, spurious| Options {
        limits: Limits { unroll, uninitialised, spurious, ..limits.clone() },
        max_executions: Some(8),
        timeout: Some(Duration::from_secs(2)),
        keep_going: true,
        ..Options::default()
    };
    for (model, _) in MemoryModel::ALL {
        let plan = Plan::new(model, model.default_algorithm(), None).expect("every model has an algorithm");
        check(&program, plan, &options(None, false, false), &mut |_| ());
        check(&program, plan, &options(Some(2), true, true), &mut |_| ());
    }
    true
}
