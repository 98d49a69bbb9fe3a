//! Which threads may be exchanged, and what tells threads apart.
//!
//! Threads may be exchanged that one thread starts one right after the other, with the same function and argument, as
//! long as nothing is seen to tell them apart: what they do where they are told the same (`Machine::not_alike`),
//! whose lock a thread finds taken, that somebody looks whether one of them has ended otherwise than by joining it,
//! and joins between which anything else happens. What tells threads apart in any execution makes them threads like
//! others, and the exploration starts over.

use crate::graphs::Grown;
use raddle_event::{Action, EventId, LocationId, Position, Reply, RmwOp, ThreadId, Value, Way};
use raddle_explore::Interchangeable;
use raddle_machine::{HistoryId, Kind};
use raddle_memory::graphs::GraphModel;
use raddle_program::FunctionId;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Which threads may be exchanged.
#[derive(Default)]
pub(crate) struct Symmetry {
    /// For each thread how it was started last.
    started: BTreeMap<ThreadId, Started>,
    /// The threads that something has told apart from others.
    apart: BTreeSet<ThreadId>,
    /// The threads whose names others have found, or whose ends they have looked for, in any graph.
    named: BTreeSet<ThreadId>,
    is_contradicted: bool,
    /// How many graphs were looked at to which nothing could be added.
    n_ends: u64,
}

/// How a thread was started.
#[derive(Clone, Copy)]
struct Started {
    by: EventId,
    function: u32,
    argument: u64,
    elder: Option<ThreadId>,
}

/// For each event of a thread, and for the joins that come after them, the thread that it joins. What the library only
/// does for its own thread is left out.
type Joins = Vec<Option<ThreadId>>;

impl<M: GraphModel> Grown<'_, M> {
    /// The same, where these threads are told apart from the start.
    pub fn with_apart(mut self, apart: BTreeSet<ThreadId>) -> Self {
        self.symmetry.apart = apart;
        self
    }

    /// The threads that were told apart; none where none was since the exploration started.
    pub fn newly_apart(&self) -> Option<&BTreeSet<ThreadId>> {
        self.symmetry.is_contradicted.then_some(&self.symmetry.apart)
    }

    /// The threads that may be exchanged with one another, for each group of them that was seen.
    pub fn interchangeable(&self) -> Vec<Vec<ThreadId>> {
        self.machine.alike()
    }

    fn tell_all_apart(&mut self, threads: impl IntoIterator<Item = ThreadId>) {
        self.symmetry.apart.extend(threads);
        self.symmetry.is_contradicted = true;
        self.core.contradict();
    }

    /// The threads with which a thread may be exchanged, in this graph, itself included.
    fn group_of(&self, thread: ThreadId) -> Vec<ThreadId> {
        let first = std::iter::successors(Some(thread), |&thread| self.elder(thread)).last();
        let is_of_it = |&other: &ThreadId| std::iter::successors(Some(other), |&other| self.elder(other)).last() == first;
        self.machine.threads().filter(is_of_it).collect()
    }

    /// The groups of this graph.
    fn groups(&self) -> Vec<Vec<ThreadId>> {
        let firsts = self.machine.threads().filter(|&thread| self.elder(thread).is_none());
        firsts.map(|first| self.group_of(first)).filter(|group| group.len() > 1).collect()
    }

    fn note_start(&mut self, child: ThreadId, (function, argument): (u32, u64), by: EventId) {
        let is_elder = |started: &Started| {
            (started.by.thread, started.by.index + 1, started.function, started.argument) == (by.thread, by.index, function, argument)
        };
        let mut all = self.symmetry.started.iter();
        let elder = all.find(|(other, started)| self.machine.has_started(**other) && is_elder(started)).map(|(&other, _)| other);
        self.symmetry.started.insert(child, Started { by, function, argument, elder });
        if let Some(elder) = self.elder_of(child) {
            if [elder, child].iter().any(|thread| self.symmetry.named.contains(thread)) {
                return self.tell_all_apart([elder, child]);
            }
            self.machine.take_to_be_alike(elder, child, FunctionId(function), argument);
        }
    }

    /// The elder of a thread that was started or is about to be.
    fn elder_of(&self, thread: ThreadId) -> Option<ThreadId> {
        self.symmetry.started.get(&thread).filter(|_| !self.symmetry.apart.contains(&thread))?.elder
    }

    /// The thread whose name a thread finds in what it reads from: it has locked a mutex. Who unlocks it is the same.
    fn named_by(&self, thread: ThreadId, source: EventId) -> Option<ThreadId> {
        let locks = matches!(self.action_of(source), Some(Action::Rmw { rmw, .. }) if rmw.op == RmwOp::Acquire);
        let unlocks = matches!(self.machine.action(thread), Some(Action::Rmw { rmw, .. }) if rmw.op == RmwOp::Release);
        (locks && !(unlocks && source.thread == thread)).then_some(source.thread)
    }

    /// The thread whose end somebody looks for without joining it.
    fn looked_for(&self, thread: ThreadId) -> Option<ThreadId> {
        let ahead = self.machine.ahead(thread);
        let at = self.machine.action(thread)?.location().filter(|_| ahead.kind != Kind::Joins)?;
        self.machine.word_of(at)
    }

    fn compare_histories(&mut self) {
        if let Some(differing) = self.machine.not_alike().map(<[ThreadId]>::to_vec) {
            self.tell_all_apart(differing);
        }
        self.learn();
    }

    /// Looks once more whether threads that were taken to do the same do, after the exploration.
    pub fn look_at_all(&mut self) {
        self.compare_histories();
    }

    // Joins

    /// The thread that a thread joins next at a moment of its history, and by what location.
    fn joined_at(&self, at: HistoryId) -> Option<(ThreadId, LocationId)> {
        let ahead = self.machine.ahead_at(at);
        Some(ahead.at).filter(|_| ahead.kind == Kind::Joins).and_then(|at| Some((self.machine.word_of(at)?, at)))
    }

    /// The thread that is joined by an event, and by what location.
    fn joined_by(&self, event: EventId) -> Option<(ThreadId, LocationId)> {
        self.joined_at(self.position_before(event)?)
    }

    /// Whether an action between joins is no matter of others: where stores are buffered, a join waits for those of its
    /// thread.
    fn is_own(&self, action: Option<&Action>) -> bool {
        M::BUFFERED && matches!(action, Some(Action::Fence(_)))
    }

    /// What a thread joins, event by event. Where it waits for the end of another one, it is followed to where it would
    /// go on if all that it joins had ended.
    fn joins(&mut self, thread: ThreadId) -> Joins {
        let events = (0..self.memory.n_events(thread)).map(|index| EventId { thread, index });
        let others = events.filter(|&event| !self.is_own(self.action_of(event)));
        let mut joins: Joins = others.map(|event| self.joined_by(event).map(|join| join.0)).collect();
        let mut at = self.machine.position(thread);
        let n_most = joins.len() + 2 * self.machine.n_threads();
        for _ in joins.len()..n_most {
            let reply = match self.joined_at(at) {
                Some((ended, location)) => {
                    let wants_result = self.machine.locations().range(location).size == 8;
                    let is_again = joins.contains(&Some(ended));
                    joins.push(Some(ended));
                    if wants_result || is_again {
                        return joins;
                    }
                    Reply::Value(Value::Word(0))
                }
                None if self.is_own(self.machine.action_at(at)) => Reply::Done,
                None => return joins,
            };
            at = self.machine.led_to(thread, at, reply);
            self.learn();
        }
        joins
    }

    /// Whether the threads of a group are joined in a way that tells them apart: not all, not by one thread, not right
    /// after one another, or with results that differ.
    fn is_told_apart_by_joins(&mut self, group: &[ThreadId]) -> bool {
        let joiners: Vec<(ThreadId, Joins)> =
            self.machine.threads().collect::<Vec<_>>().into_iter().map(|by| (by, self.joins(by))).collect();
        let is_member = |joined: &Option<ThreadId>| joined.is_some_and(|joined| group.contains(&joined));
        let mut joining = joiners.iter().filter(|(_, joins)| joins.iter().any(is_member));
        let Some((by, joins)) = joining.next() else { return false };
        if joining.next().is_some() {
            return true;
        }
        let members: BTreeSet<ThreadId> = joins.iter().flatten().copied().filter(|joined| group.contains(joined)).collect();
        let (first, last) = (joins.iter().position(is_member), joins.iter().rposition(is_member));
        let between = &joins[first.expect("one is joined")..=last.expect("one is joined")];
        members.len() < group.len() || between.iter().any(Option::is_none) || self.results_differ(*by, group)
    }

    /// Whether a thread has joined several of a group and got different results.
    fn results_differ(&self, by: ThreadId, group: &[ThreadId]) -> bool {
        let events = (0..self.memory.n_events(by)).map(|index| EventId { thread: by, index });
        let joins = events.filter_map(|event| self.joined_by(event)).filter(|join| group.contains(&join.0));
        let results: Vec<Value> = joins.map(|(ended, at)| self.result_of(ended, at)).collect();
        results.windows(2).any(|two| two[0] != two[1])
    }
}

impl<M: GraphModel> Interchangeable for Grown<'_, M> {
    fn elder(&self, thread: ThreadId) -> Option<ThreadId> {
        self.elder_of(thread).filter(|_| self.machine.has_started(thread))
    }

    fn compare(&self, elders: Position, way: Way) -> Ordering {
        self.memory.compare(elders, way)
    }

    fn standing(&self, event: Position) -> u32 {
        self.memory.standing(event)
    }

    /// What is canonical for an event with a guard, and for an await that writes, is not the last.
    fn has_key(&self, elders: Position) -> bool {
        !(self.memory.is_guarded(elders) || self.awaits(elders) && self.memory.writes(elders))
    }

    fn orders_writes(&self) -> bool {
        M::ORDERS_WRITES
    }

    fn is_in_one_order(&self, limits: &[u32]) -> bool {
        self.memory.is_in_one_order(limits)
    }

    fn look_at(&mut self, thread: ThreadId, way: Way) {
        if let Some(&Action::Spawn { child, function, argument }) = self.machine.action(thread) {
            let by = EventId { thread, index: self.memory.n_events(thread) };
            self.note_start(child, (function, argument), by);
        }
        let named = if let Way::From(Some(source)) = way { self.named_by(thread, source) } else { None };
        for told in named.into_iter().chain(self.looked_for(thread)) {
            self.symmetry.named.insert(told);
            let group = self.group_of(told);
            if group.len() > 1 {
                self.tell_all_apart(group);
            }
        }
    }

    fn look_at_end(&mut self) {
        if self.core.is_over() {
            return;
        }
        self.symmetry.n_ends += 1;
        if self.symmetry.n_ends.is_power_of_two() {
            self.compare_histories();
        }
        for group in self.groups() {
            if self.is_told_apart_by_joins(&group) {
                self.tell_all_apart(group);
            }
        }
    }

    fn tell_apart(&mut self, thread: ThreadId) {
        let group = self.group_of(thread);
        self.tell_all_apart(group);
    }
}
