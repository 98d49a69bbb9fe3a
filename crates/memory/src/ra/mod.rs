//! Release-Acquire: graphs of program order and reads-from, with what is forced of coherence.
//!
//! Abdulla, Atig, Jonsson, Ngo, "Optimal stateless model checking under the release-acquire semantics", OOPSLA 2018. A graph is allowed when for every variable
//! po ∪ rf ∪ co ∪ fr of that variable is acyclic for some total coherence order (definition 3.1). Only po and rf are kept, with the part of coherence that they force
//! (definition 4.1, *saturated*), so that a graph stands for a *weak trace*. Events are added one by one, each after what happens before it; adding one costs about the number of threads and the
//! blocks of its variable. Events are taken back newest first.
//!
//! Deviations: read-modify-writes, compare-exchanges, locks and fences, which the paper leaves out, by *blocks* (see [`coherence`]); a full fence is a
//! read-modify-write of a hidden variable; spawns and joins make events happen before one another as rf does. A write is put into the graph behind all
//! writes that happen before it, and nowhere in particular among the others, so the paper's *visible* writes (definition 4.4) need no choice. The rules, and why they are right: docs/models/ra.md.

mod canonical;
mod clocks;
mod coherence;
mod objects;
mod readable;
mod variable;

use clocks::Clocks;
use coherence::{Block, Log};
use objects::{ObjectId, Objects, races_with_free, use_after_free};
use raddle_event::{
    Action, Address, AddressMap, EventId, Fault, FaultKind, Fence, Free, Guard, LocationId, Locations, Order, Position, Published, Reply,
    Rmw, ThreadId, Value, Way,
};
use smallvec::SmallVec;
use std::rc::Rc;
use variable::{Variable, VariableId, Write};

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
    /// Whether it reads from a write that another read-modify-write has taken: then it is in no order with others, and nothing can be added behind it.
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
    id: EventId,
    act: Act,
    /// How much of the log and how many objects were there before.
    n_log: u32,
    n_objects: u32,
}

#[derive(Default)]
struct Thread {
    events: Vec<Position>,
    /// The event that spawned it.
    spawned: Option<Position>,
}

/// What came of adding an event.
#[derive(Clone, Debug)]
pub struct Added {
    pub reply: Reply,
    /// What is wrong with the graph now, although the thread goes on.
    pub fault: Option<Box<Fault>>,
}

/// A graph under the release-acquire model.
pub struct Ra {
    events: Vec<Event>,
    clocks: Clocks,
    threads: Vec<Thread>,
    variables: Vec<Variable>,
    /// For each location its variables, by the number of the object in its room.
    of_location: Vec<SmallVec<[Option<VariableId>; 1]>>,
    /// For each location the variable, where every access to it is one to that: it lies in a global variable and overlaps no other location.
    of_global: Vec<Option<VariableId>>,
    objects: Objects,
    log: Log,
    /// The operations of the read-modify-writes that have a guard, in the order in which they were added.
    guarded: Vec<(Position, Rmw)>,
    is_mixed: bool,
    is_disputed: bool,
}

impl Ra {
    /// A graph without events; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(tracked: bool) -> Ra {
        let mut ra = Ra {
            events: Vec::new(),
            clocks: Clocks::default(),
            threads: Vec::new(),
            variables: Vec::new(),
            of_location: Vec::new(),
            of_global: Vec::new(),
            objects: Objects::new(tracked),
            log: Log::default(),
            guarded: Vec::new(),
            is_mixed: false,
            is_disputed: false,
        };
        ra.new_variable(None);
        ra
    }

    /// Makes room for the threads and locations that were seen since the last time.
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap, n_threads: usize) {
        self.objects.learn(locations, map);
        self.clocks.widen(n_threads);
        if self.threads.len() < n_threads {
            self.threads.resize_with(n_threads, Thread::default);
        }
        if self.of_location.len() < locations.len() {
            self.of_location.resize_with(locations.len(), SmallVec::new);
            self.forget_globals();
        }
    }

    /// Takes over objects that were private so far: with the newest event, or from the start. `is_first` says that no event of another thread is there
    /// yet, so that every event to come has seen the objects.
    pub fn adopt(&mut self, image: &Rc<Vec<Published>>, map: &AddressMap, is_first: bool) {
        let newest = self.events.len().checked_sub(1).map(|at| Position(at as u32));
        self.objects.adopt(image, map, newest.filter(|_| !is_first), newest);
        self.forget_globals();
    }

    /// Why an action cannot be had under this model, if it cannot.
    pub fn refusal(action: &Action) -> Option<&'static str> {
        match action {
            Action::Reserve { .. } | Action::WriteReserved { .. } => Some("load-reserve and store-conditional are not supported under RA"),
            _ => None,
        }
    }

    /// Whether accesses of different sizes to the same bytes have come up.
    pub fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// What has come up that this model has no meaning for, or no explorer can make sense of.
    #[inline]
    pub fn unsupported(&self) -> Option<&'static str> {
        match (self.is_mixed, self.is_disputed) {
            (true, _) => Some("mixed-size access not supported under RA"),
            (_, true) => {
                Some("what threads wait for (a lock, a semaphore) is written by several threads in no order: not supported under RA")
            }
            _ => None,
        }
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The name of an event.
    #[inline]
    pub fn id(&self, at: Position) -> EventId {
        self.events[at.index()].id
    }

    /// Where an event is that has been added.
    #[inline]
    pub fn position(&self, id: EventId) -> Position {
        self.threads[id.thread.index()].events[id.index as usize]
    }

    /// How many events a thread has.
    pub fn n_events(&self, thread: ThreadId) -> u32 {
        self.threads.get(thread.index()).map_or(0, |thread| thread.events.len() as u32)
    }

    /// For each thread how many of its events happen before an event, itself included.
    pub fn clock(&self, at: Position) -> &[u32] {
        self.clocks.row(at)
    }

    /// Whether an event happens before another one, or is the same.
    pub fn happens_before(&self, first: Position, second: Position) -> bool {
        let id = self.id(first);
        self.clocks.row(second)[id.thread.index()] > id.index
    }

    fn access(&self, at: Position) -> Option<&Access> {
        match &self.events[at.index()].act {
            Act::Access(access) => Some(access),
            _ => None,
        }
    }

    /// The reads of the variable that an event writes, if it writes, that do not happen before it.
    pub fn unordered_reads(&self, write: Position, found: &mut Vec<Position>) {
        let Some(access) = self.access(write).filter(|access| access.written.is_some()) else { return };
        let clock = self.clocks.row(write);
        for (thread, own) in &self.variables[access.variable.index()].by_thread {
            for &at in own.iter().rev().take_while(|at| self.id(**at).index >= clock[thread.index()]) {
                if self.access(at).is_some_and(|access| access.source.is_some()) {
                    found.push(at);
                }
            }
        }
    }

    /// Whether the guard of a read, if it has one, lets it read from a write.
    pub fn accepts(&self, read: Position, write: Position) -> bool {
        let guard = self.access(read).and_then(|access| access.guard);
        guard.is_none_or(|guard| guard.holds(self.written(write).word()))
    }

    #[inline]
    fn written(&self, write: Position) -> &Value {
        self.access(write).and_then(|access| access.written.as_ref()).expect("it writes")
    }

    #[inline]
    fn value(&self, variable: VariableId, write: Write) -> &Value {
        match write.event {
            Some(event) => self.written(event),
            None => &self.variables[variable.index()].initial,
        }
    }

    /// The last event of a thread, or the one that spawned it.
    fn last(&self, thread: ThreadId) -> Option<Position> {
        let thread = &self.threads[thread.index()];
        thread.events.last().copied().or(thread.spawned)
    }

    /// How many events of each thread a thread has seen; none has where this is empty.
    fn seen(&self, thread: ThreadId) -> &[u32] {
        self.last(thread).map_or(&[], |last| self.clocks.row(last))
    }

    fn has_seen(&self, thread: ThreadId, event: Position) -> bool {
        self.is_among(event, self.seen(thread))
    }

    /// Whether an event is among so many of each thread.
    #[inline]
    fn is_among(&self, event: Position, limits: &[u32]) -> bool {
        let id = self.id(event);
        limits.get(id.thread.index()).is_some_and(|&n| n > id.index)
    }

    // Variables

    fn new_variable(&mut self, at: Option<(LocationId, u32)>) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Variable::new(at));
        id
    }

    /// The object that a thread accesses at a location, and its number in its room.
    fn object(&self, thread: ThreadId, at: LocationId) -> Option<(ObjectId, u32)> {
        self.objects.find(at, |born| self.has_seen(thread, born))
    }

    /// The variable that a thread accesses at a location, where that is not wrong, and who freed its object.
    #[inline]
    fn variable(&mut self, thread: ThreadId, at: LocationId, locations: &Locations) -> Result<(VariableId, Option<Position>), Fault> {
        match self.of_global[at.index()] {
            Some(id) => Ok((id, None)),
            None => self.find_variable(thread, at, locations),
        }
    }

    /// Looks up again which locations are plain ones: there are new locations, or new objects.
    fn forget_globals(&mut self) {
        self.of_global.clear();
        self.of_global.resize(self.of_location.len(), None);
    }

    fn find_variable(&mut self, thread: ThreadId, at: LocationId, locations: &Locations) -> Result<(VariableId, Option<Position>), Fault> {
        let Some((object, number)) = self.object(thread, at) else {
            return Err(Fault::new(FaultKind::WildPointer, "access where no object is"));
        };
        let freed = self.objects.object(object).freed;
        if freed.is_some_and(|freed| self.has_seen(thread, freed)) {
            return Err(use_after_free(locations.range(at).size));
        }
        self.objects.check_bounds(object, at)?;
        let known = self.of_location[at.index()].get(number as usize).copied().flatten();
        let id = known.unwrap_or_else(|| self.number_variable(at, number));
        if self.variables[id.index()].n_accesses == 0 {
            self.variables[id.index()].initial = self.objects.first_value(object, at);
            self.is_mixed = self.is_mixed || self.overlaps(at, number, locations);
        }
        self.of_global[at.index()] = Some(id).filter(|_| self.objects.is_global(at) && locations.overlapping(at).is_empty());
        Ok((id, freed))
    }

    fn number_variable(&mut self, at: LocationId, number: u32) -> VariableId {
        let id = self.new_variable(Some((at, number)));
        let known = &mut self.of_location[at.index()];
        if known.len() <= number as usize {
            known.resize(number as usize + 1, None);
        }
        known[number as usize] = Some(id);
        id
    }

    /// Whether bytes of a location of an object are accessed as another location too.
    fn overlaps(&self, at: LocationId, number: u32, locations: &Locations) -> bool {
        locations.overlapping(at).iter().any(|other| {
            let variable = self.of_location[other.index()].get(number as usize).copied().flatten();
            variable.is_some_and(|id| self.variables[id.index()].n_accesses > 0)
        })
    }

    // Adding events

    /// Adds the next event of a thread, in a way that was offered.
    pub fn add(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> Added {
        match *action {
            Action::Read { at, guard, order } => self.at_variable(thread, at, locations, |ra, id| ra.read(thread, id, guard, order, way)),
            Action::Write { at, ref value, .. } => self.at_variable(thread, at, locations, |ra, id| ra.write(thread, id, value.clone())),
            Action::Rmw { at, ref rmw, .. } => {
                let size = locations.range(at).size;
                self.at_variable(thread, at, locations, |ra, id| ra.rmw(thread, id, rmw, size, way))
            }
            Action::Fence(fence) if is_full(fence) => {
                let rmw = Rmw::new(raddle_event::RmwOp::Add, 0);
                let added = self.rmw(thread, VariableId::FENCES, &rmw, 8, way);
                Added { reply: Reply::Done, ..added }
            }
            Action::Fence(_) => self.silent(thread, Reply::Done),
            Action::Spawn { child, .. } => {
                let added = self.silent(thread, Reply::Done);
                self.threads[child.index()].spawned = Some(self.newest());
                added
            }
            Action::Allocate { at, size, zeroed } => {
                let added = self.silent(thread, Reply::Done);
                self.objects.allocate(at, size, zeroed, self.newest());
                added
            }
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
        let (id, n_log) = (self.push_clock(thread, after), self.log.len() as u32);
        self.events.push(Event { id, act, n_log, n_objects: self.objects.len() as u32 });
    }

    /// What the next event has seen, and its name.
    fn push_clock(&mut self, thread: ThreadId, after: Option<Position>) -> EventId {
        let last = self.last(thread);
        self.clocks.push(last.or(after));
        if let (Some(_), Some(after)) = (last, after) {
            self.clocks.join(after);
        }
        let events = &mut self.threads[thread.index()].events;
        let id = EventId { thread, index: events.len() as u32 };
        events.push(Position(self.events.len() as u32));
        self.clocks.set(thread, id.index + 1);
        id
    }

    fn silent(&mut self, thread: ThreadId, reply: Reply) -> Added {
        self.push(thread, None, Act::Silent);
        Added { reply, fault: None }
    }

    /// Adds the event by which a thread has waited for the end of another one.
    pub fn join(&mut self, thread: ThreadId, ended: ThreadId) {
        let last = self.last(ended);
        self.push(thread, last, Act::Silent);
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
            Way::From(Some(id)) => self.access(self.position(id)).expect("a source is a write").stands_for,
            Way::From(None) => Write::INITIAL,
            Way::Only | Way::Outcome(_) => unreachable!("a read has a source"),
        }
    }

    fn read(&mut self, thread: ThreadId, variable: VariableId, guard: Option<Guard>, order: Order, way: Way) -> Added {
        let source = self.write_of(way);
        let value = self.value(variable, source).clone();
        self.push_access(thread, Access { source: Some(source), ..Access::new(variable, source, guard) });
        let wrong = self.unwritten(variable, source).filter(|_| order != Order::Copy);
        Added { reply: wrong.map_or(Reply::Value(value), Reply::Fault), fault: None }
    }

    /// What is wrong with reading from a write, where that is the initial value and was never written.
    fn unwritten(&self, variable: VariableId, source: Write) -> Option<Fault> {
        let (at, number) = self.variables[variable.index()].at.filter(|_| source.event.is_none())?;
        let written = self.objects.is_written(self.objects.nth(at, number), at);
        (!written).then(|| Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written"))
    }

    fn write(&mut self, thread: ThreadId, variable: VariableId, value: Value) -> Added {
        let (of, event) = (&mut self.variables[variable.index()], Some(Position(self.events.len() as u32)));
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
        let coherence = &mut self.variables[variable.index()].coherence;
        if written.is_some() {
            access.stands_for = Write { event: Some(Position(self.events.len() as u32)), block: source.block, place: source.place + 1 };
            access.stray = coherence.length(source.block) != source.place + 1;
            if !access.stray {
                coherence.lengthen(source.block);
            }
        }
        access.written = written;
        if rmw.guard.is_some() {
            self.guarded.push((Position(self.events.len() as u32), *rmw));
        }
        self.push_access(thread, access);
        Added { reply: Reply::Value(old), fault: None }
    }

    /// Appends an access; one that is no stray takes its place among the accesses of its variable.
    fn push_access(&mut self, thread: ThreadId, mut access: Access) {
        let n_log = self.log.len() as u32;
        let id = self.push_clock(thread, access.source.and_then(|source| source.event));
        if !access.stray {
            self.place(thread, &mut access);
        }
        self.events.push(Event { id, act: Act::Access(access), n_log, n_objects: self.objects.len() as u32 });
    }

    /// Puts the access that is being added among those of its variable, and saturates: every write that happens before it comes before the write that it stands for.
    fn place(&mut self, thread: ThreadId, access: &mut Access) {
        let (at, is_write) = (Position(self.events.len() as u32), access.written.is_some());
        let of = &self.variables[access.variable.index()];
        let last = of.writes.last().copied().filter(|_| is_write);
        access.unordered = last.and_then(|last| last.event).is_some_and(|last| !self.happens_before(last, at));
        let is_ordered = of.is_ordered() && !access.unordered;
        match (access.source, last) {
            // What happens before what is the whole order then, and the new write comes last.
            (None, Some(last)) if is_ordered => self.variables[access.variable.index()].coherence.precede_newest(last.block),
            _ if is_ordered => {}
            _ => self.saturate(access.variable, at, access.stands_for, is_write && access.source.is_none()),
        }
        debug_assert!(self.is_saturated(access.variable, at, access.stands_for));
        let of = &mut self.variables[access.variable.index()];
        let (own, before) = of.add_access(thread, at);
        access.own = own;
        if is_write {
            of.writes.push(access.stands_for);
            of.n_unordered += access.unordered as u32;
            self.is_disputed |= of.is_awaited && of.n_unordered > 0;
        }
        access.last_write = if is_write { Some(at) } else { before.and_then(|before| self.access(before)?.last_write) };
    }

    /// Whether every write that happens before an access comes before the write that it stands for.
    fn is_saturated(&self, variable: VariableId, at: Position, stands_for: Write) -> bool {
        let (mut all, coherence) = (true, &self.variables[variable.index()].coherence);
        self.for_each_newest(variable, self.clocks.row(at), |write| {
            all &= write.block == stands_for.block || coherence.is_before(write.block, stands_for.block);
        });
        all
    }

    fn saturate(&mut self, variable: VariableId, at: Position, stands_for: Write, is_new: bool) {
        let mut first: SmallVec<[Block; 8]> = SmallVec::new();
        self.for_each_newest(variable, self.clocks.row(at), |write| {
            if write.block != stands_for.block {
                first.push(write.block);
            }
        });
        let coherence = &mut self.variables[variable.index()].coherence;
        for block in first {
            match is_new {
                true => coherence.precede_newest(block),
                false => coherence.precede(block, stands_for.block, variable.0, &mut self.log),
            }
        }
    }

    /// For each thread its newest write of a variable among so many events of each.
    fn for_each_newest(&self, variable: VariableId, clock: &[u32], mut f: impl FnMut(Write)) {
        for (thread, own) in &self.variables[variable.index()].by_thread {
            let limit = clock.get(thread.index()).copied().unwrap_or(0);
            let last = self.last_within(own, limit).and_then(|at| self.access(at)).and_then(|access| access.last_write);
            if let Some(write) = last.and_then(|at| self.access(at)) {
                f(write.stands_for);
            }
        }
    }

    /// The last of the accesses of a thread that is among its first `limit` events.
    #[inline]
    fn last_within(&self, own: &[Position], limit: u32) -> Option<Position> {
        let within = |at: &Position| self.events[at.index()].id.index < limit;
        match own.last() {
            Some(last) if within(last) => Some(*last),
            Some(_) if limit > 0 => own[..own.partition_point(within)].last().copied(),
            _ => None,
        }
    }

    fn free(&mut self, thread: ThreadId, at: LocationId, start: Address, how: Free, locations: &Locations) -> Added {
        let invalid = || Reply::Fault(Fault::new(FaultKind::InvalidFree, format!("{start} is not the start of a heap object")));
        let Some((id, number)) = self.object(thread, at) else { return self.silent(thread, invalid()) };
        let object = self.objects.object(id);
        let twice = Fault::new(FaultKind::DoubleFree, format!("{start} is freed again"));
        match object.freed {
            Some(freed) if self.has_seen(thread, freed) => return self.silent(thread, Reply::Fault(twice)),
            _ if how == Free::Heap && (!object.heap || start != locations.range(at).start) => return self.silent(thread, invalid()),
            Some(_) => return Added { fault: Some(Box::new(twice)), ..self.silent(thread, Reply::Done) },
            None => {}
        }
        self.push(thread, None, Act::Free(id));
        self.objects.object_mut(id).freed = Some(self.newest());
        Added { reply: Reply::Done, fault: self.unordered_access(at, number, locations).map(Box::new) }
    }

    /// What is wrong where an access to the object that was just freed does not happen before that.
    fn unordered_access(&self, room: LocationId, number: u32, locations: &Locations) -> Option<Fault> {
        let clock = self.clocks.row(self.newest());
        for other in locations.overlapping(room) {
            let Some(id) = self.of_location[other.index()].get(number as usize).copied().flatten() else { continue };
            for (thread, own) in &self.variables[id.index()].by_thread {
                if own.last().is_some_and(|last| self.events[last.index()].id.index >= clock[thread.index()]) {
                    return Some(Fault::new(FaultKind::UseAfterFree, format!("nothing orders the free and the access by {thread}")));
                }
            }
        }
        None
    }

    /// Takes back the newest events, until there are so many.
    pub fn rewind(&mut self, len: usize) {
        let Some(&Event { n_objects, .. }) = self.events.get(len) else { return };
        self.objects.cut(n_objects as usize);
        while self.events.len() > len {
            self.undo();
        }
        self.clocks.truncate(len);
    }

    /// Takes back the newest event, but for its clock and objects.
    fn undo(&mut self) {
        let event = self.events.pop().expect("there is an event");
        self.threads[event.id.thread.index()].events.pop();
        while self.log.len() > event.n_log as usize {
            let (variable, _) = self.log.last().expect("it is longer");
            self.variables[variable as usize].coherence.restore(&mut self.log);
        }
        match event.act {
            // The object may be gone already.
            Act::Free(id) => self.objects.unfree(id),
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
        let of = &mut self.variables[access.variable.index()];
        of.drop_access(access.own);
        if access.written.is_some() {
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

    /// The heap objects that are not freed, by their addresses.
    pub fn live_heap_objects(&self) -> Vec<(Address, u64)> {
        self.objects.live_heap()
    }
}

impl Access {
    fn new(variable: VariableId, stands_for: Write, guard: Option<Guard>) -> Access {
        Access { variable, source: None, stands_for, written: None, guard, last_write: None, own: 0, unordered: false, stray: false }
    }
}

/// Whether a fence is more than what every access does anyway.
fn is_full(fence: Fence) -> bool {
    matches!(fence, Fence::SeqCst | Fence::Mfence | Fence::Sync | Fence::Dmb)
}
