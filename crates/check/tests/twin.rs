//! The explorers against the plain twin, on random programs: the same set of traces; for optimal one execution of each and nothing redundant.
//! Also within bounds: with a buffer bound just the traces that the twin finds with it, with a context bound just those that have a schedule within it.

use raddle_check::{
    Algorithm, Bounds, EachSchedule, Joined, MemoryModel, Options, Plan, Semantics, Sink, Stop, Trace, explore_schedules, judge,
};
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

fn explored(program: &Program, plan: Plan) -> Explored<'_> {
    let Semantics::Schedules(model) = plan.semantics else { unreachable!("these models have schedules") };
    let options = Options { keep_going: true, ..Options::default() };
    let mut all = Explored { program, model, options, traces: Vec::new(), redundant: 0, is_full: true };
    let options = all.options.clone();
    explore_schedules(program, plan, model, &options, &mut all);
    all
}

/// What the explorers run under.
#[derive(Clone, Copy)]
struct Setting {
    model: MemoryModel,
    buffer_bound: Option<u32>,
}

impl Setting {
    fn plan(self, algorithm: Algorithm) -> Plan {
        Plan::new(self.model, algorithm, self.buffer_bound).expect("the pairing exists")
    }
}

fn set(traces: &[Trace]) -> Vec<Trace> {
    let mut sorted = traces.to_vec();
    sorted.sort();
    sorted.dedup();
    sorted
}

/// What is wrong with the explorers on a program; `None` when nothing is, or when it is too large.
fn difference(program: &Program, setting: Setting) -> Option<String> {
    let optimal = explored(program, setting.plan(Algorithm::Optimal));
    if optimal.traces.len() > MOST / 10 {
        return None;
    }
    let every = explored(program, setting.plan(Algorithm::Naive));
    if !every.is_full {
        return None;
    }
    let wanted = set(&every.traces);
    let (n, redundant) = (optimal.traces.len(), optimal.redundant);
    if set(&optimal.traces) != wanted {
        return Some(format!("optimal finds {} traces, there are {}", set(&optimal.traces).len(), wanted.len()));
    }
    if n != wanted.len() || redundant != 0 {
        return Some(format!("optimal explores {n} executions and {redundant} redundant ones, there are {} traces", wanted.len()));
    }
    for algorithm in [Algorithm::Source, Algorithm::Classic] {
        let found = explored(program, setting.plan(algorithm));
        if set(&found.traces) != wanted {
            return Some(format!("{algorithm} finds {} traces, there are {}", set(&found.traces).len(), wanted.len()));
        }
        let runs = found.traces.len() + found.redundant;
        if runs < n || runs > every.traces.len() {
            return Some(format!("{algorithm} has {runs} runs, optimal {n}, naive {}", every.traces.len()));
        }
    }
    None
}

#[track_caller]
fn check(seeds: std::ops::Range<u64>, shape: &Shape, settings: &[Setting]) {
    for seed in seeds {
        for &setting in settings {
            let Setting { model, buffer_bound } = setting;
            let description = describe(seed, shape);
            if let Some(what) = difference(&description.lower(), setting) {
                let small = minimise(description, |program| difference(program, setting).is_some());
                let now = difference(&small.lower(), setting);
                panic!("seed {seed}, {model}, buffer bound {buffer_bound:?}: {what}\n{small}\n{now:?}");
            }
        }
    }
}

/// How many programs are tried: more for the full run by `tools/check-all`.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    0..std::env::var("RADDLE_TWIN_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The same where each program is tried within many bounds.
fn fewer_seeds(usual: u64) -> std::ops::Range<u64> {
    0..seeds(usual * 5).end / 5
}

const UNBOUNDED: [Setting; 3] = [
    Setting { model: MemoryModel::Sc, buffer_bound: None },
    Setting { model: MemoryModel::Tso, buffer_bound: None },
    Setting { model: MemoryModel::Pso, buffer_bound: None },
];

fn bounded() -> Vec<Setting> {
    let models = [MemoryModel::Tso, MemoryModel::Pso];
    models.iter().flat_map(|&model| (0..=3).map(move |bound| Setting { model, buffer_bound: Some(bound) })).collect()
}

#[test]
fn tiny_programs() {
    check(seeds(600), &Shape::tiny(), &UNBOUNDED);
}

#[test]
fn reservations() {
    check(seeds(300), &Shape::reservations(), &UNBOUNDED);
}

#[test]
fn choices() {
    check(seeds(600), &Shape::choices(), &UNBOUNDED);
}

#[test]
fn exchanges() {
    check(seeds(600), &Shape::exchanges(), &UNBOUNDED);
}

#[test]
fn programs_of_all_kinds() {
    check(seeds(250), &Shape::schedules(), &UNBOUNDED);
}

#[test]
fn buffer_bounds() {
    check(fewer_seeds(100), &Shape::schedules(), &bounded());
    check(fewer_seeds(150), &Shape::stores(), &bounded());
}

/// With a context bound: the traces that have a schedule within the bound, no more and no less.
fn context_difference(program: &Program, setting: Setting, context: u32) -> Option<String> {
    let bounds = Bounds { buffer: setting.buffer_bound, context: Some(context) };
    let plan = |algorithm| Plan::bounded(setting.model, algorithm, bounds).expect("the pairing exists");
    let every = explored(program, plan(Algorithm::Naive));
    if !every.is_full {
        return None;
    }
    let (wanted, classic) = (set(&every.traces), explored(program, plan(Algorithm::Classic)));
    if set(&classic.traces) != wanted {
        return Some(format!("classic finds {} traces, there are {}", set(&classic.traces).len(), wanted.len()));
    }
    let runs = classic.traces.len() + classic.redundant;
    (runs > every.traces.len()).then(|| format!("classic has {runs} runs, naive {}", every.traces.len()))
}

#[track_caller]
fn check_contexts(seeds: std::ops::Range<u64>, shape: &Shape) {
    for seed in seeds {
        for setting in UNBOUNDED {
            for context in 0..=2 {
                let description = describe(seed, shape);
                if let Some(what) = context_difference(&description.lower(), setting, context) {
                    let small = minimise(description, |program| context_difference(program, setting, context).is_some());
                    let now = context_difference(&small.lower(), setting, context);
                    panic!("seed {seed}, {}, context bound {context}: {what}\n{small}\n{now:?}", setting.model);
                }
            }
        }
    }
}

#[test]
fn context_bounds() {
    check_contexts(fewer_seeds(80), &Shape::schedules());
    check_contexts(fewer_seeds(50), &Shape::reservations());
    check_contexts(fewer_seeds(50), &Shape::exchanges());
    check_contexts(fewer_seeds(50), &Shape::choices());
}
