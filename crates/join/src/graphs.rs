//! A machine and a model of graphs joined into a graph that the explorers can grow.
//!
//! Every action of a thread is an event here, also those that nobody can overtake: they make other events happen before
//! one another. The thread whose event is added next is the first one that can go on.

mod ended;

use crate::core::{Core, Stop};
use crate::symmetry::Symmetry;
use crate::waiters::{Awaited, Waiters};
use raddle_event::{Action, EventId, Fault, Fence, LocationId, Offer, PartReads, Position, Reply, ThreadId, Value, Way};
use raddle_explore::Graph;
use raddle_machine::{Ahead, HistoryId, Kind, LOOK_BACK, Lead, Limits, Machine, Mark, Next, Sites};
use raddle_memory::graphs::{Added, GraphModel, Unsupported, Waiting};
use raddle_program::{FunctionId, Program};
use smallvec::SmallVec;

/// How many events a graph may have before patience with it begins, which is twice as long as with a schedule: adding
/// an event takes time that grows with the graph.
const MANY_EVENTS: u32 = 1024;

/// The location of an atomic access.
fn atomic_location(action: &Action) -> Option<LocationId> {
    match *action {
        Action::Read { at, order, .. } | Action::Write { at, order, .. } | Action::Rmw { at, order, .. } => {
            Some(at).filter(|_| order.is_atomic())
        }
        _ => None,
    }
}

/// An event that was added.
#[derive(Clone, Copy)]
struct Past {
    way: Way,
    /// How to go back to before it.
    mark: Mark,
    n_faults: u32,
    /// Whether a loop of its thread waits with it for a value.
    awaits: bool,
}

/// A program running under a model of graphs.
pub struct Grown<'p, M> {
    /// The threads, each at its next action.
    pub machine: Machine<'p>,
    /// The graph, with the axioms.
    pub memory: M,
    marks: Vec<Past>,
    /// Where threads are parked.
    parked: Vec<Position>,
    /// The event that the model cannot make sense of, where one was added: it is in no path.
    refused: Option<usize>,
    /// How many of the events only show on what threads wait in the end.
    n_last_looks: usize,
    /// The threads that wait, as far as they were asked.
    waiters: Waiters,
    /// The faults and stops of the present execution.
    pub core: Core,
    /// The threads that may be exchanged, where that is asked for.
    pub(crate) symmetry: Symmetry,
    /// For what threads wait in parts that others have explored.
    elsewhere: Waiting,
}

impl<'p, M: GraphModel> Grown<'p, M> {
    /// The program with its entry threads started; `memory` is a graph without events.
    pub fn new(program: &'p Program, memory: M, limits: Limits, sites: Sites, keep_going: bool) -> Grown<'p, M> {
        Grown::of(Machine::new(program, Self::limits(&limits), sites), memory, keep_going)
    }

    /// The limits of a machine that runs under the model.
    pub fn limits(limits: &Limits) -> Limits {
        Limits { awaits: true, buffered: M::BUFFERED, ..limits.clone() }
    }

    /// A machine whose threads have just started, with a graph without events.
    pub fn of(machine: Machine<'p>, memory: M, keep_going: bool) -> Grown<'p, M> {
        let core = Core::new(keep_going, machine.limits().events.min(MANY_EVENTS) as usize);
        let (waiters, symmetry, elsewhere) = (Waiters::default(), Symmetry::default(), Waiting::default());
        let (marks, parked, refused) = (Vec::new(), Vec::new(), None);
        let mut grown = Grown { machine, memory, marks, parked, refused, n_last_looks: 0, waiters, core, symmetry, elsewhere };
        grown.learn();
        if let Some(image) = grown.machine.first_image() {
            grown.memory.adopt(&image, grown.machine.addresses(), true);
        }
        for thread in grown.machine.threads().collect::<Vec<_>>() {
            grown.look_at(thread);
        }
        grown
    }

    pub(crate) fn learn(&mut self) {
        self.memory.learn(self.machine.locations(), self.machine.addresses(), self.machine.names().len());
    }

    /// What a thread that has ended has returned, as the one that joins it by a read of this location gets it.
    pub(crate) fn result_of(&self, ended: ThreadId, at: LocationId) -> Value {
        let Next::Ended(values) = self.machine.next(ended) else { unreachable!("the thread has ended") };
        let whole = self.machine.locations().range(at).size == 8;
        Value::Word(values.first().copied().filter(|_| whole).unwrap_or(0))
    }

    pub(crate) fn has_ended(&self, thread: ThreadId) -> bool {
        self.machine.has_started(thread) && self.machine.ahead(thread).kind == Kind::Ended
    }

    fn perform(&mut self, thread: ThreadId, way: Way) -> Added {
        let Ahead { kind, at } = self.machine.ahead(thread);
        if kind == Kind::Joins {
            let ended = self.machine.word_of(at).expect("a thread joins another one");
            self.memory.join(thread, ended);
            return Added { reply: Reply::Value(self.result_of(ended, at)), fault: None };
        }
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("a thread whose event is added has an action") };
        self.memory.add(thread, action, way, self.machine.locations())
    }

    /// What an action brings with it: objects that were private so far, and a thread.
    fn publish(&mut self, thread: ThreadId) {
        let Some(action @ (Action::Spawn { .. } | Action::Allocate { .. })) = self.machine.action(thread) else { return };
        if let Some(image) = self.machine.image(thread) {
            // The image of a spawn is that of the first one.
            self.memory.adopt(&image, self.machine.addresses(), matches!(action, Action::Spawn { .. }));
        }
        if let Action::Spawn { child, function, argument } = *action {
            self.machine.start(child, FunctionId(function), argument);
            self.learn();
            self.look_at(child);
        }
    }

    /// Notes what a thread has come to.
    #[inline]
    fn look_at(&mut self, thread: ThreadId) {
        if matches!(self.machine.ahead(thread).kind, Kind::Acts | Kind::Over) {
            self.look_closely(thread);
        }
    }

    #[inline(never)]
    fn look_closely(&mut self, thread: ThreadId) {
        let refused = match self.machine.ahead(thread).kind {
            Kind::Acts => self.machine.action(thread).and_then(M::refusal),
            _ => None,
        };
        if refused.is_none() && self.machine.ahead(thread).kind != Kind::Over {
            return;
        }
        let unsupported = |what: String| Stop::Unsupported { what, thread, moment: self.machine.moment(thread) };
        let stop = match self.machine.next(thread) {
            Next::Fault(fault) => {
                let fault = fault.clone();
                self.note(thread, fault);
                None
            }
            Next::Unsupported(what) => Some(unsupported(what.clone())),
            Next::Endless => Some(Stop::Endless { thread, moment: self.machine.moment(thread) }),
            _ => refused.map(|what| unsupported(what.text::<M>())),
        };
        if let Some(stop) = stop {
            self.core.stop_by(stop);
        }
    }

    /// Wakes those who wait for what an event of a thread has done at a location, and those who wait for its end. The
    /// thread itself did not wait, and what it has spawned has a higher number.
    fn wake(&mut self, thread: ThreadId, Ahead { kind, at }: Ahead) {
        if matches!(kind, Kind::Writes | Kind::Acts | Kind::Awaits) {
            self.waiters.wake(Awaited::value(at));
        }
        if self.machine.ahead(thread).kind == Kind::Ended {
            self.waiters.wake(Awaited::END);
        }
    }

    fn note(&mut self, thread: ThreadId, fault: Fault) {
        self.core.fail(thread, fault, self.machine.moment(thread));
    }

    /// Stops where the action that a thread is at is one that the model cannot make sense of.
    #[inline]
    fn look_for_unsupported(&mut self, thread: ThreadId) {
        let Some(what) = self.memory.unsupported() else { return };
        if what == Unsupported::MixedSizes && self.learns_sizes(thread) {
            self.core.contradict();
        } else {
            self.core.stop_by(Stop::Unsupported { what: what.text::<M>(), thread, moment: self.machine.moment(thread) });
        }
    }

    /// Learns how the bytes are accessed of which the action of a thread accesses some in another size: what is no
    /// atomic access is cut; what is one is kept whole, and read so. Tells whether that is new.
    #[cold]
    fn learns_sizes(&mut self, thread: ThreadId) -> bool {
        if self.machine.cut_accesses(M::CUTS_PLAIN) {
            return true;
        }
        let Some(at) = self.machine.action(thread).and_then(Action::location) else { return false };
        // The thread of the newest event is still at its action.
        let moved = (0..self.marks.len() - 1).filter(|&n| self.marks[n].way != Way::Parked);
        let earlier = moved.map(|n| self.machine.action_at(self.machine.position_at(self.marks[n].mark, self.thread_at(n))));
        let actions = earlier.chain([self.machine.action(thread)]).flatten();
        let is_near = |other: &LocationId| *other == at || self.machine.locations().overlapping(at).contains(other);
        let atomic: Vec<LocationId> = actions.filter_map(atomic_location).filter(is_near).collect();
        let mut is_new = false;
        for at in atomic {
            is_new |= self.machine.keep_whole(at);
        }
        // Of the rest of the whole it is not asked whether it was ever written.
        let limits = self.machine.limits();
        let reads = match (M::READS_PARTS, limits.races) {
            _ if limits.uninitialised => None,
            (true, _) => Some(PartReads::All),
            (false, races) => races.then_some(PartReads::Ordered),
        };
        is_new || reads.is_some_and(|reads| self.machine.read_wholes(reads))
    }

    fn thread_at(&self, n: usize) -> ThreadId {
        self.memory.id(Position(n as u32)).thread
    }

    /// Stops where the search must start over, or does not seem to end.
    fn check_limits(&mut self, thread: ThreadId) {
        if self.machine.has_awaits() {
            self.look_for_contradiction();
        } else if self.machine.is_contradicted() {
            self.core.contradict();
        }
        if self.core.is_long(self.marks.len() - 1) && self.is_too_long(thread) {
            self.core.stop_by(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
    }

    #[cold]
    fn is_too_long(&mut self, thread: ThreadId) -> bool {
        let limits = self.machine.limits();
        let patience = |since| limits.patience_since(since).map(|patience| 2 * patience);
        self.core.is_impatient(self.marks.len() - 1, patience) && self.is_busiest(thread)
    }

    /// Whether no thread has more events than this one: then it is the one that does not end.
    fn is_busiest(&self, thread: ThreadId) -> bool {
        self.machine.threads().all(|other| self.memory.n_events(other) <= self.memory.n_events(thread))
    }

    /// The events in the order in which they were added, each with what was decided.
    pub fn path(&self) -> Vec<(ThreadId, Way)> {
        let event = |at: usize| (self.memory.id(Position(at as u32)).thread, self.marks[at].way);
        let n = self.refused.unwrap_or(self.marks.len());
        (0..n).map(event).filter(|(_, way)| *way != Way::Parked).collect()
    }

    /// Whether a thread finds the last value for ever although it could read another one.
    pub fn has_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// The same without those at the end that only show on what threads wait.
    pub fn path_without_last_looks(&self) -> Vec<(ThreadId, Way)> {
        let mut path = self.path();
        path.truncate(path.len() - self.n_last_looks);
        path
    }

    // Loops that wait

    /// Finds the ways in which the event can be added with which a loop of a thread waits for a value of a location.
    /// The values are looked at before the axioms, which take longer. The thread is passed over while there is no value
    /// that leads it on. Whether the axioms allow such a value does not count for that: what they forbid in one graph
    /// they may allow in a part of it (docs/awaits.md).
    fn offer_awaited(&mut self, thread: ThreadId, at: LocationId, offers: &mut Vec<Offer>) {
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("it is about to act") };
        self.memory.candidates(thread, action, self.machine.locations(), offers);
        let leads_on = self.retain_leading(thread, at, offers) && offers.iter().any(|offer| offer.taken.is_none());
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("it is about to act") };
        self.memory.retain_allowed(thread, action, self.machine.locations(), offers);
        if !leads_on {
            return;
        }
        if self.machine.may_stay(self.machine.position(thread)) {
            offers.push(Offer { way: Way::Parked, taken: None });
        } else if offers.is_empty() {
            self.leave_behind_last(thread, at);
        }
    }

    /// What is last leads a thread round its loop, and the axioms forbid all that would lead it on.
    #[cold]
    fn leave_behind_last(&mut self, thread: ThreadId, at: LocationId) {
        let all: Vec<u32> = self.machine.threads().map(|thread| self.memory.n_events(thread)).collect();
        let last = self.memory.last_value_within(thread, at, &all, self.machine.locations());
        let (from, event) = (self.machine.position(thread), EventId { thread, index: self.memory.n_events(thread) });
        if let Some(end) = last.and_then(|last| self.round_by(from, event, &last)) {
            self.machine.leave_behind(from, end);
        }
        self.look_for_contradiction();
    }

    /// Leaves out what would only lead a thread, whose loop waits for a value of a location, round its loop. Tells
    /// whether it could be asked.
    fn retain_leading(&mut self, thread: ThreadId, at: LocationId, offers: &mut Vec<Offer>) -> bool {
        if !self.machine.is_of_one_size(at) {
            self.machine.forget_await(thread);
            self.core.contradict();
            return false;
        }
        let may_write = matches!(self.machine.action(thread), Some(Action::Rmw { .. }));
        if !self.memory.await_value(thread, at, may_write, self.machine.locations()) {
            return false;
        }
        let (from, event) = (self.machine.position(thread), EventId { thread, index: self.memory.n_events(thread) });
        offers.retain(|offer| {
            let Way::From(source) = offer.way else { return true };
            let value = self.memory.value_from(thread, at, source, self.machine.locations());
            value.is_none_or(|value| !self.is_in_vain(from, event, &value))
        });
        self.look_for_contradiction();
        true
    }

    /// Whether a value that an event would find, or would have found, only leads its thread round a loop. The thread is
    /// at a moment of its history then.
    fn is_in_vain(&mut self, from: HistoryId, event: EventId, value: &Value) -> bool {
        self.round_by(from, event, value).is_some()
    }

    /// Where a round of a loop ends that a value leads the thread of an event to.
    fn round_by(&mut self, from: HistoryId, event: EventId, value: &Value) -> Option<HistoryId> {
        loop {
            match self.machine.lead_from(from, event.thread, value, |at| self.memory.value_before(event, at)) {
                Lead::Round(end, n_actions) => {
                    self.machine.assume_round(event.thread, end, n_actions);
                    return Some(end);
                }
                Lead::On => return None,
                Lead::Unknown(from, reply) => {
                    self.machine.look_on(event.thread, from, reply);
                    self.learn();
                }
            }
        }
    }

    /// Whether what a write has written only leads the thread of a read round its loop.
    #[cold]
    fn is_left_out(&mut self, read: Position, write: Position) -> bool {
        let word = self.memory.written(write).word();
        !self.in_vain(read, vec![word]).is_empty()
    }

    /// Of some words those that only lead the thread of an event round its loop, where it waits with it.
    fn in_vain(&mut self, at: Position, words: Vec<u64>) -> SmallVec<[u64; 4]> {
        let (event, Past { way, mark, .. }) = (self.memory.id(at), self.marks[at.index()]);
        let from = match way {
            // It has not moved.
            Way::Parked => self.machine.position(event.thread),
            _ => self.machine.position_at(mark, event.thread),
        };
        let in_vain = words.into_iter().filter(|&word| self.is_in_vain(from, event, &Value::Word(word))).collect();
        self.look_for_contradiction();
        in_vain
    }

    /// Stops where something is otherwise than it was taken to be. Where loops wait for what is written in no order
    /// although all was as it was taken to be, they do not.
    fn look_for_contradiction(&mut self) {
        if let Some(at) = self.memory.disputed_look().filter(|_| !self.machine.is_contradicted()) {
            self.machine.forget_awaits_at(at);
        }
        if self.machine.is_contradicted() {
            self.core.contradict();
        }
    }

    /// An await that has read from a write could as well have found a later one, which does not let it go on, for ever.
    /// That is another execution, in which the thread does nothing more, and it is lost where awaits only read what
    /// leads on. So where there is such a later write that does not come after the await, it may stay behind
    /// (docs/awaits.md).
    fn look_for_overtaken(&mut self) {
        for at in 0..self.marks.len() {
            let Past { mark, awaits, .. } = self.marks[at];
            let read = Position(at as u32);
            let words = if awaits { self.memory.overtaking(read) } else { Vec::new() };
            for word in words {
                let event = self.memory.id(read);
                let from = self.machine.position_at(mark, event.thread);
                if let Some(end) = self.round_by(from, event, &Value::Word(word)) {
                    self.machine.leave_behind(from, end);
                }
            }
        }
        self.look_for_contradiction();
    }

    /// Adds what stands for a thread that finds what leads it round its loop, now and, where it is not revisited, for
    /// ever. The thread does not move.
    fn park(&mut self, thread: ThreadId) {
        let (mark, n_faults) = (self.machine.mark(), self.core.faults.len() as u32);
        self.parked.push(Position(self.marks.len() as u32));
        self.memory.add(thread, &Action::Fence(Fence::Compiler), Way::Only, self.machine.locations());
        self.marks.push(Past { way: Way::Parked, mark, n_faults, awaits: false });
    }

    /// Whether a loop of its thread waits with an event for a value.
    pub(crate) fn awaits(&self, event: Position) -> bool {
        self.marks[event.index()].awaits
    }

    /// Where the thread of an event was in its history before it; nowhere where it only stays behind with it.
    pub(crate) fn position_before(&self, event: EventId) -> Option<HistoryId> {
        let Past { mark, way, .. } = self.marks[self.memory.position(event).index()];
        (way != Way::Parked).then(|| self.machine.position_at(mark, event.thread))
    }

    /// The action that an event was.
    pub(crate) fn action_of(&self, event: EventId) -> Option<&Action> {
        self.machine.action_at(self.position_before(event)?)
    }

    fn is_parked(&self, thread: ThreadId) -> bool {
        let last = self.memory.n_events(thread).checked_sub(1);
        last.is_some_and(|index| self.marks[self.memory.position(EventId { thread, index }).index()].way == Way::Parked)
    }

    /// Whether a thread is parked as it would be in the graph that has so many events of each thread: what is last
    /// there leads it round its loop.
    #[cold]
    fn would_park(&mut self, at: Position, limits: &[u32]) -> bool {
        let thread = self.memory.id(at).thread;
        let looked_at = self.machine.ahead(thread).at;
        let last = self.memory.last_value_within(thread, looked_at, limits, self.machine.locations());
        last.is_some_and(|last| !self.in_vain(at, vec![last.word()]).is_empty())
    }

    /// Whether the last value would lead a thread that is parked round its loop, so that it stays for ever.
    fn stays(&mut self, thread: ThreadId) -> bool {
        let (Some(Way::From(source)), Ahead { at, .. }) = (self.last_way(thread), self.machine.ahead(thread)) else { return false };
        let (from, event) = (self.machine.position(thread), EventId { thread, index: self.memory.n_events(thread) });
        let value = self.memory.value_from(thread, at, source, self.machine.locations());
        value.is_some_and(|value| self.is_in_vain(from, event, &value))
    }

    /// The way to read what is last in coherence, where that is in one order.
    fn last_way(&mut self, thread: ThreadId) -> Option<Way> {
        let Next::Action(action) = self.machine.next(thread) else { return None };
        let mut offers = Vec::new();
        self.memory.offers(thread, action, self.machine.locations(), &mut offers);
        offers.retain(|offer| offer.taken.is_none());
        // The last comes first where writes have places, and else last.
        let last = if M::PLACES_WRITES { offers.first() } else { offers.last() };
        last.map(|offer| offer.way)
    }

    /// Lets a thread that waits for a value look at the last one, in vain, and go round its loop.
    fn look_last_of(&mut self, thread: ThreadId) {
        for _ in 0..LOOK_BACK {
            let Some(way) = self.last_way(thread) else { return };
            self.n_last_looks += 1;
            self.add(thread, way);
        }
    }
}

impl<M: GraphModel> Graph for Grown<'_, M> {
    fn next(&mut self, offers: &mut Vec<Offer>) -> Option<ThreadId> {
        for n in self.waiters.first()..self.machine.n_threads() {
            let (thread, Ahead { kind, at }) = (ThreadId(n as u32), self.machine.aheads()[n]);
            if matches!(kind, Kind::Absent | Kind::Blocked | Kind::Ended | Kind::Over) || self.waiters.has(n) {
                continue;
            }
            self.offers(thread, offers);
            if offers.iter().any(|offer| offer.taken.is_none()) {
                self.waiters.skip_to(thread);
                return Some(thread);
            }
            offers.clear();
            self.waiters.put(thread, if kind == Kind::Joins { Awaited::END } else { Awaited::value(at) });
        }
        None
    }

    /// None where it waits or will not go on.
    fn offers(&mut self, thread: ThreadId, offers: &mut Vec<Offer>) {
        let Ahead { kind, at } = self.machine.ahead(thread);
        let only = Offer { way: Way::Only, taken: None };
        match kind {
            Kind::Awaits if self.is_parked(thread) => {}
            Kind::Absent | Kind::Blocked | Kind::Ended | Kind::Over => {}
            Kind::Joins => offers.extend(self.machine.word_of(at).filter(|&ended| self.has_ended(ended)).map(|_| only)),
            Kind::Writes if !M::PLACES_WRITES => offers.push(only),
            Kind::Writes | Kind::Reads | Kind::Awaits | Kind::Acts | Kind::Chooses => {
                if kind == Kind::Awaits {
                    self.offer_awaited(thread, at, offers);
                } else {
                    let Next::Action(action) = self.machine.next(thread) else { unreachable!("it is about to act") };
                    self.memory.offers(thread, action, self.machine.locations(), offers);
                }
                self.look_for_unsupported(thread);
            }
        }
    }

    fn waiting(&mut self, found: &mut Vec<(ThreadId, Offer)>) {
        let mut offers = Vec::new();
        for thread in (0..self.machine.n_threads() as u32).map(ThreadId) {
            if !matches!(self.machine.ahead(thread).kind, Kind::Acts | Kind::Awaits) {
                continue;
            }
            self.offers(thread, &mut offers);
            found.extend(offers.drain(..).map(|offer| (thread, offer)));
        }
    }

    fn can_add(&mut self, thread: ThreadId, way: Way) -> bool {
        let mut offers = Vec::new();
        if self.machine.has_started(thread) {
            self.offers(thread, &mut offers);
        }
        offers.iter().any(|offer| offer.way == way)
    }

    fn add(&mut self, thread: ThreadId, way: Way) {
        if way == Way::Parked {
            return self.park(thread);
        }
        let (mark, n_faults, ahead) = (self.machine.mark(), self.core.faults.len() as u32, self.machine.ahead(thread));
        let added = self.perform(thread, way);
        self.marks.push(Past { way, mark, n_faults, awaits: ahead.kind == Kind::Awaits });
        if let Some(fault) = added.fault {
            self.note(thread, *fault);
        }
        if ahead.kind == Kind::Acts {
            self.publish(thread);
            if self.machine.has_awaits() && matches!(self.machine.action(thread), Some(Action::Free { .. })) {
                self.waiters.wake_all();
            }
        }
        self.look_for_unsupported(thread);
        if matches!(self.core.stop, Some(Stop::Unsupported { .. })) {
            self.refused.get_or_insert(self.marks.len() - 1);
        }
        if self.machine.advance(thread, added.reply) {
            self.learn();
        }
        self.look_at(thread);
        self.wake(thread, ahead);
        self.check_limits(thread);
    }

    fn rewind(&mut self, len: usize) {
        let Some(&Past { mark, n_faults, .. }) = self.marks.get(len) else { return };
        self.marks.truncate(len);
        self.refused = self.refused.filter(|&at| at < len);
        while self.parked.pop_if(|at| at.index() >= len).is_some() {}
        self.n_last_looks = 0;
        self.core.rewind(n_faults as usize);
        self.memory.rewind(len);
        self.machine.rewind(mark);
        self.waiters.wake_all();
    }

    fn n_threads(&self) -> usize {
        self.machine.n_threads()
    }

    fn n_events(&self, thread: ThreadId) -> u32 {
        self.memory.n_events(thread)
    }

    fn accesses(&self, thread: ThreadId) -> Option<LocationId> {
        match self.machine.ahead(thread) {
            Ahead { kind: Kind::Reads | Kind::Writes | Kind::Awaits | Kind::Joins, at } => Some(at),
            _ => self.machine.action(thread).and_then(Action::location),
        }
    }

    fn id(&self, at: Position) -> EventId {
        self.memory.id(at)
    }

    fn position(&self, id: EventId) -> Position {
        self.memory.position(id)
    }

    fn clock(&self, at: Position) -> &[u32] {
        self.memory.clock(at)
    }

    fn unordered_reads(&mut self, write: Position, found: &mut Vec<Position>) {
        self.memory.unordered_reads(write, found);
        for &at in &self.parked {
            let thread = self.memory.id(at).thread;
            if self.memory.writes_to(write, thread, self.machine.ahead(thread).at, self.machine.locations()) {
                found.push(at);
            }
        }
    }

    fn accepts(&mut self, read: Position, write: Position) -> bool {
        let Past { way, awaits, .. } = self.marks[read.index()];
        self.memory.accepts(read, write) && !((awaits || way == Way::Parked) && self.is_left_out(read, write))
    }

    fn is_readable(&mut self, thread: ThreadId, write: Position) -> bool {
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("a thread that reads has an action") };
        self.memory.is_readable(thread, action, write, self.machine.locations())
    }

    fn is_canonical(&mut self, at: Position, limits: &[u32], write: Position) -> bool {
        if !self.machine.has_awaits() {
            return self.memory.is_canonical(at, limits, write, &[]);
        }
        let Past { way, awaits, mark, .. } = self.marks[at.index()];
        if way == Way::Parked {
            return self.would_park(at, limits);
        }
        let may_park =
            |grown: &Self| M::PLACES_WRITES && grown.machine.may_stay(grown.machine.position_at(mark, grown.memory.id(at).thread));
        if !awaits || may_park(self) {
            return self.memory.is_canonical(at, limits, write, &[]);
        }
        let in_vain = self.in_vain(at, self.memory.words(at));
        let is_canonical = self.memory.is_canonical(at, limits, write, &in_vain);
        self.look_for_contradiction();
        is_canonical
    }

    fn look_last(&mut self) -> bool {
        if self.core.is_impatient_with_growth(self.marks.len(), self.machine.limits()) {
            let longest = self.machine.threads().max_by_key(|&thread| self.memory.n_events(thread));
            let thread = longest.expect("there is a thread");
            self.core.stop_by(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
        if !self.machine.has_awaits() || self.core.is_over() {
            return true;
        }
        self.look_for_overtaken();
        let parked: Vec<ThreadId> = self.machine.threads().filter(|&thread| self.is_parked(thread)).collect();
        if !parked.into_iter().all(|thread| self.stays(thread)) {
            return false;
        }
        for thread in self.machine.threads().collect::<Vec<_>>() {
            if self.machine.ahead(thread).kind == Kind::Awaits {
                self.look_last_of(thread);
            }
        }
        true
    }

    fn is_over(&self) -> bool {
        self.core.is_over()
    }
}
