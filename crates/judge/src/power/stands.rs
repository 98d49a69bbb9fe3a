//! How the threads of a graph of POWER stand where nothing more is committed: see [`crate::stuck`].

use super::PlainPower;
use crate::stuck::{Stand, Stands};
use raddle_event::{EventId, LocationId, ThreadId, Value, Way};
use raddle_machine::{Blocked, Halt, What, holder};
use std::collections::BTreeMap;

impl PlainPower<'_> {
    /// How each thread stands now that nothing more is committed.
    pub fn stands(&mut self) -> Stands {
        let threads: Vec<ThreadId> = self.machine.threads().collect();
        Stands(threads.into_iter().map(|thread| (thread, self.stand(thread))).collect())
    }

    fn stand(&mut self, thread: ThreadId) -> Stand {
        if self.done.faults.iter().any(|fault| fault.thread == thread) {
            return Stand::Over;
        }
        if self.ready().into_iter().filter(|event| event.thread == thread).any(|event| self.can_commit(event)) {
            return Stand::GoesOn;
        }
        if !self.is_drained(thread) {
            return Stand::Waits(self.holder(thread));
        }
        match *self.machine.halt(thread) {
            Halt::Ended(_) | Halt::Fault(_) => Stand::Over,
            Halt::Exited(_) => Stand::Exited,
            Halt::Blocked(Blocked::Spin) if self.finds_last(thread) => Stand::Spins,
            Halt::Blocked(Blocked::Spin) => Stand::GoesOn,
            Halt::Join { joined, .. } => Stand::Joins(joined),
            Halt::Awaits | Halt::Reply(_) | Halt::Spawn { .. } => Stand::Waits(None),
            _ => Stand::Stopped,
        }
    }

    /// Whether an event that is ready can be committed, a load together with the store of its read-modify-write, so
    /// that the graph is allowed.
    pub fn can_commit(&mut self, event: EventId) -> bool {
        self.ways(event).into_iter().any(|way| {
            let point = self.point();
            let can = self.commit(event, way)
                && match self.second_half(event) {
                    None => self.is_allowed(),
                    Some(store) => self.can_commit(store),
                };
            self.go_back(point);
            can
        })
    }

    /// Which thread holds the lock that the first event of a thread that waits is to take, where that can be said.
    fn holder(&self, thread: ThreadId) -> Option<ThreadId> {
        let events = self.machine.events(thread);
        let is_left = |index: &usize| !self.is_committed(EventId { thread, index: *index as u32 });
        let (at, guard) = (0..events.len()).filter(is_left).find_map(|index| match events[index].what {
            What::Read { guard, .. } => events[index].fetched.at.zip(guard),
            _ => None,
        })?;
        let last = self.done.coherence.get(&at).and_then(|stores| stores.last().copied());
        holder(guard, self.machine.locations().range(at).size, self.value(at, last).word())
    }

    /// Whether a thread that spins would go through the last round of its loop again, now that memory has what is last
    /// in coherence: every load finds what it has found, and the stores leave what is there.
    fn finds_last(&self, thread: ThreadId) -> bool {
        let last = |at: LocationId| self.value(at, self.done.coherence.get(&at).and_then(|stores| stores.last().copied()));
        let mut memory: BTreeMap<LocationId, Value> = BTreeMap::new();
        for index in self.machine.idle_round(thread) {
            let event = EventId { thread, index };
            let (Some(way), Some(at)) = (self.done.committed.get(&event), self.fetched(event).at) else { continue };
            let there = memory.entry(at).or_insert_with(|| last(at));
            match way {
                Way::From(source) if self.value(at, *source) != *there => return false,
                Way::After(_) if !self.is_void(event) => *there = self.value(at, Some(event)),
                _ => {}
            }
        }
        memory.into_iter().all(|(at, value)| value == last(at))
    }
}
