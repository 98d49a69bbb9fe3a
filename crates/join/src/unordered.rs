//! Data races of a run whose events were committed out of order: two accesses to a byte by different threads, one a
//! write and one not atomic, that the happens-before of C11 does not order.
//!
//! ```text
//! sw = [release] ; ([F] ; po)? ; [atomic W] ; (rf ; rmw)* ; rf ; [atomic R] ; (po ; [F])? ; [acquire]
//! hb = (po ∪ sw ∪ spawn ∪ join)+
//! ```
//!
//! The order of commits is none of the language: what a release puts before a store may be committed later. So clocks
//! are not kept with the events, but found when the run has come to its end: threads are gone along in program order,
//! and who acquires waits until those have been gone along from whom it learns. What they wait for is a part of
//! happens-before, in which a graph that a machine allows has no cycle. Where a load reads from a store that comes
//! after it, nothing is learned by that: it would take a fence between them, which the machine keeps.
//!
//! The judge (`crates/judge/src/power/race.rs`) has the definition, as a closure over the whole graph.

use crate::commits::Committing;
use raddle_event::{EventId, Fetching, Free, LocationId, Order, Role, ThreadId, Way};
use raddle_machine::{Instance, Milestone, What};
use raddle_memory::commits::CommitModel;
use std::collections::BTreeMap;

/// For each thread how many of its events happen before something.
#[derive(Clone, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn join(&mut self, other: &Clock) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    fn has(&self, EventId { thread, index }: EventId) -> bool {
        self.0.get(thread.index()).is_some_and(|&n| n > index)
    }

    fn add(&mut self, EventId { thread, index }: EventId) {
        self.0.resize(self.0.len().max(thread.index() + 1), 0);
        self.0[thread.index()] = index + 1;
    }
}

/// A thread that is gone along.
#[derive(Default)]
struct Walk {
    has_begun: bool,
    n_events: u32,
    n_milestones: usize,
    /// What happens before what it does next.
    now: Clock,
    /// What did at its last release fence.
    released: Clock,
    /// What it has read from without an acquire.
    pending: Vec<EventId>,
}

/// How a location was accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mode {
    thread: ThreadId,
    writes: bool,
    is_atomic: bool,
}

/// What is left to do for a thread.
enum Step {
    Done,
    /// It has to wait for another one.
    Waits,
    Over,
}

struct Walks<'c, 'p, M: CommitModel> {
    run: &'c Committing<'p, M>,
    walks: Vec<Walk>,
    /// What stores hand to who acquires from them, where that is anything, but for what they hand on.
    messages: BTreeMap<EventId, Clock>,
    /// The locations where accesses conflict, each with the last access of each mode.
    accesses: BTreeMap<LocationId, Vec<(Mode, u32)>>,
    races: bool,
}

/// Whether a run has a data race. Where that is not known it says that it may.
pub(crate) fn may_race<M: CommitModel>(run: &Committing<M>) -> bool {
    let accesses: BTreeMap<LocationId, _> = disputed(run).map(|at| (at, Vec::new())).collect();
    if accesses.is_empty() {
        return false;
    }
    let is_entry = |n: usize| n < run.machine.program().entries.len();
    let walks = (0..run.machine.n_threads()).map(|n| Walk { has_begun: is_entry(n), ..Walk::default() }).collect();
    let mut all = Walks { run, walks, messages: BTreeMap::default(), accesses, races: false };
    all.go_along() || all.races
}

/// How a location was used in a run.
#[derive(Clone, Copy, Default)]
struct Uses {
    thread: Option<ThreadId>,
    by_several: bool,
    writes: bool,
    is_plain: bool,
}

/// The locations that several threads access, one of them to write and one as plain memory, whatever orders them.
fn disputed<M: CommitModel>(run: &Committing<M>) -> impl Iterator<Item = LocationId> {
    let mut uses = vec![Uses::default(); run.machine.locations().len()];
    for thread in run.machine.threads() {
        for Instance { what, fetched, orders, .. } in run.machine.events(thread) {
            let Some(at) = fetched.at.filter(|_| !matches!(what, What::Free { how: Free::Return, .. })) else { continue };
            let of = &mut uses[at.index()];
            of.by_several |= of.thread.is_some_and(|other| other != thread);
            of.thread = Some(thread);
            of.writes |= !matches!(what, What::Read { .. });
            of.is_plain |= matches!(what, What::Free { .. }) || !orders[0].is_atomic();
        }
    }
    let with_near = move |at: LocationId| {
        let near = run.machine.locations().overlapping(at).iter().map(|near| uses[near.index()]);
        near.filter(|near| near.thread.is_some()).fold(uses[at.index()], |one, other| Uses {
            thread: one.thread.or(other.thread),
            by_several: one.by_several || other.by_several || (one.thread.is_some() && one.thread != other.thread),
            writes: one.writes || other.writes,
            is_plain: one.is_plain || other.is_plain,
        })
    };
    let all = (0..run.machine.locations().len() as u32).map(LocationId);
    all.filter(move |&at| matches!(with_near(at), Uses { by_several: true, writes: true, is_plain: true, .. }))
}

impl<M: CommitModel> Walks<'_, '_, M> {
    /// Goes along all threads. Tells whether some of them wait for one another.
    fn go_along(&mut self) -> bool {
        loop {
            let (mut has_moved, mut waits) = (false, false);
            for thread in (0..self.walks.len() as u32).map(ThreadId) {
                while !self.races && self.walks[thread.index()].has_begun {
                    match self.step(thread) {
                        Step::Done => has_moved = true,
                        Step::Waits => {
                            waits = true;
                            break;
                        }
                        Step::Over => break,
                    }
                }
            }
            if !has_moved || self.races {
                return waits;
            }
        }
    }

    /// Goes to the next milestone of a thread, or else its next event.
    fn step(&mut self, thread: ThreadId) -> Step {
        let run = self.run;
        let walk = &self.walks[thread.index()];
        let (milestone, n_events) = (run.machine.milestones(thread).get(walk.n_milestones), run.machine.events(thread).len());
        let has_passed = match milestone {
            Some(&(before, milestone)) if before <= walk.n_events => {
                let passes = self.pass(thread, milestone);
                self.walks[thread.index()].n_milestones += passes as usize;
                passes
            }
            _ if walk.n_events as usize >= n_events => return Step::Over,
            _ => {
                let happens = self.happen(EventId { thread, index: walk.n_events });
                self.walks[thread.index()].n_events += happens as u32;
                happens
            }
        };
        if has_passed { Step::Done } else { Step::Waits }
    }

    /// A thread passes a milestone, where it need not wait.
    fn pass(&mut self, thread: ThreadId, milestone: Milestone) -> bool {
        match milestone {
            Milestone::Fence(fence) => {
                if fence.is_acquire() {
                    let messages: Option<Vec<Clock>> =
                        self.walks[thread.index()].pending.iter().map(|&store| self.message(store)).collect();
                    let Some(messages) = messages else { return false };
                    let walk = &mut self.walks[thread.index()];
                    walk.pending.clear();
                    messages.iter().for_each(|message| walk.now.join(message));
                }
                if fence.is_release() {
                    let walk = &mut self.walks[thread.index()];
                    walk.released = walk.now.clone();
                }
            }
            Milestone::Spawn(child) => {
                let now = self.walks[thread.index()].now.clone();
                let child = &mut self.walks[child.index()];
                (child.has_begun, child.now) = (true, now);
            }
            Milestone::Join(ended) => {
                let other = &self.walks[ended.index()];
                let is_over = other.n_events as usize == self.run.machine.events(ended).len()
                    && other.n_milestones == self.run.machine.milestones(ended).len();
                if !is_over {
                    return false;
                }
                let now = other.now.clone();
                self.walks[thread.index()].now.join(&now);
            }
        }
        true
    }

    /// An event happens, where its thread need not wait. One that was not committed does not.
    fn happen(&mut self, id: EventId) -> bool {
        let run = self.run;
        let (Some(way), Instance { what, fetched, .. }) = (self.way(id), run.instance(id)) else { return true };
        let Some(at) = fetched.at else { return true };
        let order = self.order(id);
        let mode = |writes: bool| Mode { thread: id.thread, writes, is_atomic: order.is_atomic() };
        match (what, way) {
            (What::Read { .. }, Way::From(source)) => {
                if let (Some(store), true) = (source, order.is_acquire()) {
                    let Some(message) = self.message(store) else { return false };
                    self.walks[id.thread.index()].now.join(&message);
                } else if order.is_atomic() {
                    self.walks[id.thread.index()].pending.extend(source);
                }
                self.access(id, at, mode(false));
            }
            (What::Write { .. }, Way::After(_)) => {
                self.access(id, at, mode(true));
                let walk = &self.walks[id.thread.index()];
                if order.is_release() {
                    self.messages.insert(id, walk.now.clone());
                } else if order.is_atomic() && !walk.released.0.is_empty() {
                    self.messages.insert(id, walk.released.clone());
                }
            }
            // The end of an object is a write to all of it that is not atomic.
            (What::Free { how: Free::Heap, .. }, _) => self.access(id, at, Mode { is_atomic: false, ..mode(true) }),
            _ => {}
        }
        true
    }

    /// How an event came about, also where a thread has looked in vain in the end.
    fn way(&self, id: EventId) -> Option<Way> {
        let graph = self.run.model.graph();
        let looks = || self.run.awaiting.iter().find(|(event, _)| *event == id).map(|&(_, way)| way);
        graph.number(id).map(|number| graph.event(number).way).or_else(looks)
    }

    /// The order of an event in the language: that of failure where its read-modify-write stores nothing.
    fn order(&self, id: EventId) -> Order {
        let [order, failure] = self.run.instance(id).orders;
        if order == failure || self.run.fetched(id).is_write() {
            return order;
        }
        let events = self.run.machine.events(id.thread);
        let is_second = |n: &u32| events[*n as usize].fetched.role == Role::Store { pair: Some(id.index) };
        let second = (id.index + 1..events.len() as u32).find(is_second);
        let stores = second.is_some_and(|index| self.run.machine.happens(EventId { index, ..id }) == Some(true));
        if stores { order } else { failure }
    }

    /// What a store hands to who acquires from it; none where that is not known yet. A store that was not committed is
    /// one of the same thread.
    fn message(&self, store: EventId) -> Option<Clock> {
        let (mut all, mut next) = (Clock::default(), Some(store));
        while let Some(store) = next.filter(|&store| self.way(store).is_some()) {
            if self.walks[store.thread.index()].n_events <= store.index {
                return None;
            }
            self.messages.get(&store).into_iter().for_each(|message| all.join(message));
            next = match self.run.fetched(store).role {
                Role::Store { pair: Some(index) } => match self.way(EventId { index, ..store }) {
                    Some(Way::From(source)) => source,
                    _ => None,
                },
                _ => None,
            };
        }
        Some(all)
    }

    /// An access happens, and may race with others.
    fn access(&mut self, id: EventId, at: LocationId, mode: Mode) {
        let now = &mut self.walks[id.thread.index()].now;
        now.add(id);
        if !self.accesses.contains_key(&at) {
            return;
        }
        let conflicts = |other: &Mode| other.thread != mode.thread && (other.writes || mode.writes) && !(other.is_atomic && mode.is_atomic);
        let near = self.run.machine.locations().overlapping(at).iter().chain([&at]);
        let mut others = near.filter_map(|near| self.accesses.get(near)).flatten();
        self.races |= others.any(|(other, index)| conflicts(other) && !now.has(EventId { thread: other.thread, index: *index }));
        let own = self.accesses.entry(at).or_default();
        own.retain(|(other, _)| *other != mode);
        own.push((mode, id.index));
    }
}
