//! Samples of schedules.

use super::{Chooser, Guarantee, Sampling, draw};
use crate::{End, Sink, System};
use raddle_event::{Actor, Position, Step, Taken};
use std::ops::ControlFlow;

/// Draws executions of a system. Gives what the strategy promises.
pub fn sample_schedules<S: System>(system: &mut S, sampling: &Sampling, sink: &mut dyn Sink<S>) -> Option<Guarantee> {
    let mut walk = Walk { steps: Vec::new(), actors: Vec::new(), taken: Taken::default() };
    draw(sampling, |chooser| walk.go(system, chooser, sink)).guarantee()
}

/// What a walk needs at each step.
struct Walk {
    steps: Vec<Step>,
    actors: Vec<u32>,
    taken: Taken,
}

impl Walk {
    /// One execution, from its start to its end and back.
    fn go<S: System>(&mut self, system: &mut S, chooser: &mut Chooser, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let mut at = Position(0);
        while let Some(step) = self.next(system, chooser) {
            self.taken.clear();
            system.take(step, at, &mut self.taken);
            at.0 += 1;
            sink.event()?;
        }
        sink.execution(system, End::Maximal)?;
        if at.0 > 0 {
            system.rewind(Position(0));
        }
        ControlFlow::Continue(())
    }

    fn next<S: System>(&mut self, system: &S, chooser: &mut Chooser) -> Option<Step> {
        self.steps.clear();
        if system.is_over() {
            return None;
        }
        let mut is_choice = false;
        // Choices come first; the outcomes of one come in a row.
        let _first_choice = system.enabled(None, |step, more| {
            self.steps.push(step);
            is_choice |= more;
            if is_choice && !more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if is_choice {
            return Some(self.steps[chooser.any(self.steps.len())]);
        }
        self.actors.clear();
        self.actors.extend(self.steps.iter().map(|step| step.actor.0));
        if self.actors.is_empty() {
            return None;
        }
        let step = self.steps[chooser.choose(&self.actors)];
        if chooser.is_by_event() {
            self.draw_again(system, chooser, step.actor);
        }
        Some(step)
    }

    /// Events that conflict with the one that is about to be taken draw new priorities.
    fn draw_again<S: System>(&self, system: &S, chooser: &mut Chooser, actor: Actor) {
        let taken = system.footprint(actor);
        for &other in &self.actors {
            if other == actor.0 || !system.is_independent(&system.footprint(Actor(other)), std::iter::once(&taken)) {
                chooser.draw_again(other);
            }
        }
    }
}
