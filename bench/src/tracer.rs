//! Tables 2 to 8 of Abdulla, Atig, Jonsson, Ngo, "Optimal stateless model checking under the release-acquire
//! semantics", OOPSLA 2018, by our own versions of its programs. Where the program is known well enough to be the same,
//! the published number of weak traces is expected.

use crate::experiment::Experiment;
use crate::published::{Counted, counted_cases, counted_summary};

const MODEL: &str = "ra";
const ALGORITHM: &str = "weak-trace";

const TABLE_2: [Counted; 8] = [
    same("Indexer(13)", "algorithms/indexer.c", &["-DN=13"], 64, 0.04),
    same("Indexer(14)", "algorithms/indexer.c", &["-DN=14"], 512, 0.38),
    same("Indexer(15)", "algorithms/indexer.c", &["-DN=15"], 4096, 2.98),
    same("Indexer(16)", "algorithms/indexer.c", &["-DN=16"], 32768, 25.78),
    same("Filesystem(16)", "structures/filesystem.c", &["-DN=16"], 8, 0.01),
    same("Filesystem(19)", "structures/filesystem.c", &["-DN=19"], 64, 0.03),
    same("Filesystem(22)", "structures/filesystem.c", &["-DN=22"], 512, 0.33),
    same("Filesystem(25)", "structures/filesystem.c", &["-DN=25"], 4096, 3.12),
];

const TABLE_3: [Counted; 10] = [
    same("Pthread_demo", "structures/pthread_demo.c", &["-DN=10"], 184_756, 18.00),
    other("Gcd", "structures/gcd.c", &["-DN=8"], 1_162_333, 168.0),
    same("Fibonacci", "algorithms/fib_bench.c", &["-DN=5", "-DREL_ACQ", "-DNOCHECK"], 525_630, 57.95),
    other("Szymanski", "algorithms/szymanski.c", &["-DREL_ACQ", "-DNOCHECK"], 12_209_410, 894.0),
    other("Dekker", "algorithms/dekker.c", &["-DREL_ACQ", "-DNOCHECK", "-DTRIES=10"], 3_121_870, 292.0),
    other("Lamport", "algorithms/lamport.c", &["-DREL_ACQ", "-DNOCHECK"], 3_372_868, 418.0),
    same("Sigma(5)", "structures/sigma.c", &["-DN=5", "-DNOCHECK"], 120, 0.01),
    other("Peterson", "algorithms/peterson.c", &["-DREL_ACQ", "-DNOCHECK"], 1_897_228, 195.0),
    same("Stack_true", "algorithms/stack.c", &["-DN=12", "-DREL_ACQ"], 2_704_156, 612.0),
    other("Queue_ok", "structures/queue_ok.c", &["-DN=8"], 362_880, 772.0),
];

const TABLE_4: [Counted; 8] = [
    same("N_writers_a_reader(7)", "structures/n_writers_a_reader.c", &["-DN=7"], 8, 0.0),
    same("N_writers_a_reader(8)", "structures/n_writers_a_reader.c", &["-DN=8"], 9, 0.0),
    same("N_writers_a_reader(9)", "structures/n_writers_a_reader.c", &["-DN=9"], 10, 0.0),
    same("N_writers_a_reader(10)", "structures/n_writers_a_reader.c", &["-DN=10"], 11, 0.0),
    same("Redundant_co(5)", "structures/redundant_co.c", &["-DN=5"], 91, 0.01),
    same("Redundant_co(10)", "structures/redundant_co.c", &["-DN=10"], 331, 0.02),
    same("Redundant_co(15)", "structures/redundant_co.c", &["-DN=15"], 721, 0.06),
    same("Redundant_co(20)", "structures/redundant_co.c", &["-DN=20"], 1261, 0.14),
];

const TABLE_5: [Counted; 8] = [
    same("Sigma(6)", "structures/sigma.c", &["-DN=6", "-DNOCHECK"], 720, 0.04),
    same("Sigma(7)", "structures/sigma.c", &["-DN=7", "-DNOCHECK"], 5040, 0.40),
    same("Sigma(8)", "structures/sigma.c", &["-DN=8", "-DNOCHECK"], 40320, 3.28),
    same("Sigma(9)", "structures/sigma.c", &["-DN=9", "-DNOCHECK"], 362_880, 33.59),
    other("Control_flow(6)", "structures/control_flow_alt.c", &["-DN=6"], 77, 0.01),
    other("Control_flow(8)", "structures/control_flow_alt.c", &["-DN=8"], 273, 0.03),
    other("Control_flow(10)", "structures/control_flow_alt.c", &["-DN=10"], 1045, 0.16),
    other("Control_flow(12)", "structures/control_flow_alt.c", &["-DN=12"], 4121, 0.79),
];

const TABLES_6_TO_8: [Counted; 8] = [
    other("Linux_lock(2)", "structures/linux_rwlock.c", &["-DWRITERS=1", "-DREADERS=1"], 21, 0.01),
    other("Linux_lock(3)", "structures/linux_rwlock.c", &["-DWRITERS=1", "-DREADERS=2"], 412_814, 33.21),
    same("Ticket_mutex_c11(3)", "structures/ticket_mutex.c", &["-DN=3", "-DTRIES=10"], 4026, 0.25),
    other("Barrier(3)", "structures/barrier.c", &["-DN=3"], 31_944, 1.88),
    other("Seqlock(3)", "structures/seqlock.c", &["-DN=2", "-DWRITES=2"], 14_864, 0.77),
    other("MPMC_queue(3)", "structures/mpmc_queue.c", &["-DP=2", "-DC=1"], 239_254, 44.50),
    other("MCS_lock(2)", "structures/mcs_lock.c", &["-DN=3"], 70_072, 5.19),
    other("SPSC_queue(2)", "structures/spsc_queue.c", &["-DN=3"], 57, 0.01),
];

/// A program that is the same, so that its number is too.
const fn same(program: &'static str, file: &'static str, cflags: &'static [&'static str], published: u64, seconds: f64) -> Counted {
    Counted { program, file, cflags, published, agrees: true, seconds }
}

/// A program of the same kind: its code is not public, or has other bounds of loops.
const fn other(program: &'static str, file: &'static str, cflags: &'static [&'static str], published: u64, seconds: f64) -> Counted {
    Counted { program, file, cflags, published, agrees: false, seconds }
}

/// The tables.
pub fn experiments() -> Vec<Experiment> {
    macro_rules! table {
        ($name:literal, $title:literal, $lines:ident) => {
            Experiment {
                name: $name,
                title: $title,
                cases: counted_cases(&$lines, MODEL, ALGORITHM),
                summary: |rows| counted_summary(&$lines, rows),
            }
        };
    }
    vec![
        table!("tracer-table2", "Table 2: two standard programs", TABLE_2),
        table!("tracer-table3", "Table 3: programs of the SV-COMP", TABLE_3),
        table!("tracer-table4", "Table 4: synthetic programs", TABLE_4),
        table!("tracer-table5", "Table 5: programs with a parameter", TABLE_5),
        table!("tracer-tables6-8", "Tables 6 to 8: data structures", TABLES_6_TO_8),
    ]
}
