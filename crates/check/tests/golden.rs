//! Published counts: how many traces small programs have under each model (weak traces under RA), found by the
//! algorithm that is the default for the model and by graphs where these explore it too, one execution each and none
//! redundant. With coherence these programs have as many graphs under RA as under SRA.

use crate::text::program;
use raddle_check::{Algorithm, MemoryModel, Options, Plan, Verdict, check};

/// The column of SRA.
const SRA: usize = 4;

#[track_caller]
fn golden(name: &str, threads: &[&str], counts: [u64; MemoryModel::ALL.len()]) {
    let program = program(threads);
    for ((model, _), expected) in MemoryModel::ALL.into_iter().zip(counts) {
        let by_graphs = Plan::new(model, Algorithm::Graphs, None).ok();
        for plan in std::iter::once(Plan::best(model)).chain(by_graphs) {
            let outcome = check(&program, plan, &Options::default(), &mut |_| {});
            let with_coherence = model == MemoryModel::Ra && plan.algorithm == Algorithm::Graphs;
            let expected = if with_coherence { counts[SRA] } else { expected };
            let found = (outcome.verdict, outcome.count.executions, outcome.count.redundant);
            assert_eq!(found, (Verdict::Verified, expected, 0), "{name} under {model} by {}", plan.algorithm);
        }
    }
}

#[test]
fn published_counts() {
    golden("SB", &["x=1; r=y", "y=1; r=x"], [3, 4, 4, 4, 4, 4, 4, 4]);
    golden("MP", &["x=1; y=1", "r=y; r=x"], [3, 3, 4, 3, 3, 4, 4, 4]);
    golden("LB", &["r=x; y=1", "r=y; x=1"], [3, 3, 3, 3, 3, 3, 4, 4]);
    golden("TACAS 2015, figure 5", &["x=1; r=x", "x=2"], [3, 3, 3, 2, 3, 3, 3, 3]);
    golden("PLDI 2015, figure 2", &["x=1; y=1", "r=y; if r; r=x"], [2, 2, 3, 2, 2, 3, 3, 3]);
    golden("OOPSLA 2018, figure 1", &["x=1; r=x", "x=2; r=x"], [4, 4, 4, 3, 4, 4, 4, 4]);
    golden("CAV 2016, figure 9", &["r=x", "x=1", "x=2"], [6, 6, 6, 3, 6, 6, 6, 6]);
    golden("CAV 2016, figure 2", &["r=x; y=r+1", "r=y; x=1"], [3, 3, 3, 3, 3, 3, 4, 4]);
}

#[test]
fn writers_and_a_reader() {
    for n in 1..=6 {
        let writers: Vec<String> = (1..=n).map(|value| format!("x={value}")).collect();
        let threads: Vec<&str> = std::iter::once("r=x").chain(writers.iter().map(String::as_str)).collect();
        let orders = (1..=n + 1).product();
        golden(&format!("{n} writers, one reader"), &threads, [orders, orders, orders, n + 1, orders, orders, orders, orders]);
    }
}
