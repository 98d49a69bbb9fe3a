//! The private memory of a thread: objects that no other thread can access.
//!
//! Local variables, heap objects and thread-local variables start here unless their *site* is known to be shared; then
//! they live in the shared memory and this store only remembers that. Before the first thread is spawned the globals
//! and the shared objects of the first thread live here too: nobody can see the difference, and nothing is an event.

use crate::bytes::Bytes;
use crate::sharing::{Site, Sites};
use raddle_event::{Address, AddressMap, Block, Fault, FaultKind, Published, Region, ThreadId};
use raddle_program::{Global, GlobalId, Program};
use std::rc::Rc;

/// Where an object is, or what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Private,
    /// Its site is shared: the shared memory has it.
    Shared,
    Freed,
    /// A local variable whose block has been left. It may come into being again.
    Left,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PrivateObject {
    address: Address,
    /// Where its bytes begin in the row of its region.
    start: usize,
    size: u64,
    life: Life,
    site: Site,
}

/// The objects of one region.
#[derive(Clone, Debug, Default, PartialEq)]
struct Objects {
    all: Vec<Option<PrivateObject>>,
    bytes: Bytes,
    /// Which bytes have been written (0 or 1); empty when nobody asks.
    written: Bytes,
}

/// The private memory of one thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    thread: ThreadId,
    globals: Objects,
    heap: Objects,
    stack: Objects,
    thread_local: Objects,
    /// Whether other threads exist, so that globals and shared objects live in the shared memory.
    published: bool,
    /// Whether to remember which bytes have been written.
    tracked: bool,
    /// Whether all heap objects are shared once other threads exist, whatever their sites are.
    shares_heap: bool,
}

/// What an address means to the thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located {
    /// Bytes of this store.
    Private(Spot),
    /// Bytes that nobody writes.
    Constant(GlobalId, u64),
    /// The shared memory must be asked.
    Shared,
    Fault(Fault),
}

/// Bytes of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    region: RegionKind,
    at: usize,
}

impl Spot {
    /// The kind of region in which the first byte lies, as a number, and its place there.
    pub fn key(self) -> (u8, usize) {
        (self.region as u8, self.at)
    }

    /// The place that has this key.
    pub fn of_key((kind, at): (u8, usize)) -> Spot {
        let kinds = [RegionKind::Globals, RegionKind::Heap, RegionKind::Stack, RegionKind::ThreadLocal];
        let region = kinds.into_iter().find(|&other| other as u8 == kind).expect("the key is that of a place");
        Spot { region, at }
    }

    /// The bytes that come `n` bytes later.
    pub fn after(self, n: usize) -> Spot {
        Spot { at: self.at + n, ..self }
    }

    /// The bytes that come so many bytes later, or earlier.
    pub fn moved(self, n: isize) -> Spot {
        Spot { at: (self.at as isize + n) as usize, ..self }
    }

    /// The number of the region of local variables.
    pub const STACK: u8 = RegionKind::Stack as u8;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegionKind {
    Globals,
    Heap,
    Stack,
    ThreadLocal,
}

/// An object, by its number, with what is in it.
#[derive(Debug, PartialEq)]
pub(crate) struct Contents {
    number: usize,
    address: Address,
    object: (u64, Life, Site),
    bytes: Option<Published>,
}

/// A variable as it first is, at an address.
pub fn published_variable(global: &Global, address: Address, tracked: bool) -> Published {
    let written = if tracked { vec![1; global.size as usize] } else { Vec::new() };
    Published { address, size: global.size, bytes: global.bytes.clone(), written, freed: false, heap: false }
}

impl Store {
    /// An empty store of a thread. The first thread of a program with one entry gets the globals.
    pub fn new(thread: ThreadId, program: &Program, published: bool, tracked: bool) -> Store {
        let mut store = Store {
            thread,
            globals: Objects::default(),
            heap: Objects::default(),
            stack: Objects::default(),
            thread_local: Objects::default(),
            published,
            tracked,
            shares_heap: false,
        };
        if !published {
            store.load_globals(program);
        }
        store
    }

    /// The same, where every heap object is shared once other threads exist, because they may use its memory again.
    pub fn sharing_heap(self) -> Store {
        Store { shares_heap: true, ..self }
    }

    fn load_globals(&mut self, program: &Program) {
        for (number, global) in program.globals.iter().enumerate() {
            let site = Site::Global(GlobalId(number as u32));
            if global.constant {
                self.globals.all.push(None);
                continue;
            }
            let start = self.globals.add(New { number, address: global.address, size: global.size, site }, Life::Private, false);
            self.globals.bytes.write(start, &global.bytes);
            if self.tracked {
                let shadow = self.globals.written.grow(global.size as usize);
                self.globals.written.fill(shadow, global.size as usize, 1);
            }
        }
    }

    fn objects(&self, region: RegionKind) -> &Objects {
        match region {
            RegionKind::Globals => &self.globals,
            RegionKind::Heap => &self.heap,
            RegionKind::Stack => &self.stack,
            RegionKind::ThreadLocal => &self.thread_local,
        }
    }

    fn objects_mut(&mut self, region: RegionKind) -> &mut Objects {
        match region {
            RegionKind::Globals => &mut self.globals,
            RegionKind::Heap => &mut self.heap,
            RegionKind::Stack => &mut self.stack,
            RegionKind::ThreadLocal => &mut self.thread_local,
        }
    }

    /// What `size` bytes at an address mean to this thread.
    #[inline]
    pub fn locate(&self, program: &Program, map: &AddressMap, address: Address, size: u64) -> Located {
        let Some(block) = map.block(address) else {
            return missing(address);
        };
        let (number, offset) = block.split(address);
        let located = match block.region {
            Region::Stack(thread) if thread == self.thread => self.locate_in(RegionKind::Stack, number, offset, size),
            Region::Heap(thread) if thread == self.thread => self.locate_in(RegionKind::Heap, number, offset, size),
            Region::ThreadLocal(thread) if thread == self.thread => self.locate_in(RegionKind::ThreadLocal, number, offset, size),
            Region::Globals => self.locate_global(program, (number, offset), size),
            Region::Code => Located::Fault(Fault::new(FaultKind::WildPointer, "access to the code of a function")),
            Region::Threads | Region::Stack(_) | Region::Heap(_) | Region::ThreadLocal(_) => Located::Shared,
        };
        match located {
            Located::Private(_) | Located::Constant(..) => located,
            Located::Shared | Located::Fault(_) => before_next(block, offset, size).unwrap_or(located),
        }
    }

    #[inline]
    fn locate_in(&self, region: RegionKind, number: u32, offset: u64, size: u64) -> Located {
        let Some(Some(object)) = self.objects(region).all.get(number as usize) else {
            let what = match region {
                RegionKind::Stack => Fault::new(FaultKind::UseAfterFree, "access to a local variable of a function that has returned"),
                _ => Fault::new(FaultKind::WildPointer, "access where no object is"),
            };
            return Located::Fault(what);
        };
        if offset + size <= object.size && object.life == Life::Private {
            return Located::Private(Spot { region, at: object.start + offset as usize });
        }
        self.locate_odd(object, offset, size)
    }

    #[cold]
    fn locate_odd(&self, object: &PrivateObject, offset: u64, size: u64) -> Located {
        match object.life {
            Life::Shared if self.published => Located::Shared,
            Life::Freed => Located::Fault(Fault::new(FaultKind::UseAfterFree, format!("access to {size} bytes of freed memory"))),
            Life::Left => Located::Fault(Fault::new(FaultKind::UseAfterFree, "access to a local variable of a block that has been left")),
            _ => Located::Fault(Fault::new(
                FaultKind::OutOfBounds,
                format!("access to {size} bytes at offset {offset} of an object of {} bytes", object.size),
            )),
        }
    }

    fn locate_global(&self, program: &Program, (number, offset): (u32, u64), size: u64) -> Located {
        let Some(global) = program.globals.get(number as usize) else {
            return Located::Fault(Fault::new(FaultKind::WildPointer, "access where no object is"));
        };
        if offset + size > global.size {
            let what = format!("access to {size} bytes at offset {offset} of `{}`, which has {}", global.name, global.size);
            return Located::Fault(Fault::new(FaultKind::OutOfBounds, what));
        }
        match (global.constant, self.published) {
            (true, _) => Located::Constant(GlobalId(number), offset),
            (false, true) => Located::Shared,
            (false, false) => self.locate_in(RegionKind::Globals, number, offset, size),
        }
    }

    /// Reads a word of at most eight bytes.
    #[inline(always)]
    pub fn word(&self, spot: Spot, size: usize) -> u64 {
        self.objects(spot.region).bytes.word(spot.at, size)
    }

    /// Writes a word of at most eight bytes.
    #[inline(always)]
    pub fn set_word(&mut self, spot: Spot, size: usize, word: u64) {
        let tracked = self.tracked;
        let objects = self.objects_mut(spot.region);
        objects.bytes.set_word(spot.at, size, word);
        if tracked {
            objects.written.fill(spot.at, size, 1);
        }
    }

    /// Reads bytes.
    pub fn read(&self, spot: Spot, to: &mut [u8]) {
        self.objects(spot.region).bytes.read(spot.at, to);
    }

    /// Writes bytes.
    pub fn write(&mut self, spot: Spot, from: &[u8]) {
        let tracked = self.tracked;
        let objects = self.objects_mut(spot.region);
        objects.bytes.write(spot.at, from);
        if tracked {
            objects.written.fill(spot.at, from.len(), 1);
        }
    }

    /// Writes `size` times a byte.
    pub fn fill(&mut self, spot: Spot, size: usize, byte: u8) {
        let tracked = self.tracked;
        let objects = self.objects_mut(spot.region);
        objects.bytes.fill(spot.at, size, byte);
        if tracked {
            objects.written.fill(spot.at, size, 1);
        }
    }

    /// Whether all of `size` bytes have been written; always so when that is not tracked.
    pub fn is_written(&self, spot: Spot, size: usize) -> bool {
        if !self.tracked {
            return true;
        }
        let mut flags = vec![0; size];
        self.objects(spot.region).written.read(spot.at, &mut flags);
        !flags.contains(&0)
    }

    /// Copies the knowledge of what was written along with bytes.
    pub fn copy_written(&mut self, from: Spot, to: Spot, size: usize) {
        if self.tracked {
            let mut flags = vec![0; size];
            self.objects(from.region).written.read(from.at, &mut flags);
            self.objects_mut(to.region).written.write(to.at, &flags);
        }
    }

    /// A new object on the heap; the count of them names it.
    pub fn allocate(&mut self, map: &mut AddressMap, size: u64, zeroed: bool, site: Site, sites: &Sites) -> Option<Address> {
        let number = self.heap.all.len();
        let address = map.address(Region::Heap(self.thread), number as u32, size)?;
        self.place(RegionKind::Heap, New { number, address, size, site }, zeroed, sites);
        Some(address)
    }

    /// A new local variable; its depth names it.
    pub fn push_local(&mut self, map: &mut AddressMap, size: u64, site: Site, sites: &Sites) -> Option<Address> {
        let number = self.stack.all.len();
        let address = map.address(Region::Stack(self.thread), number as u32, size)?;
        self.place(RegionKind::Stack, New { number, address, size, site }, false, sites);
        Some(address)
    }

    /// The local variable of this thread that begins at an address.
    fn local_at(&self, map: &AddressMap, address: Address) -> Option<usize> {
        match map.find(address)? {
            (Region::Stack(thread), number, 0) if thread == self.thread => Some(number as usize),
            _ => None,
        }
    }

    /// Whether the local variable at an address is not in the shared memory, nor would be if it came into being now.
    #[inline]
    pub fn is_private(&self, map: &AddressMap, address: Address, sites: &Sites) -> bool {
        let object = self.local_at(map, address).and_then(|number| self.stack.all.get(number).copied().flatten());
        object.is_some_and(|object| !self.published || object.life != Life::Shared && !sites.contains(object.site))
    }

    /// The local variable at an address comes into being, with no value. Gives its size, where it was not there.
    pub fn begin_life(&mut self, map: &AddressMap, address: Address, sites: &Sites) -> Option<u64> {
        let number = self.local_at(map, address)?;
        let object = self.stack.all.get_mut(number)?.as_mut()?;
        let was_left = object.life == Life::Left;
        if was_left {
            object.life = if self.published && sites.contains(object.site) { Life::Shared } else { Life::Private };
        }
        let PrivateObject { life, start, size, .. } = *object;
        if self.tracked && life == Life::Private {
            self.stack.written.fill(start, size as usize, 0);
        }
        was_left.then_some(size)
    }

    /// The local variable at an address ceases to be.
    pub fn end_life(&mut self, map: &AddressMap, address: Address) {
        let number = self.local_at(map, address);
        if let Some(Some(object)) = number.and_then(|number| self.stack.all.get_mut(number)) {
            object.life = Life::Left;
        }
    }

    /// Whether the thread has its instance of a thread-local variable.
    pub fn has_thread_local(&self, global: GlobalId) -> bool {
        self.thread_local.all.get(global.index()).is_some_and(|object| object.is_some())
    }

    /// The instance of a thread-local variable, made from its template when it is first asked for.
    pub fn thread_local(&mut self, program: &Program, map: &mut AddressMap, global: GlobalId, sites: &Sites) -> Option<Address> {
        let number = global.index();
        if let Some(Some(object)) = self.thread_local.all.get(number) {
            return Some(object.address);
        }
        let template = &program.globals[number];
        let address = map.address(Region::ThreadLocal(self.thread), number as u32, template.size)?;
        let new = New { number, address, size: template.size, site: Site::ThreadLocal(global) };
        self.place(RegionKind::ThreadLocal, new, true, sites);
        let PrivateObject { start, life, .. } = self.thread_local.all[number].expect("it was just made");
        if life == Life::Private {
            self.thread_local.bytes.write(start, &template.bytes);
        }
        Some(address)
    }

    fn place(&mut self, region: RegionKind, new: New, zeroed: bool, sites: &Sites) {
        let shared = sites.contains(new.site) || (region == RegionKind::Heap && self.shares_heap);
        let life = if shared && self.published { Life::Shared } else { Life::Private };
        let tracked = self.tracked;
        let objects = self.objects_mut(region);
        let start = objects.add(new, life, tracked);
        if tracked && zeroed && life == Life::Private {
            objects.written.fill(start, new.size as usize, 1);
        }
    }

    /// Whether the object that begins at this address is in the shared memory.
    pub fn is_shared(&self, map: &AddressMap, address: Address) -> bool {
        let region = match map.find(address) {
            Some((Region::Heap(thread), number, 0)) if thread == self.thread => (RegionKind::Heap, number),
            Some((Region::Stack(thread), number, 0)) if thread == self.thread => (RegionKind::Stack, number),
            Some((Region::ThreadLocal(thread), number, 0)) if thread == self.thread => (RegionKind::ThreadLocal, number),
            _ => return true,
        };
        let object = self.objects(region.0).all.get(region.1 as usize).copied().flatten();
        object.is_none_or(|o| o.life == Life::Shared && self.published)
    }

    /// The size of the object that begins at this address, where it is one of this store.
    pub fn size_at(&self, map: &AddressMap, address: Address) -> Option<u64> {
        let (Region::Heap(thread), number, 0) = map.find(address)? else { return None };
        (thread == self.thread).then(|| self.heap.all.get(number as usize).copied().flatten()).flatten().map(|o| o.size)
    }

    /// Frees a private heap object.
    pub fn free(&mut self, map: &AddressMap, address: Address) -> Result<(), Fault> {
        let found = match map.find(address) {
            Some((Region::Heap(thread), number, 0)) if thread == self.thread => self.heap.all.get_mut(number as usize),
            _ => None,
        };
        match found {
            Some(Some(object)) if object.life == Life::Freed => Err(Fault::new(FaultKind::DoubleFree, format!("{address} is freed again"))),
            Some(Some(object)) => {
                object.life = Life::Freed;
                Ok(())
            }
            _ => Err(Fault::new(FaultKind::InvalidFree, format!("{address} is not the start of a heap object"))),
        }
    }

    /// Whether the thread has freed the heap object at an address, which no other thread has seen; none where that is
    /// not known here.
    pub fn has_freed(&self, map: &AddressMap, address: Address) -> Option<bool> {
        let (Region::Heap(thread), number, 0) = map.find(address)? else { return None };
        if thread != self.thread {
            return None;
        }
        let object = self.heap.all.get(number as usize).copied().flatten();
        match object.map(|object| object.life) {
            Some(Life::Shared) if self.published => None,
            life => Some(life == Some(Life::Freed)),
        }
    }

    /// A private heap object that was freed comes into being again.
    pub fn reuse(&mut self, map: &AddressMap, address: Address, zeroed: bool, site: Site) {
        let Some((Region::Heap(_), number, 0)) = map.find(address) else { return };
        let Some(Some(object)) = self.heap.all.get_mut(number as usize) else { return };
        (object.life, object.site) = (Life::Private, site);
        let PrivateObject { start, size, .. } = *object;
        self.heap.bytes.fill(start, size as usize, 0);
        if self.tracked {
            self.heap.written.fill(start, size as usize, zeroed as u8);
        }
    }

    /// How many local variables there are.
    pub fn depth(&self) -> usize {
        self.stack.all.len()
    }

    /// How many bytes the local variables have.
    pub fn stack_bytes(&self) -> usize {
        self.stack.bytes.len()
    }

    /// Where the local variables end, those near and those far away.
    pub fn stack_ends(&self) -> [usize; 2] {
        self.stack.bytes.ends()
    }

    /// How many bytes the heap objects have.
    pub fn heap_bytes(&self) -> usize {
        self.heap.bytes.len()
    }

    /// The local variables above `depth` that are in the shared memory, newest first; they must be freed by an action.
    pub fn shared_locals_above(&self, depth: usize) -> Vec<Address> {
        if !self.published {
            return Vec::new();
        }
        shared_among(&self.stack.all[depth..])
    }

    /// The thread-local variables that are in the shared memory; they must be freed by an action.
    pub fn shared_thread_locals(&self) -> Vec<Address> {
        shared_among(&self.thread_local.all)
    }

    /// Forgets the local variables above `depth`.
    pub fn pop_locals(&mut self, depth: usize) {
        for object in self.stack.all.drain(depth.min(self.stack.all.len())..).flatten() {
            self.stack.bytes.cut(object.start);
            if self.tracked {
                self.stack.written.cut(object.start);
            }
        }
    }

    /// The sites of the objects that an address of another thread names, to be shared from then on.
    pub fn site_at(&self, map: &AddressMap, address: Address) -> Option<Site> {
        self.object_at(map, address).filter(|object| object.life != Life::Shared).map(|object| object.site)
    }

    /// What made the object of this thread that an address names, wherever the object is now.
    pub fn maker(&self, map: &AddressMap, address: Address) -> Option<Site> {
        self.object_at(map, address).map(|object| object.site)
    }

    fn object_at(&self, map: &AddressMap, address: Address) -> Option<PrivateObject> {
        let (region, number, _) = map.find(address)?;
        let objects = match region {
            Region::Heap(thread) if thread == self.thread => &self.heap,
            Region::Stack(thread) if thread == self.thread => &self.stack,
            Region::ThreadLocal(thread) if thread == self.thread => &self.thread_local,
            _ => return None,
        };
        objects.all.get(number as usize).copied().flatten()
    }

    /// The heap objects that are private and not freed, with their sizes.
    pub fn private_heap(&self) -> impl Iterator<Item = (Address, u64)> + '_ {
        self.heap.all.iter().flatten().filter(|object| object.life == Life::Private).map(|object| (object.address, object.size))
    }

    /// The first thread spawns another: globals and shared objects go to the shared memory.
    pub fn publish(&mut self, sites: &Sites) -> Vec<Published> {
        self.published = true;
        let mut image = Vec::new();
        for region in [RegionKind::Globals, RegionKind::Heap, RegionKind::Stack, RegionKind::ThreadLocal] {
            let (tracked, is_shared_heap) = (self.tracked, region == RegionKind::Heap && self.shares_heap);
            let objects = self.objects_mut(region);
            for number in 0..objects.all.len() {
                let Some(object) = objects.all[number] else { continue };
                if region == RegionKind::Globals || is_shared_heap || sites.contains(object.site) {
                    image.push(objects.published(object, region == RegionKind::Heap, tracked));
                    let life = if object.life == Life::Left { Life::Left } else { Life::Shared };
                    objects.all[number] = Some(PrivateObject { life, ..object });
                }
            }
        }
        self.globals = Objects::default();
        image
    }

    /// Every object with its bytes and which of them have been written, one after the other.
    pub(crate) fn contents(&self) -> Vec<Contents> {
        let kinds = [RegionKind::Globals, RegionKind::Heap, RegionKind::Stack, RegionKind::ThreadLocal];
        let of = |region: RegionKind| {
            let objects = self.objects(region);
            let private =
                move |object: &PrivateObject| (object.life == Life::Private).then(|| objects.published(*object, false, self.tracked));
            objects.all.iter().enumerate().filter_map(move |(number, object)| object.map(|object| (number, object, private(&object))))
        };
        kinds
            .into_iter()
            .flat_map(of)
            .map(|(number, object, bytes)| Contents {
                number,
                address: object.address,
                object: (object.size, object.life, object.site),
                bytes,
            })
            .collect()
    }

    /// Whether other threads exist.
    pub fn is_published(&self) -> bool {
        self.published
    }
}

/// An object that comes into being.
#[derive(Clone, Copy)]
struct New {
    /// Its place among the objects of its kind.
    number: usize,
    address: Address,
    size: u64,
    site: Site,
}

impl Objects {
    /// Adds an object; tells where its bytes begin.
    fn add(&mut self, New { number, address, size, site }: New, life: Life, tracked: bool) -> usize {
        let start = match life {
            Life::Private => self.bytes.grow(size as usize),
            _ => self.bytes.ends()[0],
        };
        if tracked && life == Life::Private {
            let shadow = self.written.grow(size as usize);
            debug_assert_eq!(shadow, start);
        }
        if self.all.len() <= number {
            self.all.resize(number + 1, None);
        }
        self.all[number] = Some(PrivateObject { address, start, size, life, site });
        start
    }

    fn published(&self, object: PrivateObject, heap: bool, tracked: bool) -> Published {
        let mut bytes = vec![0; self.bytes.used(object.start, object.size as usize)];
        self.bytes.read(object.start, &mut bytes);
        let mut written = Vec::new();
        if tracked {
            written.resize(object.size as usize, 0);
            self.written.read(object.start, &mut written);
        }
        Published {
            address: object.address,
            size: object.size,
            bytes,
            written,
            freed: matches!(object.life, Life::Freed | Life::Left),
            heap,
        }
    }
}

/// An access that lies before the start of an object, not past the end of the one before it.
#[inline]
fn before_next(block: Block, offset: u64, size: u64) -> Option<Located> {
    let distance = block.before_next(offset)?;
    let what = format!("access to {size} bytes, {distance} before the start of an object");
    Some(Located::Fault(Fault::new(FaultKind::OutOfBounds, what)))
}

/// The objects among these that are in the shared memory, last first.
fn shared_among(objects: &[Option<PrivateObject>]) -> Vec<Address> {
    let shared = objects.iter().rev().flatten().filter(|object| object.life == Life::Shared);
    shared.map(|object| object.address).collect()
}

/// What is wrong with an address that no block has.
pub fn missing(address: Address) -> Located {
    Located::Fault(if address.0 < 1 << 16 {
        Fault::new(FaultKind::NullDereference, format!("access through the null pointer (address {address})"))
    } else {
        Fault::new(FaultKind::WildPointer, format!("access to address {address}, where no object is"))
    })
}

/// The globals of a program as the shared memory first has them, for a program whose threads all start at once.
pub fn first_image(program: &Program, tracked: bool) -> Rc<Vec<Published>> {
    let shared = program.globals.iter().filter(|g| !g.constant && !g.thread_local);
    Rc::new(shared.map(|global| published_variable(global, global.address, tracked)).collect())
}

#[cfg(test)]
mod tests;
