//! Coherence: the writes of each variable in a total order, and where a new access may stand in it.
//!
//! The *rank* of a write says how many writes of its variable come before it, the initial one included; that of a read
//! is its source's. eco goes from x to y exactly when the rank of x is less than that of y, or y reads from x. So
//! `irreflexive (hb ; eco?)` says: what happens before an access has no greater rank than the access, and a lesser one
//! where the access is a write and not the same. A new access happens before nothing, so that is all there is to see
//! to: it stands behind its [`floor`](Coherent::floor). The accesses of a thread to a variable have ranks that never
//! fall, so the last one of each thread that happens before the new one is enough.

use super::{Access, Axioms, Coherent, Source};
use crate::graphs::{VariableId, Waited, Waits};
use raddle_event::{LocationId, Position, ThreadId, now_and_then};
use smallvec::SmallVec;

/// The writes of a variable in coherence order.
#[derive(Default)]
pub struct Coherence {
    /// All but the initial one.
    pub writes: Vec<Position>,
    /// How many of its accesses are not atomic.
    pub n_plain: u32,
    /// How many of its writes could have another place.
    n_unordered: u32,
    /// Whether one could, in this graph or another one.
    was_unordered: bool,
    /// Whether threads wait for a value of it, in this graph or another one.
    is_awaited: bool,
    /// The location, where loops wait for a value of it by read-modify-writes.
    pub looked_at: Option<LocationId>,
}

impl Coherence {
    /// How many writes there are; the initial one does not count.
    pub fn n_writes(&self) -> u32 {
        self.writes.len() as u32
    }

    /// The last write.
    pub fn last(&self) -> Source {
        self.writes.last().copied()
    }
}

impl Waited for Coherence {
    fn waits(&self) -> Waits {
        Waits { is_awaited: self.is_awaited || self.looked_at.is_some(), is_unordered: self.was_unordered }
    }
}

impl<A: Axioms> Coherent<A> {
    /// The rank of a write, or of the initial value.
    #[inline]
    pub(crate) fn rank_of(&self, write: Source) -> u32 {
        write.map_or(0, |write| self.access(write).expect("it is a write").rank)
    }

    /// The rank of what an access stands for: the write that it makes or, where it makes none or has no place, reads
    /// from.
    #[inline]
    pub(crate) fn rank(&self, at: Position) -> u32 {
        let access = self.access(at).expect("it is an access");
        match access.source {
            Some(source) if access.stray || access.written.is_none() => self.rank_of(source),
            _ => access.rank,
        }
    }

    /// The write of a rank, or the initial value.
    pub(crate) fn of_rank(&self, variable: VariableId, rank: u32) -> Source {
        rank.checked_sub(1).map(|at| self.coherence(variable).writes[at as usize])
    }

    /// The greatest rank of what is among so many events of each thread.
    pub(super) fn floor(&self, variable: VariableId, clock: &[u32]) -> u32 {
        let mut floor = 0;
        for (thread, own) in self.accesses(variable) {
            let limit = clock.get(thread.index()).copied().unwrap_or(0);
            if let Some(last) = self.skeleton.last_within(own, limit) {
                floor = floor.max(self.rank(last));
            }
        }
        floor
    }

    /// The read-modify-write that stands right after a write, if there is one: it reads from it.
    pub(super) fn taker(&self, variable: VariableId, source: Source) -> Option<Position> {
        let next = self.coherence(variable).writes.get(self.rank_of(source) as usize).copied()?;
        self.access(next).filter(|access| access.is_rmw()).map(|_| next)
    }

    /// Puts the access that is being added among those of its variable.
    pub(super) fn place(&mut self, thread: ThreadId, at: Position, access: &mut Access) {
        let is_write = access.written.is_some();
        if is_write {
            let n_writes = self.coherence(access.variable).n_writes();
            let is_forced = access.is_rmw() || self.floor(access.variable, self.happens.row(at)) == n_writes;
            access.unordered = !is_forced || access.rank <= n_writes;
            for later in access.rank - 1..n_writes {
                let write = self.coherence(access.variable).writes[later as usize];
                self.access_mut(write).rank += 1;
            }
        }
        let variable = &mut self.places.variables[access.variable.index()];
        let (own, before) = variable.add_access(thread, at);
        access.own = own;
        variable.order.n_plain += !access.order.is_atomic() as u32;
        if is_write {
            let of = &mut variable.order;
            of.writes.insert(access.rank as usize - 1, at);
            of.n_unordered += access.unordered as u32;
            of.was_unordered |= access.unordered && !self.is_tried;
            self.is_disputed |= of.is_awaited && of.n_unordered > 0;
            if of.n_unordered > 0 && of.looked_at.is_some() {
                self.disputed_look.set(of.looked_at);
            }
        }
        let release = before.and_then(|before| self.access(before)?.release);
        access.release = if is_write && access.order.is_release() { Some(at) } else { release };
        debug_assert!(!now_and_then(at.index()) || self.is_ranked(access.variable, Some(at)));
    }

    /// Whether the ranks of the writes of a variable say where they stand, but for one that is being added.
    fn is_ranked(&self, variable: VariableId, added: Source) -> bool {
        let is_ranked = |(n, &write): (usize, &Position)| Some(write) == added || self.rank_of(Some(write)) == n as u32 + 1;
        self.coherence(variable).writes.iter().enumerate().all(is_ranked)
    }

    /// Takes the newest access out of those of its variable.
    pub(super) fn displace(&mut self, access: &Access) {
        let variable = &mut self.places.variables[access.variable.index()];
        variable.drop_access(access.own);
        let of = &mut variable.order;
        of.n_plain -= !access.order.is_atomic() as u32;
        if access.written.is_some() {
            of.writes.remove(access.rank as usize - 1);
            of.n_unordered -= access.unordered as u32;
            for later in access.rank - 1..of.n_writes() {
                let write = self.coherence(access.variable).writes[later as usize];
                self.access_mut(write).rank -= 1;
            }
        }
        debug_assert!(!now_and_then(self.events.len()) || self.is_ranked(access.variable, None));
    }

    /// Notes that a thread waits for a value of a variable. Its writes must then be in one order that nobody chose, as
    /// those of locks are.
    pub(super) fn await_variable(&mut self, variable: VariableId) {
        let of = &mut self.places.variables[variable.index()].order;
        of.is_awaited = true;
        self.is_disputed |= of.n_unordered > 0;
    }

    /// Notes that a loop waits for a value of a variable, at a location, by a read-modify-write. The writes must then
    /// be in one order that nobody chose.
    pub(super) fn look_at_variable(&mut self, variable: VariableId, at: LocationId) {
        let of = &mut self.places.variables[variable.index()].order;
        of.looked_at = Some(at);
        if of.n_unordered > 0 {
            self.disputed_look.set(of.looked_at);
        }
    }

    /// What is last in coherence among so many events of each thread.
    pub(super) fn last_within(&self, variable: VariableId, limits: &[u32]) -> Source {
        self.coherence(variable).writes.iter().rev().copied().find(|&write| self.skeleton.is_among(write, limits))
    }

    /// Whether an access stands last in the graph that has so many events of each thread, and not this one. It waits
    /// where it would find one of the words `in_vain`.
    pub(super) fn is_last_within(&self, at: Position, access: &Access, limits: &[u32], in_vain: &[u64]) -> bool {
        let last = self.last_within(access.variable, limits);
        match access.source {
            None => self.rank_of(last) < access.rank,
            Some(source) if access.waits_for(self.value(access.variable, last), in_vain) => {
                self.greatest(at, access, limits, in_vain) == Some(source)
            }
            Some(source) => source == last,
        }
    }

    /// What has the greatest name among all that a guarded read can read from, in the graph that has so many events of
    /// each thread. For a read with which a loop waits it is the last in coherence: where the axioms allow any, they
    /// allow that (docs/awaits.md).
    fn greatest(&self, at: Position, access: &Access, limits: &[u32], in_vain: &[u64]) -> Option<Source> {
        let rmw = self.guarded.binary_search_by_key(&at, |guarded| guarded.0).ok().map(|found| self.guarded[found].1);
        let past = self.skeleton.previous(self.skeleton.id(at)).map_or(&[][..], |before| self.happens.row(before));
        let (floor, size) = (self.floor(access.variable, past), self.places.size(access.variable));
        let can_read = |&source: &Source| {
            let value = self.value(access.variable, source);
            let writes = rmw.is_some_and(|rmw| rmw.apply(value.to_u128(), size).is_some());
            let taker = self.taker(access.variable, source).filter(|taker| *taker != at && self.skeleton.is_among(*taker, limits));
            !access.waits_for(value, in_vain) && self.rank_of(source) >= floor && !(writes && taker.is_some())
        };
        let within = self.coherence(access.variable).writes.iter().copied().filter(|&write| self.skeleton.is_among(write, limits));
        let sources: SmallVec<[Source; 8]> = std::iter::once(None).chain(within.map(Some)).filter(can_read).collect();
        if !in_vain.is_empty() && rmw.is_none() {
            return sources.into_iter().max_by_key(|&source| self.rank_of(source));
        }
        // Which of them the axioms allow in that graph is not known.
        if sources.len() > 1 && (A::RAISES || A::may_forbid(self)) && !in_vain.is_empty() {
            self.disputed_look.set(self.coherence(access.variable).looked_at);
        }
        sources.into_iter().max_by_key(|source| source.map(|write| self.skeleton.id(write)))
    }
}
