//! The graphs of SC, TSO and PSO on random programs, against two twins. One keeps the graphs that meet the axioms as
//! relations by their definition (`judge/src/graph/memory_order.rs`). The other one is what the explorers of schedules
//! are compared with (`judge/src/axioms.rs`): it has memory orders and neither clocks nor relations. Then the explorers
//! of schedules themselves, on programs that are larger: the numbers of executions.

use crate::support::few_seeds::few_seeds;
use crate::support::graphs::{Twins, options};
use crate::support::linked::linked;
use crate::support::seeds::seeds;
use crate::watched::heap_program;
use raddle_check::{Algorithm, MemoryModel, Options, Plan, Verdict, check, explore_graphs};
use raddle_explore::{End, Sink};
use raddle_join::Grown;
use raddle_judge::{Axiom, Buffering, Did, Graphs, PlainGraph, Trace, enumerate};
use raddle_machine::Machine;
use raddle_memory::graphs::GraphModel;
use raddle_memory::ordered::{Pso, Sc, Tso};
use raddle_program::{Program, parse};
use raddle_sample::{Random, Shape, describe, minimise};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

fn sc() -> Twins<impl Fn() -> Sc> {
    Twins { axiom: Axiom::Sc, model: || Sc::new(false, false) }
}

fn tso() -> Twins<impl Fn() -> Tso> {
    Twins { axiom: Axiom::Tso, model: || Tso::new(false, false) }
}

fn pso() -> Twins<impl Fn() -> Pso> {
    Twins { axiom: Axiom::Pso, model: || Pso::new(false, false) }
}

// By relations

fn check_relations(seeds: std::ops::Range<u64>, shape: &Shape) {
    sc().check(seeds.clone(), shape);
    tso().check(seeds.clone(), shape);
    pso().check(seeds, shape);
}

#[test]
fn tiny_programs() {
    check_relations(seeds(300), &Shape::tiny());
}

#[test]
fn programs_of_all_kinds() {
    check_relations(few_seeds(100), &Shape::graphs());
}

#[test]
fn spawns_and_joins() {
    let spawned = Shape { spawns: true, joins: true, fences: true, rmws: false, threads: 3..=4, actions: 7, ..Shape::tiny() };
    check_relations(few_seeds(100), &spawned);
}

#[test]
fn threads_that_wait_for_one_another() {
    sc().check_waiting(few_seeds(200));
    tso().check_waiting(few_seeds(200));
    pso().check_waiting(few_seeds(200));
}

#[test]
fn loops_that_wait() {
    check_relations(few_seeds(40), &Shape::awaits());
    let updates = Shape { rmws: true, threads: 4..=4, actions: 6, locations: 1..=1, awaits: 4, ..Shape::awaits() };
    check_relations(few_seeds(60), &updates);
}

// By memory orders

/// The traces of the graphs that are explored, as the axioms of memory orders write them.
#[derive(Default)]
struct Explored<'p> {
    traces: Vec<Trace>,
    judge: Option<Machine<'p>>,
    most: usize,
    redundant: usize,
    is_full: bool,
}

struct Collect<'e, 'p> {
    program: &'p Program,
    axiom: Axiom,
    explored: &'e mut Explored<'p>,
}

impl<'p, M: GraphModel> Sink<Grown<'p, M>> for Collect<'_, 'p> {
    fn execution(&mut self, grown: &Grown<'p, M>, end: End) -> ControlFlow<()> {
        if grown.core.stop.is_some() {
            return ControlFlow::Break(());
        }
        self.explored.redundant += (end == End::Redundant) as usize;
        self.explored.is_full = self.explored.traces.len() < self.explored.most;
        if !self.explored.is_full {
            return ControlFlow::Break(());
        }
        let machine =
            || Machine::with_tables(self.program, grown.machine.limits().clone(), grown.machine.sites().clone(), grown.machine.tables());
        let mut graph = PlainGraph::new(machine(), self.axiom);
        assert!(graph.run(&grown.path()), "a graph that was explored can be built");
        self.explored.traces.push(by_bytes(graph.trace()));
        self.explored.judge = Some(machine());
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.explored.traces.clear();
    }
}

/// A trace of accesses that do not overlap, with a source and a coherence order for each byte.
fn by_bytes(trace: Trace) -> Trace {
    let mut sizes = BTreeMap::new();
    let mut threads = trace.threads;
    for did in threads.values_mut().flatten() {
        if let Did::Access { start, size, from, .. } = did {
            sizes.insert(*start, *size as u64);
            *from = from.iter().flat_map(|source| std::iter::repeat_n(*source, *size as usize)).collect();
        }
    }
    let coherence = trace.coherence.into_iter();
    let bytes = coherence.flat_map(|(start, stores)| (start..start + sizes[&start]).map(move |byte| (byte, stores.clone())));
    Trace { threads, coherence: bytes.collect() }
}

fn explored(program: &Program, axiom: Axiom, most: usize) -> Explored<'_> {
    let mut explored = Explored { most, is_full: true, ..Explored::default() };
    let mut sink = Collect { program, axiom, explored: &mut explored };
    match axiom {
        Axiom::Sc => explore_graphs(program, || Sc::new(false, false), &options(axiom), &mut sink),
        Axiom::Tso => explore_graphs(program, || Tso::new(false, false), &options(axiom), &mut sink),
        _ => explore_graphs(program, || Pso::new(false, false), &options(axiom), &mut sink),
    }
    explored
}

const MODELS: [(Axiom, Buffering); 3] =
    [(Axiom::Sc, Buffering::None), (Axiom::Tso, Buffering::Queue { bound: None }), (Axiom::Pso, Buffering::ByLocation { bound: None })];

/// How many traces the programs have at the most.
const MOST: usize = 200;

/// What differs; nothing where the program is too large, which the second value tells.
fn difference(program: &Program, (axiom, buffering): (Axiom, Buffering), most: usize) -> (Option<String>, bool) {
    let found = explored(program, axiom, 2 * most);
    if !found.is_full {
        return (None, true);
    }
    let mut wanted = match enumerate(found.judge.expect("every program has an execution"), buffering, most) {
        Graphs::All(all) => all,
        Graphs::TooMany => return (None, true),
        Graphs::Unsupported(what) => return (Some(what), false),
    };
    let (mut traces, n) = (found.traces, wanted.len());
    traces.sort();
    wanted.sort();
    let what = format!("{} executions and {} redundant ones are explored, there are {n}", traces.len(), found.redundant);
    ((traces != wanted || found.redundant > 0).then_some(what), false)
}

#[track_caller]
fn check_orders(seeds: std::ops::Range<u64>, shape: &Shape, most: usize) {
    let (mut n_same, mut n_all) = (0, 0);
    for (seed, model) in seeds.flat_map(|seed| MODELS.map(|model| (seed, model))) {
        let description = describe(seed, shape);
        n_all += 1;
        match difference(&linked(description.lower()), model, most) {
            (None, is_too_large) => n_same += !is_too_large as usize,
            (Some(what), _) => {
                let small = minimise(description, |program| difference(program, model, most).0.is_some());
                let now = difference(&linked(small.lower()), model, most).0;
                panic!("seed {seed}, {:?}: {what}\n{small}\n{now:?}", model.0);
            }
        }
    }
    assert!(3 * n_same > 2 * n_all, "only {n_same} of {n_all} are small enough");
}

#[test]
fn orders_of_plain_loads_and_stores() {
    check_orders(seeds(1000), &Shape::plain(), MOST);
}

#[test]
fn orders_of_long_threads() {
    check_orders(seeds(500), &Shape::long(), MOST);
}

#[test]
fn orders_of_many_threads() {
    check_orders(seeds(400), &Shape::many(), MOST);
}

#[test]
fn orders_of_read_modify_writes() {
    check_orders(seeds(500), &Shape::updates(), MOST);
}

#[test]
fn orders_of_branches() {
    check_orders(seeds(500), &Shape::branches(), MOST);
}

#[test]
fn orders_with_c11_and_fences() {
    check_orders(seeds(500), &Shape::orders(), MOST);
}

#[test]
fn orders_with_locks() {
    check_orders(seeds(500), &Shape::locks(), MOST);
}

#[test]
fn orders_of_choices_that_end_threads() {
    check_orders(seeds(400), &Shape::ended_by_choices(), MOST);
    check_orders(seeds(300), &Shape::ended_beside_locks(), MOST);
}

#[test]
fn orders_of_programs_of_all_kinds() {
    check_orders(seeds(500), &Shape { actions: 10, ..Shape::graphs() }, MOST);
}

#[test]
fn orders_of_larger_programs() {
    check_orders(few_seeds(8), &Shape { actions: 14, ..Shape::plain() }, 20 * MOST);
    check_orders(few_seeds(8), &Shape { actions: 16, ..Shape::long() }, 20 * MOST);
    check_orders(few_seeds(8), &Shape { actions: 14, ..Shape::updates() }, 20 * MOST);
    check_orders(few_seeds(8), &Shape { actions: 13, ..Shape::orders() }, 20 * MOST);
    check_orders(few_seeds(8), &Shape { actions: 16, ..Shape::locks() }, 20 * MOST);
}

// By schedules

/// How many executions there are, by schedules and by graphs, where there are not too many.
fn counts(program: &Program, model: MemoryModel) -> [Option<(u64, u64, u64)>; 2] {
    [Algorithm::Optimal, Algorithm::Graphs].map(|algorithm| {
        let plan = Plan::new(model, algorithm, None).expect("the pairing exists");
        let options = Options { keep_going: true, max_executions: Some(20_000), ..Options::default() };
        let outcome = check(program, plan, &options, &mut |_| {});
        let count = outcome.count;
        outcome.limits.is_empty().then_some((count.executions, count.blocked, count.redundant))
    })
}

/// Compares larger programs of a shape by schedules and by graphs.
fn compare_counts(shape: &Shape, usual: u64, are_alike: impl Fn((u64, u64, u64), (u64, u64, u64)) -> bool) {
    for (seed, model) in few_seeds(usual).flat_map(|seed| [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso].map(|model| (seed, model)))
    {
        let description = describe(seed, shape);
        let [schedules, graphs] = counts(&linked(description.lower()), model);
        let (Some(schedules), Some(graphs)) = (schedules, graphs) else { continue };
        assert!(are_alike(schedules, graphs), "seed {seed}, {model}: {schedules:?} and {graphs:?}\n{description}");
    }
}

#[test]
fn as_many_executions_as_by_schedules() {
    for shape in
        [Shape { actions: 16, ..Shape::plain() }, Shape { actions: 18, ..Shape::locks() }, Shape { actions: 16, ..Shape::graphs() }]
    {
        compare_counts(&shape, 20, |schedules, graphs| schedules == graphs);
    }
}

/// Of loops that wait for ever graphs may have more: a thread that stays behind does so beside all that others do.
#[test]
fn as_many_executions_with_loops_that_wait() {
    let shape = Shape { actions: 12, ..Shape::awaits() };
    compare_counts(&shape, 20, |schedules, graphs| (schedules.0, schedules.2) == (graphs.0, graphs.2) && schedules.1 <= graphs.1);
}

/// Three threads that write two objects as a whole, and read them as a whole and in parts.
fn parts_program(random: &mut Random, orders: [&[&str]; 3]) -> String {
    let mut text = String::from("addresses code.0 globals.0\nglobal g0 \"x\" size 8 align 8\nglobal g1 \"y\" size 8 align 8\n");
    text += "entry f0\nentry f1\nentry f2\n";
    for thread in 0..3 {
        writeln!(text, "function f{thread} \"thread\" parameters 0 results 0 registers 4\nb0:").expect("text takes text");
        for _ in 0..random.within(1..=3) {
            let (at, value) = (random.below(2), random.pick(&["1", "4294967297", "4294967298"]));
            let [read, written, both] = orders.map(|orders| random.pick(orders));
            let (offset, size) = random.pick(&[(0, 4), (4, 4), (4, 2), (7, 1), (0, 8)]);
            text += &match random.below(7) {
                0 | 1 => format!("  store &g{at}, {value}, 8, {written}\n"),
                2 => format!("  rmw r1, add, &g{at}, {value}, 8, {both}\n"),
                3 => format!("  cas r1, r2, &g{at}, 0, {value}, 8, {both}, {read}\n"),
                _ => format!("  move r0, &g{at}\n  add r0, r0, {offset}, 64\n  load r1, r0, {size}, {read}\n"),
            };
        }
        text += "  return ()\n";
    }
    text
}

/// Reads of parts of what is written as a whole are reads of the whole where graphs grow, and accesses of their own
/// size for schedules. Where all is sequentially consistent RC11 has the executions of SC.
#[test]
fn parts_of_what_is_written_as_a_whole() {
    let (mut random, mut n_compared) = (Random::new(3), 0);
    let any: [&[&str]; 3] = [&["relaxed", "acquire", "seq_cst"], &["relaxed", "release", "seq_cst"], &["relaxed", "acq_rel", "seq_cst"]];
    for _ in seeds(200) {
        let text = parts_program(&mut random, any);
        let program = linked(parse(&text).expect("it is well written"));
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let [schedules, graphs] = counts(&program, model);
            assert_eq!(schedules, graphs, "{model}\n{text}");
            n_compared += graphs.is_some() as u32;
        }
        let text = parts_program(&mut random, [&["seq_cst"]; 3]);
        let program = linked(parse(&text).expect("it is well written"));
        let c11 = check(&program, Plan::best(MemoryModel::Rc11), &Options { races: true, ..Options::default() }, &mut |_| {});
        let [schedules, _] = counts(&program, MemoryModel::Sc);
        let count = (c11.count.executions, c11.count.blocked, c11.count.redundant);
        assert_eq!((c11.verdict, Some(count)), (Verdict::Verified, schedules), "{text}");
    }
    assert!(n_compared > 500, "{n_compared}");
}

/// A `free` that comes too early for a store that still waits, or for an access that nothing orders with it.
#[test]
fn ends_of_objects() {
    let mut random = Random::new(2);
    let (mut n_verified, mut n_refuted) = (0, 0);
    for _ in seeds(300) {
        let text = heap_program(&mut random, &[4]);
        let program = linked(parse(&text).unwrap_or_else(|why| panic!("{why:?}\n{text}")));
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let [schedules, graphs] = [Algorithm::Optimal, Algorithm::Graphs].map(|algorithm| {
                let plan = Plan::new(model, algorithm, None).expect("the pairing exists");
                let outcome = check(&program, plan, &Options { keep_going: true, ..Options::default() }, &mut |_| {});
                let is_verified = outcome.verdict == Verdict::Verified;
                (outcome.verdict, is_verified.then_some((outcome.count.executions, outcome.count.blocked)))
            });
            assert_eq!(schedules, graphs, "{model}\n{text}");
            n_verified += (graphs.0 == Verdict::Verified) as u32;
            n_refuted += (graphs.0 == Verdict::Refuted) as u32;
        }
    }
    assert!(n_verified > 50 && n_refuted > 50, "{n_verified} and {n_refuted}");
}
