//! What executions come from: the counts that `Branching` keeps while an exploration goes on are those of a plain twin,
//! which looks at the whole path of every execution; and several workers count what one counts.

use crate::support::linked::linked;
use crate::support::seeds::seeds;
use raddle_check::{Algorithm, Each, Limit, MemoryModel, Options, Plan, check, explore_all};
use raddle_event::LocationId;
use raddle_explore::{Branch, Branching, Concern, End, Turn};
use raddle_join::{Ending, Stop};
use raddle_program::Program;
use raddle_sample::{Shape, describe};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

/// Programs with more executions than this are left out.
const MOST: u64 = 1_500;

/// Looks at the path of every execution.
#[derive(Default)]
struct Twin {
    /// The branches on the path, each with its point and whether the point was given up with it.
    path: Vec<(Branch, Concern)>,
    counted: BTreeMap<Concern, u64>,
    clever: Branching,
    executions: u64,
    is_left_out: bool,
}

impl Each for Twin {
    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()> {
        match ending.stop() {
            Some(Stop::Contradicted) => return ControlFlow::Break(()),
            Some(_) => self.is_left_out = true,
            None => {}
        }
        if end == End::Maximal {
            self.executions += 1;
            self.clever.reach();
            let concerns: BTreeSet<Concern> = self.path.iter().map(|(_, concern)| *concern).collect();
            concerns.into_iter().for_each(|concern| *self.counted.entry(concern).or_default() += 1);
        }
        self.is_left_out |= self.executions > MOST;
        if self.is_left_out { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn turns(&mut self, ending: &dyn Ending, branch: Branch, at: Option<LocationId>) {
        let range = |at| ending.world().locations().range(at);
        self.clever.turn(branch, at, range);
        let is_before = |earlier: Branch| match earlier.turn {
            Turn::Last => earlier.point <= branch.point,
            _ => earlier.point < branch.point,
        };
        let stays = self.path.iter().take_while(|(earlier, _)| is_before(*earlier)).count();
        self.path.truncate(stays);
        if branch.turn != Turn::Rest {
            self.path.push((branch, at.map(range)));
        }
    }

    fn restart(&mut self) {
        *self = Twin::default();
    }
}

/// Compares with the twin.
fn compare_with_twin(name: &str, program: &Program, plan: Plan) {
    let mut twin = Twin::default();
    explore_all(program, plan, &Options::default(), &mut twin);
    if !twin.is_left_out {
        let clever: BTreeMap<Concern, u64> = twin.clever.take().into_iter().collect();
        assert_eq!(clever, twin.counted, "{name} under {} by {}", plan.name, plan.algorithm);
    }
}

/// Compares one worker with several; tells whether there was something to compare.
fn compare_with_workers(name: &str, program: &Program, plan: Plan) -> bool {
    let options = |jobs| Options { keep_going: true, jobs, alone: Some(Duration::ZERO), ..Options::default() };
    let few = check(program, plan, &Options { max_executions: Some(MOST), ..options(1) }, &mut |_| {});
    if few.stop.is_some() || few.limits.contains(&Limit::Executions(MOST)) {
        return false;
    }
    let one = check(program, plan, &options(1), &mut |_| {});
    for jobs in [2, 3] {
        let several = check(program, plan, &options(jobs), &mut |_| {});
        assert_eq!(one.branched.executions, several.branched.executions, "{name} under {} by {jobs} workers", plan.name);
    }
    one.branched.executions.len() > 1
}

fn plans() -> Vec<Plan> {
    let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Ra, MemoryModel::Sra, MemoryModel::Rc11];
    let mut plans: Vec<Plan> = models.into_iter().map(Plan::best).collect();
    for algorithm in [Algorithm::Classic, Algorithm::Source, Algorithm::Graphs] {
        plans.extend(Plan::new(MemoryModel::Tso, algorithm, None));
    }
    plans.extend([Plan::best(MemoryModel::Power), Plan::best(MemoryModel::AArch64)]);
    plans
}

fn shapes() -> [Shape; 4] {
    [Shape { actions: 10, ..Shape::schedules() }, Shape::choices(), Shape::locks(), Shape::awaits()]
}

#[test]
fn the_counts_are_those_of_whole_paths() {
    for shape in shapes() {
        for seed in seeds(20) {
            let program = linked(describe(seed, &shape).lower());
            plans().into_iter().for_each(|plan| compare_with_twin(&format!("seed {seed}"), &program, plan));
        }
    }
}

#[test]
fn several_workers_count_what_one_counts() {
    let mut n = 0;
    for shape in shapes() {
        for seed in seeds(12) {
            let program = linked(describe(seed, &shape).lower());
            n += plans().into_iter().filter(|&plan| compare_with_workers(&format!("seed {seed}"), &program, plan)).count();
        }
    }
    assert!(n > 100, "only {n} comparisons of something");
}
