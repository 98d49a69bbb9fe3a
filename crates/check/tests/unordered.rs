//! Data races under POWER and AArch64: on random programs a run has one just where the judge sees one by the
//! definition, whether it is complete, blocked or faulty; and loops that wait hide none.

use crate::support::commit_twin::Judged;
use crate::support::linked::linked;
use crate::support::seeds::seeds;
use raddle_event::Path;
use raddle_explore::{End, Sink, rsmc};
use raddle_join::{Committing, Ending, Stop, start_over};
use raddle_judge::PlainPower;
use raddle_machine::{Limits, OutOfOrder};
use raddle_memory::aarch64::AArch64;
use raddle_memory::power::Power;
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};
use std::ops::ControlFlow;

/// How many runs of a program are looked at.
const MOST: usize = 300;

/// How many runs there were, in how many there is a race, and one of which something else was said than the judge sees.
struct Looked<'p> {
    program: &'p Program,
    n_runs: usize,
    n_races: usize,
    wrong: Option<String>,
}

impl<'p, M: Judged> Sink<Committing<'p, M>> for Looked<'p> {
    fn execution(&mut self, committing: &Committing<'p, M>, end: End) -> ControlFlow<()> {
        if committing.stop() == Some(&Stop::Contradicted) || self.n_runs == MOST {
            return ControlFlow::Break(());
        }
        if end == End::Redundant || committing.stop().is_some() {
            return ControlFlow::Continue(());
        }
        let witness = committing.witness();
        let Path::Commits(run) = &witness.path else { unreachable!("it was explored by commits") };
        let mut plain = PlainPower::new(self.program, Limits::default(), witness.sites.clone(), witness.tables.clone(), M::JUDGED_BY);
        assert!(run.iter().all(|&(event, way)| plain.commit(event, way)), "a run that was explored can be run: {run:?}");
        let (may_race, races) = (committing.may_race(), plain.races());
        self.n_runs += 1;
        self.n_races += !races.is_empty() as usize;
        if may_race == races.is_empty() {
            self.wrong = Some(format!("a run is said to race: {may_race}, and the judge sees {races:?} in {run:?}"));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        (self.n_runs, self.n_races) = (0, 0);
    }
}

fn looked<M: Judged>(program: &Program, awaits: bool) -> Looked<'_> {
    let mut looked = Looked { program, n_runs: 0, n_races: 0, wrong: None };
    let limits = Limits { awaits, races: true, ..Limits::default() };
    let start = |sites| Committing::<M>::of(OutOfOrder::new(program, limits.clone(), sites, M::MAPPING), true);
    start_over(&mut looked, start, |committing, looked| {
        let _ended = rsmc(committing, looked);
        false
    });
    looked
}

/// What is wrong with a program, and how many of its runs race.
fn compare<M: Judged>(program: &Program) -> (Option<String>, usize) {
    let [with, without] = [true, false].map(|awaits| looked::<M>(program, awaits));
    let is_whole = with.n_runs < MOST && without.n_runs < MOST;
    let is_hidden = is_whole && (with.n_races > 0) != (without.n_races > 0);
    let hidden = is_hidden.then(|| format!("{} runs race with awaits, {} without", with.n_races, without.n_races));
    (with.wrong.or(without.wrong).or(hidden), with.n_races)
}

#[track_caller]
fn check<M: Judged>(usual: u64, shape: &Shape) {
    let (mut n_races, mut n_without) = (0, 0);
    for seed in seeds(usual) {
        let description = describe(seed, shape);
        let (what, n) = compare::<M>(&linked(description.lower()));
        n_races += (n > 0) as u64;
        n_without += (n == 0) as u64;
        if let Some(what) = what {
            let small = minimise(description, |program| compare::<M>(program).0.is_some());
            panic!("seed {seed}: {what}\n{small}\n{:?}", compare::<M>(&linked(small.lower())).0);
        }
    }
    assert!(n_races > 0 && n_without > 0, "{n_races} programs have races, {n_without} have none");
}

fn orders() -> Shape {
    Shape { orders: true, fences: true, actions: 8, ..Shape::power() }
}

fn updates() -> Shape {
    Shape { orders: true, fences: true, rmws: true, cas: 2, actions: 7, ..Shape::power() }
}

fn spawned() -> Shape {
    Shape { spawns: true, joins: true, orders: true, fences: true, actions: 7, ..Shape::power() }
}

#[test]
fn races_of_orders_and_fences() {
    check::<Power>(150, &orders());
    check::<AArch64>(150, &orders());
}

#[test]
fn races_of_read_modify_writes() {
    check::<Power>(100, &updates());
    check::<AArch64>(100, &updates());
}

#[test]
fn races_beside_locks() {
    check::<Power>(60, &Shape { orders: true, ..Shape::power_locks() });
    check::<AArch64>(60, &Shape { orders: true, ..Shape::power_locks() });
}

#[test]
fn races_of_spawned_threads() {
    check::<Power>(100, &spawned());
    check::<AArch64>(100, &spawned());
}

#[test]
fn races_beside_loops_that_wait() {
    check::<Power>(150, &Shape { orders: true, fences: true, ..Shape::power_awaits() });
    check::<AArch64>(150, &Shape { orders: true, fences: true, ..Shape::power_awaits() });
}
