//! Sleep sets: the steps that need not be tried again from here.
//!
//! A step is put to sleep after all schedules that begin with it have been explored, and woken by the first step that
//! depends on it (Godefroid, "Partial-Order Methods", ch. 5).
//!
//! Deviation: a sleeping step is kept with what it touches in the present state, which under TSO and PSO changes while
//! it sleeps: a load that takes its value from the own buffer is independent of others' updates until that buffer entry
//! has been updated.

use crate::System;
use crate::initials::Cover;
use raddle_event::{Footprint, Step, now_and_then};

/// The steps asleep at one point of an execution.
///
/// Invariant: no step is there twice.
#[derive(Clone, Default)]
pub struct SleepSet {
    asleep: Vec<(Step, Footprint)>,
}

impl SleepSet {
    /// The set of these steps, with what they touch.
    pub fn of(asleep: Vec<(Step, Footprint)>) -> SleepSet {
        let set = SleepSet { asleep };
        debug_assert!(set.is_sound());
        set
    }

    /// Decides the invariant from scratch.
    fn is_sound(&self) -> bool {
        (1..self.asleep.len()).all(|n| self.asleep[..n].iter().all(|(step, _)| *step != self.asleep[n].0))
    }

    /// The steps with what they touch.
    pub fn all(&self) -> &[(Step, Footprint)] {
        &self.asleep
    }

    /// Puts a step to sleep.
    pub fn add(&mut self, step: Step, footprint: Footprint) {
        self.asleep.push((step, footprint));
        debug_assert!(!now_and_then(self.asleep.len()) || self.is_sound());
    }

    /// Whether nothing sleeps.
    pub fn is_empty(&self) -> bool {
        self.asleep.is_empty()
    }

    /// Whether a step sleeps.
    pub fn contains(&self, step: Step) -> bool {
        self.asleep.iter().any(|(asleep, _)| *asleep == step)
    }

    /// A sleeping step, by its place, and what it touches.
    pub fn get(&self, at: usize) -> (Step, &Footprint) {
        let (step, footprint) = &self.asleep[at];
        (*step, footprint)
    }

    /// The place of a sleeping step that covers a sequence, and how, if one does: one that begins it, where there is
    /// one.
    #[inline(always)]
    pub fn cover(&self, cover: impl Fn(Step, &Footprint) -> Option<Cover>) -> Option<(usize, Cover)> {
        let mut found = None;
        for (at, (step, footprint)) in self.asleep.iter().enumerate() {
            match cover(*step, footprint) {
                Some(Cover::Apart) => found = Some((at, Cover::Apart)),
                Some(begins) => return Some((at, begins)),
                None => {}
            }
        }
        found
    }

    /// Makes of `next` what still sleeps after `step` is taken, before it is taken.
    #[inline]
    pub fn after<S: System>(&self, system: &S, step: Step, footprint: &Footprint, next: &mut SleepSet) {
        next.asleep.clear();
        for sleeping in &self.asleep {
            let (asleep, touches) = sleeping;
            if asleep.actor != step.actor && system.is_independent(touches, std::iter::once(footprint)) {
                next.asleep.push(sleeping.clone());
            }
        }
    }

    /// Looks again at what the sleeping steps touch, in the state that has now been reached.
    #[inline]
    pub fn look_again<S: System>(&mut self, system: &S) {
        for (step, footprint) in &mut self.asleep {
            if !footprint.forwards.is_empty() {
                *footprint = system.footprint(step.actor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Op::*, Toy, step};
    use raddle_event::LocationId;

    fn touching(thread: u32, read: Option<u32>, write: Option<u32>) -> Footprint {
        Footprint { read: read.map(LocationId), write: write.map(LocationId), thread, ..Footprint::default() }
    }

    /// T0 sleeps at a read of x, T1 at a write of y.
    fn set() -> SleepSet {
        let mut set = SleepSet::default();
        set.add(step(0), touching(0, Some(0), None));
        set.add(step(1), touching(1, None, Some(1)));
        set
    }

    #[test]
    fn a_step_sleeps_until_one_that_depends_on_it() {
        let toy = Toy::new(&[&[Read(0)], &[Write(1)], &[]]);
        let mut next = SleepSet::default();
        let mut asleep = |read, write| {
            set().after(&toy, step(2), &touching(2, read, write), &mut next);
            [0, 1].map(|thread| next.contains(step(thread)))
        };
        assert_eq!(asleep(Some(0), None), [true, true], "two reads do not depend on each other");
        assert_eq!(asleep(None, Some(0)), [false, true]);
        assert_eq!(asleep(Some(1), None), [true, false]);
        assert_eq!(asleep(None, Some(2)), [true, true]);
        set().after(&toy, step(0), &touching(0, Some(0), None), &mut next);
        assert!(!next.contains(step(0)) && next.contains(step(1)), "what is taken does not sleep any more");
    }

    #[test]
    fn a_step_that_begins_the_sequence_covers_better_than_one_that_is_apart() {
        let cover =
            |begins: u32| move |step: Step, _: &Footprint| Some(if step.actor.0 == begins { Cover::Begins(7) } else { Cover::Apart });
        assert_eq!(set().cover(cover(0)), Some((0, Cover::Begins(7))));
        assert_eq!(set().cover(cover(1)), Some((1, Cover::Begins(7))));
        assert_eq!(set().cover(cover(9)).map(|(_, cover)| cover), Some(Cover::Apart));
        assert_eq!(set().cover(|_, _| None), None);
    }
}
