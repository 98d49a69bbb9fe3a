//! A witness told: what each thread did, in order, in the words of the source.
//!
//! The schedule or graph is run once more by the judge, which shares nothing with the explorer that found it; the same
//! run decides whether the fault is really there. What is silent is left out, except spawns, joins, allocations and
//! stores into a buffer.

use crate::closer::not_robust;
use crate::commits;
use crate::deed::Deed;
use crate::edges::{Coherence, Edges};
use crate::frames::{is_library, stack_places, user_place};
use crate::judged::{judged_act, judged_end, judged_leak};
use crate::names::{Mapped, Names, file_name, function_name};
use crate::races::{Race, Races};
use crate::robust::{ConflictGraph, Cycle};
use crate::stronger::weak_accesses;
use crate::why::{Teaching, Why};
use crate::words::Words;
use raddle_event::{Action, Address, EventId, FaultKind, Guard, LocationId, Path, Range, Reply, ThreadId};
use raddle_judge::{Act, Model, PlainGraph, PlainPower, PlainSchedule, Record, StoreName, Watch};
use raddle_machine::{FaultAt, Found, Limits, Machine, Moment, Piece, Witness, holder};
use raddle_program::{Place, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// One event of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whose event it is.
    pub thread: ThreadId,
    /// Where it stands in the source.
    pub place: Option<Place>,
    /// `load flag -> 0`
    pub text: String,
    /// Where a value comes from, or what becomes of it.
    pub note: Option<String>,
    /// Whether the memory acts for the thread: a store leaves its buffer.
    pub update: bool,
    /// Whether it was done inside a function of the library that comes with Raddle.
    pub inside: bool,
    /// Whether it is an affair of a library alone: of the one that comes with Raddle, or of a header of the system,
    /// with an object that was made there.
    pub aside: bool,
    /// The same in parts.
    pub deed: Deed,
    /// Which of all the things that happened it is.
    pub(crate) number: u32,
    /// Its place in the program order of its thread.
    pub(crate) index: u32,
}

/// A thread that waits for something that does not come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which thread it is.
    pub thread: ThreadId,
    /// Where it stands in the source.
    pub place: Option<Place>,
    /// What it waits for, and why that does not come.
    pub text: String,
    /// The lock or condition variable, and its name.
    pub(crate) range: Option<Range>,
    pub(crate) object: String,
    /// Whether it is a condition variable.
    pub(crate) is_condition: bool,
    /// The thread that holds the lock, or whose end is waited for.
    pub(crate) holder: Option<ThreadId>,
}

/// An execution, told.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The threads with the names of their functions.
    pub threads: Vec<(ThreadId, String)>,
    /// What happened, in order.
    pub rows: Vec<Row>,
    /// For a graph: which reads may be surprising and why they are possible, and what is forced of coherence. Rows are
    /// named by their numbers, from 1 on.
    pub remarks: Vec<String>,
    /// Which rows read from which, and which come later in memory.
    pub edges: Edges,
    /// Why it could happen, where it is asked.
    pub why: Why,
    /// What the program printed.
    pub output: Vec<Piece>,
}

/// A witness, told: an execution with its fault.
#[derive(Clone, Debug)]
pub struct Story {
    /// What happened.
    pub told: Told,
    /// For a deadlock: what each thread waits for.
    pub waiting: Vec<Waiting>,
    /// For an execution that is not robust: the rows of its cycle, each with the word for the edge to the next.
    pub cycle: Vec<(usize, &'static str)>,
    /// The places of the stack of the thread at fault, innermost first.
    pub stack: Vec<Place>,
    /// The fault as the judge sees it.
    pub fault: FaultAt,
    /// Why the execution cannot be told, where it cannot.
    pub untold: Option<String>,
}

impl std::ops::Deref for Story {
    type Target = Told;
    fn deref(&self) -> &Told {
        &self.told
    }
}

/// Why a witness shows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// A step of the schedule cannot be taken.
    DoesNotFit,
    /// The schedule can be run, but the fault does not happen.
    NoFault,
}

impl Story {
    /// A fault without the execution that leads to it.
    pub fn bare(program: &Program, fault: FaultAt, why: String) -> Story {
        let stack = stack_places(program, &fault.moment).into_iter().cloned().collect();
        Story { told: Told::default(), waiting: Vec::new(), cycle: Vec::new(), stack, fault, untold: Some(why) }
    }
}

/// Runs the witness of a fault again, and tells what happens; or says that it does not show the fault.
pub fn tell(program: &Program, model: Model, limits: &Limits, found: &Found) -> Result<Story, Untold> {
    let limits = &limits.again();
    let Rerun { fault, mut rows, ended, cycle, ends_in_fault } = rerun(program, model, limits, (&found.witness, Some(found)), true)?;
    let Ended { waiting, threads, remarks, output, coherence, kept, race } = ended;
    let fault = fault.ok_or(Untold::NoFault)?;
    if waiting.is_empty() && !matches!(found.kind, FaultKind::NotRobust | FaultKind::Leak | FaultKind::DataRace) && !ends_in_fault {
        let place = user_place(program, &fault.moment).cloned();
        let text = format!("{}: {}", fault.fault.kind, fault.fault.message);
        // The largest number is that of what is not shown.
        let (deed, number, index) = (Deed::only("fault"), u32::MAX - 1, u32::MAX);
        rows.push(Row { thread: fault.thread, place, text, note: None, update: false, inside: false, aside: false, deed, number, index });
    }
    let stack = stack_places(program, &fault.moment).into_iter().cloned().collect();
    let edges = Edges::new(&rows, &coherence);
    let told = Told { threads, rows, remarks, edges, why: Why::default(), output };
    let mut story = Story { told, waiting, cycle, stack, fault, untold: None };
    let weak = weak_accesses(program, model, limits, found);
    story.told.why = Teaching { program, story: &story, model, kept: &kept, race, weak: &weak }.why();
    Ok(story)
}

/// Runs an execution again, and tells what happens, whether anything goes wrong or not.
pub fn tell_execution(program: &Program, model: Model, limits: &Limits, witness: &Witness) -> Result<Told, Untold> {
    let Rerun { rows, ended, .. } = rerun(program, model, &limits.again(), (witness, None), true)?;
    let Ended { threads, remarks, output, coherence, .. } = ended;
    Ok(Told { edges: Edges::new(&rows, &coherence), threads, rows, remarks, why: Why::default(), output })
}

/// Runs the witness of a fault again, and says how the judge sees the fault, without the words for the rest.
pub fn judge(program: &Program, model: Model, limits: &Limits, found: &Found) -> Result<FaultAt, Untold> {
    rerun(program, model, &limits.again(), (&found.witness, Some(found)), false)?.fault.ok_or(Untold::NoFault)
}

/// A witness that was run again.
pub(crate) struct Rerun {
    /// The fault that was looked for, where it shows itself.
    pub fault: Option<FaultAt>,
    pub rows: Vec<Row>,
    pub ended: Ended,
    /// The rows of the cycle of an execution that is not robust, each with the word for the edge to the next.
    pub cycle: Vec<(usize, &'static str)>,
    /// Whether the last row shows the fault.
    pub ends_in_fault: bool,
}

/// How it ended, in words.
#[derive(Default)]
pub(crate) struct Ended {
    pub waiting: Vec<Waiting>,
    pub threads: Vec<(ThreadId, String)>,
    pub remarks: Vec<String>,
    pub output: Vec<Piece>,
    /// The stores to each byte in coherence.
    pub coherence: Coherence,
    /// The pairs of events of one thread that the model keeps in order, where events commit out of order.
    pub kept: FxHashSet<(EventId, EventId)>,
    /// The race, where it is one.
    pub race: Option<Race>,
}

/// An execution to run again, and the fault that is looked for in it.
type Sought<'w> = (&'w Witness, Option<&'w Found>);

/// Runs a witness again. Where it is not told, only the fault is of interest.
fn rerun(program: &Program, model: Model, limits: &Limits, sought: Sought, tells: bool) -> Result<Rerun, Untold> {
    match (model, &sought.0.path) {
        (Model::Power | Model::AArch64(_), Path::Commits(run)) => {
            let Witness { sites, tables, .. } = sought.0;
            let plain = PlainPower::new(program, limits.clone(), sites.clone(), tables.clone(), model);
            commits::rerun(plain, sought.1, run, tells)
        }
        _ => rerun_in_order(program, model, limits, sought, tells),
    }
}

/// Runs a schedule or a graph again.
fn rerun_in_order(program: &Program, model: Model, limits: &Limits, (witness, found): Sought, tells: bool) -> Result<Rerun, Untold> {
    let Witness { path, sites, tables } = witness;
    let (again, limits) = (limits, model.limits(limits));
    let tracked = limits.uninitialised;
    let machine = Machine::with_tables(program, limits, sites.clone(), tables.clone());
    let teller = Teller { tells, ..Teller::default() }.under(model);
    let (mut teller, mut ended, (moment, leak), judgement) = match (model, path) {
        (Model::Buffered(buffering), Path::Schedule(steps)) => {
            let mut plain = PlainSchedule::new(machine, buffering, tracked, teller);
            if !plain.run(steps) {
                return Err(Untold::DoesNotFit);
            }
            let mut teller = std::mem::take(&mut plain.watch);
            let ended = teller.ended(found, &plain.machine, &|at| plain.word(at));
            let end = end(found, &plain.machine, plain.unfreed());
            (teller, ended, end, plain.judgement())
        }
        (Model::Graph(axiom), Path::Graph(events)) => {
            let mut plain = PlainGraph::watched(machine, axiom, teller);
            if !plain.run(events) || !plain.is_allowed() {
                return Err(Untold::DoesNotFit);
            }
            let mut teller = std::mem::take(&mut plain.watch);
            let mut ended = teller.ended(found, &plain.machine, &|at| plain.word(at));
            if teller.tells {
                ended.remarks = plain.remarks(|at| row(&teller.rows, at), |range| teller.names.range(&plain.machine, range).0);
            }
            let end = end(found, &plain.machine, plain.unfreed());
            (teller, ended, end, plain.judgement())
        }
        _ => return Err(Untold::DoesNotFit),
    };
    let fault = found.and_then(|found| match found.kind {
        FaultKind::NotRobust => match model {
            Model::Graph(_) => not_robust(program, model, again, witness).ok().flatten().filter(|at| at.thread == found.thread),
            _ => teller.not_robust(model, found),
        },
        FaultKind::DataRace => teller.race(found),
        kind if !judgement.shows(kind, found.thread) => None,
        _ => judged_act(&judgement.faults, found).or_else(|| judged_end(&judgement.stands, found, moment, leak)),
    });
    ended.output = judgement.output;
    ended.coherence = judgement.trace.coherence.into_iter().collect();
    ended.race = teller.raced.take();
    let is_sought = found.is_some_and(|found| found.kind == FaultKind::NotRobust);
    let is_told = tells && is_sought && matches!(model, Model::Buffered(_));
    let cycle = Some(&teller.graph).filter(|_| is_told).and_then(ConflictGraph::cycle);
    let cycle = cycle.map_or(Vec::new(), |cycle| rows_of(&cycle, &teller.rows));
    let Teller { rows, ends_in_fault, .. } = teller;
    Ok(Rerun { fault, rows, ended, cycle, ends_in_fault })
}

/// Where the thread at fault stands in the end, and which of its objects is left.
fn end(found: Option<&Found>, machine: &Machine, unfreed: Vec<(Address, u64)>) -> (Option<Moment>, Option<FaultAt>) {
    let Some(found) = found else { return (None, None) };
    let moment = machine.threads().find(|thread| *thread == found.thread).map(|thread| machine.moment(thread));
    (moment, judged_leak(found, machine.addresses(), unfreed, |start| machine.maker(start)))
}

fn rows_of(cycle: &Cycle, rows: &[Row]) -> Vec<(usize, &'static str)> {
    let row = |number: u32| rows.iter().position(|row| row.number == number);
    cycle.0.iter().filter_map(|&(number, edge)| Some((row(number)?, edge))).collect()
}

/// The graph of a witness, and the rows of its events.
pub(crate) fn rows_of_graph<'p>(
    program: &'p Program,
    model: Model,
    limits: &Limits,
    found: &Found,
) -> Option<(PlainGraph<'p, impl Watch>, Vec<Row>)> {
    let (Model::Graph(axiom), Path::Graph(events)) = (model, &found.witness.path) else { return None };
    let Witness { sites, tables, .. } = &found.witness;
    let machine = Machine::with_tables(program, model.limits(limits), sites.clone(), tables.clone());
    let mut graph = PlainGraph::watched(machine, axiom, Teller { tells: true, ..Teller::default() }.under(model));
    if !graph.run(events) {
        return None;
    }
    let rows = std::mem::take(&mut graph.watch.rows);
    Some((graph, rows))
}

/// Whether a library is concerned alone: the one that comes with Raddle accesses memory; or a header of the system, or
/// code without places, does something with an object that a header has made. Threads that begin and end are not.
pub(crate) fn is_aside(machine: &dyn Mapped, names: &Names, moment: &Moment, deed: &Deed) -> bool {
    let program = machine.world().program();
    let is_in_header = stack_places(program, moment).first().is_none_or(|place| is_library(place));
    let is_of_header = |range: Range| names.made_at(machine, range.start).is_some_and(|place| is_library(&place));
    match deed.action {
        "spawn" | "choose" | "fault" => false,
        _ if moment.is_inside(program) => true,
        "allocate" | "free" => is_in_header,
        _ => is_in_header && deed.range.is_some_and(is_of_header),
    }
}

/// The number of the row of an event, from 1 on.
fn row(rows: &[Row], at: usize) -> Option<usize> {
    rows.iter().position(|row| row.number as usize == at).map(|n| n + 1)
}

/// Writes down what happens.
#[derive(Default)]
struct Teller {
    rows: Vec<Row>,
    names: Names,
    /// Where each store stands in the source, and the number of its event.
    stores: FxHashMap<(ThreadId, u32), (Option<Place>, u32)>,
    /// The stores that are still in a buffer.
    buffered: FxHashSet<(ThreadId, u32)>,
    functions: FxHashMap<ThreadId, String>,
    graph: ConflictGraph,
    record: Record,
    races: Races,
    raced: Option<Race>,
    count: u32,
    /// Whether the last row shows the fault.
    ends_in_fault: bool,
    /// Whether anything is put into words.
    tells: bool,
}

impl Watch for Teller {
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act) {
        self.graph.act(machine, thread, act);
        self.record.act(machine, thread, act);
        self.races.act(machine, thread, act);
        let row = if self.tells { self.row(machine, thread, act) } else { None };
        self.ends_in_fault = matches!(act, Act::Did { reply: Reply::Fault(_), .. } | Act::Updated { fault: Some(_), .. });
        self.rows.extend(row);
        self.count += 1;
    }
}

impl Teller {
    /// The same, where the model says what a release sequence is.
    fn under(mut self, model: Model) -> Teller {
        self.races = Races::under(model);
        self.races.tells = self.tells;
        self.record = Record::under(model);
        self
    }

    /// How an execution has ended, in words; without what the program printed.
    fn ended(&mut self, found: Option<&Found>, machine: &Machine, word: &dyn Fn(LocationId) -> u64) -> Ended {
        if !self.tells {
            return Ended::default();
        }
        let is_deadlock = found.is_some_and(|found| found.kind == FaultKind::Deadlock);
        let waiting = if is_deadlock { self.waiting(machine, word) } else { Vec::new() };
        Ended { waiting, threads: self.threads(machine), ..Ended::default() }
    }

    /// What makes the execution impossible under SC, where the judge sees a cycle too.
    fn not_robust(&self, model: Model, found: &Found) -> Option<FaultAt> {
        let (thread, moment) = self.graph.first_on_cycle().filter(|first| first.0 == found.thread && self.record.has_cycle())?;
        Some(FaultAt::not_robust(&model.to_string(), thread, moment.clone()))
    }

    /// A race with an access of a thread that is claimed, where the judge sees that it races. Which of the two came
    /// first may be up to who runs them, where one waits in a buffer.
    fn race(&mut self, found: &Found) -> Option<FaultAt> {
        if !self.record.has_race(found.thread, &found.moment) {
            return None;
        }
        let is_second = |race: &Race| race.fault.thread == found.thread && race.fault.moment == found.moment;
        let all = std::mem::take(&mut self.races.found);
        let of = |race: &Race| race.is_with(found.thread, &found.moment);
        let n = all.iter().position(is_second).or_else(|| all.iter().position(of)).unwrap_or(0);
        self.raced = all.into_iter().nth(n);
        self.raced.as_ref().map(|race| race.fault.clone())
    }

    fn row(&mut self, machine: &Machine, thread: ThreadId, act: &Act) -> Option<Row> {
        let moment = machine.moment(thread);
        let mut place = user_place(machine.program(), &moment).cloned();
        let mut words = Words { machine, names: &mut self.names, moment: &moment };
        let deed = words.deed(act);
        let (text, note) = match act {
            Act::Did { action, reply, from, store } => {
                if let (Action::Spawn { child, function, .. }, false) = (action, matches!(reply, Reply::Fault(_))) {
                    self.functions.insert(*child, function_name(machine.program(), raddle_program::FunctionId(*function)));
                }
                let text = words.done(action, reply)?;
                let note = (words.shows_source(action) && !from.is_empty()).then(|| self.origin(thread, from));
                self.stores.extend(store.map(|store| ((thread, store), (place.clone(), self.count))));
                (text, note)
            }
            Act::Buffered { at, value, store, .. } => {
                self.stores.insert((thread, *store), (place.clone(), self.count));
                self.buffered.insert((thread, *store));
                (words.assigned("store", *at, value), Some("buffered".into()))
            }
            Act::Updated { at, value, store, fault } => {
                place = self.stores.get(&(thread, *store)).and_then(|(place, _)| place.clone());
                self.buffered.remove(&(thread, *store));
                let text = words.assigned("update", *at, value);
                (text, Some(fault.map_or("reaches memory".into(), |fault| fault.kind.to_string())))
            }
        };
        let update = matches!(act, Act::Updated { .. });
        let deed = self.with_sources(deed, thread, act);
        let inside = moment.is_inside(machine.program());
        let aside = match deed.store.and_then(|number| self.rows.iter().rfind(|row| row.number == number)) {
            Some(store) => store.aside,
            None => is_aside(machine, &self.names, &moment, &deed),
        };
        Some(Row { thread, place, text, note, update, inside, aside, deed, number: self.count, index: self.count })
    }

    /// The parts of an event with who wrote what it reads, or which store leaves its buffer.
    fn with_sources(&self, mut deed: Deed, thread: ThreadId, act: &Act) -> Deed {
        let number = |store: (ThreadId, u32)| self.stores.get(&store).map_or(u32::MAX, |(_, number)| *number);
        match act {
            Act::Did { from, .. } => deed.from = distinct(from).into_iter().map(|s| s.map(|s| (s.0, number(s)))).collect(),
            Act::Updated { store, .. } => deed.store = Some(number((thread, *store))),
            Act::Buffered { .. } => {}
        }
        deed
    }

    /// Where the bytes that were read come from.
    fn origin(&self, reader: ThreadId, from: &[StoreName]) -> String {
        let words: Vec<String> = distinct(from).into_iter().map(|source| self.source(reader, source)).collect();
        words.join(" and ")
    }

    fn source(&self, reader: ThreadId, source: StoreName) -> String {
        let Some((thread, number)) = source else { return "initial value".into() };
        let place = self.stores.get(&(thread, number)).and_then(|(place, _)| place.as_ref());
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
            let why = action.location().and_then(|at| why_not(machine, word, at, action.guard()));
            let text = why.map_or(wanted.clone(), |why| format!("{wanted}, {why}"));
            let range = action.location().map(|at| words.range(at));
            let holder = action.location().and_then(|at| held_by(machine, word, at, action.guard()?));
            let is_condition = words.call().is_some_and(|call| call.contains("cond") || call.starts_with("cnd") || call == "wait");
            let object = range.map_or(String::new(), |range| words.names.opaque(machine, range));
            let place = user_place(machine.program(), &moment).cloned();
            all.push(Waiting { thread, place, text, range, object, is_condition, holder });
        }
        all
    }
}

/// The stores that bytes come from, each once.
fn distinct(from: &[StoreName]) -> Vec<StoreName> {
    let mut distinct: Vec<StoreName> = Vec::new();
    for source in from {
        if !distinct.contains(source) {
            distinct.push(*source);
        }
    }
    distinct
}

/// The thread that a guard waits for.
fn held_by(machine: &Machine, word: &dyn Fn(LocationId) -> u64, at: LocationId, guard: Guard) -> Option<ThreadId> {
    machine.word_of(at).or_else(|| holder(guard, machine.locations().range(at).size, word(at)))
}

/// Why a guard does not hold, where that can be said.
fn why_not(machine: &Machine, word: &dyn Fn(LocationId) -> u64, at: LocationId, guard: Option<Guard>) -> Option<String> {
    let thread = held_by(machine, word, at, guard?)?;
    let is_join = machine.word_of(at).is_some();
    Some(if is_join { format!("and {thread} has not ended") } else { format!("which {thread} holds") })
}
