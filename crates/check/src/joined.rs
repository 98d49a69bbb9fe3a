//! A machine and a memory joined into a transition system that the explorers can run.

use crate::plan::limits_under;
use crate::standing::{Standing, standings};
use raddle_event::{Action, Actor, Fault, Footprint, Position, Reply, Step, Taken, ThreadId, Value, Who};
use raddle_explore::{Prospect, System};
use raddle_machine::{Ahead, Kind, Limits, Machine, Mark, Moment, Next, Patience, Printer, Sites};
use raddle_memory::{Memory, Model, Readiness, forward_again, is_independent};
use raddle_program::{FunctionId, Program};
use std::ops::ControlFlow;

/// Why the whole search ends, besides a fault of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An execution reached something that cannot be run.
    Unsupported { what: String, thread: ThreadId, moment: Moment },
    /// A thread runs on and on without a visible action.
    Endless { thread: ThreadId, moment: Moment },
    /// Something taken as private is shared: start over.
    Contradicted,
    /// Something is wrong with Raddle itself: what, in a sentence.
    Failed { what: String },
}

impl Stop {
    /// The execution goes back, and with it what could not be run in it. What concerns all executions stays.
    #[inline]
    pub fn pass(stop: &mut Option<Stop>) {
        if matches!(stop, Some(Stop::Unsupported { .. })) {
            *stop = None;
        }
    }
}

/// A fault of one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultAt {
    pub fault: Fault,
    pub thread: ThreadId,
    pub moment: Moment,
}

/// A program running under a memory model.
pub struct Joined<'p> {
    pub machine: Machine<'p>,
    pub memory: Memory,
    /// For each event how to go back to the state before it, and whose it is.
    marks: Vec<(Mark, usize, usize, ThreadId)>,
    /// The faults of this execution, in the order in which they happened.
    pub faults: Vec<FaultAt>,
    pub stop: Option<Stop>,
    keep_going: bool,
    most_events: u32,
    /// Patience with an execution that has very many events, or goes on without one.
    patience: Patience,
    /// How much was done silently since the last event.
    n_silent: u64,
}

impl<'p> Joined<'p> {
    /// The program with its entry threads started; `sites` is what earlier explorations of it have shown.
    pub fn new(program: &'p Program, model: Model, limits: Limits, sites: Sites, keep_going: bool) -> Joined<'p> {
        let memory = Memory::new(model, limits.uninitialised);
        Joined::of(Machine::new(program, limits_under(model, limits), sites), memory, keep_going)
    }

    /// The same, for a run forward of which somebody takes what is printed.
    pub fn printing(program: &'p Program, model: Model, limits: Limits, sites: Sites, printer: Printer<'p>) -> Joined<'p> {
        let memory = Memory::new(model, limits.uninitialised);
        Joined::of(Machine::printing(program, limits, sites, printer), memory, false)
    }

    /// A machine whose threads have just started, with an empty memory.
    pub fn of(machine: Machine<'p>, memory: Memory, keep_going: bool) -> Joined<'p> {
        let most_events = machine.limits().events;
        let mut joined = Joined {
            machine,
            memory,
            marks: Vec::new(),
            faults: Vec::new(),
            stop: None,
            keep_going,
            most_events,
            patience: Patience::default(),
            n_silent: 0,
        };
        joined.learn();
        if let Some(image) = joined.machine.first_image() {
            joined.memory.adopt(&image, joined.machine.addresses());
        }
        for thread in joined.machine.threads().collect::<Vec<_>>() {
            joined.settle(thread);
        }
        joined
    }

    fn advance(&mut self, thread: ThreadId, reply: Reply) {
        if self.machine.advance(thread, reply) {
            self.learn();
        }
    }

    /// Forgets how to go back: for a run that only goes forward.
    pub fn forget_past(&mut self) {
        self.marks.clear();
        self.memory.forget_past();
    }

    fn learn(&mut self) {
        self.memory.learn(self.machine.locations(), self.machine.addresses(), self.machine.names().len());
    }

    /// Lets a thread do everything that is silent, and those who wait for it to end.
    #[inline(always)]
    fn settle(&mut self, thread: ThreadId) {
        match self.machine.ahead(thread).kind {
            Kind::Reads => {}
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
                Kind::Reads => break,
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
        let Some(reply) = self.memory.silent(thread, action) else { return false };
        self.n_silent += 1;
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

    /// Whether a thread is given up that does ever more that others cannot see: stores that wait, threads that are started, objects that are made.
    #[cold]
    fn is_silent_for_ever(&mut self, thread: ThreadId) -> bool {
        let limits = self.machine.limits();
        let is_long = self.n_silent >= u64::from(self.most_events);
        if !is_long {
            self.patience = Patience::default();
        }
        let is_over = is_long && self.patience.is_over(limits.patience);
        let is_endless = limits.stop.is_asked() || is_over || limits.silent_turns().is_some_and(|most| self.n_silent >= most);
        if is_endless && self.stop.is_none() {
            self.stop = Some(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
        is_endless
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
            // Nobody asks what comes before the next event of a thread that has none and cannot be joined.
            if self.machine.ahead(thread).kind != Kind::Over {
                self.come_after_joined(thread, from, to);
            }
        }
        has_joined
    }

    /// Lets a thread join another, at a moment of its history, where it did not do so the last time; gives where it is then.
    #[inline(never)]
    fn join_anew(&mut self, thread: ThreadId, at: raddle_machine::Step, other: ThreadId) -> raddle_machine::Step {
        self.machine.go(thread, at);
        self.advance(thread, self.result(at, other));
        let next = self.machine.position(thread);
        if next != at {
            self.machine.note_join(at, other, next);
        }
        next
    }

    /// What a thread that has ended tells the one that joins it at a moment of its history: its result where the whole word is read.
    fn result(&self, at: raddle_machine::Step, other: ThreadId) -> Reply {
        let (_, whole) = self.memory.thread_of(self.machine.ahead_at(at).at);
        let result = match self.machine.next(other) {
            Next::Ended(values) if whole => values.first().copied().unwrap_or(0),
            _ => 0,
        };
        Reply::Value(Value::Word(result))
    }

    /// What a thread does next comes after all that those did which it joined between two moments of its history.
    #[inline(never)]
    fn come_after_joined(&mut self, thread: ThreadId, from: raddle_machine::Step, to: raddle_machine::Step) {
        let mut at = from;
        while at != to {
            let other = self.joinable(at).expect("it was joined");
            self.memory.join(thread, other);
            let next = self.machine.known_join(at, other).or_else(|| self.machine.known(at, &self.result(at, other)));
            at = next.expect("it was joined");
        }
    }

    /// Whom a thread joins at a moment of its history, where that one has ended and all its stores have reached memory.
    #[inline(always)]
    fn joinable(&self, at: raddle_machine::Step) -> Option<ThreadId> {
        let Ahead { kind, at: word } = self.machine.ahead_at(at);
        if kind != Kind::Joins {
            return None;
        }
        let (other, _) = self.memory.thread_of(word);
        let has_ended = self.machine.aheads().get(other.index()).is_some_and(|ahead| ahead.kind == Kind::Ended);
        (has_ended && self.memory.is_empty(other)).then_some(other)
    }

    #[inline]
    fn look_for_contradiction(&mut self) {
        if self.machine.is_contradicted() {
            self.stop = Some(Stop::Contradicted);
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
        if self.stop.is_some() {
            return;
        }
        let moment = || self.machine.moment(thread);
        match self.machine.next(thread) {
            Next::Fault(fault) if !self.faults.iter().any(|f| f.thread == thread) => {
                let at = FaultAt { fault: fault.clone(), thread, moment: moment() };
                self.faults.push(at);
            }
            Next::Unsupported(what) => self.stop = Some(Stop::Unsupported { what: what.clone(), thread, moment: moment() }),
            Next::Endless => self.stop = Some(Stop::Endless { thread, moment: moment() }),
            _ => {}
        }
    }

    /// How each thread stands. A thread that spins and would find another value now is parked on a stale one.
    pub fn standings(&self) -> Vec<(ThreadId, Standing)> {
        let is_same = |(action, reply): (&Action, &Reply)| match (action.location(), reply) {
            (Some(at), Reply::Value(found)) => self.memory.has(at, found),
            _ => true,
        };
        let is_stale = |thread| !self.machine.last_round(thread).into_iter().all(is_same);
        standings(&self.machine, is_stale, |at| Some(self.memory.word(at)))
    }

    /// The execution has very many events. Stops it where patience is over.
    #[cold]
    fn look_for_end(&mut self, thread: ThreadId, is_first: bool) {
        if is_first {
            self.patience = Patience::default();
        }
        let is_over = self.patience.is_over(self.machine.limits().patience);
        if is_over && self.stop.is_none() && self.is_busiest(thread) {
            self.stop = Some(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
    }

    /// Whether no thread has more events than this one: then it is the one that does not end.
    fn is_busiest(&self, thread: ThreadId) -> bool {
        let events = |of: ThreadId| self.marks.iter().filter(|mark| mark.3 == of).count();
        self.machine.threads().all(|other| events(other) <= events(thread))
    }

    /// The steps that a thread can take now.
    #[inline(always)]
    fn enabled_of(&self, thread: ThreadId, kind: Kind, found: &mut impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        let one = |choice| Step { actor: self.memory.actor(Who::Thread(thread)), choice };
        match kind {
            Kind::Reads => found(one(0), false),
            Kind::Writes if self.memory.is_direct() => found(one(0), false),
            Kind::Writes | Kind::Acts => {
                let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
                if self.memory.readiness(thread, action, self.machine.locations()) == Readiness::Step {
                    let outcomes = if let Action::Choose { n } = action { *n } else { 1 };
                    for choice in 0..outcomes {
                        found(one(choice), choice + 1 < outcomes)?;
                    }
                }
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Who takes a step.
    pub fn who(&self, step: Step) -> Who {
        self.memory.who(step.actor)
    }
}

impl System for Joined<'_> {
    #[inline(always)]
    fn enabled(&self, first: Option<Actor>, mut found: impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
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
        debug_assert_eq!(at.index(), self.marks.len());
        let who = self.memory.who(step.actor);
        let thread = who.thread();
        self.marks.push((self.machine.mark(), self.memory.mark(), self.faults.len(), thread));
        if at.0 >= self.most_events {
            self.look_for_end(thread, at.0 == self.most_events);
        }
        if let Who::Thread(_) = who {
            let Next::Action(action) = self.machine.next(thread) else { unreachable!("an actor that is enabled has an action") };
            let reply = self.memory.perform(thread, action, step.choice, at, self.machine.locations(), taken);
            self.advance(thread, reply);
        } else if let Some(fault) = self.memory.update(who, at, self.machine.locations(), taken) {
            let moment = self.machine.moment(thread);
            self.faults.push(FaultAt { fault, thread, moment });
        }
        self.n_silent = 0;
        self.settle(thread);
    }

    fn rewind(&mut self, at: Position) {
        let (machine, memory, faults, _) = self.marks[at.index()];
        self.marks.truncate(at.index());
        Stop::pass(&mut self.stop);
        self.machine.rewind(machine);
        self.memory.rewind(memory);
        self.faults.truncate(faults);
    }

    fn is_independent<'f>(&self, step: &Footprint, then: impl Iterator<Item = &'f Footprint>) -> bool {
        is_independent(step, then, self.machine.locations())
    }

    fn overtaking(&self, step: &Footprint, e: Position) -> Footprint {
        let changes = self.marks[e.index()].1..self.marks[e.index() + 1].1;
        self.memory.overtaking(step, e, changes, self.machine.locations())
    }

    fn forward_again(&self, load: &mut Footprint, update: &Footprint) {
        forward_again(load, update, self.machine.locations());
    }

    fn waiting(&self, found: &mut dyn FnMut(Actor, Footprint, &Taken)) {
        if self.machine.is_over() {
            return;
        }
        for thread in self.machine.threads() {
            if let Some((footprint, taken)) =
                self.machine.action(thread).and_then(|action| self.memory.waiting(thread, action, self.machine.locations()))
            {
                found(self.memory.actor(Who::Thread(thread)), footprint, &taken);
            }
        }
    }

    fn prospect(&self, thread: u32) -> Prospect {
        let thread = ThreadId(thread);
        let Some(action) = self.machine.action(thread) else { return Prospect::Ended };
        if self.memory.readiness(thread, action, self.machine.locations()) != Readiness::Step {
            return Prospect::Waits;
        }
        let is_guarded = action.guard().is_some() || matches!(action, Action::WriteReserved { .. });
        if is_guarded { Prospect::Guarded } else { Prospect::Free }
    }

    fn is_over(&self) -> bool {
        self.stop.is_some() || (!self.keep_going && !self.faults.is_empty())
    }
}
