//! What is said of executions against the definitions: a check finds a data race, or an execution that is not robust,
//! just where the judge sees one in some execution; and a witness that was cut shows no deadlock.

use crate::support::linked::linked;
use crate::support::{copy, seeds};
use raddle_check::{Algorithm, MemoryModel, Options, Plan, Semantics, Verdict, buffering, check, explore_schedules};
use raddle_event::{FaultKind, Order, Path};
use raddle_explore::{End, Sink};
use raddle_join::{Ending, Scheduled, Stop};
use raddle_judge::{PlainSchedule, Record};
use raddle_machine::{Found, Limits};
use raddle_memory::buffered::BufferedModel;
use raddle_program::Program;
use raddle_sample::{Access, Description, Expression, MutexId, Shape, Statement, Style, describe, minimise};
use raddle_story::{Untold, tell};
use std::ops::ControlFlow;

/// How many executions are looked at.
const MOST: usize = 60;

/// What the judge sees in the executions of a program.
struct Seen<'p> {
    program: &'p Program,
    model: BufferedModel,
    n: usize,
    races: bool,
    cycles: bool,
}

impl<'p> Sink<Scheduled<'p>> for Seen<'_> {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if scheduled.stop() == Some(&Stop::Contradicted) || self.n > MOST {
            return ControlFlow::Break(());
        }
        if end == End::Redundant {
            return ControlFlow::Continue(());
        }
        self.n += 1;
        let mut plain = PlainSchedule::new(copy(self.program, &scheduled.machine), buffering(self.model), false, Record::default());
        assert!(plain.run(&scheduled.schedule()), "a schedule that was explored can be run");
        self.races |= plain.watch.has_any_race();
        self.cycles |= plain.watch.has_cycle();
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Seen { n: 0, races: false, cycles: false, ..*self };
    }
}

fn plan(model: MemoryModel) -> Plan {
    Plan::new(model, Algorithm::Optimal, None).expect("the pairing exists")
}

/// Whether a check finds a fault of this kind.
fn finds(program: &Program, model: MemoryModel, kind: FaultKind) -> bool {
    let (races, robustness) = (kind == FaultKind::DataRace, kind == FaultKind::NotRobust);
    let options = Options { races, robustness, keep_going: true, ..Options::default() };
    check(program, plan(model), &options, &mut |_| ()).found.iter().any(|found| found.kind == kind)
}

/// What differs between the check and the judge; none where there are too many executions.
fn difference(program: &Program, model: MemoryModel) -> Option<String> {
    let Semantics::Schedules(semantics) = plan(model).semantics else { unreachable!("these models have schedules") };
    let mut seen = Seen { program, model: semantics, n: 0, races: false, cycles: false };
    let options = Options { keep_going: true, ..Options::default() };
    explore_schedules(program, plan(model), semantics, &options, &mut seen);
    let is_other = |(kind, sees): (FaultKind, bool)| {
        (finds(program, model, kind) != sees).then(|| format!("{kind} under {model}: the judge sees one: {sees}"))
    };
    let compared = [(FaultKind::DataRace, seen.races), (FaultKind::NotRobust, seen.cycles)];
    if seen.n > MOST { None } else { compared.into_iter().find_map(is_other) }
}

#[track_caller]
fn compare(shape: &Shape, n: u64) {
    for seed in seeds(n) {
        let description = describe(seed, shape);
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            if let Some(what) = difference(&linked(description.lower()), model) {
                let small = minimise(description.clone(), |program| difference(program, model).is_some());
                panic!("seed {seed}: {what}\n{small}");
            }
        }
    }
}

#[test]
fn races_and_cycles_of_orders_and_fences() {
    compare(&Shape { actions: 8, branches: 3, ..Shape::orders() }, 150);
}

#[test]
fn races_and_cycles_of_read_modify_writes() {
    compare(&Shape { actions: 8, orders: true, fences: true, ..Shape::updates() }, 150);
}

#[test]
fn races_and_cycles_beside_locks() {
    compare(&Shape { actions: 9, orders: true, ..Shape::locks() }, 150);
}

#[test]
fn races_and_cycles_of_spawned_threads() {
    compare(&Shape { actions: 8, asserts: false, ..Shape::schedules() }, 150);
}

/// Two threads that lock two mutexes in opposite orders.
fn lock_order() -> Program {
    let access = Access { location: 0, offset: 0, size: 4, order: Order::Plain, depends_on: None };
    let store = |value| Statement::Store { to: access, value: Expression::Constant(value) };
    let both = |first, second, value| vec![Statement::Locked(first, vec![store(value), Statement::Locked(second, vec![store(value)])])];
    let threads = vec![both(MutexId(0), MutexId(1), 1), both(MutexId(1), MutexId(0), 2)];
    Description { style: Style::Entries, threads }.lower()
}

/// The same fault with a witness that ends one step earlier.
fn cut(found: &Found) -> Found {
    let mut cut = found.clone();
    match &mut cut.witness.path {
        Path::Schedule(steps) => drop(steps.pop()),
        Path::Graph(events) => drop(events.pop()),
        Path::Commits(run) => drop(run.pop()),
    }
    cut
}

#[test]
fn a_witness_that_was_cut_shows_no_deadlock() {
    let program = lock_order();
    let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Ra, MemoryModel::Power];
    for model in models {
        let plan = Plan::new(model, Plan::default_algorithm(model, Default::default()), None).expect("the default exists");
        let outcome = check(&program, plan, &Options::default(), &mut |_| ());
        assert_eq!(outcome.verdict, Verdict::Refuted, "{model}");
        let found = &outcome.found[0];
        assert_eq!(found.kind, FaultKind::Deadlock, "{model}");
        assert!(tell(&program, plan.judged_by(), &Limits::default(), found).is_ok(), "{model}");
        let told = tell(&program, plan.judged_by(), &Limits::default(), &cut(found)).map(|_| ());
        assert!(matches!(told, Err(Untold::NoFault | Untold::DoesNotFit)), "{model}");
    }
}
