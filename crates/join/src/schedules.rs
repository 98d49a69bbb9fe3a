//! A machine and a memory with buffers joined into a transition system that the explorers of schedules can run (SC,
//! TSO, PSO).

use crate::core::{Core, Stop};
use crate::ending::Ending;
use crate::standing::{Standing, standings};
use crate::start_over::Running;
use crate::watched::Watched;
use raddle_event::{
    Action, Actor, Address, Footprint, LocationId, Numbering, Path, Position, Range, Reply, Step, Taken, ThreadId, Value, Who,
};
use raddle_explore::{Prospect, System};
use raddle_machine::{Ahead, Blocks, FaultAt, Kind, Limits, Machine, Mark, Moment, Next, Printer, Sites, Witness, World};
use raddle_memory::buffered::{BufferedModel, Memory, Readiness, forward_again, is_independent};
use raddle_program::{FunctionId, Program};
use std::ops::ControlFlow;

/// An event that has happened: the step, and how to go back to before it.
struct Past {
    step: Step,
    /// How many steps it is for who runs them one by one: more than one for a block, none for a block that has done
    /// nothing.
    n_steps: u32,
    machine: Mark,
    memory: usize,
    n_faults: u32,
}

/// A program running under a memory model by schedules.
pub struct Scheduled<'p> {
    /// The threads, each at its next action.
    pub machine: Machine<'p>,
    /// Shared memory, with its store buffers.
    pub memory: Memory,
    past: Vec<Past>,
    /// The faults and stops of the present execution.
    pub core: Core,
    /// How much was done silently since the last event.
    pub(crate) n_silent: u64,
    /// Who looks for races and cycles, where somebody asks.
    pub(crate) watched: Option<Box<Watched>>,
}

impl<'p> Scheduled<'p> {
    /// The program with its entry threads started; `sites` is what earlier explorations of it have shown.
    pub fn new(program: &'p Program, model: BufferedModel, limits: Limits, sites: Sites, keep_going: bool) -> Scheduled<'p> {
        let memory = Memory::new(model, limits.uninitialised);
        let limits = Limits { buffered: !model.is_direct(), awaits: true, looks_twice: true, ..limits };
        Scheduled::of(Machine::new(program, limits, sites), memory, keep_going)
    }

    /// The same, for a run forward of which somebody takes what is printed.
    pub fn printing(program: &'p Program, model: BufferedModel, limits: Limits, sites: Sites, printer: Printer<'p>) -> Scheduled<'p> {
        let memory = Memory::new(model, limits.uninitialised);
        let limits = Limits { blocks: Blocks::Apart, ..limits };
        Scheduled::of(Machine::printing(program, limits, sites, printer), memory, false)
    }

    /// A machine whose threads have just started, with an empty memory.
    pub fn of(machine: Machine<'p>, memory: Memory, keep_going: bool) -> Scheduled<'p> {
        let core = Core::new(keep_going, machine.limits().events as usize);
        let watched = Watched::new(machine.limits(), memory.is_direct());
        let mut scheduled = Scheduled { machine, memory, past: Vec::new(), core, n_silent: 0, watched };
        scheduled.learn();
        if let Some(image) = scheduled.machine.first_image() {
            scheduled.memory.adopt(&image, scheduled.machine.addresses());
        }
        for thread in scheduled.machine.threads().collect::<Vec<_>>() {
            scheduled.settle(thread);
        }
        scheduled.look_ahead();
        scheduled
    }

    /// Takes a block, which is one step.
    #[inline(never)]
    fn take_whole_block(&mut self, thread: ThreadId, at: Position, taken: &mut Taken) {
        self.past[at.index()].n_steps = self.take_block(thread, at, taken);
        self.n_silent = 0;
        self.settle(thread);
        self.look_ahead();
    }

    pub(crate) fn advance(&mut self, thread: ThreadId, reply: Reply) {
        if self.machine.advance(thread, reply) {
            self.learn();
        }
    }

    /// Forgets how to go back: for a run that only goes forward.
    pub fn forget_past(&mut self) {
        self.past.clear();
        self.memory.forget_past();
    }

    pub(crate) fn learn(&mut self) {
        let n_threads = self.machine.names().len();
        self.memory.learn(self.machine.locations(), self.machine.addresses(), n_threads);
        if let Some(watched) = &mut self.watched {
            watched.widen(self.machine.locations().len(), n_threads);
        }
    }

    /// Lets a thread do everything that is silent, and those who wait for it to end.
    #[inline(always)]
    fn settle(&mut self, thread: ThreadId) {
        match self.machine.ahead(thread).kind {
            Kind::Reads | Kind::Awaits | Kind::Chooses => {}
            Kind::Writes if self.memory.is_direct() => {}
            Kind::Ended => self.settle_joiners(thread),
            _ => self.settle_all(thread),
        }
        self.look_for_contradiction();
    }

    #[inline(never)]
    fn settle_all(&mut self, thread: ThreadId) {
        loop {
            match self.machine.ahead(thread).kind {
                Kind::Reads | Kind::Awaits | Kind::Chooses => break,
                Kind::Writes if self.memory.is_direct() => break,
                Kind::Writes | Kind::Acts => {
                    if !self.act_silently(thread) {
                        break;
                    }
                }
                Kind::Joins => {
                    if !self.join(thread) {
                        break;
                    }
                }
                Kind::Ended => {
                    self.settle_joiners(thread);
                    break;
                }
                Kind::Over | Kind::Blocked | Kind::Absent => {
                    self.look_at(thread);
                    break;
                }
            }
        }
    }

    /// Lets a thread do what it wants to do next, if that is silent; tells whether it has.
    #[inline(never)]
    fn act_silently(&mut self, thread: ThreadId) -> bool {
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
        if self.memory.readiness(thread, action, self.machine.locations()) != Readiness::Silent {
            return false;
        }
        let n_stores = self.memory.n_stores(thread);
        let reply = self.memory.silent(thread, action);
        if self.watched.is_some() {
            self.watch_silent(thread, n_stores);
        }
        let Some(reply) = reply else { return false };
        self.n_silent += 1;
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
        if let (Action::Spawn { .. } | Action::Allocate { .. }, Some(image)) = (action, self.machine.image(thread)) {
            self.memory.adopt(&image, self.machine.addresses());
        }
        if let Action::Spawn { child, function, argument } = *action {
            self.machine.start(child, FunctionId(function), argument);
            self.learn();
            self.settle(child);
        }
        self.advance(thread, reply);
        !self.n_silent.is_multiple_of(Limits::LOOK_EVERY) || !self.is_silent_for_ever(thread)
    }

    /// Lets a thread join those that have finished, one after the other; tells whether there was one.
    #[inline(always)]
    fn join(&mut self, thread: ThreadId) -> bool {
        let from = self.machine.position(thread);
        let (mut to, mut has_joined) = (from, false);
        while let Some(other) = self.joinable(to) {
            has_joined = true;
            to = match self.machine.known_join(to, other) {
                Some(next) => next,
                None => self.join_anew(thread, to, other),
            };
        }
        if to != from {
            self.machine.go(thread, to);
            // Nobody asks what comes before the next event of a thread that has none and cannot be scheduled.
            if self.machine.ahead(thread).kind != Kind::Over {
                self.come_after_joined(thread, from, to);
            }
        }
        has_joined
    }

    /// Lets a thread join another, at a moment of its history, where it did not do so the last time; gives where it is
    /// then.
    #[inline(never)]
    fn join_anew(&mut self, thread: ThreadId, at: raddle_machine::HistoryId, other: ThreadId) -> raddle_machine::HistoryId {
        self.machine.go(thread, at);
        self.advance(thread, self.result(at, other));
        let next = self.machine.position(thread);
        if next != at {
            self.machine.note_join(at, other, next);
        }
        next
    }

    /// What a thread that has ended tells the one that joins it at a moment of its history: its result where the whole
    /// word is read.
    fn result(&self, at: raddle_machine::HistoryId, other: ThreadId) -> Reply {
        let (_, whole) = self.memory.thread_of(self.machine.ahead_at(at).at);
        let result = match self.machine.next(other) {
            Next::Ended(values) if whole => values.first().copied().unwrap_or(0),
            _ => 0,
        };
        Reply::Value(Value::Word(result))
    }

    /// What a thread does next comes after all that those did which it joined between two moments of its history.
    #[inline(never)]
    fn come_after_joined(&mut self, thread: ThreadId, from: raddle_machine::HistoryId, to: raddle_machine::HistoryId) {
        let mut at = from;
        while at != to {
            let other = self.joinable(at).expect("it was joined");
            self.memory.join(thread, other);
            if let Some(watched) = &mut self.watched {
                watched.join(thread, other);
            }
            let next = self.machine.known_join(at, other).or_else(|| self.machine.known(at, &self.result(at, other)));
            at = next.expect("it was joined");
        }
    }

    /// Whom a thread joins at a moment of its history, where that one has ended and all its stores have reached memory.
    #[inline(always)]
    fn joinable(&self, at: raddle_machine::HistoryId) -> Option<ThreadId> {
        let Ahead { kind, at: word } = self.machine.ahead_at(at);
        if kind != Kind::Joins {
            return None;
        }
        let (other, _) = self.memory.thread_of(word);
        let has_ended = self.machine.aheads().get(other.index()).is_some_and(|ahead| ahead.kind == Kind::Ended);
        (has_ended && self.memory.is_empty(other)).then_some(other)
    }

    #[inline]
    pub(crate) fn look_for_contradiction(&mut self) {
        if self.machine.is_contradicted_at_once() {
            self.core.contradict();
        }
    }

    /// A thread has ended: lets those go on that waited for it, if all its stores have reached memory.
    #[inline(always)]
    fn settle_joiners(&mut self, ended: ThreadId) {
        if self.memory.is_empty(ended) {
            let mut from = 0;
            while let Some(joiner) = self.joiner(ended, from) {
                self.settle_joiner(ThreadId(joiner as u32));
                from = joiner + 1;
            }
        }
    }

    #[inline(never)]
    fn settle_joiner(&mut self, joiner: ThreadId) {
        self.join(joiner);
        if self.machine.ahead(joiner).kind != Kind::Joins {
            self.settle_all(joiner);
        }
    }

    /// The first thread, from this number on, that waits for the end of another.
    fn joiner(&self, of: ThreadId, from: usize) -> Option<usize> {
        let joins = |ahead: &Ahead| ahead.kind == Kind::Joins && self.memory.thread_of(ahead.at).0 == of;
        self.machine.aheads()[from..].iter().position(joins).map(|n| from + n)
    }

    /// Notes what a thread that got no further has come to.
    #[inline(never)]
    fn look_at(&mut self, thread: ThreadId) {
        if self.core.stop.is_some() {
            return;
        }
        let moment = || self.machine.moment(thread);
        match self.machine.next(thread) {
            Next::Fault(fault) => self.core.fail_once(thread, fault.clone(), moment()),
            Next::Unsupported(what) => self.core.stop_by(Stop::Unsupported { what: what.clone(), thread, moment: moment() }),
            Next::Endless => self.core.stop_by(Stop::Endless { thread, moment: moment() }),
            _ => {}
        }
    }

    /// Stops where bytes are reserved that are also accessed in other sizes. Then writes that are independent of each
    /// other break one reservation, which dependence between two steps does not say.
    fn look_for_mixed_reservation(&mut self, thread: ThreadId) {
        let Some(Action::Reserve { at, .. } | Action::WriteReserved { at, .. }) = self.machine.action(thread) else { return };
        if !self.machine.locations().overlapping(*at).is_empty() {
            let what = "a reservation of bytes that are accessed in several sizes is not supported".to_owned();
            self.core.stop_by(Stop::Unsupported { what, thread, moment: self.machine.moment(thread) });
        }
    }

    /// Who took each step, and which outcome it had where it was a choice.
    pub fn schedule(&self) -> Vec<(Who, u32)> {
        let steps = |event: &Past| std::iter::repeat_n((self.who(event.step), event.step.choice), event.n_steps as usize);
        self.past.iter().flat_map(steps).collect()
    }

    /// How many of the events are of a thread.
    pub(crate) fn n_events(&self, of: ThreadId) -> usize {
        self.past.iter().filter(|event| self.who(event.step).thread() == of).count()
    }

    /// The steps that a thread can take now.
    #[inline(always)]
    fn enabled_of(&self, thread: ThreadId, kind: Kind, found: &mut impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        let step = || Step { actor: self.memory.actor(Who::Thread(thread)), choice: 0 };
        match kind {
            Kind::Reads => found(step(), false),
            Kind::Writes if self.memory.is_direct() => found(step(), false),
            Kind::Awaits if self.round_in_vain(thread).is_some() => ControlFlow::Continue(()),
            Kind::Writes | Kind::Acts | Kind::Awaits => {
                let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
                match self.memory.readiness(thread, action, self.machine.locations()) {
                    Readiness::Step => found(step(), false),
                    _ => ControlFlow::Continue(()),
                }
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// The choices that threads can make now, each with all its outcomes.
    #[inline(never)]
    fn choices(&self, found: &mut impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        for (thread, ahead) in (0..).map(ThreadId).zip(self.machine.aheads()) {
            if ahead.kind == Kind::Chooses {
                let &Next::Action(Action::Choose { n }) = self.machine.next(thread) else { unreachable!("the thread chooses") };
                let actor = self.memory.actor(Who::Thread(thread));
                (0..n).try_for_each(|choice| found(Step { actor, choice }, choice + 1 < n))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Who takes a step.
    pub fn who(&self, step: Step) -> Who {
        self.memory.who(step.actor)
    }
}

impl System for Scheduled<'_> {
    #[inline(always)]
    fn enabled(&self, first: Option<Actor>, mut found: impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.machine.has_choices() {
            self.choices(&mut found)?;
        }
        self.memory.updates(self.machine.locations(), |actor| found(Step { actor, choice: 0 }, false))?;
        let first = first.map_or(usize::MAX, |actor| self.memory.who(actor).thread().index());
        let aheads = self.machine.aheads();
        if let Some(ahead) = aheads.get(first) {
            self.enabled_of(ThreadId(first as u32), ahead.kind, &mut found)?;
        }
        for (number, ahead) in aheads.iter().enumerate() {
            if number != first {
                self.enabled_of(ThreadId(number as u32), ahead.kind, &mut found)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn footprint(&self, actor: Actor) -> Footprint {
        match self.memory.who(actor) {
            Who::Thread(thread) => {
                let Ahead { kind, at } = self.machine.ahead(thread);
                match kind {
                    Kind::Reads if self.memory.is_empty(thread) => {
                        return Footprint { read: Some(at), thread: thread.0, ..Footprint::default() };
                    }
                    Kind::Writes => return Footprint { write: Some(at), thread: thread.0, ..Footprint::default() },
                    Kind::Acts if self.machine.is_block_word(at) => return self.block_footprint(thread),
                    _ => {}
                }
                let action = self.machine.action(thread).expect("an actor that is enabled has an action");
                self.memory.step_footprint(thread, action, self.machine.locations())
            }
            who => self.memory.update_footprint(who),
        }
    }

    #[inline(always)]
    fn take(&mut self, step: Step, at: Position, taken: &mut Taken) {
        debug_assert_eq!(at.index(), self.past.len());
        let who = self.memory.who(step.actor);
        let thread = who.thread();
        let n_faults = self.core.faults.len() as u32;
        self.past.push(Past { step, n_steps: 1, machine: self.machine.mark(), memory: self.memory.mark(), n_faults });
        if let Some(watched) = &mut self.watched {
            watched.begin();
        }
        if self.core.is_long(at.index()) {
            self.look_for_end(thread, at.index());
        }
        if let Who::Thread(_) = who {
            let Ahead { kind, at: location } = self.machine.ahead(thread);
            if self.machine.is_block_word(location) {
                self.take_whole_block(thread, at, taken);
                return;
            }
            if kind == Kind::Acts {
                self.look_for_mixed_reservation(thread);
            }
            let order = if kind == Kind::Awaits { self.await_order(thread, location) } else { None };
            let Next::Action(action) = self.machine.next(thread) else { unreachable!("an actor that is enabled has an action") };
            let reply = self.memory.perform(thread, (action, step.choice), at, self.machine.locations(), taken);
            if let Some((enabling, overtaken)) = order {
                taken.conflicts.retain(|&event| event != enabling);
                taken.enabling.push(enabling);
                taken.overtakes.extend(overtaken);
            }
            if self.watched.is_some() {
                self.watch_step(thread, &reply, (taken, at));
            }
            self.advance(thread, reply);
        } else {
            self.take_update(who, at, taken);
        }
        self.n_silent = 0;
        self.settle(thread);
        self.look_ahead();
    }

    fn rewind(&mut self, at: Position) {
        let Past { machine, memory, n_faults, .. } = self.past[at.index()];
        if let Some(watched) = &mut self.watched {
            watched.rewind(at);
        }
        self.past.truncate(at.index());
        self.core.rewind(n_faults as usize);
        self.machine.rewind(machine);
        self.memory.rewind(memory);
    }

    fn is_independent<'f>(&self, step: &Footprint, then: impl Iterator<Item = &'f Footprint>) -> bool {
        is_independent(step, then, self.machine.locations())
    }

    fn overtaking(&self, step: &Footprint, e: Position) -> Footprint {
        let changes = self.past[e.index()].memory..self.past[e.index() + 1].memory;
        self.memory.overtaking(step, e, changes, self.machine.locations())
    }

    fn forward_again(&self, load: &mut Footprint, update: &Footprint) {
        forward_again(load, update, self.machine.locations());
    }

    fn waiting(&mut self, found: &mut dyn FnMut(Actor, Footprint, &Taken)) {
        if self.machine.is_over() {
            return;
        }
        for thread in self.machine.threads().collect::<Vec<_>>() {
            self.look_for_mixed_reservation(thread);
            let waits = match self.machine.ahead(thread).kind {
                Kind::Awaits => self.waiting_for_value(thread),
                _ => self.machine.action(thread).and_then(|action| self.memory.waiting(thread, action, self.machine.locations())),
            };
            if let Some((footprint, taken)) = waits {
                found(self.memory.actor(Who::Thread(thread)), footprint, &taken);
            }
        }
    }

    fn prospect(&self, thread: u32) -> Prospect {
        let thread = ThreadId(thread);
        let Some(action) = self.machine.action(thread) else { return Prospect::Ended };
        match self.memory.readiness(thread, action, self.machine.locations()) {
            Readiness::Step if self.round_in_vain(thread).is_none() => Prospect::Able,
            _ => Prospect::Waits,
        }
    }

    fn is_over(&self) -> bool {
        self.core.is_over()
    }
}

impl Numbering for Scheduled<'_> {
    fn range(&self, at: LocationId) -> Range {
        self.machine.locations().range(at)
    }

    fn who(&self, actor: Actor) -> Who {
        self.memory.who(actor)
    }

    fn location(&mut self, range: Range) -> LocationId {
        let at = self.machine.location(range);
        self.learn();
        at
    }

    fn actor(&mut self, who: Who) -> Option<Actor> {
        (who.thread().index() < self.machine.names().len()).then(|| self.memory.number(who))
    }
}

impl Running for Scheduled<'_> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn world(&self) -> &World<'_> {
        &self.machine
    }
}

impl Ending for Scheduled<'_> {
    /// Copies that are to be cut end the search with the execution in which that was seen, so that one new start is
    /// enough for all of them.
    fn stop(&self) -> Option<&Stop> {
        if self.is_contradicted() { Some(&Stop::Contradicted) } else { self.core.stop.as_ref() }
    }

    fn is_well(&self) -> bool {
        self.stop().is_none() && self.core.faults.is_empty() && self.machine.is_over()
    }

    /// How each thread stands. A thread that spins and would find another value now is parked on a stale one.
    fn standings(&self) -> Vec<(ThreadId, Standing)> {
        let is_same = |(_, action, reply): (usize, &Action, &Reply)| match (action.location(), reply) {
            (Some(at), Reply::Value(found)) => self.memory.has(at, found),
            _ => true,
        };
        let end = |thread| self.round_in_vain(thread).map_or_else(|| self.machine.position(thread), |(end, _)| end);
        let is_stale = |thread| !self.machine.looks_before(end(thread)).all(is_same);
        standings(&self.machine, is_stale, |at| Some(self.memory.word(at)))
    }

    fn is_supposed(&self) -> bool {
        self.machine.is_supposed()
    }

    fn moment(&self, thread: ThreadId) -> Moment {
        self.machine.moment(thread)
    }

    fn may_race(&self) -> bool {
        self.may_race_in_vain()
    }

    fn has_cycle(&self) -> Option<bool> {
        Some(self.cycle())
    }

    fn leak(&self) -> Option<FaultAt> {
        let shared = self.memory.live_heap_objects().into_iter().map(|(start, size)| (start, size as u64));
        let left: Vec<(Address, u64)> = shared.chain(self.machine.private_heap()).collect();
        FaultAt::leak(self.machine.addresses(), &left, |start| self.machine.maker(start))
    }

    fn status(&self) -> Option<i32> {
        self.machine.status()
    }

    fn result(&self, thread: usize, n: usize) -> Option<u64> {
        self.machine.result(thread, n)
    }

    fn final_value(&self, at: Address, size: u32) -> u64 {
        let start = self.machine.addresses().room(at).map_or(at, |room| room.start);
        let bytes = self.memory.look(start).expect("globals are never freed");
        let offset = (at.0 - start.0) as usize;
        Value::from_bytes(&bytes[offset..offset + size as usize]).word()
    }

    fn witness(&self) -> Witness {
        let path = self.schedule().into_iter().chain(self.last_looks()).collect();
        Witness { path: Path::Schedule(path), sites: self.machine.sites().reckoned_with(), tables: self.machine.tables() }
    }

    fn show(&self, _: &[Range], show: &mut dyn FnMut(&dyn Ending) -> ControlFlow<()>) -> ControlFlow<()> {
        show(self)
    }
}
