//! Data races of a graph of POWER or AArch64 by the definition: two accesses to a byte by different threads, one a
//! write and one not atomic, that happens-before of the language does not order.
//!
//! Happens-before is the closure of program order, spawns, joins and *synchronises-with*: from a release, or the last
//! release fence before a store that is atomic, to an acquire that reads from it, or the next acquire fence after a
//! load that is atomic. Who reads from a read-modify-write reads from what that one read from too (the release
//! sequence of C++20).

use super::PlainPower;
use crate::race::{is_acquire, is_release};
use crate::relation::Relation;
use raddle_event::{EventId, Free, Order, Range, Role, ThreadId, Way};
use raddle_machine::{Milestone, What};

/// What a thread does, in program order.
#[derive(Clone, Copy, PartialEq)]
enum Does {
    Event(EventId),
    Passes(Milestone),
}

/// An access: its bytes, whether it writes, and whether it is atomic.
type Touched = (Range, bool, bool);

impl PlainPower<'_> {
    /// The pairs of accesses that race, that which was committed later second; by when that was.
    pub fn races(&self) -> Vec<(EventId, EventId)> {
        let all = self.all_that_is_done();
        let before = self.right_before(&all).plus();
        let at = |event: EventId| all.iter().position(|&(_, does)| does == Does::Event(event)).expect("the event is committed");
        let mut races = Vec::new();
        for (n, &second) in self.done.order.iter().enumerate() {
            for &first in &self.done.order[..n] {
                let (Some((one, writes, atomic)), Some((other, other_writes, other_atomic))) = (self.touched(first), self.touched(second))
                else {
                    continue;
                };
                let conflict = one.overlaps(other) && (writes || other_writes) && !(atomic && other_atomic);
                if first.thread != second.thread && conflict && !before.has(at(first), at(second)) && !before.has(at(second), at(first)) {
                    races.push((first, second));
                }
            }
        }
        races
    }

    /// What all threads have done, each in program order.
    fn all_that_is_done(&self) -> Vec<(ThreadId, Does)> {
        let mut all = Vec::new();
        for thread in self.machine.threads() {
            let mut milestones = self.machine.milestones(thread).iter().peekable();
            for index in 0..=self.machine.events(thread).len() as u32 {
                while let Some((_, milestone)) = milestones.next_if(|(before, _)| *before <= index) {
                    all.push((thread, Does::Passes(*milestone)));
                }
                let event = EventId { thread, index };
                all.extend(self.done.committed.contains_key(&event).then_some((thread, Does::Event(event))));
            }
        }
        all
    }

    /// What stands right before what.
    fn right_before(&self, all: &[(ThreadId, Does)]) -> Relation {
        let mut before = Relation::empty(all.len());
        for (n, &(thread, does)) in all.iter().enumerate() {
            let last = all[..n].iter().rposition(|other| other.0 == thread);
            last.into_iter().for_each(|last| before.add(last, n));
            match does {
                Does::Passes(Milestone::Spawn(child)) => {
                    let first = all.iter().position(|other| other.0 == child);
                    first.into_iter().for_each(|first| before.add(n, first));
                }
                Does::Passes(Milestone::Join(ended)) => {
                    let last = all.iter().rposition(|other| other.0 == ended);
                    last.into_iter().for_each(|last| before.add(last, n));
                }
                Does::Passes(Milestone::Fence(_)) => {}
                Does::Event(read) => {
                    for acquire in self.acquires(all, n, read) {
                        self.releases(all, read).into_iter().for_each(|release| before.add(release, acquire));
                    }
                }
            }
        }
        before
    }

    /// Where what a read synchronises with is acquired.
    fn acquires(&self, all: &[(ThreadId, Does)], n: usize, read: EventId) -> Vec<usize> {
        let order = self.order_of(read);
        let is_fence = |&other: &usize| {
            all[other].0 == read.thread && matches!(all[other].1, Does::Passes(Milestone::Fence(fence)) if is_acquire(fence))
        };
        match order {
            order if order.is_acquire() => vec![n],
            order if order.is_atomic() => (n..all.len()).find(is_fence).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// What a read synchronises with where it acquires.
    fn releases(&self, all: &[(ThreadId, Does)], read: EventId) -> Vec<usize> {
        let (mut found, mut next) = (Vec::new(), self.source_of(read));
        while let Some(store) = next {
            let Some(at) = all.iter().position(|&(_, does)| does == Does::Event(store)) else { break };
            let is_fence = |&other: &usize| {
                all[other].0 == store.thread && matches!(all[other].1, Does::Passes(Milestone::Fence(fence)) if is_release(fence))
            };
            match self.order_of(store) {
                order if order.is_release() => found.push(at),
                order if order.is_atomic() => found.extend((0..at).rev().find(is_fence)),
                _ => {}
            }
            next = match self.fetched(store).role {
                Role::Store { pair: Some(index) } => self.source_of(EventId { index, ..store }),
                _ => None,
            };
        }
        found
    }

    /// The store that an event reads from.
    fn source_of(&self, event: EventId) -> Option<EventId> {
        match self.done.committed.get(&event) {
            Some(&Way::From(source)) => source,
            _ => None,
        }
    }

    /// The order of an event in the language. A read-modify-write that stores nothing has the one of its failure.
    fn order_of(&self, event: EventId) -> Order {
        let [order, failure] = self.instance(event).orders;
        let is_half = |index: u32| self.fetched(EventId { index, ..event }).role == Role::Store { pair: Some(event.index) };
        let halves = (event.index + 1..self.machine.events(event.thread).len() as u32).filter(|&index| is_half(index));
        let stores = |index: u32| !self.is_void(EventId { index, ..event });
        match self.instance(event).what {
            What::Read { .. } if order != failure && !halves.into_iter().any(stores) => failure,
            _ => order,
        }
    }

    /// What a committed event accesses, if anything. The end of an object on the heap is a write that is not atomic.
    fn touched(&self, event: EventId) -> Option<Touched> {
        let range = self.machine.locations().range(self.fetched(event).at?);
        let is_atomic = self.order_of(event).is_atomic();
        match self.instance(event).what {
            What::Read { .. } => Some((range, false, is_atomic)),
            What::Write { .. } if !self.is_void(event) => Some((range, true, is_atomic)),
            What::Free { how: Free::Heap, .. } => Some((range, true, false)),
            _ => None,
        }
    }
}
