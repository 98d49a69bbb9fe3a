//! The explorers against the plain twin, on random programs: the same set of traces; for optimal one execution of each and nothing redundant.

use raddle_check::{Algorithm, MemoryModel, Options, Plan, Trace, explore_all, judge};
use raddle_explore::End;
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};

/// How many schedules of a program are tried at the most; larger programs are left out.
const MOST: usize = 3_000;

struct Explored {
    traces: Vec<Trace>,
    redundant: usize,
    full: bool,
}

fn explored(program: &Program, model: MemoryModel, algorithm: Algorithm) -> Explored {
    let plan = Plan::new(model, algorithm, None).expect("every pairing exists");
    let options = Options { keep_going: true, max_events: Some(400_000), ..Options::default() };
    let mut all = Explored { traces: Vec::new(), redundant: 0, full: true };
    explore_all(program, plan, &options, &mut |joined, schedule, end| {
        if end == End::Redundant {
            all.redundant += 1;
            return;
        }
        if all.traces.len() >= 4 * MOST {
            all.full = false;
            return;
        }
        let steps: Vec<_> = schedule.iter().map(|&step| (joined.who(step), step.choice)).collect();
        let judged = judge(program, plan.model, &options.limits, joined.machine.sites(), joined.machine.tables(), &steps);
        all.traces.push(judged.expect("a schedule that was explored can be run").trace);
    });
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
    if !every.full {
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
    if optimal.traces.len() != wanted.len() || optimal.redundant != 0 {
        let (n, r) = (optimal.traces.len(), optimal.redundant);
        return Some(format!("{model}: optimal explores {n} executions and {r} redundant ones, there are {} traces", wanted.len()));
    }
    None
}

#[track_caller]
fn check(seeds: std::ops::Range<u64>, shape: &Shape) {
    for seed in seeds {
        for (model, _) in MemoryModel::ALL {
            let description = describe(seed, shape);
            if let Some(what) = difference(&description.lower(), model) {
                let small = minimise(description, |program| difference(program, model).is_some());
                let now = difference(&small.lower(), model);
                panic!("seed {seed}: {what}\n{small}\n{now:?}");
            }
        }
    }
}

#[test]
fn tiny_programs() {
    check(0..600, &Shape::tiny());
}

#[test]
fn programs_of_all_kinds() {
    let n = std::env::var("RADDLE_TWIN_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(250);
    check(0..n, &Shape::schedules());
}
