//! Optimal-DPOR: explores exactly one execution of each trace (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, algorithm 2;
//! "Source sets", JACM 2017, for actors that wait).
//!
//! Deviations: a race is reversed when its later event happens instead of at the end of each execution, and at the end only where what came after makes
//! a difference (see [`crate::open_races`]); the exploration is one depth-first walk over the states of the system, which goes back by rewinding.

use crate::initials::{Cover, Sequence};
use crate::open_races::{Apart, OpenRaces};
use crate::sleep::SleepSet;
use crate::wakeup::{Forest, WakeupTree};
use crate::{End, Execution, Sink, System};
use raddle_event::{Footprint, Position, Step};
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
    let execution = Execution::new(system);
    let mut search = Search {
        execution,
        points: vec![Point::default()],
        n_points: 0,
        forest: Forest::default(),
        sequence: Sequence::default(),
        open: OpenRaces::default(),
    };
    search.enter(WakeupTree::default(), sink)?;
    while let Some(depth) = search.n_points.checked_sub(1) {
        let point = &mut search.points[depth];
        if let Some(step) = point.free.take() {
            search.explore(depth, step, WakeupTree::default(), sink)?;
        } else if point.tree.is_empty() {
            search.n_points = depth;
        } else if let Some((step, tree)) = search.come_back(depth) {
            search.explore(depth, step, tree, sink)?;
        }
    }
    ControlFlow::Continue(())
}

struct Search<'s, S> {
    execution: Execution<'s, S>,
    /// The points of the execution, and then some that are not in use.
    points: Vec<Point>,
    n_points: usize,
    forest: Forest,
    /// The sequence that reverses a race, kept for its room.
    sequence: Sequence,
    open: OpenRaces,
}

impl<S: System> Search<'_, S> {
    /// The execution comes back to a point: what was explored from there goes to sleep. Gives what is to be explored next.
    fn come_back(&mut self, depth: usize) -> Option<(Step, WakeupTree)> {
        let Point { sleep, tree, .. } = &mut self.points[depth];
        self.execution.rewind(Position(depth as u32), |event| sleep.add(event.step, std::mem::take(&mut event.footprint)));
        self.open.rewind(Position(depth as u32));
        self.forest.pop(tree)
    }

    /// Takes a step from a point and enters what follows.
    fn explore(&mut self, depth: usize, step: Step, tree: WakeupTree, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        if self.points.len() == depth + 1 {
            self.points.push(Point::default());
        }
        let (here, after) = self.points.split_at_mut(depth + 1);
        debug_assert!(!here[depth].sleep.contains(step), "a step asleep is not taken");
        let (system, footprint) = self.execution.begin(step);
        here[depth].sleep.after(system, step, footprint, &mut after[0].sleep);
        self.execution.take();
        sink.event()?;
        after[0].sleep.look_again(self.execution.system);
        self.reverse_races();
        self.enter(tree, sink)
    }

    /// Begins to explore from a new point, whose sleep set is known; tells the sink when nothing follows.
    #[inline(always)]
    fn enter(&mut self, mut tree: WakeupTree, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        let Search { execution, points, n_points, forest, .. } = self;
        let point = &mut points[*n_points];
        *n_points += 1;
        point.free = None;
        if tree.is_empty() {
            let (first, any) =
                execution.first_awake(&point.sleep, |step| forest.push(&mut tree, step, execution.system.footprint(step.actor)));
            (point.free, point.tree) = (first, tree);
            if first.is_none() {
                return self.end(if any { End::Redundant } else { End::Maximal }, sink);
            }
        } else {
            tree = forest.choose_first(tree, execution);
            debug_assert!(forest.chooses_first(tree, execution), "a choice is made as soon as it can be");
            // Where something sleeps, the outcomes that lead to something new have been planned.
            if point.sleep.is_empty() {
                forest.complete_choice(&mut tree);
            }
            point.tree = tree;
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, end: End, sink: &mut impl Sink<S>) -> ControlFlow<()> {
        if end == End::Maximal {
            self.reverse_open();
            self.reverse_waits();
        }
        sink.execution(self.execution.system, end)
    }

    /// Makes sure that each race of the newest event is tried the other way round.
    fn reverse_races(&mut self) {
        for n in 0..self.execution.races().len() {
            let e = self.execution.races()[n];
            if !self.plan_alone(e) {
                self.sequence.reverse(&self.execution, e);
                self.plan(e);
            }
            self.open.note(&self.execution, e);
        }
    }

    /// Plans the newest event before `e` where the sequence has nothing else, as most have; tells whether that was all that there is to do.
    #[inline(always)]
    fn plan_alone(&mut self, e: Position) -> bool {
        let Search { execution, points, forest, open, .. } = self;
        let Some(newest) = execution.alone_before(e) else { return false };
        let cover = |step: Step, footprint: &Footprint| match step.actor == newest.step.actor {
            true => (step == newest.step).then_some(Cover::Begins(0)),
            false => execution.system.is_independent(footprint, std::iter::once(&newest.footprint)).then_some(Cover::Apart),
        };
        let Point { sleep, tree, .. } = &mut points[e.index()];
        match sleep.cover(cover) {
            Some((at, Cover::Apart)) => open.leave_to(Apart::Asleep(at)),
            Some(_) => {}
            None => return forest.insert_alone(tree, (newest.step, &newest.footprint), cover, open),
        }
        true
    }

    /// The execution is complete. Reverses the races whose sequences lead elsewhere now than when they were planned.
    fn reverse_open(&mut self) {
        for n in 0..self.open.len() {
            let Search { execution, points, forest, sequence, open, .. } = self;
            let sleep = &points[open.get(n).0.index()].sleep;
            let touches = |step| match step {
                Apart::Asleep(at) => sleep.get(at),
                Apart::Branch(id) => forest.get(id),
            };
            if !open.is_still_apart(n, execution, touches) {
                let (e, later, before) = open.get(n);
                sequence.reverse_whole(execution, e, later, before);
                self.plan(e);
                self.open.forget_newest();
            }
        }
    }

    /// The same for actors that wait at the end for something that others took before them.
    fn reverse_waits(&mut self) {
        for wait in self.execution.waits() {
            self.sequence.unblock(&self.execution, &wait);
            self.plan(wait.first());
            self.open.forget_newest();
        }
    }

    /// Puts the sequence into the tree of the point before `e`, unless a step asleep there leads to the same.
    fn plan(&mut self, e: Position) {
        let Search { execution, points, forest, sequence, open, .. } = self;
        let Point { sleep, tree, .. } = &mut points[e.index()];
        match sleep.cover(|step, footprint| sequence.cover(execution, step, footprint)) {
            Some((at, Cover::Apart)) => open.leave_to(Apart::Asleep(at)),
            Some(_) => {}
            None => forest.insert(tree, execution, sequence, open),
        }
    }
}
