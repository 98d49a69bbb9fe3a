//! A graph of POWER or AArch64, made and judged as plainly as possible: by code that shares nothing with the explorer
//! and its relations.
//!
//! Events are committed as a witness says, each only checked for what it needs to make sense: it is fetched, its
//! operands are known, its source or place is there. When all is done the axioms (as docs/models/power.md and
//! aarch64.md have them) are computed from their definitions, as relations between all events. Never optimised.

mod arm;
mod axioms;
mod kept;
mod mapping;
mod race;
mod stands;

use crate::model::Model;
use crate::relation::Relation;
use axioms::Axioms;
use mapping::{EIEIO, LWSYNC, MAPPING, SYNC};
use raddle_event::{
    Address, Arrival, DepsId, EventId, Fault, FaultKind, Fetched, Fetching, Free, LocationId, Published, Range, Reply, Role, ThreadId,
    Value, Way,
};
use raddle_machine::{Blocked, FaultAt, Halt, Instance, Limits, OutOfOrder, Sites, Tables, What};
use raddle_program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// What lies at a place of shared objects.
#[derive(Clone, Debug)]
struct RoomState {
    bytes: Vec<u8>,
    /// Which bytes have an initial value; empty where all have.
    written: Vec<u8>,
    freed: bool,
    heap: bool,
    /// What comes into being at its place when it ceases to be.
    then: Vec<Arrival>,
}

/// What a graph is, without how it came about: for each event what it does and where, what loads read from, and the
/// stores of each location in coherence order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PowerGraph {
    /// The events: what each is, of which bytes, and the value.
    pub events: Vec<(EventId, &'static str, Option<Range>, u64)>,
    /// What each load reads from.
    pub sources: Vec<(EventId, Option<EventId>)>,
    /// The stores to each location, in coherence.
    pub coherence: Vec<(Range, Vec<EventId>)>,
}

/// A graph under way.
pub struct PlainPower<'p> {
    /// The model by whose axioms it is judged.
    pub model: Model,
    /// The machine that fetches.
    pub machine: OutOfOrder<'p>,
    /// What is committed.
    pub done: Done,
}

/// What is committed of a graph.
#[derive(Clone, Debug, Default)]
pub struct Done {
    objects: BTreeMap<Address, RoomState>,
    n_arrived: BTreeMap<ThreadId, usize>,
    committed: BTreeMap<EventId, Way>,
    values: BTreeMap<EventId, Value>,
    coherence: BTreeMap<LocationId, Vec<EventId>>,
    /// What spawns and joins order before the events to come of a thread, and have ordered before each event.
    before: BTreeMap<ThreadId, BTreeSet<EventId>>,
    ordered: BTreeMap<EventId, BTreeSet<EventId>>,
    /// What went wrong.
    pub faults: Vec<FaultAt>,
    /// The events in the order in which they were committed.
    pub order: Vec<EventId>,
}

/// A point to which a graph can go back. The machine goes back by itself.
pub struct Point {
    machine: usize,
    done: Done,
}

impl<'p> PlainPower<'p> {
    /// The empty graph of a program that has just started, with the numbers that another run of it has given.
    pub fn new(program: &'p Program, limits: Limits, sites: Sites, tables: Tables, model: Model) -> PlainPower<'p> {
        let mapping = if let Model::AArch64(atomics) = model { arm::mapping(atomics) } else { MAPPING };
        let machine = OutOfOrder::with_tables(program, limits, sites, tables, mapping);
        let image = machine.first_image();
        let mut plain = PlainPower { model, machine, done: Done::default() };
        plain.adopt(image.iter().flat_map(|image| image.iter()));
        plain.settle();
        plain
    }

    /// This point of the graph.
    pub fn point(&self) -> Point {
        Point { machine: self.machine.mark(), done: self.done.clone() }
    }

    /// Goes back to a point.
    pub fn go_back(&mut self, point: Point) {
        self.machine.rewind(point.machine);
        self.done = point.done;
    }

    // Silent things

    fn room(&self, address: Address) -> Address {
        self.machine.addresses().room(address).map_or(address, |room| room.start)
    }

    fn adopt<'i>(&mut self, image: impl Iterator<Item = &'i Published>) {
        for published in image {
            let start = self.room(published.address);
            self.done.objects.insert(
                start,
                RoomState {
                    bytes: published.all_bytes(),
                    written: published.written.clone(),
                    freed: published.freed,
                    heap: published.heap,
                    then: Vec::new(),
                },
            );
        }
    }

    fn arrive(&mut self, arrival: &Arrival) {
        let range = self.machine.locations().range(arrival.at);
        if let Some(before) = self.done.objects.get_mut(&range.start).filter(|object| !object.freed) {
            before.then.push(arrival.clone());
            return;
        }
        self.begin(arrival, Vec::new());
    }

    fn begin(&mut self, arrival: &Arrival, then: Vec<Arrival>) {
        let range = self.machine.locations().range(arrival.at);
        let heap = matches!(self.machine.addresses().find(range.start), Some((raddle_event::Region::Heap(_), ..)));
        let written = if self.machine.limits().uninitialised { vec![arrival.zeroed as u8; arrival.size as usize] } else { Vec::new() };
        self.done.objects.insert(range.start, RoomState { bytes: vec![0; arrival.size as usize], written, freed: false, heap, then });
        self.adopt(arrival.image.iter().flat_map(|image| image.iter()));
    }

    fn settle(&mut self) {
        loop {
            let threads: Vec<ThreadId> = self.machine.threads().collect();
            for &thread in &threads {
                let from = self.done.n_arrived.get(&thread).copied().unwrap_or(0);
                let arrivals: Vec<Arrival> = self.machine.arrivals(thread)[from..].to_vec();
                arrivals.iter().for_each(|arrival| self.arrive(arrival));
                self.done.n_arrived.insert(thread, from + arrivals.len());
            }
            let Some(&thread) = threads.iter().find(|&&thread| self.can_pass(thread)) else { break };
            self.pass(thread);
        }
        for thread in self.machine.threads().collect::<Vec<_>>() {
            let halt = match self.machine.halt(thread) {
                Halt::Fault(fault) => Some((fault.clone(), self.machine.moment(thread))),
                _ => None,
            };
            let wrong = self.machine.wrong(thread).map(|(kind, moment, _)| (Fault::new(kind, wrong_words(kind)), moment));
            for (fault, moment) in halt.into_iter().chain(wrong) {
                let at = FaultAt { thread, fault, moment };
                if !self.done.faults.contains(&at) {
                    self.done.faults.push(at);
                }
            }
        }
    }

    /// Whether all events of a thread that are fetched are committed.
    pub fn is_drained(&self, thread: ThreadId) -> bool {
        let n = self.machine.events(thread).len() as u32;
        (0..n).all(|index| self.done.committed.contains_key(&EventId { thread, index }))
    }

    fn can_pass(&self, thread: ThreadId) -> bool {
        match *self.machine.halt(thread) {
            Halt::Spawn { .. } => self.is_drained(thread),
            Halt::Join { joined, .. } => {
                let ended = self.machine.has_started(joined) && matches!(self.machine.halt(joined), Halt::Ended(_));
                ended && self.is_drained(thread) && self.is_drained(joined) && self.machine.results(joined).is_some()
            }
            _ => false,
        }
    }

    fn hand_over(&mut self, from: ThreadId, to: ThreadId) {
        let mut before = self.done.before.get(&from).cloned().unwrap_or_default();
        before.extend(self.done.committed.keys().filter(|event| event.thread == from));
        self.done.before.entry(to).or_default().extend(before);
    }

    fn pass(&mut self, thread: ThreadId) {
        match *self.machine.halt(thread) {
            Halt::Spawn { child, function, argument } => {
                let image = self.machine.image(thread);
                self.adopt(image.iter().flat_map(|image| image.iter()));
                self.machine.start((child, function, argument));
                self.hand_over(thread, child);
                self.machine.proceed(thread, Reply::Done);
            }
            Halt::Join { joined, wanted } => {
                let result = self.machine.results(joined).and_then(|results| results.first().copied()).filter(|_| wanted);
                self.hand_over(joined, thread);
                self.machine.proceed(thread, Reply::Value(Value::Word(result.unwrap_or(0))));
            }
            _ => unreachable!("the thread waits at a spawn or a join"),
        }
    }

    // Committing

    fn instance(&self, event: EventId) -> &Instance {
        &self.machine.events(event.thread)[event.index as usize]
    }

    fn fetched(&self, event: EventId) -> &Fetched {
        self.machine.fetched(event)
    }

    fn set(&self, event: EventId, deps: DepsId) -> impl Iterator<Item = EventId> + '_ {
        self.machine.dependencies(event.thread, deps).iter().map(move |&index| EventId { thread: event.thread, index })
    }

    /// Whether an event is fetched, not committed, and makes sense now: what it depends on is committed. (This is the
    /// paper's weakest commit-before, cb0; and the second half of a read-modify-write comes after the first.)
    pub fn is_ready(&self, event: EventId) -> bool {
        let is_fetched = self.machine.has_started(event.thread) && (event.index as usize) < self.machine.events(event.thread).len();
        if !is_fetched || self.done.committed.contains_key(&event) {
            return false;
        }
        let fetched = self.fetched(event);
        let first = match fetched.role {
            Role::Store { pair: Some(index) } => self.done.committed.contains_key(&EventId { index, ..event }),
            _ => true,
        };
        let sets = [fetched.addr, fetched.data, fetched.ctrl];
        first && sets.into_iter().all(|deps| self.set(event, deps).all(|other| self.done.committed.contains_key(&other)))
    }

    /// Every event that is ready.
    pub fn ready(&self) -> Vec<EventId> {
        let of = |thread: ThreadId| (0..self.machine.events(thread).len() as u32).map(move |index| EventId { thread, index });
        self.machine.threads().flat_map(of).filter(|&event| self.is_ready(event)).collect()
    }

    /// Whether an event waits for a value for which its guard holds.
    pub fn is_guarded(&self, event: EventId) -> bool {
        matches!(self.instance(event).what, What::Read { guard: Some(_), .. }) && !self.machine.is_guess(event)
    }

    /// The store of the read-modify-write whose load is this event, where it is ready.
    pub fn second_half(&self, event: EventId) -> Option<EventId> {
        let is_store = |instance: &Instance| instance.fetched.role == Role::Store { pair: Some(event.index) };
        let index = self.machine.events(event.thread).iter().position(is_store)? as u32;
        Some(EventId { index, ..event }).filter(|&store| self.is_ready(store))
    }

    /// Every way that makes sense for an event that is ready.
    pub fn ways(&self, event: EventId) -> Vec<Way> {
        let fetched = self.fetched(event);
        let stores = fetched.at.and_then(|at| self.done.coherence.get(&at)).map_or(&[][..], |stores| &stores[..]);
        let all = std::iter::once(None).chain(stores.iter().map(|&store| Some(store)));
        let forwards = self.forwards(event).into_iter().map(Some);
        match self.instance(event).what {
            What::Read { guard, .. } => {
                let at = fetched.at.expect("a load has a location");
                let guard = guard.filter(|_| self.is_guarded(event));
                let holds = |source: &Option<EventId>| guard.is_none_or(|guard| guard.holds(self.value(at, *source).word()));
                all.chain(forwards).filter(holds).map(Way::From).collect()
            }
            What::Write { .. } if self.is_void(event) => vec![Way::Only],
            What::Write { .. } => all.map(Way::After).collect(),
            What::Choose { n } => (0..n).map(Way::Outcome).collect(),
            What::Free { .. } => vec![Way::Only],
        }
    }

    /// Whether an event is the store of a compare-exchange that fails.
    pub(crate) fn is_void(&self, event: EventId) -> bool {
        self.machine.happens(event) == Some(false)
    }

    /// The own stores before a load that are not committed, and which it may read from all the same.
    fn forwards(&self, load: EventId) -> Vec<EventId> {
        if self.model == Model::Power {
            return Vec::new();
        }
        let is_store = |store: &EventId| {
            let fetched = self.fetched(*store);
            fetched.is_write() && fetched.at == self.fetched(load).at && self.machine.happens(*store) == Some(true)
        };
        let is_left = |store: &EventId| !self.done.committed.contains_key(store) && self.machine.is_known(*store);
        let earlier = (0..load.index).map(|index| EventId { index, ..load });
        earlier.filter(|store| is_store(store) && is_left(store)).collect()
    }

    fn object(&self, range: Range) -> Option<(&RoomState, usize)> {
        let start = self.room(range.start);
        self.done.objects.get(&start).map(|object| (object, (range.start.0 - start.0) as usize))
    }

    fn value(&self, at: LocationId, source: Option<EventId>) -> Value {
        if let Some(source) = source {
            let known = self.done.values.get(&source).cloned();
            return known.or_else(|| self.machine.content(source.thread, source.index)).expect("what is read is known");
        }
        let range = self.machine.locations().range(at);
        let bytes = self.object(range).and_then(|(object, offset)| object.bytes.get(offset..offset + range.size as usize));
        bytes.map_or(Value::Word(0), Value::from_bytes)
    }

    /// What is wrong with an access that was just committed. The end of its object that nothing orders with it is
    /// looked for in the end.
    fn wrong_access(&self, event: EventId, range: Range, way: Way) -> Option<Fault> {
        match self.object(range) {
            None => Some(Fault::new(FaultKind::WildPointer, "access where no object is")),
            Some(_) if self.is_ended_before(event) => {
                Some(Fault::new(FaultKind::UseAfterFree, format!("access to {} bytes of freed memory", range.size)))
            }
            Some((object, offset)) if offset + range.size as usize > object.bytes.len() => {
                let of = object.bytes.len();
                let what = format!("access to {} bytes at offset {offset} of an object of {of} bytes", range.size);
                Some(Fault::new(FaultKind::OutOfBounds, what))
            }
            Some((object, offset)) => {
                let written = object.written.get(offset..offset + range.size as usize).unwrap_or(&[]);
                let unknown = way == Way::From(None) && written.contains(&0);
                let what = || format!("{} bytes are read that were never written", range.size);
                unknown.then(|| Fault::new(FaultKind::UninitialisedRead, what()))
            }
        }
    }

    /// Commits an event; tells whether that makes sense.
    pub fn commit(&mut self, event: EventId, way: Way) -> bool {
        if !self.is_ready(event) || !self.ways(event).contains(&way) {
            return false;
        }
        let (what, at) = (self.instance(event).what.clone(), self.fetched(event).at);
        self.done.committed.insert(event, way);
        self.done.order.push(event);
        self.done.ordered.insert(event, self.done.before.get(&event.thread).cloned().unwrap_or_default());
        let range = at.map(|at| self.machine.locations().range(at));
        let moves = self.instance(event).moves;
        let is_access = matches!(what, What::Read { .. } | What::Write { .. }) && way != Way::Only;
        // A load that is wrong gets no answer; a store that is wrong has its place all the same.
        let wrong = range.filter(|_| is_access).and_then(|range| self.wrong_access(event, range, way));
        let wrong = wrong.filter(|fault| !moves || fault.kind != FaultKind::UninitialisedRead);
        let is_wrong = wrong.is_some();
        self.done.faults.extend(wrong.map(|fault| self.committed_at(event, fault)));
        match (what, way) {
            (What::Read { .. }, Way::From(_)) if is_wrong => {}
            (What::Read { .. }, Way::From(source)) => {
                let value = self.value(at.expect("a load has a location"), source);
                self.done.values.insert(event, value.clone());
                self.machine.answer(event.thread, event.index, &value);
            }
            (What::Write { .. }, Way::After(after)) => {
                let Some(value) = self.machine.content(event.thread, event.index) else { return false };
                self.done.values.insert(event, value);
                let stores = self.done.coherence.entry(at.expect("a store has a location")).or_default();
                let place = after.map_or(0, |after| stores.iter().position(|&store| store == after).expect("it is committed") + 1);
                stores.insert(place, event);
            }
            (What::Choose { .. }, Way::Outcome(outcome)) => self.machine.answer(event.thread, event.index, &Value::Word(outcome as u64)),
            (What::Write { .. }, Way::Only) => {}
            (What::Free { start, how }, _) => self.free(event, start, how == Free::Heap),
            _ => return false,
        }
        self.settle();
        true
    }

    fn free(&mut self, event: EventId, start: Address, by_call: bool) {
        let room = self.room(start);
        let is_ended = self.is_ended_before(event);
        let fault = match self.done.objects.get_mut(&room) {
            Some(object) if object.freed => is_ended.then(|| freed_again(start)),
            Some(object) if !by_call || (object.heap && start == room) => {
                object.freed = true;
                let mut then = std::mem::take(&mut object.then);
                if !then.is_empty() {
                    let next = then.remove(0);
                    self.begin(&next, then);
                }
                None
            }
            _ => Some(Fault::new(FaultKind::InvalidFree, format!("{start} is not the start of a heap object"))),
        };
        self.done.faults.extend(fault.map(|fault| self.committed_at(event, fault)));
    }

    fn committed_at(&self, event: EventId, fault: Fault) -> FaultAt {
        FaultAt { thread: event.thread, fault, moment: self.machine.moment_of(event.thread, event.index) }
    }

    // The end

    /// Why some thread never goes on, where nothing is wrong with that.
    pub fn blocked(&self) -> Option<Blocked> {
        let blocked = |thread| match self.machine.halt(thread) {
            Halt::Blocked(why) => Some(*why),
            _ => None,
        };
        self.machine.threads().filter_map(blocked).max()
    }

    /// The threads that wait for ever.
    pub fn waiting(&self) -> Vec<ThreadId> {
        let waits = |&thread: &ThreadId| match self.machine.halt(thread) {
            Halt::Awaits | Halt::Reply(_) | Halt::Spawn { .. } | Halt::Join { .. } => true,
            Halt::Ended(_) => !self.is_drained(thread),
            _ => false,
        };
        self.machine.threads().filter(waits).collect()
    }

    /// The heap objects that are not freed, with their sizes.
    pub fn unfreed(&self) -> Vec<(Address, u64)> {
        let live = self.done.objects.iter().filter(|(_, object)| object.heap && !object.freed);
        live.map(|(&start, object)| (start, object.bytes.len() as u64)).chain(self.machine.private_heap()).collect()
    }

    /// What an event has read or written.
    pub fn value_of(&self, event: EventId) -> Option<Value> {
        self.done.values.get(&event).cloned()
    }

    /// Whether an event is in the graph.
    pub fn is_committed(&self, event: EventId) -> bool {
        self.done.committed.contains_key(&event)
    }

    /// The store that follows on a store in coherence, as far as it is committed.
    pub fn follower(&self, store: EventId) -> Option<EventId> {
        let stores = self.done.coherence.get(&self.fetched(store).at?)?;
        let place = stores.iter().position(|&other| other == store)?;
        stores.get(place + 1).copied()
    }

    /// The end that an event is, where it is one: who asks for it.
    fn end(&self, event: EventId) -> Option<Free> {
        match self.instance(event).what {
            What::Free { how, .. } => Some(how),
            _ => None,
        }
    }

    fn room_of(&self, event: EventId) -> Option<Address> {
        self.fetched(event).at.map(|at| self.room(self.machine.locations().range(at).start))
    }

    /// Whether an object has ceased to be before an access to it that is committed, or another end: in the program
    /// order of the thread, or in commit-before.
    fn is_ended_before(&self, event: EventId) -> bool {
        let Some(room) = self.room_of(event) else { return false };
        let is_end = |other: &EventId| *other != event && self.end(*other).is_some() && self.room_of(*other) == Some(room);
        let mut earlier = (0..event.index).map(|index| EventId { index, ..event });
        if earlier.any(|own| is_end(&own) && self.end(own) == Some(Free::Heap)) {
            return true;
        }
        if !self.done.objects.get(&room).is_some_and(|object| object.freed) {
            return false;
        }
        let ends: Vec<EventId> = self.done.committed.keys().copied().filter(is_end).collect();
        let axioms = self.axioms();
        let number = |id: EventId| axioms.events.binary_search(&id).expect("the event is committed");
        let is_before = |end: &EventId| match end.thread == event.thread {
            true => end.index < event.index,
            false => axioms.cb.has(number(*end), number(event)),
        };
        // What was freed before others saw it has no end among the events.
        ends.is_empty() || ends.iter().any(is_before)
    }

    /// Accesses to an object that ends, and other ends of it, which neither commit-before nor, in the same thread,
    /// program order puts before that end; each with the end.
    fn unordered_ends(&self) -> Vec<(EventId, EventId)> {
        let axioms = self.axioms();
        let (n, mut found) = (axioms.events.len(), Vec::new());
        for (end, &by) in axioms.events.iter().enumerate() {
            let Some(how) = self.end(by) else { continue };
            let is_late = |&e: &usize| {
                let event = axioms.events[e];
                match event.thread == by.thread {
                    true => event.index > by.index && how == Free::Heap,
                    false => !axioms.cb.has(e, end),
                }
            };
            let is_of = |&e: &usize| e != end && self.room_of(axioms.events[e]) == self.room_of(by);
            found.extend((0..n).filter(|e| is_of(e) && is_late(e)).map(|e| (axioms.events[e], by)));
        }
        found
    }

    /// What went wrong, also by ends of objects that nothing orders after what is done with them.
    pub fn all_faults(&self) -> Vec<FaultAt> {
        let unordered = self.unordered_ends().into_iter().map(|(event, end)| match self.instance(event).what {
            What::Free { start, .. } => self.committed_at(event, freed_again(start)),
            _ => FaultAt::freed_unordered(end.thread, event.thread, self.machine.moment_of(event.thread, event.index)),
        });
        self.done.faults.iter().cloned().chain(unordered).collect()
    }

    /// What the graph is.
    pub fn graph(&self) -> PowerGraph {
        let event = |&id: &EventId| {
            let fetched = self.fetched(id);
            let word = match self.instance(id).what {
                What::Read { .. } => "read",
                What::Write { .. } if self.is_void(id) => "nothing",
                What::Write { .. } => "write",
                What::Choose { .. } => "choose",
                What::Free { .. } => "free",
            };
            let number = match self.done.committed[&id] {
                Way::Outcome(outcome) => outcome as u64,
                _ => self.done.values.get(&id).map_or(0, Value::word),
            };
            (id, word, fetched.at.map(|at| self.machine.locations().range(at)), number)
        };
        let source = |(&id, &way): (&EventId, &Way)| match way {
            Way::From(source) => Some((id, source)),
            _ => None,
        };
        let mut coherence: Vec<(Range, Vec<EventId>)> =
            self.done.coherence.iter().map(|(&at, stores)| (self.machine.locations().range(at), stores.clone())).collect();
        coherence.sort();
        PowerGraph {
            events: self.done.committed.keys().map(event).collect(),
            sources: self.done.committed.iter().filter_map(source).collect(),
            coherence,
        }
    }

    /// Whether the axioms allow the graph.
    pub fn is_allowed(&self) -> bool {
        match self.model {
            Model::AArch64(_) => self.axioms().hold_on_arm(),
            _ => self.axioms().hold_on_power(),
        }
    }

    /// Whether every compare-exchange that is fetched does what was guessed of it.
    pub fn holds(&self) -> bool {
        self.machine.guesses().all(|(read, is_true)| is_true == Some(true) && self.done.values.contains_key(&read))
    }

    /// Whether a store is left for which there may be no place, or a guess that has not come true: then it is open
    /// whether an execution has this graph in it.
    pub fn lacks_stores(&self) -> bool {
        !self.holds() || self.lacks_halves() || (self.model == Model::Power && self.lacks_before_eieio())
    }

    /// Whether the second half of a read-modify-write is left whose first half is committed. One whose value is
    /// never known, since a load that it depends on went wrong, is not waited for.
    fn lacks_halves(&self) -> bool {
        let is_begun = |event: EventId| match self.fetched(event).role {
            Role::Store { pair: Some(index) } => self.done.committed.contains_key(&EventId { index, ..event }) && !self.is_void(event),
            _ => false,
        };
        let is_hopeless = |event: EventId| self.is_ready(event) && self.machine.content(event.thread, event.index).is_none();
        let of = |thread: ThreadId| (0..self.machine.events(thread).len() as u32).map(move |index| EventId { thread, index });
        let mut left = self.machine.threads().flat_map(of).filter(|event| !self.done.committed.contains_key(event));
        left.any(|event| is_begun(event) && !is_hopeless(event))
    }

    /// Whether a store is left that an eieio puts before one that is committed.
    fn lacks_before_eieio(&self) -> bool {
        let is_store = |event: EventId| matches!(self.instance(event).what, What::Write { .. });
        let is_behind = |other: &EventId, store: EventId| other.thread == store.thread && self.fetched(*other).behind(EIEIO) > store.index;
        let is_put_before = |store: EventId| self.done.committed.keys().any(|other| is_store(*other) && is_behind(other, store));
        let is_known = |store: EventId| self.machine.content(store.thread, store.index).is_some();
        self.ready().into_iter().any(|event| is_store(event) && is_known(event) && is_put_before(event))
    }

    /// The first event on a cycle of program order and communication, where there is one: then the graph is none of SC.
    pub fn first_on_cycle(&self) -> Option<EventId> {
        let axioms = self.axioms();
        let n = axioms.events.len();
        let po = Relation::new(n, |a, b| axioms.internal.has(a, b) && axioms.events[a].index < axioms.events[b].index);
        let all = po.or(&axioms.sync).or(&axioms.com()).plus();
        (0..n).find(|&e| all.has(e, e)).map(|e| axioms.events[e])
    }

    fn axioms(&self) -> Axioms {
        let events: Vec<EventId> = self.done.committed.keys().copied().collect();
        let n = events.len();
        let number = |id: EventId| events.binary_search(&id).expect("the event is committed");
        let mut axioms = Axioms { events: events.clone(), ..Axioms::default() };
        let kind = |e: usize| &self.instance(events[e]).what;
        axioms.reads = (0..n).map(|e| matches!(kind(e), What::Read { .. })).collect();
        axioms.writes = (0..n).map(|e| matches!(kind(e), What::Write { .. }) && !self.is_void(events[e])).collect();
        axioms.ends = (0..n).map(|e| matches!(kind(e), What::Free { .. })).collect();
        axioms.annotations = events.iter().map(|&event| self.fetched(event).annotation).collect();
        let of = |deps: fn(&Fetched) -> DepsId| {
            let mut pairs = Relation::empty(n);
            for (e, &event) in events.iter().enumerate() {
                self.set(event, deps(self.fetched(event))).for_each(|other| pairs.add(number(other), e));
            }
            pairs
        };
        (axioms.addr, axioms.data) = (of(|f| f.addr), of(|f| f.data));
        (axioms.ctrl, axioms.ctrl_isync, axioms.addr_po) = (of(|f| f.ctrl), of(|f| f.ctrl_isync), of(|f| f.addr_po));
        let before = |upto: fn(&Fetched) -> u32| {
            Relation::new(n, |a, b| events[a].thread == events[b].thread && events[a].index < upto(self.fetched(events[b])))
        };
        (axioms.sync, axioms.lwsync, axioms.eieio) =
            (before(|f| f.behind(SYNC)), before(|f| f.behind(LWSYNC)), before(|f| f.behind(EIEIO)));
        axioms.ordered = Relation::new(n, |a, b| self.done.ordered[&events[b]].contains(&events[a]));
        axioms.sync = axioms.sync.or(&axioms.ordered);
        axioms.barriers = [before(|f| f.barriers[0]), before(|f| f.barriers[1]), before(|f| f.barriers[2])];
        let at = |e: usize| self.fetched(events[e]).at;
        let is_access = |e: usize| axioms.reads[e] || axioms.writes[e];
        axioms.po_loc = Relation::new(n, |a, b| {
            events[a].thread == events[b].thread && events[a].index < events[b].index && is_access(a) && is_access(b) && at(a) == at(b)
        });
        axioms.internal = Relation::new(n, |a, b| events[a].thread == events[b].thread);
        self.communicate(&mut axioms);
        axioms.cb = match self.model {
            Model::AArch64(_) => axioms.arm_cb(),
            _ => axioms.power_cb(),
        };
        axioms
    }

    /// Adds reads-from, coherence, from-reads, and which store belongs to which load of a read-modify-write.
    fn communicate(&self, axioms: &mut Axioms) {
        let events = axioms.events.clone();
        let (n, number) = (events.len(), |id: EventId| events.binary_search(&id).expect("the event is committed"));
        let empty = || Relation::empty(n);
        (axioms.rf, axioms.co, axioms.fr, axioms.rmw) = (empty(), empty(), empty(), empty());
        for stores in self.done.coherence.values() {
            for (place, &store) in stores.iter().enumerate() {
                stores[place + 1..].iter().for_each(|&later| axioms.co.add(number(store), number(later)));
            }
        }
        for (&load, &way) in &self.done.committed {
            let Way::From(source) = way else { continue };
            if source.is_some_and(|source| !self.done.committed.contains_key(&source)) {
                continue;
            }
            let stores = self.fetched(load).at.and_then(|at| self.done.coherence.get(&at)).cloned().unwrap_or_default();
            let after = source.map_or(0, |source| stores.iter().position(|&store| store == source).expect("a source is a store") + 1);
            stores[after..].iter().for_each(|&store| axioms.fr.add(number(load), number(store)));
            if let Some(source) = source {
                axioms.rf.add(number(source), number(load));
            }
        }
        for (e, event) in events.iter().enumerate() {
            if let What::Write { exclusive: Some(index), .. } = self.instance(*event).what
                && axioms.writes[e]
            {
                axioms.rmw.add(number(EventId { index, ..*event }), e);
            }
        }
    }
}

/// An object is freed that was freed before.
fn freed_again(start: Address) -> Fault {
    Fault::new(FaultKind::DoubleFree, format!("{start} is freed again"))
}

/// What went wrong with a value that became known later.
fn wrong_words(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::DivisionByZero => "division by zero, or a quotient that does not fit",
        _ => "an assumption that the compiler was told does not hold",
    }
}
