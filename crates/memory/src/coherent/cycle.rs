//! Whether a graph is none of SC: whether program order, spawns, joins, reads-from, coherence and from-reads have a
//! cycle.
//!
//! Events are added after what comes before them in po ∪ rf, so an edge that leads back along that order is one of
//! coherence or from-reads: from an access to the write that comes next behind the one that it makes or reads. Where
//! there is none there is no cycle, which is so in most graphs. The hidden variable of fences is none of the program's.

use super::{Act, Axioms, Coherent};
use crate::graphs::FENCES;
use raddle_event::Position;
use smallvec::SmallVec;

/// For each event those that come right after it.
type Edges = SmallVec<[(Position, Position); 64]>;

impl<A: Axioms> Coherent<A> {
    fn positions(&self) -> impl Iterator<Item = Position> {
        (0..self.events.len() as u32).map(Position)
    }

    /// The write that comes right after an access by coherence or from-reads.
    fn overwriting(&self, at: Position) -> Option<Position> {
        let access = self.access(at).filter(|access| access.variable != FENCES && !access.stray)?;
        self.writes(access.variable).get(self.rank(at) as usize).copied()
    }

    /// Whether the graph has a cycle.
    pub(super) fn is_cyclic(&self) -> bool {
        self.positions().any(|at| self.overwriting(at).is_some_and(|next| next < at)) && self.is_cyclic_all_around()
    }

    /// The same, where some edge leads back: takes away again and again what nothing is left before.
    fn is_cyclic_all_around(&self) -> bool {
        let mut edges = Edges::new();
        for at in self.positions() {
            edges.extend(self.overwriting(at).map(|next| (at, next)));
            edges.extend(self.previous(self.skeleton.id(at)).map(|before| (before, at)));
            match &self.events[at.index()].act {
                Act::Join(joined) => edges.extend(self.last(*joined).map(|last| (last, at))),
                Act::Access(access) if access.variable != FENCES => edges.extend(access.source.flatten().map(|source| (source, at))),
                _ => {}
            }
        }
        edges.sort_unstable();
        let mut n_before: SmallVec<[u32; 64]> = SmallVec::from_elem(0, self.events.len());
        edges.iter().for_each(|(_, to)| n_before[to.index()] += 1);
        let mut free: SmallVec<[Position; 64]> = self.positions().filter(|at| n_before[at.index()] == 0).collect();
        let mut n_taken = 0;
        while let Some(at) = free.pop() {
            n_taken += 1;
            let first = edges.partition_point(|edge| edge.0 < at);
            for &(_, to) in edges[first..].iter().take_while(|edge| edge.0 == at) {
                n_before[to.index()] -= 1;
                if n_before[to.index()] == 0 {
                    free.push(to);
                }
            }
        }
        n_taken < self.events.len()
    }
}
