//! Explorations that are written down half-way and gone on with in fresh systems, and explorations that are divided: all parts together explore what one
//! exploration does, each trace once. On random programs, with everything that is handed over written as JSON.

#[path = "support/linked.rs"]
mod linked;
mod support;

use linked::linked;
use raddle_event::Portable;
use raddle_explore::{Answer, End, Left, Optimal, Sink, Unit, optimal};
use raddle_join::{Ending, Scheduled, Stop};
use raddle_judge::{PlainSchedule, Trace};
use raddle_machine::{Limits, Machine, Sites, Tables};
use raddle_memory::buffered::{Buffers, Memory, Model};
use raddle_program::Program;
use raddle_sample::{Description, Random, Shape, describe, shrink};
use serde::{Serialize, de::DeserializeOwned};
use std::ops::ControlFlow;
use support::seeds;

/// Programs with more executions than this are left out.
const MOST: usize = 600;

/// Collects traces.
struct Traces<'p> {
    program: &'p Program,
    model: Model,
    traces: Vec<Trace>,
}

impl<'p> Sink<Scheduled<'p>> for Traces<'_> {
    fn execution(&mut self, scheduled: &Scheduled<'p>, end: End) -> ControlFlow<()> {
        if let Some(stop) = scheduled.stop() {
            assert_eq!(stop, &Stop::Contradicted, "nothing that is drawn is unsupported");
            return ControlFlow::Break(());
        }
        assert_eq!(end, End::Maximal, "nothing is redundant");
        let mut plain = PlainSchedule::new(support::copy(self.program, &scheduled.machine), raddle_check::buffering(self.model), false, ());
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
fn whole<'p>(program: &'p Program, model: Model) -> Option<(Sites, Tables, Traces<'p>)> {
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
fn fresh<'p>(program: &'p Program, model: Model, sites: &Sites, tables: &Tables) -> Scheduled<'p> {
    let limits = Limits { buffered: !model.is_direct(), ..Limits::default() };
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
fn interrupted(seed: u64, program: &Program, model: Model) -> Outcome {
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
fn divided(seed: u64, program: &Program, model: Model) -> Outcome {
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

const MODELS: [Buffers; 3] = [Buffers::Sc, Buffers::Tso, Buffers::Pso];

/// Tries a way to explore in parts on random programs; gives how many parts there were.
fn on_all(seeds: std::ops::Range<u64>, shape: &Shape, run: fn(u64, &Program, Model) -> Outcome) -> usize {
    let mut n = 0;
    for seed in seeds {
        let description = describe(seed, shape);
        for buffers in MODELS {
            let model = Model { buffers, bound: None };
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
