//! The explorers against the plain twin, on random programs: the same set of traces; for optimal one execution of each
//! and nothing redundant. Also within bounds: with a buffer bound just the traces that the twin finds with it, with a
//! context bound just those that have a schedule within it.

use crate::support::linked::linked;
use crate::support::{explored, seeds, set};
use raddle_check::{Algorithm, Bounds, MemoryModel, Plan};
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};

/// How many schedules of a program are tried at the most; larger programs are left out.
const MOST: usize = 4_000;

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

/// What is wrong with the explorers on a program; `None` when nothing is, or when it is too large.
fn difference(program: &Program, setting: Setting) -> Option<String> {
    let optimal = explored(program, setting.plan(Algorithm::Optimal), MOST);
    if optimal.traces.len() > MOST / 10 {
        return None;
    }
    let every = explored(program, setting.plan(Algorithm::Naive), MOST);
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
        let found = explored(program, setting.plan(algorithm), MOST);
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
            if let Some(what) = difference(&linked(description.lower()), setting) {
                let small = minimise(description, |program| difference(program, setting).is_some());
                let now = difference(&linked(small.lower()), setting);
                panic!("seed {seed}, {model}, buffer bound {buffer_bound:?}: {what}\n{small}\n{now:?}");
            }
        }
    }
}

/// The same where each program is tried within many bounds.
fn fewer_seeds(usual: u64) -> std::ops::Range<u64> {
    let all = seeds(usual * 5);
    all.start..all.start + (all.end - all.start) / 5
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
fn choices_that_end_threads() {
    check(seeds(200), &Shape { actions: 8, ..Shape::ended_by_choices() }, &UNBOUNDED);
    check(seeds(100), &Shape { actions: 9, ..Shape::ended_beside_locks() }, &UNBOUNDED);
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
    check(fewer_seeds(50), &Shape { actions: 8, ..Shape::plain() }, &bounded());
    check(fewer_seeds(50), &Shape { actions: 9, ..Shape::long() }, &bounded());
    check(fewer_seeds(40), &Shape { actions: 8, ..Shape::updates() }, &bounded());
    check(fewer_seeds(40), &Shape { actions: 8, ..Shape::orders() }, &bounded());
}

/// With a context bound: the traces that have a schedule within the bound, no more and no less.
fn context_difference(program: &Program, setting: Setting, context: u32) -> Option<String> {
    let bounds = Bounds { buffer: setting.buffer_bound, context: Some(context) };
    let plan = |algorithm| Plan::bounded(setting.model, algorithm, bounds).expect("the pairing exists");
    let every = explored(program, plan(Algorithm::Naive), MOST);
    if !every.is_full {
        return None;
    }
    let (wanted, classic) = (set(&every.traces), explored(program, plan(Algorithm::Classic), MOST));
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
                if let Some(what) = context_difference(&linked(description.lower()), setting, context) {
                    let small = minimise(description, |program| context_difference(program, setting, context).is_some());
                    let now = context_difference(&linked(small.lower()), setting, context);
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
    check_contexts(fewer_seeds(50), &Shape { actions: 7, ..Shape::ended_by_choices() });
    check_contexts(fewer_seeds(50), &Shape { actions: 8, ..Shape::plain() });
    check_contexts(fewer_seeds(50), &Shape { actions: 9, ..Shape::long() });
    check_contexts(fewer_seeds(40), &Shape { actions: 8, ..Shape::updates() });
    check_contexts(fewer_seeds(40), &Shape { actions: 8, ..Shape::locks() });
}
