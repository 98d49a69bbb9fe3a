//! The axioms of AArch64 (Arm Architecture Reference Manual, B2.3, without mixed sizes, tags and translation), kept
//! while events are committed.
//!
//! That a store is committed means that it is seen by all: the model is multi-copy atomic. Commit-before has all of
//! locally-ordered-before, reads-from between threads, and what fetching needs ([`commit_before`]). So a new event has
//! no successors but through coherence and from-reads, and *external* is one set of ancestors for each event, to which
//! those edges add. docs/models/aarch64.md has the argument that every allowed graph is reached.
//!
//! A load may read a store of its own thread that is not committed (*forwarding*): reads-from inside a thread is not in
//! ordered-before. Only what the value of that store depends on comes before the load then.
//!
//! *Internal* is a lower bound on the place in coherence ([`CommitGraph::lowest`]), *atomic* a matter of places
//! ([`Coherence::has_room`]).
//!
//! [`Coherence::has_room`]: crate::commits::Coherence::has_room

mod commit_before;
mod mapping;
mod relation;

pub use mapping::{LLSC, LSE};

use crate::commits::rows::{Bits, newest};
use crate::commits::{CommitGraph, CommitModel, Kind, Rows, Stored};
use commit_before::Nearest;
use raddle_event::{EventId, Fetching, LocationId, Position, ThreadId, Value, Way};
use relation::Relation as R;
use smallvec::SmallVec;

/// Some events, most often few.
type Few = SmallVec<[Position; 4]>;

/// A graph of committed events that the axioms allow.
#[derive(Default)]
pub struct AArch64 {
    rows: Rows<R>,
    graph: CommitGraph,
    /// For each event those whose ancestors were added to when it was committed.
    changed: Vec<Few>,
    /// For each thread the events of others that are ordered before all its events to come, by a spawn or a join.
    behind: Vec<Bits>,
    /// The loads that were committed before the own store that they read from, oldest first.
    forwarded: Vec<Position>,
    /// The event whose rows lie ready after those of the committed ones, and what it would read from.
    prepared: Option<(EventId, Option<EventId>)>,
    /// The store of a compare-exchange of which some load of its thread came only because it is not guessed whether it
    /// happens ([`commit_before`]).
    not_guessed: Option<EventId>,
}

impl AArch64 {
    /// Computes the rows of an event that is about to be committed, with the store that it reads from where it is a
    /// load. Gives the number it will have.
    fn prepare(&mut self, machine: &impl Fetching, id: EventId, source: Option<EventId>) -> Position {
        let e = self.graph.next();
        if self.prepared == Some((id, source)) {
            return e;
        }
        self.rows.open(e);
        let own = source.filter(|source| source.thread == id.thread);
        self.put_behind_others(machine, id, e, own);
        if let (Some(source), None) = (source, own) {
            let number = self.graph.number(source).expect("a store of another thread is read once it is committed");
            self.rows.insert(e, R::Ob0, number);
            self.rows.insert(e, R::Cb0, number);
        }
        let rows = &mut self.rows;
        newest!(rows, false, e, R::Ob0, R::Ob, |a| rows.add_with(e, R::Ob, a, R::Ob));
        newest!(rows, false, e, R::Cb0, R::Cb, |a| rows.add_with(e, R::Cb, a, R::Cb));
        self.prepared = Some((id, source));
        e
    }

    /// The store of its own thread that a load may read from before that is committed, where it can read from no other.
    fn forwards(&self, machine: &impl Fetching, id: EventId) -> Option<EventId> {
        if self.follows_own(machine, id) {
            return None;
        }
        let (Nearest::Store(store), true) = self.nearest(machine, id) else { return None };
        let is_ready = machine.is_known(store) && self.is_ready(machine, id) && self.is_ready_to_forward(machine, id, store);
        is_ready.then_some(store)
    }

    /// The loads that read from a store that is not committed.
    fn readers_of(&self, store: EventId) -> Few {
        let reads = |load: &&Position| self.graph.event(**load).way == Way::From(Some(store));
        self.forwarded.iter().filter(reads).copied().collect()
    }

    fn commit_load(&mut self, e: Position, at: LocationId) {
        let event = self.graph.event(e);
        if event.is_forwarded {
            self.forwarded.push(e);
            return;
        }
        let place = event.place;
        let order = &mut self.graph.orders[at.index()];
        order.read(place, e);
        let next = order.next(place);
        self.descend(e, &[e], next);
    }

    fn commit_store(&mut self, e: Position, at: LocationId, id: EventId, pair: Option<Option<Position>>) {
        let (place, readers) = (self.graph.event(e).place, self.readers_of(id));
        for load in &readers {
            self.graph.events[load.index()].source = Some(e);
        }
        let order = &mut self.graph.orders[at.index()];
        let before = order.at(place).map(|stored| stored.store);
        for &number in before.iter().chain(order.readers(place)) {
            self.rows.add_with(e, R::Ob, number, R::Ob);
        }
        let next = order.next(place);
        let mut from = readers.clone();
        from.push(e);
        order.insert(place, Stored { store: e, thread: id.thread, pair, readers });
        self.descend(e, &from, next);
    }

    /// Events come before the store that follows in coherence, and so before all that it comes before.
    fn descend(&mut self, e: Position, from: &[Position], next: Option<Position>) {
        let Some(next) = next else { return };
        let mut changed = Few::new();
        let rows = &mut self.rows;
        for y in (0..e.0).map(Position) {
            if y != next && !rows.contains(y, R::Ob, next) {
                continue;
            }
            debug_assert!(!from.contains(&y), "ordered-before has no cycle");
            rows.save(y, R::Ob, R::Ob);
            changed.push(y);
            for &x in from {
                rows.add_with(y, R::Ob, x, R::Ob);
            }
        }
        self.changed[e.index()] = changed;
    }
}

impl CommitModel for AArch64 {
    type Behind = Bits;
    type Relation = R;

    const NAME: &'static str = "AArch64";
    const COMMIT_BEFORE: R = R::Cb;

    fn graph(&self) -> &CommitGraph {
        &self.graph
    }

    fn rows(&self) -> &Rows<R> {
        &self.rows
    }

    fn parts(&mut self) -> (&mut CommitGraph, &mut Vec<Bits>) {
        self.prepared = None;
        (&mut self.graph, &mut self.behind)
    }

    fn behind(&self, thread: ThreadId) -> &Bits {
        &self.behind[thread.index()]
    }

    fn put_behind(&mut self, thread: ThreadId, events: Bits) {
        self.put_back(thread, events);
    }

    fn is_enabled(&self, machine: &impl Fetching, id: EventId) -> bool {
        self.is_ready(machine, id) && self.follows_own(machine, id)
    }

    fn look_at(&mut self, machine: &impl Fetching, store: EventId) -> Position {
        self.prepare(machine, store, None)
    }

    fn sources(&mut self, machine: &impl Fetching, id: EventId, mut found: impl FnMut(Option<EventId>)) {
        if !self.follows_own(machine, id) {
            if let Some(store) = self.forwards(machine, id) {
                found(Some(store));
            }
            return;
        }
        let fetched = machine.fetched(id);
        let at = fetched.at.expect("a load has a location");
        let lowest = self.graph.lowest(machine, id);
        for place in lowest..self.graph.order(at).n_places() {
            let source = self.graph.order(at).at(place).map(|stored| self.graph.event(stored.store).id);
            let e = self.prepare(machine, id, source);
            let next = self.graph.order(at).next(place);
            if next.is_none_or(|next| !self.rows.contains(e, R::Ob, next)) {
                found(source);
            }
        }
    }

    fn places(&mut self, machine: &impl Fetching, id: EventId, mut found: impl FnMut(Option<EventId>)) {
        let fetched = machine.fetched(id);
        let at = fetched.at.expect("a store has a location");
        let (pair, lowest) = (self.graph.pair(id.thread, fetched), self.graph.lowest(machine, id));
        let e = self.prepare(machine, id, None);
        let readers = self.readers_of(id);
        let order = self.graph.order(at);
        for place in lowest..order.n_places() {
            let is_seen = |next: Position| readers.iter().chain([&e]).any(|&event| self.rows.contains(event, R::Ob, next));
            if order.has_room(place, id.thread, pair) && !order.next(place).is_some_and(is_seen) {
                found(order.at(place).map(|stored| self.graph.event(stored.store).id));
            }
        }
    }

    fn take_not_guessed(&mut self) -> Option<EventId> {
        self.not_guessed.take()
    }

    fn is_lacking(&self, machine: &impl Fetching, id: EventId) -> bool {
        self.graph.has_begun(machine, id)
    }

    fn commit(&mut self, machine: &impl Fetching, id: EventId, way: Way, value: Option<Value>) {
        let fetched = machine.fetched(id);
        let source = if let Way::From(source) = way { source } else { None };
        self.prepare(machine, id, source);
        self.prepared = None;
        let e = self.graph.push(machine, id, way, value);
        self.changed.push(Few::new());
        match (self.graph.event(e).kind, fetched.at) {
            (Kind::Load, Some(at)) => self.commit_load(e, at),
            (Kind::Store, Some(at)) => self.commit_store(e, at, id, self.graph.pair(id.thread, fetched)),
            _ => {}
        }
        self.graph.number_event(id, e);
    }

    fn undo(&mut self) {
        self.prepared = None;
        let event = self.graph.pop();
        if event.is_forwarded {
            self.forwarded.pop();
        } else if event.is_write() {
            for load in self.readers_of(event.id) {
                self.graph.events[load.index()].source = None;
            }
        }
        for &y in self.changed.pop().expect("some event is committed").iter().rev() {
            self.rows.restore(y, R::Ob, R::Ob);
        }
    }
}
