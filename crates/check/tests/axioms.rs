//! The explorers of schedules against the axioms, on random programs: `enumerate` finds all graphs of program order,
//! reads-from and coherence that SC, TSO or PSO allow, without schedules, buffers and updates. Each explorer must find
//! the same set of traces; optimal one execution of each and nothing redundant.

use crate::support::linked::linked;
use crate::support::{Explored, copy, explored, seeds, set};
use raddle_check::{Algorithm, MemoryModel, Plan};
use raddle_event::Order;
use raddle_judge::{Buffering, Graphs, enumerate};
use raddle_machine::{Limits, Machine, Sites};
use raddle_program::Program;
use raddle_sample::{Access, Description, Expression, Shape, Statement, Style, Variable, describe, minimise};

const MODELS: [(MemoryModel, Buffering); 3] = [
    (MemoryModel::Sc, Buffering::None),
    (MemoryModel::Tso, Buffering::Queue { bound: None }),
    (MemoryModel::Pso, Buffering::ByLocation { bound: None }),
];

const ALL: [Algorithm; 3] = [Algorithm::Optimal, Algorithm::Source, Algorithm::Classic];

/// Of source and classic each takes its turn.
fn algorithms(seed: u64) -> [Algorithm; 2] {
    [Algorithm::Optimal, if seed.is_multiple_of(2) { Algorithm::Source } else { Algorithm::Classic }]
}

// Programs whose graphs were counted by hand or published

/// A program of plain loads (`r=x`) and stores (`x=1`), threads separated by `|`.
fn litmus(text: &str) -> Description {
    let location = |name: &str| Access {
        location: name.as_bytes()[0] as u32 - b'x' as u32,
        offset: 0,
        size: 4,
        order: Order::Plain,
        depends_on: None,
    };
    let statement = |(n, text): (usize, &str)| match text.trim().split_once('=').expect("an assignment") {
        ("r", from) => Statement::Load { to: Variable(n as u32), from: location(from) },
        (to, value) => Statement::Store { to: location(to), value: Expression::Constant(value.parse().expect("a number")) },
    };
    let threads = text.split('|').map(|thread| thread.split(';').enumerate().map(statement).collect()).collect();
    Description { style: Style::Entries, threads }
}

fn n_graphs(program: &Program, buffering: Buffering, most: usize) -> Option<usize> {
    match enumerate(Machine::new(program, Limits::default(), Sites::default()), buffering, most) {
        Graphs::All(all) => Some(all.len()),
        Graphs::TooMany => None,
        Graphs::Unsupported(what) => panic!("{what}"),
    }
}

/// How many graphs a program has under SC, TSO and PSO.
#[track_caller]
fn check_counts(text: &str, expected: [usize; 3]) {
    let program = litmus(text).lower();
    assert_eq!(MODELS.map(|(_, buffering)| n_graphs(&program, buffering, 1000)), expected.map(Some), "{text}");
}

#[test]
fn the_axioms_give_the_counts_that_are_known() {
    check_counts("x=1; r=y | y=1; r=x", [3, 4, 4]);
    check_counts("x=1; y=1 | r=y; r=x", [3, 3, 4]);
    check_counts("r=x; y=1 | r=y; x=1", [3, 3, 3]);
    check_counts("x=1; r=x | x=2", [3, 3, 3]);
    check_counts("x=1; r=x | x=2; r=x", [4, 4, 4]);
    check_counts("r=x | x=1 | x=2", [6, 6, 6]);
    check_counts("x=1; r=x; r=y | y=1; r=y; r=x", [3, 4, 4]);
    check_counts("x=1; x=2 | r=x; r=x", [6, 6, 6]);
    check_counts("x=1 | x=2 | x=3 | x=4 | x=5 | r=x", [720; 3]);
}

/// Programs of which an explorer once lost traces: loads that take their values from the own buffer, and stores of
/// others in between.
#[test]
fn programs_with_loads_that_forward() {
    let programs = [
        ("z=1; r=y; y=1 | y=1; r=y; z=1", [6, 7, 10]),
        ("y=1 | r=z; z=1 | z=1; r=z; r=y", [10, 10, 10]),
        ("r=x; r=x; x=1 | x=2; r=x; r=y | y=1; y=2", [21, 21, 21]),
        ("x=1 | x=2; r=y; y=1 | y=2; r=y; r=x", [18, 24, 30]),
        ("x=1; r=y; y=1 | y=2; r=y; r=x; r=x", [7, 11, 15]),
    ];
    for (text, expected) in programs {
        check_counts(text, expected);
        let program = litmus(text).lower();
        for model in MODELS {
            assert_eq!(difference(&program, model, &ALL, MOST), None, "{text}, {}", model.0);
        }
    }
}

/// A load that forwards in the sequence that reverses a race, until that sequence goes down along the update of the
/// store that it forwards from: from there on it takes its value from memory, and depends on what others write.
#[test]
fn a_load_that_forwards_until_its_store_is_updated() {
    let mut description = litmus("y=3; x=1 | x=3; r=x");
    let [then, otherwise] = ["y=1", "r=y"].map(|text| litmus(text).threads.remove(0));
    description.threads[1].push(Statement::If { variable: Variable(1), equals: 1, then, otherwise });
    let program = linked(description.lower());
    for (model, n) in MODELS.into_iter().zip([4, 5, 6]) {
        assert_eq!(n_graphs(&program, model.1, MOST), Some(n), "{}", model.0);
        assert_eq!(difference(&program, model, &ALL, MOST), None, "{}", model.0);
    }
}

/// Where a choice was made later than it could be, other steps stood beside its outcomes in a wakeup tree: an outcome
/// slept, was put in all the same, and its traces were explored twice.
#[test]
fn a_choice_beside_a_load_that_forwards() {
    let mut description = litmus("x=1; r=x; r=y | y=1; x=1 | r=y");
    let variable = Variable(7);
    description.threads[2].splice(0..0, [Statement::Choose { to: variable, n: 2 }, Statement::AssumeNot { variable, value: 0 }]);
    let program = linked(description.lower());
    for (model, n) in MODELS.into_iter().zip([12, 15, 18]) {
        assert_eq!(n_graphs(&program, model.1, MOST), Some(n), "{}", model.0);
        assert_eq!(difference(&program, model, &ALL, MOST), None, "{}", model.0);
    }
}

/// Two choices in a row after the outcome that no execution has shown when a sequence is put in for it.
#[test]
fn a_choice_right_after_another() {
    let mut description = litmus("x=1; r=x | x=2 | r=y");
    let [first, second] = [Variable(7), Variable(8)];
    let then = litmus("r=x").threads.remove(0);
    let [choose, again] = [first, second].map(|to| Statement::Choose { to, n: 2 });
    description.threads[2].extend([choose, Statement::If { variable: first, equals: 0, then, otherwise: Vec::new() }, again]);
    let program = linked(description.lower());
    for model in MODELS {
        assert_eq!(difference(&program, model, &ALL, MOST), None, "{}", model.0);
    }
}

#[test]
fn the_axioms_say_when_there_are_too_many() {
    let program = litmus("r=x | x=1 | x=2").lower();
    assert_eq!([6, 5].map(|most| n_graphs(&program, Buffering::None, most)), [Some(6), None]);
}

// Random programs

enum Compared {
    Same,
    TooLarge,
    Different(String),
}

/// What is wrong with what an explorer has found, if these are all traces that there are.
fn wrong(algorithm: Algorithm, found: &Explored, wanted: &[raddle_judge::Trace]) -> Option<String> {
    let traces = set(&found.traces);
    let n_missing = wanted.iter().filter(|trace| traces.binary_search(trace).is_err()).count();
    if traces != wanted {
        let n_extra = traces.len() + n_missing - wanted.len();
        return Some(format!("{algorithm} misses {n_missing} of {} traces and has {n_extra} that are not allowed", wanted.len()));
    }
    let (n, redundant) = (found.traces.len(), found.redundant);
    let is_optimal = algorithm != Algorithm::Optimal || (n == wanted.len() && redundant == 0);
    (!is_optimal).then(|| format!("{algorithm} explores {n} executions and {redundant} redundant ones of {} traces", wanted.len()))
}

fn machine<'p>(program: &'p Program, found: &Explored) -> Machine<'p> {
    copy(program, found.judge.as_ref().expect("every program has an execution"))
}

/// Compares some algorithms, the first of which also says whether the program is too large. A panic is a difference
/// too.
fn compare(program: &Program, model: (MemoryModel, Buffering), algorithms: &[Algorithm], most: usize) -> Compared {
    let compared = std::panic::catch_unwind(|| compare_all(program, model, algorithms, most));
    compared.unwrap_or_else(|_| Compared::Different("the exploration or the twin panics".into()))
}

fn compare_all(program: &Program, (model, buffering): (MemoryModel, Buffering), algorithms: &[Algorithm], most: usize) -> Compared {
    let mut wanted = None;
    for &algorithm in algorithms {
        let found = explored(program, Plan::new(model, algorithm, None).expect("the pairing exists"), 2 * most);
        let wanted = match &wanted {
            Some(wanted) => wanted,
            None if !found.is_full => return Compared::TooLarge,
            None => match enumerate(machine(program, &found), buffering, most) {
                Graphs::All(all) => {
                    let n = all.len();
                    let all = wanted.insert(set(&all));
                    assert_eq!(all.len(), n, "the axioms give no graph twice");
                    all
                }
                Graphs::TooMany => return Compared::TooLarge,
                Graphs::Unsupported(what) => return Compared::Different(what),
            },
        };
        if let Some(wrong) = wrong(algorithm, &found, wanted) {
            return Compared::Different(wrong);
        }
    }
    Compared::Same
}

fn difference(program: &Program, model: (MemoryModel, Buffering), algorithms: &[Algorithm], most: usize) -> Option<String> {
    match compare(program, model, algorithms, most) {
        Compared::Different(what) => Some(what),
        Compared::Same | Compared::TooLarge => None,
    }
}

/// Compares the programs of some seeds that have at most so many traces. Says of each program that makes a difference,
/// up to ten, what the smallest one like it is.
#[track_caller]
fn check(seeds: std::ops::Range<u64>, shape: &Shape, most: usize) {
    let (mut n_compared, mut n_all, mut differences) = (0, 0, Vec::new());
    for (seed, model) in seeds.flat_map(|seed| MODELS.map(|model| (seed, model))) {
        let description = describe(seed, shape);
        n_all += 1;
        match compare(&linked(description.lower()), model, &algorithms(seed), most) {
            Compared::Same => n_compared += 1,
            Compared::TooLarge => {}
            Compared::Different(what) => {
                let difference = |program: &Program| difference(program, model, &algorithms(seed), most);
                let small = minimise(description, |program| difference(program).is_some());
                let now = difference(&linked(small.lower())).unwrap_or_default();
                differences.push(format!("seed {seed}, {}: {what}\n{small}\n{now}", model.0));
                if differences.len() == 10 {
                    break;
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(3 * n_compared > 2 * n_all, "only {n_compared} of {n_all} are small enough");
}

/// How many traces the programs have at the most.
const MOST: usize = 200;

#[test]
fn plain_loads_and_stores() {
    check(seeds(1000), &Shape::plain(), MOST);
}

#[test]
fn long_threads() {
    check(seeds(600), &Shape::long(), MOST);
}

#[test]
fn many_threads() {
    check(seeds(400), &Shape::many(), MOST);
}

#[test]
fn read_modify_writes() {
    check(seeds(500), &Shape::updates(), MOST);
}

#[test]
fn branches() {
    check(seeds(500), &Shape::branches(), MOST);
}

#[test]
fn orders_and_fences() {
    check(seeds(500), &Shape::orders(), MOST);
}

#[test]
fn overlapping_accesses() {
    check(seeds(400), &Shape::overlaps(), MOST);
}

#[test]
fn locks() {
    check(seeds(500), &Shape::locks(), MOST);
}

#[test]
fn loops_that_wait() {
    check(seeds(300), &Shape::awaits(), MOST);
    check(seeds(150), &Shape::awaits_of_pairs(), MOST);
}

#[test]
fn choices_that_end_threads() {
    check(seeds(500), &Shape::ended_by_choices(), MOST);
    check(seeds(300), &Shape::ended_beside_locks(), MOST);
    let branching = Shape { actions: 10, choices: 3, branches: 4, ..Shape::ended_by_choices() };
    check(seeds(300), &branching, MOST);
}

#[test]
fn programs_of_all_kinds() {
    check(seeds(400), &Shape { actions: 10, ..Shape::schedules() }, MOST);
}

#[test]
fn reservations() {
    check(seeds(200), &Shape { actions: 10, ..Shape::reservations() }, MOST);
}

/// A hundredth as many in the full run.
fn few_seeds(usual: u64) -> std::ops::Range<u64> {
    let all = seeds(100 * usual);
    all.start..all.start + (all.end - all.start) / 100
}

#[test]
fn larger_programs() {
    check(few_seeds(8), &Shape { actions: 14, ..Shape::plain() }, 20 * MOST);
    check(few_seeds(8), &Shape { actions: 16, ..Shape::long() }, 20 * MOST);
    check(few_seeds(8), &Shape { actions: 14, ..Shape::updates() }, 20 * MOST);
    check(few_seeds(8), &Shape { actions: 13, ..Shape::orders() }, 20 * MOST);
    check(few_seeds(8), &Shape { actions: 16, ..Shape::locks() }, 20 * MOST);
}
