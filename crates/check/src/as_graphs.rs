//! Long explorations under SC, TSO and PSO: as graphs.
//!
//! Graphs take less time for most programs, and are divided well, while what a part of an exploration of schedules
//! hands back costs more than several workers save (decision 16). Under these models there is one execution for each
//! graph of program order, reads-from and coherence either way, so the answer is the same
//! ([docs/algorithms/graphs.md](../../../docs/algorithms/graphs.md)). Where `optimal` has not come to its end after a
//! while, the program is explored once more as graphs. That does not depend on how many workers there are, so that
//! neither does the answer.
//!
//! Graphs may not answer: of executions in which a loop waits for ever they may count more, and they refuse blocks that
//! are one step and accesses of several sizes. Then `optimal` goes on alone, from the beginning.

use crate::divide::ALONE;
use crate::outcome::{Count, Limit, Outcome, Verdict};
use crate::plan::Plan;
use crate::search::{Options, search};
use crate::shallow;
use raddle_program::Program;
use std::time::Instant;

/// How many events schedules have in the time in which one worker stays alone: about one in a microsecond. They are
/// counted, so that the same program is explored in the same way each time.
fn events(options: &Options) -> u64 {
    options.alone.unwrap_or(ALONE).as_micros() as u64
}

/// Checks a program, by graphs where these are worth while and mean the same.
pub(crate) fn check(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let Some(graphs) = plan.as_graphs().filter(|_| is_wanted(options)) else {
        return search(program, plan, options, progress);
    };
    let began = Instant::now();
    let first = search(program, plan, &Options { max_events: Some(events(options)), ..options.clone() }, progress);
    if !is_given_up(&first) {
        return first;
    }
    let mut again = |plan: Plan, refuses_spins: bool| {
        if let Some(board) = options.board {
            board.restart();
        }
        let timeout = options.timeout.map(|timeout| timeout.saturating_sub(began.elapsed()));
        let haste = shallow::renewed(options);
        search(program, plan, &Options { timeout, refuses_spins, ..haste }, progress)
    };
    let by_graphs = again(graphs, true);
    if is_answer(&by_graphs, options) { by_graphs } else { again(plan, false) }
}

/// Where graphs that are explored elsewhere do not answer, schedules are explored here.
pub(crate) fn or_schedules(
    program: &Program,
    options: &Options,
    outcome: Outcome,
    began: Instant,
    progress: &mut dyn FnMut(&Count),
) -> Outcome {
    let schedules = Plan::best(outcome.plan.name);
    if !options.refuses_spins || is_answer(&outcome, options) || schedules.as_graphs() != Some(outcome.plan) {
        return outcome;
    }
    let timeout = options.timeout.map(|timeout| timeout.saturating_sub(began.elapsed()));
    search(program, schedules, &Options { timeout, refuses_spins: false, ..options.clone() }, progress)
}

/// Whether nobody wants to know what graphs do not say, and nothing counts up to a limit.
fn is_wanted(options: &Options) -> bool {
    let Options { keeps_algorithm, races, robustness, count_not_robust, liveness, max_executions, max_events, .. } = *options;
    let is_asked_for_more = races || robustness || count_not_robust || liveness;
    let is_counted = max_executions.is_some() || max_events.is_some() || options.sampling.is_some();
    !keeps_algorithm && !is_asked_for_more && !is_counted
}

/// Whether a search was given up for its number of events, whatever it had found or cut by then.
fn is_given_up(outcome: &Outcome) -> bool {
    outcome.limits.iter().any(|limit| matches!(limit, Limit::Events(_)))
}

/// Whether what graphs say is the answer: they came to their end, or to a fault that is the last one wanted, or were
/// ended from outside.
fn is_answer(outcome: &Outcome, options: &Options) -> bool {
    outcome.stop.is_none() || (outcome.verdict == Verdict::Refuted && !options.keep_going)
}
