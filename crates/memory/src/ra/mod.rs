//! Release-Acquire: graphs of program order and reads-from, with what is forced of coherence.
//!
//! Abdulla, Atig, Jonsson, Ngo, "Optimal stateless model checking under the release-acquire semantics", OOPSLA 2018. A
//! graph is allowed when for every variable po ∪ rf ∪ co ∪ fr of that variable is acyclic for some total coherence
//! order (definition 3.1). Only po and rf are kept, with the part of coherence that they force (definition 4.1,
//! *saturated*), so that a graph stands for a *weak trace*. Events are added one by one, each after what happens before
//! it; adding one costs about the number of threads and the blocks of its variable. Events are taken back newest first.
//!
//! Deviations: read-modify-writes, compare-exchanges, locks and fences, which the paper leaves out, by *blocks* (see
//! [`coherence`]); a full fence is a read-modify-write of a hidden variable; spawns and joins make events happen before
//! one another as rf does. A write is put into the graph behind all writes that happen before it, and nowhere in
//! particular among the others, so the paper's *visible* writes (definition 4.4) need no choice. The rules, and why
//! they are right: docs/models/ra.md.

mod canonical;
mod coherence;
pub mod placed;
mod readable;
mod variable;

use crate::graphs::{Accessed, Added, FENCES, GraphModel, ObjectId, Places, Skeleton, Stay, VariableId, races_with_free};
use coherence::{Block, Log};
use raddle_event::{
    Action, Address, AddressMap, EventId, Fault, Free, Guard, LocationId, Locations, Offer, Order, Position, Range, Reply, Rmw, ThreadId,
    Value, Way,
};
use smallvec::SmallVec;
use variable::{Blocks, Write};

/// An access to a variable.
struct Access {
    variable: VariableId,
    /// The write that it reads from, if it reads.
    source: Option<Write>,
    /// The write that it makes or, where it makes none, reads from.
    stands_for: Write,
    /// The value that it writes.
    written: Option<Value>,
    guard: Option<Guard>,
    /// The newest write of this variable by the same thread, itself included.
    last_write: Option<Position>,
    /// The number of its thread among those of its variable.
    own: u32,
    /// Whether it is a write that does not happen after all earlier ones of its variable.
    unordered: bool,
    /// Whether it reads from a write that another read-modify-write has taken: then it is in no order with others, and
    /// nothing can be added behind it.
    stray: bool,
}

/// What an event is.
enum Act {
    /// It makes an order, or an object, and nothing else.
    Silent,
    Choice(u32),
    Access(Access),
    /// The first `free` of an object.
    Free(ObjectId),
}

struct Event {
    act: Act,
    /// How much of the log and how many objects were there before.
    n_log: u32,
    n_objects: u32,
}

/// A graph under the release-acquire model.
pub struct Ra {
    skeleton: Skeleton,
    events: Vec<Event>,
    places: Places<Blocks>,
    log: Log,
    /// The operations of the read-modify-writes that have a guard, in the order in which they were added.
    guarded: Vec<(Position, Rmw)>,
    is_disputed: bool,
    /// A location for whose values loops wait although its writes are in no order.
    disputed_look: Option<LocationId>,
}

impl Ra {
    /// A graph without events; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(tracked: bool) -> Ra {
        let (skeleton, events, guarded) = (Skeleton::default(), Vec::new(), Vec::new());
        let (places, log) = (Places::new(tracked), Log::default());
        Ra { skeleton, events, places, log, guarded, is_disputed: false, disputed_look: None }
    }

    fn id(&self, at: Position) -> EventId {
        self.skeleton.id(at)
    }

    /// Whether an event happens before another one, or is the same.
    fn happens_before(&self, first: Position, second: Position) -> bool {
        self.skeleton.is_before(first, second)
    }

    fn access(&self, at: Position) -> Option<&Access> {
        match &self.events[at.index()].act {
            Act::Access(access) => Some(access),
            _ => None,
        }
    }

    fn blocks(&self, variable: VariableId) -> &Blocks {
        &self.places.variables[variable.index()].order
    }

    fn blocks_mut(&mut self, variable: VariableId) -> &mut Blocks {
        &mut self.places.variables[variable.index()].order
    }

    /// The accesses of each thread to a variable, oldest first.
    fn accesses(&self, variable: VariableId) -> &[(ThreadId, Vec<Position>)] {
        &self.places.variables[variable.index()].by_thread
    }

    #[inline]
    fn value(&self, variable: VariableId, write: Write) -> &Value {
        match write.event {
            Some(event) => self.written(event),
            None => &self.places.variables[variable.index()].initial,
        }
    }

    /// The variable that a thread accesses at a location, where that is not wrong, and who freed its object.
    #[inline]
    fn variable(&mut self, thread: ThreadId, at: LocationId, locations: &Locations) -> Result<(VariableId, Option<Position>), Fault> {
        match self.places.global(at) {
            Some(id) => Ok((id, None)),
            None => self.places.find(thread, at, locations, &self.skeleton, |freed| self.skeleton.has_seen(thread, freed)),
        }
    }

    // Adding events

    fn perform(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> Added {
        match *action {
            Action::Read { at, guard, order } => self.at_variable(thread, at, locations, |ra, id| ra.read(thread, id, guard, order, way)),
            Action::Write { at, ref value, .. } => self.at_variable(thread, at, locations, |ra, id| ra.write(thread, id, value.clone())),
            Action::Rmw { at, ref rmw, .. } => {
                let size = locations.range(at).size;
                self.at_variable(thread, at, locations, |ra, id| ra.rmw(thread, id, rmw, size, way))
            }
            Action::Fence(fence) if fence.is_full() => {
                let rmw = Rmw::new(raddle_event::RmwOp::Add, 0);
                let added = self.rmw(thread, FENCES, &rmw, 8, way);
                Added { reply: Reply::Done, ..added }
            }
            Action::Fence(_) => self.silent(thread, Reply::Done),
            Action::Spawn { child, .. } => {
                let added = self.silent(thread, Reply::Done);
                self.skeleton.spawn(child);
                added
            }
            Action::Allocate { at, size, zeroed } => {
                let added = self.silent(thread, Reply::Done);
                self.places.objects.allocate(at, size, zeroed, self.newest());
                added
            }
            Action::Reuse { .. } => unreachable!("memory is not used again in graphs"),
            Action::Free { at, start, how } => self.free(thread, at, start, how, locations),
            Action::Choose { .. } => {
                let Way::Outcome(outcome) = way else { unreachable!("a choice has an outcome") };
                self.push(thread, None, Act::Choice(outcome));
                Added { reply: Reply::Chosen(outcome), fault: None }
            }
            Action::Reserve { .. } | Action::WriteReserved { .. } => unreachable!("it is refused"),
        }
    }

    fn newest(&self) -> Position {
        Position(self.events.len() as u32 - 1)
    }

    /// Appends an event that happens after the thread's last one and after another one.
    fn push(&mut self, thread: ThreadId, after: Option<Position>, act: Act) {
        self.skeleton.push(thread, after);
        self.push_act(act, self.log.len() as u32);
    }

    fn push_act(&mut self, act: Act, n_log: u32) {
        self.events.push(Event { act, n_log, n_objects: self.places.objects.len() as u32 });
    }

    fn silent(&mut self, thread: ThreadId, reply: Reply) -> Added {
        self.push(thread, None, Act::Silent);
        Added { reply, fault: None }
    }

    /// What a thread does with a variable, or what is wrong with the access.
    fn at_variable(
        &mut self,
        thread: ThreadId,
        at: LocationId,
        locations: &Locations,
        act: impl FnOnce(&mut Ra, VariableId) -> Added,
    ) -> Added {
        let (id, freed) = match self.variable(thread, at, locations) {
            Ok(found) => found,
            Err(fault) => return self.silent(thread, Reply::Fault(fault)),
        };
        let fault = freed.map(|freed| Box::new(races_with_free(self.id(freed).thread)));
        Added { fault, ..act(self, id) }
    }

    /// The write that a way says to read from.
    fn write_of(&self, way: Way) -> Write {
        match way {
            Way::From(Some(id)) => self.access(self.skeleton.position(id)).expect("a source is a write").stands_for,
            Way::From(None) => Write::INITIAL,
            Way::Only | Way::After(_) | Way::Outcome(_) | Way::Parked => unreachable!("a read has a source"),
        }
    }

    fn read(&mut self, thread: ThreadId, variable: VariableId, guard: Option<Guard>, order: Order, way: Way) -> Added {
        let source = self.write_of(way);
        let value = self.value(variable, source).clone();
        self.push_access(thread, Access { source: Some(source), ..Access::new(variable, source, guard) });
        let is_initial = source.event.is_none() && order != Order::Copy;
        let wrong = is_initial.then(|| self.places.unwritten(variable)).flatten();
        Added { reply: wrong.map_or(Reply::Value(value), Reply::Fault), fault: None }
    }

    fn write(&mut self, thread: ThreadId, variable: VariableId, value: Value) -> Added {
        let event = Some(Position(self.events.len() as u32));
        let of = self.blocks_mut(variable);
        of.firsts.push(event);
        let new = Write { event, block: of.coherence.push(), place: 0 };
        self.push_access(thread, Access { written: Some(value), ..Access::new(variable, new, None) });
        Added { reply: Reply::Done, fault: None }
    }

    fn rmw(&mut self, thread: ThreadId, variable: VariableId, rmw: &Rmw, size: u32, way: Way) -> Added {
        let source = self.write_of(way);
        let old = self.value(variable, source).clone();
        let written = rmw.apply(old.to_u128(), size).map(|new| Value::from_u128(new, size));
        let mut access = Access { source: Some(source), ..Access::new(variable, source, rmw.guard) };
        if written.is_some() {
            let coherence = &mut self.places.variables[variable.index()].order.coherence;
            access.stands_for = Write { event: Some(Position(self.events.len() as u32)), block: source.block, place: source.place + 1 };
            access.stray = coherence.length(source.block) != source.place + 1;
            if !access.stray {
                coherence.lengthen(source.block);
            }
        }
        access.written = written;
        if rmw.guard.is_some() || self.blocks(variable).looked_at.is_some() {
            self.guarded.push((Position(self.events.len() as u32), *rmw));
        }
        self.push_access(thread, access);
        Added { reply: Reply::Value(old), fault: None }
    }

    /// Appends an access; one that is no stray takes its place among the accesses of its variable.
    fn push_access(&mut self, thread: ThreadId, mut access: Access) {
        let n_log = self.log.len() as u32;
        self.skeleton.push(thread, access.source.and_then(|source| source.event));
        if !access.stray {
            self.place(thread, &mut access);
        }
        self.push_act(Act::Access(access), n_log);
    }

    /// Puts the access that is being added among those of its variable, and saturates: every write that happens before
    /// it comes before the write that it stands for.
    fn place(&mut self, thread: ThreadId, access: &mut Access) {
        let (at, is_write) = (Position(self.events.len() as u32), access.written.is_some());
        let of = self.blocks(access.variable);
        let last = of.writes.last().copied().filter(|_| is_write);
        access.unordered = last.and_then(|last| last.event).is_some_and(|last| !self.happens_before(last, at));
        let is_ordered = of.is_ordered() && !access.unordered;
        match (access.source, last) {
            // What happens before what is the whole order then, and the new write comes last.
            (None, Some(last)) if is_ordered => self.blocks_mut(access.variable).coherence.precede_newest(last.block),
            _ if is_ordered => {}
            _ => self.saturate(access.variable, at, access.stands_for, is_write && access.source.is_none()),
        }
        debug_assert!(self.is_saturated(access.variable, at, access.stands_for));
        let variable = &mut self.places.variables[access.variable.index()];
        let (own, before) = variable.add_access(thread, at);
        access.own = own;
        if is_write {
            let of = &mut variable.order;
            of.writes.push(access.stands_for);
            of.n_unordered += access.unordered as u32;
            of.was_unordered |= access.unordered;
            self.is_disputed |= of.is_awaited && of.n_unordered > 0;
            if of.n_unordered > 0 && of.looked_at.is_some() {
                self.disputed_look = of.looked_at;
            }
        }
        access.last_write = if is_write { Some(at) } else { before.and_then(|before| self.access(before)?.last_write) };
    }

    /// Whether every write that happens before an access comes before the write that it stands for.
    fn is_saturated(&self, variable: VariableId, at: Position, stands_for: Write) -> bool {
        let (mut all, coherence) = (true, &self.blocks(variable).coherence);
        self.for_each_newest(variable, self.skeleton.clock(at), |write| {
            all &= write.block == stands_for.block || coherence.is_before(write.block, stands_for.block);
        });
        all
    }

    fn saturate(&mut self, variable: VariableId, at: Position, stands_for: Write, is_new: bool) {
        let mut first: SmallVec<[Block; 8]> = SmallVec::new();
        self.for_each_newest(variable, self.skeleton.clock(at), |write| {
            if write.block != stands_for.block {
                first.push(write.block);
            }
        });
        let coherence = &mut self.places.variables[variable.index()].order.coherence;
        for block in first {
            match is_new {
                true => coherence.precede_newest(block),
                false => coherence.precede(block, stands_for.block, variable.0, &mut self.log),
            }
        }
    }

    /// For each thread its newest write of a variable among so many events of each.
    fn for_each_newest(&self, variable: VariableId, clock: &[u32], mut f: impl FnMut(Write)) {
        for (thread, own) in self.accesses(variable) {
            let limit = clock.get(thread.index()).copied().unwrap_or(0);
            let last = self.skeleton.last_within(own, limit).and_then(|at| self.access(at)).and_then(|access| access.last_write);
            if let Some(write) = last.and_then(|at| self.access(at)) {
                f(write.stands_for);
            }
        }
    }

    fn free(&mut self, thread: ThreadId, at: LocationId, start: Address, how: Free, locations: &Locations) -> Added {
        let is_known = |event: Position| self.skeleton.has_seen(thread, event);
        let found = self.places.objects.find(at, is_known);
        match self.places.freeing((at, start), how, found.map(|found| found.0), locations, is_known) {
            Ok(id) => {
                self.push(thread, None, Act::Free(id));
                self.places.objects.object_mut(id).freed = Some(self.newest());
                let (clock, number) = (self.skeleton.clock(self.newest()), found.map_or(0, |found| found.1));
                let fault = self.places.unordered_access(at, number, locations, |accesses| {
                    accesses.last().is_none_or(|last| self.skeleton.is_among(*last, clock))
                });
                Added { reply: Reply::Done, fault: fault.map(Box::new) }
            }
            Err((reply, fault)) => Added { fault: fault.map(Box::new), ..self.silent(thread, reply) },
        }
    }

    /// Takes back the newest event, but for its clock and objects.
    fn undo(&mut self) {
        let event = self.events.pop().expect("there is an event");
        self.skeleton.pop();
        while self.log.len() > event.n_log as usize {
            let (variable, _) = self.log.last().expect("it is longer");
            self.places.variables[variable as usize].order.coherence.restore(&mut self.log);
        }
        match event.act {
            // The object may be gone already.
            Act::Free(id) => self.places.objects.unfree(id),
            Act::Access(access) => self.undo_access(&access),
            Act::Silent | Act::Choice(_) => {}
        }
    }

    fn undo_access(&mut self, access: &Access) {
        if self.guarded.last().is_some_and(|(at, _)| at.index() == self.events.len()) {
            self.guarded.pop();
        }
        if access.stray {
            return;
        }
        let variable = &mut self.places.variables[access.variable.index()];
        variable.drop_access(access.own);
        if access.written.is_some() {
            let of = &mut variable.order;
            of.writes.pop();
            of.n_unordered -= access.unordered as u32;
            match access.source {
                None => {
                    of.coherence.pop();
                    of.firsts.pop();
                }
                Some(source) => of.coherence.shorten(source.block),
            }
        }
    }
}

impl GraphModel for Ra {
    const NAME: &'static str = "RA";
    const NOT_SUPPORTED: &'static str = "under RA";
    const PLACES_WRITES: bool = false;

    type Order = Blocks;

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
    }

    fn candidates(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        self.find_offers(thread, action, locations, offers);
    }

    fn add(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> Added {
        self.perform(thread, action, way, locations)
    }

    fn join(&mut self, thread: ThreadId, ended: ThreadId) {
        let last = self.skeleton.last(ended);
        self.push(thread, last, Act::Silent);
    }

    fn rewind(&mut self, len: usize) {
        let Some(&Event { n_objects, .. }) = self.events.get(len) else { return };
        self.places.objects.cut(n_objects as usize);
        while self.events.len() > len {
            self.undo();
        }
        self.skeleton.cut_clocks();
    }

    #[inline]
    fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    #[inline]
    fn accessed(&self, at: Position) -> Option<Accessed<'_>> {
        let Access { variable, source, written, guard, .. } = self.access(at)?;
        Some(Accessed { variable: *variable, is_read: source.is_some(), written: written.as_ref(), guard: *guard })
    }

    fn is_readable(&mut self, thread: ThreadId, _: &Action, write: Position, _: &Locations) -> bool {
        self.can_read(thread, write)
    }

    fn await_value(&mut self, thread: ThreadId, at: LocationId, _: bool, locations: &Locations) -> bool {
        let Ok((variable, None)) = self.variable(thread, at, locations) else { return false };
        let of = self.blocks_mut(variable);
        of.looked_at = Some(at);
        if of.n_unordered > 0 {
            self.disputed_look = Some(at);
        }
        true
    }

    fn disputed_look(&self) -> Option<LocationId> {
        self.disputed_look
    }

    fn value_from(&mut self, thread: ThreadId, at: LocationId, source: Option<EventId>, locations: &Locations) -> Option<Value> {
        let (variable, _) = self.variable(thread, at, locations).ok()?;
        let is_wrong = source.is_none() && self.places.unwritten(variable).is_some();
        (!is_wrong).then(|| self.value(variable, self.write_of(Way::From(source))).clone())
    }

    fn value_before(&self, event: EventId, at: LocationId) -> Option<Value> {
        let clock = self.skeleton.before(event).map_or(&[][..], |before| self.skeleton.clock(before));
        self.places.value_within(at, &self.skeleton, clock, |id| {
            let mut writes = self.blocks(id).writes.iter().rev().filter_map(|write| write.event);
            writes.find(|&write| self.skeleton.is_among(write, clock)).map(|write| self.written(write))
        })
    }

    fn words(&self, at: Position) -> Vec<u64> {
        let variable = self.access(at).expect("it is an access").variable;
        let writes = self.blocks(variable).writes.iter().copied();
        writes.chain([Write::INITIAL]).map(|write| self.value(variable, write).word()).collect()
    }

    fn overtaking(&self, read: Position) -> Vec<u64> {
        let Some(&Access { variable, source: Some(source), .. }) = self.access(read) else { return Vec::new() };
        let is_earlier = |write: Position| source.event.is_some_and(|source| self.skeleton.is_before(write, source));
        let writes = self.blocks(variable).writes.iter().filter_map(|write| write.event);
        let free = writes.filter(|&write| !is_earlier(write) && !self.skeleton.is_before(read, write));
        free.map(|write| self.written(write).word()).collect()
    }

    fn stay(&self, at: Position) -> Option<Stay> {
        let access = self.access(at)?;
        let of = |write: Write| self.value(access.variable, write).word();
        let word = of(access.source.unwrap_or(access.stands_for));
        Some(Stay { variable: access.variable, word, can_last: self.last_writes(access.variable).into_iter().any(|last| of(last) == word) })
    }

    fn is_canonical(&self, at: Position, limits: &[u32], write: Position, in_vain: &[u64]) -> bool {
        match &self.events[at.index()].act {
            Act::Silent | Act::Free(_) => true,
            Act::Choice(outcome) => *outcome == 0,
            Act::Access(access) => {
                access.source.is_none_or(|source| self.canonical_source((at, access), limits, write, in_vain) == Some(source))
            }
        }
    }

    /// One value for each write that can be last in coherence.
    fn final_values(&self, range: Range, locations: &Locations) -> Option<Vec<Value>> {
        match self.places.finally(range, locations).ok()? {
            Some(id) => Some(self.last_writes(id).into_iter().map(|write| self.value(id, write).clone()).collect()),
            None => Some(vec![self.places.objects.first_bytes(range)]),
        }
    }
}

impl Access {
    fn new(variable: VariableId, stands_for: Write, guard: Option<Guard>) -> Access {
        Access { variable, source: None, stands_for, written: None, guard, last_write: None, own: 0, unordered: false, stray: false }
    }

    /// Whether it is not made where it finds a value: its guard forbids it, or it would only be made in vain.
    fn waits_for(&self, value: &Value, in_vain: &[u64]) -> bool {
        self.guard.is_some_and(|guard| !guard.holds(value.word())) || in_vain.contains(&value.word())
    }
}
