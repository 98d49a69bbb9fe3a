//! Runs a schedule once more, forward only, over a plain memory, and says what trace it is.
//!
//! This shares nothing with the explorers and nothing with the memory that they run on: bytes are in a map, each with
//! the store that wrote it; buffers are lists. It is what witnesses are believed because of, and what the twins are
//! compared by.

use crate::judgement::{Did, Judgement, Trace};
use crate::orders::{Buffering, Demand};
use crate::stuck::{Stand, Stands};
use crate::watch::{Act, StoreName, Watch};
use raddle_event::{Action, Address, Fault, FaultKind, LocationId, Locations, Order, Published, Range, Reply, Rmw, ThreadId, Value, Who};
use raddle_machine::{Blocked, FaultAt, Machine, Next, Piece, holder};
use raddle_program::FunctionId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

struct Pending {
    at: LocationId,
    value: Value,
    number: u32,
    epoch: u32,
}

/// A plain memory with a machine, and whoever watches them.
pub struct PlainSchedule<'p, W> {
    /// The machine whose steps are taken.
    pub machine: Machine<'p>,
    buffering: Buffering,
    bytes: FxHashMap<u64, (u8, StoreName)>,
    /// The bytes that were never written, where somebody asks.
    unwritten: FxHashSet<u64>,
    tracked: bool,
    /// Live and freed objects: start to (size, live, heap).
    objects: BTreeMap<u64, (u64, bool, bool)>,
    buffers: BTreeMap<ThreadId, Vec<Pending>>,
    epochs: BTreeMap<ThreadId, u32>,
    stores: BTreeMap<ThreadId, u32>,
    draining: BTreeMap<ThreadId, bool>,
    /// What each thread has reserved, until another writes there.
    reserved: BTreeMap<ThreadId, Range>,
    ended: BTreeMap<ThreadId, u64>,
    /// The faults that stores committed when they reached memory.
    late: Vec<FaultAt>,
    trace: Trace,
    output: Vec<Piece>,
    /// Who looks on.
    pub watch: W,
}

impl<'p, W: Watch> PlainSchedule<'p, W> {
    /// A program whose threads have started and done nothing yet.
    pub fn new(machine: Machine<'p>, buffering: Buffering, tracked: bool, watch: W) -> PlainSchedule<'p, W> {
        PlainSchedule {
            machine,
            buffering,
            bytes: FxHashMap::default(),
            unwritten: FxHashSet::default(),
            tracked,
            objects: BTreeMap::new(),
            buffers: BTreeMap::new(),
            epochs: BTreeMap::new(),
            stores: BTreeMap::new(),
            draining: BTreeMap::new(),
            reserved: BTreeMap::new(),
            ended: BTreeMap::new(),
            late: Vec::new(),
            trace: Trace::default(),
            output: Vec::new(),
            watch,
        }
    }

    /// Runs a schedule from the start; tells whether every step of it could be taken.
    pub fn run(&mut self, steps: &[(Who, u32)]) -> bool {
        if let Some(image) = self.machine.first_image() {
            self.adopt(&image);
        }
        for thread in self.machine.threads().collect::<Vec<_>>() {
            self.print(thread);
        }
        self.settle() && steps.iter().all(|&(who, choice)| self.step(who, choice).is_some() && self.settle())
    }

    fn adopt(&mut self, image: &[Published]) {
        for object in image {
            self.objects.insert(object.address.0, (object.size, !object.freed, object.heap));
            self.clear(object.address.0, object.size);
            for (n, &byte) in object.bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                self.bytes.insert(object.address.0 + n as u64, (byte, None));
            }
            let never = object.written.iter().enumerate().filter(|(_, written)| **written == 0);
            self.unwritten.extend(never.map(|(n, _)| object.address.0 + n as u64));
        }
    }

    /// Makes bytes zero; those that are not known are.
    fn clear(&mut self, start: u64, size: u64) {
        if size <= self.bytes.len() as u64 {
            (start..start + size).for_each(|at| _ = self.bytes.remove(&at));
        } else {
            self.bytes.retain(|at, _| !(start..start + size).contains(at));
        }
    }

    /// Takes over what the action of a thread brings.
    fn adopt_from(&mut self, thread: ThreadId) {
        if let Some(image) = self.machine.image(thread) {
            self.adopt(&image);
        }
    }

    fn locations(&self) -> &Locations {
        self.machine.locations()
    }

    /// Lets every thread do what nobody can overtake; tells whether that ended before there were more turns than there
    /// may be.
    fn settle(&mut self) -> bool {
        // Joins and ends of threads count here too.
        let most = self.machine.limits().silent_turns().map_or(u64::MAX, |most| most.saturating_mul(2));
        (0..most).any(|_| {
            let threads: Vec<ThreadId> = self.machine.threads().collect();
            threads.into_iter().filter(|&thread| self.settle_one(thread)).count() == 0
        })
    }

    fn is_drained(&self, thread: ThreadId) -> bool {
        self.buffers.get(&thread).is_none_or(|buffer| buffer.is_empty())
    }

    /// An object comes into being.
    fn allocate(&mut self, at: LocationId, size: u64, zeroed: bool) {
        let start = self.locations().range(at).start;
        let heap = matches!(self.machine.addresses().find(start), Some((raddle_event::Region::Heap(_), ..)));
        self.objects.insert(start.0, (size, true, heap));
        self.clear(start.0, size);
        if self.tracked && !zeroed {
            self.unwritten.extend((0..size).map(|n| start.0 + n));
        }
    }

    /// An object comes into being where one of its size was freed; tells whether there was one.
    fn reuse(&mut self, at: LocationId, size: u64, zeroed: bool) -> bool {
        let start = self.locations().range(at).start.0;
        let is_there = self.objects.get(&start) == Some(&(size, false, true));
        if is_there {
            self.allocate(at, size, zeroed);
        }
        is_there
    }

    fn settle_one(&mut self, thread: ThreadId) -> bool {
        if let Next::Ended(values) = self.machine.next(thread) {
            let result = values.first().copied().unwrap_or(0);
            return self.ended.insert(thread, result).is_none();
        }
        let Some(action) = self.machine.action(thread).cloned() else { return false };
        let drained = self.is_drained(thread);
        let direct = self.buffering.is_direct();
        let reply = match &action {
            Action::Allocate { at, size, zeroed } => {
                self.allocate(*at, *size, *zeroed);
                self.adopt_from(thread);
                Reply::Done
            }
            Action::Spawn { child, function, argument } if drained => {
                self.adopt_from(thread);
                self.watch.act(&self.machine, thread, &Act::Did { action: &action, reply: &Reply::Done, from: &[], store: None });
                self.machine.start(*child, FunctionId(*function), *argument);
                self.print(*child);
                self.advance(thread, Reply::Done);
                return true;
            }
            Action::Fence(fence) => match self.buffering.fence(*fence) {
                Demand::None => Reply::Done,
                Demand::Stores => {
                    *self.epochs.entry(thread).or_default() += 1;
                    Reply::Done
                }
                Demand::Drain if drained => Reply::Done,
                Demand::Drain => return false,
            },
            Action::Read { at, .. } => match self.machine.word_of(*at) {
                Some(joined) if self.ended.contains_key(&joined) && self.is_drained(joined) => {
                    let whole = self.locations().range(*at).size == 8;
                    Reply::Value(Value::Word(if whole { self.ended[&joined] } else { 0 }))
                }
                _ => return false,
            },
            Action::Write { at, value, order } if !direct => {
                if self.draining.get(&thread) == Some(&true) {
                    if !drained {
                        return false;
                    }
                    self.draining.insert(thread, false);
                    self.advance(thread, Reply::Done);
                    return true;
                } else {
                    return self.buffer(thread, *at, value, *order);
                }
            }
            _ => return false,
        };
        self.did(thread, &action, reply, &[], None);
        true
    }

    /// A thread has done something; it goes on with the reply.
    fn did(&mut self, thread: ThreadId, action: &Action, reply: Reply, from: &[StoreName], store: Option<u32>) {
        self.watch.act(&self.machine, thread, &Act::Did { action, reply: &reply, from, store });
        self.advance(thread, reply);
    }

    fn buffer(&mut self, thread: ThreadId, at: LocationId, value: &Value, order: raddle_event::Order) -> bool {
        let is_pso = self.buffering.is_by_location();
        let waiting = self.buffers.entry(thread).or_default().iter().filter(|pending| !is_pso || pending.at == at).count();
        if self.buffering.bound().is_some_and(|bound| waiting >= bound as usize) {
            return false;
        }
        if let Some(fault) = self.wrong(at) {
            let action = Action::Write { at, value: value.clone(), order };
            self.did(thread, &action, Reply::Fault(fault), &[], None);
            return true;
        }
        let (barrier, drains) = self.buffering.store(order);
        *self.epochs.entry(thread).or_default() += (barrier == Demand::Stores) as u32;
        let (number, epoch) = (self.new_store(thread), self.epochs[&thread]);
        self.note(thread, at, true, Vec::new());
        self.watch.act(&self.machine, thread, &Act::Buffered { at, value, order, store: number });
        self.buffers.entry(thread).or_default().push(Pending { at, value: value.clone(), number, epoch });
        match drains {
            true => drop(self.draining.insert(thread, true)),
            false => self.advance(thread, Reply::Done),
        }
        true
    }

    fn advance(&mut self, thread: ThreadId, reply: Reply) {
        self.machine.advance(thread, reply);
        self.print(thread);
    }

    fn print(&mut self, thread: ThreadId) {
        if let Some(output) = self.machine.output(thread) {
            self.output.extend(output.iter().cloned());
        }
    }

    fn new_store(&mut self, thread: ThreadId) -> u32 {
        let count = self.stores.entry(thread).or_default();
        *count += 1;
        *count
    }

    fn note(&mut self, thread: ThreadId, at: LocationId, writes: bool, from: Vec<StoreName>) {
        let range = self.locations().range(at);
        let did = Did::Access { start: range.start.0, size: range.size, writes, from };
        self.trace.threads.entry(thread).or_default().push(did);
    }

    fn wrong(&self, at: LocationId) -> Option<Fault> {
        let range = self.locations().range(at);
        let Some((start, &(size, live, _))) = self.objects.range(..=range.start.0).next_back() else {
            return Some(Fault::new(FaultKind::WildPointer, "access where no object is"));
        };
        let room = self.machine.addresses().room(range.start).map(|room| room.start.0);
        if room != Some(*start) {
            return Some(Fault::new(FaultKind::WildPointer, "access where no object is"));
        }
        if !live {
            return Some(Fault::new(FaultKind::UseAfterFree, format!("access to {} bytes of freed memory", range.size)));
        }
        let outside = || format!("access to {} bytes at offset {} of an object of {size} bytes", range.size, range.start.0 - start);
        (range.end() > start + size).then(|| Fault::new(FaultKind::OutOfBounds, outside()))
    }

    fn memory(&self, address: u64) -> (u8, StoreName) {
        self.bytes.get(&address).copied().unwrap_or((0, None))
    }

    /// The bytes of a location as a thread sees them, and where each comes from.
    fn seen(&self, thread: ThreadId, at: LocationId) -> (Vec<u8>, Vec<StoreName>) {
        let range = self.locations().range(at);
        let mut seen: Vec<(u8, StoreName)> = (range.start.0..range.end()).map(|address| self.memory(address)).collect();
        for pending in self.buffers.get(&thread).into_iter().flatten() {
            let other = self.locations().range(pending.at);
            pending.value.with_bytes(other.size, |bytes| {
                for (n, &byte) in bytes.iter().enumerate() {
                    let address = other.start.0 + n as u64;
                    if (range.start.0..range.end()).contains(&address) {
                        seen[(address - range.start.0) as usize] = (byte, Some((thread, pending.number)));
                    }
                }
            });
        }
        seen.into_iter().unzip()
    }

    fn put(&mut self, thread: ThreadId, number: u32, at: LocationId, value: &Value) {
        let range = self.locations().range(at);
        self.reserved.retain(|&other, reserved| other == thread || !reserved.overlaps(range));
        value.with_bytes(range.size, |bytes| {
            for (n, &byte) in bytes.iter().enumerate() {
                let address = range.start.0 + n as u64;
                self.unwritten.remove(&address);
                self.bytes.insert(address, (byte, Some((thread, number))));
                self.trace.coherence.entry(address).or_default().push((thread, number));
            }
        });
    }

    fn step(&mut self, who: Who, choice: u32) -> Option<()> {
        let thread = who.thread();
        if !self.machine.has_started(thread) {
            return None;
        }
        let Who::Thread(_) = who else { return self.update(who) };
        let action = self.machine.action(thread)?.clone();
        let mut from = Vec::new();
        let (reply, store) = match &action {
            // A join is no step: it happens by itself when the other thread has ended.
            Action::Read { at, .. } if self.machine.word_of(*at).is_some() => return None,
            Action::Read { at, guard, order } => {
                let reply = self.read(thread, *at, guard.is_none_or(|g| g.holds(self.word(*at))), &mut from)?;
                match reply {
                    Reply::Fault(Fault { kind: FaultKind::UninitialisedRead, .. }) if *order == Order::Copy => {
                        (Reply::Value(Value::from_bytes(&self.seen(thread, *at).0)), None)
                    }
                    reply => (reply, None),
                }
            }
            Action::Write { at, value, .. } if self.buffering.is_direct() => self.write(thread, *at, value),
            Action::Reserve { at, .. } => {
                let reply = self.read(thread, *at, self.is_drained(thread), &mut from)?;
                self.reserved.insert(thread, self.locations().range(*at));
                (reply, None)
            }
            Action::WriteReserved { at, value, .. } => {
                self.reserved.remove(&thread).filter(|_| self.is_drained(thread))?;
                self.write(thread, *at, value)
            }
            Action::Rmw { at, rmw, .. } => self.rmw(thread, *at, rmw, &mut from)?,
            Action::Free { at, start, how } => self.free(thread, *at, start.0, *how == raddle_event::Free::Heap),
            Action::Reuse { at, size, zeroed } => (Reply::Value(Value::Word(self.reuse(*at, *size, *zeroed) as u64)), None),
            Action::Choose { n } if choice < *n => {
                self.trace.threads.entry(thread).or_default().push(Did::Choice(choice));
                (Reply::Chosen(choice), None)
            }
            _ => return None,
        };
        self.did(thread, &action, reply, &from, store);
        Some(())
    }

    /// The first eight bytes of a location in memory.
    pub fn word(&self, at: LocationId) -> u64 {
        let range = self.locations().range(at);
        let bytes: Vec<u8> = (range.start.0..range.end()).map(|address| self.memory(address).0).collect();
        Value::from_bytes(&bytes).word()
    }

    fn read(&mut self, thread: ThreadId, at: LocationId, open: bool, sources: &mut Vec<StoreName>) -> Option<Reply> {
        if !open {
            return None;
        }
        if let Some(fault) = self.wrong(at) {
            return Some(Reply::Fault(fault));
        }
        let (bytes, from) = self.seen(thread, at);
        sources.clone_from(&from);
        self.note(thread, at, false, from);
        if self.is_unwritten(thread, at) {
            return Some(Reply::Fault(Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written")));
        }
        Some(Reply::Value(Value::from_bytes(&bytes)))
    }

    /// Whether bytes of a location were never written and are not in the thread's buffer.
    fn is_unwritten(&self, thread: ThreadId, at: LocationId) -> bool {
        let bytes = |at: LocationId| self.locations().range(at).start.0..self.locations().range(at).end();
        let is_pending = |address: u64| self.buffers.get(&thread).into_iter().flatten().any(|pending| bytes(pending.at).contains(&address));
        bytes(at).any(|address| self.unwritten.contains(&address) && !is_pending(address))
    }

    fn write(&mut self, thread: ThreadId, at: LocationId, value: &Value) -> (Reply, Option<u32>) {
        if let Some(fault) = self.wrong(at) {
            return (Reply::Fault(fault), None);
        }
        let number = self.new_store(thread);
        self.note(thread, at, true, Vec::new());
        self.put(thread, number, at, value);
        (Reply::Done, Some(number))
    }

    fn rmw(&mut self, thread: ThreadId, at: LocationId, rmw: &Rmw, sources: &mut Vec<StoreName>) -> Option<(Reply, Option<u32>)> {
        if !self.is_drained(thread) || rmw.guard.is_some_and(|guard| !guard.holds(self.word(at))) {
            return None;
        }
        if let Some(fault) = self.wrong(at) {
            return Some((Reply::Fault(fault), None));
        }
        let (bytes, from) = self.seen(thread, at);
        sources.clone_from(&from);
        let old = Value::from_bytes(&bytes);
        let new = rmw.apply(old.to_u128(), bytes.len() as u32);
        self.note(thread, at, new.is_some(), from);
        let store = new.map(|new| {
            let number = self.new_store(thread);
            self.put(thread, number, at, &Value::from_u128(new, bytes.len() as u32));
            number
        });
        Some((Reply::Value(old), store))
    }

    fn free(&mut self, thread: ThreadId, at: LocationId, start: u64, by_call: bool) -> (Reply, Option<u32>) {
        let room = self.locations().range(at).start.0;
        let wrong = |kind, what: &str| (Reply::Fault(Fault::new(kind, format!("{} {what}", Address(start)))), None);
        match self.objects.get(&room).copied() {
            Some((_, false, _)) => return wrong(FaultKind::DoubleFree, "is freed again"),
            Some((size, true, heap)) if !by_call || (heap && start == room) => {
                self.objects.insert(room, (size, false, heap));
            }
            _ => return wrong(FaultKind::InvalidFree, "is not the start of a heap object"),
        }
        let number = self.new_store(thread);
        let size = self.objects[&room].0;
        let before: Vec<StoreName> = (room..room + size).map(|address| self.memory(address).1).collect();
        self.note(thread, at, true, before);
        (room..room + size).for_each(|address| self.trace.coherence.entry(address).or_default().push((thread, number)));
        (Reply::Done, Some(number))
    }

    fn update(&mut self, who: Who) -> Option<()> {
        let thread = who.thread();
        let buffer = self.buffers.get(&thread)?;
        let index = match who {
            Who::UpdateAt(_, at) => buffer.iter().position(|pending| pending.at == at)?,
            _ => 0,
        };
        let leaving = buffer.get(index)?;
        let range = self.locations().range(leaving.at);
        let held = |older: &Pending| older.epoch != leaving.epoch || self.locations().range(older.at).overlaps(range);
        if self.buffering.is_by_location() && buffer[..index].iter().any(held) {
            return None;
        }
        let pending = self.buffers.get_mut(&thread)?.remove(index);
        let fault = self.wrong(pending.at);
        self.watch.act(
            &self.machine,
            thread,
            &Act::Updated { at: pending.at, value: &pending.value, store: pending.number, fault: fault.as_ref() },
        );
        match fault {
            None => self.put(thread, pending.number, pending.at, &pending.value),
            Some(fault) => self.late.push(FaultAt { thread, fault, moment: self.machine.moment(thread) }),
        }
        Some(())
    }

    /// How a thread stands now that nothing more is taken.
    fn stand(&self, thread: ThreadId) -> Stand {
        if !self.is_drained(thread) {
            return Stand::GoesOn;
        }
        match self.machine.next(thread) {
            Next::Ended(_) | Next::Fault(_) => Stand::Over,
            Next::Exited(_) => Stand::Exited,
            Next::Blocked(Blocked::Spin) if self.finds_the_same(thread) => Stand::Spins,
            Next::Blocked(Blocked::Spin) => Stand::GoesOn,
            Next::Action(action) => self.stand_before(thread, action),
            _ => Stand::Stopped,
        }
    }

    /// Whether a thread that spins would read once more what it has read in the last round of its loop, but for what
    /// the round has written itself (a lock that it has taken, and given back).
    fn finds_the_same(&self, thread: ThreadId) -> bool {
        self.machine.looks_before(self.machine.position(thread)).all(|(_, action, reply)| match (action.location(), reply) {
            (Some(at), Reply::Value(found)) => Value::from_bytes(&self.seen(thread, at).0) == *found,
            _ => true,
        })
    }

    fn stand_before(&self, thread: ThreadId, action: &Action) -> Stand {
        let Some(at) = action.location() else { return Stand::GoesOn };
        if let Some(joined) = self.machine.word_of(at) {
            return Stand::Joins(joined);
        }
        match (action, action.guard()) {
            (Action::WriteReserved { .. }, _) if !self.reserved.contains_key(&thread) => Stand::Stopped,
            (_, Some(guard)) if !guard.holds(self.word(at)) => Stand::Waits(holder(guard, self.locations().range(at).size, self.word(at))),
            _ => Stand::GoesOn,
        }
    }

    /// The trace, and the machine as it is now.
    pub fn into_trace(self) -> (Trace, Machine<'p>) {
        (self.trace, self.machine)
    }

    /// The heap objects that are not freed, with their sizes.
    pub fn unfreed(&self) -> Vec<(Address, u64)> {
        let live = self.objects.iter().filter(|(_, (_, live, heap))| *live && *heap);
        live.map(|(&start, object)| (Address(start), object.0)).chain(self.machine.private_heap()).collect()
    }

    /// What became of it.
    pub fn judgement(self) -> Judgement {
        let stands = Stands(self.machine.threads().map(|thread| (thread, self.stand(thread))).collect());
        let mut judgement = Judgement {
            unfreed: self.unfreed(),
            trace: self.trace,
            faults: self.late,
            stands,
            results: BTreeMap::new(),
            output: self.output,
        };
        judgement.look_at_threads(&self.machine);
        judgement
    }
}
