//! What an explorer of graphs needs to know of the thing it explores.

use raddle_event::{EventId, LocationId, Offer, Position, ThreadId, Way};

/// A graph of events that grows by one event at a time, each after all that happens before it, and is taken back newest
/// first.
///
/// A [`Position`] is where an event stands in the order in which events were added; an [`EventId`] names it whatever
/// the order.
pub trait Graph {
    /// Whose event is added next, a function of the graph alone, and in which ways; none where every thread has ended
    /// or waits.
    fn next(&mut self, offers: &mut Vec<Offer>) -> Option<ThreadId>;

    /// The ways in which the next event of a thread can be added. Of the places of a write the last one in coherence
    /// comes first.
    fn offers(&mut self, thread: ThreadId, offers: &mut Vec<Offer>);

    /// The threads that wait because all they could read from is taken, with these ways.
    fn waiting(&mut self, found: &mut Vec<(ThreadId, Offer)>);

    /// Whether the next event of a thread can be added in this way.
    fn can_add(&mut self, thread: ThreadId, way: Way) -> bool;

    /// Adds the next event of a thread.
    fn add(&mut self, thread: ThreadId, way: Way);

    /// Takes back the newest events, until there are so many.
    fn rewind(&mut self, len: usize);

    /// How many numbers of threads are in use.
    fn n_threads(&self) -> usize;

    /// How many events a thread has.
    fn n_events(&self, thread: ThreadId) -> u32;

    /// What the next event of a thread accesses, where it accesses something.
    fn accesses(&self, thread: ThreadId) -> Option<LocationId>;

    /// The name of an event.
    fn id(&self, at: Position) -> EventId;

    /// Where an event stands.
    fn position(&self, id: EventId) -> Position;

    /// For each thread how many of its events happen before an event, itself included.
    fn clock(&self, at: Position) -> &[u32];

    /// The reads of the variable that an event writes, if it writes, that do not happen before it. A thread that is
    /// parked reads too, where it may be revisited.
    fn unordered_reads(&mut self, write: Position, found: &mut Vec<Position>);

    /// Whether the guard of a read lets it read from a write.
    fn accepts(&mut self, read: Position, write: Position) -> bool;

    /// Whether the next event of a thread, a read, may read from a write.
    fn is_readable(&mut self, thread: ThreadId, write: Position) -> bool;

    /// Whether an event is the canonical one to add to the graph that has so many events of each thread and not this
    /// one; and of `write`, where that is a read-modify-write, the read alone.
    fn is_canonical(&mut self, at: Position, limits: &[u32], write: Position) -> bool;

    /// Where nothing can be added any more: adds events that show on what threads wait. They are taken back before
    /// anything else happens. Tells whether the program has this execution: a thread that is parked must find a value
    /// in the end that leads it round its loop.
    fn look_last(&mut self) -> bool;

    /// Whether the graph has gone wrong in a way that ends the search for its continuation.
    fn is_over(&self) -> bool;
}
