//! Races and cycles that are found while an execution goes on: on random programs it has one just where the judge sees
//! one by the definitions, whether it is complete, blocked or faulty, and whether the search goes on behind a race.

use crate::support::common::{copy, seeds};
use crate::support::linked::linked;
use raddle_check::{Algorithm, MemoryModel, Options, Plan, Semantics, buffering, explore_schedules};
use raddle_event::{FaultKind, Path};
use raddle_explore::{End, Sink};
use raddle_join::{Ending, Scheduled, Stop};
use raddle_judge::{PlainSchedule, Record};
use raddle_memory::buffered::BufferedModel;
use raddle_program::{Program, parse};
use raddle_sample::{Random, Shape, describe};
use std::fmt::Write;
use std::ops::ControlFlow;

/// How many executions of a program are looked at.
const MOST: usize = 60;

/// How many executions there were, and how many of them the judge sees a race and a cycle in.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    executions: usize,
    races: usize,
    cycles: usize,
}

struct Looked<'p> {
    program: &'p Program,
    plan: Plan,
    model: BufferedModel,
    /// Whether cycles are looked for.
    robustness: bool,
    count: Count,
    /// An execution of which something else was said than the judge sees.
    wrong: Option<String>,
}

impl<'p> Looked<'p> {
    fn look(&mut self, scheduled: &Scheduled<'p>) -> Result<(), String> {
        let witness = scheduled.witness();
        let Path::Schedule(steps) = &witness.path else { unreachable!("it was explored by schedules") };
        let record = Record::under(self.plan.judged_by());
        let mut plain = PlainSchedule::new(copy(self.program, &scheduled.machine), buffering(self.model), false, record);
        if !plain.run(steps) {
            // One that stopped at what cannot be run may not be run again either.
            return if scheduled.stop().is_some() { Ok(()) } else { Err(format!("{steps:?} cannot be run again")) };
        }
        let found = scheduled.faults().into_iter().find(|at| at.fault.kind == FaultKind::DataRace);
        let (race, cycle) = (plain.watch.has_any_race(), plain.watch.has_cycle());
        let Count { executions, races, cycles } = &mut self.count;
        *executions += 1;
        *races += race as usize;
        *cycles += cycle as usize;
        match found {
            Some(at) if !plain.watch.has_race(at.thread, &at.moment) => return Err(format!("no race of {}", at.thread)),
            None if race && !scheduled.may_race() => return Err("a race was missed".into()),
            _ => {}
        }
        let is_other = self.robustness && scheduled.has_cycle() != Some(cycle);
        if is_other { Err(format!("a cycle, where there is one: {cycle}")) } else { Ok(()) }
    }
}

impl<'p> Sink<Scheduled<'p>> for Looked<'p> {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if scheduled.stop() == Some(&Stop::Contradicted) || self.count.executions == MOST {
            return ControlFlow::Break(());
        }
        if end == End::Redundant {
            return ControlFlow::Continue(());
        }
        self.wrong = self.look(scheduled).err();
        if self.wrong.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.count = Count::default();
    }
}

fn look(program: &Program, plan: Plan, options: &Options) -> (Count, Option<String>) {
    let Semantics::Schedules(model) = plan.semantics else { unreachable!("these models have schedules") };
    let robustness = options.robustness;
    let mut looked = Looked { program, plan, model, robustness, count: Count::default(), wrong: None };
    explore_schedules(program, plan, model, options, &mut looked);
    (looked.count, looked.wrong)
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
            for (robustness, keep_going) in [(false, true), (true, false), (true, true)] {
                let options = Options { races: true, robustness, keep_going, ..Options::default() };
                let (count, wrong) = look(&program, plan, &options);
                assert_eq!(wrong, None, "seed {seed}, {model}\n{description}");
                all.executions += count.executions;
                all.races += count.races;
                all.cycles += count.cycles;
            }
        }
    }
    all
}

fn shapes() -> Vec<Shape> {
    let of = |shape: Shape, actions| Shape { actions, ..shape };
    let mixed = |shape: Shape, actions| Shape { orders: true, fences: true, actions, ..shape };
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
        of(Shape::overlaps(), 8),
        mixed(Shape::locks(), 9),
        mixed(Shape::updates(), 9),
        mixed(Shape::overlaps(), 8),
        mixed(Shape::awaits(), 8),
        mixed(Shape::branches(), 9),
        mixed(Shape::ended_beside_locks(), 10),
    ]
}

#[test]
fn under_sc() {
    let count = check(MemoryModel::Sc, 160, &shapes());
    assert!(count.races > 0 && count.races < count.executions, "{count:?}");
    assert_eq!(count.cycles, 0, "SC has no cycles");
}

#[test]
fn under_tso() {
    let count = check(MemoryModel::Tso, 160, &shapes());
    assert!(count.races > 0 && count.races < count.executions, "{count:?}");
    assert!(count.cycles > 0 && count.cycles < count.executions, "{count:?}");
}

#[test]
fn under_pso() {
    let count = check(MemoryModel::Pso, 160, &shapes());
    assert!(count.races > 0 && count.races < count.executions, "{count:?}");
    assert!(count.cycles > 0 && count.cycles < count.executions, "{count:?}");
}

/// What threads do with eight bytes from the heap that one of them has shown to the others: random accesses of these
/// sizes, and ends.
pub fn heap_program(random: &mut Random, sizes: &[u32]) -> String {
    let mut text = String::from("addresses code.0 globals.0\nglobal g0 \"p\" size 8 align 8\nglobal g1 \"f\" size 4 align 4\n");
    text += "extern x0 \"malloc\"\nextern x1 \"free\"\nentry f0\nentry f1\nentry f2\n";
    for thread in 0..3 {
        writeln!(text, "function f{thread} \"thread\" parameters 0 results 0 registers 3\nb0:").expect("text takes text");
        let shown = random.pick(&["release", "relaxed", "plain"]);
        let looked = random.pick(&["acquire", "relaxed", "plain"]);
        match thread {
            0 => writeln!(text, "  call.extern (r0), x0, (8)\n  store r0, 0, 4, relaxed\n  store &g0, r0, 8, {shown}"),
            _ => writeln!(text, "  load r0, &g0, 8, {looked}\n  br r0, b2, b1\nb1:\n  return ()\nb2:"),
        }
        .expect("text takes text");
        let mut block = if thread == 0 { 0 } else { 2 };
        for _ in 0..random.within(1..=3) {
            text += &heap_action(random, sizes, &mut block);
        }
        text += "  return ()\n";
    }
    text
}

fn heap_action(random: &mut Random, sizes: &[u32], block: &mut u32) -> String {
    let size = random.pick(sizes);
    let read = random.pick(&["plain", "relaxed", "acquire", "seq_cst"]);
    let written = random.pick(&["plain", "relaxed", "release", "seq_cst"]);
    let both = random.pick(&["relaxed", "acquire", "release", "acq_rel"]);
    let fence = random.pick(&["acquire", "release", "acq_rel", "seq_cst"]);
    match random.below(8) {
        0 | 1 => format!("  load r1, r0, {size}, {read}\n"),
        2 | 3 => format!("  store r0, 1, {size}, {written}\n"),
        4 => "  call.extern (), x1, (r0)\n".into(),
        5 => format!("  rmw r1, add, &g1, 1, 4, {both}\n"),
        6 => format!("  fence {fence}\n"),
        // Goes on only when somebody has counted.
        _ => {
            *block += 2;
            let (end, then) = (*block - 1, *block);
            format!("  load r1, &g1, 4, {read}\n  br r1, b{then}, b{end}\nb{end}:\n  return ()\nb{then}:\n")
        }
    }
}

/// The end of an object races with accesses to it, whichever comes first, and with stores that still wait when it
/// comes.
#[test]
fn ends_of_objects() {
    let mut random = Random::new(0);
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let plan = Plan::new(model, Algorithm::Optimal, None).expect("the pairing exists");
        let (mut executions, mut races) = (0, 0);
        for seed in seeds(400) {
            let text = heap_program(&mut random, &[2, 4, 8]);
            let program = linked(parse(&text).unwrap_or_else(|why| panic!("{why:?}\n{text}")));
            let options = Options { races: true, robustness: true, keep_going: seed % 2 == 0, ..Options::default() };
            let (count, wrong) = look(&program, plan, &options);
            assert_eq!(wrong, None, "{model}\n{text}");
            (executions, races) = (executions + count.executions, races + count.races);
        }
        assert!(races > 0 && races < executions, "{races} of {executions}");
    }
}
