//! Sleep sets: the steps that need not be tried again from here.
//!
//! A step is put to sleep after all schedules that begin with it have been explored, and woken by the first step that
//! depends on it (Godefroid, "Partial-Order Methods", ch. 5).
//!
//! Deviation: a sleeping step is kept with what it touches in the present state, which under TSO and PSO changes while it sleeps: a load that
//! takes its value from the own buffer is independent of others' updates until that buffer entry has been updated.

use crate::System;
use raddle_event::{Footprint, Step};

/// The steps asleep at one point of an execution.
#[derive(Clone, Default)]
pub struct SleepSet {
    asleep: Vec<(Step, Footprint)>,
}

impl SleepSet {
    /// Puts a step to sleep.
    pub fn add(&mut self, step: Step, footprint: Footprint) {
        self.asleep.push((step, footprint));
    }

    /// Whether nothing sleeps.
    pub fn is_empty(&self) -> bool {
        self.asleep.is_empty()
    }

    /// Whether a step sleeps.
    pub fn contains(&self, step: Step) -> bool {
        self.asleep.iter().any(|(asleep, _)| *asleep == step)
    }

    /// The sleeping steps and what they touch.
    pub fn iter(&self) -> impl Iterator<Item = &(Step, Footprint)> {
        self.asleep.iter()
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
