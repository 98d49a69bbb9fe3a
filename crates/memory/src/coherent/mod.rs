//! Graphs of program order, reads-from and coherence, with happens-before as C11 has it: what models with a total
//! coherence order of each variable share.
//!
//! Events are added one by one, each after what comes before it in po ∪ rf, and taken back newest first. A read chooses
//! its source, a write its place in coherence. A graph is kept *coherent* (`irreflexive (hb ; eco?)`) and *atomic*
//! (`empty rmw ∩ (rb ; co)`) as it grows: the accesses that happen before a new one say from which place on it may
//! stand ([`order`]). What else a model demands are its [`Axioms`]. Happens-before is kept by vector clocks
//! ([`synchronises`]), as is po ∪ rf.
//!
//! A read-modify-write is one event. One whose source is taken by another one is a *stray*: it has no place in
//! coherence, and nothing is added behind it.

mod cycle;
mod lifetimes;
mod offers;
mod one_order;
mod order;
mod races;
mod synchronises;

use crate::graphs::{Accessed, Added, FENCES, GraphModel, ObjectId, Places, Skeleton, Stay, VariableId, races_with_free};
use order::Coherence;
use raddle_event::{
    Action, Address, AddressMap, Clocks, EventId, Fault, Fence, Free, Guard, LocationId, Locations, Offer, Order, Position, Range, Reply,
    Rmw, RmwOp, ThreadId, Value, Way,
};
use std::cell::Cell;
use std::cmp::Ordering;
use synchronises::Message;

/// What a model demands of a coherent graph, and what orders mean in it. A value has what the model keeps of a graph
/// besides.
pub trait Axioms: Default {
    /// The name of the model.
    const NAME: &'static str;
    /// As [`GraphModel::NOT_SUPPORTED`].
    const NOT_SUPPORTED: &'static str;

    /// Whether a full fence is a read-modify-write of a hidden variable.
    const FENCES_UPDATE: bool = false;

    /// As [`GraphModel::CUTS_PLAIN`].
    const CUTS_PLAIN: bool = true;

    /// As [`GraphModel::READS_PARTS`].
    const READS_PARTS: bool = true;

    /// As [`GraphModel::BUFFERED`].
    const BUFFERED: bool = false;

    /// As [`GraphModel::ORDERS_WRITES`].
    const ORDERS_WRITES: bool;

    /// Whether a write may take effect later than what its thread does after it and others have seen. All else that an
    /// event comes after in po ∪ rf happens before it then.
    const DELAYS_WRITES: bool = false;

    /// With which order an access is made.
    fn order(order: Order) -> Order;

    /// Whether the newest event can make a graph wrong when what it stands for is not the last in coherence.
    fn may_forbid(graph: &Coherent<Self>) -> bool;

    /// Whether the graph is allowed with its newest event, an access, if it was without.
    fn allow(graph: &Coherent<Self>) -> bool;

    /// Whether the model demands more than coherence and says it by ranks.
    const RAISES: bool = false;

    /// The least rank from `floor` on that an access by a thread may have then, among these writes of a variable.
    fn raise(_: &Coherent<Self>, _: ThreadId, _: &Action, _: &[Position], floor: u32) -> u32 {
        floor
    }

    /// Makes room for so many threads.
    fn widen(&mut self, _: usize) {}

    /// A thread has done this: the newest event.
    fn added(_: &mut Coherent<Self>, _: &Action) {}

    /// A thread has joined one whose last event, or spawn, is given: the newest event.
    fn joined(_: &mut Coherent<Self>, _: Option<Position>) {}

    /// Whether these accesses of a thread to a variable, oldest first, are over when the newest event frees its object.
    fn are_over(graph: &Coherent<Self>, accesses: &[Position]) -> bool {
        graph.happen_before_newest(accesses)
    }

    /// The newest events were taken back, until there were so many.
    fn rewind(&mut self, _: usize) {}
}

/// What a read reads from: an event, or the initial value.
pub(crate) type Source = Option<Position>;

/// An access to a variable.
pub(crate) struct Access {
    pub variable: VariableId,
    /// What it reads from, if it reads.
    pub source: Option<Source>,
    /// The value that it writes.
    pub written: Option<Value>,
    guard: Option<Guard>,
    pub order: Order,
    /// For a write how many of its variable come before it in coherence, the initial one included.
    rank: u32,
    /// The number of its thread among those of its variable.
    own: u32,
    /// The last write of this variable by the same thread that is a release, itself included.
    release: Option<Position>,
    /// What whoever acquires from it learns.
    message: Message,
    /// Whether it is a write that does not happen after all earlier ones of its variable.
    unordered: bool,
    /// Whether it reads from a write that another read-modify-write has taken.
    pub stray: bool,
    /// Whether it is the first access of the graph that races with another one.
    races: bool,
}

/// What an event is.
enum Act {
    /// It makes an order, or an object, and nothing else.
    Silent,
    /// It joins a thread that has ended.
    Join(ThreadId),
    Choice(u32),
    Access(Access),
    /// The first `free` of an object.
    Free(ObjectId),
}

struct Event {
    act: Act,
    /// How many objects and messages were there before.
    n_objects: u32,
    n_messages: u32,
    /// The last release fence of its thread.
    released: Option<Position>,
    /// What an acquire fence of its thread learns.
    pending: Message,
}

/// A graph with coherence.
pub struct Coherent<A> {
    skeleton: Skeleton,
    /// For each thread where the event that joined it last was added, which may have been taken back.
    joined: Vec<Option<Position>>,
    /// For each event how many events of each thread happen before it, itself included.
    happens: Clocks,
    messages: Clocks,
    n_messages: u32,
    events: Vec<Event>,
    places: Places<Coherence>,
    /// The events that are seq_cst.
    pub(crate) seq_cst: Vec<Position>,
    /// The operations of the read-modify-writes that have a guard, in the order in which they were added.
    guarded: Vec<(Position, Rmw)>,
    is_disputed: bool,
    /// A location for whose values loops wait although nothing says which of them is the last.
    disputed_look: Cell<Option<LocationId>>,
    /// Whether an event is added only to see whether the graph stays allowed.
    is_tried: bool,
    /// Whether races are looked for, and how many were found.
    looks_for_races: bool,
    n_races: u32,
    /// What the model keeps of it.
    pub(crate) axioms: A,
}

impl<A: Axioms> Coherent<A> {
    /// A graph without events; `tracked` says whether reads of bytes that were never written are faults, `races`
    /// whether data races are.
    pub fn new(tracked: bool, races: bool) -> Coherent<A> {
        Coherent {
            skeleton: Skeleton::default(),
            joined: Vec::new(),
            happens: Clocks::default(),
            messages: Clocks::default(),
            n_messages: 0,
            events: Vec::new(),
            places: Places::new(tracked),
            seq_cst: Vec::new(),
            guarded: Vec::new(),
            is_disputed: false,
            disputed_look: Cell::new(None),
            is_tried: false,
            looks_for_races: races,
            n_races: 0,
            axioms: A::default(),
        }
    }

    /// The newest event.
    pub(crate) fn newest(&self) -> Position {
        self.skeleton.newest().expect("there is an event")
    }

    pub(crate) fn access(&self, at: Position) -> Option<&Access> {
        match &self.events[at.index()].act {
            Act::Access(access) => Some(access),
            _ => None,
        }
    }

    fn access_mut(&mut self, at: Position) -> &mut Access {
        match &mut self.events[at.index()].act {
            Act::Access(access) => access,
            _ => unreachable!("it is an access"),
        }
    }

    /// The last event of a thread, or the one that spawned it.
    pub(crate) fn last(&self, thread: ThreadId) -> Option<Position> {
        self.skeleton.last(thread)
    }

    /// The event that began a thread: a spawn, where it is none of those that begin with the program.
    pub(crate) fn beginning(&self, thread: ThreadId) -> Option<Position> {
        self.skeleton.spawned(thread)
    }

    /// The event before an event of a thread, or the spawn that began the thread.
    pub(crate) fn previous(&self, event: EventId) -> Option<Position> {
        self.skeleton.previous(event)
    }

    /// The event that joined a thread after its end.
    pub(crate) fn joining(&self, thread: ThreadId) -> Option<Position> {
        let is_join =
            |at: &Position| matches!(self.events.get(at.index()), Some(Event { act: Act::Join(joined), .. }) if *joined == thread);
        self.joined[thread.index()].filter(is_join)
    }

    /// How many variables there are.
    pub(crate) fn n_variables(&self) -> usize {
        self.places.variables.len()
    }

    /// The accesses of each thread to a variable, oldest first.
    pub(crate) fn accesses(&self, variable: VariableId) -> &[(ThreadId, Vec<Position>)] {
        &self.places.variables[variable.index()].by_thread
    }

    /// The writes of a variable in coherence order, but for the initial one.
    pub(crate) fn writes(&self, variable: VariableId) -> &[Position] {
        &self.coherence(variable).writes
    }

    fn coherence(&self, variable: VariableId) -> &Coherence {
        &self.places.variables[variable.index()].order
    }

    fn value(&self, variable: VariableId, source: Source) -> &Value {
        match source {
            Some(write) => self.access(write).and_then(|access| access.written.as_ref()).expect("it writes"),
            None => &self.places.variables[variable.index()].initial,
        }
    }

    /// What happens before what a thread does next.
    fn known(&self, thread: ThreadId) -> &[u32] {
        self.skeleton.last(thread).map_or(&[], |last| self.happens.row(last))
    }

    /// The variable that a thread accesses at a location, where that is not wrong, and who freed its object.
    #[inline]
    fn variable(&mut self, thread: ThreadId, at: LocationId, locations: &Locations) -> Result<(VariableId, Option<Position>), Fault> {
        if let Some(id) = self.places.global(at) {
            return Ok((id, None));
        }
        let known = self.skeleton.last(thread).map_or(&[][..], |last| self.happens.row(last));
        let known = if A::DELAYS_WRITES { self.skeleton.seen(thread) } else { known };
        self.places.find(thread, at, locations, &self.skeleton, |freed| self.skeleton.is_among(freed, known))
    }

    // Adding events

    fn perform(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> Added {
        match *action {
            Action::Read { at, guard, order } => {
                self.at_variable(thread, at, locations, |graph, id| graph.read(thread, id, guard, order, way))
            }
            Action::Write { at, ref value, order } => {
                self.at_variable(thread, at, locations, |graph, id| graph.write(thread, id, value.clone(), order, way))
            }
            Action::Rmw { at, ref rmw, order, failure } => {
                let size = locations.range(at).size;
                self.at_variable(thread, at, locations, |graph, id| graph.rmw(thread, id, (rmw, size), (order, failure), way))
            }
            Action::Fence(fence) if Self::is_update(fence) => {
                let rmw = Rmw::new(RmwOp::Add, 0);
                let added = self.rmw(thread, FENCES, (&rmw, 8), (Order::AcqRel, Order::AcqRel), way);
                Added { reply: Reply::Done, ..added }
            }
            Action::Fence(fence) => self.fence(thread, fence),
            Action::Spawn { child, .. } => {
                let added = self.silent(thread, Reply::Done);
                self.skeleton.spawn(child);
                added
            }
            Action::Allocate { at, size, zeroed } => {
                let added = self.silent(thread, Reply::Done);
                let newest = self.newest();
                self.places.objects.allocate(at, size, zeroed, newest);
                added
            }
            Action::Reuse { .. } => unreachable!("memory is not used again in graphs"),
            Action::Free { at, start, how } => self.free(thread, at, start, how, locations),
            Action::Choose { .. } => {
                let Way::Outcome(outcome) = way else { unreachable!("a choice has an outcome") };
                self.push(thread, None, Message::Nothing, Act::Choice(outcome));
                Added { reply: Reply::Chosen(outcome), fault: None }
            }
            Action::Reserve { .. } | Action::WriteReserved { .. } => unreachable!("it is refused"),
        }
    }

    /// Appends an event that comes after its thread's last one and its source, and learns a message.
    fn push(&mut self, thread: ThreadId, source: Source, learned: Message, act: Act) {
        self.push_clocks(thread, source, learned);
        let (released, pending) = self.handed_on(thread);
        self.push_event(act, released, pending);
    }

    fn push_event(&mut self, act: Act, released: Option<Position>, pending: Message) {
        let (n_objects, n_messages) = (self.places.objects.len() as u32, self.n_messages);
        self.events.push(Event { act, n_objects, n_messages, released, pending });
    }

    fn silent(&mut self, thread: ThreadId, reply: Reply) -> Added {
        self.push(thread, None, Message::Nothing, Act::Silent);
        Added { reply, fault: None }
    }

    /// What a thread does with a variable, or what is wrong with the access.
    fn at_variable(
        &mut self,
        thread: ThreadId,
        at: LocationId,
        locations: &Locations,
        act: impl FnOnce(&mut Self, VariableId) -> Added,
    ) -> Added {
        let (id, freed) = match self.variable(thread, at, locations) {
            Ok(found) => found,
            Err(fault) => return self.silent(thread, Reply::Fault(fault)),
        };
        let Added { reply, fault } = act(self, id);
        let freed = freed.map(|freed| Box::new(races_with_free(self.skeleton.id(freed).thread)));
        Added { reply, fault: freed.or(fault) }
    }

    /// What a way says to read from.
    fn source_of(&self, way: Way) -> Source {
        match way {
            Way::From(source) => source.map(|id| self.skeleton.position(id)),
            Way::Only | Way::After(_) | Way::Outcome(_) | Way::Parked => unreachable!("a read has a source"),
        }
    }

    fn read(&mut self, thread: ThreadId, variable: VariableId, guard: Option<Guard>, order: Order, way: Way) -> Added {
        let source = self.source_of(way);
        let value = self.value(variable, source).clone();
        let fault = self.push_access(thread, Access { source: Some(source), ..Access::new(variable, A::order(order), guard) });
        let is_initial = source.is_none() && order != Order::Copy;
        let wrong = is_initial.then(|| self.places.unwritten(variable)).flatten();
        Added { reply: wrong.map_or(Reply::Value(value), Reply::Fault), fault }
    }

    fn write(&mut self, thread: ThreadId, variable: VariableId, value: Value, order: Order, way: Way) -> Added {
        let Way::After(before) = way else { unreachable!("a write has a place") };
        let before = before.map(|id| self.skeleton.position(id));
        let rank = self.rank_of(before) + 1;
        let fault = self.push_access(thread, Access { written: Some(value), rank, ..Access::new(variable, A::order(order), None) });
        Added { reply: Reply::Done, fault }
    }

    fn rmw(&mut self, thread: ThreadId, variable: VariableId, (rmw, size): (&Rmw, u32), orders: (Order, Order), way: Way) -> Added {
        let source = self.source_of(way);
        let old = self.value(variable, source).clone();
        let written = rmw.apply(old.to_u128(), size).map(|new| Value::from_u128(new, size));
        let order = A::order(if written.is_some() { orders.0 } else { orders.1 });
        let mut access = Access { source: Some(source), ..Access::new(variable, order, rmw.guard) };
        if written.is_some() {
            access.rank = self.rank_of(source) + 1;
            access.stray = self.taker(variable, source).is_some();
        }
        access.written = written;
        if rmw.guard.is_some() || self.coherence(variable).looked_at.is_some() {
            self.guarded.push((Position(self.events.len() as u32), *rmw));
        }
        let fault = self.push_access(thread, access);
        Added { reply: Reply::Value(old), fault }
    }

    /// Appends an access; one that is no stray takes its place among the accesses of its variable. Gives the race that
    /// it makes.
    fn push_access(&mut self, thread: ThreadId, mut access: Access) -> Option<Box<Fault>> {
        let (at, source) = (Position(self.events.len() as u32), access.source.flatten());
        self.push_clocks(thread, source, self.acquired(&access));
        let n_messages = self.n_messages;
        let (released, pending) = self.handed_on(thread);
        let pending = self.read_pending(&access, pending);
        if !access.stray {
            self.place(thread, at, &mut access);
        }
        access.message = self.message(at, &access, released);
        if access.order == Order::SeqCst {
            self.seq_cst.push(at);
        }
        self.push_event(Act::Access(access), released, pending);
        self.events[at.index()].n_messages = n_messages;
        if self.looks_for_races { self.look_for_race(at) } else { None }
    }

    /// Whether a fence is a read-modify-write of the hidden variable.
    fn is_update(fence: Fence) -> bool {
        A::FENCES_UPDATE && fence.is_full()
    }

    fn fence(&mut self, thread: ThreadId, fence: Fence) -> Added {
        let at = Position(self.events.len() as u32);
        let learned = if fence.is_acquire() { self.last_pending(thread) } else { Message::Nothing };
        self.push_clocks(thread, None, learned);
        let (released, pending) = self.handed_on(thread);
        self.push_event(Act::Silent, if fence.is_release() { Some(at) } else { released }, pending);
        if fence.is_full() {
            self.seq_cst.push(at);
        }
        Added { reply: Reply::Done, fault: None }
    }

    fn free(&mut self, thread: ThreadId, at: LocationId, start: Address, how: Free, locations: &Locations) -> Added {
        let is_known = |event: Position| self.skeleton.is_among(event, self.has_happened(thread));
        let found = self.places.objects.find(at, |event| self.skeleton.has_seen(thread, event));
        match self.places.freeing((at, start), how, found.map(|found| found.0), locations, is_known) {
            Ok(id) => {
                self.push(thread, None, Message::Nothing, Act::Free(id));
                let newest = self.newest();
                self.places.objects.object_mut(id).freed = Some(newest);
                let number = found.map_or(0, |found| found.1);
                let fault = self.places.unordered_access(at, number, locations, |accesses| A::are_over(self, accesses));
                Added { reply: Reply::Done, fault: fault.map(Box::new) }
            }
            Err((reply, fault)) => Added { fault: fault.map(Box::new), ..self.silent(thread, reply) },
        }
    }

    // Taking events back

    fn undo(&mut self) {
        let event = self.events.pop().expect("there is an event");
        let at = Position(self.events.len() as u32);
        self.skeleton.pop();
        self.n_messages = event.n_messages;
        if self.seq_cst.last() == Some(&at) {
            self.seq_cst.pop();
        }
        match event.act {
            // The object may be gone already.
            Act::Free(id) => self.places.objects.unfree(id),
            Act::Access(access) => self.undo_access(at, &access),
            Act::Silent | Act::Join(_) | Act::Choice(_) => {}
        }
    }

    fn undo_access(&mut self, at: Position, access: &Access) {
        if self.guarded.last().is_some_and(|guarded| guarded.0 == at) {
            self.guarded.pop();
        }
        self.n_races -= access.races as u32;
        if !access.stray {
            self.displace(access);
        }
    }
}

impl<A: Axioms> GraphModel for Coherent<A> {
    const NAME: &'static str = A::NAME;
    const NOT_SUPPORTED: &'static str = A::NOT_SUPPORTED;
    const PLACES_WRITES: bool = true;
    const ORDERS_WRITES: bool = A::ORDERS_WRITES;
    const CUTS_PLAIN: bool = A::CUTS_PLAIN;
    const READS_PARTS: bool = A::READS_PARTS;
    const BUFFERED: bool = A::BUFFERED;

    type Order = Coherence;

    fn places(&self) -> &Places<Self::Order> {
        &self.places
    }

    fn places_mut(&mut self) -> &mut Places<Self::Order> {
        &mut self.places
    }

    #[inline]
    fn is_disputed(&self) -> bool {
        self.is_disputed
    }

    fn learn(&mut self, locations: &Locations, map: &AddressMap, n_threads: usize) {
        self.places.learn(locations, map);
        self.skeleton.widen(n_threads);
        self.joined.resize(n_threads.max(self.joined.len()), None);
        self.happens.widen(n_threads);
        self.messages.widen(n_threads);
        self.axioms.widen(n_threads);
    }

    fn candidates(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        self.find_candidates(thread, action, locations, (offers, false));
    }

    fn retain_allowed(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        if A::RAISES {
            self.leave_out_low(thread, action, locations, offers);
        }
        if A::may_forbid(self) {
            self.leave_out_forbidden(thread, action, locations, offers);
        }
    }

    fn offers(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        self.find_candidates(thread, action, locations, (offers, A::RAISES));
        if A::may_forbid(self) {
            self.leave_out_forbidden(thread, action, locations, offers);
        }
    }

    fn add(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> Added {
        let added = self.perform(thread, action, way, locations);
        A::added(self, action);
        added
    }

    fn join(&mut self, thread: ThreadId, ended: ThreadId) {
        let last = self.skeleton.last(ended);
        self.push(thread, last, last.map_or(Message::Nothing, Message::Of), Act::Join(ended));
        self.joined[ended.index()] = self.skeleton.newest();
        A::joined(self, last);
    }

    fn rewind(&mut self, len: usize) {
        let Some(&Event { n_objects, .. }) = self.events.get(len) else { return };
        self.places.objects.cut(n_objects as usize);
        while self.events.len() > len {
            self.undo();
        }
        self.skeleton.cut_clocks();
        self.happens.truncate(len);
        self.messages.truncate(self.n_messages as usize);
        self.axioms.rewind(len);
    }

    #[inline]
    fn has_cycle(&self) -> Option<bool> {
        Some(self.is_cyclic())
    }

    fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    #[inline]
    fn accessed(&self, at: Position) -> Option<Accessed<'_>> {
        let Access { variable, source, written, guard, .. } = self.access(at)?;
        Some(Accessed { variable: *variable, is_read: source.is_some(), written: written.as_ref(), guard: *guard })
    }

    fn is_readable(&mut self, thread: ThreadId, action: &Action, write: Position, locations: &Locations) -> bool {
        self.can_read(thread, action, write, locations)
    }

    fn await_value(&mut self, thread: ThreadId, at: LocationId, may_write: bool, locations: &Locations) -> bool {
        let Ok((variable, None)) = self.variable(thread, at, locations) else { return false };
        if may_write {
            self.look_at_variable(variable, at);
        }
        true
    }

    fn disputed_look(&self) -> Option<LocationId> {
        self.disputed_look.get()
    }

    fn value_from(&mut self, thread: ThreadId, at: LocationId, source: Option<EventId>, locations: &Locations) -> Option<Value> {
        let (variable, _) = self.variable(thread, at, locations).ok()?;
        let is_wrong = source.is_none() && self.places.unwritten(variable).is_some();
        (!is_wrong).then(|| self.value(variable, source.map(|id| self.skeleton.position(id))).clone())
    }

    fn last_value_within(&mut self, thread: ThreadId, at: LocationId, limits: &[u32], locations: &Locations) -> Option<Value> {
        let (variable, _) = self.variable(thread, at, locations).ok()?;
        let last = self.last_within(variable, limits);
        let is_wrong = last.is_none() && self.places.unwritten(variable).is_some();
        (!is_wrong).then(|| self.value(variable, last).clone())
    }

    fn writes_to(&mut self, write: Position, thread: ThreadId, at: LocationId, locations: &Locations) -> bool {
        let read = self.variable(thread, at, locations).map(|found| found.0).ok();
        self.access(write).is_some_and(|access| access.written.is_some() && Some(access.variable) == read)
    }

    fn value_before(&self, event: EventId, at: LocationId) -> Option<Value> {
        let clock = self.skeleton.before(event).map_or(&[][..], |before| self.happens.row(before));
        self.places.value_within(at, &self.skeleton, clock, |id| {
            let last = self.coherence(id).writes.iter().rfind(|write| self.skeleton.is_among(**write, clock));
            last.map(|&last| self.value(id, Some(last)))
        })
    }

    fn words(&self, at: Position) -> Vec<u64> {
        let variable = self.access(at).expect("it is an access").variable;
        let writes = self.coherence(variable).writes.iter().copied().map(Some);
        writes.chain([None]).map(|source| self.value(variable, source).word()).collect()
    }

    fn overtaking(&self, read: Position) -> Vec<u64> {
        let Some(Access { variable, source: Some(source), .. }) = self.access(read) else { return Vec::new() };
        let behind = &self.coherence(*variable).writes[self.rank_of(*source) as usize..];
        let free = behind.iter().filter(|&&write| !self.skeleton.is_before(read, write));
        free.map(|&write| self.value(*variable, Some(write)).word()).collect()
    }

    fn stay(&self, at: Position) -> Option<Stay> {
        let access = self.access(at)?;
        let of = |source: Source| self.value(access.variable, source).word();
        let word = of(access.source.unwrap_or(Some(at)));
        Some(Stay { variable: access.variable, word, can_last: word == of(self.coherence(access.variable).last()) })
    }

    fn is_canonical(&self, at: Position, limits: &[u32], _: Position, in_vain: &[u64]) -> bool {
        match &self.events[at.index()].act {
            Act::Silent | Act::Join(_) | Act::Free(_) => true,
            Act::Choice(outcome) => *outcome == 0,
            Act::Access(access) => self.is_last_within(at, access, limits, in_vain),
        }
    }

    fn compare(&self, event: Position, way: Way) -> Ordering {
        let Some(access) = self.access(event) else { return Ordering::Equal };
        let rank = |source: Option<EventId>| self.rank_of(source.map(|id| self.skeleton.position(id)));
        match (way, access.source) {
            (Way::From(source), Some(known)) => rank(source).cmp(&self.rank_of(known)),
            (Way::After(before), None) if rank(before) < access.rank => Ordering::Less,
            (Way::After(_), None) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    fn standing(&self, event: Position) -> u32 {
        self.access(event).map_or(0, |access| access.source.map_or(access.rank, |source| self.rank_of(source)))
    }

    fn is_in_one_order(&self, limits: &[u32]) -> bool {
        self.has_one_order(limits)
    }

    fn final_values(&self, range: Range, locations: &Locations) -> Option<Vec<Value>> {
        Some(vec![match self.places.finally(range, locations).ok()? {
            Some(id) => self.value(id, self.coherence(id).last()).clone(),
            None => self.places.objects.first_bytes(range),
        }])
    }
}

impl Access {
    fn new(variable: VariableId, order: Order, guard: Option<Guard>) -> Access {
        Access {
            variable,
            source: None,
            written: None,
            guard,
            order,
            rank: 0,
            own: 0,
            release: None,
            message: Message::Nothing,
            unordered: false,
            stray: false,
            races: false,
        }
    }

    /// Whether it has a place in coherence.
    pub(crate) fn has_place(&self) -> bool {
        self.written.is_some() && !self.stray
    }

    /// Whether it is not made where it finds a value: its guard forbids it, or it would only be made in vain.
    fn waits_for(&self, value: &Value, in_vain: &[u64]) -> bool {
        self.guard.is_some_and(|guard| !guard.holds(value.word())) || in_vain.contains(&value.word())
    }

    /// Whether it is both a read and a write.
    fn is_rmw(&self) -> bool {
        self.source.is_some() && self.written.is_some()
    }
}
