//! Weak-trace DPOR against the plain twin, on random programs: the twin enumerates all graphs of program order and reads-from by adding events in every
//! order, and keeps those for which some total coherence order meets the axiom of release-acquire by its definition. The sets of weak traces must be equal, with one
//! execution of each.

use raddle_check::{EachGraph, GraphSink, Grown, Options, PlainGraph, Stop, Trace, explore_graphs};
use raddle_event::ThreadId;
use raddle_machine::{Limits, Machine, Sites, Tables};
use raddle_program::Program;
use raddle_sample::{Shape, describe, minimise};
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

/// How many graphs the twin looks at; larger programs are left out.
const MOST: usize = 6_000;

/// All weak traces of a program, the slow way.
///
/// Never optimise this. It is what `weak_trace` is believed because of.
struct Every<'p> {
    graph: PlainGraph<'p, ()>,
    seen: HashSet<Trace>,
    complete: BTreeSet<Trace>,
}

impl Every<'_> {
    /// Adds events in all ways; tells whether all of them were tried.
    fn extend(&mut self) -> bool {
        if !self.seen.insert(self.graph.trace()) {
            return true;
        }
        if self.seen.len() > MOST {
            return false;
        }
        let threads: Vec<ThreadId> = self.graph.machine.threads().collect();
        let silent = threads.iter().copied().find(|&thread| self.graph.is_silent(thread));
        let mut n_added = 0;
        for thread in silent.map_or(threads, |thread| vec![thread]) {
            for way in self.graph.ways(thread) {
                if self.graph.add(thread, way).is_none() {
                    continue;
                }
                let allowed = self.graph.is_newest_allowed();
                debug_assert!(!allowed || self.graph.is_allowed());
                if allowed {
                    n_added += 1;
                    if silent.is_some() {
                        // Nobody can see it: the trace stays the same.
                        self.seen.remove(&self.graph.trace());
                    }
                    if !self.extend() {
                        return false;
                    }
                }
                self.graph.undo();
            }
        }
        if n_added == 0 {
            self.complete.insert(self.graph.trace());
        }
        true
    }
}

fn every(program: &Program, sites: &Sites, tables: Tables) -> Option<BTreeSet<Trace>> {
    let machine = Machine::with_tables(program, Limits::default(), sites.clone(), tables);
    let mut every = Every { graph: PlainGraph::new(machine), seen: HashSet::new(), complete: BTreeSet::new() };
    every.extend().then_some(every.complete)
}

/// The weak trace of each execution that is explored.
struct Explored<'p> {
    program: &'p Program,
    traces: Vec<Trace>,
    wrong: Option<String>,
    /// The sites that are shared, and the numbers that threads and locations have.
    known: Option<(Sites, Tables)>,
}

impl EachGraph for Explored<'_> {
    fn restart(&mut self) {
        self.traces.clear();
    }
}

impl<'p> GraphSink<Grown<'p>> for Explored<'_> {
    fn execution(&mut self, grown: &Grown<'p>) -> ControlFlow<()> {
        match &grown.stop {
            Some(Stop::Contradicted) => return ControlFlow::Break(()),
            Some(stop) => panic!("nothing that is drawn is unsupported: {stop:?}"),
            None => {}
        }
        let machine = Machine::with_tables(self.program, Limits::default(), grown.machine.sites().clone(), grown.machine.tables());
        let mut graph = PlainGraph::new(machine);
        if !graph.run(&grown.path()) || !graph.is_allowed() {
            self.wrong = Some(format!("an execution is explored that is not allowed: {:?}", grown.path()));
            return ControlFlow::Break(());
        }
        self.traces.push(graph.trace());
        self.known = Some((grown.machine.sites().clone(), grown.machine.tables()));
        if self.traces.len() > 3 * MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What is wrong with the explorer on a program; `None` when nothing is, or when it is too large.
fn difference(program: &Program) -> Option<String> {
    let mut explored = Explored { program, traces: Vec::new(), wrong: None, known: None };
    explore_graphs(program, &Options { keep_going: true, ..Options::default() }, &mut explored);
    if explored.wrong.is_some() {
        return explored.wrong;
    }
    let (sites, tables) = explored.known.expect("every program has an execution");
    let wanted = every(program, &sites, tables)?;
    let found: BTreeSet<Trace> = explored.traces.iter().cloned().collect();
    if found != wanted {
        let missing = wanted.difference(&found).count();
        let extra = found.difference(&wanted).count();
        return Some(format!("{} weak traces are explored, there are {}: {missing} missing, {extra} too many", found.len(), wanted.len()));
    }
    let n = explored.traces.len();
    (n != wanted.len()).then(|| format!("{n} executions are explored, there are {} weak traces", wanted.len()))
}

#[track_caller]
fn check(seeds: std::ops::Range<u64>, shape: &Shape) {
    for seed in seeds {
        let description = describe(seed, shape);
        if let Some(what) = difference(&description.lower()) {
            let small = minimise(description, |program| difference(program).is_some());
            let now = difference(&small.lower());
            panic!("seed {seed}: {what}\n{small}\n{now:?}");
        }
    }
}

/// How many programs are tried: more for the full run by `tools/check-all`.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    0..std::env::var("RADDLE_TWIN_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn tiny_programs() {
    check(seeds(600), &Shape::tiny());
}

#[test]
fn reads_and_writes() {
    let plain = Shape { rmws: false, threads: 2..=4, actions: 8, locations: 1..=2, ..Shape::tiny() };
    check(seeds(300), &plain);
}

#[test]
fn read_modify_writes() {
    let rmws = Shape { cas: true, fences: true, threads: 2..=4, actions: 7, locations: 1..=2, ..Shape::tiny() };
    check(seeds(300), &rmws);
}

#[test]
fn locks() {
    let locks = Shape { locks: true, conditions: true, rmws: false, threads: 2..=3, actions: 8, locations: 1..=2, ..Shape::tiny() };
    check(seeds(300), &locks);
}

#[test]
fn programs_of_all_kinds() {
    check(seeds(300), &Shape::graphs());
}

#[test]
fn larger_programs() {
    check(seeds(60), &Shape { actions: 11, ..Shape::graphs() });
}

#[test]
fn many_locks() {
    let locks = Shape { locks: true, conditions: true, threads: 3..=4, actions: 12, locations: 1..=1, ..Shape::tiny() };
    check(seeds(60), &locks);
}
