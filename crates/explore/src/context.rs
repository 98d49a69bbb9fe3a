//! Context bounds: executions with at most so many preemptions (Musuvathi, Qadeer, PLDI 2007).
//!
//! A *preemption* is a step of a thread while the thread that took the last step could have gone on: right after its
//! own step its next one was enabled, and it still is. Updates are taken by the memory: they cost nothing and are
//! nobody's turn. A thread that waits, also for its own buffer, can be left at no cost.
//!
//! [`WithinContext`] is a system in which steps beyond the bound are not enabled: every schedule of it is what the
//! bound allows.

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
    /// Its next step is enabled.
    Able,
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
        let is_able = |thread: u32| system.prospect(thread) == Prospect::Able;
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

    fn waiting(&mut self, found: &mut dyn FnMut(Actor, Footprint, &Taken)) {
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
pub struct Inside<'k, S>(pub &'k mut dyn Sink<S>);

impl<S> Sink<WithinContext<'_, S>> for Inside<'_, S> {
    fn execution(&mut self, within: &WithinContext<'_, S>, end: End) -> ControlFlow<()> {
        self.0.execution(within.system, end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.0.event()
    }

    fn restart(&mut self) {
        self.0.restart();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Op, Toy};
    use raddle_event::StoreId;

    fn step_of(thread: u32) -> Footprint {
        Footprint { thread, ..Footprint::default() }
    }

    fn update_for(thread: u32) -> Footprint {
        Footprint { update: Some(StoreId { thread, count: 1 }), ..step_of(thread) }
    }

    /// A toy whose threads have this prospect.
    fn toy(prospect: Prospect) -> Toy {
        let mut toy = Toy::new(&[&[Op::Write(0)], &[Op::Write(1)]]);
        toy.prospect = prospect;
        toy
    }

    #[test]
    fn to_leave_a_thread_that_could_go_on_is_a_preemption() {
        let turn = Turn::default();
        assert_eq!(turn.spent_with(&step_of(1)), 0, "nobody has had a turn");
        for (prospect, spent) in [(Prospect::Able, 1), (Prospect::Waits, 0), (Prospect::Ended, 0)] {
            let turn = turn.after(&toy(prospect), &step_of(0));
            assert_eq!((turn.thread, turn.spent), (Some(0), 0));
            assert_eq!((turn.spent_with(&step_of(0)), turn.spent_with(&step_of(1))), (0, spent), "{prospect:?}");
            assert_eq!(turn.spent_with(&update_for(1)), 0, "an update is nobody's turn");
            assert_eq!(turn.after(&toy(prospect), &step_of(1)).spent, spent);
        }
    }

    /// An update leaves the turn where it is. It may take away that the thread can go on; it does not give it back.
    #[test]
    fn an_update_may_only_take_away_that_a_thread_can_go_on() {
        let able = Turn { thread: Some(0), able: true, spent: 2 };
        assert_eq!(able.after(&toy(Prospect::Able), &update_for(1)), able);
        assert_eq!(able.after(&toy(Prospect::Waits), &update_for(1)), Turn { able: false, ..able });
        let waits = Turn { able: false, ..able };
        assert_eq!(waits.after(&toy(Prospect::Able), &update_for(0)), waits);
    }

    /// Two threads of one step each: within no preemption both orders, as each has ended when the other begins; of two
    /// steps each, two orders out of six.
    #[test]
    fn within_the_bound_are_the_schedules_that_keep_to_it() {
        let n_schedules = |ops: &[Op], bound| {
            let mut toy = Toy::new(&[ops, ops]);
            let mut within = WithinContext::new(&mut toy, bound);
            let mut n = Counted(0);
            assert!(crate::every(&mut within, &mut n).is_continue());
            (n.0, within.is_cut())
        };
        assert_eq!(n_schedules(&[Op::Write(0)], 0), (2, false));
        assert_eq!([0, 1, 2, 3].map(|bound| n_schedules(&[Op::Write(0); 2], bound)), [(2, true), (4, true), (6, false), (6, false)]);
    }

    /// How many executions there were.
    struct Counted(u32);

    impl<S> Sink<S> for Counted {
        fn execution(&mut self, _: &S, end: End) -> ControlFlow<()> {
            assert_eq!(end, End::Maximal);
            self.0 += 1;
            ControlFlow::Continue(())
        }

        fn event(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn restart(&mut self) {}
    }
}
