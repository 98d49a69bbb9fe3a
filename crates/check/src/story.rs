//! A witness told: what each thread did, in order, in the words of the source.
//!
//! The schedule or graph is run once more by the judge, which shares nothing with the explorer that found it; the same run decides whether the fault
//! is really there. What is silent is left out, except spawns, joins, allocations and stores into a buffer.

use crate::frames::{stack_places, user_place};
use crate::joined::FaultAt;
use crate::judge::{Judgement, Plain};
use crate::names::{Names, file_name, function_name};
use crate::outcome::{Found, Path, Witness};
use crate::plain_graph::PlainGraph;
use crate::plan::{Plan, Semantics};
use crate::races::Races;
use crate::robust::{Cycle, Graph};
use crate::story_power::tell_commits;
use crate::watch::{Act, Source, Watch};
use crate::words::Words;
use raddle_event::{Action, FaultKind, Guard, LocationId, Region, Reply, ThreadId};
use raddle_machine::{Limits, Machine, Piece};
use raddle_program::{Place, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// One event of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub thread: ThreadId,
    pub place: Option<Place>,
    /// `load flag -> 0`
    pub text: String,
    /// Where a value comes from, or what becomes of it.
    pub note: Option<String>,
    /// Whether the memory acts for the thread: a store leaves its buffer.
    pub update: bool,
    /// Which of all the things that happened it is.
    pub(crate) number: u32,
}

/// A thread that waits for something that does not come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub thread: ThreadId,
    pub place: Option<Place>,
    /// What it waits for, and why that does not come.
    pub text: String,
}

/// A witness, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// The threads with the names of their functions.
    pub threads: Vec<(ThreadId, String)>,
    pub rows: Vec<Row>,
    /// For a deadlock: what each thread waits for.
    pub waiting: Vec<Waiting>,
    /// For a graph: which reads may be surprising and why they are possible, and what is forced of coherence. Rows are named by their numbers, from 1 on.
    pub remarks: Vec<String>,
    /// For an execution that is not robust: the rows of its cycle, each with the word for the edge to the next.
    pub cycle: Vec<(usize, &'static str)>,
    /// The places of the stack of the thread at fault, innermost first.
    pub stack: Vec<Place>,
    /// What the program printed.
    pub output: Vec<Piece>,
}

/// Why a witness shows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// A step of the schedule cannot be taken.
    DoesNotFit,
    /// The schedule can be run, but the fault does not happen.
    NoFault,
}

/// Runs the witness of a fault again, and tells what happens; or says that it does not show the fault.
pub fn tell(program: &Program, plan: Plan, limits: &Limits, found: &Found) -> Result<Story, Untold> {
    let Witness { path, sites, tables } = &found.witness;
    if let (Semantics::Commits, Path::Commits(run)) = (plan.semantics, path) {
        return tell_commits(program, limits, found, run);
    }
    let machine = Machine::with_tables(program, limits.clone(), sites.clone(), tables.clone());
    let is_deadlock = found.kind == FaultKind::Deadlock;
    let (mut teller, waiting, threads, remarks, judgement) = match (plan.semantics, path) {
        (Semantics::Schedules(model), Path::Schedule(steps)) => {
            let mut plain = Plain::new(machine, model, limits.uninitialised, Teller::default());
            if !plain.run(steps) {
                return Err(Untold::DoesNotFit);
            }
            let mut teller = std::mem::take(&mut plain.watch);
            let waiting = if is_deadlock { teller.waiting(&plain.machine, &|at| plain.word(at)) } else { Vec::new() };
            let threads = teller.threads(&plain.machine);
            (teller, waiting, threads, Vec::new(), plain.judgement())
        }
        (Semantics::ReleaseAcquire, Path::Graph(events)) => {
            let mut plain = PlainGraph::watched(machine, Teller::default());
            if !plain.run(events) || !plain.is_allowed() {
                return Err(Untold::DoesNotFit);
            }
            let mut teller = std::mem::take(&mut plain.watch);
            let waiting = if is_deadlock { teller.waiting(&plain.machine, &|at| plain.word(at)) } else { Vec::new() };
            let threads = teller.threads(&plain.machine);
            let remarks = plain.remarks(&teller.rows, |range| teller.names.range(&plain.machine, range).0);
            (teller, waiting, threads, remarks, plain.judgement())
        }
        _ => return Err(Untold::DoesNotFit),
    };
    let cycle = teller.graph.cycle();
    let race = std::mem::take(&mut teller.races.found);
    if !is_shown(found, &judgement, cycle.as_ref(), race.as_ref()) {
        return Err(Untold::NoFault);
    }
    let mut rows = std::mem::take(&mut teller.rows);
    if waiting.is_empty() && !matches!(found.kind, FaultKind::NotRobust | FaultKind::Leak | FaultKind::DataRace) && !teller.ends_in_fault {
        let place = user_place(program, &found.moment).cloned();
        let text = format!("{}: {}", found.kind, found.message);
        rows.push(Row { thread: found.thread, place, text, note: None, update: false, number: u32::MAX });
    }
    let cycle = cycle.filter(|_| found.kind == FaultKind::NotRobust).map_or(Vec::new(), |cycle| rows_of(&cycle, &rows));
    let stack = stack_places(program, &found.moment).into_iter().cloned().collect();
    Ok(Story { threads, rows, waiting, remarks, cycle, stack, output: judgement.output })
}

/// Whether the judge sees the fault as well.
fn is_shown(found: &Found, judgement: &Judgement, cycle: Option<&Cycle>, race: Option<&FaultAt>) -> bool {
    let committed = judgement.faults.iter().any(|(thread, fault)| *thread == found.thread && fault.kind == found.kind);
    committed
        || match found.kind {
            FaultKind::Deadlock => judgement.faults.is_empty() && judgement.waiting.contains(&found.thread),
            FaultKind::Livelock => judgement.spinning.contains(&found.thread),
            FaultKind::Leak => !judgement.unfreed.is_empty(),
            FaultKind::NotRobust => cycle.is_some(),
            FaultKind::DataRace => race.is_some_and(|race| race.thread == found.thread),
            _ => false,
        }
}

fn rows_of(cycle: &Cycle, rows: &[Row]) -> Vec<(usize, &'static str)> {
    let row = |number: u32| rows.iter().position(|row| row.number == number);
    cycle.0.iter().filter_map(|&(number, edge)| Some((row(number)?, edge))).collect()
}

/// Writes down what happens.
#[derive(Default)]
struct Teller {
    rows: Vec<Row>,
    names: Names,
    /// Where each store stands in the source.
    stores: FxHashMap<(ThreadId, u32), Option<Place>>,
    /// The stores that are still in a buffer.
    buffered: FxHashSet<(ThreadId, u32)>,
    functions: FxHashMap<ThreadId, String>,
    graph: Graph,
    races: Races,
    count: u32,
    /// Whether the last row shows the fault.
    ends_in_fault: bool,
}

impl Watch for Teller {
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act) {
        self.graph.act(machine, thread, act);
        self.races.act(machine, thread, act);
        let row = self.row(machine, thread, act);
        self.ends_in_fault = matches!(act, Act::Did { reply: Reply::Fault(_), .. } | Act::Updated { fault: Some(_), .. });
        self.rows.extend(row);
        self.count += 1;
    }
}

impl Teller {
    fn row(&mut self, machine: &Machine, thread: ThreadId, act: &Act) -> Option<Row> {
        let moment = machine.moment(thread);
        let mut place = user_place(machine.program(), &moment).cloned();
        let mut words = Words { machine, names: &mut self.names, moment: &moment };
        let (text, note) = match act {
            Act::Did { action, reply, from, store } => {
                if let (Action::Spawn { child, function, .. }, false) = (action, matches!(reply, Reply::Fault(_))) {
                    self.functions.insert(*child, function_name(machine.program(), raddle_program::FunctionId(*function)));
                }
                let text = words.done(action, reply)?;
                let note = (words.shows_source(action) && !from.is_empty()).then(|| self.origin(thread, from));
                self.stores.extend(store.map(|store| ((thread, store), place.clone())));
                (text, note)
            }
            Act::Buffered { at, value, store, .. } => {
                self.stores.insert((thread, *store), place.clone());
                self.buffered.insert((thread, *store));
                (words.assigned("store", *at, value), Some("buffered".into()))
            }
            Act::Updated { at, value, store, fault } => {
                place = self.stores.get(&(thread, *store)).cloned().flatten();
                self.buffered.remove(&(thread, *store));
                let text = words.assigned("update", *at, value);
                (text, Some(fault.map_or("reaches memory".into(), |fault| fault.kind.to_string())))
            }
        };
        let update = matches!(act, Act::Updated { .. });
        Some(Row { thread, place, text, note, update, number: self.count })
    }

    /// Where the bytes that were read come from.
    fn origin(&self, reader: ThreadId, from: &[Source]) -> String {
        let mut distinct: Vec<Source> = Vec::new();
        for source in from {
            if !distinct.contains(source) {
                distinct.push(*source);
            }
        }
        let words: Vec<String> = distinct.into_iter().map(|source| self.source(reader, source)).collect();
        words.join(" and ")
    }

    fn source(&self, reader: ThreadId, source: Source) -> String {
        let Some((thread, number)) = source else { return "initial value".into() };
        let place = self.stores.get(&(thread, number)).cloned().flatten();
        let place = place.map_or(String::new(), |place| format!(" {}:{}", file_name(&place.file), place.line));
        let early = if thread == reader && self.buffered.contains(&(thread, number)) { ", still in the buffer" } else { "" };
        format!("from {thread}{place}{early}")
    }

    fn function(&self, program: &Program, thread: ThreadId) -> String {
        match (self.functions.get(&thread), program.entries.get(thread.index())) {
            (Some(name), _) => name.clone(),
            (None, Some(_)) if program.entries.len() == 1 => "main".into(),
            (None, Some(&entry)) => function_name(program, entry),
            (None, None) => String::new(),
        }
    }

    fn threads(&self, machine: &Machine) -> Vec<(ThreadId, String)> {
        machine.threads().map(|thread| (thread, self.function(machine.program(), thread))).collect()
    }

    /// What each thread waits for that waits for ever. `word` gives what lies in memory.
    fn waiting(&mut self, machine: &Machine, word: &dyn Fn(LocationId) -> u64) -> Vec<Waiting> {
        let mut all = Vec::new();
        for thread in machine.threads() {
            let Some(action) = machine.action(thread) else { continue };
            let moment = machine.moment(thread);
            let mut words = Words { machine, names: &mut self.names, moment: &moment };
            let wanted = words.wanted(action);
            let why = action.location().and_then(|at| holder(machine, word, at, action.guard()));
            let text = why.map_or(wanted.clone(), |why| format!("{wanted}, {why}"));
            all.push(Waiting { thread, place: user_place(machine.program(), &moment).cloned(), text });
        }
        all
    }
}

/// Why a guard does not hold, where that can be said.
fn holder(machine: &Machine, word: &dyn Fn(LocationId) -> u64, at: LocationId, guard: Option<Guard>) -> Option<String> {
    let start = machine.locations().range(at).start;
    match (guard?, machine.addresses().find(start)) {
        (_, Some((Region::Threads, number, _))) => Some(format!("and T{number} has not ended")),
        (Guard::FreeOrOwnedBy(_), _) => match word(at) >> 32 {
            0 => None,
            owner => Some(format!("which T{} holds", owner - 1)),
        },
        _ => None,
    }
}
