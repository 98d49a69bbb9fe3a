//! How the threads of a graph of POWER stand where nothing more is committed: see [`crate::stuck`].

use super::PlainPower;
use crate::stuck::{Stand, Stands};
use raddle_event::{EventId, Parameter, ThreadId};
use raddle_machine::{Blocked, Halt, What, holder};

impl PlainPower<'_> {
    /// How each thread stands now that nothing more is committed.
    pub fn stands(&mut self) -> Stands {
        let threads: Vec<ThreadId> = self.machine.threads().collect();
        Stands(threads.into_iter().map(|thread| (thread, self.stand(thread))).collect())
    }

    fn stand(&mut self, thread: ThreadId) -> Stand {
        if self.faults.iter().any(|fault| fault.thread == thread) {
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
            Halt::Blocked(Blocked::Spin) if self.reads_last(thread) => Stand::Spins,
            Halt::Blocked(Blocked::Spin) => Stand::GoesOn,
            Halt::Join { joined, .. } => Stand::Joins(joined),
            Halt::Awaits | Halt::Reply(_) | Halt::Spawn { .. } => Stand::Waits(None),
            _ => Stand::Stopped,
        }
    }

    /// Whether an event that is ready can be committed, a load together with the store of its read-modify-write, so that the graph is allowed.
    pub fn can_commit(&mut self, event: EventId) -> bool {
        self.parameters(event).into_iter().any(|parameter| {
            let point = self.point();
            let can = self.commit(event, parameter)
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
        let last = self.coherence.get(&at).and_then(|stores| stores.last().copied());
        holder(guard, self.machine.locations().range(at).size, self.value(at, last).word())
    }

    /// Whether a thread that spins has read, in the last round of its loop, what is last in coherence.
    fn reads_last(&self, thread: ThreadId) -> bool {
        let (events, round) = (self.machine.events(thread), self.machine.idle_round(thread));
        let is_newest = |index: usize| events[index + 1..round.end].iter().all(|later| later.fetched.at != events[index].fetched.at);
        round.clone().filter(|&index| is_newest(index)).all(|index| {
            let event = EventId { thread, index: index as u32 };
            let last = events[index].fetched.at.and_then(|at| self.coherence.get(&at)).and_then(|stores| stores.last().copied());
            match self.committed.get(&event) {
                Some(Parameter::Source(source)) => *source == last,
                Some(Parameter::After(_)) => last == Some(event),
                _ => true,
            }
        })
    }
}
