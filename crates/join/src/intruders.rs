//! Blocks that are one step, under models that have no steps (`__VERIFIER_atomic_begin` and `_end`).
//!
//! There a block is a critical section of one lock that all blocks share. So blocks are in an order, and none sees
//! another one half done. That is all there is to see where each access that conflicts with one in a block of another
//! thread stands in a block too, or comes before all of that block or after all of it. Spawns and joins say what comes
//! before what: what any model orders.
//!
//! Any other access is an *intruder*. With it the graph may be one that blocks do not allow: the lock keeps only other
//! blocks away. Whatever blocks allow is among the graphs that the lock allows, so nothing is missed, and a program all
//! of whose graphs are right is right. But a fault counts only in a graph without intruders, or in one that is also an
//! interleaving of the threads that interrupts no block (with the same reads-from, so that each thread does the same):
//! every model allows that one.

use raddle_event::{EventId, FaultKind, LocationId, Locations, ThreadId};
use raddle_machine::FaultAt;
use std::collections::BTreeMap;

/// What an event does, if it accesses memory.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    pub at: LocationId,
    /// The write that it reads from, or the initial value, if it reads.
    pub from: Option<Option<EventId>>,
    pub writes: bool,
    /// Whether what it conflicts with is a data race, and found as such.
    pub may_race: bool,
}

/// So many events of one thread come before all but so many events of another one.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub before: (ThreadId, u32),
    pub after: (ThreadId, u32),
}

/// A block: from which event of its thread to which, none where it has no end.
struct AtomicBlock {
    thread: ThreadId,
    begin: u32,
    end: Option<u32>,
}

/// The events of threads, as far as blocks are concerned.
pub(crate) struct Events<'g> {
    /// Those of each thread in program order.
    pub threads: Vec<Vec<Option<Done>>>,
    /// Spawns and joins, in an order in which they came to be.
    pub edges: Vec<Edge>,
    /// The word of the lock.
    pub word: LocationId,
    pub locations: &'g Locations,
    /// The faults of the execution, before which those threads have come to them.
    pub faults: &'g [FaultAt],
}

/// A thread with an intruder, where the graph may be one that blocks do not allow.
pub(crate) fn intruder(events: &Events) -> Option<ThreadId> {
    let Events { threads, edges, word, locations, faults } = events;
    let word = *word;
    let blocks: Vec<AtomicBlock> = threads.iter().enumerate().flat_map(|(n, events)| blocks(ThreadId(n as u32), events, word)).collect();
    let each = threads.iter().enumerate().flat_map(|(n, events)| {
        let accesses = events.iter().enumerate().filter_map(|(index, done)| Some((index as u32, (*done)?)));
        accesses.map(move |(index, done)| (ThreadId(n as u32), index, done))
    });
    let conflicts = |a: Done, b: Done| {
        (a.writes || b.writes) && !a.may_race && !b.may_race && (a.at == b.at || locations.overlapping(a.at).contains(&b.at))
    };
    let intrudes = |(thread, index, done): &(ThreadId, u32, Done)| {
        let is_outside = done.at != word && !blocks.iter().any(|block| block.thread == *thread && block.has(*index));
        is_outside
            && blocks.iter().filter(|block| block.thread != *thread && !block.is_apart(*thread, *index, edges)).any(|block| {
                let events = &threads[block.thread.index()][block.begin as usize..];
                let inside = events.iter().take(block.end.map_or(events.len(), |end| (end - block.begin) as usize));
                inside.flatten().any(|other| conflicts(*done, *other))
            })
    };
    let found = each.filter(intrudes).map(|(thread, ..)| thread).next();
    // What other threads have done may come after a fault.
    let is_local = !faults.is_empty() && faults.iter().all(|fault| fault.fault.kind != FaultKind::DataRace);
    let is_needed = |thread: &usize| !is_local || faults.iter().any(|fault| fault.thread.index() == *thread);
    let needed: Vec<usize> = (0..threads.len()).filter(is_needed).collect();
    found.filter(|_| !Interleaving::new(threads, edges, &blocks).is_found(&needed))
}

/// How many steps are tried to find an interleaving.
const MOST_STEPS: u32 = 100_000;

/// The search for an interleaving in which each read finds the write that it reads from.
struct Interleaving<'t> {
    threads: &'t [Vec<Option<Done>>],
    edges: &'t [Edge],
    blocks: &'t [AtomicBlock],
    /// How many events of each thread have been taken.
    taken: Vec<u32>,
    /// The last write to a location.
    last: BTreeMap<LocationId, EventId>,
    /// How many reads of what was written last, or at first, are still to come.
    waiting: BTreeMap<(LocationId, Option<EventId>), u32>,
    n_steps: u32,
}

impl<'t> Interleaving<'t> {
    fn new(threads: &'t [Vec<Option<Done>>], edges: &'t [Edge], blocks: &'t [AtomicBlock]) -> Self {
        let mut waiting: BTreeMap<_, u32> = BTreeMap::default();
        for done in threads.iter().flatten().flatten() {
            if let Some(from) = done.from {
                *waiting.entry((done.at, from)).or_default() += 1;
            }
        }
        Interleaving { threads, edges, blocks, taken: vec![0; threads.len()], last: BTreeMap::default(), waiting, n_steps: 0 }
    }

    /// Whether a thread can go on: what comes before has been taken, and no other thread is in a block.
    fn can_step(&self, thread: usize) -> bool {
        let index = self.taken[thread];
        let is_in_block = |block: &AtomicBlock| {
            let n_taken = self.taken[block.thread.index()];
            block.begin < n_taken && block.end.is_none_or(|end| n_taken <= end)
        };
        let comes_first =
            |edge: &Edge| edge.after.0.index() != thread || edge.after.1 > index || self.taken[edge.before.0.index()] >= edge.before.1;
        let Some(done) = self.threads[thread].get(index as usize) else { return false };
        let finds = done.is_none_or(|done| {
            let last = self.last.get(&done.at).copied();
            let n_waiting = self.waiting.get(&(done.at, last)).copied().unwrap_or(0);
            // Who still reads the last write must do so before it is overwritten.
            done.from.is_none_or(|from| from == last) && (!done.writes || n_waiting == done.from.is_some() as u32)
        });
        finds && self.edges.iter().all(comes_first) && !self.blocks.iter().any(|block| block.thread.index() != thread && is_in_block(block))
    }

    /// Takes the next event of a thread. Gives the write that was the last before.
    fn step(&mut self, thread: usize) -> Option<EventId> {
        let index = self.taken[thread];
        self.taken[thread] += 1;
        let done = self.threads[thread][index as usize]?;
        let before = self.last.get(&done.at).copied();
        if let Some(from) = done.from {
            *self.waiting.get_mut(&(done.at, from)).expect("it was counted") -= 1;
        }
        if done.writes {
            self.last.insert(done.at, EventId { thread: ThreadId(thread as u32), index });
        }
        before
    }

    fn back(&mut self, thread: usize, before: Option<EventId>) {
        self.taken[thread] -= 1;
        let Some(done) = self.threads[thread][self.taken[thread] as usize] else { return };
        if let Some(from) = done.from {
            *self.waiting.get_mut(&(done.at, from)).expect("it was counted") += 1;
        }
        match before {
            Some(before) => self.last.insert(done.at, before),
            None => self.last.remove(&done.at),
        };
    }

    /// Whether there is one that has all events of these threads.
    fn is_found(&mut self, needed: &[usize]) -> bool {
        let mut path: Vec<(usize, Option<EventId>)> = Vec::new();
        let mut next = 0;
        loop {
            if needed.iter().all(|&thread| self.taken[thread] as usize == self.threads[thread].len()) {
                return true;
            }
            self.n_steps += 1;
            let writes = |this: &Self, thread: usize| this.threads[thread][this.taken[thread] as usize].is_some_and(|done| done.writes);
            match (next..self.threads.len()).find(|&thread| self.can_step(thread)) {
                Some(thread) if self.n_steps < MOST_STEPS => {
                    path.push((thread, self.step(thread)));
                    next = 0;
                }
                _ => {
                    // What only reads takes nothing from the others: it need not be tried later.
                    loop {
                        let Some((thread, before)) = path.pop().filter(|_| self.n_steps < MOST_STEPS) else { return false };
                        self.back(thread, before);
                        if writes(self, thread) {
                            next = thread + 1;
                            break;
                        }
                    }
                }
            }
        }
    }
}

impl AtomicBlock {
    fn has(&self, index: u32) -> bool {
        self.begin <= index && self.end.is_none_or(|end| index <= end)
    }

    /// Whether an event of another thread comes before all of the block or after all of it.
    fn is_apart(&self, thread: ThreadId, index: u32, edges: &[Edge]) -> bool {
        let ends_before = self.end.is_some_and(|end| before((thread, index), self.thread, edges) > end);
        ends_before || before((self.thread, self.begin), thread, edges) > index
    }
}

/// How many events of a thread come before an event of another one.
fn before((thread, index): (ThreadId, u32), other: ThreadId, edges: &[Edge]) -> u32 {
    let mut n_before = vec![(thread, index + 1)];
    let count =
        |known: &[(ThreadId, u32)], of: ThreadId| known.iter().filter(|known| known.0 == of).map(|known| known.1).max().unwrap_or(0);
    // An edge comes to be after those that lead to its beginning.
    for edge in edges.iter().rev() {
        if count(&n_before, edge.after.0) > edge.after.1 {
            n_before.push(edge.before);
        }
    }
    count(&n_before, other)
}

/// The blocks of a thread: it takes the lock and gives it back in turn.
fn blocks(thread: ThreadId, events: &[Option<Done>], word: LocationId) -> Vec<AtomicBlock> {
    let turns: Vec<u32> = (0..).zip(events).filter(|(_, done)| done.is_some_and(|done| done.at == word)).map(|(n, _)| n).collect();
    turns.chunks(2).map(|turns| AtomicBlock { thread, begin: turns[0], end: turns.get(1).copied() }).collect()
}
