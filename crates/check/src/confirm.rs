//! Confirms what a search has found: each witness is run again by the judge, which shares nothing with the search. What
//! does not show then is a mistake of Raddle, not of the program, and takes no other fault with it. What is confirmed
//! is shortened.

use crate::barrier::guarded;
use crate::outcome::{Outcome, Verdict};
use crate::plan::Plan;
use raddle_join::Stop;
use raddle_machine::{Found, Limits};
use raddle_program::Program;
use raddle_story::{Story, Untold, judge, shortened, tell};

/// Tells the story of each fault. Those that the judge does not confirm are taken out of the outcome, and named in it
/// as a failure; the others are as the judge sees them.
pub fn confirm(program: &Program, limits: &Limits, outcome: &mut Outcome) -> Vec<Story> {
    let (mut stories, plan) = (Vec::new(), outcome.plan);
    for found in std::mem::take(&mut outcome.found) {
        match told(program, plan, limits, &found) {
            Ok(story) => {
                let found = Found::of(&story.fault, found.witness);
                let (found, story) = shorter(program, plan, limits, &found).unwrap_or((found, story));
                outcome.found.push(found);
                stories.push(story);
            }
            Err(what) => outcome.stop = Some(Stop::Failed { what }),
        }
    }
    if outcome.found.is_empty() && outcome.verdict == Verdict::Refuted {
        outcome.verdict = Verdict::Unknown;
    }
    stories
}

/// The same fault with a shorter witness, where there is one.
fn shorter(program: &Program, plan: Plan, limits: &Limits, found: &Found) -> Option<(Found, Story)> {
    let short = guarded(|| shortened(program, plan.judged_by(), limits, found.clone())).ok()?;
    if short.witness.path == found.witness.path {
        return None;
    }
    let story = told(program, plan, limits, &short).ok()?;
    Some((short, story))
}

/// The story of a fault; without its execution where that cannot be told.
fn told(program: &Program, plan: Plan, limits: &Limits, found: &Found) -> Result<Story, String> {
    let unshown =
        |why: Untold| format!("the search reports `{}: {}`, but its execution does not show it ({why:?})", found.kind, found.message);
    match guarded(|| tell(program, plan.judged_by(), limits, found)) {
        Ok(story) => story.map_err(unshown),
        Err(what) => match guarded(|| judge(program, plan.judged_by(), limits, found)) {
            Ok(fault) => fault.map(|fault| Story::bare(program, fault, format!("internal error: {what}"))).map_err(unshown),
            Err(what) => Err(what),
        },
    }
}
