//! Explorations that are written down half-way and gone on with in fresh systems, and explorations that are divided:
//! all parts together explore what one exploration does, each trace once. On random programs, with everything that is
//! handed over written as JSON.

use crate::support::common::{copy, seeds};
use crate::support::linked::linked;
use raddle_event::{Atomics, Mapping, Portable};
use raddle_explore::{Answer, CommitUnit, End, GraphUnit, Left, Optimal, Revisiting, Rsmc, Sink, Unit, optimal, revisit, rsmc};
use raddle_join::{Committing, Ending, Grown, Scheduled, Stop};
use raddle_judge::{Axiom, PlainGraph, PlainPower, PlainSchedule, PowerGraph, Trace};
use raddle_machine::{Limits, Machine, OutOfOrder, Sites, Tables};
use raddle_memory::aarch64::{AArch64, LLSC, LSE};
use raddle_memory::buffered::{BufferedModel, Buffers, Memory};
use raddle_memory::commits::CommitModel;
use raddle_memory::graphs::GraphModel;
use raddle_memory::power::{MAPPING, Power};
use raddle_memory::ra::Ra;
use raddle_memory::rc11;
use raddle_program::Program;
use raddle_sample::{Description, Random, Shape, describe, shrink};
use serde::{Serialize, de::DeserializeOwned};
use std::ops::ControlFlow;

/// Programs with more executions than this are left out.
const MOST: usize = 600;

/// Collects traces.
struct Traces<'p> {
    program: &'p Program,
    model: BufferedModel,
    traces: Vec<Trace>,
}

impl<'p> Sink<Scheduled<'p>> for Traces<'_> {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if let Some(stop) = scheduled.stop() {
            assert_eq!(stop, &Stop::Contradicted, "nothing that is drawn is unsupported");
            return ControlFlow::Break(());
        }
        assert_eq!(end, End::Maximal, "nothing is redundant");
        let mut plain = PlainSchedule::new(copy(self.program, &scheduled.machine), raddle_check::buffering(self.model), false, ());
        assert!(plain.run(&scheduled.schedule()), "a schedule that was explored can be run");
        self.traces.push(plain.into_trace().0);
        if self.traces.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {}
}

/// Writes a value down and reads it.
fn sent<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).expect("what was written can be read")
}

/// One exploration without a break: what was learned by it, the numbers of threads and blocks, and the traces.
fn whole<'p>(program: &'p Program, model: BufferedModel) -> Option<(Sites, Tables, Traces<'p>)> {
    let mut sites = Sites::default();
    loop {
        let mut traces = Traces { program, model, traces: Vec::new() };
        let mut scheduled = Scheduled::new(program, model, Limits::default(), sites, true);
        let ended = optimal(&mut scheduled, &mut traces);
        if scheduled.machine.is_contradicted() {
            sites = scheduled.machine.sites().clone();
            continue;
        }
        let tables = scheduled.machine.tables();
        return ended.is_continue().then(|| (scheduled.machine.sites().clone(), tables, traces));
    }
}

/// A system in which nothing has happened, with other numbers for locations and actors.
fn fresh<'p>(program: &'p Program, model: BufferedModel, sites: &Sites, tables: &Tables) -> Scheduled<'p> {
    let limits = Limits { buffered: !model.is_direct(), awaits: true, ..Limits::default() };
    let tables = Tables { locations: Default::default(), ..tables.clone() };
    Scheduled::of(Machine::with_tables(program, limits, sites.clone(), tables), Memory::new(model, false), true)
}

type Written = Portable<Unit>;

fn read<'s, 'p>(system: &'s mut Scheduled<'p>, unit: &Written) -> Optimal<'s, Scheduled<'p>> {
    let unit = sent(unit).read(system).expect("it names what is there");
    Optimal::read(system, unit).expect("it fits the system")
}

/// How many parts there were, or what is wrong with what they explored.
type Outcome = Result<usize, String>;

fn compare(wanted: Vec<Trace>, found: Vec<Trace>, n_parts: usize) -> Outcome {
    let sorted = |mut traces: Vec<Trace>| {
        traces.sort();
        traces
    };
    let (n, wanted, found) = (found.len(), sorted(wanted), sorted(found));
    if wanted == found { Ok(n_parts) } else { Err(format!("{n} executions, there are {}", wanted.len())) }
}

/// Goes on from a written-down state again and again, each time in a fresh system.
fn interrupted(seed: u64, program: &Program, model: BufferedModel) -> Outcome {
    let Some((sites, tables, wanted)) = whole(program, model) else { return Ok(0) };
    let (mut random, mut n_breaks) = (Random::new(seed), 0);
    let mut found = Traces { program, model, traces: Vec::new() };
    let mut unit: Option<Written> = None;
    loop {
        let mut system = fresh(program, model, &sites, &tables);
        let mut search = match &unit {
            None => Optimal::new(&mut system),
            Some(unit) => read(&mut system, unit),
        };
        for _ in 0..1 + random.below(30) {
            if search.left() == Left::Work {
                assert!(search.go_on(&mut found).is_continue());
            }
        }
        if search.left() == Left::Nothing {
            break;
        }
        let written = search.write_down();
        drop(search);
        unit = Some(Portable::new(written, &system));
        n_breaks += 1;
    }
    compare(wanted.traces, found.traces, n_breaks)
}

/// A part of an exploration, and which part has given it away.
struct Part {
    from: Option<usize>,
    unit: Written,
}

/// Divides an exploration at random, and explores the parts in any order.
fn divided(seed: u64, program: &Program, model: BufferedModel) -> Outcome {
    let Some((sites, tables, wanted)) = whole(program, model) else { return Ok(0) };
    let mut random = Random::new(seed);
    let mut found = Traces { program, model, traces: Vec::new() };
    let mut system = fresh(program, model, &sites, &tables);
    let all = Optimal::new(&mut system).write_down();
    let mut parts = vec![Part { from: None, unit: Portable::new(all, &system) }];
    let mut open = vec![0];
    while !open.is_empty() {
        let n = open.swap_remove(random.below(open.len() as u32) as usize);
        let mut system = fresh(program, model, &sites, &tables);
        let mut search = read(&mut system, &parts[n].unit);
        let mut given = Vec::new();
        for _ in 0..1 + random.below(40) {
            if search.left() == Left::Work {
                assert!(search.go_on(&mut found).is_continue());
            }
            if random.once_in(3) {
                given.extend(search.give_away());
            }
        }
        let (left, mut answer) = (search.left(), None);
        match (left, parts[n].from) {
            (Left::Nothing, Some(_)) => answer = Some(search.answer()),
            (Left::Nothing, None) => {
                assert!(open.is_empty(), "the first part is over last");
                break;
            }
            _ => {
                let written = search.write_down();
                drop(search);
                parts[n].unit = Portable::new(written, &system);
            }
        }
        for unit in given {
            open.push(parts.len());
            parts.push(Part { from: Some(n), unit: Portable::new(unit, &system) });
        }
        if left == Left::Work {
            open.push(n);
        }
        if let (Some(answer), Some(parent)) = (answer, parts[n].from) {
            let answer = Portable::new(answer, &system);
            accept(&mut parts[parent], answer, &mut fresh(program, model, &sites, &tables));
            if !open.contains(&parent) {
                open.push(parent);
            }
        }
    }
    compare(wanted.traces, found.traces, parts.len() - 1)
}

/// A part that was given away is over: what it hands back goes to who gave it away.
fn accept(parent: &mut Part, answer: Portable<Answer>, system: &mut Scheduled) {
    let answer = sent(&answer).read(system).expect("it names what is there");
    let mut search = read(system, &parent.unit);
    search.accept(answer).expect("it was given away here");
    let written = search.write_down();
    drop(search);
    parent.unit = Portable::new(written, system);
}

// Graphs

/// The trace of each graph.
struct Graphs<'p> {
    program: &'p Program,
    axiom: Axiom,
    traces: Vec<Trace>,
    is_refused: bool,
}

impl<'p, M: GraphModel> Sink<Grown<'p, M>> for Graphs<'_> {
    fn execution(&mut self, grown: &Grown<'p, M>, end: End) -> ControlFlow<()> {
        assert_eq!(end, End::Maximal, "nothing is redundant");
        if let Some(stop) = &grown.core.stop {
            self.is_refused = *stop != Stop::Contradicted;
            return ControlFlow::Break(());
        }
        let mut graph = PlainGraph::new(copy(self.program, &grown.machine), self.axiom);
        assert!(graph.run(&grown.path()), "a graph that was explored makes sense");
        self.traces.push(graph.trace());
        if self.traces.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {}
}

/// Explores in parts that are written down and divided at random.
fn graphs<M: GraphModel>(seed: u64, program: &Program, axiom: Axiom, model: fn() -> M) -> Outcome {
    let none = || Graphs { program, axiom, traces: Vec::new(), is_refused: false };
    let mut sites = Sites::default();
    let (wanted, tables) = loop {
        let mut wanted = none();
        let mut grown = Grown::new(program, model(), Limits::default(), sites, true);
        let is_whole = revisit(&mut grown, &mut wanted).is_continue();
        let is_contradicted = grown.machine.is_contradicted();
        sites = grown.machine.sites().clone();
        if !is_contradicted {
            if !is_whole {
                return Ok(0);
            }
            break (wanted, Tables { locations: Default::default(), ..grown.machine.tables() });
        }
    };
    let (mut random, mut n_parts, mut found) = (Random::new(seed), 0, none());
    let mut open: Vec<Option<GraphUnit>> = vec![None];
    while !open.is_empty() {
        let unit = open.swap_remove(random.below(open.len() as u32) as usize);
        n_parts += 1;
        let machine = Machine::with_tables(program, Limits::default(), sites.clone(), tables.clone());
        let mut grown = Grown::of(machine, model(), true);
        let mut search = match &unit {
            None => Revisiting::new(&mut grown, &mut found),
            Some(unit) => Revisiting::read(&mut grown, &mut found, sent(unit)).expect("it fits"),
        };
        for _ in 0..1 + random.below(20) {
            if search.left() == Left::Work {
                assert!(search.go_on().is_continue());
            }
            if random.once_in(4) {
                open.extend(search.give_away().map(Some));
            }
        }
        if search.left() == Left::Work {
            open.push(Some(search.write_down()));
        }
    }
    compare(wanted.traces, found.traces, n_parts)
}

// Commits

/// The graph of each run.
struct Runs<'p> {
    program: &'p Program,
    model: raddle_judge::Model,
    graphs: Vec<PowerGraph>,
}

impl<'p, M: CommitModel> Sink<Committing<'p, M>> for Runs<'_> {
    fn execution(&mut self, committing: &Committing<'p, M>, end: End) -> ControlFlow<()> {
        if committing.core.stop.is_some() {
            return ControlFlow::Break(());
        }
        if end == End::Maximal {
            let machine = &committing.machine;
            let (limits, sites) = (machine.limits().clone(), machine.sites().clone());
            let mut plain = PlainPower::new(self.program, limits, sites, machine.tables(), self.model);
            for (event, way) in committing.run() {
                assert!(plain.commit(event, way), "a run that was explored makes sense");
            }
            self.graphs.push(plain.graph());
        }
        if self.graphs.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {}
}

/// A part of an exploration, and which part has given it away.
struct CommitPart {
    from: Option<usize>,
    unit: CommitUnit,
}

/// The runs of one exploration, with what it has learned and the numbers that it has given; `None` where there are too
/// many.
fn all_runs<M: CommitModel>(program: &Program, model: raddle_judge::Model, mapping: Mapping) -> Option<(Sites, Vec<PowerGraph>, Tables)> {
    let mut sites = Sites::default();
    loop {
        let mut wanted = Runs { program, model, graphs: Vec::new() };
        let mut committing: Committing<M> = Committing::new(program, Limits::default(), sites, mapping, true);
        let is_whole = rsmc(&mut committing, &mut wanted).is_continue();
        let is_contradicted = committing.machine.is_contradicted();
        sites = committing.machine.sites().clone();
        if !is_contradicted {
            let tables = Tables { locations: Default::default(), ..committing.machine.tables() };
            return is_whole.then_some((sites, wanted.graphs, tables));
        }
    }
}

/// Explores in parts that are written down and divided at random.
fn commits<M: CommitModel>(seed: u64, program: &Program, model: raddle_judge::Model, mapping: Mapping) -> Outcome {
    let Some((sites, mut wanted, tables)) = all_runs::<M>(program, model, mapping) else { return Ok(0) };
    let fresh = || -> Committing<M> {
        let limits = Committing::<M>::limits(&Limits::default());
        let machine = OutOfOrder::with_tables(program, limits, sites.clone(), tables.clone(), mapping);
        Committing::of(machine, true)
    };
    let mut random = Random::new(seed);
    let mut found = Runs { program, model, graphs: Vec::new() };
    let mut parts = vec![CommitPart { from: None, unit: Rsmc::new(&mut fresh()).write_down() }];
    let mut open = vec![0];
    while !open.is_empty() {
        let n = open.swap_remove(random.below(open.len() as u32) as usize);
        let mut committing = fresh();
        let mut search = Rsmc::read(&mut committing, sent(&parts[n].unit)).expect("it fits");
        for _ in 0..1 + random.below(40) {
            if search.left() == Left::Work {
                assert!(search.go_on(&mut found).is_continue());
            }
            if let Some(unit) = random.once_in(4).then(|| search.give_away()).flatten() {
                open.push(parts.len());
                parts.push(CommitPart { from: Some(n), unit });
            }
        }
        match (search.left(), parts[n].from) {
            (Left::Nothing, None) => assert!(open.is_empty(), "the first part is over last"),
            (Left::Nothing, Some(parent)) => {
                let (answer, mut committing) = (sent(&search.answer()), fresh());
                let mut search = Rsmc::read(&mut committing, parts[parent].unit.clone()).expect("it fits");
                search.accept(answer).expect("it was given away here");
                parts[parent].unit = search.write_down();
                if !open.contains(&parent) {
                    open.push(parent);
                }
            }
            (left, _) => {
                parts[n].unit = search.write_down();
                if left == Left::Work {
                    open.push(n);
                }
            }
        }
    }
    wanted.sort();
    found.graphs.sort();
    let (n, there) = (found.graphs.len(), wanted.len());
    if wanted == found.graphs { Ok(parts.len() - 1) } else { Err(format!("{n} runs, there are {there}")) }
}

/// The same for explorations of one model.
fn on_each(seeds: std::ops::Range<u64>, shape: &Shape, run: fn(u64, &Program) -> Outcome) -> usize {
    let one = |seed: u64| {
        let description = describe(seed, shape);
        run(seed, &linked(description.lower())).unwrap_or_else(|what| {
            let fails = |smaller: &Description| (0..100).any(|seed| run(seed, &linked(smaller.lower())).is_err());
            panic!("seed {seed}: {what}\n{}", shrink(description, fails))
        })
    };
    seeds.map(one).sum()
}

const MODELS: [Buffers; 3] = [Buffers::Sc, Buffers::Tso, Buffers::Pso];

/// Tries a way to explore in parts on random programs; gives how many parts there were.
fn on_all(seeds: std::ops::Range<u64>, shape: &Shape, run: fn(u64, &Program, BufferedModel) -> Outcome) -> usize {
    let mut n = 0;
    for seed in seeds {
        let description = describe(seed, shape);
        for buffers in MODELS {
            let model = BufferedModel { buffers, bound: None };
            match run(seed, &linked(description.lower()), model) {
                Ok(parts) => n += parts,
                Err(what) => {
                    let fails = |smaller: &Description| (0..100).any(|seed| run(seed, &linked(smaller.lower()), model).is_err());
                    let small = shrink(description.clone(), fails);
                    panic!("seed {seed}, {model:?}: {what}\n{small}");
                }
            }
        }
    }
    n
}

fn shapes() -> [Shape; 6] {
    [Shape::tiny(), Shape::schedules(), Shape::choices(), Shape::exchanges(), Shape::reservations(), Shape { actions: 8, ..Shape::locks() }]
}

#[test]
fn schedules_go_on_in_fresh_systems() {
    let n: usize = shapes().iter().map(|shape| on_all(seeds(40), shape, interrupted)).sum();
    assert!(n > 500, "only {n} breaks");
}

#[test]
fn schedules_are_divided() {
    let n: usize = shapes().iter().map(|shape| on_all(seeds(40), shape, divided)).sum();
    assert!(n > 500, "only {n} parts");
}

#[test]
fn weak_traces_are_divided() {
    let run = |seed, program: &Program| graphs(seed, program, Axiom::ReleaseAcquire, || Ra::new(false));
    let n: usize = shapes().iter().map(|shape| on_each(seeds(60), shape, run)).sum();
    assert!(n > 500, "only {n} parts");
}

#[test]
fn graphs_with_coherence_are_divided() {
    let run = |seed, program: &Program| graphs(seed, program, Axiom::Rc11, || rc11::Graph::new(false, false));
    let n: usize = shapes().iter().map(|shape| on_each(seeds(60), shape, run)).sum();
    assert!(n > 500, "only {n} parts");
}

#[test]
fn commits_are_divided() {
    let power = |seed, program: &Program| commits::<Power>(seed, program, raddle_judge::Model::Power, MAPPING);
    let aarch64 = |seed, program: &Program| commits::<AArch64>(seed, program, raddle_judge::Model::AArch64(Atomics::Lse), LSE);
    let exclusives = |seed, program: &Program| commits::<AArch64>(seed, program, raddle_judge::Model::AArch64(Atomics::Exclusives), LLSC);
    for (run, least) in [(power as fn(u64, &Program) -> Outcome, 500), (aarch64, 300), (exclusives, 300)] {
        let n: usize = shapes().iter().map(|shape| on_each(seeds(60), shape, run)).sum();
        assert!(n > least, "only {n} parts");
    }
}
