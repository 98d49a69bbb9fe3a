//! The shared objects of an execution whose events are committed out of order: which there are, and what their bytes
//! are at first.
//!
//! Stores never change these bytes: what a load reads is the value of its source. Objects come into being while a
//! thread is fetched, and cease to be when their end is committed. So a local variable may come into being again, at
//! the same address, while its end is not committed: then it waits for that.

use crate::heap::{Change, Heap, Life, RoomId, RoomState};
use raddle_event::{Address, AddressMap, Arrival, Fault, FaultKind, Free, LocationId, Locations, Published, Value};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The shared objects.
pub struct Objects {
    heap: Heap,
    /// The objects that come into being when the one before them in their room ceases to be, the next one first.
    waiting: FxHashMap<RoomId, VecDeque<Arrival>>,
    journal: Vec<Undo>,
}

/// How to take back a change.
enum Undo {
    Heap(Change),
    /// An object began to wait.
    Waits(RoomId),
    /// An object waited no longer.
    Waited(RoomId, Box<Arrival>),
}

impl From<Change> for Undo {
    fn from(change: Change) -> Undo {
        Undo::Heap(change)
    }
}

impl Objects {
    /// No objects; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(tracked: bool) -> Objects {
        Objects { heap: Heap::new(tracked), waiting: FxHashMap::default(), journal: Vec::new() }
    }

    /// Learns where the locations lie that were seen since the last time.
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap) {
        self.heap.learn(locations, map);
    }

    /// Takes over objects that were private so far.
    pub fn adopt(&mut self, image: &[Published], map: &AddressMap) {
        self.heap.adopt(image, map, &mut self.journal);
    }

    /// An object comes into being, once the one before it in its room has ceased to be.
    pub fn arrive(&mut self, arrival: &Arrival, map: &AddressMap) {
        if self.heap.is_live(arrival.at) {
            let room = self.heap.spot(arrival.at).room;
            self.waiting.entry(room).or_default().push_back(arrival.clone());
            self.journal.push(Undo::Waits(room));
        } else {
            self.begin(arrival, map);
        }
    }

    fn begin(&mut self, arrival: &Arrival, map: &AddressMap) {
        let heap = self.heap.spot(arrival.at).heap;
        self.heap.allocate(arrival.at, arrival.size, arrival.zeroed, heap, &mut self.journal);
        if let Some(image) = &arrival.image {
            self.adopt(image, map);
        }
    }

    /// An object ceases to be. One that waits for that takes its place.
    pub fn free(&mut self, at: LocationId, start: Address, how: Free, locations: &Locations, map: &AddressMap) -> Result<(), Fault> {
        self.heap.free(at, start, locations.range(at), how == Free::Heap, &mut self.journal)?;
        let room = self.heap.spot(at).room;
        if let Some(next) = self.waiting.get_mut(&room).and_then(VecDeque::pop_front) {
            self.begin(&next, map);
            self.journal.push(Undo::Waited(room, Box::new(next)));
        }
        Ok(())
    }

    /// Whether the object in which a location lies has ceased to be, and there is no other at its place.
    pub fn is_freed(&self, at: LocationId) -> bool {
        self.heap.check(at).is_err_and(|fault| fault.kind == FaultKind::UseAfterFree)
    }

    /// The object in which a location lies, before it ceased to be.
    fn former(&self, at: LocationId) -> Option<&RoomState> {
        let room = self.heap.spot(at).room;
        self.journal.iter().rev().find_map(|undo| match undo {
            Undo::Heap(Change::Room { room: other, old }) if *other == room && old.life == Life::Live => Some(&**old),
            _ => None,
        })
    }

    /// What a location has of the bytes of an object that has ceased to be.
    fn part<'o>(&self, at: LocationId, of: &'o [u8]) -> Option<&'o [u8]> {
        let spot = self.heap.spot(at);
        of.get(spot.offset as usize..(spot.offset + spot.size) as usize)
    }

    /// Whether an access to a location is right, or was before the object ceased to be.
    pub fn check(&self, at: LocationId) -> Result<(), Fault> {
        let fault = match self.heap.check(at) {
            Err(fault) if fault.kind == FaultKind::UseAfterFree => fault,
            checked => return checked,
        };
        let Some(object) = self.former(at) else { return Err(fault) };
        let (spot, size) = (self.heap.spot(at), object.bytes.len());
        let what = || format!("access to {} bytes at offset {} of an object of {size} bytes", spot.size, spot.offset);
        self.part(at, &object.bytes).map(drop).ok_or_else(|| Fault::new(FaultKind::OutOfBounds, what()))
    }

    /// The initial value of a location, also after its object has ceased to be; zero where an access is wrong.
    pub fn initial(&self, at: LocationId) -> Value {
        if self.heap.check(at).is_ok() {
            return self.heap.read(at);
        }
        self.former(at).and_then(|object| self.part(at, &object.bytes)).map_or(Value::Word(0), Value::from_bytes)
    }

    /// Whether a location has an initial value, or had one before its object ceased to be.
    pub fn is_initialised(&self, at: LocationId) -> bool {
        if self.heap.check(at).is_ok() {
            return self.heap.is_written(at);
        }
        let former = self.former(at).and_then(|object| self.part(at, &object.written));
        former.is_none_or(|written| !written.contains(&0))
    }

    /// Whether two locations lie in the same object.
    pub fn is_same(&self, a: LocationId, b: LocationId) -> bool {
        self.heap.spot(a).room == self.heap.spot(b).room
    }

    /// The initial bytes of a live object.
    pub fn look(&self, start: Address) -> Option<&[u8]> {
        self.heap.look(start)
    }

    /// The live heap objects, with their sizes.
    pub fn live_heap_objects(&self) -> Vec<(Address, usize)> {
        self.heap.live_heap_objects()
    }

    /// A point to which the objects can go back.
    pub fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Goes back to a point.
    pub fn rewind(&mut self, mark: usize) {
        for undo in self.journal.drain(mark..).rev() {
            match undo {
                Undo::Heap(change) => self.heap.take_back(change),
                Undo::Waits(room) => drop(self.waiting.get_mut(&room).and_then(VecDeque::pop_back)),
                Undo::Waited(room, next) => self.waiting.entry(room).or_default().push_front(*next),
            }
        }
    }
}
