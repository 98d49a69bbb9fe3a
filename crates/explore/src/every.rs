//! Every schedule, without any reduction.
//!
//! Never optimise this. It is what the other explorers are believed because of.

use crate::{End, Sink, System};
use raddle_event::{Position, Step, Taken};
use std::ops::ControlFlow;

/// Explores the system.
pub fn every<S: System>(system: &mut S, sink: &mut impl Sink<S>) -> ControlFlow<()> {
    extend(system, &mut Vec::new(), sink)
}

fn extend<S: System>(system: &mut S, schedule: &mut Vec<Step>, sink: &mut impl Sink<S>) -> ControlFlow<()> {
    let mut enabled = Vec::new();
    if !system.is_over() {
        let _all = system.enabled(None, |step, _| {
            enabled.push(step);
            ControlFlow::Continue(())
        });
    }
    if enabled.is_empty() {
        return sink.execution(system, &|| schedule.clone(), End::Maximal);
    }
    for step in enabled {
        let at = Position(schedule.len() as u32);
        system.take(step, at, &mut Taken::default());
        sink.event()?;
        schedule.push(step);
        extend(system, schedule, sink)?;
        schedule.pop();
        system.rewind(at);
    }
    ControlFlow::Continue(())
}
