//! Open races: those of which it is not known yet whether what has been planned leads to their reversal.
//!
//! The paper reverses a race of `e` and `e'` in a maximal execution, by all events that do not happen after `e`, then
//! `e'` (POPL 2014, section 6.2). We do so when `e'` happens, with the events that have happened by then. A step that
//! occurs in this sequence and can begin it, can also begin the longer one. But a step that is merely *apart*, which
//! does not occur in it and is independent of all of it, may depend on what comes later. A race whose sequence was left
//! to such steps stays open. When the execution is complete and one of them is no longer apart, the race is reversed by
//! the paper's own sequence (docs/algorithms/optimal.md, "Sequences that grow").

use crate::wakeup::BranchId;
use crate::{Execution, System};
use raddle_event::{Footprint, Position, Step};
use serde::{Deserialize, Serialize};

/// A step that is apart from the sequence of a race.
#[derive(Clone, Copy)]
pub enum Apart {
    /// It sleeps at the point before the race, at this place of the sleep set.
    Asleep(usize),
    /// It is in the wakeup tree of that point.
    Branch(BranchId),
}

/// A race of `e` and `later`. What has happened before `looked_at` leaves the steps apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Race {
    pub e: Position,
    pub later: Position,
    pub looked_at: Position,
}

/// The same with where its parts of the tables end.
struct OpenRace {
    e: Position,
    later: Position,
    /// What has happened before this position leaves the steps apart.
    looked_at: Position,
    /// Where its parts of [`OpenRaces::before`] and [`OpenRaces::apart`] end.
    ends: (usize, usize),
}

/// The open races of the execution, oldest first.
#[derive(Default)]
pub struct OpenRaces {
    races: Vec<OpenRace>,
    /// For each race the events that `later` comes after for reasons other than conflicts.
    before: Vec<Position>,
    /// For each race the steps that its sequence was left to.
    apart: Vec<Apart>,
}

impl OpenRaces {
    /// Each of them with the steps that its sequence was left to.
    pub fn all(&self) -> impl Iterator<Item = (Race, &[Position], &[Apart])> {
        (0..self.len()).map(|n| {
            let (OpenRace { e, later, looked_at, ends }, starts) = (&self.races[n], self.starts(n));
            let race = Race { e: *e, later: *later, looked_at: *looked_at };
            (race, &self.before[starts.0..ends.0], &self.apart[starts.1..ends.1])
        })
    }

    /// Adds one that is newer than all of them.
    pub fn push(&mut self, race: Race, before: &[Position], apart: impl IntoIterator<Item = Apart>) {
        let Race { e, later, looked_at } = race;
        self.before.extend_from_slice(before);
        self.apart.extend(apart);
        self.races.push(OpenRace { e, later, looked_at, ends: (self.before.len(), self.apart.len()) });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.races.len()
    }

    /// One of them: its two events, and those that the later one comes after for reasons other than conflicts.
    pub fn get(&self, n: usize) -> (Position, Position, &[Position]) {
        let OpenRace { e, later, ends, .. } = &self.races[n];
        (*e, *later, &self.before[self.starts(n).0..ends.0])
    }

    fn starts(&self, n: usize) -> (usize, usize) {
        n.checked_sub(1).map_or((0, 0), |n| self.races[n].ends)
    }

    /// The sequence that is being planned is left to a step that is apart from it.
    pub fn leave_to(&mut self, step: Apart) {
        self.apart.push(step);
    }

    /// The race of `e` and the newest event has been planned: it is open if its sequence was left to some step.
    #[inline(always)]
    pub fn note<S: System>(&mut self, execution: &Execution<S>, e: Position) {
        if self.starts(self.races.len()).1 < self.apart.len() {
            self.note_always(execution, e);
        }
    }

    /// The race of `e` and the newest event is reversed when the execution is complete, whatever comes of it.
    pub fn note_always<S: System>(&mut self, execution: &Execution<S>, e: Position) {
        self.before.extend(execution.before_newest());
        let (len, ends) = (execution.len() as u32, (self.before.len(), self.apart.len()));
        self.races.push(OpenRace { e, later: Position(len - 1), looked_at: Position(len), ends });
    }

    /// A race has been planned by its whole sequence: there is nothing left to look at.
    pub fn forget_newest(&mut self) {
        self.apart.truncate(self.starts(self.races.len()).1);
    }

    /// Whether the steps that a race was left to are still apart from its sequence, now that this has grown. `touches`
    /// says what each is and touches.
    #[inline]
    pub fn is_still_apart<'f, S: System>(
        &mut self,
        n: usize,
        execution: &Execution<S>,
        touches: impl Fn(Apart) -> (Step, &'f Footprint),
    ) -> bool {
        let (start, end) = (self.starts(n).1, Position(execution.len() as u32));
        let OpenRace { e, looked_at, ends, .. } = &mut self.races[n];
        let is_apart = |(step, touches): (Step, &Footprint)| {
            let leaves_apart = |at: Position| {
                let event = execution.event(at);
                // What a load touches that forwards depends on the whole sequence.
                let is_independent =
                    || touches.forwards.is_empty() && execution.system.is_independent(touches, std::iter::once(&event.footprint));
                execution.happens_before(*e, at) || (event.step.actor != step.actor && is_independent())
            };
            (looked_at.0..end.0).map(Position).all(leaves_apart)
        };
        let are_apart = self.apart[start..ends.1].iter().all(|step| is_apart(touches(*step)));
        if are_apart {
            *looked_at = end;
        }
        are_apart
    }

    /// Forgets the races of what is taken back: the event at `at` and all after it.
    #[inline]
    pub fn rewind(&mut self, at: Position) {
        while self.races.pop_if(|race| race.later >= at).is_some() {}
        self.races.iter_mut().for_each(|race| race.looked_at = race.looked_at.min(at));
        let (before, apart) = self.starts(self.races.len());
        self.before.truncate(before);
        self.apart.truncate(apart);
    }
}
