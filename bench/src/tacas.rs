//! Table 1 of Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas, "Stateless model checking for TSO and PSO", TACAS
//! 2015, by our own versions of its programs: which entries have a star must agree. The two programs of the Apache
//! runtime are not there; `pools.c` stands for their kind.

use crate::experiment::Experiment;
use crate::published::{Starred, starred_cases, starred_summary};

const MODELS: [&str; 3] = ["sc", "tso", "pso"];

/// Loops of the paper are bounded; ours that wait are spin loops or tries.
const TABLE_1: [Starred; 28] = [
    Starred::line("apr_1", "-", "bench/programs/pools.c", &["-DJOBS=3"], &["5.88", "6.06", "16.98"]),
    Starred::line("apr_2", "-", "bench/programs/pools.c", &["-DWORKERS=2", "-DJOBS=4"], &["2.60", "2.20", "5.39"]),
    Starred::line("dcl_singleton", "-", "algorithms/dcl_singleton.c", &["-DFENCE=0"], &["0.08", "0.08", "*0.08"]),
    Starred::line("dcl_singleton", "pso", "algorithms/dcl_singleton.c", &["-DFENCE=2"], &["0.08", "0.08", "0.08"]),
    Starred::line("dekker", "-", "algorithms/dekker.c", &["-DFENCE=0", "-DTRIES=2"], &["0.10", "*0.11", "*0.09"]),
    Starred::line("dekker", "tso", "algorithms/dekker.c", &["-DFENCE=1", "-DTRIES=2"], &["0.11", "0.12", "*0.08"]),
    Starred::line("dekker", "pso", "algorithms/dekker.c", &["-DFENCE=2", "-DTRIES=2"], &["0.11", "0.12", "0.12"]),
    Starred::line("fib_false", "-", "algorithms/fib_bench.c", &["-DN=5", "-DFALSE=1"], &["*2.39", "*5.57", "*6.20"]),
    Starred::line("fib_false_join", "-", "algorithms/fib_bench.c", &["-DN=5", "-DFALSE=1", "-DJOIN=1"], &["*0.32", "*0.62", "*0.71"]),
    Starred::line("fib_true", "-", "algorithms/fib_bench.c", &["-DN=5"], &["25.83", "75.06", "86.32"]),
    Starred::line("fib_true_join", "-", "algorithms/fib_bench.c", &["-DN=5", "-DJOIN=1"], &["1.20", "2.88", "3.19"]),
    Starred::line("indexer", "-", "algorithms/indexer.c", &["-DN=12"], &["0.10", "0.09", "0.09"]),
    Starred::line("lamport", "-", "algorithms/lamport.c", &["-DFENCE=0"], &["0.08", "*0.08", "*0.08"]),
    Starred::line("lamport", "tso", "algorithms/lamport.c", &["-DFENCE=1"], &["0.09", "0.08", "*0.07"]),
    Starred::line("lamport", "pso", "algorithms/lamport.c", &["-DFENCE=2"], &["0.08", "0.08", "0.08"]),
    Starred::line("parker", "-", "algorithms/parker.c", &["-DFENCE=0"], &["1.50", "*0.09", "*0.08"]),
    Starred::line("parker", "pso", "algorithms/parker.c", &["-DFENCE=2"], &["1.50", "1.92", "2.94"]),
    Starred::line("peterson", "-", "algorithms/peterson.c", &["-DFENCE=0"], &["0.07", "*0.07", "*0.07"]),
    Starred::line("peterson", "tso", "algorithms/peterson.c", &["-DFENCE=1"], &["0.07", "0.07", "*0.07"]),
    Starred::line("peterson", "pso", "algorithms/peterson.c", &["-DFENCE=2"], &["0.07", "0.07", "0.08"]),
    Starred::line("pgsql", "-", "algorithms/pgsql_spin.c", &["-DFENCE=0"], &["0.08", "0.07", "*0.08"]),
    Starred::line("pgsql", "pso", "algorithms/pgsql_spin.c", &["-DFENCE=2"], &["0.07", "0.07", "0.08"]),
    Starred::line("pgsql_bnd", "pso", "algorithms/pgsql_spin.c", &["-DFENCE=2", "-DBOUNDED=4"], &["89.44", "106.04", "112.60"]),
    Starred::line("stack_safe", "-", "algorithms/stack.c", &["-DN=5"], &["0.34", "0.36", "0.43"]),
    Starred::line("stack_unsafe", "-", "algorithms/stack.c", &["-DN=5", "-DSAFE=0"], &["*0.08", "*0.08", "*0.09"]),
    Starred::line("szymanski", "-", "algorithms/szymanski.c", &["-DFENCE=0"], &["0.07", "*0.13", "*0.07"]),
    Starred::line("szymanski", "tso", "algorithms/szymanski.c", &["-DFENCE=1"], &["0.08", "0.08", "*0.07"]),
    Starred::line("szymanski", "pso", "algorithms/szymanski.c", &["-DFENCE=2"], &["0.08", "0.08", "0.08"]),
];

/// The table.
pub fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "tacas-table1",
        title: "Table 1: SC, TSO and PSO",
        cases: starred_cases(&TABLE_1, &MODELS, "optimal"),
        summary: |rows| starred_summary(&TABLE_1, &MODELS, rows),
    }]
}
