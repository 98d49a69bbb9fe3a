//! Backtrack sets: for each reversed race a single step is added to the point before it. What [`crate::source`] and
//! [`crate::classic`] share.
//!
//! Like [`crate::optimal`], but without wakeup trees. Some executions may then be found to be redundant only when
//! everything is asleep.

use crate::initials::Sequence;
use crate::sleep::SleepSet;
use crate::{Branch, End, Execution, Sink, System, Turn};
use raddle_event::{LocationId, Position, Step};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// What of a sequence that reverses a race counts: one of its initials is explored from the point before the race.
pub trait Reversal {
    /// Leaves out of the sequence what does not count.
    fn cut<S: System>(execution: &Execution<S>, sequence: &mut Sequence);
}

/// A point of the execution from which something is explored.
#[derive(Default)]
struct Point {
    sleep: SleepSet,
    /// Steps still to be explored.
    pending: VecDeque<Step>,
    /// Steps explored or being explored.
    explored: Vec<Step>,
    /// What the last of them is about, when it has been explored.
    given_up: Option<LocationId>,
}

impl Point {
    /// Adds a step to those to be explored.
    fn add(&mut self, step: Step) {
        self.pending.push_back(step);
    }

    fn knows(&self, step: Step) -> bool {
        self.pending.contains(&step) || self.explored.contains(&step)
    }
}

/// Explores the system.
pub fn explore<R: Reversal, S: System>(system: &mut S, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
    let execution = Execution::new(system);
    let points = vec![Point::default()];
    let mut search = Search::<S, R> { execution, points, n_points: 0, sequence: Sequence::default(), reversal: PhantomData };
    search.enter(sink)?;
    while let Some(depth) = search.n_points.checked_sub(1) {
        search.finish_current(depth);
        match search.points[depth].pending.pop_front() {
            None => search.n_points = depth,
            Some(step) if search.points[depth].sleep.contains(step) => {}
            Some(step) => search.explore(depth, step, sink)?,
        }
    }
    ControlFlow::Continue(())
}

struct Search<'s, S, R> {
    execution: Execution<'s, S>,
    /// The points of the execution, and then some that are not in use.
    points: Vec<Point>,
    n_points: usize,
    /// The sequence that reverses a race, kept for its room.
    sequence: Sequence,
    reversal: PhantomData<R>,
}

impl<S: System, R: Reversal> Search<'_, S, R> {
    fn finish_current(&mut self, depth: usize) {
        let Point { sleep, given_up, .. } = &mut self.points[depth];
        self.execution.rewind(Position(depth as u32), |event| {
            *given_up = event.footprint.location();
            sleep.add(event.step, std::mem::take(&mut event.footprint));
        });
    }

    fn explore(&mut self, depth: usize, step: Step, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        if self.points.len() == depth + 1 {
            self.points.push(Point::default());
        }
        let (here, after) = self.points.split_at_mut(depth + 1);
        if !here[depth].explored.is_empty() {
            sink.turns(self.execution.system, Branch { point: depth as u32, turn: Turn::Another }, here[depth].given_up);
        }
        here[depth].explored.push(step);
        let (system, footprint) = self.execution.begin(step);
        here[depth].sleep.after(system, step, footprint, &mut after[0].sleep);
        self.execution.take();
        sink.event()?;
        after[0].sleep.look_again(self.execution.system);
        for n in 0..self.execution.races().len() {
            self.reverse_race(self.execution.races()[n]);
        }
        self.enter(sink)
    }

    /// Begins to explore from a new point, whose sleep set is known; tells the sink when nothing follows.
    fn enter(&mut self, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let Search { execution, points, n_points, .. } = self;
        let Point { sleep, pending, explored, .. } = &mut points[*n_points];
        *n_points += 1;
        pending.clear();
        explored.clear();
        let (first, any) = execution.first_awake(sleep, |step| pending.push_back(step));
        // Outcomes of a choice are explored in their order.
        if let Some(first) = first {
            pending.push_front(first);
        }
        if first.is_none() {
            // Also where something sleeps: it may come after what those who wait here would do.
            self.reverse_waits();
            let end = if any { End::Redundant } else { End::Maximal };
            sink.execution(self.execution.system, end)?;
        }
        ControlFlow::Continue(())
    }

    /// Makes sure that a race of the newest event is tried the other way round.
    fn reverse_race(&mut self, e: Position) {
        let Some(newest) = self.execution.alone_before(e) else {
            self.sequence.reverse(&self.execution, e);
            return self.plan(e);
        };
        let point = &mut self.points[e.index()];
        if !point.knows(newest.step) {
            point.add(newest.step);
        }
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
        R::cut(execution, sequence);
        let point = &mut points[e.index()];
        if !sequence.initials(execution).any(|step| point.knows(step)) {
            let first = sequence.initials(execution).next();
            point.add(first.expect("the first step of a sequence is an initial"));
        }
    }
}
