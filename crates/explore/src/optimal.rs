//! Optimal-DPOR: explores exactly one execution of each trace (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, algorithm 2;
//! "Source sets", JACM 2017, for actors that wait).
//!
//! Deviations: races are reversed when their later event happens instead of at the end of each execution (see [`crate::initials`]); the exploration
//! is one depth-first walk over the states of the system, which goes back by rewinding.

use crate::initials::Sequence;
use crate::sleep::SleepSet;
use crate::wakeup::WakeupTree;
use crate::{End, Execution, Sink, System};
use raddle_event::{Position, Step};
use std::ops::ControlFlow;

/// A point of the execution from which something is explored.
#[derive(Default)]
struct Point {
    sleep: SleepSet,
    /// The step to explore when the tree gives none: chosen freely.
    free: Option<Step>,
    tree: WakeupTree,
}

/// Explores the system.
pub fn optimal<S: System>(system: &mut S, sink: &mut impl Sink<S>) -> ControlFlow<()> {
    let mut search = Search { execution: Execution::new(system), points: Vec::new() };
    search.enter(SleepSet::default(), WakeupTree::default(), sink)?;
    while let Some(depth) = search.points.len().checked_sub(1) {
        search.finish_current(depth);
        let point = &mut search.points[depth];
        let next = point.free.take().map(|step| (step, WakeupTree::default()));
        match next.or_else(|| point.tree.pop().map(|branch| (branch.step, branch.tree))) {
            None => drop(search.points.pop()),
            Some((step, tree)) => search.explore(depth, step, tree, sink)?,
        }
    }
    ControlFlow::Continue(())
}

struct Search<'s, S> {
    execution: Execution<'s, S>,
    points: Vec<Point>,
}

impl<S: System> Search<'_, S> {
    /// What was explored from this point goes to sleep, and the execution comes back here.
    fn finish_current(&mut self, depth: usize) {
        if let Some((step, footprint)) = self.execution.rewind(Position(depth as u32)) {
            let point = &mut self.points[depth];
            if !point.tree.is_empty() {
                point.sleep.add(step, footprint);
            }
        }
    }

    /// Takes a step from a point and enters what follows.
    fn explore(&mut self, depth: usize, step: Step, tree: WakeupTree, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        let footprint = self.execution.system.footprint(step.actor);
        let mut sleep = self.points[depth].sleep.after(self.execution.system, step, &footprint);
        self.execution.take(step, footprint);
        sink.event()?;
        sleep.look_again(self.execution.system);
        self.reverse_races();
        self.enter(sleep, tree, sink)
    }

    /// Begins to explore from a new point; tells the sink when nothing follows.
    fn enter(&mut self, sleep: SleepSet, mut tree: WakeupTree, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        let mut free = None;
        tree.complete_choices(&sleep);
        if tree.is_empty() {
            let (first, any) = self.execution.first_awake(&sleep, |step| {
                let footprint = self.execution.system.footprint(step.actor);
                tree.push(step, footprint);
            });
            free = first;
            if free.is_none() {
                let end = if any { End::Redundant } else { End::Maximal };
                if end == End::Maximal {
                    self.reverse_waits();
                }
                sink.execution(self.execution.system, &|| self.execution.schedule(), end)?;
            }
        }
        self.points.push(Point { sleep, free, tree });
        ControlFlow::Continue(())
    }

    /// Makes sure that each race of the newest event is tried the other way round.
    fn reverse_races(&mut self) {
        for n in 0..self.execution.races().len() {
            let e = self.execution.races()[n];
            let sequence = Sequence::reversing(&self.execution, e);
            self.plan(e, sequence);
        }
    }

    /// The same for actors that wait at the end for something that others took before them.
    fn reverse_waits(&mut self) {
        for wait in self.execution.waits() {
            let sequence = Sequence::unblocking(&self.execution, &wait);
            self.plan(wait.first(), sequence);
        }
    }

    /// Puts a sequence into the tree of the point before `e`, unless a step asleep there leads to the same.
    fn plan(&mut self, e: Position, sequence: Sequence) {
        let Search { execution, points, .. } = self;
        let Point { sleep, tree, .. } = &mut points[e.index()];
        let known = |step: Step| sleep.contains(step) || tree.contains(step);
        let explored = sleep.iter().any(|(step, footprint)| sequence.is_covered_by(execution, *step, footprint, known));
        if !explored {
            tree.insert(execution, sequence, sleep);
        }
    }
}
