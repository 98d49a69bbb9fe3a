//! The canonical source of a read: the write that it would read from if nobody had a say.
//!
//! In every graph to which a read can be added, one of the writes that it can read from is canonical. Which one is a
//! function of that graph alone. An explorer that may go back and let a read take another write does so only when what
//! it takes back was all canonical, so that it does it once (docs/algorithms/weak_trace.md).
//!
//! The canonical source is the last write of a block after which no other comes: reading from it is always allowed.
//! Among several such blocks it is the one whose first write has the greatest name. A block is such a one exactly when
//! for each thread its last access stands for a write of the block or does not happen after the first write of the
//! block: had an earlier access stood for a later block, so would have the last one. So only the last access of each
//! thread is looked at.
//!
//! Where the guard of the read does not hold for that write, the canonical source is the one with the greatest name
//! among all that it can read from.

use super::coherence::{Coherence, Log};
use super::readable::Overwritten;
use super::variable::Write;
use super::{Access, Ra};
use crate::graphs::VariableId;
use raddle_event::{EventId, Position};
use smallvec::SmallVec;

impl Ra {
    /// The write that a read would read from, in the graph that
    /// [`GraphModel::is_canonical`](crate::graphs::GraphModel::is_canonical) says.
    pub(super) fn canonical_source(
        &self,
        (at, access): (Position, &Access),
        limits: &[u32],
        write: Position,
        in_vain: &[u64],
    ) -> Option<Write> {
        let read = self.access(write).filter(|by| by.variable == access.variable).and_then(|by| by.source);
        let read = read.map(|source| (write, source));
        let last = self.last_in_coherence(access.variable, limits, read);
        match access.waits_for(self.value(access.variable, last), in_vain) {
            true => self.greatest((at, access), limits, read, in_vain),
            false => Some(last),
        }
    }

    /// The last write of the greatest block after which no other comes. There is one more `read` than the limits say.
    fn last_in_coherence(&self, variable: VariableId, limits: &[u32], read: Option<(Position, Write)>) -> Write {
        let of = self.blocks(variable);
        if !of.is_ordered() {
            return self.greatest_last(variable, limits, read);
        }
        let last = of.writes.iter().rfind(|write| write.event.is_some_and(|at| self.skeleton.is_among(at, limits)));
        let last = last.copied().unwrap_or(Write::INITIAL);
        debug_assert_eq!(last, self.greatest_last(variable, limits, read));
        last
    }

    /// The same, where writes may be in no order.
    fn greatest_last(&self, variable: VariableId, limits: &[u32], read: Option<(Position, Write)>) -> Write {
        let mut last: SmallVec<[(Position, Write); 8]> = read.into_iter().collect();
        for (thread, own) in self.accesses(variable) {
            if let Some(at) = self.skeleton.last_within(own, limits[thread.index()]) {
                last.push((at, self.access(at).expect("it is one").stands_for));
            }
        }
        let mut best: Option<(Option<EventId>, Write)> = None;
        for &(_, write) in &last {
            let first = self.blocks(variable).firsts[write.block as usize];
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
    fn greatest(
        &self,
        (at, access): (Position, &Access),
        limits: &[u32],
        read: Option<(Position, Write)>,
        in_vain: &[u64],
    ) -> Option<Write> {
        let coherence = self.coherence_within(access.variable, limits, read);
        let mut overwritten = Overwritten::default();
        let rmw = self.guarded.binary_search_by_key(&at, |guarded| guarded.0).ok().map(|found| self.guarded[found].1);
        let past = self.skeleton.previous(self.id(at)).map_or(&[][..], |before| self.skeleton.clock(before));
        let size = self.places.size(access.variable);
        self.for_each_newest(access.variable, past, |write| overwritten.add(write, coherence.before(write.block)));
        let can_read = |write: &Write| {
            let value = self.value(access.variable, *write);
            let writes = rmw.is_some_and(|rmw| rmw.apply(value.to_u128(), size).is_some());
            let is_taken = writes && self.is_taken_within(access.variable, *write, limits);
            overwritten.allows(*write) && !access.waits_for(value, in_vain) && !is_taken
        };
        let is_within = |write: &Write| write.event.is_some_and(|at| self.skeleton.is_among(at, limits));
        let writes = self.blocks(access.variable).writes.iter().copied().filter(is_within);
        std::iter::once(Write::INITIAL).chain(writes).filter(can_read).max_by_key(|write| write.event.map(|at| self.id(at)))
    }

    fn is_taken_within(&self, variable: VariableId, write: Write, limits: &[u32]) -> bool {
        let writes = &self.blocks(variable).writes;
        writes.iter().any(|next| next.is_next(write) && next.event.is_some_and(|at| self.skeleton.is_among(at, limits)))
    }

    /// What the accesses among so many events of each thread force, and one more read.
    fn coherence_within(&self, variable: VariableId, limits: &[u32], read: Option<(Position, Write)>) -> Coherence {
        let of = self.blocks(variable);
        let (mut coherence, mut log) = (Coherence::default(), Log::default());
        for _ in 1..of.firsts.len() {
            coherence.push();
        }
        let within = self.accesses(variable).iter().flat_map(|(_, own)| own).filter(|at| self.skeleton.is_among(**at, limits));
        let accesses = within.map(|&at| (at, self.access(at).expect("it is one").stands_for));
        for (at, Write { block, .. }) in accesses.chain(read) {
            let id = self.id(at);
            let mut before = self.skeleton.clock(at).to_vec();
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
