//! Backtrack sets: for each reversed race a single step is added to the point before it. What [`crate::source`] and [`crate::classic`] share.
//!
//! Like [`crate::optimal`], but without wakeup trees. Some executions may then be found to be redundant only when everything is asleep.

use crate::initials::Sequence;
use crate::sleep::SleepSet;
use crate::{End, Execution, Sink, System};
use raddle_event::{Position, Step};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// What of a sequence that reverses a race counts: one of its initials is explored from the point before the race.
pub trait Reversal {
    /// Leaves out of the sequence what does not count.
    fn cut<S: System>(execution: &Execution<S>, sequence: &mut Sequence);
}

/// A point of the execution from which something is explored.
struct Point {
    sleep: SleepSet,
    /// Steps still to be explored.
    pending: VecDeque<Step>,
    /// Steps explored or being explored.
    explored: Vec<Step>,
}

/// Explores the system.
pub fn explore<R: Reversal, S: System>(system: &mut S, sink: &mut impl Sink<S>) -> ControlFlow<()> {
    let mut search =
        Search::<S, R> { execution: Execution::new(system), points: Vec::new(), sequence: Sequence::default(), reversal: PhantomData };
    search.enter(SleepSet::default(), sink)?;
    while let Some(depth) = search.points.len().checked_sub(1) {
        search.finish_current(depth);
        match search.points[depth].pending.pop_front() {
            None => drop(search.points.pop()),
            Some(step) if search.points[depth].sleep.contains(step) => {}
            Some(step) => search.explore(depth, step, sink)?,
        }
    }
    ControlFlow::Continue(())
}

struct Search<'s, S, R> {
    execution: Execution<'s, S>,
    points: Vec<Point>,
    /// The sequence that reverses a race, kept for its room.
    sequence: Sequence,
    reversal: PhantomData<R>,
}

impl<S: System, R: Reversal> Search<'_, S, R> {
    fn finish_current(&mut self, depth: usize) {
        let sleep = &mut self.points[depth].sleep;
        self.execution.rewind(Position(depth as u32), |event| sleep.add(event.step, std::mem::take(&mut event.footprint)));
    }

    fn explore(&mut self, depth: usize, step: Step, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        let point = &mut self.points[depth];
        point.explored.push(step);
        let mut sleep = SleepSet::default();
        let (system, footprint) = self.execution.begin(step);
        point.sleep.after(system, step, footprint, &mut sleep);
        self.execution.take();
        sink.event()?;
        sleep.look_again(self.execution.system);
        for n in 0..self.execution.races().len() {
            let e = self.execution.races()[n];
            self.sequence.reverse(&self.execution, e);
            self.plan(e);
        }
        self.enter(sleep, sink)
    }

    fn enter(&mut self, sleep: SleepSet, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        let mut pending = VecDeque::new();
        let (first, any) = self.execution.first_awake(&sleep, |step| pending.push_back(step));
        pending.extend(first);
        if first.is_none() {
            // Also where something sleeps: it may come after what those who wait here would do.
            self.reverse_waits();
            let end = if any { End::Redundant } else { End::Maximal };
            sink.execution(self.execution.system, &|| self.execution.schedule(), end)?;
        }
        self.points.push(Point { sleep, pending, explored: Vec::new() });
        ControlFlow::Continue(())
    }

    fn reverse_waits(&mut self) {
        for wait in self.execution.waits() {
            self.sequence.unblock(&self.execution, &wait);
            self.plan(wait.first());
        }
    }

    /// Adds an initial of what counts of the sequence to the point before `e`, unless one is there.
    fn plan(&mut self, e: Position) {
        let Search { execution, points, sequence, .. } = self;
        let point = &mut points[e.index()];
        R::cut(execution, sequence);
        let initials = sequence.initials(execution);
        let known = |step: &Step| point.pending.contains(step) || point.explored.contains(step);
        if !initials.iter().any(known) {
            point.pending.push_back(initials[0]);
        }
    }
}
