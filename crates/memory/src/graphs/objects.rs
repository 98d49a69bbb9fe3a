//! Shared objects in a graph: where they lie, which event made them, which one freed them.
//!
//! A room of the address space may hold one object after another (a local variable of a function that is called again).
//! Each is an *object* of its own here, with its own variables: an access belongs to the newest object of the room
//! whose making happens before it.

use raddle_event::{Address, AddressMap, Fault, FaultKind, LocationId, Locations, Position, Published, Range, Region, ThreadId, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An object among all of the present graph.
pub type ObjectId = u32;

/// An object.
pub struct Object {
    /// The event that made it; none where it was there from the start.
    pub born: Option<Position>,
    /// The event that freed it first.
    pub freed: Option<Position>,
    /// Whether it may be given to `free`.
    pub heap: bool,
    pub size: u64,
    /// What it was when it was made.
    first: First,
    room: u32,
}

/// The bytes of a new object.
enum First {
    Image(Rc<Vec<Published>>, u32),
    /// All zero; `written` where they count as written.
    Zero {
        written: bool,
    },
}

/// Where a location lies.
#[derive(Clone, Copy)]
struct Spot {
    room: u32,
    offset: u32,
    size: u32,
    heap: bool,
    global: bool,
}

/// All objects of the present graph.
#[derive(Default)]
pub struct Objects {
    rooms: FxHashMap<Address, u32>,
    starts: Vec<Address>,
    /// For each room its objects, oldest first.
    of_room: Vec<Vec<ObjectId>>,
    spots: Vec<Spot>,
    all: Vec<Object>,
    tracked: bool,
}

impl Objects {
    /// No objects; `tracked` says whether reads of bytes that were never written are faults.
    pub fn new(tracked: bool) -> Objects {
        Objects { tracked, ..Objects::default() }
    }

    /// Learns where the locations lie that were seen since the last time.
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap) {
        while self.spots.len() < locations.len() {
            let range = locations.range(LocationId(self.spots.len() as u32));
            let start = map.room(range.start).map_or(range.start, |room| room.start);
            let region = map.find(range.start).map(|found| found.0);
            let (heap, global) = (matches!(region, Some(Region::Heap(_))), matches!(region, Some(Region::Globals)));
            let room = self.room(start);
            self.spots.push(Spot { room, offset: (range.start.0 - start.0) as u32, size: range.size, heap, global });
        }
    }

    fn room(&mut self, start: Address) -> u32 {
        let next = self.of_room.len() as u32;
        let room = *self.rooms.entry(start).or_insert(next);
        if room == next {
            self.of_room.push(Vec::new());
            self.starts.push(start);
        }
        room
    }

    /// Where a location lies.
    fn spot(&self, at: LocationId) -> Spot {
        self.spots[at.index()]
    }

    /// How many bytes a location has.
    pub fn size(&self, at: LocationId) -> u32 {
        self.spot(at).size
    }

    /// Whether a location lies in a global variable: the only object of its room, and there from the start to the end.
    #[inline]
    pub fn is_global(&self, at: LocationId) -> bool {
        self.spots[at.index()].global
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.all[id as usize]
    }

    /// An object, to note who freed it.
    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.all[id as usize]
    }

    /// An object, where it is still there, is not freed any more.
    pub fn unfree(&mut self, id: ObjectId) {
        if let Some(object) = self.all.get_mut(id as usize) {
            object.freed = None;
        }
    }

    fn push(&mut self, object: Object) {
        self.of_room[object.room as usize].push(self.all.len() as ObjectId);
        self.all.push(object);
    }

    /// Takes over objects that were private so far. Those that are freed count as freed by `newest`.
    pub fn adopt(&mut self, image: &Rc<Vec<Published>>, map: &AddressMap, born: Option<Position>, newest: Option<Position>) {
        for (number, published) in image.iter().enumerate() {
            let start = map.room(published.address).map_or(published.address, |room| room.start);
            let room = self.room(start);
            let freed = newest.filter(|_| published.freed);
            let first = First::Image(image.clone(), number as u32);
            self.push(Object { born, freed, heap: published.heap, size: published.size, first, room });
        }
    }

    /// A new object in the room of a location.
    pub fn allocate(&mut self, at: LocationId, size: u64, zeroed: bool, event: Position) {
        let Spot { room, heap, .. } = self.spot(at);
        self.push(Object { born: Some(event), freed: None, heap, size, first: First::Zero { written: zeroed }, room });
    }

    /// Takes back what was made since there were `n` objects.
    pub fn cut(&mut self, n: usize) {
        while self.all.len() > n {
            let object = self.all.pop().expect("there are more");
            self.of_room[object.room as usize].pop();
        }
    }

    /// The newest object in the room of a location that `seen` says has been made, and its number in the room.
    pub fn find(&self, at: LocationId, seen: impl Fn(Position) -> bool) -> Option<(ObjectId, u32)> {
        let room = &self.of_room[self.spots[at.index()].room as usize];
        let newest = room.iter().rposition(|id| self.all[*id as usize].born.is_none_or(&seen))?;
        Some((room[newest], newest as u32))
    }

    /// The object of a room by its number.
    pub fn nth(&self, at: LocationId, number: u32) -> ObjectId {
        self.of_room[self.spot(at).room as usize][number as usize]
    }

    /// Whether a location is inside an object.
    pub fn check_bounds(&self, id: ObjectId, at: LocationId) -> Result<(), Fault> {
        let (Spot { offset, size, .. }, whole) = (self.spot(at), self.object(id).size);
        if offset as u64 + size as u64 <= whole {
            return Ok(());
        }
        let what = format!("access to {size} bytes at offset {offset} of an object of {whole} bytes");
        Err(Fault::new(FaultKind::OutOfBounds, what))
    }

    /// The value of a location in a new object.
    pub fn first_value(&self, id: ObjectId, at: LocationId) -> Value {
        let Spot { offset, size, .. } = self.spot(at);
        let from = offset as usize;
        match &self.object(id).first {
            First::Image(image, number) => image[*number as usize].value(from, size as usize),
            First::Zero { .. } if size <= 8 => Value::Word(0),
            First::Zero { .. } => Value::from_bytes(&vec![0; size as usize]),
        }
    }

    /// The bytes of a range when the object that has it was made.
    pub fn first_bytes(&self, range: Range) -> Value {
        let object = self.all.iter().find(|object| {
            let start = self.starts[object.room as usize].0;
            start <= range.start.0 && range.end() <= start + object.size
        });
        match object {
            Some(Object { first: First::Image(image, number), room, .. }) => {
                let from = (range.start.0 - self.starts[*room as usize].0) as usize;
                image[*number as usize].value(from, range.size as usize)
            }
            _ => Value::from_bytes(&vec![0; range.size as usize]),
        }
    }

    /// Whether every byte of a location counts as written in a new object.
    pub fn is_written(&self, id: ObjectId, at: LocationId) -> bool {
        let Spot { offset, size, .. } = self.spot(at);
        match &self.object(id).first {
            _ if !self.tracked => true,
            First::Image(image, number) => {
                let written = &image[*number as usize].written;
                written.is_empty() || !written[offset as usize..(offset + size) as usize].contains(&0)
            }
            First::Zero { written } => *written,
        }
    }

    /// The heap objects that are not freed, by their addresses.
    pub fn live_heap(&self) -> Vec<(Address, u64)> {
        let live = self.all.iter().filter(|object| object.heap && object.freed.is_none());
        let mut all: Vec<_> = live.map(|object| (self.starts[object.room as usize], object.size)).collect();
        all.sort();
        all
    }
}

/// The fault of an access to freed memory.
pub fn use_after_free(size: u32) -> Fault {
    Fault::new(FaultKind::UseAfterFree, format!("access to {size} bytes of freed memory"))
}

/// The fault of an access that nothing orders with the `free` of its object.
pub fn races_with_free(other: ThreadId) -> Fault {
    Fault::new(FaultKind::UseAfterFree, format!("nothing orders the access and the free by {other}"))
}
