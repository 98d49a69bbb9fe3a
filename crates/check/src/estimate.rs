//! How many executions a check will have, before it has had them: a range that holds the number in nine cases of ten,
//! as far as that can be measured (docs/estimates.md).
//!
//! A few hundred executions are explored as always: where that is all, the number is known. Then the exploration is
//! thinned out, several times ([`Thinning`]). Each of these *tours* says a number; the range comes from how far they
//! are apart.

use crate::plan::{Algorithm, Plan};
use crate::search::{Each, Options, explore_all};
use crate::barrier::guarded;
use raddle_explore::{Branch, End, Thinning};
use raddle_join::{Ending, Stop};
use raddle_program::Program;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// How many executions are explored as always first.
const FIRST: u64 = 500;

/// How many events a tour may have: where it has more, nothing is said.
const MOST_EVENTS: u64 = 4_000_000;

/// The fewest tours from which a range is made.
const LEAST_TOURS: usize = 4;

/// By how much the range is wider than tours that are normally distributed would have it. Tours are skewed: most say
/// too little, few far too much. Measured, with the test of `raddle estimate`.
const CARE: f64 = 2.0;

/// How many executions there are, from the least to the most that is likely.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The least.
    pub low: f64,
    /// The most likely.
    pub likely: f64,
    /// The most.
    pub high: f64,
}

impl Estimate {
    /// Whether all were counted.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }
}

/// Tours of the executions of a program. They go on for as long as somebody wants to know it better; those of several
/// workers can be put together.
pub struct Estimator<'p> {
    program: &'p Program,
    plan: Plan,
    options: Options<'p>,
    thinning: Thinning,
    tours: Vec<f64>,
    /// How many executions were explored as always.
    n_first: u64,
    /// How many executions there are, where that is known.
    known: Option<u64>,
    /// Whether the executions are too long, or cannot be run.
    is_silent: bool,
    /// How many events have happened so far.
    events: u64,
}

impl<'p> Estimator<'p> {
    /// Nothing is known yet. None where the algorithm is one whose branches are not told.
    pub fn new(program: &'p Program, plan: Plan, options: &Options<'p>, seed: u64) -> Option<Estimator<'p>> {
        let tells = plan.algorithm != Algorithm::Naive && plan.context_bound.is_none() && options.sampling.is_none();
        let thinning = Thinning::new(seed);
        let options = Options { board: None, jobs: 1, ..options.clone() };
        let estimator = Estimator { program, plan, options, thinning, tours: Vec::new(), n_first: 0, known: None, is_silent: false, events: 0 };
        tells.then_some(estimator)
    }

    /// Explores a little: as always at first, then a tour. Tells whether there may be more to learn.
    pub fn go_on(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        let is_first = self.events == 0;
        self.thinning.begin();
        let thinning = if is_first { Thinning::new(0) } else { std::mem::replace(&mut self.thinning, Thinning::new(0)) };
        let mut tour = Tour { thinning, executions: 0, events: 0, is_first, is_over: false };
        let explored = guarded(|| explore_all(self.program, self.plan, &self.options, &mut tour));
        let Tour { thinning, executions, events, is_over, .. } = tour;
        self.thinning = thinning;
        self.events += events.max(1);
        self.is_silent = explored.is_err() || events >= MOST_EVENTS && !(is_first && executions > 0);
        if is_first {
            self.n_first = executions;
            self.known = (!is_over && !self.is_silent).then_some(executions);
        } else if !is_over {
            let says = self.thinning.end();
            self.tours.push(says);
        } else {
            self.is_silent = true;
        }
        !self.is_over()
    }

    /// Whether nothing can be learned any more.
    fn is_over(&self) -> bool {
        self.known.is_some() || self.is_silent
    }

    /// How many events have happened so far, by which it can be judged what it has cost.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// How many executions were explored as always.
    pub fn n_first(&self) -> u64 {
        self.n_first
    }

    /// What each tour says, for who puts those of several workers together.
    pub fn tours(&self) -> &[f64] {
        &self.tours
    }

    /// What is known so far, where something honest can be said.
    pub fn estimate(&self) -> Option<Estimate> {
        match self.known {
            Some(known) => Some(Estimate { low: known as f64, likely: known as f64, high: known as f64 }),
            None if self.is_silent => None,
            None => from_tours(&self.tours, FIRST as f64),
        }
    }
}

/// The range from what tours say, which are at least so many executions.
pub fn from_tours(tours: &[f64], least: f64) -> Option<Estimate> {
    if tours.len() < LEAST_TOURS {
        return None;
    }
    let n = tours.len() as f64;
    let mean = tours.iter().sum::<f64>() / n;
    let variance = tours.iter().map(|tour| (tour - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // How far the mean is off, as a part of it; and the same of logarithms, since it cannot be below zero.
    let off = (variance / n).sqrt() / mean;
    let factor = (CARE * 1.645 * (1.0 + off * off).ln().sqrt()).exp() * 1.05;
    Some(Estimate { low: (mean / factor).max(least), likely: mean.max(least), high: (mean * factor).max(least) })
}

/// One tour.
struct Tour {
    thinning: Thinning,
    executions: u64,
    events: u64,
    /// Whether nothing is passed by.
    is_first: bool,
    /// Whether it was broken off.
    is_over: bool,
}

impl Each for Tour {
    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()> {
        if let Some(stop) = ending.stop() {
            self.is_over = *stop != Stop::Contradicted;
            return ControlFlow::Break(());
        }
        if end == End::Maximal {
            self.executions += 1;
            self.thinning.reach();
        }
        if self.is_first && self.executions >= FIRST {
            self.is_over = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.events += 1;
        if self.events >= MOST_EVENTS {
            self.is_over = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn wants(&mut self, branch: Branch) -> bool {
        self.is_first || self.thinning.keeps(branch)
    }

    fn restart(&mut self) {
        self.executions = 0;
        self.thinning.begin();
    }
}
