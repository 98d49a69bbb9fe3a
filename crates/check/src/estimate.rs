//! How many executions a check will have, before it has had them: a range that holds the number in nine cases of ten,
//! as far as that was measured (docs/estimates.md).
//!
//! A few hundred executions are explored as always: where that is all, the number is known. Then the executions are
//! gone through again and thinned out, several times ([`Thinning`]). Each of these *tours* says a number; the range
//! comes from how far they are apart.
//!
//! Tours go through a tree whose branches are known beforehand, since those of `optimal` are found on the way and would
//! be missed: under SC and TSO the graphs, of which there are as many (docs/algorithms/graphs.md), else the schedules
//! by sleep sets alone. Those of commits are found on the way, some of them: what tours say of these is too low at
//! times.

use crate::barrier::guarded;
use crate::plan::{Algorithm, Plan};
use crate::search::{Each, Options, explore_all};
use raddle_explore::{Branch, End, Thinning};
use raddle_join::{Conclusion, Ending, Stop};
use raddle_machine::Blocked;
use raddle_program::Program;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// How many executions are explored as always first.
const FIRST: u64 = 500;

/// How many events a tour may have: where it has more, nothing is said.
const MOST_EVENTS: u64 = 2_000_000;

/// The fewest tours from which a range is made.
const LEAST_TOURS: usize = 4;

/// By how much the range is wider than tours that are normally distributed would have it. Tours are skewed: most say
/// too little, few far too much.
const CARE: f64 = 2.0;

/// The greatest range of which something is said: the most is so many times the least.
const WIDEST: f64 = 1e4;

/// How many executions there are, from the least to the most that is likely.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The least.
    pub low: f64,
    /// The most likely.
    pub likely: f64,
    /// The most.
    pub high: f64,
    /// Whether all of them were counted.
    pub is_exact: bool,
}

/// Tours of the executions of a program. They go on for as long as somebody wants to know it better; those of several
/// workers, here or elsewhere, can be put together ([`from_tours`]).
pub struct Estimator<'p> {
    program: &'p Program,
    options: Options<'p>,
    /// The plan of the check, and those by which tours go that have not failed.
    plan: Plan,
    ways: Vec<Plan>,
    thinning: Thinning,
    seed: u64,
    tours: Vec<f64>,
    /// How many executions were explored as always, and whether these are all.
    first: Option<(u64, bool)>,
    /// How many events have happened so far.
    events: u64,
}

impl<'p> Estimator<'p> {
    /// Nothing is known yet. None where only a part of the executions is explored, or all schedules are.
    pub fn new(program: &'p Program, plan: Plan, options: &Options<'p>, seed: u64) -> Option<Estimator<'p>> {
        let is_known = plan.algorithm != Algorithm::Naive && plan.context_bound.is_none() && options.sampling.is_none();
        // The last one is tried first.
        let ways = [Some(plan), plan.as_graphs()].into_iter().flatten().collect();
        let options = Options { board: None, jobs: 1, ..options.clone() };
        let thinning = Thinning::new(seed);
        let estimator = Estimator { program, options, plan, ways, thinning, seed, tours: Vec::new(), first: None, events: 0 };
        is_known.then_some(estimator)
    }

    /// Explores a little: as always at first, then a tour. Tells whether there may be more to learn.
    pub fn go_on(&mut self) -> bool {
        match (self.first, self.ways.last()) {
            (None, _) => self.begin(),
            (Some((_, false)), Some(&way)) => self.tour(way),
            (Some(_), _) => {}
        }
        !self.first.is_some_and(|(_, is_all)| is_all) && !self.ways.is_empty()
    }

    fn begin(&mut self) {
        let mut tour = Tour { most: Some(FIRST), ..Tour::of(Thinning::new(0)) };
        let is_whole = self.explore(self.plan, &mut tour);
        self.first = Some((tour.executions, is_whole));
        if !is_whole && tour.executions < FIRST {
            self.ways.clear();
        }
    }

    /// One tour. The first one of its kind learns where branches are, and says nothing.
    fn tour(&mut self, way: Plan) {
        let is_first = self.thinning.n_tours() == 0;
        let thinning = std::mem::replace(&mut self.thinning, Thinning::new(self.seed));
        let refuses_spins = way.algorithm != self.plan.algorithm;
        let mut tour = Tour { refuses_spins, ..Tour::of(thinning) };
        tour.thinning.begin();
        if !self.explore(way, &mut tour) {
            self.ways.pop();
            self.tours.clear();
            return;
        }
        self.thinning = tour.thinning;
        let says = self.thinning.end();
        if !is_first {
            self.tours.push(says);
        }
    }

    /// Tells whether it came to its end.
    fn explore(&mut self, plan: Plan, tour: &mut Tour) -> bool {
        let options = Options { thins: tour.most.is_none(), ..self.options.clone() };
        let explored = guarded(|| explore_all(self.program, plan, &options, tour));
        self.events += tour.events;
        explored.is_ok() && !tour.is_over
    }

    /// How many executions were explored as always.
    pub fn n_first(&self) -> u64 {
        self.first.map_or(0, |(executions, _)| executions)
    }

    /// How many events have happened so far, by which it can be judged what it has cost.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What each tour says, for who puts those of several workers together.
    pub fn tours(&self) -> &[f64] {
        &self.tours
    }

    /// What is known so far, where something honest can be said.
    pub fn estimate(&self) -> Option<Estimate> {
        match self.first? {
            (known, true) => {
                let known = known as f64;
                Some(Estimate { low: known, likely: known, high: known, is_exact: true })
            }
            (first, false) => from_tours(&self.tours, first as f64),
        }
    }
}

/// The range from what tours say. There are more executions than `least`.
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
    let (low, high) = (mean / factor, mean * factor);
    let is_sane = low.is_finite() && high.is_finite() && high >= least && factor * factor <= WIDEST;
    is_sane.then(|| Estimate { low: low.max(least), likely: mean.max(least), high, is_exact: false })
}

/// One tour.
struct Tour {
    thinning: Thinning,
    executions: u64,
    events: u64,
    /// How many executions it may have, where nothing is passed by.
    most: Option<u64>,
    refuses_spins: bool,
    /// Whether it was broken off.
    is_over: bool,
}

impl Tour {
    fn of(thinning: Thinning) -> Tour {
        Tour { thinning, executions: 0, events: 0, most: None, refuses_spins: false, is_over: false }
    }

    fn break_off(&mut self) -> ControlFlow<()> {
        self.is_over = true;
        ControlFlow::Break(())
    }
}

impl Each for Tour {
    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()> {
        match ending.stop() {
            Some(Stop::Contradicted) => return ControlFlow::Break(()),
            Some(_) => return self.break_off(),
            None => {}
        }
        if end == End::Redundant {
            return ControlFlow::Continue(());
        }
        if self.refuses_spins && matches!(ending.conclusion(), Conclusion::Blocked(Blocked::Spin) | Conclusion::Livelock(_)) {
            return self.break_off();
        }
        self.executions += 1;
        self.thinning.reach();
        match self.most {
            Some(most) if self.executions > most => self.break_off(),
            _ => ControlFlow::Continue(()),
        }
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.events += 1;
        if self.events >= MOST_EVENTS { self.break_off() } else { ControlFlow::Continue(()) }
    }

    fn wants(&mut self, branch: Branch) -> bool {
        self.most.is_some() || self.thinning.keeps(branch)
    }

    fn restart(&mut self) {
        self.executions = 0;
        self.thinning.begin();
    }
}
