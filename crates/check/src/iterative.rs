//! Bounds that are raised, and a context bound beside no bound.
//!
//! *Raised bounds*: the bounds of a plan are raised step by step, so that faults that need little are found soon
//! (Musuvathi, Qadeer, PLDI 2007, for contexts; Zhang, Kusano, Wang, PLDI 2015, for buffers).
//!
//! *Beside no bound*: within a context bound the reduction is weaker than without one, so that the search may take more
//! runs than that of everything. So both are tried with the same number of runs, which is doubled until one comes to
//! its end. Where that is the search without a bound, and nothing is wrong, nothing is wrong within the bound either.
//! What the bound allows is the answer to what was asked, so that of the other search is only taken where it has fewer
//! runs, and a fault of it where the bounded one has not come to its end with as many. Where bounds are raised, those
//! that have not come to their ends are tried with as many runs too, one more in each round: many threads have too many
//! executions even without preemptions.

use crate::outcome::{Count, Limit, Outcome, Verdict};
use crate::plan::Plan;
use crate::search::{Options, check_plainly, search};
use raddle_program::Program;
use std::time::Instant;

/// How many runs each search has at first.
const FIRST: u64 = 16;

/// Checks with raised bounds until a fault is found or the bounds cut nothing any more. Gives what the last
/// plan led to.
pub fn check_iteratively(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let whole = beside(plan, options);
    Climb { program, options, began: Instant::now(), raises: true }.climb(plan, whole, progress)
}

/// Checks within a context bound, where there is one that can be tried beside none.
pub(crate) fn check_beside_no_bound(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Option<Outcome> {
    let whole = beside(plan, options)?;
    Some(Climb { program, options, began: Instant::now(), raises: false }.climb(plan, Some(whole), progress))
}

/// The plan without its context bound, where nobody insists on an algorithm and nothing counts up to a limit.
fn beside(plan: Plan, options: &Options) -> Option<Plan> {
    let Options { keeps_algorithm, max_executions, max_events, .. } = *options;
    let is_counted = max_executions.is_some() || max_events.is_some() || options.sampling.is_some();
    plan.without_context_bound().filter(|_| !keeps_algorithm && !is_counted)
}

/// A check by several searches.
struct Climb<'c, 'o> {
    program: &'c Program,
    options: &'c Options<'o>,
    began: Instant,
    /// Whether bounds are raised.
    raises: bool,
}

impl Climb<'_, '_> {
    /// Searches within the bounds of a plan, and as long as both are given up after so many runs, by the other one.
    fn climb(&self, plan: Plan, mut whole: Option<Plan>, progress: &mut dyn FnMut(&Count)) -> Outcome {
        let mut open = vec![plan];
        let mut most = FIRST;
        loop {
            let all = whole.map(|whole| self.search(whole, Some(most), progress));
            if all.as_ref().is_some_and(|all| all.stop.is_some()) {
                whole = None;
            }
            let all = all.filter(|all| all.stop.is_none() && !is_given_up(all));
            if let Some(all) = all.as_ref().filter(|all| all.verdict != Verdict::Refuted) {
                return self.within_as_many(plan, all, progress).unwrap_or_else(|| all.clone());
            }
            if let Some(outcome) = self.round(&mut open, whole.map(|_| most), progress) {
                return outcome;
            }
            if let Some(all) = all {
                return all;
            }
            most *= 2;
        }
    }

    /// What the search within the bounds of a plan finds, where it takes no more runs than the one without has taken,
    /// and bounds are not to be raised anyway.
    fn within_as_many(&self, plan: Plan, all: &Outcome, progress: &mut dyn FnMut(&Count)) -> Option<Outcome> {
        let runs = all.count.executions + all.count.blocked + all.count.redundant;
        let within = (!self.raises).then(|| self.search(plan, Some(runs), progress));
        within.filter(|within| !is_given_up(within))
    }

    /// Searches once within each of the bounds that are open, with so many runs. Gives the answer where there is one.
    fn round(&self, open: &mut Vec<Plan>, most: Option<u64>, progress: &mut dyn FnMut(&Count)) -> Option<Outcome> {
        let mut n = 0;
        while n < open.len() {
            let outcome = self.search(open[n], most, progress);
            let is_last = n + 1 == open.len();
            let raised = open[n].raised(&outcome.limits).filter(|_| self.raises);
            if is_given_up(&outcome) && outcome.verdict != Verdict::Refuted {
                // The next one is tried in the next round.
                open.extend(raised.filter(|_| is_last));
                n += if is_last { 2 } else { 1 };
            } else if let Some(raised) = raised.filter(|_| goes_on(&outcome)) {
                open.extend(Some(raised).filter(|_| is_last));
                open.remove(n);
            } else {
                return Some(outcome);
            }
        }
        None
    }

    /// One search, where it is given a number of runs; else whatever the plan needs.
    fn search(&self, plan: Plan, max_runs: Option<u64>, progress: &mut dyn FnMut(&Count)) -> Outcome {
        if let Some(board) = self.options.board {
            board.restart();
        }
        let timeout = self.options.timeout.map(|timeout| timeout.saturating_sub(self.began.elapsed()));
        let options = Options { timeout, max_runs, ..self.options.clone() };
        match max_runs {
            Some(_) => search(self.program, plan, &options, progress),
            None => check_plainly(self.program, plan, &options, progress),
        }
    }
}

/// Whether a search was given up for its number of runs.
fn is_given_up(outcome: &Outcome) -> bool {
    outcome.limits.iter().any(|limit| matches!(limit, Limit::Executions(_)))
}

/// Whether nothing but bounds, of loops too, ended the search.
fn goes_on(outcome: &Outcome) -> bool {
    let is_bound = |limit: &Limit| limit.is_bound() || matches!(limit, Limit::Unroll(_));
    outcome.verdict == Verdict::Unknown && outcome.stop.is_none() && outcome.limits.iter().all(is_bound)
}
