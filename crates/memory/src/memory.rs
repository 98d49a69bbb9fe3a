//! The transition system of SC, TSO and PSO (Abdulla et al., TACAS 2015; the report's appendices B and C for what depends on what).
//!
//! A step is an access by a thread, or an update: a store leaves its buffer and reaches memory. Everything else is *silent*: it happens as soon as it
//! can, is no event, and only leaves behind what the thread's next event comes after. Silent are stores into a buffer, fences (once the buffer is
//! empty), spawns, joins, the ends of threads and allocations. Nobody can overtake these, so no interleaving is lost.
//!
//! Deviations from the report: locations are byte ranges that may overlap; barriers between stores (PSO); guarded actions.

use crate::accesses::{Accesses, Written};
use crate::actors::{Actors, Who};
use crate::buffer::{Buffer, Entry, ThreadState};
use crate::heap::Heap;
use crate::model::{Barrier, Buffers, Model};
use crate::undo::Undo;
use raddle_event::{
    Action, Actor, Address, AddressMap, Fault, FaultKind, Footprint, Free, Guard, LocationId, Locations, Order, Position, Reply, Rmw, StoreId, Taken,
    ThreadId, Value,
};
use raddle_machine::Published;

/// Whether an action can happen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It happens at once and is no event.
    Silent,
    /// It cannot happen yet.
    Waits,
    /// It is a step that can be taken.
    Step,
}

/// The shared memory under one of the models.
pub struct Memory {
    model: Model,
    heap: Heap,
    accesses: Accesses,
    buffers: Vec<Buffer>,
    actors: Actors,
    journal: Vec<Undo>,
}

impl Memory {
    /// An empty memory; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(model: Model, tracked: bool) -> Memory {
        Memory {
            model,
            heap: Heap::new(tracked),
            accesses: Accesses::default(),
            buffers: Vec::new(),
            actors: Actors::default(),
            journal: Vec::new(),
        }
    }

    /// Learns of the locations and threads seen since the last time.
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap, n_threads: usize) {
        self.heap.learn(locations, map);
        self.accesses.widen(locations.len());
        while self.buffers.len() < n_threads {
            let thread = ThreadId(self.buffers.len() as u32);
            self.actors.number(Who::Thread(thread));
            self.actors.number(Who::Update(thread));
            self.buffers.push(Buffer::default());
        }
    }

    /// Takes over objects that were private so far.
    pub fn adopt(&mut self, image: &[Published], map: &AddressMap) {
        self.heap.adopt(image, map, &mut self.journal);
    }

    /// A point to which the memory can go back.
    pub fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Goes back to a point.
    pub fn rewind(&mut self, mark: usize) {
        while self.journal.len() > mark {
            let undo = self.journal.pop().expect("the mark is earlier");
            self.take_back(undo);
        }
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Word { room, offset, size, old } => self.heap.restore_word(room, offset, size, old),
            Undo::Bytes { room, offset, old } => self.heap.restore_bytes(room, offset, &old),
            Undo::Object { room, old } => self.heap.restore_object(room, *old),
            Undo::Access { at, old } => self.accesses.read[at.index()] = old,
            Undo::Load { at, thread, old } => self.accesses.read[at.index()].remove(thread, old),
            Undo::Written { at } => drop(self.accesses.written[at.index()].pop()),
            Undo::Pushed { thread } => drop(self.buffers[thread.index()].entries.pop()),
            Undo::Removed { thread, index, entry } => self.buffers[thread.index()].entries.insert(index as usize, *entry),
            Undo::Forwarded { thread, index, old } => self.buffers[thread.index()].entries[index as usize].load = old,
            Undo::Last { thread, old } => self.buffers[thread.index()].state.last = old,
            Undo::State { thread, old } => self.buffers[thread.index()].state = *old,
        }
    }

    fn state(&self, thread: ThreadId) -> &ThreadState {
        &self.buffers[thread.index()].state
    }

    /// The state of a thread, to be changed.
    fn change(&mut self, thread: ThreadId) -> &mut ThreadState {
        let state = &mut self.buffers[thread.index()].state;
        self.journal.push(Undo::State { thread, old: Box::new(state.clone()) });
        state
    }

    fn is_empty(&self, thread: ThreadId) -> bool {
        self.buffers[thread.index()].entries.is_empty()
    }

    /// Whether a thread has ended and all its stores have reached memory.
    pub fn is_finished(&self, thread: ThreadId) -> bool {
        self.state(thread).ended.is_some() && self.is_empty(thread)
    }

    /// The number of an actor.
    pub fn actor(&self, who: Who) -> Actor {
        self.actors.known(who)
    }

    /// Who has this number.
    pub fn who(&self, actor: Actor) -> Who {
        self.actors.who(actor)
    }

    /// The bytes of a live shared object.
    pub fn look(&self, start: Address) -> Option<&[u8]> {
        self.heap.look(start)
    }

    /// The live heap objects, with their sizes.
    pub fn live_heap_objects(&self) -> Vec<(Address, usize)> {
        self.heap.live_heap_objects()
    }

    // What can happen

    /// Whether the action that a thread wants can happen now.
    pub fn readiness(&self, thread: ThreadId, action: &Action, locations: &Locations) -> Readiness {
        let when = |ready: bool, how: Readiness| if ready { how } else { Readiness::Waits };
        match *action {
            Action::Allocate { .. } => Readiness::Silent,
            Action::Spawn { .. } => when(self.is_empty(thread), Readiness::Silent),
            Action::Write { at, .. } if self.heap.spot(at).word_of.is_some() => Readiness::Silent,
            Action::Write { .. } if self.model.is_direct() => Readiness::Step,
            Action::Write { .. } if self.state(thread).draining => when(self.is_empty(thread), Readiness::Silent),
            Action::Write { .. } => when(self.has_room(thread), Readiness::Silent),
            Action::Read { at, guard, .. } => match (self.heap.spot(at).word_of, guard) {
                (Some(joined), _) => when(self.is_finished(joined), Readiness::Silent),
                (None, Some(guard)) => when(guard.holds(self.heap.word(at)), Readiness::Step),
                (None, None) => Readiness::Step,
            },
            Action::Rmw { at, rmw, .. } => {
                let open = rmw.guard.is_none_or(|guard| guard.holds(self.heap.word(at)));
                when(open && self.is_empty(thread), Readiness::Step)
            }
            Action::Fence(fence) => when(self.model.fence(fence) != Barrier::Drain || self.is_empty(thread), Readiness::Silent),
            Action::Free { at, .. } => {
                let overlaps = |entry: &Entry| locations.overlapping(at).contains(&entry.at);
                when(!self.buffers[thread.index()].entries.iter().any(overlaps), Readiness::Step)
            }
            Action::Choose { .. } => Readiness::Step,
        }
    }

    fn has_room(&self, thread: ThreadId) -> bool {
        self.model.bound.is_none_or(|bound| self.buffers[thread.index()].entries.len() < bound as usize)
    }

    /// The updates that can happen now.
    pub fn updates(&self, locations: &Locations, mut found: impl FnMut(Actor)) {
        for (number, buffer) in self.buffers.iter().enumerate() {
            let thread = ThreadId(number as u32);
            match self.model.buffers {
                Buffers::Sc => {}
                Buffers::Tso if buffer.entries.is_empty() => {}
                Buffers::Tso => found(self.actors.known(Who::Update(thread))),
                Buffers::Pso => {
                    for (n, entry) in buffer.entries.iter().enumerate() {
                        if can_leave(&buffer.entries[..n], entry, locations) {
                            found(self.actors.known(Who::UpdateAt(thread, entry.at)));
                        }
                    }
                }
            }
        }
    }

    /// The place in the buffer of the entry that an update takes.
    fn leaving(&self, who: Who) -> usize {
        match who {
            Who::UpdateAt(thread, at) => {
                let of = |entry: &Entry| entry.at == at;
                self.buffers[thread.index()].entries.iter().position(of).expect("an update that is enabled has an entry")
            }
            _ => 0,
        }
    }

    // Silent actions

    /// Does what is silent. `None` says that the action has begun and is not complete.
    pub fn silent(&mut self, thread: ThreadId, action: &Action) -> Option<Reply> {
        match action {
            Action::Allocate { at, size, zeroed } => {
                let heap = self.heap.spot(*at).heap;
                self.heap.allocate(*at, *size, *zeroed, heap, &mut self.journal);
            }
            Action::Spawn { child, .. } => {
                self.change(thread).wait_for_updates();
                let before = self.state(thread).before();
                self.change(*child).pending = before;
            }
            Action::Fence(fence) => match self.model.fence(*fence) {
                Barrier::None => {}
                Barrier::Stores => self.change(thread).epoch += 1,
                Barrier::Drain => self.change(thread).wait_for_updates(),
            },
            Action::Read { at, .. } => {
                let joined = self.heap.spot(*at).word_of.expect("only joins are silent reads");
                return Some(self.join(thread, joined));
            }
            Action::Write { at, value, .. } if self.heap.spot(*at).word_of.is_some() => {
                self.change(thread).ended = Some((value.to_u128() >> 64) as u64);
            }
            Action::Write { at, value, order } => return self.buffer(thread, *at, value, *order),
            Action::Rmw { .. } | Action::Free { .. } | Action::Choose { .. } => unreachable!("{action:?} is not silent"),
        }
        Some(Reply::Done)
    }

    fn join(&mut self, thread: ThreadId, joined: ThreadId) -> Reply {
        let other = self.state(joined);
        let (mut before, result) = (other.before(), other.ended.expect("the thread has ended"));
        before.extend(other.updates.iter().map(|update| update.0));
        self.change(thread).pending.extend(before);
        Reply::Value(Value::from_u128((result as u128) << 64 | 1, 16))
    }

    /// Puts a store into the buffer; one that drains is complete when the buffer is empty again.
    fn buffer(&mut self, thread: ThreadId, at: LocationId, value: &Value, order: Order) -> Option<Reply> {
        if self.state(thread).draining {
            let state = self.change(thread);
            state.draining = false;
            state.wait_for_updates();
            return Some(Reply::Done);
        }
        if let Err(fault) = self.heap.check(at) {
            return Some(Reply::Fault(fault));
        }
        let (barrier, drains) = self.model.store(order);
        if self.model.buffers == Buffers::Pso {
            self.actors.number(Who::UpdateAt(thread, at));
        }
        let bounded = self.model.bound.is_some();
        let state = self.change(thread);
        state.stores += 1;
        state.epoch += (barrier == Barrier::Stores) as u32;
        state.draining = drains;
        if bounded {
            // With a bound a store may have waited for room: what comes after it comes after the updates that made it.
            state.pending.extend(state.updates.iter().map(|update| update.0));
        }
        let entry = Entry {
            at,
            value: value.clone(),
            store: StoreId { thread: thread.0, count: state.stores },
            after: state.before(),
            load: None,
            epoch: state.epoch,
        };
        self.buffers[thread.index()].entries.push(entry);
        self.journal.push(Undo::Pushed { thread });
        (!drains).then_some(Reply::Done)
    }

    // Steps

    /// Takes the step of a thread, which becomes the event at `event`.
    pub fn perform(&mut self, thread: ThreadId, action: &Action, choice: u32, event: Position, locations: &Locations, taken: &mut Taken) -> Reply {
        taken.order.extend(self.state(thread).pending.iter().copied());
        let reply = match action {
            Action::Read { at, guard, .. } => self.read(thread, *at, *guard, event, locations, taken),
            Action::Write { at, value, .. } => self.write_directly(thread, *at, value, event, locations, taken),
            Action::Rmw { at, rmw, .. } => self.rmw(thread, *at, rmw, event, locations, taken),
            Action::Free { at, start, how } => self.free(thread, *at, *start, *how, event, locations, taken),
            Action::Choose { .. } => Reply::Chosen(choice),
            Action::Fence(_) | Action::Spawn { .. } | Action::Allocate { .. } => unreachable!("{action:?} is silent"),
        };
        self.happened(thread, event);
        reply
    }

    /// Notes the newest event of a thread.
    fn happened(&mut self, thread: ThreadId, event: Position) {
        if !self.state(thread).pending.is_empty() {
            self.change(thread).pending.clear();
        }
        let state = &mut self.buffers[thread.index()].state;
        self.journal.push(Undo::Last { thread, old: state.last });
        state.last = Some(event);
    }

    fn read(&mut self, thread: ThreadId, at: LocationId, guard: Option<Guard>, event: Position, locations: &Locations, taken: &mut Taken) -> Reply {
        if let Err(fault) = self.heap.check(at) {
            self.read_conflicts(thread, at, locations, taken);
            return Reply::Fault(fault);
        }
        let footprint = self.load_footprint(thread, at, locations);
        if footprint.from_memory {
            match guard {
                Some(guard) => self.guarded_conflicts(thread, at, guard, locations, taken),
                None => self.read_conflicts(thread, at, locations, taken),
            }
            self.note_load(thread, at, event);
        }
        let value = self.forwarded_value(thread, at, &footprint, locations);
        for store in &footprint.forwards {
            self.note_forwarded(thread, *store, event);
        }
        if footprint.forwards.is_empty() && !self.heap.is_written(at) {
            return Reply::Fault(Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written"));
        }
        Reply::Value(value)
    }

    fn note_load(&mut self, thread: ThreadId, at: LocationId, event: Position) {
        let old = self.accesses.read[at.index()].add(thread, event);
        self.journal.push(Undo::Load { at, thread, old });
    }

    fn note_forwarded(&mut self, thread: ThreadId, store: StoreId, event: Position) {
        let entries = &mut self.buffers[thread.index()].entries;
        let index = entries.iter().position(|entry| entry.store == store).expect("the store is in the buffer");
        let old = entries[index].load.replace(event);
        self.journal.push(Undo::Forwarded { thread, index: index as u32, old });
    }

    /// What a load touches now: which stores of the own buffer it takes bytes from, and whether it needs memory too.
    fn load_footprint(&self, thread: ThreadId, at: LocationId, locations: &Locations) -> Footprint {
        let mut footprint = Footprint { read: Some(at), thread: thread.0, from_memory: true, ..Footprint::default() };
        let range = locations.range(at);
        for entry in self.buffers[thread.index()].entries.iter().rev() {
            let other = locations.range(entry.at);
            if other.overlaps(range) && footprint.from_memory {
                footprint.forwards.push(entry.store);
                footprint.from_memory = !other.covers(range);
            }
        }
        footprint
    }

    /// The value of a location as a thread sees it.
    fn forwarded_value(&self, thread: ThreadId, at: LocationId, footprint: &Footprint, locations: &Locations) -> Value {
        if footprint.forwards.is_empty() {
            return self.heap.read(at);
        }
        let range = locations.range(at);
        let mut bytes = self.heap.bytes(at).to_vec();
        for entry in &self.buffers[thread.index()].entries {
            let other = locations.range(entry.at);
            entry.value.with_bytes(other.size, |from| {
                let (low, high) = (range.start.0.max(other.start.0), range.end().min(other.end()));
                for address in low..high {
                    bytes[(address - range.start.0) as usize] = from[(address - other.start.0) as usize];
                }
            });
        }
        Value::from_bytes(&bytes)
    }

    fn write_directly(&mut self, thread: ThreadId, at: LocationId, value: &Value, event: Position, locations: &Locations, taken: &mut Taken) -> Reply {
        self.write_conflicts(thread, at, locations, taken);
        if let Err(fault) = self.heap.check(at) {
            return Reply::Fault(fault);
        }
        self.put(thread, at, value, None, event);
        Reply::Done
    }

    fn rmw(&mut self, thread: ThreadId, at: LocationId, rmw: &Rmw, event: Position, locations: &Locations, taken: &mut Taken) -> Reply {
        self.order_updates(thread, taken);
        if let Err(fault) = self.heap.check(at) {
            self.write_conflicts(thread, at, locations, taken);
            return Reply::Fault(fault);
        }
        let old = self.heap.read(at);
        let size = locations.range(at).size;
        match rmw.apply(old.to_u128(), size) {
            Some(new) => {
                match rmw.guard {
                    Some(guard) => self.guarded_conflicts(thread, at, guard, locations, taken),
                    None => self.read_conflicts(thread, at, locations, taken),
                }
                self.load_conflicts(thread, at, locations, taken);
                self.put(thread, at, &Value::from_u128(new, size), None, event);
            }
            None => {
                self.read_conflicts(thread, at, locations, taken);
                self.note_load(thread, at, event);
            }
        }
        Reply::Value(old)
    }

    /// The step comes after the updates for its thread.
    fn order_updates(&mut self, thread: ThreadId, taken: &mut Taken) {
        if !self.state(thread).updates.is_empty() {
            let state = self.change(thread);
            taken.order.extend(state.updates.drain(..).map(|update| update.0));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn free(&mut self, thread: ThreadId, at: LocationId, start: Address, how: Free, event: Position, locations: &Locations, taken: &mut Taken) -> Reply {
        self.order_updates(thread, taken);
        self.write_conflicts(thread, at, locations, taken);
        match self.heap.free(at, start, locations.range(at), how == Free::Heap, &mut self.journal) {
            Err(fault) => Reply::Fault(fault),
            Ok(()) => {
                self.note_write(thread, at, 0, None, event);
                Reply::Done
            }
        }
    }

    /// Takes an update, which becomes the event at `event`. Gives the fault if the store finds its object freed.
    pub fn update(&mut self, who: Who, event: Position, locations: &Locations, taken: &mut Taken) -> Option<Fault> {
        let (thread, index) = (who.thread(), self.leaving(who));
        let entry = self.buffers[thread.index()].entries.remove(index);
        taken.order.extend(entry.after.iter().copied());
        let earlier = self.state(thread).updates.iter().filter(|update| update.1 < entry.epoch);
        taken.order.extend(earlier.map(|update| update.0));
        self.write_conflicts(thread, entry.at, locations, taken);
        let wrong = self.heap.check(entry.at).err();
        if wrong.is_none() {
            self.put(thread, entry.at, &entry.value, entry.load, event);
        }
        self.change(thread).updates.push((event, entry.epoch));
        self.journal.push(Undo::Removed { thread, index: index as u32, entry: Box::new(entry) });
        wrong
    }

    /// A value reaches memory.
    fn put(&mut self, thread: ThreadId, at: LocationId, value: &Value, load: Option<Position>, event: Position) {
        let old = self.heap.word(at);
        self.heap.write(at, value, &mut self.journal);
        self.note_write(thread, at, old, load, event);
    }

    fn note_write(&mut self, thread: ThreadId, at: LocationId, old: u64, load: Option<Position>, event: Position) {
        self.accesses.written[at.index()].push(Written { by: thread, event, old });
        self.journal.push(Undo::Written { at });
        let read = &mut self.accesses.read[at.index()];
        if load.is_some() || !read.loads.is_empty() {
            let old = std::mem::take(read);
            read.loads.extend(load.map(|load| (thread, load)));
            self.journal.push(Undo::Access { at, old });
        }
    }

    // What depends on what

    /// A read comes after the last writes of others that it can see.
    fn read_conflicts(&self, thread: ThreadId, at: LocationId, locations: &Locations, taken: &mut Taken) {
        let overlapping = locations.overlapping(at);
        for other in std::iter::once(at).chain(overlapping.iter().copied()) {
            if let Some(last) = self.accesses.last(other) {
                if last.by != thread && !self.is_hidden(thread, at, other, last, locations) {
                    taken.conflicts.push(last.event);
                }
            }
        }
    }

    /// Whether a later write of the same thread covers what a read would see of another's write.
    fn is_hidden(&self, thread: ThreadId, at: LocationId, of: LocationId, last: Written, locations: &Locations) -> bool {
        let overlapping = locations.overlapping(at);
        if overlapping.is_empty() {
            return false;
        }
        let (seen, range) = (locations.range(at), locations.range(of));
        let covers = |other: LocationId| {
            let cover = locations.range(other);
            let (low, high) = (seen.start.0.max(range.start.0), seen.end().min(range.end()));
            cover.start.0 <= low && high <= cover.end()
        };
        let own = |other: &LocationId| self.accesses.last(*other).is_some_and(|w| w.by == thread && w.event > last.event);
        std::iter::once(at).chain(overlapping.iter().copied()).any(|other| own(&other) && covers(other))
    }

    /// A write comes after the reads of others.
    fn load_conflicts(&self, thread: ThreadId, at: LocationId, locations: &Locations, taken: &mut Taken) {
        for other in std::iter::once(at).chain(locations.overlapping(at).iter().copied()) {
            let loads = self.accesses.read[other.index()].loads.iter();
            taken.conflicts.extend(loads.filter(|load| load.0 != thread).map(|load| load.1));
        }
    }

    /// A write comes after the writes and reads of others, and after the own writes that it overlaps.
    fn write_conflicts(&self, thread: ThreadId, at: LocationId, locations: &Locations, taken: &mut Taken) {
        for other in std::iter::once(at).chain(locations.overlapping(at).iter().copied()) {
            match self.accesses.last(other) {
                Some(last) if last.by == thread => taken.order.push(last.event),
                Some(last) => taken.conflicts.push(last.event),
                None => {}
            }
        }
        self.load_conflicts(thread, at, locations, taken);
    }

    /// A guarded action comes after the last write. It can overtake the newest write before which its guard held.
    fn guarded_conflicts(&self, thread: ThreadId, at: LocationId, guard: Guard, locations: &Locations, taken: &mut Taken) {
        let written = &self.accesses.written[at.index()];
        match written.last() {
            None => {}
            Some(last) if last.by == thread => {}
            Some(last) if guard.holds(last.old) => taken.conflicts.push(last.event),
            Some(last) => {
                taken.enabling.push(last.event);
                self.overtakes(thread, at, guard, taken);
            }
        }
        for other in locations.overlapping(at) {
            if let Some(last) = self.accesses.last(*other).filter(|last| last.by != thread) {
                taken.conflicts.push(last.event);
            }
        }
    }

    /// The newest write by another thread before which the guard held.
    fn overtakes(&self, thread: ThreadId, at: LocationId, guard: Guard, taken: &mut Taken) {
        let recent = self.accesses.written[at.index()].iter().rev().take_while(|w| w.by != thread);
        taken.overtakes.extend(recent.filter(|w| guard.holds(w.old)).map(|w| w.event).next());
    }

    /// What a waiting thread could overtake if it came first.
    pub fn waiting(&self, thread: ThreadId, action: &Action) -> Option<(Footprint, Taken)> {
        let (at, guard) = (action.location()?, action.guard()?);
        if self.heap.spot(at).word_of.is_some() {
            return None;
        }
        let mut taken = Taken { order: self.state(thread).pending.iter().copied().collect(), ..Taken::default() };
        self.overtakes(thread, at, guard, &mut taken);
        let write = matches!(action, Action::Rmw { .. }).then_some(at);
        let footprint = Footprint { read: Some(at), write, thread: thread.0, from_memory: true, drains: write.is_some(), ..Footprint::default() };
        Some((footprint, taken))
    }

    /// What the next step of a thread touches.
    pub fn step_footprint(&self, thread: ThreadId, action: &Action, locations: &Locations) -> Footprint {
        let base = Footprint { thread: thread.0, ..Footprint::default() };
        match action {
            Action::Read { at, .. } => self.load_footprint(thread, *at, locations),
            Action::Write { at, .. } => Footprint { write: Some(*at), ..base },
            Action::Free { at, .. } => Footprint { write: Some(*at), drains: true, ..base },
            Action::Rmw { at, rmw, .. } => {
                let compare = (rmw.op == raddle_event::RmwOp::CompareExchange).then_some(rmw.expected);
                let writes = self.heap.check(*at).is_ok_and(|()| rmw.apply(self.heap.read(*at).to_u128(), locations.range(*at).size).is_some());
                Footprint { read: Some(*at), write: writes.then_some(*at), from_memory: true, drains: true, compare, ..base }
            }
            _ => base,
        }
    }

    /// What an update touches.
    pub fn update_footprint(&self, who: Who) -> Footprint {
        let entry = &self.buffers[who.thread().index()].entries[self.leaving(who)];
        Footprint { write: Some(entry.at), thread: who.thread().0, update: Some(entry.store), ..Footprint::default() }
    }

    /// What a step that came after the event at `e` touches when it comes before it.
    pub fn overtaking(&self, step: &Footprint, e: Position) -> Footprint {
        let mut footprint = step.clone();
        if let (Some(at), Some(expected)) = (step.read, step.compare) {
            let overtaken = self.accesses.written[at.index()].iter().find(|written| written.event == e);
            if let Some(written) = overtaken {
                footprint.write = (written.old as u128 == expected & u64::MAX as u128).then_some(at);
            }
        }
        footprint
    }
}

/// Whether an entry can leave a PSO buffer in which these are older.
fn can_leave(older: &[Entry], entry: &Entry, locations: &Locations) -> bool {
    let range = locations.range(entry.at);
    older.iter().all(|other| other.epoch == entry.epoch && !locations.range(other.at).overlaps(range))
}

/// Whether a step that can be taken now and events that follow from here, none of them of the same actor, do not depend on each other.
pub fn is_independent<'f>(step: &Footprint, then: &mut dyn Iterator<Item = &'f Footprint>, locations: &Locations) -> bool {
    let mut from_memory = step.from_memory;
    for event in then {
        if event.thread == step.thread {
            if event.update.is_some_and(|store| step.forwards.contains(&store)) {
                from_memory = true;
            }
            if step.drains || event.drains || meet(step.write, event.write, locations) {
                return false;
            }
            continue;
        }
        let reads = step.read.filter(|_| from_memory);
        let event_reads = event.read.filter(|_| event.from_memory);
        if meet(reads, event.write, locations) || meet(step.write, event_reads, locations) || meet(step.write, event.write, locations) {
            return false;
        }
    }
    true
}

/// Whether two locations have a byte in common.
fn meet(a: Option<LocationId>, b: Option<LocationId>, locations: &Locations) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b || locations.overlapping(a).contains(&b),
        _ => false,
    }
}
