//! RSMC against the plain twin: for random programs with dependencies, barriers and read-modify-writes, all graphs that make sense, in any order of commits, judged by
//! the axioms from scratch. The sets of graphs must be equal, and each must be explored once.

use raddle_check::{CommitSink, Committing, EachCommits, End, Options, PlainPower, PowerGraph, Stop, explore_commits};
use raddle_event::EventId;
use raddle_explore::Commits;
use raddle_machine::{Limits, OutOfOrder, Sites};
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Programs with more partial graphs than this are left out.
const MOST: usize = 6_000;

#[derive(Default)]
struct Explored {
    graphs: Vec<PowerGraph>,
    redundant: usize,
    is_full: bool,
}

impl EachCommits for Explored {
    fn restart(&mut self) {
        *self = Explored::default();
    }
}

impl<'p> CommitSink<Committing<'p>> for Explored {
    fn run(&mut self, committing: &Committing<'p>, end: End) -> ControlFlow<()> {
        if let Some(stop) = &committing.stop {
            assert_eq!(stop, &Stop::Contradicted, "nothing that is drawn is unsupported");
            return ControlFlow::Break(());
        }
        match end {
            End::Redundant => self.redundant += 1,
            End::Maximal => {
                let machine = &committing.machine;
                let again = OutOfOrder::with_tables(machine.program(), machine.limits().clone(), machine.sites().clone(), machine.tables());
                let mut plain = PlainPower::new(again);
                for (event, parameter) in committing.run() {
                    assert!(plain.commit(event, parameter), "a run that was explored makes sense");
                }
                assert!(plain.is_allowed(), "a run that was explored is allowed");
                self.graphs.push(plain.graph());
            }
        }
        self.is_full = self.graphs.len() > MOST;
        if self.is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// All graphs that are allowed, by going through everything that makes sense; nothing where there are too many.
fn every_graph(program: &Program, sites: Sites) -> Option<BTreeSet<PowerGraph>> {
    let mut plain = PlainPower::new(OutOfOrder::new(program, Limits::default(), sites));
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
    let is_maximal = ready.iter().all(|&event| plain.is_guarded(event) && !can_be_committed(plain, event));
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

/// Whether a load can be committed, together with the store of its read-modify-write, so that the graph is allowed.
fn can_be_committed(plain: &mut PlainPower, event: EventId) -> bool {
    plain.parameters(event).into_iter().any(|parameter| {
        let point = plain.point();
        assert!(plain.commit(event, parameter), "what is ready makes sense");
        let is_allowed = match plain.second_half(event) {
            None => plain.is_allowed(),
            Some(store) => plain.parameters(store).into_iter().any(|place| {
                let point = plain.point();
                assert!(plain.commit(store, place), "what is ready makes sense");
                let is_allowed = plain.is_allowed();
                plain.go_back(point);
                is_allowed
            }),
        };
        plain.go_back(point);
        is_allowed
    })
}

/// What RSMC finds, and what is wrong with it.
fn problem(program: &Program, redundant: &mut usize) -> Option<String> {
    let mut explored = Explored::default();
    let options = Options { keep_going: true, ..Options::default() };
    explore_commits(program, &options, &mut explored);
    if explored.is_full {
        return None;
    }
    *redundant += explored.redundant;
    let mut sites = Sites::default();
    let found: BTreeSet<PowerGraph> = explored.graphs.iter().cloned().collect();
    let wanted = loop {
        let mut committing = Committing::new(program, Limits::default(), sites.clone(), true);
        while let Some(event) = committing.select() {
            let mut parameters = Default::default();
            committing.parameters(event, &mut parameters);
            let Some(&parameter) = parameters.first() else { break };
            committing.commit(event, parameter);
        }
        if !committing.machine.is_contradicted() {
            break every_graph(program, sites)?;
        }
        sites = committing.machine.sites().clone();
    };
    if found.len() != explored.graphs.len() {
        return Some(format!("{} runs for {} graphs", explored.graphs.len(), found.len()));
    }
    match (wanted.difference(&found).next(), found.difference(&wanted).next()) {
        (None, None) => None,
        (missing, extra) => Some(format!("{} graphs, wanted {}\nmissing: {missing:?}\nextra: {extra:?}", found.len(), wanted.len())),
    }
}

fn compare(shape: &Shape, seeds: std::ops::Range<u64>) {
    let (mut n_graphs, mut redundant) = (0, 0);
    for seed in seeds {
        let description = describe(seed, shape);
        let program = description.lower();
        if let Some(what) = problem(&program, &mut redundant) {
            let small = minimise(description, |smaller| problem(smaller, &mut 0).is_some());
            let what = problem(&small.lower(), &mut 0).unwrap_or(what);
            panic!("seed {seed}: {what}\n{small}");
        }
        n_graphs += 1;
    }
    assert!(n_graphs > 0);
    println!("{n_graphs} programs, {redundant} redundant");
}

/// `RADDLE_POWER_SEEDS` asks for more programs.
fn seeds(few: u64) -> u64 {
    std::env::var("RADDLE_POWER_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

#[test]
fn rsmc_explores_each_graph_once() {
    compare(&Shape::power(), 0..seeds(300));
}

#[test]
fn rsmc_explores_each_graph_with_locks_once() {
    compare(&Shape::power_locks(), 0..seeds(150));
}

#[test]
fn rsmc_explores_each_graph_with_reservations_once() {
    compare(&Shape::power_reservations(), 0..seeds(150));
}
