//! Variables: a location of one object each. Which variable a thread accesses is found by the objects that it can know
//! of.

use super::objects::{Object, ObjectId, Objects, use_after_free};
use super::{Place, Skeleton};
use raddle_event::{
    Address, AddressMap, Fault, FaultKind, Free, LocationId, Locations, Position, Published, Range, Reply, ThreadId, Value,
};
use smallvec::SmallVec;
use std::rc::Rc;

/// The number of a variable, the same in every graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

impl VariableId {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What full fences read and write, where they are read-modify-writes: the first variable, which is hidden.
pub const FENCES: VariableId = VariableId(0);

/// A location of one object, with what a model keeps of the order of its writes.
pub struct Variable<O> {
    /// The location, and which of the objects of its room; none for one that is hidden.
    pub at: Option<Place>,
    /// The accesses of each thread that has some or had some in another graph, oldest first.
    pub by_thread: Vec<(ThreadId, Vec<Position>)>,
    /// The initial value, while there are accesses.
    pub initial: Value,
    pub n_accesses: u32,
    pub order: O,
}

impl<O: Default> Variable<O> {
    fn new(at: Option<Place>) -> Variable<O> {
        Variable { at, by_thread: Vec::new(), initial: Value::Word(0), n_accesses: 0, order: O::default() }
    }
}

impl<O> Variable<O> {
    /// Appends an access of a thread. Gives the number of the thread among those that have accesses, and the access
    /// before.
    pub fn add_access(&mut self, thread: ThreadId, at: Position) -> (u32, Option<Position>) {
        let own = self.by_thread.iter().position(|(of, _)| *of == thread).unwrap_or_else(|| {
            self.by_thread.push((thread, Vec::new()));
            self.by_thread.len() - 1
        });
        let accesses = &mut self.by_thread[own].1;
        let before = accesses.last().copied();
        accesses.push(at);
        self.n_accesses += 1;
        (own as u32, before)
    }

    /// Takes back the newest access of a thread.
    pub fn drop_access(&mut self, own: u32) {
        self.by_thread[own as usize].1.pop();
        self.n_accesses -= 1;
    }
}

/// All objects and variables.
pub struct Places<O> {
    pub objects: Objects,
    pub variables: Vec<Variable<O>>,
    /// For each location its variables, by the number of the object in its room.
    of_location: Vec<SmallVec<[Option<VariableId>; 1]>>,
    /// For each location the variable, where every access to it is one to that: it lies in a global variable and
    /// overlaps no other location.
    of_global: Vec<Option<VariableId>>,
    /// Whether accesses of different sizes to the same bytes have come up.
    pub is_mixed: bool,
}

/// What was found where a thread accesses something, and which event has freed its object.
pub(crate) type Found = Result<(VariableId, Option<Position>), Fault>;

impl<O: Default> Places<O> {
    /// No objects, and no variable but the hidden one; `tracked` says whether reads of bytes that were never written
    /// are faults.
    pub fn new(tracked: bool) -> Places<O> {
        let (of_location, of_global) = (Vec::new(), Vec::new());
        Places { objects: Objects::new(tracked), variables: vec![Variable::new(None)], of_location, of_global, is_mixed: false }
    }

    /// Makes room for the locations that were seen since the last time.
    pub fn learn(&mut self, locations: &Locations, map: &AddressMap) {
        self.objects.learn(locations, map);
        if self.of_location.len() < locations.len() {
            self.of_location.resize_with(locations.len(), SmallVec::new);
            self.forget_globals();
        }
    }

    /// Takes over objects that were private so far, as made by an event or from the start. Those that are freed count
    /// as freed by `newest`.
    pub fn adopt(&mut self, image: &Rc<Vec<Published>>, map: &AddressMap, born: Option<Position>, newest: Option<Position>) {
        self.objects.adopt(image, map, born, newest);
        self.forget_globals();
    }

    /// A variable that lies nowhere or at a place.
    pub fn new_variable(&mut self, at: Option<Place>) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Variable::new(at));
        id
    }

    /// Looks up again which locations are plain ones: there are new locations, or new objects.
    fn forget_globals(&mut self) {
        self.of_global.clear();
        self.of_global.resize(self.of_location.len(), None);
    }

    /// The variable at a location, where every access to it is one to that.
    #[inline]
    pub fn global(&self, at: LocationId) -> Option<VariableId> {
        self.of_global[at.index()]
    }

    /// The variable that a thread accesses at a location, where that is not wrong, and who freed its object. The object
    /// is the newest one whose making comes before what the thread does; the access is wrong where `is_freed` says so
    /// of the event that freed it.
    pub fn find(
        &mut self,
        thread: ThreadId,
        at: LocationId,
        locations: &Locations,
        events: &Skeleton,
        is_freed: impl Fn(Position) -> bool,
    ) -> Found {
        let Some((object, number)) = self.objects.find(at, |born| events.has_seen(thread, born)) else {
            return Err(Fault::new(FaultKind::WildPointer, "access where no object is"));
        };
        let freed = self.objects.object(object).freed;
        if freed.is_some_and(is_freed) {
            return Err(use_after_free(locations.range(at).size));
        }
        self.objects.check_bounds(object, at)?;
        let known = self.nth(at, number);
        let id = known.unwrap_or_else(|| self.number_variable(at, number));
        if self.variables[id.index()].n_accesses == 0 {
            self.variables[id.index()].initial = self.objects.first_value(object, at);
            self.is_mixed = self.is_mixed || self.overlaps(at, number, locations);
        }
        self.of_global[at.index()] = Some(id).filter(|_| self.objects.is_global(at) && locations.overlapping(at).is_empty());
        Ok((id, freed))
    }

    /// What an event with so many events of each thread before it finds at a location, where all that is written there
    /// is among those: `last` gives the last of it.
    pub fn value_within<'s>(
        &'s self,
        at: LocationId,
        events: &Skeleton,
        clock: &[u32],
        last: impl Fn(VariableId) -> Option<&'s Value>,
    ) -> Option<Value> {
        let (object, number) = self.objects.find(at, |born| events.is_among(born, clock))?;
        self.objects.check_bounds(object, at).ok()?;
        let accessed = self.nth(at, number).filter(|id| self.variables[id.index()].n_accesses > 0);
        match accessed {
            None => Some(self.objects.first_value(object, at)),
            Some(id) => Some(last(id).unwrap_or(&self.variables[id.index()].initial).clone()),
        }
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

    /// The variable at a location of an object, by its number in the room.
    pub fn nth(&self, at: LocationId, number: u32) -> Option<VariableId> {
        self.of_location.get(at.index())?.get(number as usize).copied().flatten()
    }

    /// Whether bytes of a location of an object are accessed as another location too.
    fn overlaps(&self, at: LocationId, number: u32, locations: &Locations) -> bool {
        let is_accessed = |id: VariableId| self.variables[id.index()].n_accesses > 0;
        locations.overlapping(at).iter().any(|other| self.nth(*other, number).is_some_and(is_accessed))
    }

    /// What is wrong with reading the initial value of a variable, where that was never written.
    pub fn unwritten(&self, variable: VariableId) -> Option<Fault> {
        let (at, number) = self.variables[variable.index()].at?;
        let written = self.objects.is_written(self.objects.nth(at, number), at);
        (!written).then(|| Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written"))
    }

    /// The variables of an object that have accesses.
    pub fn accessed(&self, object: ObjectId) -> impl Iterator<Item = &Variable<O>> {
        let is_of = move |(at, number): Place| self.objects.nth(at, number) == object;
        self.variables.iter().filter(move |variable| variable.n_accesses > 0 && variable.at.is_some_and(is_of))
    }

    /// How many bytes a variable has.
    pub fn size(&self, variable: VariableId) -> u32 {
        self.variables[variable.index()].at.map_or(8, |(at, _)| self.objects.size(at))
    }

    /// What becomes of a `free` by a thread: the object that it frees, or what the thread is answered and what is wrong
    /// with the graph. The events of which `is_known` holds happen before it.
    pub fn freeing(
        &self,
        room: (LocationId, Address),
        how: Free,
        found: Option<ObjectId>,
        locations: &Locations,
        is_known: impl Fn(Position) -> bool,
    ) -> Result<ObjectId, (Reply, Option<Fault>)> {
        let (at, start) = room;
        let invalid = || Reply::Fault(Fault::new(FaultKind::InvalidFree, format!("{start} is not the start of a heap object")));
        let Some(id) = found else { return Err((invalid(), None)) };
        let Object { freed, heap, .. } = self.objects.object(id);
        let twice = || Fault::new(FaultKind::DoubleFree, format!("{start} is freed again"));
        match *freed {
            Some(freed) if is_known(freed) => Err((Reply::Fault(twice()), None)),
            _ if how == Free::Heap && (!heap || start != locations.range(at).start) => Err((invalid(), None)),
            Some(_) => Err((Reply::Done, Some(twice()))),
            None => Ok(id),
        }
    }

    /// What is wrong where the accesses of a thread to the object that was just freed are not over.
    pub fn unordered_access(
        &self,
        room: LocationId,
        number: u32,
        locations: &Locations,
        are_over: impl Fn(&[Position]) -> bool,
    ) -> Option<Fault> {
        let variables = locations.overlapping(room).iter().filter_map(|other| self.nth(*other, number));
        for (thread, own) in variables.flat_map(|id| &self.variables[id.index()].by_thread) {
            if !are_over(own) {
                return Some(Fault::new(FaultKind::UseAfterFree, format!("nothing orders the free and the access by {thread}")));
            }
        }
        None
    }

    /// What a range of an object that was there from the start holds in the end: the variable, or none where nobody
    /// accessed it. An error where its bytes are accessed in another size.
    pub fn finally(&self, range: Range, locations: &Locations) -> Result<Option<VariableId>, ()> {
        let accessed = |at: LocationId| self.nth(at, 0).filter(|id| self.variables[id.index()].n_accesses > 0);
        if let Some(id) = locations.find(range).and_then(accessed) {
            return Ok(Some(id));
        }
        let overlaps = |at: &LocationId| locations.range(*at).overlaps(range) && accessed(*at).is_some();
        let is_mixed = (0..locations.len() as u32).map(LocationId).any(|at| overlaps(&at));
        if is_mixed { Err(()) } else { Ok(None) }
    }
}
