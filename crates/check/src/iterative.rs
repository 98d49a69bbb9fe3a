//! Iterative bounding: the bounds of a plan are raised step by step, so that faults that need little are found soon
//! (Musuvathi, Qadeer, PLDI 2007, for contexts; Zhang, Kusano, Wang, PLDI 2015, for buffers).

use crate::outcome::{Count, Limit, Outcome, Verdict};
use crate::plan::Plan;
use crate::search::{Options, check};
use raddle_program::Program;
use std::time::Instant;

/// Checks with raised bounds until a fault is found or the bounds cut nothing any more. Gives what the last
/// plan led to.
pub fn check_iteratively(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let started = Instant::now();
    let mut plan = plan;
    loop {
        let timeout = options.timeout.map(|timeout| timeout.saturating_sub(started.elapsed()));
        let outcome = check(program, plan, &Options { timeout, ..options.clone() }, progress);
        match plan.raised(&outcome.limits).filter(|_| goes_on(&outcome)) {
            Some(raised) => plan = raised,
            None => return outcome,
        }
    }
}

/// Whether nothing but bounds, of loops too, ended the search.
fn goes_on(outcome: &Outcome) -> bool {
    let is_bound = |limit: &Limit| limit.is_bound() || matches!(limit, Limit::Unroll(_));
    outcome.verdict == Verdict::Unknown && outcome.stop.is_none() && outcome.limits.iter().all(is_bound)
}
