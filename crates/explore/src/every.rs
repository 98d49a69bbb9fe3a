//! Every schedule, without any reduction.
//!
//! Never optimise this. It is what the other explorers are believed because of.

use crate::{End, Sink, System};
use raddle_event::{Position, Step, Taken};
use std::ops::ControlFlow;

/// Explores the system.
pub fn every<S: System>(system: &mut S, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
    // For each point of the present schedule the steps that are still to be tried from it, the next one last.
    let mut untried = vec![enter(system, sink)?];
    while let Some(steps) = untried.last_mut() {
        let step = steps.pop();
        let at = Position(untried.len() as u32 - 1);
        match step {
            Some(step) => {
                system.take(step, at, &mut Taken::default());
                sink.event()?;
                untried.push(enter(system, sink)?);
            }
            None => {
                untried.pop();
                if at.0 > 0 {
                    system.rewind(Position(at.0 - 1));
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The steps that can be taken from here, the first one last. Where there are none the execution has ended.
fn enter<S: System>(system: &S, sink: &mut dyn Sink<S>) -> ControlFlow<(), Vec<Step>> {
    let mut enabled = Vec::new();
    if !system.is_over() {
        let _all = system.enabled(None, |step, _| {
            enabled.push(step);
            ControlFlow::Continue(())
        });
    }
    if enabled.is_empty() {
        sink.execution(system, End::Maximal)?;
    }
    enabled.reverse();
    ControlFlow::Continue(enabled)
}
