//! Shared objects and their bytes.
//!
//! Each object has a *room* of its own in the address space. Rooms are numbered once for all executions; which of them
//! hold an object, and what is in it, belongs to the present execution.

use raddle_event::{Address, AddressMap, Fault, FaultKind, LocationId, Locations, Published, Range, Region, ThreadId, Value};
use rustc_hash::FxHashMap;

/// The number of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomId(u32);

/// What became of the object of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Life {
    #[default]
    Absent,
    Live,
    Freed,
}

/// What a room holds in the present execution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoomState {
    pub life: Life,
    /// Whether it may be given to `free`.
    pub heap: bool,
    pub bytes: Vec<u8>,
    /// Which bytes have been written; empty when that does not matter.
    pub written: Vec<u8>,
    /// How many bytes it had, where it is freed.
    pub had: u64,
}

/// Where a location lies.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub room: RoomId,
    pub offset: u32,
    pub size: u32,
    /// The thread whose word it is.
    pub word_of: Option<ThreadId>,
    /// Whether it is on the heap, so that it may be given to `free`.
    pub heap: bool,
}

/// How to take back a change of an object. Changes of words are taken back by whoever wrote them.
pub enum Change {
    /// Bytes of an object had other values.
    Bytes(Box<OldBytes>),
    /// A room held this.
    Room { room: RoomId, old: Box<RoomState> },
}

/// Bytes that an object had.
pub struct OldBytes {
    pub room: RoomId,
    pub offset: u32,
    pub bytes: Box<[u8]>,
}

/// All shared objects.
#[derive(Default)]
pub struct Heap {
    rooms: FxHashMap<Address, RoomId>,
    objects: Vec<RoomState>,
    spots: Vec<Spot>,
    tracked: bool,
}

impl Heap {
    /// No objects; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(tracked: bool) -> Heap {
        Heap { tracked, ..Heap::default() }
    }

    /// Learns where the locations lie that were seen since the last time.
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap) {
        while self.spots.len() < locations.len() {
            let range = locations.range(LocationId(self.spots.len() as u32));
            let start = map.room(range.start).map_or(range.start, |room| room.start);
            let (word_of, heap) = (map.word_of(range.start), matches!(map.find(range.start), Some((Region::Heap(_), ..))));
            let room = self.room(start);
            self.spots.push(Spot { room, offset: (range.start.0 - start.0) as u32, size: range.size, word_of, heap });
        }
    }

    fn room(&mut self, start: Address) -> RoomId {
        let next = RoomId(self.objects.len() as u32);
        let room = *self.rooms.entry(start).or_insert(next);
        if room == next {
            self.objects.push(RoomState::default());
        }
        room
    }

    /// Where a location lies.
    pub fn spot(&self, at: LocationId) -> Spot {
        self.spots[at.index()]
    }

    fn object(&self, room: RoomId) -> &RoomState {
        &self.objects[room.0 as usize]
    }

    fn put(&mut self, room: RoomId, object: RoomState, journal: &mut Vec<impl From<Change>>) {
        let old = std::mem::replace(&mut self.objects[room.0 as usize], object);
        journal.push(Change::Room { room, old: Box::new(old) }.into());
    }

    /// Takes over objects that were private so far.
    pub fn adopt(&mut self, image: &[Published], map: &AddressMap, journal: &mut Vec<impl From<Change>>) {
        for published in image {
            let start = map.room(published.address).map_or(published.address, |room| room.start);
            let room = self.room(start);
            let life = if published.freed { Life::Freed } else { Life::Live };
            let had = if published.freed { published.size } else { 0 };
            let object = RoomState { life, heap: published.heap, bytes: published.all_bytes(), written: published.written.clone(), had };
            self.put(room, object, journal);
        }
    }

    /// A new object in the room of a location.
    pub fn allocate(&mut self, at: LocationId, size: u64, zeroed: bool, heap: bool, journal: &mut Vec<impl From<Change>>) {
        let written = if self.tracked { vec![zeroed as u8; size as usize] } else { Vec::new() };
        let object = RoomState { life: Life::Live, heap, bytes: vec![0; size as usize], written, had: 0 };
        self.put(self.spot(at).room, object, journal);
    }

    /// The object in the room of a location ceases to be.
    pub fn free(
        &mut self,
        at: LocationId,
        start: Address,
        range: Range,
        by_call: bool,
        journal: &mut Vec<impl From<Change>>,
    ) -> Result<(), Fault> {
        let room = self.spot(at).room;
        let object = self.object(room);
        let invalid = || Err(Fault::new(FaultKind::InvalidFree, format!("{start} is not the start of a heap object")));
        match object.life {
            Life::Freed => return Err(Fault::new(FaultKind::DoubleFree, format!("{start} is freed again"))),
            Life::Absent => return invalid(),
            Life::Live if by_call && (!object.heap || start != range.start) => return invalid(),
            Life::Live => {}
        }
        let had = object.bytes.len() as u64;
        let freed = RoomState { life: Life::Freed, heap: object.heap, bytes: Vec::new(), written: Vec::new(), had };
        self.put(room, freed, journal);
        Ok(())
    }

    /// The room of a freed heap object of this size gets a new one; tells whether there was such an object.
    pub fn reuse(&mut self, at: LocationId, size: u64, zeroed: bool, journal: &mut Vec<impl From<Change>>) -> bool {
        let object = self.object(self.spot(at).room);
        let is_there = object.life == Life::Freed && object.heap && object.had == size;
        if is_there {
            self.allocate(at, size, zeroed, true, journal);
        }
        is_there
    }

    /// Whether there is an object in the room of a location.
    pub fn is_live(&self, at: LocationId) -> bool {
        self.object(self.spot(at).room).life == Life::Live
    }

    /// Whether an access to a location is right now.
    #[inline]
    pub fn check(&self, at: LocationId) -> Result<(), Fault> {
        let spot = self.spot(at);
        let object = self.object(spot.room);
        match object.life {
            Life::Live if spot.offset as usize + spot.size as usize <= object.bytes.len() => Ok(()),
            _ => self.wrong(spot),
        }
    }

    /// Why an access is wrong.
    #[cold]
    fn wrong(&self, spot: Spot) -> Result<(), Fault> {
        let object = self.object(spot.room);
        let (offset, size) = (spot.offset, spot.size);
        match object.life {
            Life::Live => Err(Fault::new(
                FaultKind::OutOfBounds,
                format!("access to {size} bytes at offset {offset} of an object of {} bytes", object.bytes.len()),
            )),
            Life::Freed => Err(Fault::new(FaultKind::UseAfterFree, format!("access to {size} bytes of freed memory"))),
            Life::Absent => Err(Fault::new(FaultKind::WildPointer, "access where no object is")),
        }
    }

    /// Whether every byte of a location has been written.
    pub fn is_written(&self, at: LocationId) -> bool {
        let spot = self.spot(at);
        let written = &self.object(spot.room).written;
        written.is_empty() || !written[spot.offset as usize..(spot.offset + spot.size) as usize].contains(&0)
    }

    /// Whether every byte of a location has been written that lies in these ranges of the location.
    pub fn is_written_in(&self, at: LocationId, whole: Range, parts: &[Range]) -> bool {
        let spot = self.spot(at);
        let written = &self.object(spot.room).written;
        let offset = |address: u64| spot.offset as usize + (address - whole.start.0) as usize;
        written.is_empty() || parts.iter().all(|part| !written[offset(part.start.0)..offset(part.end())].contains(&0))
    }

    /// The bytes of a location.
    pub fn bytes(&self, at: LocationId) -> &[u8] {
        let spot = self.spot(at);
        &self.object(spot.room).bytes[spot.offset as usize..(spot.offset + spot.size) as usize]
    }

    /// The value of a location.
    pub fn read(&self, at: LocationId) -> Value {
        match self.bytes(at) {
            bytes if bytes.len() <= 8 => Value::Word(first_word(bytes)),
            bytes => Value::from_bytes(bytes),
        }
    }

    /// The first eight bytes of a location, or zero where it is not accessible: for guards.
    pub fn word(&self, at: LocationId) -> u64 {
        if self.check(at).is_ok() { first_word(self.bytes(at)) } else { 0 }
    }

    /// Gives a location of at most eight bytes a value; gives the old one. The access must have been found right.
    #[inline(always)]
    pub fn write_word(&mut self, at: LocationId, new: u64, journal: &mut Vec<impl From<Change>>) -> u64 {
        let spot = self.spot(at);
        let (start, end) = (spot.offset as usize, (spot.offset + spot.size) as usize);
        // Before the bytes change: what is taken back is the object as it was.
        if !self.objects[spot.room.0 as usize].written.is_empty() {
            self.note_written(at, journal);
        }
        let bytes = &mut self.objects[spot.room.0 as usize].bytes[start..end];
        let old = first_word(bytes);
        match bytes.len() {
            4 => bytes.copy_from_slice(&(new as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&new.to_le_bytes()),
            n => bytes.copy_from_slice(&new.to_le_bytes()[..n]),
        }
        old
    }

    /// Gives a location of more than eight bytes a value; gives the first eight bytes of the old one.
    pub fn write_bytes(&mut self, at: LocationId, new: &[u8], journal: &mut Vec<impl From<Change>>) -> u64 {
        let spot = self.spot(at);
        let object = &mut self.objects[spot.room.0 as usize];
        let bytes = &mut object.bytes[spot.offset as usize..(spot.offset + spot.size) as usize];
        let old = OldBytes { room: spot.room, offset: spot.offset, bytes: (&*bytes).into() };
        journal.push(Change::Bytes(Box::new(old)).into());
        let old = first_word(bytes);
        bytes.copy_from_slice(new);
        if !object.written.is_empty() {
            self.note_written(at, journal);
        }
        old
    }

    fn note_written(&mut self, at: LocationId, journal: &mut Vec<impl From<Change>>) {
        let spot = self.spot(at);
        let range = spot.offset as usize..(spot.offset + spot.size) as usize;
        let object = self.object(spot.room);
        if object.written[range.clone()].contains(&0) {
            let mut whole = object.clone();
            whole.written[range].fill(1);
            self.put(spot.room, whole, journal);
        }
    }

    /// Takes back a change of a word.
    pub fn restore_word(&mut self, at: LocationId, old: u64) {
        let Spot { room, offset, size, .. } = self.spots[at.index()];
        let (offset, size) = (offset as usize, size as usize);
        let bytes = &mut self.objects[room.0 as usize].bytes;
        match size {
            4 => bytes[offset..offset + 4].copy_from_slice(&(old as u32).to_le_bytes()),
            _ => bytes[offset..offset + size].copy_from_slice(&old.to_le_bytes()[..size]),
        }
    }

    /// Takes back a change.
    pub fn take_back(&mut self, change: Change) {
        match change {
            Change::Bytes(old) => {
                let offset = old.offset as usize;
                self.objects[old.room.0 as usize].bytes[offset..offset + old.bytes.len()].copy_from_slice(&old.bytes);
            }
            Change::Room { room, old } => self.objects[room.0 as usize] = *old,
        }
    }

    /// Takes back a change of bytes in a copy of a location.
    pub fn restore_copy(&self, at: LocationId, copy: &mut [u8], room: RoomId, offset: u32, old: &[u8]) {
        let spot = self.spot(at);
        let (from, to) = (spot.offset.max(offset), (spot.offset + spot.size).min(offset + old.len() as u32));
        if spot.room == room && from < to {
            let bytes = &old[(from - offset) as usize..(to - offset) as usize];
            copy[(from - spot.offset) as usize..(to - spot.offset) as usize].copy_from_slice(bytes);
        }
    }

    /// The bytes of a live object at an address, for a look from outside.
    pub fn look(&self, start: Address) -> Option<&[u8]> {
        let object = self.object(*self.rooms.get(&start)?);
        (object.life == Life::Live).then_some(&object.bytes[..])
    }

    /// Whether a location has a value now.
    pub fn has(&self, at: LocationId, value: &Value) -> bool {
        let spot = self.spot(at);
        let bytes = self.object(spot.room).bytes.get(spot.offset as usize..(spot.offset + spot.size) as usize);
        bytes.is_some_and(|bytes| value.with_bytes(spot.size, |wanted| wanted == bytes))
    }

    /// All objects that came into being, by the start of their rooms.
    pub fn objects(&self) -> Vec<(Address, RoomState)> {
        let of = |(&start, &room): (&Address, &RoomId)| (start, self.object(room).clone());
        let mut all: Vec<_> = self.rooms.iter().map(of).filter(|(_, object)| object.life != Life::Absent).collect();
        all.sort_by_key(|(start, _)| *start);
        all
    }

    /// The heap objects that are live, by the start of their rooms.
    pub fn live_heap_objects(&self) -> Vec<(Address, usize)> {
        let of = |(&start, &room): (&Address, &RoomId)| (start, self.object(room));
        let live = self.rooms.iter().map(of).filter(|(_, o)| o.life == Life::Live && o.heap);
        let mut all: Vec<_> = live.map(|(start, o)| (start, o.bytes.len())).collect();
        all.sort();
        all
    }
}

/// The first eight bytes, little-endian; zeros where there are fewer.
#[inline]
fn first_word(bytes: &[u8]) -> u64 {
    match bytes.len() {
        4 => u32::from_le_bytes(bytes.try_into().expect("four bytes")) as u64,
        8.. => u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")),
        n => {
            let mut word = [0; 8];
            word[..n].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }
    }
}
