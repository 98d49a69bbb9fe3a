//! How a graph has ended: what sinks ask it, and what workers tell one another.

use super::Grown;
use crate::core::Core;
use crate::ending::Ending;
use crate::intruders::{Done, Edge, Events, intruder};
use crate::observed::observe;
use crate::seen::Seen;
use crate::standing::{Standing, standings};
use crate::start_over::{Running, Shared};
use raddle_event::{Action, Address, EventId, LocationId, Order, Path, Position, Range, ThreadId, Value, Way};
use raddle_machine::{Blocked, FaultAt, Moment, Next, Witness, World};
use raddle_memory::graphs::{GraphModel, Stay};
use std::ops::ControlFlow;

impl<M: GraphModel> Running for Grown<'_, M> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn world(&self) -> &World<'_> {
        &self.machine
    }
}

impl<M: GraphModel> Shared for Grown<'_, M> {
    fn seen(&self) -> Seen {
        let mut waiting = self.memory.waiting(self.machine.locations());
        waiting.add(&self.elsewhere);
        Seen { world: self.machine.seen(), waiting }
    }

    fn agrees_with(&mut self, base: &Seen, others: &[Seen]) -> bool {
        let mut agrees = self.machine.agrees_with(&base.world, &others.iter().map(|other| &other.world).collect::<Vec<_>>());
        let mut all = self.memory.waiting(self.machine.locations());
        agrees &= all.add(&self.elsewhere);
        for other in others {
            agrees &= all.add(&other.waiting);
            self.elsewhere.add(&other.waiting);
        }
        agrees
    }
}

impl<M: GraphModel> Ending for Grown<'_, M> {
    fn is_well(&self) -> bool {
        self.core.stop.is_none() && self.core.faults.is_empty() && self.machine.is_over()
    }

    /// A thread that reads what is overwritten will not do so for ever: only one that reads what can be last in
    /// coherence spins, or the same value. What several spin on must be able to be last at once.
    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        let round = |thread: ThreadId| {
            let n = self.memory.n_events(thread);
            let looks = self.machine.looks_before(self.machine.position(thread)).map(move |(ago, ..)| n.checked_sub(1 + ago as u32));
            looks.flatten().map(move |index| self.memory.position(EventId { thread, index }))
        };
        let spinning = |thread: &ThreadId| matches!(self.machine.next(*thread), Next::Blocked(Blocked::Spin));
        let stays = |thread: ThreadId| round(thread).filter_map(|event| self.memory.stay(event));
        let all: Vec<Stay> = self.machine.threads().filter(spinning).flat_map(stays).filter(|stay| stay.can_last).collect();
        let is_stale = |thread| !stays(thread).all(|stay| stay.can_last && all.iter().all(|&other| stay.agrees(other)));
        let word = |at: LocationId| {
            let values = self.memory.final_values(self.machine.locations().range(at), self.machine.locations())?;
            values.first().filter(|_| values.len() == 1).map(Value::word)
        };
        standings(&self.machine, is_stale, word)
    }

    fn is_supposed(&self) -> bool {
        self.machine.is_supposed()
    }

    fn moment(&self, thread: ThreadId) -> Moment {
        self.machine.moment(thread)
    }

    fn intruder(&self) -> Option<ThreadId> {
        let word = self.machine.block_word()?;
        let mut threads: Vec<Vec<Option<Done>>> = vec![Vec::new(); self.machine.n_threads()];
        let mut edges = Vec::new();
        for (n, past) in self.marks.iter().enumerate().filter(|(_, past)| past.way != Way::Parked) {
            let thread = self.memory.id(Position(n as u32)).thread;
            let here = |thread: ThreadId| (thread, threads[thread.index()].len() as u32);
            let position = Position(n as u32);
            let from = if let Way::From(source) = past.way { Some(source) } else { None };
            let access = |at, order: Order| {
                let may_race = !order.is_atomic() && self.machine.limits().races;
                Some(Done { at, from, writes: self.memory.writes(position), may_race })
            };
            let (done, line) = match self.machine.action_at(self.machine.position_at(past.mark, thread)) {
                Some(&Action::Spawn { child, .. }) => (None, Some(Edge { before: here(thread), after: (child, 0) })),
                Some(&Action::Read { at, order, .. }) => match self.machine.word_of(at) {
                    Some(ended) => (None, Some(Edge { before: here(ended), after: here(thread) })),
                    None => (access(at, order), None),
                },
                Some(&(Action::Write { at, order, .. } | Action::Rmw { at, order, .. })) => (access(at, order), None),
                _ => (None, None),
            };
            edges.extend(line);
            threads[thread.index()].push(done);
        }
        intruder(&Events { threads, edges, word, locations: self.machine.locations(), faults: &self.core.faults })
    }

    fn leak(&self) -> Option<FaultAt> {
        let left: Vec<(Address, u64)> = self.memory.live_heap_objects().into_iter().chain(self.machine.private_heap()).collect();
        FaultAt::leak(self.machine.addresses(), &left, |start| self.machine.maker(start))
    }

    fn has_cycle(&self) -> Option<bool> {
        self.memory.has_cycle()
    }

    fn status(&self) -> Option<i32> {
        self.machine.status()
    }

    fn result(&self, thread: usize, n: usize) -> Option<u64> {
        self.machine.result(thread, n)
    }

    fn final_value(&self, _: Address, _: u32) -> u64 {
        unreachable!("what lies in memory in the end is asked of an `Observed`")
    }

    fn witness(&self) -> Witness {
        Witness { path: Path::Graph(self.path()), sites: self.machine.sites().clone(), tables: self.machine.tables() }
    }

    fn show(&self, observed: &[Range], show: &mut dyn FnMut(&dyn Ending) -> ControlFlow<()>) -> ControlFlow<()> {
        observe(self, observed, show)
    }
}
