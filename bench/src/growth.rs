//! How the time of an execution grows with its length and with the number of threads, under each model.

use crate::case::{Answer, Case, Expected};
use crate::experiment::{Experiment, Summary};
use crate::measure::Row;
use crate::plot::Plot;
use crate::published::program;

/// The models with their algorithms, and how many executions there are.
const MODELS: [(&str, &str, u64); 5] =
    [("sc", "optimal", 3), ("tso", "optimal", 4), ("pso", "optimal", 4), ("ra", "weak-trace", 4), ("power", "rsmc", 4)];
const LENGTHS: [u32; 6] = [60, 120, 300, 600, 1200, 3000];
const THREADS: [u32; 5] = [2, 4, 8, 16, 32];

/// Both experiments.
pub fn experiments() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "growth-length",
            title: "Time of an execution by its length",
            cases: cases(&LENGTHS.map(|length| (2, length))),
            summary: |rows| summary("growth-length", "events of each of two threads", &LENGTHS, rows),
        },
        Experiment {
            name: "growth-threads",
            title: "Time of an execution by the number of threads",
            cases: cases(&THREADS.map(|threads| (threads, 100))),
            summary: |rows| summary("growth-threads", "threads of 100 events each", &THREADS, rows),
        },
    ]
}

fn cases(sizes: &[(u32, u32)]) -> Vec<Case> {
    let case = |(threads, length): (u32, u32), (model, algorithm, executions)| {
        let (threads, length) = (format!("-DTHREADS={threads}"), format!("-DLENGTH={length}"));
        let expected = Expected { answer: Some(Answer::Verified), executions: Some(executions) };
        Case { expected, ..Case::new(program("bench/programs/long.c", &[&threads, &length]), model, algorithm) }
    };
    sizes.iter().flat_map(|&size| MODELS.map(|model| case(size, model))).collect()
}

fn summary(name: &str, x: &str, sizes: &[u32], rows: &[Row]) -> Summary {
    let per_size: Vec<(u32, &[Row])> = sizes.iter().copied().zip(rows.chunks_exact(MODELS.len())).collect();
    let milliseconds = |row: &Row| 1000.0 * row.seconds / row.runs() as f64;
    let names = MODELS.map(|model| model.0.to_uppercase());
    let mut table = vec![std::iter::once(x.to_string()).chain(names.iter().map(|name| format!("{name} ms"))).collect::<Vec<_>>()];
    table.extend(
        per_size
            .iter()
            .map(|(n, rows)| std::iter::once(n.to_string()).chain(rows.iter().map(|row| format!("{:.3}", milliseconds(row)))).collect()),
    );
    let line = |at: usize| per_size.iter().map(|(n, rows)| (f64::from(*n), milliseconds(&rows[at]))).collect();
    let series = names.iter().enumerate().map(|(at, name)| (name.clone(), line(at))).collect();
    let plot = Plot::Lines { title: "Milliseconds an execution".into(), x: x.into(), y: "ms".into(), series };
    Summary { table, plots: vec![(name.into(), plot)] }
}
