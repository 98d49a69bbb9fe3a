//! The steps of the transition system: accesses by threads, and updates.

use super::accesses::{Load, Written};
use super::buffer::{Buffer, Entry, Update};
use super::forwarding::part_from_memory;
use super::memory::Memory;
use super::runs::Runs;
use super::undo::Undo;
use raddle_event::{
    Action, Address, Fault, FaultKind, Free, Guard, LocationId, Locations, Order, Position, Reply, Rmw, Taken, ThreadId, Value, Who,
};

/// The step that is being taken: whose it is, which event it becomes, and what it is found to depend on.
pub(crate) struct Taking<'t> {
    pub thread: ThreadId,
    pub event: Position,
    pub locations: &'t Locations,
    pub taken: &'t mut Taken,
}

impl Memory {
    /// Takes the step of a thread, which becomes the event at `event`; a choice has this outcome.
    #[inline(always)]
    pub fn perform(
        &mut self,
        thread: ThreadId,
        (action, outcome): (&Action, u32),
        event: Position,
        locations: &Locations,
        taken: &mut Taken,
    ) -> Reply {
        let pending = &self.state(thread).pending;
        if !pending.is_empty() {
            taken.order.extend_from_slice(pending);
        }
        let last = self.happens(thread, event);
        let mut taking = Taking { thread, event, locations, taken };
        let reply = match action {
            Action::Read { at, guard, order } => self.read(*at, *guard, *order, &mut taking),
            Action::Write { at, value, order } => {
                self.bound_is_felt |= self.model.bound == Some(0) && *order != Order::SeqCst;
                match self.write(*at, value, &mut taking) {
                    Ok(Some(stale)) => {
                        self.journal.push(Undo::Stored { at: *at, stale, last });
                        return Reply::Done;
                    }
                    Ok(None) => Reply::Done,
                    Err(fault) => Reply::Fault(fault),
                }
            }
            Action::Rmw { at, rmw, .. } => self.rmw(*at, rmw, &mut taking),
            Action::Reserve { at, .. } => self.reserve(*at, &mut taking),
            Action::WriteReserved { at, value, .. } => {
                self.order_updates(&mut taking);
                match self.write_part(*at, value, &mut taking) {
                    Ok(()) => Reply::Done,
                    Err(fault) => Reply::Fault(fault),
                }
            }
            Action::Free { at, start, how } => self.free(*at, *start, *how, &mut taking),
            Action::Reuse { at, size, zeroed } => self.reuse(*at, (*size, *zeroed), &mut taking),
            Action::Choose { .. } => Reply::Chosen(outcome),
            Action::Fence(_) | Action::Spawn { .. } | Action::Allocate { .. } => unreachable!("{action:?} is silent"),
        };
        self.journal.push(Undo::Last { thread, old: last });
        reply
    }

    /// Notes the newest event of a thread; gives the last one before it.
    #[inline(always)]
    pub(crate) fn happens(&mut self, thread: ThreadId, event: Position) -> Option<Position> {
        let state = &mut self.buffers[thread.index()].state;
        if !state.pending.is_empty() {
            self.journal.push(Undo::Pending { thread, from: state.pending.begin() });
        }
        state.last.replace(event)
    }

    fn read(&mut self, at: LocationId, guard: Option<Guard>, order: Order, taking: &mut Taking) -> Reply {
        let Taking { thread, event, locations, .. } = *taking;
        if self.buffers[thread.index()].entries.is_empty() {
            return self.read_memory(at, guard, order, taking);
        }
        let footprint = self.load_footprint(thread, at, locations);
        let part = part_from_memory(&footprint, locations);
        match guard {
            Some(guard) => self.guarded_conflicts(thread, at, guard, locations, taking.taken),
            None => self.read_conflicts(thread, at, part.as_ref(), locations, taking.taken),
        }
        if let Err(fault) = self.heap.check(at) {
            return Reply::Fault(fault);
        }
        let is_written = self.is_written(at, part.as_ref(), locations);
        if part.as_ref().is_none_or(|runs| !runs.is_empty()) {
            self.note_load(at, Load { by: thread, event, part: part.map(Box::new) });
        }
        self.note_forwarded(at, &footprint, event);
        if !is_written && order != Order::Copy {
            return Reply::Fault(Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written"));
        }
        Reply::Value(self.seen_value(at, &footprint, locations))
    }

    /// Whether every byte of a location has been written that a load takes from memory.
    fn is_written(&self, at: LocationId, part: Option<&Runs>, locations: &Locations) -> bool {
        match part {
            None => self.heap.is_written(at),
            Some(runs) => self.heap.is_written_in(at, locations.range(at), runs),
        }
    }

    /// What a thread would find at a location now; nothing where the access is wrong.
    pub fn glimpse(&self, thread: ThreadId, at: LocationId, locations: &Locations) -> Option<Value> {
        self.heap.check(at).ok()?;
        let footprint = self.load_footprint(thread, at, locations);
        let part = part_from_memory(&footprint, locations);
        self.is_written(at, part.as_ref(), locations).then(|| self.seen_value(at, &footprint, locations))
    }

    /// A read while the own buffer is empty.
    fn read_memory(&mut self, at: LocationId, guard: Option<Guard>, order: Order, taking: &mut Taking) -> Reply {
        let Taking { thread, event, locations, .. } = *taking;
        match guard {
            Some(guard) => self.guarded_conflicts(thread, at, guard, locations, taking.taken),
            None => self.read_conflicts(thread, at, None, locations, taking.taken),
        }
        if let Err(fault) = self.heap.check(at) {
            return Reply::Fault(fault);
        }
        self.note_load(at, Load { by: thread, event, part: None });
        if order != Order::Copy && !self.heap.is_written(at) {
            return Reply::Fault(Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written"));
        }
        Reply::Value(self.heap.read(at))
    }

    pub(crate) fn note_load(&mut self, at: LocationId, load: Load) {
        let thread = load.by;
        let old = self.accesses.of_mut(at).load(load);
        self.journal.push(Undo::Load { at, thread, old });
    }

    /// A value reaches memory after the accesses that it conflicts with. The common case in one go: a word that
    /// overlaps no other location. Then it gives how many loads were stale before, which the journal must be told.
    #[inline(always)]
    fn write(&mut self, at: LocationId, value: &Value, taking: &mut Taking) -> Result<Option<u32>, Fault> {
        let Value::Word(new) = *value else { return self.write_part(at, value, taking).map(|()| None) };
        if !taking.locations.overlapping(at).is_empty() {
            return self.write_part(at, value, taking).map(|()| None);
        }
        let access = self.accesses.of_mut(at);
        access.conflicts(taking.thread, taking.taken);
        self.heap.check(at)?;
        let old = self.heap.write_word(at, new, &mut self.journal);
        Ok(Some(access.write(Written { by: taking.thread, event: taking.event, old })))
    }

    fn write_part(&mut self, at: LocationId, value: &Value, taking: &mut Taking) -> Result<(), Fault> {
        self.write_conflicts(taking.thread, at, taking.locations, taking.taken);
        self.heap.check(at)?;
        self.put(taking.thread, at, value, taking.event);
        Ok(())
    }

    fn rmw(&mut self, at: LocationId, rmw: &Rmw, taking: &mut Taking) -> Reply {
        let Taking { thread, event, locations, .. } = *taking;
        self.order_updates(taking);
        if let Err(fault) = self.heap.check(at) {
            self.write_conflicts(thread, at, locations, taking.taken);
            return Reply::Fault(fault);
        }
        let old = self.heap.read(at);
        let size = locations.range(at).size;
        let new = rmw.apply(old.to_u128(), size);
        match rmw.guard {
            Some(guard) => self.guarded_conflicts(thread, at, guard, locations, taking.taken),
            None => self.read_conflicts(thread, at, None, locations, taking.taken),
        }
        if new.is_some() {
            self.load_conflicts(thread, at, locations, taking.taken);
        }
        match new {
            Some(new) => self.put(thread, at, &Value::from_u128(new, size), event),
            None => self.note_load(at, Load { by: thread, event, part: None }),
        }
        Reply::Value(old)
    }

    /// A read that waits for the own stores, so that nothing of it comes from the buffer, and that is remembered.
    fn reserve(&mut self, at: LocationId, taking: &mut Taking) -> Reply {
        self.order_updates(taking);
        let old = self.buffers[taking.thread.index()].state.reserved.replace(taking.event);
        self.journal.push(Undo::Reserved { thread: taking.thread, old });
        self.read(at, None, Order::Relaxed, taking)
    }

    /// The step comes after the updates for its thread.
    pub(crate) fn order_updates(&mut self, taking: &mut Taking) {
        let updates = &mut self.buffers[taking.thread.index()].state.updates;
        if !updates.is_empty() {
            taking.taken.order.extend(updates.iter().map(|update| update.event));
            self.journal.push(Undo::Updates { thread: taking.thread, from: updates.begin() });
        }
    }

    /// Waits for the own stores to the object only, and has nothing to do with those to other objects.
    fn free(&mut self, at: LocationId, start: Address, how: Free, taking: &mut Taking) -> Reply {
        self.write_conflicts(taking.thread, at, taking.locations, taking.taken);
        let range = taking.locations.range(at);
        match self.heap.free(at, start, range, how == Free::Heap, &mut self.journal) {
            Err(fault) => Reply::Fault(fault),
            Ok(()) => {
                self.note_write(taking.thread, at, 0, taking.event);
                Reply::Done
            }
        }
    }

    /// The same for the object that comes into its place. Where there is none it has still asked for all of it.
    fn reuse(&mut self, at: LocationId, (size, zeroed): (u64, bool), taking: &mut Taking) -> Reply {
        self.write_conflicts(taking.thread, at, taking.locations, taking.taken);
        let is_there = self.heap.reuse(at, size, zeroed, &mut self.journal);
        self.note_write(taking.thread, at, 0, taking.event);
        Reply::Value(Value::Word(is_there as u64))
    }

    /// Takes an update, which becomes the event at `event`. Gives the fault if the store finds its object freed.
    pub fn update(&mut self, who: Who, event: Position, locations: &Locations, taken: &mut Taken) -> Option<Fault> {
        let (thread, id) = (who.thread(), self.leaving(who));
        let Buffer { entries, state } = &mut self.buffers[thread.index()];
        entries.leave(id);
        self.n_entries -= 1;
        let Entry { at, epoch, ref value, ref after, .. } = *entries.get(id);
        taken.order.extend_from_slice(after);
        // Those of the same location are by the same actor.
        taken.order.extend(state.updates_before(epoch).filter(|update| update.at != at).map(|update| update.event));
        // Under PSO those that overlap are not; where they were wrong, memory does not know of them.
        let overlapping = locations.overlapping(at);
        if !overlapping.is_empty() {
            taken.order.extend(state.updates.iter().filter(|update| overlapping.contains(&update.at)).map(|update| update.event));
        }
        state.updates.push(Update { event, at, epoch });
        let value = value.clone();
        let written = self.write(at, &value, &mut Taking { thread, event, locations, taken });
        let stale = written.as_ref().ok().copied().flatten();
        self.journal.push(Undo::Updated { thread, entry: id, stale });
        if written.is_ok() {
            self.note_forwarding_loads(thread, id, locations);
        }
        written.err()
    }

    /// A value reaches memory.
    fn put(&mut self, thread: ThreadId, at: LocationId, value: &Value, event: Position) {
        match value {
            Value::Word(new) => {
                let old = self.heap.write_word(at, *new, &mut self.journal);
                let stale = self.accesses.of_mut(at).write(Written { by: thread, event, old });
                self.journal.push(Undo::Word { at, stale });
            }
            Value::Bytes(new) => {
                let old = self.heap.write_bytes(at, new, &mut self.journal);
                self.note_write(thread, at, old, event);
            }
        }
    }

    pub(crate) fn note_write(&mut self, thread: ThreadId, at: LocationId, old: u64, event: Position) {
        let stale = self.accesses.of_mut(at).write(Written { by: thread, event, old });
        self.journal.push(Undo::Written { at, stale });
    }
}
