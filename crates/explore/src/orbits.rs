//! Symmetry: of the graphs that differ only in which of several interchangeable threads did what, one.
//!
//! After Kokologiannakis, Marmanis, Vafeiadis, "SPORE: Combining symmetry and partial order reduction", PLDI 2024. A
//! thread that may be exchanged with one that began before it, its *elder*, follows it: as long as both have read from
//! the same writes, the thread waits until its elder has done what comes next, and then does not do what stands before
//! that in coherence. Both rules make a graph that any explorer of graphs can grow: what comes before an event is not
//! po ∪ rf alone, but also the event of the elder that it follows. docs/algorithms/symmetry.md has the definitions and
//! says why one graph of each orbit is left.

mod first;

use crate::{Branch, End, Graph, Sink};
use raddle_event::{Clocks, EventId, LocationId, Offer, Position, ThreadId, Way};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// A graph of threads some of which may be exchanged.
pub trait Interchangeable: Graph {
    /// The thread that began right before a thread and that nothing told apart from it then.
    fn elder(&self, thread: ThreadId) -> Option<ThreadId>;

    /// Where the next event of a thread would stand, added in this way, next to an event of its elder.
    fn compare(&self, elders: Position, way: Way) -> Ordering;

    /// Where an event stands in coherence: the rank of what it reads from or, where it only writes, its own.
    fn standing(&self, event: Position) -> u32;

    /// Whether the event of a thread must not stand before this one of its elder.
    fn has_key(&self, elders: Position) -> bool;

    /// Whether po ∪ rf ∪ co has no cycle in any graph.
    fn orders_writes(&self) -> bool;

    /// Whether it has none among so many events of each thread.
    fn is_in_one_order(&self, limits: &[u32]) -> bool;

    /// The next event of a thread is about to be added: looks whether it tells threads apart.
    fn look_at(&mut self, thread: ThreadId, way: Way);

    /// Nothing can be added: looks whether anything told threads apart.
    fn look_at_end(&mut self);

    /// A thread is not like its elder: the exploration starts over.
    fn tell_apart(&mut self, thread: ThreadId);
}

/// A graph in which threads follow their elders.
pub struct Orbits<'g, G> {
    graph: &'g mut G,
    /// For each event how it was added.
    ways: Vec<Way>,
    /// For each event whether the elder of its thread has done the same, there and before.
    follows: Vec<bool>,
    /// What comes before each event in po ∪ rf and by what threads follow.
    clocks: Clocks,
}

impl<'g, G: Interchangeable> Orbits<'g, G> {
    /// The graph without events.
    pub fn new(graph: &'g mut G) -> Self {
        Orbits { graph, ways: Vec::new(), follows: Vec::new(), clocks: Clocks::default() }
    }

    /// The elder of a thread, where the thread has done the same as it so far.
    fn followed(&self, thread: ThreadId) -> Option<ThreadId> {
        let follows = match self.graph.n_events(thread).checked_sub(1) {
            Some(index) => self.follows[self.graph.position(EventId { thread, index }).index()],
            None => true,
        };
        self.graph.elder(thread).filter(|_| follows)
    }

    /// The event of its elder that the next event of a thread follows. `Err` where it is not there yet.
    fn next_followed(&self, thread: ThreadId) -> Result<Option<Position>, ThreadId> {
        let Some(elder) = self.followed(thread) else { return Ok(None) };
        let index = self.graph.n_events(thread);
        match index < self.graph.n_events(elder) {
            true => Ok(Some(self.graph.position(EventId { thread: elder, index }))),
            false => Err(elder),
        }
    }

    /// Leaves out what a thread that follows another one does not do.
    fn retain_followed(&mut self, thread: ThreadId, offers: &mut Vec<Offer>) {
        match self.next_followed(thread) {
            Ok(None) => {}
            Ok(Some(elders)) => offers.retain(|offer| self.may_follow(thread, elders, offer.way)),
            Err(_) => offers.clear(),
        }
    }

    /// Whether a thread may do something after its elder has done this.
    fn may_follow(&mut self, thread: ThreadId, elders: Position, way: Way) -> bool {
        let order = match (self.ways[elders.index()], way) {
            (Way::Outcome(theirs), Way::Outcome(outcome)) => theirs.cmp(&outcome),
            // Whether an await stays is not in its order: either may be canonical after the other.
            (Way::Parked, _) | (_, Way::Parked) => Ordering::Equal,
            _ if !self.graph.has_key(elders) => Ordering::Equal,
            _ => self.graph.compare(elders, way),
        };
        order != Ordering::Less || !(self.graph.orders_writes() || self.has_one_order(thread, way))
    }

    /// Whether what comes before the next event of a thread, added in this way, is in one order with the event.
    fn has_one_order(&mut self, thread: ThreadId, way: Way) -> bool {
        let len = self.ways.len();
        self.add(thread, way);
        let is_in_one_order = self.graph.is_in_one_order(self.clocks.row(Position(len as u32)));
        self.rewind(len);
        is_in_one_order
    }

    /// Appends the clock of the newest event, which follows another one.
    fn push_clock(&mut self, followed: Option<Position>) {
        let at = Position(self.ways.len() as u32 - 1);
        let own = self.graph.id(at);
        self.clocks.widen(self.graph.n_threads());
        self.clocks.push(followed);
        for thread in (0..self.graph.n_threads() as u32).map(ThreadId) {
            let n = self.graph.clock(at).get(thread.index()).copied().unwrap_or(0) - (thread == own.thread) as u32;
            if let Some(index) = n.checked_sub(1) {
                self.clocks.join(self.graph.position(EventId { thread, index }));
            }
        }
        self.clocks.set(own.thread.index(), own.index + 1);
    }
}

impl<G: Interchangeable> Graph for Orbits<'_, G> {
    fn next(&mut self, offers: &mut Vec<Offer>) -> Option<ThreadId> {
        let thread = self.graph.next(offers)?;
        self.retain_followed(thread, offers);
        if offers.iter().all(|offer| offer.taken.is_some()) {
            // Its elder could have done the same, and comes first.
            offers.clear();
            self.graph.tell_apart(thread);
            return None;
        }
        Some(thread)
    }

    fn offers(&mut self, thread: ThreadId, offers: &mut Vec<Offer>) {
        self.graph.offers(thread, offers);
        self.retain_followed(thread, offers);
    }

    fn waiting(&mut self, found: &mut Vec<(ThreadId, Offer)>) {
        self.graph.waiting(found);
        found.retain(|&(thread, offer)| match self.next_followed(thread) {
            Ok(None) => true,
            Ok(Some(elders)) => self.may_follow(thread, elders, offer.way),
            Err(_) => false,
        });
    }

    fn can_add(&mut self, thread: ThreadId, way: Way) -> bool {
        self.graph.can_add(thread, way)
    }

    fn add(&mut self, thread: ThreadId, way: Way) {
        let followed = self.next_followed(thread).unwrap_or_else(|_| {
            self.graph.tell_apart(thread);
            None
        });
        self.graph.look_at(thread, way);
        self.graph.add(thread, way);
        self.ways.push(way);
        let is_place = matches!(way, Way::After(_));
        self.follows.push(!is_place && followed.is_some_and(|elders| self.ways[elders.index()] == way));
        self.push_clock(followed);
    }

    fn rewind(&mut self, len: usize) {
        self.graph.rewind(len);
        self.ways.truncate(len);
        self.follows.truncate(len);
        self.clocks.truncate(self.ways.len());
    }

    fn n_threads(&self) -> usize {
        self.graph.n_threads()
    }

    fn n_events(&self, thread: ThreadId) -> u32 {
        self.graph.n_events(thread)
    }

    fn accesses(&self, thread: ThreadId) -> Option<LocationId> {
        self.graph.accesses(thread)
    }

    fn id(&self, at: Position) -> EventId {
        self.graph.id(at)
    }

    fn position(&self, id: EventId) -> Position {
        self.graph.position(id)
    }

    fn clock(&self, at: Position) -> &[u32] {
        self.clocks.row(at)
    }

    fn unordered_reads(&mut self, write: Position, found: &mut Vec<Position>) {
        self.graph.unordered_reads(write, found);
        found.retain(|&read| {
            let EventId { thread, index } = self.graph.id(read);
            self.clocks.get(write, thread.index()) <= index
        });
    }

    fn accepts(&mut self, read: Position, write: Position) -> bool {
        self.graph.accepts(read, write)
    }

    fn is_readable(&mut self, thread: ThreadId, write: Position) -> bool {
        let way = Way::From(Some(self.graph.id(write)));
        self.graph.is_readable(thread, write)
            && match self.next_followed(thread) {
                Ok(None) => true,
                Ok(Some(elders)) => self.may_follow(thread, elders, way),
                Err(_) => false,
            }
    }

    fn is_canonical(&mut self, at: Position, limits: &[u32], write: Position) -> bool {
        self.graph.is_canonical(at, limits, write)
    }

    fn look_last(&mut self) -> bool {
        self.graph.look_at_end();
        self.comes_first() && self.graph.look_last()
    }

    fn is_over(&self) -> bool {
        self.graph.is_over()
    }
}

/// Passes on what is found to who knows nothing of symmetry.
pub struct Unfolded<'s, G>(pub &'s mut dyn Sink<G>);

impl<G> Sink<Orbits<'_, G>> for Unfolded<'_, G> {
    fn execution(&mut self, orbits: &Orbits<'_, G>, end: End) -> ControlFlow<()> {
        self.0.execution(orbits.graph, end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.0.event()
    }

    fn wants(&mut self, branch: Branch) -> bool {
        self.0.wants(branch)
    }

    fn turns(&mut self, orbits: &Orbits<'_, G>, branch: Branch, at: Option<LocationId>) {
        self.0.turns(orbits.graph, branch, at);
    }

    fn restart(&mut self) {
        self.0.restart();
    }
}
