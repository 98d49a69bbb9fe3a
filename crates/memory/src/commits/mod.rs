//! Models whose events are committed out of order (Abdulla, Atig, Jonsson, Leonardsson, "Stateless Model Checking for
//! POWER", CAV 2016): what they have in common, and the trait that each of them implements.
//!
//! A model keeps the relations of its axioms while events are committed, and says what its commit-before is: which
//! events must be committed before an event can be. What a graph is, whatever the axioms, is in [`CommitGraph`].

mod coherence;
mod graph;
mod objects;
pub(crate) mod rows;

pub use coherence::{Coherence, Stored};
pub use graph::{CommitGraph, Committed, Kind};
pub use objects::Objects;
pub use rows::{Bits, Relation, Rows};

use raddle_event::{EventId, Fetching, Position, ThreadId, Value, Way};

/// A graph of committed events that the axioms of a model allow.
pub trait CommitModel: Default {
    /// What is ordered before all events to come of a thread, by spawns and joins.
    type Behind: Clone + Default + AsRef<Bits>;

    /// The relations that are kept of events.
    type Relation: Relation;

    /// What people call the model.
    const NAME: &'static str;

    /// Commit-before, among the relations.
    const COMMIT_BEFORE: Self::Relation;

    /// The events and their order, without the relations of the axioms.
    fn graph(&self) -> &CommitGraph;

    /// The relations.
    fn rows(&self) -> &Rows<Self::Relation>;

    /// The graph, and for each thread what is ordered before its events to come, to be changed. What was worked out of
    /// an event that is about to be committed is forgotten.
    fn parts(&mut self) -> (&mut CommitGraph, &mut Vec<Self::Behind>);

    /// What is ordered before all events to come of a thread.
    fn behind(&self, thread: ThreadId) -> &Self::Behind;

    /// Orders just these events before all events to come of a thread.
    fn put_behind(&mut self, thread: ThreadId, events: Bits);

    /// Learns of the locations and threads seen since the last time.
    fn learn(&mut self, n_locations: usize, n_threads: usize) {
        let (graph, behind) = self.parts();
        graph.learn(n_locations, n_threads);
        if behind.len() < n_threads {
            behind.resize_with(n_threads, Self::Behind::default);
        }
    }

    /// What a thread has done, and what was ordered before that, comes before all that another thread will do.
    fn order(&mut self, before: ThreadId, after: ThreadId) {
        let mut events = self.behind(before).as_ref().clone();
        self.graph().insert_events(before, &mut events);
        events.add(self.behind(after).as_ref());
        self.put_behind(after, events);
    }

    /// Puts back what is ordered before the events to come of a thread.
    fn put_back(&mut self, thread: ThreadId, before: Self::Behind) {
        self.parts().1[thread.index()] = before;
    }

    /// Whether all events that commit-before puts before an event are committed, whatever it reads from.
    fn is_enabled(&self, machine: &impl Fetching, id: EventId) -> bool;

    /// Whether an event that is committed comes before another in commit-before. The second may be one that was looked
    /// at last.
    #[inline]
    fn is_before(&self, first: Position, second: Position) -> bool {
        self.rows().contains(second, Self::COMMIT_BEFORE, first)
    }

    /// How many events come before an event in commit-before, of those `among`.
    fn n_before(&self, event: Position, among: impl Fn(Position) -> bool) -> usize {
        let (rows, mut n) = (self.rows(), 0);
        rows::each!(rows, event, Self::COMMIT_BEFORE, |other| n += among(other) as usize);
        n
    }

    /// Looks at a store that is about to be committed. Gives the number it will have.
    fn look_at(&mut self, machine: &impl Fetching, store: EventId) -> Position;

    /// Calls `found` for each store that a load may read from, oldest first.
    fn sources(&mut self, machine: &impl Fetching, load: EventId, found: impl FnMut(Option<EventId>));

    /// Calls `found` for each store that a store may come right after, oldest first.
    fn places(&mut self, machine: &impl Fetching, store: EventId, found: impl FnMut(Option<EventId>));

    /// Whether it is open, as long as an event is not committed, if the graph is part of an execution: there may be no
    /// place for the event.
    fn is_lacking(&self, machine: &impl Fetching, id: EventId) -> bool;

    /// The store of a compare-exchange behind which commit-before has put a load only because it was not guessed
    /// whether the store happens; it is told once.
    fn take_not_guessed(&mut self) -> Option<EventId> {
        None
    }

    /// Commits an event with a way that is allowed. `value` is what a store writes.
    fn commit(&mut self, machine: &impl Fetching, id: EventId, way: Way, value: Option<Value>);

    /// Takes back the event that was committed last.
    fn undo(&mut self);
}
