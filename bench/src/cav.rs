//! Table 1 of Abdulla, Atig, Jonsson, Leonardsson, "Stateless model checking for POWER", CAV 2016, by our own versions
//! of its programs: which entries have a star must agree.

use crate::experiment::Experiment;
use crate::published::{Starred, starred_cases, starred_summary};

const MODELS: [&str; 1] = ["power"];

const TABLE_1: [Starred; 24] = [
    Starred::line("dcl_singleton", "-", "algorithms/dcl_singleton.c", &["-DFENCE=0"], &["*0.13"]),
    Starred::line("dcl_singleton", "power", "algorithms/dcl_singleton.c", &["-DFENCE=2"], &["0.19"]),
    Starred::line("dekker", "-", "algorithms/dekker.c", &["-DFENCE=0", "-DTRIES=2"], &["*0.11"]),
    Starred::line("dekker", "power", "algorithms/dekker.c", &["-DFENCE=2", "-DTRIES=2"], &["0.76"]),
    Starred::line("fib_false", "-", "algorithms/fib_bench.c", &["-DN=5", "-DFALSE=1"], &["t/o"]),
    Starred::line("fib_false_join", "-", "algorithms/fib_bench.c", &["-DN=5", "-DFALSE=1", "-DJOIN=1"], &["*35.46"]),
    Starred::line("fib_true", "-", "algorithms/fib_bench.c", &["-DN=5"], &["t/o"]),
    Starred::line("fib_true_join", "-", "algorithms/fib_bench.c", &["-DN=5", "-DJOIN=1"], &["57.67"]),
    Starred::line("indexer", "-", "algorithms/indexer.c", &["-DN=12"], &["1.57"]),
    Starred::line("lamport", "-", "algorithms/lamport.c", &["-DFENCE=0"], &["*0.12"]),
    Starred::line("lamport", "power", "algorithms/lamport.c", &["-DFENCE=2"], &["0.20"]),
    Starred::line("parker", "-", "algorithms/parker.c", &["-DFENCE=0"], &["*0.13"]),
    Starred::line("parker", "power", "algorithms/parker.c", &["-DFENCE=2"], &["7.44"]),
    Starred::line("peterson", "-", "algorithms/peterson.c", &["-DFENCE=0"], &["*0.11"]),
    Starred::line("peterson", "power", "algorithms/peterson.c", &["-DFENCE=2"], &["0.11"]),
    Starred::line("pgsql", "-", "algorithms/pgsql_spin.c", &["-DFENCE=0"], &["*0.11"]),
    Starred::line("pgsql", "power", "algorithms/pgsql_spin.c", &["-DFENCE=2"], &["0.58"]),
    Starred::line("pgsql_bnd", "-", "algorithms/pgsql_spin.c", &["-DFENCE=0", "-DBOUNDED=4"], &["*0.11"]),
    Starred::line("pgsql_bnd", "power", "algorithms/pgsql_spin.c", &["-DFENCE=2", "-DBOUNDED=4"], &["t/o"]),
    Starred::line("stack_safe", "-", "algorithms/stack.c", &["-DN=5"], &["73.86"]),
    Starred::line("stack_unsafe", "-", "algorithms/stack.c", &["-DN=5", "-DSAFE=0"], &["*3.32"]),
    Starred::line("szymanski", "-", "algorithms/szymanski.c", &["-DFENCE=0"], &["*0.11"]),
    Starred::line("szymanski", "power", "algorithms/szymanski.c", &["-DFENCE=2"], &["0.31"]),
    Starred::line("SB+10W", "-", "bench/programs/sb10w.c", &[], &["161"]),
];

/// The table.
pub fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "cav-table1",
        title: "Table 1: POWER",
        cases: starred_cases(&TABLE_1, &MODELS, "rsmc"),
        summary: |rows| starred_summary(&TABLE_1, &MODELS, rows),
    }]
}
