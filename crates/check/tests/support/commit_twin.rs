//! The plain twin of RSMC, for every model whose events are committed out of order.

use super::linked::linked;
use raddle_check::{Options, explore_commits};
use raddle_event::Mapping;
use raddle_explore::{Commits, End, Sink};
use raddle_join::{Committing, Ending, Stop};
use raddle_judge::{Model, PlainPower, PowerGraph};
use raddle_machine::{Limits, OutOfOrder, Sites, Tables};
use raddle_memory::commits::CommitModel;
use raddle_program::Program;
use raddle_sample::{Description, Lowering, Random, Shape, describe, shrink};
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// A model with its table, and what judges it.
pub trait Judged: CommitModel {
    const MAPPING: Mapping;
    const JUDGED_BY: Model;
}

/// Programs with more partial graphs than this are left out.
const MOST: usize = 4_000;

struct Explored<M> {
    graphs: Vec<PowerGraph>,
    /// Of the graphs those in which every thread has ended.
    ended: Vec<PowerGraph>,
    redundant: usize,
    is_full: bool,
    /// What was learned.
    sites: Sites,
    /// Why the exploration has ended; nothing that is drawn is unsupported or endless.
    stopped: Option<String>,
    model: PhantomData<M>,
}

impl<M> Default for Explored<M> {
    fn default() -> Self {
        Explored {
            graphs: Vec::new(),
            ended: Vec::new(),
            redundant: 0,
            is_full: false,
            sites: Sites::default(),
            stopped: None,
            model: PhantomData,
        }
    }
}

impl<'p, M: Judged> Sink<Committing<'p, M>> for Explored<M> {
    fn execution(&mut self, committing: &Committing<'p, M>, end: End) -> ControlFlow<()> {
        if let Some(stop) = &committing.core.stop {
            self.stopped = (*stop != Stop::Contradicted).then(|| format!("{stop:?}"));
            return ControlFlow::Break(());
        }
        match end {
            End::Redundant => self.redundant += 1,
            End::Maximal => {
                let machine = &committing.machine;
                let (limits, sites) = (machine.limits().clone(), machine.sites().clone());
                self.sites = sites.clone();
                let mut plain = PlainPower::new(machine.program(), limits, sites, machine.tables(), M::JUDGED_BY);
                for (event, way) in committing.run() {
                    assert!(plain.commit(event, way), "a run that was explored makes sense");
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
fn every_graph<M: Judged>(program: &Program, sites: Sites) -> Option<BTreeSet<PowerGraph>> {
    let mut plain = PlainPower::new(program, Limits::default(), sites, Tables::of(program), M::JUDGED_BY);
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
        for way in plain.ways(event) {
            let point = plain.point();
            assert!(plain.commit(event, way), "what is ready makes sense");
            go_on(plain, seen, allowed)?;
            plain.go_back(point);
        }
    }
    if is_maximal && plain.holds() && plain.is_allowed() {
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
fn problem<M: Judged>(program: &Program, redundant: &mut usize) -> Found {
    let mut explored = Explored::<M>::default();
    let options = Options { keep_going: true, ..Options::default() };
    explore_commits::<M>(program, M::MAPPING, &options, &mut explored);
    if explored.is_full {
        return Found::TooMany;
    }
    if let Some(why) = explored.stopped {
        return Found::Wrong(why);
    }
    *redundant += explored.redundant;
    let mut sites = explored.sites;
    let found: BTreeSet<PowerGraph> = explored.graphs.iter().cloned().collect();
    let wanted = loop {
        let mut committing = Committing::<M>::new(program, Limits::default(), sites.clone(), M::MAPPING, true);
        while let Some(event) = committing.select() {
            let mut ways = Default::default();
            committing.ways(event, &mut ways);
            let Some(&way) = ways.first() else { break };
            committing.commit(event, way);
        }
        if !committing.machine.is_contradicted() {
            match every_graph::<M>(program, sites) {
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

pub fn compare<M: Judged>(shape: &Shape, seeds: std::ops::Range<u64>) {
    compare_as::<M>(shape, seeds, Lowering::default());
}

pub fn compare_as<M: Judged>(shape: &Shape, seeds: std::ops::Range<u64>, how: Lowering) {
    let (mut n_compared, mut redundant) = (0, 0);
    for seed in seeds.clone() {
        let description = describe(seed, shape);
        let program = linked(description.lower_as(how));
        let found = problem::<M>(&program, &mut redundant);
        n_compared += (found != Found::TooMany) as u64;
        if let Found::Wrong(what) = found {
            let small = shrink(description, |smaller| matches!(problem::<M>(&linked(smaller.lower_as(how)), &mut 0), Found::Wrong(_)));
            let what = if let Found::Wrong(what) = problem::<M>(&linked(small.lower_as(how)), &mut 0) { what } else { what };
            panic!("seed {seed}: {what}\n{small}");
        }
    }
    println!("{n_compared} programs compared, {redundant} runs redundant");
    assert!(n_compared >= (seeds.end - seeds.start) / 3, "most programs have too many graphs");
}

/// Explores a program, and gives the graphs in which every thread has ended, where there are not too many.
fn ended<M: Judged>(program: &Program) -> Option<Result<Vec<PowerGraph>, String>> {
    let mut explored = Explored::<M>::default();
    let options = Options { keep_going: true, ..Options::default() };
    explore_commits::<M>(program, M::MAPPING, &options, &mut explored);
    explored.ended.sort();
    (!explored.is_full).then_some(explored.stopped.map_or(Ok(explored.ended), Err))
}

/// Compares two lowerings of the same description, the second of which is believed: the graphs in which every thread
/// has ended are the same, and each is explored once.
fn difference<M: Judged>(description: &Description, how: Lowering, believed: Lowering) -> Option<Result<(), String>> {
    let (found, wanted) = match (ended::<M>(&linked(description.lower_as(how)))?, ended::<M>(&linked(description.lower_as(believed)))?) {
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
pub fn compare_lowerings<M: Judged>(shape: &Shape, seeds: std::ops::Range<u64>, how: Lowering, believed: Lowering) {
    let mut n_compared = 0;
    for seed in seeds.clone() {
        let description = describe(seed, shape);
        match difference::<M>(&description, how, believed) {
            None => {}
            Some(Ok(())) => n_compared += 1,
            Some(Err(_)) => {
                let fails =
                    |smaller: &Description| smaller.threads.len() > 1 && matches!(difference::<M>(smaller, how, believed), Some(Err(_)));
                let small = shrink(description, fails);
                panic!("seed {seed}: {:?}\n{small}", difference::<M>(&small, how, believed));
            }
        }
    }
    println!("{n_compared} programs compared");
    assert!(n_compared >= (seeds.end - seeds.start) / 3, "most programs have too many graphs");
}

/// What can be seen of an execution: the run, how each thread is fetched, and what comes next with which ways.
fn look<M: Judged>(committing: &mut Committing<M>) -> String {
    let next = committing.select();
    let mut ways = Default::default();
    if let Some(event) = next {
        committing.ways(event, &mut ways);
    }
    let machine = &committing.machine;
    let threads: Vec<_> =
        machine.threads().map(|thread| (thread, machine.halt(thread), machine.events(thread), machine.results(thread))).collect();
    format!("{:?}\n{threads:?}\n{next:?} {ways:?} {:?}", committing.run(), committing.core.faults)
}

/// Random programs go forward and back at random; where one has gone back to, everything is as in a fresh run to the
/// same point.
pub fn go_back<M: Judged>(shape: &Shape) {
    let mut n_compared = 0;
    for seed in 0..150 {
        let program = linked(describe(seed, shape).lower());
        let mut random = Random::new(seed);
        let mut committing = Committing::<M>::new(&program, Limits::default(), Sites::default(), M::MAPPING, true);
        for _ in 0..60 {
            let next = committing.select().filter(|_| random.below(4) > 0 && committing.core.stop.is_none());
            let mut ways = Default::default();
            if let Some(event) = next {
                committing.ways(event, &mut ways);
            }
            match next.filter(|_| !ways.is_empty()) {
                Some(event) => committing.commit(event, ways[random.below(ways.len() as u32) as usize]),
                None => {
                    if committing.machine.is_contradicted() {
                        break;
                    }
                    committing.rewind(random.below(committing.len() as u32 + 1) as usize);
                    let machine = &committing.machine;
                    let (limits, sites, tables) = (machine.limits().clone(), machine.sites().clone(), machine.tables());
                    let mut fresh = Committing::<M>::of(OutOfOrder::with_tables(&program, limits, sites, tables, M::MAPPING), true);
                    for (event, way) in committing.run() {
                        fresh.commit(event, way);
                    }
                    assert_eq!(look(&mut committing), look(&mut fresh), "seed {seed}");
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 1000, "only {n_compared} points were compared");
}
