//! The explorers against the plain twin, on random programs: the same set of traces; for optimal one execution of each and nothing redundant.
//! (Where compare-exchanges meet accesses of other sizes, some executions that do not differ are told apart; there only the sets must be equal.
//! Where threads make choices, optimal may find that an outcome leads to nothing new.)

use raddle_check::{Algorithm, EachSchedule, Joined, MemoryModel, Options, Plan, Semantics, Sink, Stop, Trace, explore_schedules, judge};
use raddle_event::Step;
use raddle_explore::End;
use raddle_memory::Model;
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};
use std::ops::ControlFlow;

/// How many schedules of a program are tried at the most; larger programs are left out.
const MOST: usize = 4_000;

struct Explored<'p> {
    program: &'p Program,
    model: Model,
    options: Options<'p>,
    traces: Vec<Trace>,
    redundant: usize,
    is_full: bool,
    is_strict: bool,
    has_choices: bool,
}

impl EachSchedule for Explored<'_> {
    fn restart(&mut self) {
        self.traces.clear();
        self.redundant = 0;
        self.is_full = true;
    }
}

impl<'p> Sink<Joined<'p>> for Explored<'_> {
    fn execution(&mut self, joined: &Joined<'p>, schedule: &dyn Fn() -> Vec<Step>, end: End) -> ControlFlow<()> {
        if let Some(stop) = &joined.stop {
            assert_eq!(stop, &Stop::Contradicted, "nothing that is drawn is unsupported");
            return ControlFlow::Break(());
        }
        let schedule = schedule();
        self.has_choices |= schedule.iter().any(|step| step.choice > 0);
        if end == End::Redundant {
            self.redundant += 1;
            return ControlFlow::Continue(());
        }
        if self.traces.len() >= MOST {
            self.is_full = false;
            return ControlFlow::Break(());
        }
        let steps: Vec<_> = schedule.iter().map(|&step| (joined.who(step), step.choice)).collect();
        let (sites, tables) = (joined.machine.sites(), joined.machine.tables());
        let judged = judge(self.program, self.model, &self.options.limits, sites, tables, &steps);
        self.traces.push(judged.expect("a schedule that was explored can be run").trace);
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn explored(program: &Program, model: MemoryModel, algorithm: Algorithm) -> Explored<'_> {
    let plan = Plan::new(model, algorithm, None).expect("every pairing exists");
    let Semantics::Schedules(model) = plan.semantics else { unreachable!("these models have schedules") };
    let options = Options { keep_going: true, ..Options::default() };
    let mut all = Explored { program, model, options, traces: Vec::new(), redundant: 0, is_full: true, is_strict: false, has_choices: false };
    let options = all.options.clone();
    all.is_strict = explore_schedules(program, plan, model, &options, &mut all).strict;
    all
}

fn set(traces: &[Trace]) -> Vec<Trace> {
    let mut sorted = traces.to_vec();
    sorted.sort();
    sorted.dedup();
    sorted
}

/// What is wrong with the explorers on a program; `None` when nothing is, or when it is too large.
fn difference(program: &Program, model: MemoryModel) -> Option<String> {
    let optimal = explored(program, model, Algorithm::Optimal);
    if optimal.traces.len() > MOST / 10 {
        return None;
    }
    let every = explored(program, model, Algorithm::Naive);
    if !every.is_full {
        return None;
    }
    let source = explored(program, model, Algorithm::Source);
    let wanted = set(&every.traces);
    let (by_optimal, by_source) = (set(&optimal.traces), set(&source.traces));
    if by_optimal != wanted {
        return Some(format!("{model}: optimal finds {} traces, there are {}", by_optimal.len(), wanted.len()));
    }
    if by_source != wanted {
        return Some(format!("{model}: source finds {} traces, there are {}", by_source.len(), wanted.len()));
    }
    let exact = optimal.traces.len() == wanted.len() || optimal.is_strict;
    if !exact || (optimal.redundant != 0 && !optimal.has_choices && !optimal.is_strict) {
        let (n, r) = (optimal.traces.len(), optimal.redundant);
        return Some(format!("{model}: optimal explores {n} executions and {r} redundant ones, there are {} traces", wanted.len()));
    }
    None
}

#[track_caller]
fn check(seeds: std::ops::Range<u64>, shape: &Shape) {
    for seed in seeds {
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let description = describe(seed, shape);
            if let Some(what) = difference(&description.lower(), model) {
                let small = minimise(description, |program| difference(program, model).is_some());
                let now = difference(&small.lower(), model);
                panic!("seed {seed}: {what}\n{small}\n{now:?}");
            }
        }
    }
}

/// How many programs are tried: more for the full run by `tools/check-all`.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    0..std::env::var("RADDLE_TWIN_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn tiny_programs() {
    check(seeds(600), &Shape::tiny());
}

#[test]
fn reservations() {
    check(seeds(300), &Shape::reservations());
}

#[test]
fn programs_of_all_kinds() {
    check(seeds(250), &Shape::schedules());
}
