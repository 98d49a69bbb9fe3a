//! The end of a run whose events were committed out of order.

use crate::commits::Committing;
use crate::core::Core;
use crate::ending::Ending;
use crate::intruders::{Done, Events, intruder};
use crate::seen::Seen;
use crate::standing::Standing;
use crate::start_over::{Running, Shared};
use crate::unordered::may_race;
use raddle_event::{Address, EventId, LocationId, Path, Range, Role, ThreadId, Value, Way};
use raddle_machine::{Blocked, FaultAt, Halt, Instance, Moment, What, Witness, World, holder};
use raddle_memory::commits::CommitModel;
use smallvec::SmallVec;
use std::ops::{self, ControlFlow};

impl<M: CommitModel> Committing<'_, M> {
    fn is_awaiting(&self, thread: ThreadId) -> bool {
        self.awaiting.iter().any(|(event, _)| event.thread == thread)
    }

    /// The load with which a thread is parked.
    fn parked_at(&self, thread: ThreadId) -> Option<EventId> {
        self.parked.iter().copied().find(|load| load.thread == thread)
    }

    fn standing(&self, thread: ThreadId) -> Standing {
        if self.core.faults.iter().any(|fault| fault.thread == thread) {
            return Standing::Ended;
        }
        if self.is_awaiting(thread) || self.parked_at(thread).is_some() {
            return if self.stale.contains(&thread) { Standing::Stale } else { Standing::Spins };
        }
        if !self.is_drained(thread) {
            return Standing::Waits(self.holder(thread));
        }
        match *self.machine.halt(thread) {
            Halt::Ended(_) | Halt::Fault(_) | Halt::Unsupported(_) | Halt::Endless => Standing::Ended,
            Halt::Exited(_) => Standing::Exited,
            Halt::Blocked(Blocked::Assume | Blocked::Guess) => Standing::Assumes,
            Halt::Blocked(Blocked::LoopBound) => Standing::Cut,
            Halt::Blocked(Blocked::Values) => Standing::LeftOut,
            Halt::Blocked(Blocked::Spin) if self.is_stale(thread, self.machine.idle_round(thread)) => Standing::Stale,
            Halt::Blocked(Blocked::Spin) => Standing::Spins,
            Halt::Join { joined, .. } => Standing::Joins(joined),
            Halt::Awaits | Halt::Reply(_) | Halt::Spawn { .. } => Standing::Waits(None),
        }
    }

    /// The read-modify-write that a store is the second half of, by its first half; else the store.
    fn first_half(&self, store: EventId) -> EventId {
        match self.fetched(store).role {
            Role::Store { pair: Some(index) } => EventId { index, ..store },
            _ => store,
        }
    }

    /// Which thread holds the lock that a thread waits for, where it waits for one.
    fn holder(&self, thread: ThreadId) -> Option<ThreadId> {
        let guard = |event: &Instance| if let What::Read { guard, .. } = event.what { guard } else { None };
        let mut events = self.uncommitted().filter(|event| event.thread == thread).map(|event| self.instance(event));
        let (at, guard) = events.find_map(|event| event.fetched.at.zip(guard(event)))?;
        holder(guard, self.machine.locations().range(at).size, self.value(at, self.last(at)).word())
    }

    /// The last store of a location in coherence.
    pub(crate) fn last(&self, at: LocationId) -> Option<EventId> {
        let graph = self.model.graph();
        graph.last(at).map(|last| graph.event(last).id)
    }

    /// Whether a thread that spins would find other values now, or leave others: it would not where its last round, of
    /// which these are the events that are committed, begun with what is last in coherence, finds the same and ends as
    /// it began. The store of a compare-exchange that fails is none.
    pub(crate) fn is_stale(&self, thread: ThreadId, round: ops::Range<u32>) -> bool {
        let round = round.map(|index| EventId { thread, index });
        let last = |at: LocationId| self.value(at, self.last(at));
        let mut left: SmallVec<[(LocationId, Value); 4]> = SmallVec::new();
        for event in round.filter(|&event| !self.is_void(event)) {
            let (Some(number), Some(at)) = (self.model.graph().number(event), self.fetched(event).at) else { continue };
            let known = left.iter().position(|(known, _)| *known == at);
            match self.model.graph().event(number).way {
                Way::From(source) if self.value(at, source) != known.map_or_else(|| last(at), |n| left[n].1.clone()) => return true,
                Way::After(_) => {
                    known.map(|n| left.swap_remove(n));
                    left.push((at, self.value(at, Some(event))));
                }
                _ => {}
            }
        }
        left.into_iter().any(|(at, value)| value != last(at))
    }
}

impl<M: CommitModel> Running for Committing<'_, M> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn world(&self) -> &World<'_> {
        &self.machine
    }
}

impl<M: CommitModel> Shared for Committing<'_, M> {
    fn agrees_with(&mut self, base: &Seen, others: &[Seen]) -> bool {
        self.machine.agrees_with(&base.world, &others.iter().map(|other| &other.world).collect::<Vec<_>>())
    }

    fn misses_graphs(&self) -> bool {
        self.misses_graphs
    }
}

impl<M: CommitModel> Ending for Committing<'_, M> {
    /// All threads have ended and every event of theirs is committed.
    fn is_well(&self) -> bool {
        self.core.stop.is_none() && self.core.faults.is_empty() && self.machine.threads().all(|thread| self.has_ended(thread))
    }

    fn faults(&self) -> Vec<FaultAt> {
        self.listed_faults()
    }

    fn may_race(&self) -> bool {
        may_race(self)
    }

    /// How each thread stands. A loop that waits has refused what is last in coherence.
    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        self.machine.threads().map(|thread| (thread, self.standing(thread))).collect()
    }

    /// The place where a thread waits: that of its first event that is not committed, or where its fetching stopped.
    fn moment(&self, thread: ThreadId) -> Moment {
        match self.parked_at(thread) {
            Some(load) => self.machine.moment_of(thread, load.index),
            None if self.is_drained(thread) => self.machine.moment(thread),
            None => self.machine.moment_of(thread, self.model.graph().n_first(thread)),
        }
    }

    fn intruder(&self) -> Option<ThreadId> {
        let word = self.machine.block_word()?;
        let done = |id: EventId| {
            let Instance { fetched, what, .. } = self.instance(id);
            // A read-modify-write is one event here.
            let second = |other: u32| self.instance(EventId { index: other, ..id }).fetched.role == Role::Store { pair: Some(id.index) };
            let n_events = self.machine.events(id.thread).len() as u32;
            let exclusive = matches!(what, What::Read { exclusive: true, .. });
            let store = (id.index + 1..n_events).find(|&other| exclusive && second(other)).map(|index| EventId { index, ..id });
            let is_half = matches!(fetched.role, Role::Store { pair: Some(_) });
            let is_access = matches!(what, What::Read { .. } | What::Write { .. }) && !is_half;
            let at = fetched.at.filter(|_| is_access)?;
            let from = match self.model.graph().event(self.model.graph().number(id)?).way {
                Way::From(Some(source)) => Some(Some(self.first_half(source))),
                Way::From(None) => Some(None),
                Way::Parked => return None,
                _ => None,
            };
            Some(Done { at, from, writes: from.is_none() || store.is_some_and(|store| !self.is_void(store)), may_race: false })
        };
        let thread = |thread: ThreadId| {
            let n = if self.machine.has_started(thread) { self.machine.events(thread).len() as u32 } else { 0 };
            (0..n).map(|index| done(EventId { thread, index })).collect()
        };
        let threads: Vec<_> = (0..self.machine.n_threads() as u32).map(|n| thread(ThreadId(n))).collect();
        let (edges, locations, faults) = (self.edges.clone(), self.machine.locations(), &self.listed_faults()[..]);
        intruder(&Events { threads, edges, word, locations, faults })
    }

    fn leak(&self) -> Option<FaultAt> {
        let shared = self.objects.live_heap_objects().into_iter().map(|(start, size)| (start, size as u64));
        let left: Vec<(Address, u64)> = shared.chain(self.machine.private_heap()).collect();
        FaultAt::leak(self.machine.addresses(), &left, |start| self.machine.maker(start))
    }

    fn status(&self) -> Option<i32> {
        let machine = &self.machine;
        machine.threads().find_map(|thread| if let Halt::Exited(status) = machine.halt(thread) { Some(*status) } else { None })
    }

    fn result(&self, thread: usize, n: usize) -> Option<u64> {
        self.machine.results(self.machine.threads().nth(thread)?)?.get(n).copied()
    }

    fn final_value(&self, at: Address, size: u32) -> u64 {
        let Committing { machine, model, objects, .. } = self;
        let written = machine.locations().find(Range { start: at, size }).and_then(|location| model.graph().last(location));
        if let Some(store) = written {
            return model.graph().event(store).value.as_ref().map_or(0, Value::word);
        }
        let start = machine.addresses().room(at).map_or(at, |room| room.start);
        let bytes = objects.look(start).expect("globals are never freed");
        let offset = (at.0 - start.0) as usize;
        Value::from_bytes(&bytes[offset..offset + size as usize]).word()
    }

    /// Loops that wait for ever read what is last in coherence, to show it.
    fn witness(&self) -> Witness {
        let run = self.run().into_iter().chain(self.awaiting.iter().copied()).collect();
        Witness { path: Path::Commits(run), sites: self.machine.sites().clone(), tables: self.machine.tables() }
    }

    fn show(&self, _: &[Range], show: &mut dyn FnMut(&dyn Ending) -> ControlFlow<()>) -> ControlFlow<()> {
        show(self)
    }
}
