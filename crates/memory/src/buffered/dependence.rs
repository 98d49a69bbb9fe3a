//! What depends on what: the happens-before of chronological traces (the report's appendix B, appendix C for PSO).
//!
//! A load is never ordered with an update of its own thread, nor with an update of another that a later update of its
//! own thread hides. A load that takes bytes from the own buffer is ordered with others on these bytes only once they
//! have been updated.

use super::accesses::Written;
use super::forwarding::part_from_memory;
use super::memory::Memory;
use super::runs::{Runs, common, meets, minus};
use super::undo::Undo;
use crate::heap::{Change, Spot};
use raddle_event::{Action, Conditional, Footprint, Guard, LocationId, Locations, Position, Range, Taken, ThreadId};

/// A location and those that overlap it.
#[inline]
pub(crate) fn around(at: LocationId, locations: &Locations) -> impl Iterator<Item = LocationId> + '_ {
    std::iter::once(at).chain(locations.overlapping(at).iter().copied())
}

impl Memory {
    /// A read of these bytes comes after the last writes of others that it can see.
    pub(crate) fn read_conflicts(&self, thread: ThreadId, at: LocationId, part: Option<&Runs>, locations: &Locations, taken: &mut Taken) {
        let mut conflict = |other: LocationId| {
            let Some(last) = self.accesses.of(other).last().filter(|last| last.by != thread) else { return };
            let seen = part.is_none_or(|runs| meets(locations.range(other), runs));
            if seen && !self.is_hidden(thread, at, (other, last), part, locations) {
                taken.conflicts.push(last.event);
            }
        };
        conflict(at);
        locations.overlapping(at).iter().for_each(|other| conflict(*other));
    }

    /// Whether later writes of the same thread cover all that a read would see of another's write, the last one to its
    /// location.
    fn is_hidden(
        &self,
        thread: ThreadId,
        at: LocationId,
        (of, last): (LocationId, Written),
        part: Option<&Runs>,
        locations: &Locations,
    ) -> bool {
        if locations.overlapping(at).is_empty() {
            return false;
        }
        let whole = [locations.range(at)];
        let seen = part.map_or(&whole[..], |runs| &runs[..]);
        let own = |other: &LocationId| self.accesses.of(*other).last().is_some_and(|w| w.by == thread && w.event > last.event);
        let covers: Vec<Range> = around(at, locations).filter(own).map(|other| locations.range(other)).collect();
        let mut visible = seen.iter().filter_map(|run| common(*run, locations.range(of)));
        visible.all(|run| minus(run, covers.iter().copied()).is_empty())
    }

    /// A write comes after the reads of others.
    pub(crate) fn load_conflicts(&self, thread: ThreadId, at: LocationId, locations: &Locations, taken: &mut Taken) {
        let mut conflict = |other: LocationId| {
            for load in self.accesses.of(other).loads() {
                let meets_it = load.part.as_deref().is_none_or(|runs| meets(locations.range(at), runs));
                if load.by != thread && meets_it {
                    taken.conflicts.push(load.event);
                }
            }
        };
        conflict(at);
        locations.overlapping(at).iter().for_each(|other| conflict(*other));
    }

    /// A write comes after the writes and reads of others, and after the own writes that it overlaps.
    pub(crate) fn write_conflicts(&self, thread: ThreadId, at: LocationId, locations: &Locations, taken: &mut Taken) {
        let mut conflict = |other: LocationId| match self.accesses.of(other).last() {
            Some(last) if last.by == thread => taken.order.push(last.event),
            Some(last) => taken.conflicts.push(last.event),
            None => {}
        };
        conflict(at);
        locations.overlapping(at).iter().for_each(|other| conflict(*other));
        self.load_conflicts(thread, at, locations, taken);
    }

    /// A guarded action comes after the last write. It can overtake the newest write before which its guard held.
    pub(crate) fn guarded_conflicts(&self, thread: ThreadId, at: LocationId, guard: Guard, locations: &Locations, taken: &mut Taken) {
        match self.accesses.of(at).last() {
            None => {}
            Some(last) if last.by == thread => {}
            Some(last) if guard.holds(last.old) => taken.conflicts.push(last.event),
            Some(last) => {
                taken.enabling.push(last.event);
                taken.overtakes.extend(self.overtakes(thread, at, |value| guard.holds(value)));
            }
        }
        for other in locations.overlapping(at) {
            if let Some(last) = self.accesses.of(*other).last().filter(|last| last.by != thread) {
                taken.conflicts.push(last.event);
            }
        }
    }

    /// The newest write by another thread before which a guard held.
    fn overtakes(&self, thread: ThreadId, at: LocationId, mut holds: impl FnMut(u64) -> bool) -> Option<Position> {
        let mut recent = self.accesses.of(at).written.iter().rev().take_while(|w| w.by != thread);
        recent.find(|w| holds(w.old)).map(|w| w.event)
    }

    /// The words that others have overwritten at a location since the thread's own last write there, the newest first.
    pub fn words_before(&self, thread: ThreadId, at: LocationId) -> impl Iterator<Item = u64> + '_ {
        self.accesses.of(at).written.iter().rev().take_while(move |w| w.by != thread).map(|w| w.old)
    }

    /// The word that was at a location before anybody wrote there, where somebody has.
    pub fn first_word(&self, at: LocationId) -> Option<u64> {
        self.accesses.of(at).written.first().map(|written| written.old)
    }

    /// What a thread that looks at a word, which it may wait for, is ordered with there, given which words lead it on:
    /// the last write, where that has enabled it, and the newest before which it was enabled. To be asked before it
    /// looks.
    pub fn await_order(
        &self,
        thread: ThreadId,
        at: LocationId,
        mut holds: impl FnMut(u64) -> bool,
    ) -> Option<(Position, Option<Position>)> {
        let last = self.accesses.of(at).last().filter(|last| last.by != thread && self.takes_from_memory(thread, at))?;
        (!holds(last.old)).then(|| (last.event, self.overtakes(thread, at, holds)))
    }

    /// Whether no store to a location waits in a thread's buffer.
    fn takes_from_memory(&self, thread: ThreadId, at: LocationId) -> bool {
        self.buffers[thread.index()].entries.iter().all(|entry| entry.at != at)
    }

    /// The writes of others to what a thread has reserved, since it did.
    pub(crate) fn broken_by<'m>(
        &'m self,
        thread: ThreadId,
        at: LocationId,
        locations: &'m Locations,
    ) -> impl Iterator<Item = Position> + 'm {
        let since = self.state(thread).reserved.expect("a thread that writes what it reserved has reserved it");
        let later = move |other: LocationId| self.accesses.of(other).written.iter().rev().take_while(move |w| w.event > since);
        around(at, locations).flat_map(later).filter(move |w| w.by != thread).map(|w| w.event)
    }

    /// What a thread that waits for a guard or a reservation could overtake if it came first.
    pub fn waiting(&self, thread: ThreadId, action: &Action, locations: &Locations) -> Option<(Footprint, Taken)> {
        if let Action::WriteReserved { at, .. } = *action {
            if !self.is_empty(thread) {
                return None;
            }
            let overtakes = self.broken_by(thread, at, locations).collect();
            let taken = Taken { order: self.pending_and_updates(thread), overtakes, ..Taken::default() };
            return Some((self.step_footprint(thread, action, locations), taken));
        }
        let guard = action.guard()?;
        self.waiting_for(thread, action, |value| guard.holds(value))
    }

    /// The events that what a thread does next comes after, its updates among them.
    fn pending_and_updates(&self, thread: ThreadId) -> Vec<Position> {
        let state = self.state(thread);
        state.pending.iter().copied().chain(state.updates.iter().map(|update| update.event)).collect()
    }

    /// What a thread that waits for a word could overtake if it came first, given which words it goes on with.
    pub fn waiting_for(&self, thread: ThreadId, action: &Action, holds: impl FnMut(u64) -> bool) -> Option<(Footprint, Taken)> {
        let (at, drains) = (action.location()?, matches!(action, Action::Rmw { .. }));
        if (drains && !self.is_empty(thread)) || self.heap.spot(at).word_of.is_some() {
            return None;
        }
        let order = if drains { self.pending_and_updates(thread) } else { self.state(thread).pending.iter().copied().collect() };
        let overtakes = self.overtakes(thread, at, holds).into_iter().collect();
        let footprint = Footprint { read: Some(at), write: drains.then_some(at), thread: thread.0, drains, ..Footprint::default() };
        Some((footprint, Taken { order, overtakes, ..Taken::default() }))
    }

    /// What the next step of a thread touches.
    pub fn step_footprint(&self, thread: ThreadId, action: &Action, locations: &Locations) -> Footprint {
        let base = Footprint { thread: thread.0, ..Footprint::default() };
        match action {
            Action::Read { at, .. } => self.load_footprint(thread, *at, locations),
            Action::Write { at, .. } => Footprint { write: Some(*at), ..base },
            Action::Free { at, .. } | Action::Reuse { at, .. } => Footprint { write: Some(*at), ..base },
            Action::WriteReserved { at, .. } => Footprint { write: Some(*at), drains: true, ..base },
            Action::Reserve { at, .. } => Footprint { read: Some(*at), drains: true, ..base },
            Action::Rmw { at, rmw, .. } => {
                let touches = Footprint { read: Some(*at), write: Some(*at), drains: true, ..base };
                if !rmw.is_conditional() || self.heap.check(*at).is_err() {
                    return touches;
                }
                let (found, size) = (self.heap.read(*at).to_u128(), locations.range(*at).size);
                let write = rmw.apply(found, size).map(|_| *at);
                Footprint { write, conditional: Some(Box::new(Conditional { rmw: *rmw, found })), ..touches }
            }
            Action::Choose { n } => Footprint { outcomes: *n, ..base },
            _ => base,
        }
    }

    /// What a step that came after the event at `e` touches when it comes before it: it finds the bytes that the event
    /// has written as they were. `changes` is where the journal has what the event changed, for words of more than
    /// eight bytes.
    pub fn overtaking(&self, step: &Footprint, e: Position, changes: std::ops::Range<usize>, locations: &Locations) -> Footprint {
        let mut footprint = step.clone();
        if let (Some(at), Some(conditional)) = (step.read, footprint.conditional.as_deref_mut()) {
            let mut found = conditional.found.to_le_bytes();
            for other in around(at, locations) {
                let mut recent = self.accesses.of(other).written.iter().rev().take_while(|written| written.event >= e);
                if let Some(written) = recent.find(|written| written.event == e) {
                    let Spot { room, offset, size, .. } = self.heap.spot(other);
                    self.heap.restore_copy(at, &mut found, room, offset, &written.old.to_le_bytes()[..size.min(8) as usize]);
                }
            }
            for undo in self.journal[changes].iter().rev() {
                if let Undo::Heap(Change::Bytes(old)) = undo {
                    self.heap.restore_copy(at, &mut found, old.room, old.offset, &old.bytes);
                }
            }
            conditional.found = u128::from_le_bytes(found);
            footprint.write = conditional.rmw.apply(conditional.found, locations.range(at).size).map(|_| at);
        }
        footprint
    }
}

/// Whether a step that can be taken now and events that follow from here, none of them of the same actor, do not depend
/// on each other.
pub fn is_independent<'f>(step: &Footprint, then: impl Iterator<Item = &'f Footprint>, locations: &Locations) -> bool {
    let mut part = part_from_memory(step, locations);
    for event in then {
        if event.thread == step.thread {
            if let (Some(runs), Some(store)) = (&mut part, event.update) {
                runs.extend(step.forwards.iter().filter(|forward| forward.0 == store).map(|forward| forward.1));
            }
            if step.drains || event.drains || meet(step.write, event.write, locations) {
                return false;
            }
            continue;
        }
        if step.block.is_some() || event.block.is_some() {
            if blocks_meet(step, part.as_ref(), event, locations) {
                return false;
            }
            continue;
        }
        if meet(step.write, event.write, locations)
            || (meet(step.read, event.write, locations) && meet_part(part.as_ref(), event.write, locations))
            || (meet(event.read, step.write, locations) && meet_part(part_from_memory(event, locations).as_ref(), step.write, locations))
        {
            return false;
        }
    }
    true
}

/// The locations that a step reads or may read, each with whether it writes there.
fn touched(step: &Footprint) -> impl Iterator<Item = (LocationId, bool)> + '_ {
    let block = step.block.iter().flat_map(|block| {
        let reads = block.reads.iter().map(|&at| (at, false));
        reads.chain(block.writes.iter().map(|&at| (at, true)))
    });
    step.read.map(|at| (at, false)).into_iter().chain(step.write.map(|at| (at, true))).chain(block)
}

/// Whether two steps of different threads, one of them a block, depend on each other. A block takes nothing from a
/// buffer.
#[inline(never)]
fn blocks_meet(step: &Footprint, part: Option<&Runs>, event: &Footprint, locations: &Locations) -> bool {
    let event_part = part_from_memory(event, locations);
    touched(step).any(|(a, a_writes)| {
        touched(event).filter(|&(b, b_writes)| (a_writes || b_writes) && meet(Some(a), Some(b), locations)).any(|(b, b_writes)| {
            (a_writes || meet_part(part, Some(b), locations)) && (b_writes || meet_part(event_part.as_ref(), Some(a), locations))
        })
    })
}

/// Whether a location that is written has a byte in common with the part of a load that comes from memory.
fn meet_part(part: Option<&Runs>, write: Option<LocationId>, locations: &Locations) -> bool {
    part.is_none_or(|runs| write.is_some_and(|at| meets(locations.range(at), runs)))
}

/// Whether two locations have a byte in common.
#[inline]
fn meet(a: Option<LocationId>, b: Option<LocationId>, locations: &Locations) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b || locations.overlapping(a).contains(&b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffered::forward_again;
    use raddle_event::{Address, StoreId};

    /// Four bytes `x`, the lower two of them, and four others `y`.
    const X: LocationId = LocationId(0);
    const LOW: LocationId = LocationId(1);
    const Y: LocationId = LocationId(2);

    fn locations() -> Locations {
        let mut locations = Locations::default();
        for (start, size) in [(16, 4), (16, 2), (32, 4)] {
            locations.number(Range { start: Address(start), size });
        }
        locations
    }

    fn load(thread: u32, at: LocationId) -> Footprint {
        Footprint { read: Some(at), thread, ..Footprint::default() }
    }

    fn store(thread: u32) -> StoreId {
        StoreId { thread, count: 1 }
    }

    fn update(thread: u32, at: LocationId) -> Footprint {
        Footprint { write: Some(at), thread, update: Some(store(thread)), ..Footprint::default() }
    }

    /// A load that takes from the store of its own thread what it has of a location.
    fn forwarding(thread: u32, at: LocationId, from: LocationId) -> Footprint {
        let mut forwarding = load(thread, at);
        forward_again(&mut forwarding, &update(thread, from), &locations());
        assert_eq!(forwarding.forwards.len(), 1);
        forwarding
    }

    #[track_caller]
    fn check(is_wanted: bool, step: &Footprint, then: &[Footprint]) {
        assert_eq!(is_independent(step, then.iter(), &locations()), is_wanted);
        if let [event] = then {
            assert_eq!(is_independent(event, std::iter::once(step), &locations()), is_wanted, "the other way round");
        }
    }

    #[test]
    fn accesses_of_others_depend_where_they_meet_and_one_writes() {
        check(true, &load(0, X), &[load(1, X)]);
        check(false, &load(0, X), &[update(1, X)]);
        check(false, &update(0, X), &[update(1, X)]);
        check(false, &load(0, X), &[update(1, LOW)]);
        check(true, &load(0, X), &[update(1, Y)]);
        check(true, &update(0, X), &[update(1, Y)]);
        check(false, &update(0, Y), &[load(1, X), load(1, Y)]);
    }

    /// A load is never ordered with an update of its own thread; two updates of one are where they meet; what waits for
    /// the buffer is with all of them.
    #[test]
    fn a_thread_and_its_updates() {
        check(true, &load(0, X), &[update(0, X)]);
        check(true, &update(0, X), &[update(0, Y)]);
        check(false, &update(0, X), &[update(0, LOW)]);
        let exchange = Footprint { read: Some(Y), write: Some(Y), thread: 0, drains: true, ..Footprint::default() };
        check(false, &exchange, &[update(0, X)]);
        check(true, &exchange, &[update(1, X)]);
    }

    /// A load that forwards is independent of updates by others until its own store is in memory, and from then on it
    /// is not.
    #[test]
    fn a_load_that_forwards() {
        let forwards = forwarding(0, X, X);
        check(true, &forwards, &[update(1, X)]);
        check(true, &forwards, &[update(1, X), update(0, X)]);
        check(false, &forwards, &[update(0, X), update(1, X)]);
        check(false, &forwards, &[update(0, X), update(1, LOW)]);
        check(true, &forwards, &[update(0, X), update(1, Y)]);
    }

    /// Where it forwards some bytes only, the others come from memory.
    #[test]
    fn a_load_that_forwards_a_part() {
        let forwards = forwarding(0, X, LOW);
        check(true, &forwards, &[update(1, LOW)]);
        check(false, &forwards, &[update(1, X)]);
        check(false, &forwards, &[update(0, LOW), update(1, LOW)]);
    }

    /// What an update that has not happened leaves in the buffer is forwarded again, except what newer stores cover.
    #[test]
    fn a_load_forwards_again_what_newer_stores_do_not_cover() {
        let mut forwards = forwarding(0, X, LOW);
        let older = Footprint { update: Some(StoreId { thread: 0, count: 0 }), ..update(0, X) };
        forward_again(&mut forwards, &older, &locations());
        let upper = Range { start: Address(18), size: 2 };
        assert_eq!(forwards.forwards[1..], [(StoreId { thread: 0, count: 0 }, upper)]);
        assert_eq!(part_from_memory(&forwards, &locations()).map(|runs| runs.len()), Some(0));
        assert_eq!(part_from_memory(&load(0, X), &locations()), None);
    }
}
