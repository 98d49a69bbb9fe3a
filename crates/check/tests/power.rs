//! RSMC against the plain twin: for random programs with dependencies, barriers and read-modify-writes, all graphs that make sense, in any order of commits, judged by
//! the axioms from scratch. The sets of graphs must be equal, and each must be explored once.

#[path = "support/linked.rs"]
mod linked;

use linked::linked;
use raddle_check::{Options, explore_commits};
use raddle_event::{EventId, Fence, Order, Parameter, ThreadId};
use raddle_explore::{Commits, End, Sink};
use raddle_join::{Committing, Ending, Stop};
use raddle_judge::{PlainPower, PowerGraph};
use raddle_machine::{Limits, OutOfOrder, Sites, Tables};
use raddle_memory::power::{MAPPING, Power};
use raddle_program::Program;
use raddle_sample::{Access, Description, Expression, Lowering, Random, Shape, Statement, Style, describe, shrink};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Programs with more partial graphs than this are left out.
const MOST: usize = 4_000;

#[derive(Default)]
struct Explored {
    graphs: Vec<PowerGraph>,
    /// Of the graphs those in which every thread has ended.
    ended: Vec<PowerGraph>,
    redundant: usize,
    is_full: bool,
    /// Why the exploration has ended; nothing that is drawn is unsupported or endless.
    stopped: Option<String>,
}

impl<'p> Sink<Committing<'p, Power>> for Explored {
    fn execution(&mut self, committing: &Committing<'p, Power>, end: End) -> ControlFlow<()> {
        if let Some(stop) = &committing.core.stop {
            self.stopped = (*stop != Stop::Contradicted).then(|| format!("{stop:?}"));
            return ControlFlow::Break(());
        }
        match end {
            End::Redundant => self.redundant += 1,
            End::Maximal => {
                let machine = &committing.machine;
                let (limits, sites) = (machine.limits().clone(), machine.sites().clone());
                let mut plain = PlainPower::new(machine.program(), limits, sites, machine.tables());
                for (event, parameter) in committing.run() {
                    assert!(plain.commit(event, parameter), "a run that was explored makes sense");
                }
                assert!(plain.is_allowed(), "a run that was explored is allowed");
                self.graphs.push(plain.graph());
                if committing.is_well() {
                    self.ended.push(plain.graph());
                }
            }
        }
        self.is_full = self.graphs.len() > MOST;
        if self.is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Explored::default();
    }
}

/// All graphs that are allowed, by going through everything that makes sense; nothing where there are too many.
fn every_graph(program: &Program, sites: Sites) -> Option<BTreeSet<PowerGraph>> {
    let mut plain = PlainPower::new(program, Limits::default(), sites, Tables::of(program));
    let (mut seen, mut allowed) = (BTreeSet::new(), BTreeSet::new());
    go_on(&mut plain, &mut seen, &mut allowed)?;
    Some(allowed)
}

fn go_on(plain: &mut PlainPower, seen: &mut BTreeSet<PowerGraph>, allowed: &mut BTreeSet<PowerGraph>) -> Option<()> {
    let graph = plain.graph();
    if !seen.insert(graph.clone()) {
        return Some(());
    }
    if seen.len() > MOST {
        return None;
    }
    let ready = plain.ready();
    let is_maximal = ready.iter().all(|&event| plain.is_guarded(event) && !plain.can_commit(event));
    for event in ready {
        for parameter in plain.parameters(event) {
            let point = plain.point();
            assert!(plain.commit(event, parameter), "what is ready makes sense");
            go_on(plain, seen, allowed)?;
            plain.go_back(point);
        }
    }
    if is_maximal && plain.is_allowed() {
        allowed.insert(graph);
    }
    Some(())
}

/// What a comparison found.
#[derive(PartialEq)]
enum Found {
    Equal,
    /// There are too many graphs to compare.
    TooMany,
    Wrong(String),
}

/// Compares what RSMC finds with all graphs.
fn problem(program: &Program, redundant: &mut usize) -> Found {
    let mut explored = Explored::default();
    let options = Options { keep_going: true, ..Options::default() };
    explore_commits::<Power, _>(program, MAPPING, &options, &mut explored);
    if explored.is_full {
        return Found::TooMany;
    }
    if let Some(why) = explored.stopped {
        return Found::Wrong(why);
    }
    *redundant += explored.redundant;
    let mut sites = Sites::default();
    let found: BTreeSet<PowerGraph> = explored.graphs.iter().cloned().collect();
    let wanted = loop {
        let mut committing = Committing::<Power>::new(program, Limits::default(), sites.clone(), MAPPING, true);
        while let Some(event) = committing.select() {
            let mut parameters = Default::default();
            committing.parameters(event, &mut parameters);
            let Some(&parameter) = parameters.first() else { break };
            committing.commit(event, parameter);
        }
        if !committing.machine.is_contradicted() {
            match every_graph(program, sites) {
                Some(graphs) => break graphs,
                None => return Found::TooMany,
            }
        }
        sites = committing.machine.sites().clone();
    };
    if found.len() != explored.graphs.len() {
        return Found::Wrong(format!("{} runs for {} graphs", explored.graphs.len(), found.len()));
    }
    match (wanted.difference(&found).next(), found.difference(&wanted).next()) {
        (None, None) => Found::Equal,
        (missing, extra) => {
            Found::Wrong(format!("{} graphs, wanted {}\nmissing: {missing:?}\nextra: {extra:?}", found.len(), wanted.len()))
        }
    }
}

fn compare(shape: &Shape, seeds: std::ops::Range<u64>) {
    compare_as(shape, seeds, Lowering::default());
}

fn compare_as(shape: &Shape, seeds: std::ops::Range<u64>, how: Lowering) {
    let (mut n_compared, mut redundant) = (0, 0);
    for seed in seeds.clone() {
        let description = describe(seed, shape);
        let program = linked(description.lower_as(how));
        let found = problem(&program, &mut redundant);
        n_compared += (found != Found::TooMany) as u64;
        if let Found::Wrong(what) = found {
            let small = shrink(description, |smaller| matches!(problem(&linked(smaller.lower_as(how)), &mut 0), Found::Wrong(_)));
            let what = if let Found::Wrong(what) = problem(&linked(small.lower_as(how)), &mut 0) { what } else { what };
            panic!("seed {seed}: {what}\n{small}");
        }
    }
    println!("{n_compared} programs compared, {redundant} runs redundant");
    assert!(n_compared >= (seeds.end - seeds.start) / 3, "most programs have too many graphs");
}

/// Explores a program, and gives the graphs in which every thread has ended, where there are not too many.
fn ended(program: &Program) -> Option<Result<Vec<PowerGraph>, String>> {
    let mut explored = Explored::default();
    let options = Options { keep_going: true, ..Options::default() };
    explore_commits::<Power, _>(program, MAPPING, &options, &mut explored);
    explored.ended.sort();
    (!explored.is_full).then_some(explored.stopped.map_or(Ok(explored.ended), Err))
}

/// Compares two lowerings of the same description, the second of which is believed: the graphs in which every thread has ended are the same, and each is explored once.
fn difference(description: &Description, how: Lowering, believed: Lowering) -> Option<Result<(), String>> {
    let (found, wanted) = match (ended(&linked(description.lower_as(how)))?, ended(&linked(description.lower_as(believed)))?) {
        (Ok(found), Ok(wanted)) => (found, wanted),
        (Err(why), _) | (_, Err(why)) => return Some(Err(why)),
    };
    let is_same = found == wanted;
    let missing = wanted.iter().find(|graph| !found.contains(graph));
    let extra = found.iter().find(|graph| !wanted.contains(graph));
    Some(if is_same {
        Ok(())
    } else {
        Err(format!("{} graphs, wanted {}\nmissing: {missing:?}\nextra: {extra:?}", found.len(), wanted.len()))
    })
}

/// Lowers random programs in two ways and compares what they can do.
fn compare_lowerings(shape: &Shape, seeds: std::ops::Range<u64>, how: Lowering, believed: Lowering) {
    let mut n_compared = 0;
    for seed in seeds.clone() {
        let description = describe(seed, shape);
        match difference(&description, how, believed) {
            None => {}
            Some(Ok(())) => n_compared += 1,
            Some(Err(_)) => {
                let fails = |smaller: &Description| smaller.threads.len() > 1 && matches!(difference(smaller, how, believed), Some(Err(_)));
                let small = shrink(description, fails);
                panic!("seed {seed}: {:?}\n{small}", difference(&small, how, believed));
            }
        }
    }
    println!("{n_compared} programs compared");
    assert!(n_compared >= (seeds.end - seeds.start) / 3, "most programs have too many graphs");
}

/// `RADDLE_TWIN_SEEDS` asks for more programs.
fn seeds(few: u64) -> u64 {
    std::env::var("RADDLE_TWIN_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

#[test]
fn rsmc_explores_each_graph_once() {
    compare(&Shape::power(), 0..seeds(80));
}

#[test]
fn rsmc_explores_each_graph_with_locks_once() {
    compare(&Shape::power_locks(), 0..seeds(30));
}

#[test]
fn rsmc_explores_each_graph_with_conditions_once() {
    compare(&Shape::power_conditions(), 0..seeds(20));
}

#[test]
fn rsmc_explores_each_graph_with_reservations_once() {
    compare(&Shape::power_reservations(), 0..seeds(30));
}

/// A loop that waits for a value is a read that gets it: the same as looking once and assuming the value.
#[test]
fn waiting_is_assuming() {
    let assumes = Lowering { assumes: true, ..Lowering::default() };
    compare_lowerings(&Shape::power_awaits(), 0..seeds(300), Lowering::default(), assumes);
}

/// The program with assumptions is believed because it is compared with all graphs.
#[test]
fn rsmc_explores_each_graph_with_assumptions_once() {
    let assumes = Lowering { assumes: true, ..Lowering::default() };
    compare_as(&Shape::power_awaits(), 0..seeds(40), assumes);
}

/// Values that are not known yet keep what they depend on in private memory.
#[test]
fn private_memory_is_as_good_as_registers() {
    let in_memory = Lowering { in_memory: true, ..Lowering::default() };
    compare_lowerings(&Shape::power(), 0..seeds(150), in_memory, Lowering::default());
    compare_lowerings(&Shape::power_locks(), 0..seeds(50), in_memory, Lowering::default());
}

/// The judge asks for the stores that an `eieio` puts before one that is committed.
#[test]
fn a_graph_may_lack_stores() {
    let store = |location: u32| Statement::Store {
        to: Access { location, offset: 0, size: 4, order: Order::Plain, depends_on: None },
        value: Expression::Constant(1),
    };
    let lacks_after = |fence: Fence, run: &[u32]| {
        let threads = vec![vec![store(0), Statement::Fence(fence), store(1)], vec![store(2)]];
        let program = linked(Description { style: Style::Entries, threads }.lower());
        let mut plain = PlainPower::new(&program, Limits::default(), Sites::default(), Tables::of(&program));
        for &index in run {
            assert!(plain.commit(EventId { thread: ThreadId(0), index }, Parameter::After(None)));
        }
        assert!(plain.is_allowed());
        plain.lacks_stores()
    };
    assert!(lacks_after(Fence::Eieio, &[1]));
    assert!(!lacks_after(Fence::Eieio, &[0]) && !lacks_after(Fence::Eieio, &[1, 0]) && !lacks_after(Fence::Isync, &[1]));
}

/// What can be seen of an execution: the run, how each thread is fetched, and what comes next with which parameters.
fn look(committing: &mut Committing<Power>) -> String {
    let next = committing.select();
    let mut parameters = Default::default();
    if let Some(event) = next {
        committing.parameters(event, &mut parameters);
    }
    let machine = &committing.machine;
    let threads: Vec<_> =
        machine.threads().map(|thread| (thread, machine.halt(thread), machine.events(thread), machine.results(thread))).collect();
    format!("{:?}\n{threads:?}\n{next:?} {parameters:?} {:?}", committing.run(), committing.core.faults)
}

/// Random programs go forward and back at random; where one has gone back to, everything is as in a fresh run to the same point.
#[test]
fn going_back_is_the_same_as_never_having_gone_there() {
    let mut n_compared = 0;
    for seed in 0..150 {
        let program = linked(describe(seed, &Shape::power_locks()).lower());
        let mut random = Random::new(seed);
        let mut committing = Committing::<Power>::new(&program, Limits::default(), Sites::default(), MAPPING, true);
        for _ in 0..60 {
            let next = committing.select().filter(|_| random.below(4) > 0 && committing.core.stop.is_none());
            let mut parameters = Default::default();
            if let Some(event) = next {
                committing.parameters(event, &mut parameters);
            }
            match next.filter(|_| !parameters.is_empty()) {
                Some(event) => committing.commit(event, parameters[random.below(parameters.len() as u32) as usize]),
                None => {
                    if committing.machine.is_contradicted() {
                        break;
                    }
                    committing.rewind(random.below(committing.len() as u32 + 1) as usize);
                    let machine = &committing.machine;
                    let (limits, sites, tables) = (machine.limits().clone(), machine.sites().clone(), machine.tables());
                    let mut fresh = Committing::<Power>::of(OutOfOrder::with_tables(&program, limits, sites, tables, MAPPING), true);
                    for (event, parameter) in committing.run() {
                        fresh.commit(event, parameter);
                    }
                    assert_eq!(look(&mut committing), look(&mut fresh), "seed {seed}");
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 1000, "only {n_compared} points were compared");
}
