//! A machine and a model of graphs joined into a graph that the explorers can grow.
//!
//! Every action of a thread is an event here, also those that nobody can overtake: they make other events happen before one another. The thread whose
//! event is added next is the first one that can go on.

use crate::asleep::{Asleep, Awaited};
use crate::core::{Core, Stop};
use crate::ending::Ending;
use crate::observed::observe;
use crate::standing::{Standing, standings};
use crate::start_over::{Running, Shared};
use raddle_event::{Action, Address, EventId, Fault, LocationId, Offer, Path, Position, Range, Reply, ThreadId, Value, Way};
use raddle_explore::Graph;
use raddle_machine::{Ahead, Blocked, FaultAt, Kind, Limits, Machine, Mark, Moment, Next, Seen, Sites, Tables, Witness};
use raddle_memory::graphs::{Added, GraphModel};
use raddle_program::{FunctionId, Program};
use std::ops::ControlFlow;

/// A program running under a model of graphs.
pub struct Grown<'p, M> {
    pub machine: Machine<'p>,
    pub memory: M,
    /// For each event how to go back to before it.
    marks: Vec<(Mark, u32, Way)>,
    /// The threads that wait, as far as they were asked.
    asleep: Asleep,
    pub core: Core,
}

impl<'p, M: GraphModel> Grown<'p, M> {
    /// The program with its entry threads started; `memory` is a graph without events.
    pub fn new(program: &'p Program, memory: M, limits: Limits, sites: Sites, keep_going: bool) -> Grown<'p, M> {
        Grown::of(Machine::new(program, limits, sites), memory, keep_going)
    }

    /// A machine whose threads have just started, with a graph without events.
    pub fn of(machine: Machine<'p>, memory: M, keep_going: bool) -> Grown<'p, M> {
        let core = Core::new(keep_going, machine.limits().events as usize);
        let mut grown = Grown { machine, memory, marks: Vec::new(), asleep: Asleep::default(), core };
        grown.learn();
        if let Some(image) = grown.machine.first_image() {
            grown.memory.adopt(&image, grown.machine.addresses(), true);
        }
        for thread in grown.machine.threads().collect::<Vec<_>>() {
            grown.look_at(thread);
        }
        grown
    }

    fn learn(&mut self) {
        self.memory.learn(self.machine.locations(), self.machine.addresses(), self.machine.names().len());
    }

    /// What a thread that has ended has returned, as the one that joins it by a read of this location gets it.
    fn result(&self, ended: ThreadId, at: LocationId) -> Value {
        let Next::Ended(values) = self.machine.next(ended) else { unreachable!("the thread has ended") };
        let whole = self.machine.locations().range(at).size == 8;
        Value::Word(values.first().copied().filter(|_| whole).unwrap_or(0))
    }

    fn has_ended(&self, thread: ThreadId) -> bool {
        self.machine.has_started(thread) && self.machine.ahead(thread).kind == Kind::Ended
    }

    fn perform(&mut self, thread: ThreadId, way: Way) -> Added {
        let Ahead { kind, at } = self.machine.ahead(thread);
        if kind == Kind::Joins {
            let ended = self.machine.word_of(at).expect("a thread joins another one");
            self.memory.join(thread, ended);
            return Added { reply: Reply::Value(self.result(ended, at)), fault: None };
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
            _ => refused.map(|what| unsupported(what.into())),
        };
        if let Some(stop) = stop {
            self.core.stop_by(stop);
        }
    }

    /// Wakes those who wait for what an event of a thread has done at a location, and those who wait for its end. The thread itself did not wait, and what it
    /// has spawned has a higher number.
    fn wake(&mut self, thread: ThreadId, Ahead { kind, at }: Ahead) {
        if matches!(kind, Kind::Writes | Kind::Acts) {
            self.asleep.wake(Awaited::value(at));
        }
        if self.machine.ahead(thread).kind == Kind::Ended {
            self.asleep.wake(Awaited::END);
        }
    }

    fn note(&mut self, thread: ThreadId, fault: Fault) {
        self.core.fail(thread, fault, self.machine.moment(thread));
    }

    /// Stops where the action that a thread is at is one that the model cannot make sense of.
    #[inline]
    fn look_for_unsupported(&mut self, thread: ThreadId) {
        let Some(what) = self.memory.unsupported() else { return };
        if self.memory.is_mixed() && self.machine.cut_copies() {
            self.core.contradict();
        } else {
            self.core.stop_by(Stop::Unsupported { what: what.into(), thread, moment: self.machine.moment(thread) });
        }
    }

    /// Stops where the search must start over, or does not seem to end.
    fn check_limits(&mut self, thread: ThreadId) {
        if self.machine.is_contradicted() {
            self.core.contradict();
        } else if self.core.is_long(self.marks.len() - 1) && self.is_too_long(thread) {
            self.core.stop_by(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
    }

    #[cold]
    fn is_too_long(&mut self, thread: ThreadId) -> bool {
        self.core.is_impatient(self.marks.len() - 1, self.machine.limits()) && self.is_busiest(thread)
    }

    /// Whether no thread has more events than this one: then it is the one that does not end.
    fn is_busiest(&self, thread: ThreadId) -> bool {
        self.machine.threads().all(|other| self.memory.n_events(other) <= self.memory.n_events(thread))
    }

    /// The events in the order in which they were added, each with what was decided.
    pub fn path(&self) -> Vec<(ThreadId, Way)> {
        let event = |at: usize| (self.memory.id(Position(at as u32)).thread, self.marks[at].2);
        (0..self.marks.len()).map(event).collect()
    }
}

impl<M: GraphModel> Graph for Grown<'_, M> {
    fn next(&mut self, offers: &mut Vec<Offer>) -> Option<ThreadId> {
        for n in self.asleep.first()..self.machine.n_threads() {
            let (thread, Ahead { kind, at }) = (ThreadId(n as u32), self.machine.aheads()[n]);
            if matches!(kind, Kind::Absent | Kind::Blocked | Kind::Ended | Kind::Over) || self.asleep.has(n) {
                continue;
            }
            self.offers(thread, offers);
            if offers.iter().any(|offer| offer.taken.is_none()) {
                self.asleep.skip_to(thread);
                return Some(thread);
            }
            offers.clear();
            self.asleep.put(thread, if kind == Kind::Joins { Awaited::END } else { Awaited::value(at) });
        }
        None
    }

    /// None where it waits or will not go on.
    fn offers(&mut self, thread: ThreadId, offers: &mut Vec<Offer>) {
        let Ahead { kind, at } = self.machine.ahead(thread);
        let only = Offer { way: Way::Only, taken: None };
        match kind {
            Kind::Absent | Kind::Blocked | Kind::Ended | Kind::Over => {}
            Kind::Joins => offers.extend(self.machine.word_of(at).filter(|&ended| self.has_ended(ended)).map(|_| only)),
            Kind::Writes if !M::PLACES_WRITES => offers.push(only),
            Kind::Writes | Kind::Reads | Kind::Awaits | Kind::Acts | Kind::Chooses => {
                let Next::Action(action) = self.machine.next(thread) else { unreachable!("it is about to act") };
                self.memory.offers(thread, action, self.machine.locations(), offers);
                self.look_for_unsupported(thread);
            }
        }
    }

    fn waiting(&mut self, found: &mut Vec<(ThreadId, Offer)>) {
        let mut offers = Vec::new();
        for thread in (0..self.machine.n_threads() as u32).map(ThreadId) {
            if self.machine.ahead(thread).kind != Kind::Acts {
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
        let (mark, n_faults, ahead) = (self.machine.mark(), self.core.faults.len() as u32, self.machine.ahead(thread));
        let added = self.perform(thread, way);
        self.marks.push((mark, n_faults, way));
        if let Some(fault) = added.fault {
            self.note(thread, *fault);
        }
        if ahead.kind == Kind::Acts {
            self.publish(thread);
        }
        self.look_for_unsupported(thread);
        if self.machine.advance(thread, added.reply) {
            self.learn();
        }
        self.look_at(thread);
        self.wake(thread, ahead);
        self.check_limits(thread);
    }

    fn rewind(&mut self, len: usize) {
        let Some(&(mark, n_faults, _)) = self.marks.get(len) else { return };
        self.marks.truncate(len);
        self.core.rewind(n_faults as usize);
        self.memory.rewind(len);
        self.machine.rewind(mark);
        self.asleep.wake_all();
    }

    fn n_threads(&self) -> usize {
        self.machine.n_threads()
    }

    fn n_events(&self, thread: ThreadId) -> u32 {
        self.memory.n_events(thread)
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

    fn unordered_reads(&self, write: Position, found: &mut Vec<Position>) {
        self.memory.unordered_reads(write, found);
    }

    fn accepts(&self, read: Position, write: Position) -> bool {
        self.memory.accepts(read, write)
    }

    fn is_readable(&mut self, thread: ThreadId, write: Position) -> bool {
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("a thread that reads has an action") };
        self.memory.is_readable(thread, action, write, self.machine.locations())
    }

    fn is_canonical(&self, at: Position, limits: &[u32], write: Position) -> bool {
        self.memory.is_canonical(at, limits, write)
    }

    fn is_over(&self) -> bool {
        self.core.is_over()
    }
}

impl<M: GraphModel> Running for Grown<'_, M> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn sites(&self) -> &Sites {
        self.machine.sites()
    }

    fn is_contradicted(&self) -> bool {
        self.machine.is_contradicted()
    }
}

impl<M: GraphModel> Shared for Grown<'_, M> {
    fn tables(&self) -> Tables {
        self.machine.tables()
    }

    fn seen(&self) -> Seen {
        self.machine.seen()
    }

    fn agrees_with(&mut self, base: &Seen, others: &[Seen]) -> bool {
        self.machine.agrees_with(base, others)
    }
}

impl<M: GraphModel> Ending for Grown<'_, M> {
    fn is_well(&self) -> bool {
        self.core.stop.is_none() && self.core.faults.is_empty() && self.machine.is_over()
    }

    /// A thread that reads what is overwritten will not do so for ever: only one that reads what can be last in coherence spins. What several spin on must be able to be
    /// last at once.
    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        let round = |thread: ThreadId| {
            let n = self.memory.n_events(thread);
            (n - self.machine.round(thread).min(n)..n).map(move |index| self.memory.position(EventId { thread, index }))
        };
        let spinning = |thread: &ThreadId| matches!(self.machine.next(*thread), Next::Blocked(Blocked::Spin));
        let is_last = |event: Position| self.memory.can_be_last(event);
        let all: Vec<Position> = self.machine.threads().filter(spinning).flat_map(round).filter(|&event| is_last(event)).collect();
        let agrees = |event: Position| all.iter().all(|&other| self.memory.can_both_be_last(event, other));
        let is_stale = |thread| !round(thread).all(|event| is_last(event) && agrees(event));
        let word = |at: LocationId| {
            let values = self.memory.final_values(self.machine.locations().range(at), self.machine.locations())?;
            values.first().filter(|_| values.len() == 1).map(Value::word)
        };
        standings(&self.machine, is_stale, word)
    }

    fn moment(&self, thread: ThreadId) -> Moment {
        self.machine.moment(thread)
    }

    fn leak(&self) -> Option<FaultAt> {
        let left: Vec<(Address, u64)> = self.memory.live_heap_objects().into_iter().chain(self.machine.private_heap()).collect();
        FaultAt::leak(self.machine.addresses(), &left, |start| self.machine.maker(start))
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
