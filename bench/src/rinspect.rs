//! The experiments of Zhang, Kusano, Wang, "Dynamic partial order reduction for relaxed memory models", PLDI 2015, with
//! programs of the corpus: tables 1 and 2 and figures 7, 8 and 9. The examples of figures 1 and 2 come with the
//! published counts.

use crate::case::{Answer, Case, Expected, Input};
use crate::experiment::{Experiment, Summary};
use crate::measure::Row;
use crate::plot::Plot;
use crate::published::program;
use serde_json::Value;
use std::path::{Path, PathBuf};

const MODELS: [&str; 3] = ["sc", "tso", "pso"];
const BOUNDS: [Option<u32>; 5] = [Some(0), Some(1), Some(2), Some(3), None];
/// How long the search without reduction may take, in seconds.
const NAIVE_TIMEOUT: u32 = 10;
/// The sizes of the program of figure 9.
const SIZES: std::ops::RangeInclusive<u32> = 1..=6;

/// How deep the buffers must be for the faults of `late_flag.c`.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=4;

/// Programs that end without reduction in a reasonable time, or nearly, with their parameters.
const PROGRAMS: [(&str, &[&str]); 15] = [
    ("algorithms/peterson.c", &["-DNOCHECK"]),
    ("algorithms/dekker.c", &["-DNOCHECK"]),
    ("algorithms/lamport.c", &["-DNOCHECK"]),
    ("algorithms/bakery.c", &["-DNOCHECK"]),
    ("algorithms/szymanski.c", &["-DNOCHECK"]),
    ("algorithms/fib_bench.c", &["-DN=1", "-DJOIN=1"]),
    ("algorithms/fib_bench.c", &["-DN=2", "-DJOIN=1"]),
    ("algorithms/stack.c", &["-DN=1"]),
    ("algorithms/stack.c", &["-DN=2"]),
    ("structures/lastzero.c", &["-DN=3"]),
    ("structures/lastzero.c", &["-DN=4"]),
    ("structures/readers.c", &["-DN=4"]),
    ("structures/sigma.c", &["-DN=3", "-DNOCHECK"]),
    ("structures/redundant_co.c", &["-DN=1"]),
    ("structures/queue_ok.c", &[]),
];

/// All experiments of the paper.
pub fn experiments(root: &Path) -> Result<Vec<Experiment>, String> {
    let litmus = litmus_tests(root)?;
    let figure = |name, title, cases, summary| Experiment { name, title, cases, summary };
    Ok(vec![
        figure("rinspect-examples", "Figures 4 and 5: runs with and without reduction", examples(), plain),
        figure("rinspect-table1", "Table 1: litmus tests", table_1_cases(&litmus), table_1),
        figure("rinspect-figure7", "Figure 7: TSO", reduction_cases("tso"), |rows| reduction(rows, "rinspect-figure7", "TSO")),
        figure("rinspect-figure8", "Figure 8: PSO", reduction_cases("pso"), |rows| reduction(rows, "rinspect-figure8", "PSO")),
        figure("rinspect-table2", "Table 2: TSO faults by buffer bound", table_2_cases(root, &litmus)?, table_2),
        figure("rinspect-figure9", "Figure 9: growth of runs by buffer bound", figure_9_cases(), figure_9),
    ])
}

fn litmus_tests(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = Path::new("corpus/litmus/X86");
    let entries = std::fs::read_dir(root.join(folder)).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(folder.join(entry.ok()?.file_name()))).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "litmus"));
    files.sort();
    Ok(files)
}

/// The examples of the paper's figures 1 and 2, with the counts that figures 4 and 5 show.
fn examples() -> Vec<Case> {
    let counts = [
        ("figure1", "sc", "naive", 6),
        ("figure1", "tso", "naive", 24),
        ("figure1", "tso", "classic", 4),
        ("figure2", "tso", "naive", 3),
        ("figure2", "pso", "naive", 7),
        ("figure2", "pso", "classic", 3),
    ];
    let case = |(file, model, algorithm, n): (&str, _, _, _)| Case {
        expected: Expected { executions: Some(n), ..Expected::default() },
        ..Case::new(Input::Litmus { file: format!("bench/programs/{file}.litmus").into() }, model, algorithm)
    };
    counts.into_iter().map(case).collect()
}

/// Runs as a table, and no more.
fn plain(rows: &[Row]) -> Summary {
    let line = |row: &Row| vec![row.case.name(), row.case.model.to_string(), row.case.algorithm.to_string(), row.runs().to_string()];
    let head = ["program", "model", "algorithm", "runs"].map(String::from).to_vec();
    Summary { table: std::iter::once(head).chain(rows.iter().map(line)).collect(), plots: Vec::new() }
}

fn table_1_cases(litmus: &[PathBuf]) -> Vec<Case> {
    let case = |file: &PathBuf, model| Case::new(Input::Litmus { file: file.clone() }, model, "classic");
    litmus.iter().flat_map(|file| MODELS.map(|model| case(file, model))).collect()
}

/// For each model how many tests pass (their condition cannot hold), and the average of runs, in runs under SC.
fn table_1(rows: &[Row]) -> Summary {
    let mut table = vec![["model", "passed", "failed", "average runs"].map(String::from).to_vec()];
    let mut growth = Vec::new();
    for model in MODELS {
        let of: Vec<&Row> = rows.iter().filter(|row| row.case.model == model).collect();
        let passed = of.iter().filter(|row| row.answer == Answer::Verified).count();
        let under_sc = |row: &&Row| rows.iter().find(|sc| sc.case.model == "sc" && sc.case.name() == row.case.name()).map_or(1, Row::runs);
        let ratios: Vec<f64> = of.iter().map(|row| row.runs() as f64 / under_sc(row) as f64).collect();
        let average = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        table.push(vec![model.to_string(), passed.to_string(), (of.len() - passed).to_string(), format!("{average:.2}")]);
        growth.push((model.to_uppercase(), passed as f64 / of.len().max(1) as f64));
    }
    let plot = Plot::Shares { title: "Litmus tests whose condition cannot hold".into(), y: "share of tests".into(), bars: growth };
    Summary { table, plots: vec![("rinspect-table1".into(), plot)] }
}

fn reduction_cases(model: &'static str) -> Vec<Case> {
    let cases = |(file, cflags): (&str, &[&str])| {
        let naive = Case { timeout: NAIVE_TIMEOUT, ..Case::new(program(file, cflags), model, "naive") };
        [naive, Case::new(program(file, cflags), model, "classic")]
    };
    PROGRAMS.into_iter().flat_map(cases).collect()
}

/// Runs and seconds without reduction against those with it. What the search without reduction did not end is listed,
/// and not drawn.
fn reduction(rows: &[Row], name: &str, model: &str) -> Summary {
    let pairs: Vec<(&Row, &Row)> = rows.chunks_exact(2).map(|pair| (&pair[0], &pair[1])).collect();
    let head = ["program", "answer without reduction", "runs", "seconds", "runs with reduction", "seconds"].map(String::from).to_vec();
    let line = |(naive, classic): &(&Row, &Row)| {
        let seconds = |row: &Row| format!("{:.4}", row.seconds);
        vec![
            naive.case.name(),
            naive.answer.to_string(),
            naive.runs().to_string(),
            seconds(naive),
            classic.runs().to_string(),
            seconds(classic),
        ]
    };
    let ended = || pairs.iter().filter(|(naive, _)| naive.answer != Answer::Unknown);
    let scatter = |what: &str, points| Plot::Scatter {
        title: format!("{what} under {model}"),
        x: "without reduction".into(),
        y: "classic".into(),
        points,
    };
    let runs = ended().map(|(naive, classic)| (naive.runs() as f64, classic.runs() as f64)).collect();
    let seconds = ended().map(|(naive, classic)| (naive.seconds, classic.seconds)).collect();
    let plots = vec![(format!("{name}-runs"), scatter("Runs", runs)), (format!("{name}-seconds"), scatter("Seconds", seconds))];
    Summary { table: std::iter::once(head).chain(pairs.iter().map(line)).collect(), plots }
}

/// What is expected of a program with each bound; nothing where that is not known.
type ByBound = Box<dyn Fn(Option<u32>) -> Option<Answer>>;

/// Programs that are right under SC and wrong under TSO, and all litmus tests.
fn table_2_cases(root: &Path, litmus: &[PathBuf]) -> Result<Vec<Case>, String> {
    let mut inputs: Vec<(Input, ByBound)> = Vec::new();
    for (file, cflags) in wrong_under_tso_alone(root)? {
        let flags: Vec<&str> = cflags.iter().map(String::as_str).collect();
        let ends = |bound| match bound {
            Some(0) => Some(Answer::Verified),
            None => Some(Answer::Refuted),
            _ => None,
        };
        inputs.push((program(&file, &flags), Box::new(ends)));
    }
    for depth in DEPTHS {
        let input = Input::Program { file: "bench/programs/late_flag.c".into(), cflags: vec![format!("-DDEPTH={depth}")] };
        let is_wrong = move |bound: Option<u32>| bound.is_none_or(|bound| bound >= depth);
        inputs.push((input, Box::new(move |bound| Some(if is_wrong(bound) { Answer::Refuted } else { Answer::Verified }))));
    }
    inputs.extend(litmus.iter().map(|file| (Input::Litmus { file: file.clone() }, Box::new(|_| None) as ByBound)));
    let case = |input: &Input, bound: Option<u32>, answer: Option<Answer>| Case {
        buffer_bound: bound,
        expected: Expected { answer, executions: None },
        ..Case::new(input.clone(), "tso", "classic")
    };
    Ok(inputs.iter().flat_map(|(input, expect)| BOUNDS.map(|bound| case(input, bound, expect(bound)))).collect())
}

/// The programs of the corpus that are expected to be right under SC and wrong under TSO.
fn wrong_under_tso_alone(root: &Path) -> Result<Vec<(String, Vec<String>)>, String> {
    let path = root.join("corpus/programs/expected.jsonl");
    let text = std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let all: Vec<Value> =
        text.lines().map(serde_json::from_str).collect::<Result<_, _>>().map_err(|why| format!("{}: {why}", path.display()))?;
    let is = |row: &Value, model: &str, verdict: &str| row["model"] == model && row["verdict"] == verdict;
    let same = |a: &Value, b: &Value| a["file"] == b["file"] && a["cflags"] == b["cflags"];
    let found =
        all.iter().filter(|row| is(row, "tso", "refuted") && all.iter().any(|other| same(row, other) && is(other, "sc", "verified")));
    let flags = |row: &Value| row["cflags"].as_array().into_iter().flatten().filter_map(|flag| flag.as_str().map(String::from)).collect();
    Ok(found.filter_map(|row| Some((row["file"].as_str()?.to_string(), flags(row)))).collect())
}

/// The share of the faults that are found with each bound, of those that are found without one and not with bound 0.
fn table_2(rows: &[Row]) -> Summary {
    let per_program: Vec<&[Row]> = rows.chunks_exact(BOUNDS.len()).collect();
    let is_found = |row: &Row| row.answer == Answer::Refuted;
    let relevant: Vec<&&[Row]> = per_program.iter().filter(|rows| !is_found(&rows[0]) && is_found(&rows[BOUNDS.len() - 1])).collect();
    let name = |bound: Option<u32>| bound.map_or("none".to_string(), |bound| bound.to_string());
    let share = |n: usize| relevant.iter().filter(|rows| is_found(&rows[n])).count() as f64 / relevant.len().max(1) as f64;
    let shares: Vec<(String, f64)> = BOUNDS.iter().enumerate().map(|(n, &bound)| (name(bound), share(n))).collect();
    let mut table = vec![["buffer bound", "share of faults", "faults"].map(String::from).to_vec()];
    table.extend(shares.iter().map(|(bound, share)| vec![bound.clone(), format!("{share:.2}"), relevant.len().to_string()]));
    let plot = Plot::Shares { title: "TSO faults found, by buffer bound".into(), y: "share of faults".into(), bars: shares };
    Summary { table, plots: vec![("rinspect-table2".into(), plot)] }
}

fn figure_9_cases() -> Vec<Case> {
    let input =
        |n: u32| Input::Program { file: "bench/programs/dijkstra.c".into(), cflags: vec!["-DNOCHECK".into(), format!("-DOPS={n}")] };
    let case = |n, bound| Case { buffer_bound: bound, ..Case::new(input(n), "tso", "classic") };
    SIZES.flat_map(|n| BOUNDS.map(|bound| case(n, bound))).collect()
}

fn figure_9(rows: &[Row]) -> Summary {
    let label = |bound: Option<u32>| bound.map_or("no bound".to_string(), |bound| format!("bound {bound}"));
    let mut table = vec![std::iter::once("operations".to_string()).chain(BOUNDS.map(label)).collect::<Vec<_>>()];
    let per_size: Vec<(u32, &[Row])> = SIZES.zip(rows.chunks_exact(BOUNDS.len())).collect();
    table.extend(
        per_size.iter().map(|(n, rows)| std::iter::once(n.to_string()).chain(rows.iter().map(|row| row.runs().to_string())).collect()),
    );
    let line = |at: usize| per_size.iter().map(|(n, rows)| (*n as f64, rows[at].runs() as f64)).collect();
    let series = BOUNDS.iter().enumerate().map(|(at, &bound)| (label(bound), line(at))).collect();
    let plot = Plot::Lines { title: "Runs of classic DPOR under TSO".into(), x: "stores of each thread".into(), y: "runs".into(), series };
    Summary { table, plots: vec![("rinspect-figure9".into(), plot)] }
}
