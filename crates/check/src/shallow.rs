//! What is a few rounds away, where an execution does not seem to end.
//!
//! The search is depth-first: it follows the first loop that it can go round for ever, and never comes to the
//! executions that leave the loop early. Where it was given up for such an execution and nothing is wrong so far, the
//! program is explored again with each loop cut after 1, 2, 4 and 8 iterations, for a while. What goes wrong there goes
//! wrong without the cut too, since a cut only ends executions early. Nothing else is concluded.
//!
//! So what has become so long in the first second of a search is given up in haste. Where nothing is wrong among the
//! few rounds, the search begins again, with all its patience. Where all faults are wanted it has its patience from the
//! beginning.

use crate::outcome::{Outcome, Verdict};
use crate::plan::Plan;
use crate::search::{Options, search};
use raddle_join::Stop;
use raddle_machine::Limits;
use raddle_program::Program;
use std::time::{Duration, Instant};

/// After how many iterations loops are cut, in turn.
const ROUNDS: [u32; 4] = [1, 2, 4, 8];

/// How long to look in all.
const LONG: Duration = Duration::from_secs(5);

/// Whether a search was given up for an execution that does not seem to end, with nothing found and time left.
pub fn is_wanted(outcome: &Outcome, options: &Options) -> bool {
    let is_endless = matches!(outcome.stop, Some(Stop::Endless { .. })) && outcome.verdict == Verdict::Unknown;
    is_endless && may_be_shallow(options)
}

/// Whether there is time, and loops are not cut anyway.
fn may_be_shallow(options: &Options) -> bool {
    options.timeout.is_none() && options.limits.unroll.is_none() && options.sampling.is_none()
}

/// How long a search is hasty.
const HASTY: Duration = Duration::from_secs(1);

/// Whether a search gives up early, at first, what goes on and on.
pub fn is_hasty(options: &Options) -> bool {
    options.limits.patience.is_some() && may_be_shallow(options) && !options.keep_going
}

/// The options of such a search, where one is.
pub fn in_haste<'o>(options: &Options<'o>) -> Options<'o> {
    let until = Some(Instant::now() + HASTY).filter(|_| is_hasty(options));
    Options { limits: Limits { hasty_until: until, ..options.limits.clone() }, ..options.clone() }
}

/// The options of another search of the same program, which is as hasty from now on.
pub fn renewed<'o>(options: &Options<'o>) -> Options<'o> {
    let hasty_until = options.limits.hasty_until.map(|_| Instant::now() + HASTY);
    Options { limits: Limits { hasty_until, ..options.limits.clone() }, ..options.clone() }
}

/// The outcome of a search among executions with few rounds, where it finds a fault.
pub fn look(program: &Program, plan: Plan, options: &Options) -> Option<Outcome> {
    let began = Instant::now();
    ROUNDS.into_iter().find_map(|rounds| {
        let left = LONG.checked_sub(began.elapsed())?;
        let limits = Limits { unroll: Some(rounds), ..options.limits.clone() };
        let options = Options { limits, timeout: Some(left), ..options.clone() };
        let outcome = search(program, plan, &options, &mut |_| {});
        (outcome.verdict == Verdict::Refuted).then_some(outcome)
    })
}
