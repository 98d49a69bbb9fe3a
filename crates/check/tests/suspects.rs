//! Which executions are run again for data races and for cycles that SC does not have: on random programs no execution
//! is left out in which the judge sees one, whether it is complete, blocked or faulty.

use crate::support::common::seeds;
use crate::support::linked::linked;
use raddle_check::{Algorithm, MemoryModel, Options, Plan, Semantics, buffering, explore_schedules};
use raddle_event::Path;
use raddle_explore::{End, Sink};
use raddle_join::{Ending, Scheduled, Stop};
use raddle_judge::{PlainSchedule, Record};
use raddle_memory::buffered::BufferedModel;
use raddle_program::Program;
use raddle_sample::{Shape, describe};
use std::ops::ControlFlow;

/// How many executions of a program are looked at.
const MOST: usize = 60;

/// How many executions there were, and how many of them raced, were suspected of it, had a cycle, were suspected of it.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    executions: usize,
    races: [usize; 2],
    cycles: [usize; 2],
}

struct Looked<'p> {
    program: &'p Program,
    plan: Plan,
    model: BufferedModel,
    count: Count,
    /// An execution with a race or a cycle that was left out.
    missed: Option<&'static str>,
}

impl<'p> Sink<Scheduled<'p>> for Looked<'_> {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if scheduled.stop() == Some(&Stop::Contradicted) || self.count.executions == MOST {
            return ControlFlow::Break(());
        }
        if end == End::Redundant {
            return ControlFlow::Continue(());
        }
        let witness = scheduled.witness();
        let Path::Schedule(steps) = &witness.path else { unreachable!("it was explored by schedules") };
        let record = Record::under(self.plan.judged_by());
        let machine = crate::support::common::copy(self.program, &scheduled.machine);
        let mut plain = PlainSchedule::new(machine, buffering(self.model), false, record);
        assert!(plain.run(steps), "a schedule that was explored can be run");
        let (race, cycle) = (plain.watch.has_any_race(), plain.watch.has_cycle());
        let Count { executions, races, cycles } = &mut self.count;
        *executions += 1;
        races[0] += race as usize;
        races[1] += scheduled.may_race() as usize;
        cycles[0] += cycle as usize;
        cycles[1] += scheduled.may_have_cycle() as usize;
        if race && !scheduled.may_race() {
            self.missed = Some("race");
        }
        if cycle && !scheduled.may_have_cycle() {
            self.missed = Some("cycle");
        }
        if self.missed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.count = Count::default();
    }
}

fn look(program: &Program, plan: Plan, options: &Options) -> (Count, Option<&'static str>) {
    let Semantics::Schedules(model) = plan.semantics else { unreachable!("these models have schedules") };
    let mut looked = Looked { program, plan, model, count: Count::default(), missed: None };
    explore_schedules(program, plan, model, options, &mut looked);
    (looked.count, looked.missed)
}

/// Looks at random programs under a model; gives the counts of all of them.
#[track_caller]
fn check(model: MemoryModel, n_seeds: u64, shapes: &[Shape]) -> Count {
    let plan = Plan::new(model, Algorithm::Optimal, None).expect("the pairing exists");
    let mut all = Count::default();
    for shape in shapes {
        for seed in seeds(n_seeds) {
            let description = describe(seed, shape);
            let program = linked(description.lower());
            // With races alone blocks are looked at in another way.
            for (robustness, keep_going) in [(false, true), (true, false)] {
                let options = Options { races: true, robustness, keep_going, ..Options::default() };
                let (count, missed) = look(&program, plan, &options);
                assert_eq!(missed, None, "seed {seed}, {model}: an execution was left out\n{description}");
                all.executions += count.executions;
                (0..2).for_each(|n| {
                    all.races[n] += count.races[n];
                    all.cycles[n] += count.cycles[n];
                });
            }
        }
    }
    all
}

fn shapes() -> Vec<Shape> {
    let of = |shape: Shape, actions| Shape { actions, ..shape };
    vec![
        Shape::tiny(),
        Shape::schedules(),
        Shape::exchanges(),
        Shape::reservations(),
        Shape::choices(),
        of(Shape::plain(), 8),
        of(Shape::locks(), 8),
        of(Shape::orders(), 8),
        of(Shape::updates(), 8),
        of(Shape::long(), 9),
    ]
}

#[test]
fn nothing_is_left_out_under_sc() {
    let count = check(MemoryModel::Sc, 300, &shapes());
    assert!(count.races[0] > 0 && count.races[1] < count.executions, "{count:?}");
    assert_eq!(count.cycles[0], 0, "SC has no cycles");
}

#[test]
fn nothing_is_left_out_under_tso() {
    let count = check(MemoryModel::Tso, 300, &shapes());
    assert!(count.races[0] > 0 && count.races[1] < count.executions, "{count:?}");
    assert!(count.cycles[0] > 0 && count.cycles[1] < count.executions, "{count:?}");
}

#[test]
fn nothing_is_left_out_under_pso() {
    let count = check(MemoryModel::Pso, 300, &shapes());
    assert!(count.races[0] > 0 && count.races[1] < count.executions, "{count:?}");
    assert!(count.cycles[0] > 0 && count.cycles[1] < count.executions, "{count:?}");
}
