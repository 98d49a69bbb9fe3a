//! Readable writes: what the next read of a thread may read from (OOPSLA 2018, definition 4.3).
//!
//! A write is readable unless a write that comes after it in the forced coherence order happens before the read. A
//! read-modify-write must also find the write untaken: no other one reads from it.

use super::Ra;
use super::coherence::{Block, contains};
use super::variable::{Blocks, Write};
use crate::graphs::FENCES;
use crate::graphs::VariableId;
use raddle_event::{Action, EventId, Guard, Locations, Offer, Position, ThreadId, Value, Way};
use smallvec::SmallVec;

/// What must not be read any more: all blocks that come before one of these, and in these blocks all writes before a
/// place.
#[derive(Default)]
pub(super) struct Overwritten {
    blocks: SmallVec<[u64; 4]>,
    floors: SmallVec<[(Block, u32); 8]>,
}

impl Overwritten {
    /// A write that happens before the read, with the blocks that come before its block.
    pub fn add(&mut self, write: Write, before: &[u64]) {
        if self.blocks.len() < before.len() {
            self.blocks.resize(before.len(), 0);
        }
        self.blocks.iter_mut().zip(before).for_each(|(mine, theirs)| *mine |= theirs);
        self.floors.push((write.block, write.place));
    }

    /// Whether a write may still be read.
    pub fn allows(&self, write: Write) -> bool {
        let is_before = !self.blocks.is_empty() && contains(&self.blocks, write.block);
        !is_before && self.floors.iter().all(|&(block, floor)| block != write.block || floor <= write.place)
    }
}

impl Ra {
    /// The ways in which the next event of a thread can be added. None where it waits for its guard to hold.
    pub(super) fn find_offers(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        let only = Offer { way: Way::Only, taken: None };
        match *action {
            Action::Choose { n } => offers.extend((0..n).rev().map(|outcome| Offer { way: Way::Outcome(outcome), taken: None })),
            Action::Read { at, guard, .. } => match self.variable(thread, at, locations) {
                Ok((variable, _)) => {
                    self.await_variable(variable, guard);
                    self.offer_sources(thread, variable, guard, |_| false, offers);
                }
                Err(_) => offers.push(only),
            },
            Action::Rmw { at, ref rmw, .. } => match self.variable(thread, at, locations) {
                Ok((variable, _)) => {
                    self.await_variable(variable, rmw.guard);
                    let size = locations.range(at).size;
                    self.offer_sources(thread, variable, rmw.guard, |old| rmw.apply(old.to_u128(), size).is_some(), offers);
                }
                Err(_) => offers.push(only),
            },
            Action::Fence(fence) if fence.is_full() => self.offer_sources(thread, FENCES, None, |_| true, offers),
            _ => offers.push(only),
        }
    }

    /// Notes that a thread waits for a value of a variable, where there is a guard. Its writes must then be in one
    /// order by what happens before what: else a read of it could force coherence in a way that keeps others from what
    /// they may do while the thread waits.
    fn await_variable(&mut self, variable: VariableId, guard: Option<Guard>) {
        let of = &mut self.places.variables[variable.index()].order;
        of.is_awaited |= guard.is_some();
        self.is_disputed |= of.is_awaited && of.n_unordered > 0;
    }

    /// Offers what a thread may read from. `writes` tells whether it writes when it finds a value.
    fn offer_sources(
        &self,
        thread: ThreadId,
        variable: VariableId,
        guard: Option<Guard>,
        writes: impl Fn(&Value) -> bool,
        offers: &mut Vec<Offer>,
    ) {
        let (of, seen) = (self.blocks(variable), self.skeleton.seen(thread));
        let mut offer = |write: Write| offers.extend(self.offer(variable, write, guard, &writes));
        if of.is_ordered() {
            // Those that the thread has seen come before those that it has not.
            let newest = of.writes.iter().rposition(|write| write.event.is_some_and(|at| self.skeleton.is_among(at, seen)));
            if newest.is_none() {
                offer(Write::INITIAL);
            }
            of.writes[newest.unwrap_or(0)..].iter().copied().for_each(offer);
            return;
        }
        let mut overwritten = Overwritten::default();
        self.for_each_newest(variable, seen, |write| overwritten.add(write, of.coherence.before(write.block)));
        let all = std::iter::once(Write::INITIAL).chain(of.writes.iter().copied());
        all.filter(|write| overwritten.allows(*write)).for_each(offer);
    }

    /// How a write that is readable can be read from, if the guard holds for it.
    fn offer(&self, variable: VariableId, write: Write, guard: Option<Guard>, writes: impl Fn(&Value) -> bool) -> Option<Offer> {
        let is_last = self.blocks(variable).coherence.length(write.block) == write.place + 1;
        let mut taken = None;
        if guard.is_some() || !is_last {
            let value = self.value(variable, write);
            if guard.is_some_and(|guard| !guard.holds(value.word())) {
                return None;
            }
            taken = (!is_last && writes(value)).then(|| self.taker(variable, write));
        }
        Some(Offer { way: Way::From(write.event.map(|at| self.id(at))), taken })
    }

    /// The read-modify-write that reads from a write and writes.
    fn taker(&self, variable: VariableId, write: Write) -> EventId {
        let next = self.blocks(variable).writes.iter().rfind(|next| next.is_next(write));
        self.id(next.and_then(|next| next.event).expect("a write that is not the last of its block is taken"))
    }

    /// The last writes of the blocks after which no other comes.
    pub(super) fn last_writes(&self, variable: VariableId) -> Vec<Write> {
        let Blocks { coherence, writes, firsts, .. } = self.blocks(variable);
        let is_last = |write: &Write| {
            let followed = (0..firsts.len() as Block).any(|other| coherence.is_before(write.block, other));
            !followed && coherence.length(write.block) == write.place + 1
        };
        std::iter::once(Write::INITIAL).chain(writes.iter().copied()).filter(is_last).collect()
    }

    /// Whether the next read of a thread may read from a write, guards aside.
    pub(super) fn can_read(&self, thread: ThreadId, write: Position) -> bool {
        let access = self.access(write).expect("a write is an access");
        let mut overwritten = Overwritten::default();
        let coherence = &self.blocks(access.variable).coherence;
        self.for_each_newest(access.variable, self.skeleton.seen(thread), |newest| overwritten.add(newest, coherence.before(newest.block)));
        overwritten.allows(access.stands_for)
    }
}
