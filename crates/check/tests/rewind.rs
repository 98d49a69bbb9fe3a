//! Going back: random programs go forward under random schedules and back to random points. There the whole state must
//! be that of a fresh run to the same point: threads with their registers and private memory, shared memory, buffers,
//! what is enabled and what it touches.

use crate::support::linked::linked;
use raddle_event::{Footprint, Position, Step, Taken, Who};
use raddle_explore::System;
use raddle_join::{Ending, Scheduled, Stop};
use raddle_machine::{FaultAt, Limits, Machine, Sites};
use raddle_memory::buffered::{BufferedModel, Buffers, Memory};
use raddle_program::{Program, parse};
use raddle_sample::{Random, Shape, program};
use std::ops::ControlFlow;

/// How many times a walk goes forward or back.
const TURNS: u32 = 60;

/// Everything that can be seen of a system at one point.
#[derive(Debug, PartialEq)]
struct State {
    machine: raddle_machine::Snapshot,
    memory: raddle_memory::buffered::Snapshot,
    faults: Vec<FaultAt>,
    enabled: Vec<(Who, u32, Footprint)>,
}

fn state(scheduled: &Scheduled) -> State {
    let describe = |step: Step| (scheduled.who(step), step.choice, scheduled.footprint(step.actor));
    let mut enabled: Vec<_> = enabled(scheduled).into_iter().map(describe).collect();
    enabled.sort_by_key(|&(who, choice, _)| (who, choice));
    let machine = raddle_machine::Snapshot::of(&scheduled.machine);
    State { machine, memory: raddle_memory::buffered::Snapshot::of(&scheduled.memory), faults: scheduled.core.faults.clone(), enabled }
}

fn enabled(scheduled: &Scheduled) -> Vec<Step> {
    let mut steps = Vec::new();
    if !scheduled.is_over() {
        let _all = scheduled.enabled(None, |step, _| {
            steps.push(step);
            ControlFlow::Continue(())
        });
    }
    steps
}

/// The state that a fresh run by this schedule reaches.
fn fresh(program: &Program, model: BufferedModel, walked: &Scheduled, schedule: &[(Who, u32)]) -> State {
    let machine = Machine::with_tables(program, walked.machine.limits().clone(), walked.machine.sites().clone(), walked.machine.tables());
    let mut scheduled = Scheduled::of(machine, Memory::new(model, walked.machine.limits().uninitialised), true);
    for (at, &(who, choice)) in schedule.iter().enumerate() {
        let named = |step: &Step| (scheduled.who(*step), step.choice) == (who, choice);
        let step = enabled(&scheduled).into_iter().find(named).expect("what was taken once can be taken again");
        scheduled.take(step, Position(at as u32), &mut Taken::default());
    }
    state(&scheduled)
}

/// Goes forward and back; gives what was learned where something that was taken as private is shared.
fn walk(program: &Program, model: BufferedModel, limits: &Limits, sites: Sites, random: &mut Random) -> Result<u32, Box<Sites>> {
    let mut scheduled = Scheduled::new(program, model, limits.clone(), sites, true);
    let mut schedule: Vec<(Who, u32)> = Vec::new();
    let mut n_compared = 0;
    // Threads run up to their first actions before any step is taken.
    if scheduled.stop() == Some(&Stop::Contradicted) {
        return Err(Box::new(scheduled.machine.sites().clone()));
    }
    for _ in 0..TURNS {
        let steps = enabled(&scheduled);
        if steps.is_empty() || random.once_in(6) {
            let to = random.below(schedule.len() as u32 + 1);
            if to < schedule.len() as u32 {
                scheduled.rewind(Position(to));
                schedule.truncate(to as usize);
            }
            assert_eq!(state(&scheduled), fresh(program, model, &scheduled, &schedule), "after {schedule:?}");
            n_compared += 1;
            continue;
        }
        let step = random.pick(&steps);
        let who = scheduled.who(step);
        scheduled.take(step, Position(schedule.len() as u32), &mut Taken::default());
        schedule.push((who, step.choice));
        match scheduled.stop() {
            Some(Stop::Contradicted) => return Err(Box::new(scheduled.machine.sites().clone())),
            Some(_) => break,
            None => {}
        }
    }
    Ok(n_compared)
}

/// Walks until nothing is learned any more; gives how many states were compared.
fn walks(program: &Program, model: BufferedModel, limits: &Limits, seed: u64) -> u32 {
    let (mut random, mut sites) = (Random::new(seed), Sites::default());
    loop {
        match walk(program, model, limits, sites, &mut random) {
            Ok(n) => return n,
            Err(learned) => sites = *learned,
        }
    }
}

/// The models, with and without a bound on what waits in a buffer.
const MODELS: [BufferedModel; 5] = [
    BufferedModel { buffers: Buffers::Sc, bound: None },
    BufferedModel { buffers: Buffers::Tso, bound: None },
    BufferedModel { buffers: Buffers::Pso, bound: None },
    BufferedModel { buffers: Buffers::Tso, bound: Some(1) },
    BufferedModel { buffers: Buffers::Pso, bound: Some(1) },
];

#[test]
fn going_back_is_the_same_as_never_having_gone_there() {
    let mut n_compared = 0;
    for seed in 0..300 {
        let program = linked(program(seed, &Shape::schedules()));
        n_compared += MODELS.map(|model| walks(&program, model, &Limits::default(), seed)).iter().sum::<u32>();
    }
    assert!(n_compared > 5_000, "only {n_compared} states were compared");
}

/// A thread shows bytes of which it has written one half; others read both.
#[test]
fn also_where_bytes_without_a_value_are_told_apart() {
    let program = linked(parse(include_str!("programs/half_written.txt")).unwrap_or_else(|why| panic!("{why}")));
    let limits = Limits { uninitialised: true, ..Limits::default() };
    let mut n_compared = 0;
    for seed in 0..60 {
        n_compared += MODELS.map(|model| walks(&program, model, &limits, seed)).iter().sum::<u32>();
    }
    assert!(n_compared > 1_000, "only {n_compared} states were compared");
}
