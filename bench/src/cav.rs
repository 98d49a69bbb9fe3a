//! Table 1 of Abdulla, Atig, Jonsson, Leonardsson, "Stateless model checking for POWER", CAV 2016, by our own versions of its programs: which entries have a star
//! must agree.

use crate::experiment::Experiment;
use crate::published::{Starred, starred_cases, starred_summary};

const MODELS: [&str; 1] = ["power"];

const TABLE_1: [Starred; 24] = [
    line("dcl_singleton", "-", "algorithms/dcl_singleton.c", &["-DFENCE=0"], &["*0.13"]),
    line("dcl_singleton", "power", "algorithms/dcl_singleton.c", &["-DFENCE=2"], &["0.19"]),
    line("dekker", "-", "algorithms/dekker.c", &["-DFENCE=0", "-DTRIES=2"], &["*0.11"]),
    line("dekker", "power", "algorithms/dekker.c", &["-DFENCE=2", "-DTRIES=2"], &["0.76"]),
    line("fib_false", "-", "algorithms/fib_bench.c", &["-DN=5", "-DFALSE=1"], &["t/o"]),
    line("fib_false_join", "-", "algorithms/fib_bench.c", &["-DN=5", "-DFALSE=1", "-DJOIN=1"], &["*35.46"]),
    line("fib_true", "-", "algorithms/fib_bench.c", &["-DN=5"], &["t/o"]),
    line("fib_true_join", "-", "algorithms/fib_bench.c", &["-DN=5", "-DJOIN=1"], &["57.67"]),
    line("indexer", "-", "algorithms/indexer.c", &["-DN=12"], &["1.57"]),
    line("lamport", "-", "algorithms/lamport.c", &["-DFENCE=0"], &["*0.12"]),
    line("lamport", "power", "algorithms/lamport.c", &["-DFENCE=2"], &["0.20"]),
    line("parker", "-", "algorithms/parker.c", &["-DFENCE=0"], &["*0.13"]),
    line("parker", "power", "algorithms/parker.c", &["-DFENCE=2"], &["7.44"]),
    line("peterson", "-", "algorithms/peterson.c", &["-DFENCE=0"], &["*0.11"]),
    line("peterson", "power", "algorithms/peterson.c", &["-DFENCE=2"], &["0.11"]),
    line("pgsql", "-", "algorithms/pgsql_spin.c", &["-DFENCE=0"], &["*0.11"]),
    line("pgsql", "power", "algorithms/pgsql_spin.c", &["-DFENCE=2"], &["0.58"]),
    line("pgsql_bnd", "-", "algorithms/pgsql_spin.c", &["-DFENCE=0", "-DBOUNDED=4"], &["*0.11"]),
    line("pgsql_bnd", "power", "algorithms/pgsql_spin.c", &["-DFENCE=2", "-DBOUNDED=4"], &["t/o"]),
    line("stack_safe", "-", "algorithms/stack.c", &["-DN=5"], &["73.86"]),
    line("stack_unsafe", "-", "algorithms/stack.c", &["-DN=5", "-DSAFE=0"], &["*3.32"]),
    line("szymanski", "-", "algorithms/szymanski.c", &["-DFENCE=0"], &["*0.11"]),
    line("szymanski", "power", "algorithms/szymanski.c", &["-DFENCE=2"], &["0.31"]),
    line("SB+10W", "-", "bench/programs/sb10w.c", &[], &["161"]),
];

const fn line(
    program: &'static str,
    fences: &'static str,
    file: &'static str,
    cflags: &'static [&'static str],
    published: &'static [&'static str],
) -> Starred {
    Starred { program, fences, file, cflags, published }
}

/// The table.
pub fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "cav-table1",
        title: "Table 1: POWER",
        cases: starred_cases(&TABLE_1, &MODELS, "rsmc"),
        summary: |rows| starred_summary(&TABLE_1, &MODELS, rows),
    }]
}
