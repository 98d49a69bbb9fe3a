//! Samples of runs whose events are committed out of order: any event that can be is committed, with any of its
//! ways.

use super::{Chooser, Sampling, draw};
use crate::{Commits, End, Sink, Ways};
use raddle_event::{EventId, Way};
use std::ops::ControlFlow;

/// Draws runs. One that gets to an event without a way is redundant.
pub fn sample_commits<S: Commits>(system: &mut S, sampling: &Sampling, sink: &mut dyn Sink<S>) {
    let mut walk = Walk::default();
    draw(sampling, |chooser| walk.go(system, chooser, sink));
}

/// What a walk needs at each event: the events that can be committed, and their threads.
#[derive(Default)]
struct Walk {
    events: Vec<EventId>,
    threads: Vec<u32>,
}

impl Walk {
    /// One run, from its first event to its last, and back.
    fn go<S: Commits>(&mut self, system: &mut S, chooser: &mut Chooser, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let end = loop {
            if system.is_over() {
                break End::Maximal;
            }
            self.events.clear();
            system.enabled(&mut self.events);
            if self.events.is_empty() {
                break if system.all_stay() && system.holds() { End::Maximal } else { End::Redundant };
            }
            let Some((event, way)) = self.next(system, chooser) else { break End::Redundant };
            system.commit(event, way);
            sink.event()?;
        };
        sink.execution(system, end)?;
        system.rewind(0);
        ControlFlow::Continue(())
    }

    /// An event that can be committed, and a way.
    fn next<S: Commits>(&mut self, system: &mut S, chooser: &mut Chooser) -> Option<(EventId, Way)> {
        let mut ways = Ways::new();
        self.threads.clear();
        self.threads.extend(self.events.iter().map(|event| event.thread.0));
        self.threads.dedup();
        let thread = self.threads[chooser.choose(&self.threads)];
        let n_own = self.events.iter().filter(|event| event.thread.0 == thread).count();
        let mut own = self.events.iter().filter(|event| event.thread.0 == thread);
        let event = *own.nth(chooser.any(n_own)).expect("the thread has one");
        system.ways(event, &mut ways);
        (!ways.is_empty()).then(|| (event, ways[chooser.any(ways.len())]))
    }
}
