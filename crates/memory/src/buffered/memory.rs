//! The transition system of SC, TSO and PSO (Abdulla et al., TACAS 2015; the report's appendices B and C for what
//! depends on what).
//!
//! A step is an access by a thread, or an update: a store leaves its buffer and reaches memory. Everything else is
//! *silent*: it happens as soon as it can, is no event, and only leaves behind what the thread's next event comes
//! after. Silent are stores into a buffer, fences (once the buffer is empty), spawns, joins and allocations. Nobody can
//! overtake these, so no interleaving is lost.
//!
//! Deviations from the report: locations are byte ranges that may overlap; barriers between stores (PSO); guarded
//! actions.

use super::accesses::{Accesses, LocationAccesses, Written};
use super::actors::Actors;
use super::buffer::{Buffer, Counts, Entries, Entry, EntryId, ThreadState, Update};
use super::forwarding::part_from_memory;
use super::model::{BufferedModel, Buffers, Drain};
use super::runs::Runs;
use super::undo::Undo;
use crate::heap::Heap;
use raddle_event::{
    Action, Actor, Address, AddressMap, Footprint, Guard, LocationId, Locations, Order, Published, Reply, StoreId, ThreadId, Value, Who,
};
use smallvec::SmallVec;
use std::ops::ControlFlow;

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
    pub(crate) model: BufferedModel,
    direct: bool,
    pub(crate) heap: Heap,
    pub(crate) accesses: Accesses,
    pub(crate) buffers: Vec<Buffer>,
    /// How many entries are in all buffers.
    pub(crate) n_entries: u32,
    actors: Actors,
    pub(crate) journal: Vec<Undo>,
    /// Whether the bound has kept a store of some execution from waiting in its buffer.
    pub(crate) bound_is_felt: bool,
}

impl Memory {
    /// An empty memory; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(model: BufferedModel, tracked: bool) -> Memory {
        Memory {
            bound_is_felt: false,
            model,
            direct: model.is_direct(),
            heap: Heap::new(tracked),
            accesses: Accesses::default(),
            buffers: Vec::new(),
            n_entries: 0,
            actors: Actors::default(),
            journal: Vec::new(),
        }
    }

    /// Learns of the locations and threads seen since the last time.
    #[inline]
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap, n_threads: usize) {
        if self.accesses.len() < locations.len() || self.buffers.len() < n_threads {
            self.learn_more(locations, map, n_threads);
        }
    }

    fn learn_more(&mut self, locations: &Locations, map: &AddressMap, n_threads: usize) {
        self.heap.learn(locations, map);
        self.accesses.widen(locations.len());
        while self.buffers.len() < n_threads {
            let thread = ThreadId(self.buffers.len() as u32);
            self.actors.number(Who::Thread(thread));
            if self.model.buffers == Buffers::Tso {
                self.actors.number(Who::Update(thread));
            }
            self.buffers.push(Buffer::default());
        }
    }

    /// Whether the bound of the buffers may have cut something: a thread has made more stores than fit since it last
    /// waited for all of them.
    pub fn bound_is_felt(&self) -> bool {
        self.bound_is_felt
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

    /// Forgets how to go back, and what only matters for what depends on what.
    pub fn forget_past(&mut self) {
        self.journal.clear();
        self.accesses.iter_mut().for_each(LocationAccesses::forget_past);
        for Buffer { entries, state } in &mut self.buffers {
            entries.forget_past();
            state.pending.forget_past();
            state.updates.forget_past();
        }
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Word { at, stale } => drop(self.unwrite(at, stale)),
            Undo::Stored { at, stale, last } => {
                let by = self.unwrite(at, stale);
                self.buffers[by.index()].state.last = last;
            }
            Undo::InBlock { at, old } => self.heap.restore_word(at, old),
            Undo::Heap(change) => self.heap.take_back(change),
            Undo::Load { at, thread, old } => self.accesses.of_mut(at).unload(thread, old),
            Undo::Written { at, stale } => drop(self.accesses.of_mut(at).unwrite(stale)),
            Undo::Pushed { thread, counts } => {
                self.n_entries -= 1;
                let Buffer { entries, state } = &mut self.buffers[thread.index()];
                entries.pop();
                state.counts = counts;
            }
            Undo::Updated { thread, entry, stale } => {
                self.n_entries += 1;
                let Buffer { entries, state } = &mut self.buffers[thread.index()];
                entries.link(entry);
                state.updates.pop();
                if let Some(stale) = stale {
                    let at = entries.get(entry).at;
                    self.unwrite(at, stale);
                }
            }
            Undo::Forwarded { thread, entry } => drop(self.buffers[thread.index()].entries.get_mut(entry).loads.pop()),
            Undo::Last { thread, old } => self.buffers[thread.index()].state.last = old,
            Undo::Pending { thread, from } => self.buffers[thread.index()].state.pending.begin_at(from),
            Undo::PendingCut { thread, len } => self.buffers[thread.index()].state.pending.cut(len),
            Undo::Updates { thread, from } => self.buffers[thread.index()].state.updates.begin_at(from),
            Undo::Counts { thread, old } => self.buffers[thread.index()].state.counts = old,
            Undo::Reserved { thread, old } => self.buffers[thread.index()].state.reserved = old,
        }
    }

    /// Takes back the last write of a word; tells whose it was.
    #[inline]
    fn unwrite(&mut self, at: LocationId, stale: u32) -> ThreadId {
        let Written { by, old, .. } = self.accesses.of_mut(at).unwrite(stale);
        self.heap.restore_word(at, old);
        by
    }

    pub(crate) fn state(&self, thread: ThreadId) -> &ThreadState {
        &self.buffers[thread.index()].state
    }

    /// What a thread has put into its buffer, to be changed.
    pub(crate) fn change_counts(&mut self, thread: ThreadId) -> &mut Counts {
        let counts = &mut self.buffers[thread.index()].state.counts;
        self.journal.push(Undo::Counts { thread, old: *counts });
        counts
    }

    /// The next event of a thread comes after what another has done so far; `waited` says that this includes its
    /// updates.
    fn come_after(&mut self, thread: ThreadId, other: ThreadId, waited: bool) {
        let Ok([mine, other]) = self.buffers.get_disjoint_mut([thread.index(), other.index()]) else {
            unreachable!("a thread neither spawns nor joins itself")
        };
        let pending = &mut mine.state.pending;
        self.journal.push(Undo::PendingCut { thread, len: pending.len_of_all() });
        pending.extend_from_slice(&other.state.pending);
        if let Some(last) = other.state.last {
            pending.push(last);
        }
        if waited && !other.state.updates.is_empty() {
            pending.extend(other.state.updates.iter().map(|update| update.event));
        }
    }

    /// A thread has waited for its updates: what it does next comes after them.
    fn wait_for_updates(&mut self, thread: ThreadId) {
        self.come_after_updates(thread);
        let updates = &mut self.buffers[thread.index()].state.updates;
        if !updates.is_empty() {
            self.journal.push(Undo::Updates { thread, from: updates.begin() });
        }
    }

    /// What a thread does next comes after the updates for it.
    fn come_after_updates(&mut self, thread: ThreadId) {
        let ThreadState { pending, updates, .. } = &mut self.buffers[thread.index()].state;
        if !updates.is_empty() {
            self.journal.push(Undo::PendingCut { thread, len: pending.len_of_all() });
            pending.extend(updates.iter().map(|update| update.event));
        }
    }

    /// Whether no store of a thread waits to reach memory.
    #[inline]
    pub fn is_empty(&self, thread: ThreadId) -> bool {
        self.buffers[thread.index()].entries.is_empty()
    }

    /// Whether no store of a thread has waited longer than the one that leaves next for a location.
    pub fn is_oldest(&self, thread: ThreadId, at: LocationId) -> bool {
        let entries = &self.buffers[thread.index()].entries;
        entries.oldest().is_some_and(|oldest| entries.get(oldest).at == at)
    }

    /// Whether stores go to memory at once.
    #[inline]
    pub fn is_direct(&self) -> bool {
        self.direct
    }

    /// The number of an actor.
    pub fn actor(&self, who: Who) -> Actor {
        self.actors.known(who)
    }

    /// The number of an actor; a new one where it has none.
    pub fn number(&mut self, who: Who) -> Actor {
        self.actors.number(who)
    }

    /// Who has this number.
    pub fn who(&self, actor: Actor) -> Who {
        self.actors.who(actor)
    }

    /// The bytes of a live shared object.
    pub fn look(&self, start: Address) -> Option<&[u8]> {
        self.heap.look(start)
    }

    /// Whether a location has a value now.
    pub fn has(&self, at: LocationId, value: &Value) -> bool {
        self.heap.has(at, value)
    }

    /// The first eight bytes of a location, or zero where it is not accessible.
    pub fn word(&self, at: LocationId) -> u64 {
        self.heap.word(at)
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
            Action::Write { .. } if self.direct => Readiness::Step,
            Action::Write { .. } if self.state(thread).counts.draining => when(self.is_empty(thread), Readiness::Silent),
            Action::Write { at, .. } => when(self.has_room(thread, at), Readiness::Silent),
            Action::Read { guard: None, .. } => Readiness::Step,
            Action::Read { guard: Some(Guard::Ended), .. } => Readiness::Waits,
            Action::Read { at, guard: Some(guard), .. } => when(guard.holds(self.heap.word(at)), Readiness::Step),
            Action::Rmw { at, rmw, .. } => {
                let open = rmw.guard.is_none_or(|guard| guard.holds(self.heap.word(at)));
                when(open && self.is_empty(thread), Readiness::Step)
            }
            Action::Reserve { .. } => when(self.is_empty(thread), Readiness::Step),
            Action::WriteReserved { at, .. } => {
                let intact = self.broken_by(thread, at, locations).next().is_none();
                when(intact && self.is_empty(thread), Readiness::Step)
            }
            Action::Fence(fence) => when(self.model.fence(fence) != Drain::Drain || self.is_empty(thread), Readiness::Silent),
            Action::Free { at, .. } | Action::Reuse { at, .. } => {
                let overlaps = |entry: &Entry| locations.overlapping(at).contains(&entry.at);
                when(!self.buffers[thread.index()].entries.iter().any(overlaps), Readiness::Step)
            }
            Action::Choose { .. } => Readiness::Step,
        }
    }

    /// Whether the bound lets one more store to a location wait.
    fn has_room(&self, thread: ThreadId, at: LocationId) -> bool {
        self.model.bound.is_none_or(|bound| self.waiting_with(thread, at) < bound as usize)
    }

    /// How many stores wait in the buffer that a store to a location goes to.
    fn waiting_with(&self, thread: ThreadId, at: LocationId) -> usize {
        self.buffers[thread.index()].entries.iter().filter(|entry| self.model.share_buffer(entry.at, at)).count()
    }

    /// The updates that can happen now.
    #[inline(always)]
    pub fn updates(&self, locations: &Locations, mut found: impl FnMut(Actor) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.n_entries == 0 {
            return ControlFlow::Continue(());
        }
        for (number, buffer) in self.buffers.iter().enumerate() {
            let thread = ThreadId(number as u32);
            match self.model.buffers {
                Buffers::Sc => {}
                Buffers::Tso if buffer.entries.is_empty() => {}
                Buffers::Tso => found(self.actors.known(Who::Update(thread)))?,
                Buffers::Pso => {
                    for id in buffer.entries.ids().filter(|&id| can_leave(&buffer.entries, id, locations)) {
                        found(self.actors.known(Who::UpdateAt(thread, buffer.entries.get(id).at)))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The entry that an update takes.
    pub(crate) fn leaving(&self, who: Who) -> EntryId {
        let entries = &self.buffers[who.thread().index()].entries;
        let found = match who {
            Who::UpdateAt(_, at) => entries.ids().find(|&id| entries.get(id).at == at),
            _ => entries.oldest(),
        };
        found.expect("an update that is enabled has an entry")
    }

    /// How many stores a thread has put into its buffer so far.
    #[inline]
    pub fn n_stores(&self, thread: ThreadId) -> u32 {
        self.state(thread).counts.stores
    }

    /// Which of the stores that its thread has put into its buffer an update takes, counted from one, and where it
    /// stores.
    pub fn leaving_store(&self, who: Who) -> (u32, LocationId) {
        let entry = self.buffers[who.thread().index()].entries.get(self.leaving(who));
        (entry.store.count, entry.at)
    }

    /// The bytes of a location that a load of a thread takes from memory; `None` for all.
    pub fn part_of_memory(&self, thread: ThreadId, at: LocationId, locations: &Locations) -> Option<Runs> {
        match self.is_empty(thread) {
            true => None,
            false => part_from_memory(&self.load_footprint(thread, at, locations), locations),
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
                self.wait_for_updates(thread);
                self.come_after(*child, thread, false);
            }
            Action::Fence(fence) => match self.model.fence(*fence) {
                Drain::None => {}
                Drain::Stores => self.change_counts(thread).epoch += 1,
                Drain::Drain => self.wait_for_updates(thread),
            },
            Action::Write { at, value, order } => return self.buffer(thread, *at, value, *order),
            Action::Read { .. }
            | Action::Rmw { .. }
            | Action::Reserve { .. }
            | Action::WriteReserved { .. }
            | Action::Free { .. }
            | Action::Reuse { .. }
            | Action::Choose { .. } => unreachable!("{action:?} is not silent"),
        }
        Some(Reply::Done)
    }

    /// The thread whose word is at a location, and whether the location is the whole word.
    #[inline]
    pub fn thread_of(&self, word: LocationId) -> (ThreadId, bool) {
        let spot = self.heap.spot(word);
        (spot.word_of.expect("a thread that is joined has a word"), spot.size == 8)
    }

    /// A thread has joined another, which is silent too: what it does next comes after all that the other did.
    pub fn join(&mut self, thread: ThreadId, joined: ThreadId) {
        self.come_after(thread, joined, true);
    }

    /// Puts a store into the buffer; one that drains is complete when the buffer is empty again.
    fn buffer(&mut self, thread: ThreadId, at: LocationId, value: &Value, order: Order) -> Option<Reply> {
        if self.state(thread).counts.draining {
            self.change_counts(thread).draining = false;
            self.wait_for_updates(thread);
            return Some(Reply::Done);
        }
        if let Err(fault) = self.heap.check(at) {
            return Some(Reply::Fault(fault));
        }
        let (barrier, drains) = self.model.store(order);
        if self.model.is_by_location() {
            self.actors.number(Who::UpdateAt(thread, at));
        }
        if let Some(bound) = self.model.bound {
            self.come_after_room(thread, at, bound);
        }
        let counts = &mut self.buffers[thread.index()].state.counts;
        self.journal.push(Undo::Pushed { thread, counts: *counts });
        counts.stores += 1;
        counts.epoch += (barrier == Drain::Stores) as u32;
        counts.draining = drains;
        let Counts { stores, epoch, .. } = *counts;
        let store = StoreId { thread: thread.0, count: stores };
        let after = self.state(thread).before().collect();
        let entry = Entry { at, value: value.clone(), store, after, loads: SmallVec::new(), epoch };
        self.n_entries += 1;
        self.buffers[thread.index()].entries.push(entry);
        (!drains).then_some(Reply::Done)
    }

    /// With a bound a store comes after the update that made room for it: that of the store which is `bound` stores
    /// older in the same buffer. It is the same one whether the store had to wait or not, so the order does not depend
    /// on the schedule.
    fn come_after_room(&mut self, thread: ThreadId, at: LocationId, bound: u32) {
        let waiting = self.waiting_with(thread, at);
        let updates = self.state(thread).updates.iter().rev().filter(|update| self.model.share_buffer(update.at, at));
        if let Some(Update { event, .. }) = updates.copied().nth(bound as usize - waiting - 1) {
            self.bound_is_felt = true;
            let pending = &mut self.buffers[thread.index()].state.pending;
            self.journal.push(Undo::PendingCut { thread, len: pending.len_of_all() });
            pending.push(event);
        }
    }

    /// What an update touches.
    pub fn update_footprint(&self, who: Who) -> Footprint {
        let entry = self.buffers[who.thread().index()].entries.get(self.leaving(who));
        Footprint { write: Some(entry.at), thread: who.thread().0, update: Some(entry.store), ..Footprint::default() }
    }
}

/// Whether an entry can leave a PSO buffer.
fn can_leave(entries: &Entries, id: EntryId, locations: &Locations) -> bool {
    let entry = entries.get(id);
    let range = locations.range(entry.at);
    entries.older(id).all(|other| other.epoch == entry.epoch && !locations.range(other.at).overlaps(range))
}
