//! Units of work: explorations, or parts of them, as plain values that can be written down, sent and gone on with
//! elsewhere.
//!
//! A unit is a schedule with what is known of each point along it: what sleeps there, and what is still to be explored
//! from there. An exploration can be [written down](Optimal::write_down) whenever it is between two steps, and [gone on
//! with](Optimal::read) in a fresh system.
//!
//! It can also [give away](Optimal::give_away) a leaf of a wakeup tree. The leaf stays in the tree, where it covers
//! what it always covers; the part goes on with the sleep set that it would have had when its turn came. A leaf never
//! grows, so what is explored from it is just what would have been explored from it here. (An inner branch cannot be
//! given away: what is left of it may put more into it, and in what it leads to the steps left of it sleep. Each of the
//! two would rely on the other.) Races with events before the first point of the part are the business of whoever owns
//! these points: the sequences that reverse them are handed back in the [`Answer`]. They are the paper's own, of
//! complete executions, since only the owner knows what they are left to ([`crate::open_races`]).
//!
//! The answer is used when the turn of the leaf comes, and until then what is right of the leaf waits. So all that is
//! planned is planned in the order in which one worker would do it, and the argument for one worker holds: each trace
//! is explored once.

use super::handed::{Elsewhere, Handed};
use super::{Optimal, Point};
use crate::open_races::{Apart, OpenRaces, Race};
use crate::sleep::SleepSet;
use crate::wakeup::{Led, Planned};
use crate::{Execution, Left, Misfit, System};
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
    /// Whether threads were seen to make choices.
    has_choices: bool,
    /// The first point that belongs to the unit.
    first: usize,
    open: Vec<OfRace>,
    above: Vec<OfRace>,
    handed: Vec<Handed>,
    answers: Vec<Answer>,
}

/// What is known of a point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct OfPoint {
    asleep: Vec<(Step, Footprint)>,
    free: Option<Step>,
    tree: Vec<Planned>,
}

/// What comes of a leaf that was given away, when it has been explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The steps that lead to the leaf, its own the last.
    leaf: Vec<Step>,
    /// What the step of the leaf touched.
    touched: Footprint,
    handed: Vec<Handed>,
}

/// An open race, with the steps that its sequence was left to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OfRace {
    race: Race,
    before: Vec<Position>,
    apart: Vec<(Step, Footprint)>,
}

impl Unit {
    /// Whether its parts fit together.
    fn is_sound(&self) -> bool {
        let n = self.steps.len();
        let happened = |at: Position| at.index() < n;
        let is_past = |OfRace { race, before, .. }: &OfRace| {
            race.e < race.later && happened(race.later) && race.looked_at.index() <= n && before.iter().all(|&at| happened(at))
        };
        let is_whole = match (&self.leaf[..], self.is_entered) {
            ([], true) => self.points.len() == n + 1 || (self.points.len() == n && self.first == n),
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
        for (left, step) in &mut self.leaf {
            left.renumber(numbers);
            step.renumber(numbers);
        }
        self.open.iter_mut().chain(&mut self.above).for_each(|race| race.apart.renumber(numbers));
        self.handed.renumber(numbers);
        self.answers.renumber(numbers);
    }
}

impl Numbered for Answer {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.leaf.renumber(numbers);
        self.touched.renumber(numbers);
        self.handed.renumber(numbers);
    }
}

impl<'s, S: System> Optimal<'s, S> {
    /// What is left of the exploration, to be gone on with elsewhere. It stays where it is.
    pub fn write_down(&mut self) -> Unit {
        self.settle();
        let n_points = self.n_points + !self.is_entered as usize;
        Unit {
            steps: self.path(self.n_steps()),
            points: (0..n_points).map(|depth| self.point(depth)).collect(),
            leaf: Vec::new(),
            is_entered: self.is_entered,
            has_choices: self.forest.has_choices,
            first: self.first,
            open: self.races(&self.open, self.n_steps()),
            above: self.races(&self.above, self.n_steps()),
            handed: self.handed.clone(),
            answers: self.answers.clone(),
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
        self.come_back(self.n_steps());
    }

    /// How many steps lead to where the exploration goes on: its last point, or the first that belongs to it where
    /// nothing is left.
    fn n_steps(&self) -> usize {
        let n_points = self.n_points + !self.is_entered as usize;
        n_points.saturating_sub(1).max(self.first)
    }

    fn path(&self, n: usize) -> Vec<Step> {
        self.execution.events[..n].iter().map(|event| event.step).collect()
    }

    fn point(&self, depth: usize) -> OfPoint {
        let Point { sleep, free, tree } = &self.points[depth];
        OfPoint { asleep: sleep.all().to_vec(), free: *free, tree: self.forest.planned(*tree) }
    }

    /// The races of the first events.
    fn races(&self, races: &OpenRaces, n: usize) -> Vec<OfRace> {
        let is_past = |(race, ..): &(Race, &[Position], &[Apart])| race.later.index() < n;
        let written = |(race, before, apart): (Race, &[Position], &[Apart])| {
            let touches = |apart: &Apart| match *apart {
                Apart::Asleep(at) => self.points[race.e.index()].sleep.get(at),
                Apart::Branch(id) => self.forest.get(id),
            };
            let apart = apart.iter().map(touches).map(|(step, footprint)| (step, footprint.clone())).collect();
            let looked_at = race.looked_at.min(Position(n as u32));
            OfRace { race: Race { looked_at, ..race }, before: before.to_vec(), apart }
        };
        races.all().filter(is_past).map(written).collect()
    }

    /// Goes on with a unit, in a system in which nothing has happened.
    pub fn read(system: &'s mut S, unit: Unit) -> Result<Self, Misfit> {
        if !unit.is_sound() {
            return Err(Misfit);
        }
        let Unit { steps, points, leaf, is_entered, has_choices, first, open, above, handed, answers } = unit;
        let mut optimal = Optimal::new(system);
        for step in steps {
            optimal.execution.check_enabled(step)?;
            optimal.execution.begin(step);
            optimal.execution.take();
        }
        (optimal.first, optimal.is_entered, optimal.has_given) = (first, is_entered, true);
        optimal.n_points = points.len() - (!is_entered && leaf.is_empty()) as usize;
        optimal.forest.has_choices = has_choices;
        optimal.points.clear();
        for OfPoint { asleep, free, tree } in points {
            let tree = optimal.forest.grow(tree);
            optimal.points.push(Point { sleep: SleepSet::of(asleep), free, tree });
        }
        if optimal.points.len() == optimal.n_points {
            optimal.points.push(Point::default());
        }
        optimal.open = optimal.read_races(open);
        optimal.above = optimal.read_races(above);
        handed.into_iter().for_each(|handed| optimal.hand_back(handed));
        optimal.answers = answers;
        optimal.go_to_leaf(leaf)?;
        Ok(optimal)
    }

    /// Takes the steps that lead to a leaf.
    fn go_to_leaf(&mut self, leaf: Vec<Led>) -> Result<(), Misfit> {
        let n = leaf.len();
        for (at, (left, step)) in leaf.into_iter().enumerate() {
            let depth = self.n_points - 1;
            for left in left {
                self.execution.check_enabled(left)?;
                self.points[depth].sleep.add(left, self.execution.system.footprint(left.actor));
            }
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
            has_choices: self.forest.has_choices,
            open: self.races(&self.open, depth),
            above: self.races(&self.above, depth),
            handed: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// What comes of a leaf that was given away, when nothing is left.
    pub fn answer(self) -> Answer {
        debug_assert_eq!(self.left(), Left::Nothing);
        let touched = self.execution.events[self.first - 1].footprint.clone();
        Answer { leaf: self.path(self.first), touched, handed: self.handed }
    }

    /// Takes the answer for a leaf that was given away. It is used when the turn of the leaf comes.
    pub fn accept(&mut self, answer: Answer) -> Result<(), Misfit> {
        let is_taken = |(n, step): &(usize, &Step)| *n + 1 < self.n_points && self.execution.events[*n].step == **step;
        let depth = answer.leaf.iter().enumerate().take_while(is_taken).count();
        let is_mine = (self.first..self.n_points).contains(&depth);
        let is_above = |handed: &Handed| handed.is_sound() && handed.at.index() < answer.leaf.len();
        if !is_mine || !answer.handed.iter().all(is_above) {
            return Err(Misfit);
        }
        let leaf = self.forest.find(self.points[depth].tree, &answer.leaf[depth..]).ok_or(Misfit)?;
        if !self.forest.note_done(leaf, answer.touched.clone()) {
            return Err(Misfit);
        }
        self.answers.push(answer);
        Ok(())
    }

    /// The next branch of a point is a leaf that was given away. Where it has been answered, what was handed back is
    /// planned, and the step goes to sleep.
    #[cold]
    pub(super) fn take_answer(&mut self, depth: usize) {
        self.come_back(depth);
        let is_it = |(step, answer): (Step, &Answer)| answer.leaf.split_last() == Some((&step, &self.path(depth)[..]));
        let Some(step) = self.forest.first(self.points[depth].tree) else { return };
        let Some(n) = self.answers.iter().position(|answer| is_it((step, answer))) else { return };
        let Answer { touched, handed, .. } = self.answers.swap_remove(n);
        for handed in handed {
            if handed.at.index() < self.first {
                self.hand_back(handed);
                continue;
            }
            let Optimal { execution, points, forest, sequence, open, .. } = self;
            sequence.take_over(handed.steps.iter().map(|(step, _)| *step));
            points[handed.at.index()].plan(forest, &Elsewhere { system: &*execution.system, handed: &handed }, sequence, open);
            open.forget_newest();
        }
        let Point { sleep, tree, .. } = &mut self.points[depth];
        self.forest.pop(tree);
        sleep.add(step, touched);
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
