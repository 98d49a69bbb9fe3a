//! Runs the threads of a graph once more and tests the axioms of its model by their definition.
//!
//! This shares nothing with the explorers and nothing with the models that they run on ([`axiom`] lists the models;
//! [`ra`] has the definition of RA, [`sra`] that of SRA, [`rc11`] that of RC11, [`memory_order`] those of SC,
//! TSO and PSO). It is what witnesses are believed
//! because of, and what the twins of the explorers of graphs enumerate graphs with.

mod axiom;
mod memory_order;
mod ra;
mod rc11;
mod relations;
mod remarks;
mod sra;
mod stronger;

pub use axiom::Axiom;

use crate::judgement::{Did, Judgement, Trace};
use crate::stuck::{Stand, Stands};
use crate::watch::{Act, StoreName, Watch};
use raddle_event::{
    Action, Address, EventId, Fault, FaultKind, Fence, Free, Guard, LocationId, Order, Published, Range, Region, Reply, ThreadId, Value,
    Way,
};
use raddle_machine::{Ahead, Blocked, FaultAt, Kind, Lead, Machine, Mark, Next, Piece, holder};
use raddle_program::FunctionId;
use std::collections::BTreeMap;

/// What is read and written: a range of one object. Objects that come one after the other in the same place have
/// different numbers. Fences have no range.
type Variable = (Option<Range>, usize);

struct Event {
    id: EventId,
    /// The events that happen right before it by spawn, join or program order.
    after: Vec<EventId>,
    /// How many events of each thread happen before it, itself included.
    past: BTreeMap<ThreadId, u32>,
    variable: Option<Variable>,
    /// The write that it reads from.
    from: Option<Option<EventId>>,
    written: Option<Value>,
    /// The order of an access.
    order: Option<Order>,
    fence: Option<Fence>,
    /// Whether it is a read-modify-write, also one that does not write.
    is_locked: bool,
    /// How many writes its thread has with this one.
    store: u32,
    outcome: Option<u32>,
    spawns: Option<ThreadId>,
    mark: Mark,
    n_objects: usize,
    n_faults: usize,
    n_printed: usize,
    frees: Option<usize>,
}

struct Object {
    start: u64,
    size: u64,
    heap: bool,
    made_by: Option<EventId>,
    freed_by: Option<EventId>,
    bytes: Vec<u8>,
    written: Vec<u8>,
}

/// A graph with the machine that makes its events, and whoever watches them.
pub struct PlainGraph<'p, W> {
    /// The machine whose events are added.
    pub machine: Machine<'p>,
    /// In the order in which they were added.
    events: Vec<Event>,
    /// Where the events of each thread stand.
    of_thread: BTreeMap<ThreadId, Vec<usize>>,
    /// The writes of each variable, where coherence is part of the graph.
    coherence: BTreeMap<Variable, Vec<EventId>>,
    axiom: Axiom,
    objects: Vec<Object>,
    /// Faults that are none of what a thread is answered.
    faults: Vec<FaultAt>,
    output: Vec<Piece>,
    tracked: bool,
    /// Who looks on.
    pub watch: W,
}

impl<'p, W: Watch> PlainGraph<'p, W> {
    /// A graph without events.
    pub fn watched(machine: Machine<'p>, axiom: Axiom, watch: W) -> PlainGraph<'p, W> {
        let tracked = machine.limits().uninitialised;
        let (events, of_thread, coherence) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let (objects, faults, output) = (Vec::new(), Vec::new(), Vec::new());
        let mut graph = PlainGraph { machine, events, of_thread, coherence, axiom, objects, faults, output, tracked, watch };
        if let Some(image) = graph.machine.first_image() {
            graph.adopt(&image, None);
        }
        for thread in graph.machine.threads().collect::<Vec<_>>() {
            graph.print(thread);
        }
        graph
    }

    /// Adds events in this order; tells whether each of them could be added.
    pub fn run(&mut self, path: &[(ThreadId, Way)]) -> bool {
        path.iter().all(|&(thread, way)| self.machine.has_started(thread) && self.add(thread, way).is_some())
    }

    fn print(&mut self, thread: ThreadId) {
        if let Some(output) = self.machine.output(thread) {
            self.output.extend(output.iter().cloned());
        }
    }

    fn adopt(&mut self, image: &[Published], by: Option<EventId>) {
        for object in image {
            let freed_by = by.filter(|_| object.freed);
            let (bytes, written) = (object.all_bytes(), object.written.clone());
            self.objects.push(Object {
                start: object.address.0,
                size: object.size,
                heap: object.heap,
                made_by: by,
                freed_by,
                bytes,
                written,
            });
        }
    }

    // Events and their order

    fn at(&self, id: EventId) -> usize {
        self.of_thread[&id.thread][id.index as usize]
    }

    fn event(&self, id: EventId) -> &Event {
        &self.events[self.at(id)]
    }

    fn n_events(&self, thread: ThreadId) -> u32 {
        self.of_thread.get(&thread).map_or(0, |events| events.len() as u32)
    }

    fn last(&self, thread: ThreadId) -> Option<EventId> {
        self.of_thread.get(&thread)?.last().map(|&at| self.events[at].id)
    }

    /// Whether `first` happens before one of these events, or is one of them.
    fn happens_before_one(&self, first: EventId, of: &[EventId]) -> bool {
        of.iter().any(|&id| self.event(id).past.get(&first.thread).is_some_and(|&n| n > first.index))
    }

    /// Which events happen before one of these, or are one of them, by the happens-before of the model.
    fn known_to(&self, to: &[EventId]) -> impl Fn(EventId) -> bool {
        let hb = self.axiom.has_coherence().then(|| self.hb());
        move |first| match &hb {
            None => self.happens_before_one(first, to),
            Some(hb) => to.iter().any(|&id| id == first || hb.has(self.at(first), self.at(id))),
        }
    }

    /// What happens before an event with these right before it.
    fn past(&self, id: EventId, before: impl Iterator<Item = EventId>) -> BTreeMap<ThreadId, u32> {
        let mut past = BTreeMap::new();
        for event in before {
            for (&thread, &n) in &self.event(event).past {
                let known = past.entry(thread).or_insert(0);
                *known = n.max(*known);
            }
        }
        past.insert(id.thread, id.index + 1);
        past
    }

    /// What the next event of a thread comes after.
    fn after(&self, thread: ThreadId) -> Vec<EventId> {
        match self.last(thread) {
            Some(last) => vec![last],
            None => self.events.iter().filter(|event| event.spawns == Some(thread)).map(|event| event.id).collect(),
        }
    }

    // Objects

    /// The newest object where a location lies whose making happens before what these events have seen.
    fn object(&self, range: Range, seen: &[EventId]) -> Option<usize> {
        let room = self.machine.addresses().room(range.start).map_or(range.start, |room| room.start);
        let is_made = |object: &Object| object.made_by.is_none_or(|by| self.happens_before_one(by, seen));
        self.objects.iter().rposition(|object| object.start == room.0 && is_made(object))
    }

    fn variable(&self, at: LocationId, seen: &[EventId]) -> Result<Variable, Fault> {
        let range = self.machine.locations().range(at);
        let Some(number) = self.object(range, seen) else { return Err(Fault::new(FaultKind::WildPointer, "access where no object is")) };
        let object = &self.objects[number];
        if object.freed_by.is_some_and(|by| self.known_to(seen)(by)) {
            return Err(Fault::new(FaultKind::UseAfterFree, format!("access to {} bytes of freed memory", range.size)));
        }
        if range.end() > object.start + object.size {
            let (offset, of) = (range.start.0 - object.start, object.size);
            let what = format!("access to {} bytes at offset {offset} of an object of {of} bytes", range.size);
            return Err(Fault::new(FaultKind::OutOfBounds, what));
        }
        Ok((Some(range), number))
    }

    /// The value of a variable as a write has left it.
    fn value(&self, variable: Variable, write: Option<EventId>) -> Value {
        match (write, variable) {
            (Some(write), _) => self.event(write).written.clone().expect("a source is a write"),
            (None, (Some(range), number)) => {
                let object = &self.objects[number];
                let from = (range.start.0 - object.start) as usize;
                Value::from_bytes(&object.bytes[from..from + range.size as usize])
            }
            (None, (None, _)) => Value::Word(0),
        }
    }

    fn is_unwritten(&self, variable: Variable, write: Option<EventId>) -> bool {
        let ((Some(range), number), None, true) = (variable, write, self.tracked) else { return false };
        let object = &self.objects[number];
        let from = (range.start.0 - object.start) as usize;
        !object.written.is_empty() && object.written[from..from + range.size as usize].contains(&0)
    }

    /// The first eight bytes of a location as a write has left them that can be the last in coherence.
    pub fn word(&self, at: LocationId) -> u64 {
        let range = Some(self.machine.locations().range(at));
        let mut accesses = self.events.iter().rev().filter_map(|event| event.variable);
        let Some(variable) = accesses.find(|variable| variable.0 == range) else { return 0 };
        let last = self.writes(variable).into_iter().rev().find(|&write| self.can_be_last(variable, Some(write)));
        self.value(variable, last).word()
    }

    // Adding events

    /// The ways in which the next event of a thread could be added, if nothing but po and rf mattered.
    pub fn ways(&self, thread: ThreadId) -> Vec<Way> {
        let Some(action) = self.machine.action(thread) else { return Vec::new() };
        let seen = self.after(thread);
        let variable = match action {
            Action::Choose { n } => return (0..*n).map(Way::Outcome).collect(),
            Action::Read { guard: Some(Guard::Ended), .. } => return vec![Way::Only],
            Action::Write { at, .. } if self.axiom.has_coherence() => {
                let Ok(variable) = self.variable(*at, &seen) else { return vec![Way::Only] };
                let writes = self.writes(variable).into_iter().map(|write| Way::After(Some(write)));
                return std::iter::once(Way::After(None)).chain(writes).collect();
            }
            Action::Read { at, .. } | Action::Rmw { at, .. } => match self.variable(*at, &seen) {
                Ok(variable) => variable,
                Err(_) => return vec![Way::Only],
            },
            Action::Fence(fence) if self.is_update(*fence) => (None, 0),
            _ => return vec![Way::Only],
        };
        let writes = self.writes(variable).into_iter().map(|write| Way::From(Some(write)));
        std::iter::once(Way::From(None)).chain(writes).collect()
    }

    /// Whether the next event of a thread would only lead it round a loop that waits, if it were added in this way.
    pub fn is_in_vain(&mut self, thread: ThreadId, way: Way) -> bool {
        let (Ahead { kind: Kind::Awaits, at }, Way::From(from)) = (self.machine.ahead(thread), way) else { return false };
        let seen = self.after(thread);
        let Ok(variable) = self.variable(at, &seen) else { return false };
        if self.objects[variable.1].freed_by.is_some() || self.is_unwritten(variable, from) {
            return false;
        }
        let value = self.value(variable, from);
        loop {
            match self.machine.lead(thread, &value, |own| self.last_of(own, &seen)) {
                Lead::Round(..) => return true,
                Lead::On => return false,
                Lead::Unknown(from, reply) => self.machine.look_on(thread, from, reply),
            }
        }
    }

    /// What the events after these find at a location where all that is written comes before them.
    fn last_of(&self, at: LocationId, seen: &[EventId]) -> Option<Value> {
        let variable = self.variable(at, seen).ok()?;
        let known = self.known_to(seen);
        let is_last =
            |write: &EventId| self.writes(variable).iter().all(|&other| other == *write || !known(other) || self.is_after(*write, other));
        let last = self.writes(variable).into_iter().filter(|&write| known(write)).find(is_last);
        Some(self.value(variable, last))
    }

    /// Whether an event comes after another one.
    fn is_after(&self, second: EventId, first: EventId) -> bool {
        self.happens_before_one(first, &[second])
    }

    /// Whether a fence is a read-modify-write of a hidden variable.
    fn is_update(&self, fence: Fence) -> bool {
        matches!(self.axiom, Axiom::ReleaseAcquire | Axiom::PlacedReleaseAcquire | Axiom::StrongReleaseAcquire) && is_full(fence)
    }

    fn writes(&self, variable: Variable) -> Vec<EventId> {
        let written = |event: &&Event| event.variable == Some(variable) && event.written.is_some();
        self.events.iter().filter(written).map(|event| event.id).collect()
    }

    /// Whether a thread does nothing next that another one can see or overtake.
    pub fn is_silent(&self, thread: ThreadId) -> bool {
        match self.machine.action(thread) {
            Some(Action::Spawn { .. } | Action::Allocate { .. }) => true,
            Some(Action::Fence(fence)) => !self.is_update(*fence),
            Some(Action::Read { at, guard: Some(Guard::Ended), .. }) => self.joined(*at).is_some(),
            _ => false,
        }
    }

    /// Adds the next event of a thread. `None` when it cannot be added in this way, whatever the model.
    pub fn add(&mut self, thread: ThreadId, way: Way) -> Option<()> {
        let action = self.machine.action(thread)?.clone();
        let id = EventId { thread, index: self.n_events(thread) };
        let (mark, n_objects, n_faults, n_printed) = (self.machine.mark(), self.objects.len(), self.faults.len(), self.output.len());
        let after = self.after(thread);
        let (variable, from, written, outcome, spawns, frees) = (None, None, None, None, None, None);
        let mut event = Event {
            id,
            after,
            past: BTreeMap::new(),
            variable,
            from,
            written,
            order: None,
            fence: None,
            is_locked: matches!(action, Action::Rmw { .. }),
            store: 0,
            outcome,
            spawns,
            mark,
            n_objects,
            n_faults,
            n_printed,
            frees,
        };
        let reply = self.perform(&action, way, &mut event)?;
        event.past = self.past(id, event.after.iter().copied().chain(event.from.flatten()));
        event.store = self.last(thread).map_or(0, |last| self.event(last).store) + event.written.is_some() as u32;
        let from = self.sources(&event);
        let store = event.written.is_some().then_some(event.store);
        self.place_in_coherence(&event, way);
        self.of_thread.entry(thread).or_default().push(self.events.len());
        self.events.push(event);
        self.note_unordered(id);
        self.watch.act(&self.machine, thread, &Act::Did { action: &action, reply: &reply, from: &from, store });
        if let (Action::Spawn { .. } | Action::Allocate { .. }, Some(image)) = (&action, self.machine.image(thread)) {
            self.adopt(&image, Some(id));
        }
        if let Action::Spawn { child, function, argument } = action {
            self.machine.start(child, FunctionId(function), argument);
            self.print(child);
        }
        self.machine.advance(thread, reply);
        self.print(thread);
        Some(())
    }

    /// Puts a write into coherence, where that is part of the graph: behind the one that it is given, or that it reads
    /// from.
    fn place_in_coherence(&mut self, event: &Event, way: Way) {
        let (Some(variable), Some(_), true) = (event.variable, &event.written, self.axiom.has_coherence()) else { return };
        let (Way::After(before) | Way::From(before)) = way else { return };
        let order = self.coherence.entry(variable).or_default();
        let place = before.map_or(0, |before| order.iter().position(|&write| write == before).map_or(0, |place| place + 1));
        order.insert(place, event.id);
    }

    /// For each byte read the store that wrote it.
    fn sources(&self, event: &Event) -> Vec<StoreName> {
        let (Some((Some(range), _)), Some(from)) = (event.variable, event.from) else { return Vec::new() };
        vec![from.map(|write| (write.thread, self.event(write).store)); range.size as usize]
    }

    /// Whether a write is put behind one that is there.
    fn is_placed(&self, variable: Variable, way: Way) -> bool {
        match way {
            Way::After(before) => before.is_none_or(|before| self.writes(variable).contains(&before)),
            _ => false,
        }
    }

    fn perform(&mut self, action: &Action, way: Way, event: &mut Event) -> Option<Reply> {
        let seen = event.after.clone();
        (event.order, event.fence) = order_and_fence(action);
        match (action, way) {
            (Action::Read { at, guard: Some(Guard::Ended), .. }, Way::Only) => {
                let (ended, result) = self.joined(*at)?;
                event.after.extend(self.last(ended).map_or_else(|| self.after(ended), |last| vec![last]));
                let whole = self.machine.locations().range(*at).size == 8;
                Some(Reply::Value(Value::Word(if whole { result } else { 0 })))
            }
            (Action::Read { at, guard, order }, way) => match (self.variable(*at, &seen), way) {
                (Ok(variable), Way::From(from)) => match self.read(variable, *guard, from, event)? {
                    Reply::Fault(_) if *order == Order::Copy => Some(Reply::Value(self.value(variable, from))),
                    reply => Some(reply),
                },
                (Err(fault), Way::Only) => Some(Reply::Fault(fault)),
                _ => None,
            },
            (Action::Write { at, value, .. }, way) => match (self.variable(*at, &seen), way) {
                (Ok(variable), Way::Only | Way::After(_)) => {
                    (event.variable, event.written) = (Some(variable), Some(value.clone()));
                    (self.is_placed(variable, way) == self.axiom.has_coherence()).then_some(Reply::Done)
                }
                (Err(fault), Way::Only) => Some(Reply::Fault(fault)),
                _ => None,
            },
            (Action::Rmw { at, rmw, failure, .. }, way) => match (self.variable(*at, &seen), way) {
                (Ok(variable), Way::From(from)) => {
                    self.read(variable, rmw.guard, from, event)?;
                    let (old, size) = (self.value(variable, from), self.machine.locations().range(*at).size);
                    event.written = rmw.apply(old.to_u128(), size).map(|new| Value::from_u128(new, size));
                    event.order = event.order.filter(|_| event.written.is_some()).or(Some(*failure));
                    Some(Reply::Value(old))
                }
                (Err(fault), Way::Only) => Some(Reply::Fault(fault)),
                _ => None,
            },
            (Action::Fence(fence), Way::From(from)) if self.is_update(*fence) => {
                self.read((None, 0), None, from, event)?;
                event.written = Some(Value::Word(0));
                Some(Reply::Done)
            }
            (Action::Fence(fence), Way::Only) if !self.is_update(*fence) => Some(Reply::Done),
            (Action::Spawn { child, .. }, Way::Only) => {
                event.spawns = Some(*child);
                Some(Reply::Done)
            }
            (Action::Allocate { at, size, zeroed }, Way::Only) => {
                self.allocate(*at, *size, *zeroed, event.id);
                Some(Reply::Done)
            }
            (Action::Free { at, start, how }, Way::Only) => Some(self.free(*at, *start, *how, &seen, event)),
            (Action::Choose { n }, Way::Outcome(outcome)) if outcome < *n => {
                event.outcome = Some(outcome);
                Some(Reply::Chosen(outcome))
            }
            _ => None,
        }
    }

    fn read(&self, variable: Variable, guard: Option<Guard>, from: Option<EventId>, event: &mut Event) -> Option<Reply> {
        if from.is_some_and(|write| !self.writes(variable).contains(&write)) {
            return None;
        }
        let value = self.value(variable, from);
        if guard.is_some_and(|guard| !guard.holds(value.word())) {
            return None;
        }
        (event.variable, event.from) = (Some(variable), Some(from));
        if self.is_unwritten(variable, from) {
            return Some(Reply::Fault(Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written")));
        }
        Some(Reply::Value(value))
    }

    /// The thread whose end a location tells, and what it returned; none while it runs.
    fn joined(&self, at: LocationId) -> Option<(ThreadId, u64)> {
        let thread = self.machine.word_of(at).filter(|&thread| self.machine.has_started(thread))?;
        match self.machine.next(thread) {
            Next::Ended(values) => Some((thread, values.first().copied().unwrap_or(0))),
            _ => None,
        }
    }

    fn allocate(&mut self, at: LocationId, size: u64, zeroed: bool, by: EventId) {
        let start = self.machine.locations().range(at).start;
        let heap = matches!(self.machine.addresses().find(start), Some((Region::Heap(_), ..)));
        let written = if self.tracked { vec![zeroed as u8; size as usize] } else { Vec::new() };
        self.objects.push(Object { start: start.0, size, heap, made_by: Some(by), freed_by: None, bytes: vec![0; size as usize], written });
    }

    fn free(&mut self, at: LocationId, start: Address, how: Free, seen: &[EventId], event: &mut Event) -> Reply {
        let room = self.machine.locations().range(at);
        let wrong = |kind, what: &str| Reply::Fault(Fault::new(kind, format!("{start} {what}")));
        let Some(number) = self.object(room, seen) else { return wrong(FaultKind::InvalidFree, "is not the start of a heap object") };
        let object = &self.objects[number];
        match object.freed_by {
            Some(by) if self.known_to(seen)(by) => return wrong(FaultKind::DoubleFree, "is freed again"),
            _ if how == Free::Heap && (!object.heap || start != room.start) => {
                return wrong(FaultKind::InvalidFree, "is not the start of a heap object");
            }
            Some(_) => {
                let (thread, fault) = (event.id.thread, Fault::new(FaultKind::DoubleFree, "freed by two threads in no order"));
                self.faults.push(FaultAt { thread, fault, moment: self.machine.moment(thread) });
            }
            None => {
                self.objects[number].freed_by = Some(event.id);
                event.frees = Some(number);
            }
        }
        Reply::Done
    }

    /// Notes where the newest event is an access and a free of one object, in no order.
    fn note_unordered(&mut self, id: EventId) {
        let event = self.event(id);
        let fault = || Fault::new(FaultKind::UseAfterFree, "nothing orders an access and the free of its object");
        let number = match (event.variable, event.frees) {
            (Some((Some(_), number)), _) => self.objects[number].freed_by.map(|_| number),
            (None, Some(number)) => {
                let newest = [id];
                let is_known = self.known_to(&newest);
                let accesses = self.events.iter().filter(|other| matches!(other.variable, Some((Some(_), n)) if n == number));
                accesses.map(|other| other.id).find(|&other| !is_known(other)).map(|_| number)
            }
            _ => None,
        };
        if number.is_some() {
            let (thread, fault) = (id.thread, fault());
            self.faults.push(FaultAt { thread, fault, moment: self.machine.moment(thread) });
        }
    }

    /// Takes back the newest event.
    pub fn undo(&mut self) {
        let event = self.events.pop().expect("there is an event");
        self.of_thread.get_mut(&event.id.thread).expect("it has events").pop();
        if let Some(number) = event.frees {
            self.objects[number].freed_by = None;
        }
        if let Some(order) = event.variable.and_then(|variable| self.coherence.get_mut(&variable)) {
            order.retain(|&write| write != event.id);
        }
        self.objects.truncate(event.n_objects);
        self.faults.truncate(event.n_faults);
        self.output.truncate(event.n_printed);
        self.machine.rewind(event.mark);
    }

    // What came of it

    /// How a thread stands now that nothing more is added.
    fn stand(&mut self, thread: ThreadId) -> Stand {
        let action = match self.machine.next(thread) {
            Next::Ended(_) | Next::Fault(_) => return Stand::Over,
            Next::Exited(_) => return Stand::Exited,
            Next::Blocked(Blocked::Spin) if self.can_be_last_for_ever(thread) => return Stand::Spins,
            Next::Blocked(Blocked::Spin) => return Stand::GoesOn,
            Next::Action(action) => action.clone(),
            _ => return Stand::Stopped,
        };
        if self.ways(thread).into_iter().any(|way| self.can_add(thread, way)) {
            return Stand::GoesOn;
        }
        let at = action.location().expect("what has no location can be added");
        let size = self.machine.locations().range(at).size;
        match self.machine.word_of(at) {
            Some(joined) => Stand::Joins(joined),
            None => Stand::Waits(action.guard().and_then(|guard| holder(guard, size, self.word(at)))),
        }
    }

    /// Whether the next event of a thread can be added in this way.
    fn can_add(&mut self, thread: ThreadId, way: Way) -> bool {
        self.add(thread, way).is_some() && {
            let is_allowed = self.is_newest_allowed();
            self.undo();
            is_allowed
        }
    }

    /// Whether what threads that spin have found last in each variable, in the last rounds of their loops, can be there
    /// for ever, all at once, as far as one of them goes: a write that can be last in coherence has it.
    fn can_be_last_for_ever(&self, thread: ThreadId) -> bool {
        let spins = |thread: &ThreadId| matches!(self.machine.next(*thread), Next::Blocked(Blocked::Spin));
        let others: Vec<_> = self.machine.threads().filter(spins).flat_map(|other| self.last_round(other)).collect();
        let is_alone = |variable, value: &Value| others.iter().all(|other| other.0 != variable || other.1 == *value);
        let can_stay = |variable, value: &Value| {
            let mut writes = self.writes(variable).into_iter().map(Some).chain([None]);
            writes.any(|write| self.value(variable, write) == *value && self.can_be_last(variable, write))
        };
        self.last_round(thread).into_iter().all(|(variable, value)| is_alone(variable, &value) && can_stay(variable, &value))
    }

    /// Of each variable that a thread has accessed in the last round of its loop the value that it has seen or written
    /// last.
    fn last_round(&self, thread: ThreadId) -> BTreeMap<Variable, Value> {
        let n = self.n_events(thread);
        let events = (n - self.machine.round(thread).min(n)..n).map(|index| self.event(EventId { thread, index }));
        let seen = |event: &Event| {
            let variable = event.variable?;
            let read = event.from.map(|from| self.value(variable, from));
            Some((variable, event.written.clone().or(read)?))
        };
        events.filter_map(seen).collect()
    }

    /// What each thread did, which write each read reads from, and, where it is part of the graph, coherence.
    pub fn trace(&self) -> Trace {
        let mut threads: BTreeMap<ThreadId, Vec<Did>> = BTreeMap::new();
        for event in &self.events {
            let did = match (event.variable, event.outcome) {
                (Some((range, _)), _) => {
                    let (start, size) = range.map_or((0, 0), |range| (range.start.0, range.size));
                    let from = event.from.map(|from| from.map(|write| (write.thread, self.event(write).store)));
                    Did::Access { start, size, writes: event.written.is_some(), from: from.into_iter().collect() }
                }
                (None, Some(outcome)) => Did::Choice(outcome),
                _ => continue,
            };
            threads.entry(event.id.thread).or_default().push(did);
        }
        let mut coherence: BTreeMap<u64, Vec<_>> = BTreeMap::new();
        for ((range, _), writes) in &self.coherence {
            let start = range.map_or(0, |range| range.start.0);
            let stores = writes.iter().map(|&write| (write.thread, self.event(write).store));
            coherence.entry(start).or_default().extend(stores);
        }
        coherence.retain(|_, stores| !stores.is_empty());
        Trace { threads, coherence }
    }

    /// The heap objects that are not freed, with their sizes.
    pub fn unfreed(&self) -> Vec<(Address, u64)> {
        let live = self.objects.iter().filter(|object| object.heap && object.freed_by.is_none());
        live.map(|object| (Address(object.start), object.size)).chain(self.machine.private_heap()).collect()
    }

    /// What became of it.
    pub fn judgement(mut self) -> Judgement {
        let threads: Vec<ThreadId> = self.machine.threads().collect();
        let stands = Stands(threads.into_iter().map(|thread| (thread, self.stand(thread))).collect());
        let mut judgement = Judgement {
            trace: self.trace(),
            unfreed: self.unfreed(),
            faults: self.faults,
            stands,
            results: BTreeMap::new(),
            output: self.output,
        };
        judgement.look_at_threads(&self.machine);
        judgement
    }
}

impl<'p> PlainGraph<'p, ()> {
    /// A graph without events that nobody watches.
    pub fn new(machine: Machine<'p>, axiom: Axiom) -> PlainGraph<'p, ()> {
        PlainGraph::watched(machine, axiom, ())
    }
}

/// Whether a fence is a read-modify-write of the hidden variable.
fn is_full(fence: Fence) -> bool {
    matches!(fence, Fence::SeqCst | Fence::Mfence | Fence::Sync | Fence::Dmb)
}

/// The order of an access, and which fence a fence is.
fn order_and_fence(action: &Action) -> (Option<Order>, Option<Fence>) {
    match action {
        Action::Read { order, .. } | Action::Write { order, .. } | Action::Rmw { order, .. } => (Some(*order), None),
        Action::Fence(fence) => (None, Some(*fence)),
        _ => (None, None),
    }
}
