//! The canonical source of a read: the write that it would read from if nobody had a say.
//!
//! In every graph to which a read can be added, one of the writes that it can read from is canonical. Which one is a function of that graph alone. An explorer that may go
//! back and let a read take another write does so only when what it takes back was all canonical, so that it does it once (docs/algorithms/weak_trace.md).
//!
//! The canonical source is the last write of a block after which no other comes: reading from it is always allowed. Among several such blocks it is the one whose
//! first write has the greatest name. A block is such a one exactly when for each thread its last access stands for a write of the block or does not happen after
//! the first write of the block: had an earlier access stood for a later block, so would have the last one. So only the last access of each thread is looked at.
//!
//! Where the guard of the read does not hold for that write, the canonical source is the one with the greatest name among all that it can read from.

use super::coherence::{Coherence, Log};
use super::readable::Overwritten;
use super::variable::{VariableId, Write};
use super::{Access, Act, Ra};
use raddle_event::{EventId, Position, ThreadId};
use smallvec::SmallVec;

impl Ra {
    /// Whether an event is what would have been added to a graph: the one that has so many events of each thread, and of `write`, where
    /// that is a read-modify-write, the read alone. That graph has all that happens before its events and before this event (but for its source), and not the event itself.
    pub fn is_canonical(&self, at: Position, limits: &[u32], write: Position) -> bool {
        match &self.events[at.index()].act {
            Act::Silent | Act::Free(_) => true,
            Act::Choice(outcome) => *outcome == 0,
            Act::Access(access) => access.source.is_none_or(|source| self.canonical_source(at, access, limits, write) == Some(source)),
        }
    }

    fn canonical_source(&self, at: Position, access: &Access, limits: &[u32], write: Position) -> Option<Write> {
        let read = self.access(write).filter(|by| by.variable == access.variable).and_then(|by| by.source);
        let read = read.map(|source| (write, source));
        let last = self.last_in_coherence(access.variable, limits, read);
        match access.guard {
            Some(guard) if !guard.holds(self.value(access.variable, last).word()) => self.greatest(at, access, limits, read),
            _ => Some(last),
        }
    }

    /// The last write of the greatest block after which no other comes. There is one more `read` than the limits say.
    fn last_in_coherence(&self, variable: VariableId, limits: &[u32], read: Option<(Position, Write)>) -> Write {
        let of = &self.variables[variable.index()];
        if !of.is_ordered() {
            return self.greatest_last(variable, limits, read);
        }
        let last = of.writes.iter().rfind(|write| write.event.is_some_and(|at| self.is_among(at, limits)));
        let last = last.copied().unwrap_or(Write::INITIAL);
        debug_assert_eq!(last, self.greatest_last(variable, limits, read));
        last
    }

    /// The same, where writes may be in no order.
    fn greatest_last(&self, variable: VariableId, limits: &[u32], read: Option<(Position, Write)>) -> Write {
        let mut last: SmallVec<[(Position, Write); 8]> = read.into_iter().collect();
        for (thread, own) in &self.variables[variable.index()].by_thread {
            if let Some(at) = self.last_within(own, limits[thread.index()]) {
                last.push((at, self.access(at).expect("it is one").stands_for));
            }
        }
        let mut best: Option<(Option<EventId>, Write)> = None;
        for &(_, write) in &last {
            let first = self.variables[variable.index()].firsts[write.block as usize];
            let is_last =
                |&(at, other): &(Position, Write)| other.block == write.block || first.is_some_and(|first| !self.happens_before(first, at));
            let key = first.map(|first| self.id(first));
            let is_better = best.is_none_or(|(greatest, end)| (greatest, end.place) < (key, write.place));
            if is_better && last.iter().all(is_last) {
                best = Some((key, write));
            }
        }
        best.map_or(Write::INITIAL, |best| best.1)
    }

    /// The source with the greatest name among all that a guarded read can read from.
    fn greatest(&self, at: Position, access: &Access, limits: &[u32], read: Option<(Position, Write)>) -> Option<Write> {
        let coherence = self.coherence_within(access.variable, limits, read);
        let (mut overwritten, EventId { thread, index }) = (Overwritten::default(), self.id(at));
        let rmw = self.guarded.binary_search_by_key(&at, |guarded| guarded.0).ok().map(|found| self.guarded[found].1);
        let (past, size) = (self.past(thread, index), self.size(access.variable));
        self.for_each_newest(access.variable, past, |write| overwritten.add(write, coherence.before(write.block)));
        let can_read = |write: &Write| {
            let value = self.value(access.variable, *write);
            let writes = rmw.is_some_and(|rmw| rmw.apply(value.to_u128(), size).is_some());
            let is_taken = writes && self.is_taken_within(access.variable, *write, limits);
            overwritten.allows(*write) && access.guard.is_none_or(|guard| guard.holds(value.word())) && !is_taken
        };
        let is_within = |write: &Write| write.event.is_some_and(|at| self.is_among(at, limits));
        let writes = self.variables[access.variable.index()].writes.iter().copied().filter(is_within);
        std::iter::once(Write::INITIAL).chain(writes).filter(can_read).max_by_key(|write| write.event.map(|at| self.id(at)))
    }

    fn is_taken_within(&self, variable: VariableId, write: Write, limits: &[u32]) -> bool {
        let writes = &self.variables[variable.index()].writes;
        writes.iter().any(|next| next.is_next(write) && next.event.is_some_and(|at| self.is_among(at, limits)))
    }

    /// What a thread has seen before its event with an index.
    fn past(&self, thread: ThreadId, index: u32) -> &[u32] {
        let before = match index {
            0 => self.threads[thread.index()].spawned,
            _ => Some(self.position(EventId { thread, index: index - 1 })),
        };
        before.map_or(&[], |before| self.clock(before))
    }

    /// How many bytes a variable has.
    fn size(&self, variable: VariableId) -> u32 {
        self.variables[variable.index()].at.map_or(8, |(at, _)| self.objects.size(at))
    }

    /// What the accesses among so many events of each thread force, and one more read.
    fn coherence_within(&self, variable: VariableId, limits: &[u32], read: Option<(Position, Write)>) -> Coherence {
        let of = &self.variables[variable.index()];
        let (mut coherence, mut log) = (Coherence::default(), Log::default());
        for _ in 1..of.firsts.len() {
            coherence.push();
        }
        let within = of.by_thread.iter().flat_map(|(_, own)| own).filter(|at| self.is_among(**at, limits));
        let accesses = within.map(|&at| (at, self.access(at).expect("it is one").stands_for));
        for (at, Write { block, .. }) in accesses.chain(read) {
            let id = self.id(at);
            let mut before = self.clock(at).to_vec();
            before[id.thread.index()] = id.index;
            self.for_each_newest(variable, &before, |write| {
                if write.block != block {
                    coherence.precede(write.block, block, variable.0, &mut log);
                }
            });
        }
        coherence
    }
}
