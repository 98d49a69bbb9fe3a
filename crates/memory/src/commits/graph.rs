//! A graph of committed events, without the relations of the axioms: which events there are, what they read from, and
//! the coherence order of each location.

use super::coherence::Coherence;
use super::rows::Bits;
use raddle_event::{EventId, Fetched, Fetching, LocationId, Position, Role, ThreadId, Value, Way};

/// What an event that is committed is to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It reads its location.
    Load,
    /// It writes its location.
    Store,
    /// A choice, the end of an object, or a load that is parked.
    Other,
}

/// An event that is committed.
#[derive(Clone, Debug)]
pub struct Committed {
    /// Its name.
    pub id: EventId,
    /// What was decided when it was committed.
    pub way: Way,
    /// The location that is accessed, or the room of the object that is freed.
    pub at: Option<LocationId>,
    /// What a store writes.
    pub value: Option<Value>,
    /// What it is to the memory.
    pub kind: Kind,
    /// What a load reads from, where it is not the initial value.
    pub(crate) source: Option<Position>,
    /// Whether a load was committed before the own store that it reads from.
    pub(crate) is_forwarded: bool,
    /// The last access of the thread to the location before.
    pub(crate) previous: Option<Position>,
    /// The place right after which a store stands, or which a load reads, when it was committed.
    pub(crate) place: usize,
}

impl Committed {
    /// Whether it reads its location.
    pub fn is_read(&self) -> bool {
        self.kind == Kind::Load
    }

    /// Whether it writes its location.
    pub fn is_write(&self) -> bool {
        self.kind == Kind::Store
    }
}

/// The events of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// The number of each event that is committed.
    pub numbers: Vec<Option<Position>>,
    /// How many events from the first on are committed without a gap.
    pub n_first: u32,
}

/// The events that are committed.
#[derive(Default)]
pub struct CommitGraph {
    pub(crate) events: Vec<Committed>,
    pub(crate) lines: Vec<Line>,
    pub(crate) orders: Vec<Coherence>,
}

impl CommitGraph {
    /// How many events are committed.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no event is committed.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The number that the next event will have.
    pub(crate) fn next(&self) -> Position {
        Position(self.events.len() as u32)
    }

    pub(crate) fn learn(&mut self, n_locations: usize, n_threads: usize) {
        if self.orders.len() < n_locations {
            self.orders.resize_with(n_locations, Coherence::default);
        }
        if self.lines.len() < n_threads {
            self.lines.resize_with(n_threads, Line::default);
        }
    }

    /// Adds the committed events of a thread to a set.
    pub(crate) fn insert_events(&self, thread: ThreadId, set: &mut Bits) {
        self.lines[thread.index()].numbers.iter().flatten().for_each(|&number| set.insert(number));
    }

    /// The event committed as this number.
    #[inline]
    pub fn event(&self, number: Position) -> &Committed {
        &self.events[number.index()]
    }

    /// The number of an event, where it is committed.
    #[inline]
    pub fn number(&self, id: EventId) -> Option<Position> {
        self.committed(id.thread, id.index)
    }

    #[inline]
    pub(crate) fn committed(&self, thread: ThreadId, index: u32) -> Option<Position> {
        self.lines[thread.index()].numbers.get(index as usize).copied().flatten()
    }

    /// How many events of a thread are committed from the first on.
    pub fn n_first(&self, thread: ThreadId) -> u32 {
        self.lines[thread.index()].n_first
    }

    /// The coherence order of a location.
    #[inline]
    pub(crate) fn order(&self, at: LocationId) -> &Coherence {
        &self.orders[at.index()]
    }

    // Coherence

    /// The lowest place in coherence that an access may have or read, by what its thread has done with the location.
    pub(crate) fn lowest(&self, machine: &impl Fetching, id: EventId) -> usize {
        let fetched = machine.fetched(id);
        let order = self.order(fetched.at.expect("an access has a location"));
        let mut before = fetched.previous.map(|index| EventId { index, ..id });
        while let Some(previous) = before.filter(|previous| machine.happens(*previous) == Some(false)) {
            before = machine.fetched(previous).previous.map(|index| EventId { index, ..id });
        }
        before.and_then(|previous| self.number(previous)).map_or(0, |number| {
            let event = self.event(number);
            order.place(if event.is_write() { Some(number) } else { event.source })
        })
    }

    /// Whether coherence lets a load read from a store that comes right after `after`, or from one that is no older.
    pub fn may_follow(&self, machine: &impl Fetching, load: EventId, after: Option<Position>) -> bool {
        let order = self.order(machine.fetched(load).at.expect("a load has a location"));
        order.place(after) >= self.lowest(machine, load)
    }

    /// For the second half of a read-modify-write: what the first half reads from.
    pub(crate) fn pair(&self, thread: ThreadId, fetched: &Fetched) -> Option<Option<Position>> {
        let Role::Store { pair: Some(read) } = fetched.role else { return None };
        Some(self.event(self.committed(thread, read).expect("commit-before has the first half")).source)
    }

    /// Whether an event is the second half of a read-modify-write whose first half is committed.
    pub(crate) fn has_begun(&self, machine: &impl Fetching, id: EventId) -> bool {
        let Role::Store { pair: Some(load) } = machine.fetched(id).role else { return false };
        self.committed(id.thread, load).is_some() && machine.happens(id) != Some(false)
    }

    /// Whether a load would have no room for the store of its read-modify-write if it read from here.
    pub fn is_taken(&self, at: LocationId, source: Option<Position>, thread: ThreadId) -> bool {
        let order = self.order(at);
        order.is_taken(order.place(source), thread)
    }

    // Committing

    /// Adds an event, with a way that is allowed; its place in coherence is not taken yet.
    pub(crate) fn push(&mut self, machine: &impl Fetching, id: EventId, way: Way, value: Option<Value>) -> Position {
        let (e, fetched) = (self.next(), machine.fetched(id));
        let read = if let Way::From(source) = way { source } else { None };
        let source = read.and_then(|source| self.number(source));
        let is_forwarded = read.is_some() && source.is_none();
        let place = match (way, fetched.at) {
            (Way::From(_), Some(at)) => self.order(at).place(source),
            (Way::After(after), Some(at)) => self.order(at).place(after.map(|after| self.number(after).expect("it is committed"))),
            _ => 0,
        };
        let kind = match (fetched.role, way) {
            (_, Way::Parked) => Kind::Other,
            (Role::Load, _) => Kind::Load,
            (Role::Store { .. }, Way::After(_)) => Kind::Store,
            _ => Kind::Other,
        };
        let previous = fetched.previous.and_then(|index| self.committed(id.thread, index));
        self.events.push(Committed { id, way, at: fetched.at, value, kind, source, is_forwarded, previous, place });
        e
    }

    /// From now on the event counts among those of its thread.
    pub(crate) fn number_event(&mut self, id: EventId, e: Position) {
        let line = &mut self.lines[id.thread.index()];
        if line.numbers.len() <= id.index as usize {
            line.numbers.resize(id.index as usize + 1, None);
        }
        line.numbers[id.index as usize] = Some(e);
        while line.numbers.get(line.n_first as usize).is_some_and(|number| number.is_some()) {
            line.n_first += 1;
        }
    }

    /// Takes away the event that was committed last, out of coherence too.
    pub(crate) fn pop(&mut self) -> Committed {
        let event = self.events.pop().expect("some event is committed");
        let line = &mut self.lines[event.id.thread.index()];
        line.numbers[event.id.index as usize] = None;
        line.n_first = line.n_first.min(event.id.index);
        if let Some(at) = event.at {
            let order = &mut self.orders[at.index()];
            match event.kind {
                Kind::Load if !event.is_forwarded => order.unread(event.place),
                Kind::Store => order.remove(event.place),
                Kind::Load | Kind::Other => {}
            }
        }
        event
    }

    // Looking

    /// The loads of a location that are committed, parked ones too, in the order in which they were.
    pub fn loads(&self, at: LocationId) -> impl Iterator<Item = Position> + '_ {
        let at = Some(at);
        let is_load = |event: &Committed| event.is_read() || event.way == Way::Parked;
        (0..self.events.len() as u32).map(Position).filter(move |&number| self.event(number).at == at && is_load(self.event(number)))
    }

    /// The last store that the store of a read-modify-write can come right after: what its load reads from, or a store
    /// of the same thread that follows on that.
    pub fn last_for_pair(&self, load: Position) -> Option<Position> {
        let event = self.event(load);
        let order = self.order(event.at.expect("a load has a location"));
        let mut place = order.place(event.source);
        while place + 1 < order.n_places() && order.at(place + 1).is_some_and(|stored| stored.thread == event.id.thread) {
            place += 1;
        }
        order.at(place).map(|stored| stored.store)
    }

    /// The last store of a location in coherence.
    pub fn last(&self, at: LocationId) -> Option<Position> {
        let order = self.order(at);
        order.at(order.n_places() - 1).map(|stored| stored.store)
    }

    /// The place of a store in the coherence order of a location, or of the initial value.
    pub fn place(&self, at: LocationId, store: Option<Position>) -> usize {
        self.order(at).place(store)
    }

    /// Whether a load reads from the last store in coherence.
    pub fn reads_last(&self, load: Position) -> bool {
        let event = self.event(load);
        event.at.is_none_or(|at| self.last(at) == event.source)
    }

    /// The last of those stores `among` that come before a store in coherence.
    pub fn last_before(&self, store: Position, among: impl Fn(Position) -> bool) -> Option<Position> {
        let order = self.order(self.event(store).at.expect("a store has a location"));
        let place = order.place(Some(store));
        (1..place).rev().filter_map(|place| order.at(place)).map(|stored| stored.store).find(|&other| among(other))
    }
}
