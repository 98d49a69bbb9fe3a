//! Sampling: executions drawn at random, where there are too many to explore them all.
//!
//! A sample is a walk from the start to the end of an execution. It proves nothing about the executions that were not
//! drawn. Who goes next is decided by a [`Strategy`]:
//!
//! - *uniform*: each that can go on, with the same probability;
//! - *PCT* (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic guarantees of
//!   finding bugs", ASPLOS 2010): the one with the highest priority, and at `depth` - 1 random points the one that
//!   would go next gets a priority below all that were given at the start;
//! - *POS* (Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018): every event has a random priority,
//!   and an event that conflicts with the one that was taken draws a new one.
//!
//! Deviations: actors are threads and, where stores are buffered, the buffers that are updated, so that an update can
//! be late for as long as another thread's step can. A choice is made as soon as it can be, each outcome with the same
//! probability. How many steps PCT has to reckon with is the longest sample so far, and only the samples since it was
//! last raised count for what PCT promises ([`Guarantee`]). Over graphs what a read reads from and where a write stands
//! are drawn with equal probability, for which PCT promises nothing.

mod chooser;
mod commits;
mod graphs;
mod schedules;

pub use commits::sample_commits;
pub use graphs::sample_graphs;
pub use schedules::sample_schedules;

use chooser::Chooser;
use std::ops::ControlFlow;

/// Who goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Each that can go on, with the same probability.
    Uniform,
    /// By priorities that change at few random points.
    Pct {
        /// How many orders between two steps a fault needs to show itself; at least one.
        depth: u32,
    },
    /// By random priorities of events that are drawn anew where events conflict.
    Pos,
}

/// What is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// How many executions.
    pub samples: u64,
    /// What the random numbers begin with. The same ones give the same samples.
    pub seed: u64,
    /// Who goes next.
    pub strategy: Strategy,
}

/// What PCT promises: a fault of this depth, in executions of at most so many actors and steps, is missed by each
/// sample with a probability of at most 1 - 1 / (actors · steps^(depth - 1)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Guarantee {
    /// How many take steps in an execution: threads, and buffers that are updated.
    pub actors: u32,
    /// How many steps an execution has.
    pub steps: u32,
    /// How many orders between two steps the fault needs.
    pub depth: u32,
    /// How many samples reckoned with so many steps.
    pub samples: u64,
}

impl Guarantee {
    /// The least probability with which such a fault has been found.
    pub fn probability(&self) -> f64 {
        let steps = f64::from(self.steps.max(1));
        let once = 1.0 / (f64::from(self.actors.max(1)) * steps.powf(f64::from(self.depth - 1)));
        1.0 - (1.0 - once).powf(self.samples as f64)
    }
}

/// Draws samples by `walk` until there are enough or the sink breaks; gives what the strategy promises of them.
fn draw(sampling: &Sampling, mut walk: impl FnMut(&mut Chooser) -> ControlFlow<()>) -> Chooser {
    let mut chooser = Chooser::new(sampling);
    for _ in 0..sampling.samples {
        chooser.begin();
        if walk(&mut chooser).is_break() {
            break;
        }
        chooser.end();
    }
    chooser
}

#[cfg(test)]
mod tests;
