//! The story of an execution whose events were committed out of order: the witness is committed again, event by event,
//! by the plain graph, and judged by the axioms from scratch.

use crate::deed::Deed;
use crate::edges::Coherence;
use crate::frames::user_place;
use crate::judged::{judged_act, judged_end, judged_leak};
use crate::names::{Names, extern_name, file_name, function_name};
use crate::tell::{Ended, Rerun, Row, Untold, Waiting, is_aside};
use raddle_event::{EventId, Fault, FaultKind, Range, ThreadId, Way};
use raddle_judge::PlainPower;
use raddle_machine::{FaultAt, Found, Halt, Instance, Moment, What};
use raddle_program::{Instr, Place, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Of graphs with more events it is not said what the model keeps in order.
const MOST_KEPT: usize = 150;

/// Commits the events of a witness again, and tells what happens where that is asked; or says that they do not show the
/// fault.
pub(crate) fn rerun(mut plain: PlainPower, found: Option<&Found>, run: &[(EventId, Way)], tells: bool) -> Result<Rerun, Untold> {
    let program = plain.machine.program();
    let mut teller = Teller { program, names: Names::default(), rows: Vec::new(), numbers: FxHashMap::default() };
    for &(event, way) in run {
        if !plain.commit(event, way) {
            return Err(Untold::DoesNotFit);
        }
        if tells {
            let row = teller.row(&plain, event, way);
            teller.rows.push(row);
        }
    }
    if !plain.is_allowed() || plain.lacks_stores() {
        return Err(Untold::DoesNotFit);
    }
    let fault = found.and_then(|found| judged(found, &mut plain));
    if found.is_some() && fault.is_none() {
        return Err(Untold::NoFault);
    }
    let mut ended = Ended::default();
    if tells {
        (ended.coherence, ended.kept) = (coherence(&plain), kept(&plain));
    }
    if tells {
        ended.threads = plain.machine.threads().map(|thread| (thread, function(&plain, program, thread))).collect();
        let is_deadlock = found.is_some_and(|found| found.kind == FaultKind::Deadlock);
        ended.waiting = if is_deadlock { teller.waiting(&plain) } else { Vec::new() };
    }
    Ok(Rerun { fault, rows: teller.rows, ended, cycle: Vec::new(), ends_in_fault: false })
}

/// The stores to each byte in coherence; a store is named by its number in its thread.
fn coherence(plain: &PlainPower) -> Coherence {
    let mut coherence = Coherence::default();
    for (range, stores) in plain.graph().coherence {
        let named: Vec<(ThreadId, u32)> = stores.iter().map(|store| (store.thread, store.index)).collect();
        (range.start.0..range.end()).for_each(|byte| coherence.entry(byte).or_default().extend(&named));
    }
    coherence
}

/// The pairs of events of one thread that the model keeps in order.
fn kept(plain: &PlainPower) -> FxHashSet<(EventId, EventId)> {
    if plain.done.order.len() <= MOST_KEPT { plain.kept().into_iter().collect() } else { FxHashSet::default() }
}

/// The fault as the plain graph has it, where it has one of this kind in this thread.
fn judged(found: &Found, plain: &mut PlainPower) -> Option<FaultAt> {
    let committed = plain.all_faults();
    if let Some(fault) = judged_act(&committed, found) {
        return Some(fault);
    }
    let at = |plain: &PlainPower, event: EventId| plain.machine.moment_of(event.thread, event.index);
    match found.kind {
        FaultKind::Deadlock if !committed.is_empty() => None,
        FaultKind::Deadlock | FaultKind::Livelock | FaultKind::Leak => {
            let leak = judged_leak(found, plain.machine.addresses(), plain.unfreed(), |start| plain.machine.maker(start));
            let moment = plain.machine.has_started(found.thread).then(|| end(plain, found.thread));
            judged_end(&plain.stands(), found, moment, leak)
        }
        FaultKind::DataRace => {
            let is_here = |event: EventId| event.thread == found.thread && at(plain, event) == found.moment;
            let (first, second) = plain.races().into_iter().find(|&(first, second)| is_here(first) || is_here(second))?;
            Some(if is_here(second) { race(plain, first, second) } else { race(plain, second, first) })
        }
        FaultKind::NotRobust => {
            let event = plain.first_on_cycle().filter(|event| event.thread == found.thread)?;
            Some(FaultAt::not_robust(&plain.model.to_string(), event.thread, at(plain, event)))
        }
        _ => None,
    }
}

/// The first data race of a graph.
pub(crate) fn first_race(plain: &PlainPower) -> Option<FaultAt> {
    plain.races().first().map(|&(first, second)| race(plain, first, second))
}

/// Two accesses race: at the second of them.
fn race(plain: &PlainPower, first: EventId, second: EventId) -> FaultAt {
    let (program, instance) = (plain.machine.program(), |event: EventId| &plain.machine.events(event.thread)[event.index as usize]);
    let at = instance(second).fetched.at.expect("an access has a location");
    let name = Names::default().range(&plain.machine, plain.machine.locations().range(at)).0;
    let verb = |event: EventId| if matches!(instance(event).what, What::Read { .. }) { "reads" } else { "writes" };
    let place = user_place(program, &plain.machine.moment_of(first.thread, first.index));
    let place = place.map(|place| format!(" at {}:{}", file_name(&place.file), place.line)).unwrap_or_default();
    let (one, other) = (verb(second), verb(first));
    let message = format!("{} {one} `{name}` here and {} {other} it{place}, in no order", second.thread, first.thread);
    let moment = plain.machine.moment_of(second.thread, second.index);
    FaultAt { fault: Fault::new(FaultKind::DataRace, message), thread: second.thread, moment }
}

/// Where a thread stands in the end: at its first event that is not committed, or where its fetching stopped.
fn end(plain: &PlainPower, thread: ThreadId) -> Moment {
    match pending(plain, thread) {
        Some(event) => plain.machine.moment_of(thread, event.index),
        None => plain.machine.moment(thread),
    }
}

/// The first event of a thread that is not committed.
fn pending(plain: &PlainPower, thread: ThreadId) -> Option<EventId> {
    let all = (0..plain.machine.events(thread).len() as u32).map(|index| EventId { thread, index });
    all.into_iter().find(|&event| !plain.is_committed(event))
}

fn function(plain: &PlainPower, program: &Program, thread: ThreadId) -> String {
    match (plain.machine.started_at(thread), program.entries.len()) {
        (_, 1) if thread == ThreadId(0) => "main".into(),
        (function, _) => function_name(program, function),
    }
}

struct Teller<'p> {
    program: &'p Program,
    names: Names,
    rows: Vec<Row>,
    /// The numbers of the rows of events.
    numbers: FxHashMap<EventId, u32>,
}

impl Teller<'_> {
    fn row(&mut self, plain: &PlainPower, event: EventId, way: Way) -> Row {
        let place = self.place(plain, event);
        let number = self.rows.len() as u32;
        let text = self.words(plain, event, way);
        let mut notes: Vec<String> = self.note(plain, event, way).into_iter().collect();
        notes.extend(self.overtaken(plain, event));
        let note = (!notes.is_empty()).then(|| notes.join(", "));
        let deed = self.deed(plain, event, way);
        let moment = plain.machine.moment_of(event.thread, event.index);
        let inside = moment.is_inside(self.program);
        let aside = is_aside(&plain.machine, &self.names, &moment, &deed);
        self.numbers.insert(event, number);
        Row { thread: event.thread, place, text, note, update: false, inside, aside, deed, number, index: event.index }
    }

    fn place(&self, plain: &PlainPower, event: EventId) -> Option<Place> {
        user_place(self.program, &plain.machine.moment_of(event.thread, event.index)).cloned()
    }

    fn range(&self, plain: &PlainPower, instance: &Instance) -> Option<Range> {
        instance.fetched.at.map(|at| plain.machine.locations().range(at))
    }

    /// The function of the library that an event belongs to.
    fn call(&self, instance: &Instance) -> Option<&str> {
        let (function, at) = instance.place;
        match self.program.functions.get(function.index())?.code.get(at as usize)? {
            Instr::CallExtern { function, .. } => Some(extern_name(self.program, *function)),
            _ => None,
        }
    }

    fn words(&mut self, plain: &PlainPower, event: EventId, way: Way) -> String {
        let instance = plain.machine.events(event.thread)[event.index as usize].clone();
        let prefix = self.call(&instance).map_or(String::new(), |call| format!("{call}: "));
        let Some(range) = self.range(plain, &instance) else {
            let Way::Outcome(outcome) = way else { return prefix };
            let next = EventId { index: event.index + 1, ..event };
            let is_guess = (next.index as usize) < plain.machine.events(next.thread).len() && plain.machine.is_guess(next);
            return match (is_guess, outcome) {
                (false, _) => format!("{prefix}choose {outcome}"),
                (true, 0) => "compare_exchange is going to fail".into(),
                (true, _) => "compare_exchange is going to succeed".into(),
            };
        };
        let (name, kind) = match prefix.is_empty() {
            true => self.names.range(&plain.machine, range),
            false => (self.names.opaque(&plain.machine, range), None),
        };
        if let Some(text) = self.lock_words(&instance, &name, way) {
            return prefix + &text;
        }
        let value = plain.value_of(event).map(|value| self.names.value(&plain.machine, kind, &value, range.size)).unwrap_or_default();
        match instance.what {
            What::Read { .. } => format!("{prefix}load {name} -> {value}"),
            What::Write { .. } if way == Way::Only => format!("{prefix}no store {name}"),
            What::Write { .. } => format!("{prefix}store {name} = {value}"),
            What::Free { .. } => format!("{prefix}end of {}", self.names.whole(&plain.machine, range.start)),
            What::Choose { .. } => prefix,
        }
    }

    /// What a call does with a lock, whose value says nothing to anybody.
    fn lock_words(&self, instance: &Instance, name: &str, way: Way) -> Option<String> {
        let call = self.call(instance).filter(|call| call.contains("lock"))?;
        match instance.what {
            What::Read { .. } => Some(format!("look at {name}")),
            What::Write { .. } if way == Way::Only => None,
            What::Write { .. } if call.contains("unlock") => Some(format!("give {name} back")),
            What::Write { .. } => Some(format!("take {name}")),
            What::Free { .. } | What::Choose { .. } => None,
        }
    }

    /// The parts of an event.
    fn deed(&mut self, plain: &PlainPower, event: EventId, way: Way) -> Deed {
        let instance = plain.machine.events(event.thread)[event.index as usize].clone();
        let call = self.call(&instance).map(str::to_string);
        let Some(range) = self.range(plain, &instance) else { return Deed { call, ..Deed::only("choose") } };
        let (variable, kind) = self.names.range(&plain.machine, range);
        let value = plain.value_of(event).map(|value| self.names.value(&plain.machine, kind, &value, range.size));
        let deed = match instance.what {
            What::Read { .. } => {
                let from = match way {
                    Way::From(store) => vec![store.map(|store| (store.thread, self.numbers.get(&store).copied().unwrap_or(u32::MAX)))],
                    _ => Vec::new(),
                };
                Deed { read: value, from, variable: Some(variable), ..Deed::only("load") }
            }
            What::Write { .. } => Deed { written: value.filter(|_| way != Way::Only), variable: Some(variable), ..Deed::only("store") },
            What::Free { .. } => Deed { variable: Some(variable), ..Deed::only("free") },
            What::Choose { .. } => Deed::only("choose"),
        };
        let makes = deed.written.is_some().then_some(event.index);
        Deed { call, makes, range: Some(range), ..deed }
    }

    /// Where a value comes from, or which store a store comes before although that was committed earlier.
    fn note(&self, plain: &PlainPower, event: EventId, way: Way) -> Option<String> {
        let named = |event: EventId| {
            let place = self.place(plain, event).map_or(String::new(), |place| format!(" {}:{}", file_name(&place.file), place.line));
            format!("{}{place}", event.thread)
        };
        match way {
            Way::From(None) => Some("initial value".into()),
            Way::From(Some(store)) => Some(format!("from {}", named(store))),
            Way::After(_) => plain.follower(event).map(|store| format!("in coherence before {}", named(store))),
            Way::Outcome(_) | Way::Only | Way::Parked => None,
        }
    }

    /// The first event of the thread that this one has overtaken.
    fn overtaken(&self, plain: &PlainPower, event: EventId) -> Option<String> {
        let earlier = (0..event.index).map(|index| EventId { index, ..event }).find(|&earlier| !plain.is_committed(earlier))?;
        let place = self.place(plain, earlier);
        Some(place.map_or("ahead of an earlier access".into(), |place| format!("ahead of line {}", place.line)))
    }

    /// What each thread waits for that waits for ever.
    fn waiting(&mut self, plain: &PlainPower) -> Vec<Waiting> {
        let mut all = Vec::new();
        for thread in plain.waiting() {
            let (text, moment) = match (plain.machine.halt(thread), pending(plain, thread)) {
                (_, Some(event)) => {
                    let instance = plain.machine.events(thread)[event.index as usize].clone();
                    let name = self.range(plain, &instance).map_or(String::new(), |range| self.names.opaque(&plain.machine, range));
                    (format!("{} {name}", self.call(&instance).unwrap_or("wait for")), plain.machine.moment_of(thread, event.index))
                }
                (Halt::Join { joined, .. }, None) => (format!("join {joined}, and {joined} has not ended"), plain.machine.moment(thread)),
                _ => ("wait".into(), plain.machine.moment(thread)),
            };
            all.push(Waiting {
                thread,
                place: user_place(self.program, &moment).cloned(),
                text,
                range: None,
                object: String::new(),
                is_condition: false,
                holder: None,
            });
        }
        all
    }
}
