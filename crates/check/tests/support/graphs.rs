//! Explorers of graphs against the plain twin: the twin enumerates all graphs by adding events in every order and every
//! way, and keeps those that the axioms of the model allow by their definition. The sets of traces must be equal, with
//! one execution of each.

use super::linked::linked;
use raddle_check::{Options, explore_graphs};
use raddle_event::ThreadId;
use raddle_explore::{End, Sink};
use raddle_join::{Ending, Grown, Stop};
use raddle_judge::{Axiom, Model, PlainGraph, Trace};
use raddle_machine::{Limits, Machine, Sites, Tables};
use raddle_memory::graphs::GraphModel;
use raddle_program::{Program, parse};
use raddle_sample::{Random, Shape, describe, minimise};
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

/// How many graphs the twin looks at; larger programs are left out.
const MOST: usize = 6_000;

/// All traces of a program, the slow way.
///
/// Never optimise this. It is what `revisit` is believed because of.
struct Every<'p> {
    graph: PlainGraph<'p, ()>,
    axiom: Axiom,
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
                if self.graph.is_in_vain(thread, way) || self.graph.add(thread, way).is_none() {
                    continue;
                }
                let allowed = self.graph.is_newest_allowed();
                debug_assert!(!allowed || self.axiom == Axiom::Rc11 || self.graph.is_allowed(), "both ways to decide it agree");
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

/// Whether any thread could do something that leads it on.
fn can_go_on(graph: &mut PlainGraph<'_, ()>) -> bool {
    let threads: Vec<ThreadId> = graph.machine.threads().collect();
    let ways = threads.into_iter().flat_map(|thread| graph.ways(thread).into_iter().map(move |way| (thread, way)));
    ways.collect::<Vec<_>>().into_iter().any(|(thread, way)| {
        if graph.is_in_vain(thread, way) || graph.add(thread, way).is_none() {
            return false;
        }
        let is_allowed = graph.is_newest_allowed();
        graph.undo();
        is_allowed
    })
}

fn every(program: &Program, axiom: Axiom, sites: &Sites, tables: Tables) -> Option<BTreeSet<Trace>> {
    let machine = Machine::with_tables(program, limits(axiom), sites.clone(), tables);
    let mut every = Every { graph: PlainGraph::new(machine, axiom), axiom, seen: HashSet::new(), complete: BTreeSet::new() };
    every.extend().then_some(every.complete)
}

/// The limits of a machine that runs under the model.
fn limits(axiom: Axiom) -> Limits {
    Limits { awaits: true, ..Model::Graph(axiom).limits(&Limits::default()) }
}

/// What the explorer is asked for: everything, whatever is wrong.
pub fn options(axiom: Axiom) -> Options<'static> {
    Options { keep_going: true, limits: limits(axiom), ..Options::default() }
}

/// The trace of each execution that is explored.
struct Explored<'p> {
    program: &'p Program,
    axiom: Axiom,
    traces: Vec<Trace>,
    parked: BTreeSet<Trace>,
    wrong: Option<String>,
    /// The sites that are shared, and the numbers that threads and locations have.
    known: Option<(Sites, Tables)>,
    is_refused: bool,
}

impl<'p, M: GraphModel> Sink<Grown<'p, M>> for Explored<'_> {
    fn execution(&mut self, grown: &Grown<'p, M>, end: End) -> ControlFlow<()> {
        if end == End::Redundant {
            self.wrong = Some("an execution is redundant".into());
            return ControlFlow::Break(());
        }
        match &grown.core.stop {
            Some(Stop::Contradicted) => return ControlFlow::Break(()),
            Some(_) => {
                self.is_refused = true;
                return ControlFlow::Break(());
            }
            None => {}
        }
        let machine =
            Machine::with_tables(self.program, grown.machine.limits().clone(), grown.machine.sites().clone(), grown.machine.tables());
        let mut graph = PlainGraph::new(machine, self.axiom);
        let path = grown.path_without_last_looks();
        if !graph.run(&path) || !graph.is_allowed() {
            self.wrong = Some(format!("an execution is explored that is not allowed: {path:?}"));
            return ControlFlow::Break(());
        }
        let is_robust = grown.has_cycle().map(|cycle| !cycle);
        if is_robust.is_some_and(|robust| robust == graph.first_on_cycle().is_some()) {
            self.wrong = Some(format!("an execution is said to be robust: {is_robust:?}, {path:?}"));
            return ControlFlow::Break(());
        }
        if grown.has_parked() && can_go_on(&mut graph) {
            // The twin has no such graphs; each is explored once all the same.
            return match self.parked.insert(graph.trace()) {
                true => ControlFlow::Continue(()),
                false => {
                    self.wrong = Some(format!("an execution in which a thread stays behind is explored twice: {path:?}"));
                    ControlFlow::Break(())
                }
            };
        }
        self.traces.push(graph.trace());
        self.known = Some((grown.machine.sites().clone(), grown.machine.tables()));
        if self.traces.len() > 3 * MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.traces.clear();
        self.parked.clear();
    }
}

/// What came of a comparison.
pub enum Compared {
    Same,
    TooLarge,
    Refused,
    Different(String),
}

/// A model with the axioms by which it is judged.
pub struct Twins<F> {
    pub axiom: Axiom,
    /// Makes a graph without events.
    pub model: F,
}

impl<M: GraphModel, F: Fn() -> M> Twins<F> {
    fn explored<'p>(&self, program: &'p Program) -> Explored<'p> {
        let mut explored = Explored {
            program,
            axiom: self.axiom,
            traces: Vec::new(),
            parked: BTreeSet::new(),
            wrong: None,
            known: None,
            is_refused: false,
        };
        explore_graphs(program, &self.model, &options(self.axiom), &mut explored);
        explored
    }

    /// The traces that are explored, where there are not too many.
    pub fn traces(&self, program: &Program) -> Option<BTreeSet<Trace>> {
        let Explored { traces, is_refused, .. } = self.explored(program);
        (!is_refused && traces.len() <= MOST).then(|| traces.into_iter().collect())
    }

    pub fn compare(&self, program: &Program) -> Compared {
        let explored = self.explored(program);
        if let Some(wrong) = explored.wrong {
            return Compared::Different(wrong);
        }
        if explored.is_refused {
            return Compared::Refused;
        }
        let (sites, tables) = explored.known.expect("every program has an execution");
        let Some(wanted) = every(program, self.axiom, &sites, tables) else { return Compared::TooLarge };
        let (n, found): (usize, BTreeSet<Trace>) = (explored.traces.len(), explored.traces.into_iter().collect());
        if found != wanted {
            let (missing, extra) = (wanted.difference(&found).count(), found.difference(&wanted).count());
            let what = format!("{} traces are explored, there are {}: {missing} missing, {extra} too many", found.len(), wanted.len());
            return Compared::Different(what);
        }
        match n == wanted.len() {
            true => Compared::Same,
            false => Compared::Different(format!("{n} executions are explored, there are {} traces", wanted.len())),
        }
    }

    fn difference(&self, program: &Program) -> Option<String> {
        match self.compare(program) {
            Compared::Different(what) => Some(what),
            _ => None,
        }
    }

    #[track_caller]
    pub fn check(&self, seeds: std::ops::Range<u64>, shape: &Shape) {
        let (mut n_same, n) = (0, seeds.end - seeds.start);
        for seed in seeds {
            let description = describe(seed, shape);
            match self.compare(&linked(description.lower())) {
                Compared::Same => n_same += 1,
                Compared::TooLarge => {}
                Compared::Refused => panic!("seed {seed}: nothing that is drawn is unsupported\n{description}"),
                Compared::Different(what) => {
                    let small = minimise(description, |program| self.difference(program).is_some());
                    panic!("seed {seed}: {what}\n{small}\n{:?}", self.difference(&linked(small.lower())));
                }
            }
        }
        assert!(2 * n_same > n, "only {n_same} of {n} programs are small enough");
    }

    /// Programs of threads that wait for one another.
    pub fn check_waiting(&self, seeds: std::ops::Range<u64>) {
        let mut n_same = 0;
        for seed in seeds.clone() {
            let text = waiting(seed);
            let program = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
            match self.compare(&program) {
                Compared::Same => n_same += 1,
                Compared::TooLarge | Compared::Refused => {}
                Compared::Different(what) => panic!("seed {seed}: {what}\n{text}"),
            }
        }
        let n = seeds.end - seeds.start;
        assert!(2 * n_same > n, "only {n_same} of {n} programs are compared");
    }
}

/// What threads do with a semaphore, a read-write lock, a barrier for two, and a variable. The semaphore is also given
/// new counts while others wait for it, so that guards hold for some writes that nothing orders and not for others.
const CALLS: [(&str, &[&str]); 9] = [
    ("sem_wait", &["&g0"]),
    ("sem_wait", &["&g0"]),
    ("sem_post", &["&g0"]),
    ("sem_trywait", &["&g0"]),
    ("sem_init", &["&g0", "0", "1"]),
    ("sem_init", &["&g0", "0", "0"]),
    ("pthread_rwlock_rdlock", &["&g1"]),
    ("pthread_rwlock_wrlock", &["&g1"]),
    ("pthread_barrier_wait", &["&g2"]),
];

/// A program of two or three threads that wait for one another.
fn waiting(seed: u64) -> String {
    let mut random = Random::new(seed);
    let n_threads = random.within(2..=3);
    let count = random.below(2);
    let mut text = String::from("addresses code.0 globals.0\n");
    for (number, (name, _)) in CALLS.iter().chain([("pthread_rwlock_unlock", &[][..])].iter()).enumerate() {
        text += &format!("extern x{number} \"{name}\"\n");
    }
    text += &format!("global g0 \"semaphore\" size 8 align 8 bytes 0{count}00000000000000\nglobal g1 \"lock\" size 8 align 8\n");
    text += "global g2 \"barrier\" size 8 align 8 bytes 0000000002000000\nglobal g3 \"x\" size 4 align 4\n";
    (0..n_threads).for_each(|number| text += &format!("entry f{number}\n"));
    for number in 0..n_threads {
        text += &format!("function f{number} \"P{number}\" parameters 0 results 0 registers 2\nb0:\n");
        for _ in 0..random.within(1..=if n_threads == 2 { 4 } else { 3 }) {
            text += &statement(&mut random);
        }
        text += "  return ()\n";
    }
    text
}

fn statement(random: &mut Random) -> String {
    match random.below(CALLS.len() as u32 + 3) as usize {
        call if call < CALLS.len() => {
            let (name, arguments) = CALLS[call];
            let unlock = if name.contains("rwlock") {
                format!("  load r0, &g3, 4, relaxed\n  call.extern (r0), x{}, (&g1)\n", CALLS.len())
            } else {
                String::new()
            };
            format!("  call.extern (r0), x{call}, ({})\n{unlock}", arguments.join(" "))
        }
        _ if random.once_in(2) => "  load r0, &g3, 4, relaxed\n".into(),
        _ => format!("  store &g3, {}, 4, relaxed\n", random.within(1..=2)),
    }
}
