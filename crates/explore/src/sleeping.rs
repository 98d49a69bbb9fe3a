//! Sleep sets alone: every step that can be taken is explored from every point, unless it sleeps (Godefroid,
//! "Partial-Order Methods", ch. 5).
//!
//! Exactly one execution of each trace comes to its end, but very many are begun that do not. In return, all branches
//! of a point are known when it is reached, whatever is explored behind it: what is thinned out ([`crate::Thinning`])
//! can be weighed without bias. Nothing is checked this way.

use crate::sleep::SleepSet;
use crate::{Branch, End, Execution, Sink, System, Turn};
use raddle_event::{Position, Step};
use std::ops::ControlFlow;

/// A point of the execution from which something is explored.
#[derive(Default)]
struct Point {
    sleep: SleepSet,
    /// Steps still to be explored, the last one first.
    pending: Vec<Step>,
    /// Whether nothing has been explored from here.
    is_new: bool,
}

/// Explores the system.
pub fn sleeping<S: System>(system: &mut S, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
    let mut search = Search { execution: Execution::new(system), points: vec![Point::default()], n_points: 0 };
    search.enter(sink)?;
    while let Some(depth) = search.n_points.checked_sub(1) {
        search.go_on_from(depth, sink)?;
    }
    ControlFlow::Continue(())
}

struct Search<'s, S> {
    execution: Execution<'s, S>,
    /// The points of the execution, and then some that are not in use.
    points: Vec<Point>,
    n_points: usize,
}

impl<S: System> Search<'_, S> {
    fn go_on_from(&mut self, depth: usize, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let Point { sleep, pending, is_new } = &mut self.points[depth];
        self.execution.rewind(Position(depth as u32), |event| sleep.add(event.step, std::mem::take(&mut event.footprint)));
        let Some(step) = pending.pop() else {
            self.n_points = depth;
            return ControlFlow::Continue(());
        };
        let turn = if std::mem::take(is_new) { Turn::Rest } else { Turn::Another };
        let is_wanted = sink.wants(Branch { point: depth as u32, turn });
        self.take(depth, step);
        if !is_wanted {
            return ControlFlow::Continue(());
        }
        sink.event()?;
        self.enter(sink)
    }

    /// Takes a step from a point. What sleeps behind it is known then.
    fn take(&mut self, depth: usize, step: Step) {
        if self.points.len() == depth + 1 {
            self.points.push(Point::default());
        }
        let (here, after) = self.points.split_at_mut(depth + 1);
        let (system, footprint) = self.execution.begin(step);
        here[depth].sleep.after(system, step, footprint, &mut after[0].sleep);
        self.execution.take();
        after[0].sleep.look_again(self.execution.system);
    }

    /// Begins to explore from a new point, whose sleep set is known; tells the sink when nothing follows.
    fn enter(&mut self, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let Search { execution, points, n_points } = self;
        let Point { sleep, pending, is_new } = &mut points[*n_points];
        *n_points += 1;
        pending.clear();
        *is_new = true;
        let (mut any, mut is_choice) = (false, false);
        if !execution.system.is_over() {
            let _stopped = execution.system.enabled(None, |step, more| {
                any = true;
                is_choice |= more;
                if !sleep.contains(step) {
                    pending.push(step);
                }
                if is_choice && !more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        pending.reverse();
        if pending.is_empty() {
            sink.execution(execution.system, if any { End::Redundant } else { End::Maximal })?;
        }
        ControlFlow::Continue(())
    }
}
