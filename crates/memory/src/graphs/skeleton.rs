//! Who comes after whom: the events of a graph by thread, and for each what comes before it in po ∪ rf ∪ spawn ∪ join.

use raddle_event::{Clocks, EventId, Position, ThreadId, now_and_then};

#[derive(Default)]
struct Thread {
    events: Vec<Position>,
    /// The event that spawned it.
    spawned: Option<Position>,
}

/// The events of a graph, without what they do.
///
/// Invariant: the clock of an event counts the event itself, no event that is not there, and all that the clocks of the
/// events count that come right before it.
#[derive(Default)]
pub struct Skeleton {
    ids: Vec<EventId>,
    clocks: Clocks,
    threads: Vec<Thread>,
}

impl Skeleton {
    /// Makes room for so many threads.
    pub fn widen(&mut self, n_threads: usize) {
        self.clocks.widen(n_threads);
        if self.threads.len() < n_threads {
            self.threads.resize_with(n_threads, Thread::default);
        }
    }

    /// The newest event.
    pub fn newest(&self) -> Option<Position> {
        self.ids.len().checked_sub(1).map(|at| Position(at as u32))
    }

    /// The name of an event.
    #[inline]
    pub fn id(&self, at: Position) -> EventId {
        self.ids[at.index()]
    }

    /// Where an event is that has been added.
    #[inline]
    pub fn position(&self, id: EventId) -> Position {
        self.threads[id.thread.index()].events[id.index as usize]
    }

    /// How many events a thread has.
    pub fn n_events(&self, thread: ThreadId) -> u32 {
        self.threads.get(thread.index()).map_or(0, |thread| thread.events.len() as u32)
    }

    /// For each thread how many of its events come before an event, itself included.
    #[inline]
    pub fn clock(&self, at: Position) -> &[u32] {
        self.clocks.row(at)
    }

    /// Whether an event comes before another one, or is the same.
    #[inline]
    pub fn is_before(&self, first: Position, second: Position) -> bool {
        self.is_among(first, self.clock(second))
    }

    /// Whether an event is among so many of each thread.
    #[inline]
    pub fn is_among(&self, event: Position, limits: &[u32]) -> bool {
        let id = self.id(event);
        limits.get(id.thread.index()).is_some_and(|&n| n > id.index)
    }

    /// The last event of a thread, or the one that spawned it.
    #[inline]
    pub fn last(&self, thread: ThreadId) -> Option<Position> {
        let thread = &self.threads[thread.index()];
        thread.events.last().copied().or(thread.spawned)
    }

    /// The event that spawned a thread.
    pub fn spawned(&self, thread: ThreadId) -> Option<Position> {
        self.threads[thread.index()].spawned
    }

    /// The event before an event of a thread, or the one that spawned it.
    pub fn previous(&self, EventId { thread, index }: EventId) -> Option<Position> {
        match index {
            0 => self.threads[thread.index()].spawned,
            _ => Some(self.position(EventId { thread, index: index - 1 })),
        }
    }

    /// The event before one of a thread that there is or comes next, or the one that spawned the thread.
    pub fn before(&self, event: EventId) -> Option<Position> {
        if event.index < self.n_events(event.thread) { self.previous(event) } else { self.last(event.thread) }
    }

    /// How many events of each thread come before what a thread does next; none does where this is empty.
    #[inline]
    pub fn seen(&self, thread: ThreadId) -> &[u32] {
        self.last(thread).map_or(&[], |last| self.clock(last))
    }

    /// Whether a thread comes after an event.
    pub fn has_seen(&self, thread: ThreadId, event: Position) -> bool {
        self.is_among(event, self.seen(thread))
    }

    /// Appends an event of a thread, which comes after its last one and after another one.
    pub fn push(&mut self, thread: ThreadId, after: Option<Position>) -> EventId {
        let last = self.last(thread);
        self.clocks.push(last.or(after));
        if let (Some(_), Some(after)) = (last, after) {
            self.clocks.join(after);
        }
        let events = &mut self.threads[thread.index()].events;
        let id = EventId { thread, index: events.len() as u32 };
        events.push(Position(self.ids.len() as u32));
        self.ids.push(id);
        self.clocks.set(thread.index(), id.index + 1);
        debug_assert!(!now_and_then(self.ids.len()) || self.is_newest_sound(last, after));
        id
    }

    /// Decides the invariant for the newest event, which comes right after these.
    fn is_newest_sound(&self, last: Option<Position>, after: Option<Position>) -> bool {
        let newest = self.newest().expect("there is an event");
        let (clock, id) = (self.clock(newest), self.id(newest));
        let counts = |before: Position| self.clock(before).iter().zip(clock).all(|(theirs, own)| theirs <= own);
        let are_there = clock.iter().enumerate().all(|(n, &count)| count <= self.n_events(ThreadId(n as u32)));
        clock[id.thread.index()] == id.index + 1 && are_there && last.into_iter().chain(after).all(counts)
    }

    /// The newest event has spawned a thread.
    pub fn spawn(&mut self, child: ThreadId) {
        self.threads[child.index()].spawned = self.newest();
    }

    /// Takes back the newest event, but for its clock.
    pub fn pop(&mut self) {
        let id = self.ids.pop().expect("there is an event");
        self.threads[id.thread.index()].events.pop();
    }

    /// Takes back the clocks of the events that were taken back.
    pub fn cut_clocks(&mut self) {
        self.clocks.truncate(self.ids.len());
    }

    /// The last of some events of a thread, oldest first, that is among its first `limit` ones.
    #[inline]
    pub fn last_within(&self, own: &[Position], limit: u32) -> Option<Position> {
        let within = |at: &Position| self.ids[at.index()].index < limit;
        match own.last() {
            Some(last) if within(last) => Some(*last),
            Some(_) if limit > 0 => own[..own.partition_point(within)].last().copied(),
            _ => None,
        }
    }
}
