//! Explorations up to the order of interchangeable threads, on random programs of several threads of one function: the
//! twin explores all graphs, without symmetry, and takes those for one that only differ in the names of threads which
//! the exploration holds to be interchangeable. Each such class must have been explored, and once. So what is told
//! apart by something that was overlooked shows as a class that is missing.

use crate::support::graphs::options;
use crate::support::linked::linked;
use crate::support::seeds::seeds;
use raddle_check::{explore_graphs, explore_orbits};
use raddle_event::{Order, ThreadId};
use raddle_explore::{End, Sink};
use raddle_join::{Conclusion, Ending, Grown};
use raddle_judge::{Axiom, Did, PlainGraph, StoreName, Trace};
use raddle_machine::{Machine, Sites};
use raddle_memory::graphs::GraphModel;
use raddle_memory::ordered::{Pso, Sc, Tso};
use raddle_memory::ra::placed;
use raddle_memory::{rc11, sra};
use raddle_program::Program;
use raddle_sample::{Access, Copies, Description, Expression, Shape, Statement, Style, ToldApart, Variable, describe, shrink};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// How many graphs a program has at the most.
const MOST: usize = 1500;

/// A graph that was explored: whether it is complete, whether a thread stays behind in it, and its trace.
type Seen = (bool, bool, Trace);

/// The graphs that are explored.
struct Collect<'p> {
    program: &'p Program,
    axiom: Axiom,
    seen: Vec<Seen>,
    /// What was learned of the program in the end, and so which of its loops wait.
    learned: Option<Sites>,
    most: usize,
    is_full: bool,
    is_refused: bool,
}

impl<'p, M: GraphModel> Sink<Grown<'p, M>> for Collect<'p> {
    fn execution(&mut self, grown: &Grown<'p, M>, end: End) -> ControlFlow<()> {
        assert_eq!(end, End::Maximal, "no execution is redundant");
        if let Some(stop) = &grown.core.stop {
            self.is_refused = *stop != raddle_join::Stop::Contradicted;
            return ControlFlow::Break(());
        }
        let machine =
            Machine::with_tables(self.program, grown.machine.limits().clone(), grown.machine.sites().clone(), grown.machine.tables());
        let mut graph = PlainGraph::new(machine, self.axiom);
        assert!(graph.run(&grown.path_without_last_looks()), "a graph that was explored can be built");
        self.seen.push((grown.conclusion() == Conclusion::Complete, grown.has_parked(), graph.trace()));
        self.learned = Some(grown.machine.sites().clone());
        self.is_full = self.seen.len() > self.most;
        if self.is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.seen.clear();
    }
}

/// All orders of some things.
fn orders<T: Copy>(of: &[T]) -> Vec<Vec<T>> {
    let Some((&first, others)) = of.split_first() else { return vec![Vec::new()] };
    let places = |order: Vec<T>| (0..=order.len()).map(move |at| [&order[..at], &[first], &order[at..]].concat());
    orders(others).into_iter().flat_map(places).collect()
}

/// The trace in which each thread has another name.
fn renamed(trace: &Trace, names: &BTreeMap<ThreadId, ThreadId>) -> Trace {
    let name = |thread: ThreadId| names.get(&thread).copied().unwrap_or(thread);
    let source = |from: StoreName| from.map(|(thread, n)| (name(thread), n));
    let renamed = |did: &Did| match did.clone() {
        Did::Access { start, size, writes, from } => Did::Access { start, size, writes, from: from.into_iter().map(source).collect() },
        did @ Did::Choice(_) => did,
    };
    let threads = trace.threads.iter().map(|(&thread, did)| (name(thread), did.iter().map(renamed).collect())).collect();
    let stores = |stores: &Vec<(ThreadId, u32)>| stores.iter().map(|&(thread, n)| (name(thread), n)).collect();
    Trace { threads, coherence: trace.coherence.iter().map(|(&at, all)| (at, stores(all))).collect() }
}

/// The least of the traces that only differ in the names of the threads of each group.
fn least(trace: &Trace, groups: &[Vec<ThreadId>]) -> Trace {
    groups
        .iter()
        .fold(vec![trace.clone()], |all, group| {
            let names = |order: Vec<ThreadId>| group.iter().copied().zip(order).collect::<BTreeMap<_, _>>();
            all.iter().flat_map(|trace| orders(group).into_iter().map(names).map(|names| renamed(trace, &names))).collect()
        })
        .into_iter()
        .min()
        .expect("there is the trace itself")
}

/// What came of a comparison.
enum Compared {
    Same { is_less: bool },
    TooLarge,
    Different(String),
}

fn compare_under<M: GraphModel>(program: &Program, (axiom, most): (Axiom, usize), model: impl Fn() -> M) -> Compared {
    let collect = || Collect { program, axiom, most, seen: Vec::new(), learned: None, is_full: false, is_refused: false };
    let (mut all, mut orbits) = (collect(), collect());
    explore_graphs(program, &model, &options(axiom), &mut all);
    if all.is_full || all.is_refused {
        return Compared::TooLarge;
    }
    let groups = explore_orbits(program, &model, &options(axiom), &mut orbits);
    if orbits.is_refused {
        return Compared::Different("it is refused with symmetry, and not without".into());
    }
    // Which loops wait is learned, and may be learned in one exploration alone: then blocked executions are others.
    let same_loops_wait = all.learned.as_ref().zip(orbits.learned.as_ref()).is_none_or(|(one, other)| one.waits_as(other));
    if !same_loops_wait {
        [&mut all, &mut orbits].into_iter().for_each(|collected| collected.seen.retain(|(is_complete, ..)| *is_complete));
    }
    let class = |(is_complete, parked, trace): Seen| (is_complete, parked, least(&trace, &groups));
    let classes = |seen: Vec<Seen>| seen.into_iter().map(class);
    let (n_all, n) = (all.seen.len(), orbits.seen.len());
    let (wanted, found): (BTreeSet<Seen>, BTreeSet<Seen>) = (classes(all.seen).collect(), classes(orbits.seen).collect());
    if wanted == found && n == found.len() {
        return Compared::Same { is_less: n < n_all };
    }
    let (missing, extra) = (wanted.difference(&found).count(), found.difference(&wanted).count());
    Compared::Different(format!(
        "{n} executions of {} orbits up to {groups:?}, there are {} ({n_all} executions): {missing} missing, {extra} too many",
        found.len(),
        wanted.len()
    ))
}

const AXIOMS: [Axiom; 6] = [Axiom::Sc, Axiom::Tso, Axiom::Pso, Axiom::PlacedReleaseAcquire, Axiom::StrongReleaseAcquire, Axiom::Rc11];

fn compare(program: &Program, axiom: Axiom, most: usize) -> Compared {
    let how = (axiom, most);
    match axiom {
        Axiom::Sc => compare_under(program, how, || Sc::new(false, false)),
        Axiom::Tso => compare_under(program, how, || Tso::new(false, false)),
        Axiom::Pso => compare_under(program, how, || Pso::new(false, false)),
        Axiom::PlacedReleaseAcquire => compare_under(program, how, || placed::Graph::new(false, false)),
        Axiom::StrongReleaseAcquire => compare_under(program, how, || sra::Graph::new(false, false)),
        _ => compare_under(program, how, || rc11::Graph::new(false, false)),
    }
}

fn difference(description: &Description, copies: &Copies, axiom: Axiom) -> Option<String> {
    let is_lowered = description.style == Style::Entries && description.threads.len() <= copies.n.len() + 1;
    let program = is_lowered.then(|| linked(description.lower_in_copies(copies)))?;
    match compare(&program, axiom, MOST) {
        Compared::Different(what) => Some(what),
        _ => None,
    }
}

/// How many programs were compared, and in how many some thread was left out for another one.
#[track_caller]
fn check(seeds: std::ops::Range<u64>, shape: &Shape, is_apart: bool) -> (u64, u64) {
    let (mut n_same, mut n_less) = (0, 0);
    for seed in seeds {
        let description = describe(seed, shape);
        let copies = Copies::of(seed, description.threads.len(), 4, is_apart);
        let axiom = AXIOMS[seed as usize % AXIOMS.len()];
        match compare(&linked(description.lower_in_copies(&copies)), axiom, MOST) {
            Compared::Same { is_less } => {
                n_same += 1;
                n_less += is_less as u64;
            }
            Compared::TooLarge => {}
            Compared::Different(what) => {
                let small = shrink(description, |description| difference(description, &copies, axiom).is_some());
                panic!("seed {seed}, {axiom:?}, {copies:?}: {what}\n{small}\n{:?}", difference(&small, &copies, axiom));
            }
        }
    }
    (n_same, n_less)
}

#[track_caller]
fn check_alike(usual: u64, shape: Shape) {
    let all = seeds(usual);
    let (n_same, n_less) = check(all.clone(), &shape, false);
    assert!(3 * n_same > all.end && 4 * n_less > n_same, "{n_same} of {} programs are compared, {n_less} have symmetry", all.end);
}

/// Shapes of which each body runs several times.
fn small() -> Shape {
    Shape { threads: 2..=3, actions: 4, locations: 1..=2, ..Shape::tiny() }
}

#[test]
fn loads_and_stores() {
    check_alike(200, Shape { rmws: false, orders: true, ..small() });
}

#[test]
fn updates() {
    check_alike(200, Shape { cas: 2, fences: true, orders: true, ..small() });
}

#[test]
fn one_body() {
    check_alike(200, Shape { threads: 2..=2, actions: 5, cas: 2, orders: true, ..small() });
}

#[test]
fn locks() {
    check_alike(200, Shape { locks: true, rmws: false, actions: 6, ..small() });
}

#[test]
fn choices() {
    check_alike(200, Shape { choices: 3, branches: 8, assumes: 2, ..small() });
}

#[test]
fn waits() {
    check_alike(1200, Shape { awaits: 4, orders: true, ..small() });
}

/// Threads that wait, alike, for what others write and they themselves take away: one may stay behind where another
/// goes on, and it may be any of them.
#[test]
fn waits_for_what_many_write() {
    check_alike(1200, Shape { threads: 3..=3, locations: 1..=1, awaits: 10, cas: 1, orders: true, ..small() });
}

#[test]
fn everything() {
    check_alike(200, Shape { actions: 5, conditions: false, spawns: false, threads: 2..=3, locations: 1..=2, ..Shape::graphs() });
}

/// What tells threads apart, in an execution or in what nobody has seen yet.
#[test]
fn threads_that_are_told_apart() {
    let shape = Shape { orders: true, cas: 1, branches: 4, assumes: 1, ..small() };
    let (n_same, _) = check(seeds(400), &shape, true);
    assert!(2 * n_same > seeds(400).end, "only {n_same} are compared");
}

#[test]
fn locks_of_threads_that_are_told_apart() {
    let shape = Shape { locks: true, rmws: false, actions: 5, ..small() };
    let (n_same, _) = check(seeds(200), &shape, true);
    assert!(2 * n_same > seeds(200).end, "only {n_same} are compared");
}

/// Each way to tell threads apart does so for a program of two threads that each add one.
#[test]
fn each_way_to_tell_threads_apart() {
    let ways = [
        ToldApart::Number(2),
        ToldApart::Address,
        ToldApart::BetweenSpawns,
        ToldApart::BetweenJoins,
        ToldApart::Unjoined,
        ToldApart::Arguments,
    ];
    let description = describe(0, &Shape { threads: 2..=2, ..small() });
    for apart in ways {
        let copies = Copies { n: vec![2], apart: Some(apart) };
        for axiom in AXIOMS {
            assert_eq!(difference(&description, &copies, axiom), None, "{apart:?} under {axiom:?}");
        }
    }
}

/// Two groups whose threads read what those of the other one write, all relaxed: there are graphs in which the threads
/// of both groups cannot be put into the order of what they read from.
#[test]
fn groups_that_cannot_both_be_in_order() {
    let at = |location| Access { location, offset: 0, size: 4, order: Order::Relaxed, depends_on: None };
    let store = |location| Statement::Store { to: at(location), value: Expression::Constant(1) };
    let load = |location| Statement::Load { to: Variable(0), from: at(location) };
    let threads = vec![vec![store(0), store(1)], vec![load(0), store(1)], vec![load(1), store(0)]];
    let description = Description { style: Style::Entries, threads };
    let copies = Copies { n: vec![2, 2], apart: None };
    for axiom in AXIOMS {
        match compare(&linked(description.lower_in_copies(&copies)), axiom, 20_000) {
            Compared::Same { is_less } => assert!(is_less),
            Compared::TooLarge => panic!("it is not too large"),
            Compared::Different(what) => panic!("{axiom:?}: {what}"),
        }
    }
}
