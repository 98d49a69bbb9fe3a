//! Units of work: explorations, or parts of them, as plain values that can be written down, sent and gone on with elsewhere.
//!
//! A unit is a schedule with what is known of each point along it: what sleeps there, and what is still to be explored from there. An exploration can be
//! [written down](Optimal::write_down) whenever it is between two steps, and [gone on with](Optimal::read) in a fresh system.
//!
//! It can also [give away](Optimal::give_away) a leaf of a wakeup tree. The leaf stays in the tree, where it covers what it always covers, and nothing right of it
//! is explored before it has been answered; only what is left of it may be explored meanwhile. The part goes on with the sleep set that it would have had when its turn
//! came. A leaf never grows, so what is explored from it is just what would have been explored from it here, and each trace is explored once, by the argument for one
//! worker. (An inner branch cannot be given away: what is left of it may put more into it, and in what it leads to the steps left of it sleep. Each of the two would rely
//! on the other.)
//!
//! Races with events before the first point of the part are the business of whoever owns these points: the sequences that reverse them are [handed back](Optimal::answer)
//! and [accepted](Optimal::accept) there, unless something covers them. They are the paper's own, of complete executions, since only the owner knows what they are
//! left to ([`crate::open_races`]).

use super::handed::{Elsewhere, Handed};
use super::{Left, Optimal, Point};
use crate::open_races::{Apart, OpenRaces, Race};
use crate::sleep::SleepSet;
use crate::wakeup::{Led, Planned};
use crate::{Execution, System};
use raddle_event::{Footprint, Numbered, Position, Renumber, Step};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The schedule that leads to the last point.
    steps: Vec<Step>,
    /// The points along it.
    points: Vec<OfPoint>,
    /// The steps that lead on to a leaf that was given away, each with what is left of it.
    leaf: Vec<Led>,
    /// Whether the last point has been entered.
    is_entered: bool,
    /// The first point that belongs to the unit.
    first: usize,
    open: Vec<OfRace>,
    above: Vec<OfRace>,
    handed: Vec<Handed>,
}

/// What is known of a point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct OfPoint {
    asleep: Vec<(Step, Footprint)>,
    free: Option<Step>,
    tree: Vec<Planned>,
}

/// Where a leaf was given away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// How many steps lead to the point.
    depth: usize,
    /// The path in its tree.
    path: Vec<Step>,
}

/// What comes of a unit that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    origin: Origin,
    handed: Vec<Handed>,
}

/// An open race, with the steps that its sequence was left to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OfRace {
    race: Race,
    before: Vec<Position>,
    apart: Vec<(Step, Footprint)>,
}

/// A unit that does not fit the system or is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit;

impl Unit {
    /// Where it was given away; nowhere where it is all that there is.
    pub fn origin(&self) -> Option<Origin> {
        let path: Vec<Step> = self.leaf.iter().map(|led| led.1).collect();
        (!path.is_empty()).then(|| Origin { depth: self.steps.len(), path })
    }

    /// Whether its parts fit together.
    fn is_sound(&self) -> bool {
        let n = self.steps.len();
        let happened = |at: Position| at.index() < n;
        let is_past = |OfRace { race, before, .. }: &OfRace| {
            race.e < race.later && happened(race.later) && race.looked_at.index() <= n && before.iter().all(|&at| happened(at))
        };
        let is_whole = match (&self.leaf[..], self.is_entered) {
            ([], true) => self.points.len() == n + 1 || (self.points.is_empty() && self.first == 0 && n == 0),
            ([], false) => self.points.len() == n + 1 && self.first == n,
            (leaf, is_entered) => self.points.len() == n + 1 && self.first == n + leaf.len() && !is_entered,
        };
        let are_past = self.open.iter().chain(&self.above).all(is_past) && self.handed.iter().all(Handed::is_sound);
        is_whole && are_past && self.points.iter().all(|point| Planned::is_tree(&point.tree))
    }
}

impl Numbered for Unit {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.steps.renumber(numbers);
        for OfPoint { asleep, free, tree } in &mut self.points {
            asleep.renumber(numbers);
            free.renumber(numbers);
            tree.renumber(numbers);
        }
        self.leaf.renumber(numbers);
        self.open.iter_mut().chain(&mut self.above).for_each(|race| race.apart.renumber(numbers));
        self.handed.renumber(numbers);
    }
}

impl Numbered for Answer {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.origin.renumber(numbers);
        self.handed.renumber(numbers);
    }
}

impl Numbered for Origin {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.path.renumber(numbers);
    }
}

impl<'s, S: System> Optimal<'s, S> {
    /// What is left of the exploration, to be gone on with elsewhere. It stays where it is.
    pub fn write_down(&mut self) -> Unit {
        self.settle();
        let n_points = self.n_points + !self.is_entered as usize;
        Unit {
            steps: self.path(n_points.saturating_sub(1)),
            points: (0..n_points).map(|depth| self.point(depth)).collect(),
            leaf: Vec::new(),
            is_entered: self.is_entered,
            first: self.first,
            open: self.races(&self.open, n_points),
            above: self.races(&self.above, n_points),
            handed: self.handed.iter().cloned().collect(),
        }
    }

    /// Goes back to the last point that has something left, or waits for an answer.
    fn settle(&mut self) {
        if !self.is_entered {
            return;
        }
        while let Some(depth) = self.n_points.checked_sub(1).filter(|&depth| depth >= self.first) {
            let Point { free, tree, .. } = &self.points[depth];
            if free.is_some() || !tree.is_empty() {
                break;
            }
            self.n_points = depth;
        }
        let at = Position(self.n_points.saturating_sub(1) as u32);
        if let Some(point) = self.n_points.checked_sub(1).map(|depth| &mut self.points[depth]) {
            self.execution.rewind(at, |event| point.sleep.add(event.step, std::mem::take(&mut event.footprint)));
        }
        self.open.rewind(at);
        self.above.rewind(at);
    }

    fn path(&self, n: usize) -> Vec<Step> {
        self.execution.events[..n].iter().map(|event| event.step).collect()
    }

    fn point(&self, depth: usize) -> OfPoint {
        let Point { sleep, free, tree } = &self.points[depth];
        OfPoint { asleep: sleep.all().to_vec(), free: *free, tree: self.forest.planned(*tree) }
    }

    /// The races of events before a point.
    fn races(&self, races: &OpenRaces, n_points: usize) -> Vec<OfRace> {
        let is_past = |(race, ..): &(Race, &[Position], &[Apart])| race.later.index() + 1 < n_points;
        let written = |(race, before, apart): (Race, &[Position], &[Apart])| {
            let touches = |apart: &Apart| match *apart {
                Apart::Asleep(at) => self.points[race.e.index()].sleep.get(at),
                Apart::Branch(id) => self.forest.get(id),
            };
            let apart = apart.iter().map(touches).map(|(step, footprint)| (step, footprint.clone())).collect();
            let looked_at = race.looked_at.min(Position(n_points as u32 - 1));
            OfRace { race: Race { looked_at, ..race }, before: before.to_vec(), apart }
        };
        races.all().filter(is_past).map(written).collect()
    }

    /// Goes on with a unit, in a system in which nothing has happened.
    pub fn read(system: &'s mut S, unit: Unit) -> Result<Self, Misfit> {
        if !unit.is_sound() {
            return Err(Misfit);
        }
        let Unit { steps, points, leaf, is_entered, first, open, above, handed } = unit;
        let mut optimal = Optimal::new(system);
        for step in steps {
            optimal.execution.check_enabled(step)?;
            optimal.execution.begin(step);
            optimal.execution.take();
        }
        (optimal.first, optimal.is_entered, optimal.has_given) = (first, is_entered, true);
        optimal.n_points = points.len() - (!is_entered && leaf.is_empty()) as usize;
        optimal.points.clear();
        for OfPoint { asleep, free, tree } in points {
            let tree = optimal.forest.grow(tree);
            optimal.points.push(Point { sleep: SleepSet::of(asleep), free, tree });
        }
        optimal.open = optimal.read_races(open);
        optimal.above = optimal.read_races(above);
        optimal.handed.extend(handed);
        optimal.go_to_leaf(leaf)?;
        Ok(optimal)
    }

    /// Takes the steps that lead to a leaf.
    fn go_to_leaf(&mut self, leaf: Vec<Led>) -> Result<(), Misfit> {
        let n = leaf.len();
        for (at, (left, step)) in leaf.into_iter().enumerate() {
            let depth = self.n_points - 1;
            left.into_iter().for_each(|(step, footprint)| self.points[depth].sleep.add(step, footprint));
            self.execution.check_enabled(step)?;
            self.take(depth, step);
            self.reverse_races();
            self.n_points += (at + 1 < n) as usize;
        }
        Ok(())
    }

    fn read_races(&mut self, races: Vec<OfRace>) -> OpenRaces {
        let mut open = OpenRaces::default();
        for OfRace { race, before, apart } in races {
            let apart = apart.into_iter().map(|(step, footprint)| Apart::Branch(self.forest.keep(step, footprint)));
            open.push(race, &before, apart);
        }
        open
    }

    /// Gives away a leaf of the tree of the earliest point that has one.
    pub fn give_away(&mut self) -> Option<Unit> {
        // A step that was chosen freely is left of all branches, and is taken first.
        let points = (self.first..self.n_points).filter(|&depth| self.is_entered && self.points[depth].free.is_none());
        let (depth, leaf) = points.into_iter().find_map(|depth| Some((depth, self.forest.give_away(self.points[depth].tree)?)))?;
        let asleep = |depth: usize| OfPoint { asleep: self.points[depth].sleep.all().to_vec(), ..OfPoint::default() };
        let mut points: Vec<OfPoint> = (0..=depth).map(asleep).collect();
        let now = self.execution.events.get(depth).map(|event| (event.step, event.footprint.clone()));
        points[depth].asleep.extend(now);
        self.has_given = true;
        Some(Unit {
            steps: self.path(depth),
            points,
            first: depth + leaf.len(),
            leaf,
            is_entered: false,
            open: self.races(&self.open, depth + 1),
            above: self.races(&self.above, depth + 1),
            handed: Vec::new(),
        })
    }

    /// What is to be explored from points before the first one, where a part that was given away is over.
    pub fn answer(self, origin: Origin) -> Answer {
        debug_assert_eq!(self.left(), Left::Nothing);
        Answer { origin, handed: self.handed.into_iter().collect() }
    }

    /// A part that was given away is over.
    pub fn accept(&mut self, answer: Answer) -> Result<(), Misfit> {
        let Answer { origin: Origin { depth, path }, handed } = answer;
        let tree = (self.first..self.n_points).contains(&depth).then(|| self.points[depth].tree).ok_or(Misfit)?;
        let leaf = self.forest.find(tree, &path).ok_or(Misfit)?;
        let is_on_path = |handed: &Handed| handed.is_sound() && handed.at.index() < depth + path.len();
        if !handed.iter().all(is_on_path) || !self.forest.note_done(leaf) {
            return Err(Misfit);
        }
        for handed in handed {
            if handed.at.index() < self.first {
                self.handed.insert(handed);
            } else {
                self.insert(depth, &path, &handed);
            }
        }
        Ok(())
    }

    /// Puts a sequence that was handed back into the tree of its point, or into the part of the tree that the leaf belongs to.
    fn insert(&mut self, depth: usize, path: &[Step], handed: &Handed) {
        let Optimal { execution, points, forest, sequence, open, .. } = self;
        let (events, at) = (&Elsewhere { system: &*execution.system, handed }, handed.at.index());
        sequence.take_over(handed.steps.iter().map(|(step, _)| *step));
        // What is explored from the point now is not asleep there yet. From earlier points the part took what is explored from them now.
        let now = execution.events.get(depth).filter(|_| at == depth);
        if at > depth {
            let above = forest.find(points[depth].tree, &path[..at - depth]).expect("the path leads to the leaf");
            forest.insert_below(above, events, sequence, open);
        } else if now.is_none_or(|now| sequence.cover(events, now.step, &now.footprint).is_none()) {
            points[at].plan(forest, events, sequence, open);
        }
        open.forget_newest();
    }
}

impl<S: System> Execution<'_, S> {
    /// Looks whether a step can be taken.
    fn check_enabled(&self, step: Step) -> Result<(), Misfit> {
        let look = |enabled, _| if enabled == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let is_enabled = !self.system.is_over() && self.system.enabled(None, look).is_break();
        is_enabled.then_some(()).ok_or(Misfit)
    }
}
