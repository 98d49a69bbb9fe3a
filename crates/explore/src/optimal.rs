//! Optimal-DPOR: explores exactly one execution of each trace (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, algorithm
//! 2; "Source sets", JACM 2017, for actors that wait).
//!
//! Deviations: a race is reversed when its later event happens instead of at the end of each execution, and at the end
//! only where what came after makes a difference (see [`crate::open_races`]); the exploration is one depth-first walk
//! over the states of the system, which goes back by rewinding; it can be divided ([`unit`]).

mod handed;
mod unit;

use handed::Handed;
pub use unit::{Answer, Unit};

use crate::initials::{Cover, Events, Sequence};
use crate::open_races::{Apart, OpenRaces};
use crate::sleep::SleepSet;
use crate::wakeup::{Explored, Forest, WakeupTree};
use crate::{Branch, End, Execution, Left, Sink, System, Turn};
use raddle_event::{Footprint, Position, Step};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A point of the execution from which something is explored.
#[derive(Default)]
struct Point {
    sleep: SleepSet,
    /// The step to explore when the tree gives none: chosen freely.
    free: Option<Step>,
    tree: WakeupTree,
}

/// Explores the system. It is built for each sink, since an event is counted in fewer instructions than a call takes.
pub fn optimal<S: System, T: Sink<S> + ?Sized>(system: &mut S, sink: &mut T) -> ControlFlow<()> {
    let mut search = Optimal::new(system);
    search.enter(WakeupTree::default(), sink)?;
    while let Some(depth) = search.n_points.checked_sub(1) {
        search.go_on_from(depth, sink)?;
    }
    ControlFlow::Continue(())
}

/// An exploration under way, of everything or of a [`Unit`] of it.
pub struct Optimal<'s, S> {
    execution: Execution<'s, S>,
    /// The points of the execution, and then some that are not in use.
    points: Vec<Point>,
    n_points: usize,
    forest: Forest,
    /// The sequence that reverses a race, kept for its room.
    sequence: Sequence,
    open: OpenRaces,
    /// Whether the first point has been entered.
    is_entered: bool,
    /// Whether leaves of wakeup trees were given away.
    has_given: bool,
    /// The first point that belongs to this exploration. What is to be explored from an earlier one is handed back.
    first: usize,
    /// The races of events with those before the first point.
    above: OpenRaces,
    /// The sequences that are handed back, in the order in which they were found, and once more to find them.
    handed: Vec<Handed>,
    known: BTreeSet<Handed>,
    /// The answers for leaves whose turn has not come.
    answers: Vec<Answer>,
}

impl<'s, S: System> Optimal<'s, S> {
    /// An exploration of everything, which has not begun.
    pub fn new(system: &'s mut S) -> Self {
        Optimal {
            execution: Execution::new(system),
            points: vec![Point::default()],
            n_points: 0,
            forest: Forest::default(),
            sequence: Sequence::default(),
            open: OpenRaces::default(),
            is_entered: false,
            has_given: false,
            first: 0,
            above: OpenRaces::default(),
            handed: Vec::new(),
            known: BTreeSet::new(),
            answers: Vec::new(),
        }
    }

    /// What is left to do.
    pub fn left(&self) -> Left {
        match self.n_points.checked_sub(1).filter(|&depth| depth >= self.first) {
            _ if !self.is_entered => Left::Work,
            None => Left::Nothing,
            Some(depth) => match self.points[depth] {
                Point { free: None, tree, .. } if self.forest.next_explored(tree) == Explored::Elsewhere => Left::Answers,
                _ => Left::Work,
            },
        }
    }

    /// Does the next thing that is left: takes a step, or goes back. After the sink has broken off, the exploration
    /// cannot go on.
    pub fn go_on(&mut self, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
        if self.is_entered {
            return self.go_on_from(self.n_points - 1, sink);
        }
        self.is_entered = true;
        if self.n_points > 0 {
            sink.event()?;
        }
        self.enter(WakeupTree::default(), sink)
    }

    #[inline(always)]
    fn go_on_from<T: Sink<S> + ?Sized>(&mut self, depth: usize, sink: &mut T) -> ControlFlow<()> {
        let point = &mut self.points[depth];
        if let Some(step) = point.free.take() {
            self.explore(depth, step, WakeupTree::default(), sink)
        } else if point.tree.is_empty() {
            self.n_points = depth;
            ControlFlow::Continue(())
        } else if self.has_given && self.forest.next_explored(point.tree) != Explored::Here {
            self.take_answer(depth);
            ControlFlow::Continue(())
        } else {
            // Where it was another branch that led there first.
            let given_up = self.execution.events.get(depth).map(|event| event.footprint.location());
            self.come_back(depth);
            if let Some(at) = given_up {
                sink.turns(self.execution.system, Branch { point: depth as u32, turn: Turn::Another }, at);
            }
            match self.forest.pop(&mut self.points[depth].tree) {
                Some((step, tree)) => self.explore(depth, step, tree, sink),
                None => ControlFlow::Continue(()),
            }
        }
    }

    /// The execution comes back to a point: what was explored from there goes to sleep.
    fn come_back(&mut self, depth: usize) {
        let at = Position(depth as u32);
        let sleep = &mut self.points[depth].sleep;
        self.execution.rewind(at, |event| sleep.add(event.step, std::mem::take(&mut event.footprint)));
        self.open.rewind(at);
        self.above.rewind(at);
    }

    /// Takes a step from a point and enters what follows.
    fn explore<T: Sink<S> + ?Sized>(&mut self, depth: usize, step: Step, tree: WakeupTree, sink: &mut T) -> ControlFlow<()> {
        self.take(depth, step);
        sink.event()?;
        self.reverse_races();
        self.enter(tree, sink)
    }

    /// Takes a step from a point. What sleeps behind it is known then.
    #[inline(always)]
    fn take(&mut self, depth: usize, step: Step) {
        if self.points.len() == depth + 1 {
            self.points.push(Point::default());
        }
        let (here, after) = self.points.split_at_mut(depth + 1);
        debug_assert!(!here[depth].sleep.contains(step), "a step asleep is not taken");
        let (system, footprint) = self.execution.begin(step);
        here[depth].sleep.after(system, step, footprint, &mut after[0].sleep);
        self.execution.take();
        after[0].sleep.look_again(self.execution.system);
    }

    /// Begins to explore from a new point, whose sleep set is known; tells the sink when nothing follows.
    #[inline(always)]
    fn enter<T: Sink<S> + ?Sized>(&mut self, mut tree: WakeupTree, sink: &mut T) -> ControlFlow<()> {
        let Optimal { execution, points, n_points, forest, .. } = self;
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

    fn end<T: Sink<S> + ?Sized>(&mut self, end: End, sink: &mut T) -> ControlFlow<()> {
        if end == End::Maximal {
            self.reverse_open();
            self.reverse_waits();
            self.reverse_above();
        }
        sink.execution(self.execution.system, end)
    }

    /// Makes sure that each race of the newest event is tried the other way round.
    #[inline(always)]
    fn reverse_races(&mut self) {
        for n in 0..self.execution.races().len() {
            let e = self.execution.races()[n];
            if e.index() < self.first {
                self.above.note_always(&self.execution, e);
                continue;
            }
            if !self.plan_alone(e) {
                self.sequence.reverse(&self.execution, e);
                self.plan(e);
            }
            self.open.note(&self.execution, e);
        }
    }

    /// Plans the newest event before `e` where the sequence has nothing else, as most have; tells whether that was all
    /// that there is to do.
    #[inline(always)]
    fn plan_alone(&mut self, e: Position) -> bool {
        let Optimal { execution, points, forest, open, .. } = self;
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
    #[inline(always)]
    fn reverse_open(&mut self) {
        for n in 0..self.open.len() {
            let Optimal { execution, points, forest, sequence, open, .. } = self;
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
    #[inline(always)]
    fn reverse_waits(&mut self) {
        for wait in self.execution.waits() {
            self.sequence.unblock(&self.execution, &wait);
            self.plan(wait.first());
            self.open.forget_newest();
        }
    }

    /// The same for races with events before the first point. Their points are explored elsewhere, so it is not known
    /// what the sequences are left to: they are the paper's own.
    #[inline(always)]
    fn reverse_above(&mut self) {
        for n in 0..self.above.len() {
            let (e, later, before) = self.above.get(n);
            self.sequence.reverse_whole(&self.execution, e, later, before);
            self.plan(e);
        }
    }

    /// Puts the sequence into the tree of the point before `e`, unless a step asleep there leads to the same; or hands
    /// it back.
    fn plan(&mut self, e: Position) {
        let Optimal { execution, points, forest, sequence, open, .. } = self;
        if e.index() >= self.first {
            points[e.index()].plan(forest, execution, sequence, open);
        } else if points[e.index()].sleep.cover(|step, footprint| sequence.cover(execution, step, footprint)).is_none() {
            let handed = Handed::new(e, execution, sequence);
            self.hand_back(handed);
        }
    }

    fn hand_back(&mut self, handed: Handed) {
        if self.known.insert(handed.clone()) {
            self.handed.push(handed);
        }
    }
}

impl Point {
    /// Puts a sequence into the tree, unless a step asleep leads to the same.
    fn plan(&mut self, forest: &mut Forest, events: &impl Events, sequence: &mut Sequence, open: &mut OpenRaces) {
        match self.sleep.cover(|step, footprint| sequence.cover(events, step, footprint)) {
            Some((at, Cover::Apart)) => open.leave_to(Apart::Asleep(at)),
            Some(_) => {}
            None => forest.insert(&mut self.tree, events, sequence, open),
        }
    }
}
