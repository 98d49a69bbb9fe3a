//! Context bounds: executions with at most so many preemptions (Musuvathi, Qadeer, PLDI 2007).
//!
//! A *preemption* is a step of a thread while the thread that took the last step could have gone on: right after its own step its next one was enabled,
//! and it still is. Updates are taken by the memory: they cost nothing and are nobody's turn. A thread that waits, also for
//! its own buffer, can be left at no cost.
//!
//! [`WithinContext`] is a system in which steps beyond the bound are not enabled: every schedule of it is what the bound allows.

use crate::{End, Sink, System};
use raddle_event::{Actor, Footprint, Position, Step, Taken};
use std::cell::Cell;
use std::ops::ControlFlow;

/// Whether a thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// It takes no step any more.
    Ended,
    /// It has to wait.
    Waits,
    /// Its next step is enabled, and others can change that.
    Guarded,
    /// Its next step is enabled, whatever others do.
    Free,
}

impl Prospect {
    /// Whether the next step is enabled.
    pub fn is_able(self) -> bool {
        matches!(self, Prospect::Guarded | Prospect::Free)
    }
}

/// Whose turn it is, and how many preemptions there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Who took the last step, updates aside.
    pub thread: Option<u32>,
    /// Whether it could go on.
    pub able: bool,
    pub spent: u32,
}

impl Turn {
    /// How many preemptions there are when this step is taken next.
    pub fn spent_with(&self, next: &Footprint) -> u32 {
        let is_preemption = next.update.is_none() && self.able && self.thread != Some(next.thread);
        self.spent + is_preemption as u32
    }

    /// The turn when this step has been taken.
    pub fn after<S: System>(self, system: &S, taken: &Footprint) -> Turn {
        let is_able = |thread: u32| system.prospect(thread).is_able();
        match taken.update {
            Some(_) => Turn { able: self.able && self.thread.is_some_and(is_able), ..self },
            None => Turn { thread: Some(taken.thread), able: is_able(taken.thread), spent: self.spent_with(taken) },
        }
    }
}

/// A system in which only those steps are enabled that keep to the bound.
pub struct WithinContext<'s, S> {
    system: &'s mut S,
    bound: u32,
    /// The turn before each event, and now.
    turns: Vec<Turn>,
    is_cut: Cell<bool>,
}

impl<'s, S: System> WithinContext<'s, S> {
    /// The system with at most `bound` preemptions.
    pub fn new(system: &'s mut S, bound: u32) -> Self {
        WithinContext { system, bound, turns: vec![Turn::default()], is_cut: Cell::new(false) }
    }

    /// Whether some step was not enabled because of the bound.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    fn turn(&self) -> Turn {
        *self.turns.last().expect("there is a turn before everything")
    }
}

impl<S: System> System for WithinContext<'_, S> {
    fn enabled(&self, first: Option<Actor>, mut found: impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        self.system.enabled(first, |step, more| {
            let keeps_to_it = self.turn().spent_with(&self.system.footprint(step.actor)) <= self.bound;
            self.is_cut.set(self.is_cut.get() || !keeps_to_it);
            if keeps_to_it { found(step, more) } else { ControlFlow::Continue(()) }
        })
    }

    fn take(&mut self, step: Step, at: Position, taken: &mut Taken) {
        let footprint = self.system.footprint(step.actor);
        self.system.take(step, at, taken);
        self.turns.push(self.turn().after(self.system, &footprint));
    }

    fn rewind(&mut self, at: Position) {
        self.system.rewind(at);
        self.turns.truncate(at.index() + 1);
    }

    fn footprint(&self, actor: Actor) -> Footprint {
        self.system.footprint(actor)
    }

    fn is_independent<'f>(&self, step: &Footprint, then: impl Iterator<Item = &'f Footprint>) -> bool {
        self.system.is_independent(step, then)
    }

    fn overtaking(&self, step: &Footprint, e: Position) -> Footprint {
        self.system.overtaking(step, e)
    }

    fn forward_again(&self, load: &mut Footprint, update: &Footprint) {
        self.system.forward_again(load, update);
    }

    fn waiting(&self, found: &mut dyn FnMut(Actor, Footprint, &Taken)) {
        self.system.waiting(found);
    }

    fn prospect(&self, thread: u32) -> Prospect {
        self.system.prospect(thread)
    }

    fn is_over(&self) -> bool {
        self.system.is_over()
    }
}

/// Passes on what is found within the bound.
pub struct Inside<'k, K>(pub &'k mut K);

impl<S, K: Sink<S>> Sink<WithinContext<'_, S>> for Inside<'_, K> {
    fn execution(&mut self, within: &WithinContext<'_, S>, schedule: &dyn Fn() -> Vec<Step>, end: End) -> ControlFlow<()> {
        self.0.execution(within.system, schedule, end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.0.event()
    }
}
