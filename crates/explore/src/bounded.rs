//! Partial order reduction within a context bound: each trace that has a schedule within the bound is explored by such
//! a schedule.
//!
//! A bound breaks what other explorers rely on: of two schedules of one trace, one may keep to the bound and the other
//! not (Coons, Musuvathi, McKinley, "Bounded partial-order reduction", OOPSLA 2013). Their remedy is more backtrack
//! points. It finds all local states within the bound; we want all traces, and go further
//! (docs/algorithms/context-bound.md has the proof):
//!
//! - from a point the steps of a whole group of threads are explored: those that have to do with the thread whose turn
//!   it is, in what is explored from there;
//! - a step sleeps only as long as the schedule that takes it first is not the dearer one, whatever follows.

use crate::context::{Prospect, Turn};
use crate::sink::Turn::Another;
use crate::ties::Ties;
use crate::{Branch, End, Sink, System};
use raddle_event::{Footprint, Position, Step, Taken};
use std::ops::ControlFlow;

/// A step with what it touches.
type Candidate = (Step, Footprint);

/// A step that was explored from an earlier point, and is independent of what was taken since.
#[derive(Clone)]
struct Sleeper {
    step: Step,
    footprint: Footprint,
    /// The turn in the schedule that takes it first: an upper bound of what that one has spent, and of whether its last
    /// thread could go on.
    first: Turn,
    /// What is tied in the executions that take it first.
    ties: Ties,
}

/// A point of the execution from which something is explored.
struct Point {
    turn: Turn,
    /// The enabled steps that have not been looked at.
    candidates: Vec<Candidate>,
    /// One of the threads whose group is explored; `None` for all.
    home: Option<u32>,
    ties: Ties,
    asleep: Vec<Sleeper>,
    /// Whether nothing was enabled.
    is_maximal: bool,
    is_leaf: bool,
}

/// Explores the system within the bound. Says also whether the bound cut something.
pub fn bounded<S: System>(system: &mut S, bound: u32, sink: &mut dyn Sink<S>) -> (ControlFlow<()>, bool) {
    let mut search = Search { system, bound, is_cut: false, path: Vec::new(), points: Vec::new(), taken: Taken::default() };
    let flow = search.run(sink);
    (flow, search.is_cut)
}

struct Search<'s, S> {
    system: &'s mut S,
    bound: u32,
    is_cut: bool,
    path: Vec<Candidate>,
    /// The point before each event, and the present one.
    points: Vec<Point>,
    taken: Taken,
}

impl<S: System> Search<'_, S> {
    fn run(&mut self, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        self.enter(Turn::default(), Vec::new(), Ties::default());
        while let Some(point) = self.points.last_mut() {
            match point.next() {
                None => self.leave(sink)?,
                Some((_, footprint)) if point.turn.spent_with(&footprint) > self.bound => self.is_cut = true,
                Some((step, footprint)) if self.sleeps(step, &footprint) => {}
                Some((step, footprint)) => self.explore(step, footprint, sink)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn explore(&mut self, step: Step, footprint: Footprint, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        let before = self.points.last_mut().expect("a step is taken from a point");
        if !std::mem::take(&mut before.is_leaf) {
            // What was explored from here last has just gone to sleep.
            let at = before.asleep.last().and_then(|asleep| asleep.footprint.location());
            sink.turns(self.system, Branch { point: self.path.len() as u32, turn: Another }, at);
        }
        let is_independent =
            |other: &&Sleeper| other.step.actor != step.actor && self.system.is_independent(&other.footprint, std::iter::once(&footprint));
        let mut asleep: Vec<Sleeper> = before.asleep.iter().filter(is_independent).cloned().collect();
        let turn = before.turn;
        self.taken.clear();
        self.system.take(step, Position(self.path.len() as u32), &mut self.taken);
        sink.event()?;
        asleep.iter_mut().for_each(|other| other.follow(self.system, &footprint));
        let mut ties = Ties::default();
        asleep.iter().for_each(|other| ties.tie_as(&other.ties));
        let now = turn.after(self.system, &footprint);
        if footprint.update.is_some() && turn.able && !now.able {
            // Others' updates decide whether a thread can be left at no cost.
            ties.tie_all();
        }
        self.path.push((step, footprint));
        self.tie_newest();
        self.enter(now, asleep, ties);
        ControlFlow::Continue(())
    }

    /// Ties the thread of the newest event to those whose events it depends on, from the points before these on.
    fn tie_newest(&mut self) {
        let thread = self.path.last().expect("an event has happened").1.thread;
        let Taken { order, conflicts, enabling, overtakes } = &self.taken;
        for e in order.iter().chain(conflicts).chain(enabling).chain(overtakes) {
            self.points[e.index()].ties.tie(thread, self.path[e.index()].1.thread);
        }
    }

    /// The same for threads that wait for something that others took before them.
    fn tie_waiting(&mut self) {
        let Search { system, path, points, .. } = self;
        system.waiting(&mut |_, footprint, taken| {
            for e in taken.overtakes.iter().chain(&taken.order) {
                points[e.index()].ties.tie(footprint.thread, path[e.index()].1.thread);
            }
        });
    }

    fn enter(&mut self, turn: Turn, asleep: Vec<Sleeper>, ties: Ties) {
        let mut candidates: Vec<Candidate> = Vec::new();
        if !self.system.is_over() {
            let _all = self.system.enabled(None, |step, _| {
                candidates.push((step, self.system.footprint(step.actor)));
                ControlFlow::Continue(())
            });
        }
        // Whose turn it is goes on first: then what others do in between sleeps most.
        candidates.sort_by_key(|(_, footprint)| (footprint.update.is_some(), turn.thread != Some(footprint.thread)));
        let home = match turn.thread.filter(|_| turn.able) {
            Some(thread) => candidates.iter().find(|(_, footprint)| footprint.thread == thread),
            None => candidates.first(),
        };
        let home = home.map(|(_, footprint)| footprint.thread);
        let is_maximal = candidates.is_empty();
        self.points.push(Point { turn, candidates, home, ties, asleep, is_maximal, is_leaf: true });
    }

    /// Everything from the present point is explored: goes back, and the step that led here goes to sleep.
    fn leave(&mut self, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        if self.points.last().is_some_and(|point| point.is_leaf) {
            self.tie_waiting();
            let end = if self.points.last().is_some_and(|point| point.is_maximal) { End::Maximal } else { End::Redundant };
            sink.execution(self.system, end)?;
        }
        let point = self.points.pop().expect("there is a present point");
        if let (Some((step, footprint)), Some(before)) = (self.path.pop(), self.points.last_mut()) {
            self.system.rewind(Position(self.path.len() as u32));
            before.ties.tie_as(&point.ties);
            // With what ties the step itself, which was noted here.
            let ties = before.ties.clone();
            before.asleep.push(Sleeper { step, footprint, first: point.turn, ties });
        }
        ControlFlow::Continue(())
    }

    /// Whether a step sleeps, and the schedule that takes it first is at no point of what may follow the dearer one.
    fn sleeps(&self, step: Step, footprint: &Footprint) -> bool {
        let point = self.points.last().expect("there is a present point");
        let Some(asleep) = point.asleep.iter().find(|asleep| asleep.step == step) else { return false };
        let (first, spent) = (asleep.first, point.turn.spent_with(footprint));
        // Where it is the same thread's turn in both schedules, and can go on in the one that takes the step first, it
        // can in the other.
        let has_turn = match footprint.update {
            None => first.thread == Some(footprint.thread),
            Some(_) => point.turn.able,
        };
        first.spent < spent || (first.spent == spent && (!first.able || has_turn))
    }
}

impl Point {
    /// The next step that must be explored.
    fn next(&mut self) -> Option<Candidate> {
        let is_wanted = |(_, footprint): &Candidate| self.home.is_none_or(|home| self.ties.are_tied(home, footprint.thread));
        let at = self.candidates.iter().position(is_wanted)?;
        Some(self.candidates.remove(at))
    }
}

impl Sleeper {
    /// Another step was taken, and would have been taken after this one too.
    fn follow<S: System>(&mut self, system: &S, taken: &Footprint) {
        if !self.footprint.forwards.is_empty() {
            self.footprint = system.footprint(self.step.actor);
        }
        if taken.update.is_none() {
            let able = system.prospect(taken.thread) != Prospect::Ended;
            self.first = Turn { thread: Some(taken.thread), able, spent: self.first.spent_with(taken) };
        }
    }
}
