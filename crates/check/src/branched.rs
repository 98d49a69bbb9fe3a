//! What the executions of a check come from, in the words of the source: the greatest parts, by the executions that a
//! search has kept as examples.

use crate::barrier::guarded;
use crate::outcome::Outcome;
use raddle_explore::Concern;
use raddle_machine::{Limits, Witness};
use raddle_program::Program;
use raddle_story::{Accessed, Told, tell_execution};
use std::sync::Arc;

/// How many concerns are named.
const MOST: usize = 8;

/// What some of the executions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// How many executions, complete or blocked, come from it: have a branch on their path that concerns it.
    pub executions: u64,
    /// What it is.
    pub what: Named,
}

/// What branches concern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// What the program leaves open.
    Choice,
    /// A variable, and where it is accessed.
    Variable(Accessed),
    /// Memory of which no example was kept.
    Unnamed,
}

/// From what most of the executions come, the greatest part first.
pub fn causes(program: &Program, limits: &Limits, outcome: &Outcome) -> Vec<Cause> {
    let mut all: Vec<(Concern, u64)> = outcome.branched.executions.iter().map(|(concern, n)| (*concern, *n)).collect();
    all.sort_by_key(|&(concern, n)| (std::cmp::Reverse(n), concern));
    all.truncate(MOST);
    let mut told: Vec<(Arc<Witness>, Option<Told>)> = Vec::new();
    let mut named = |concern: Concern| {
        let Some(range) = concern else { return Named::Choice };
        // Most executions access everything, so that one is enough.
        if let Some(accessed) = told.iter().find_map(|(_, told)| told.as_ref()?.accessed(range)) {
            return Named::Variable(accessed);
        }
        let Some(example) = outcome.branched.examples.get(&concern) else { return Named::Unnamed };
        let n = told.iter().position(|(known, _)| Arc::ptr_eq(known, example)).unwrap_or_else(|| {
            let again = guarded(|| tell_execution(program, outcome.plan.judged_by(), limits, example));
            told.push((example.clone(), again.ok().and_then(Result::ok)));
            told.len() - 1
        });
        told[n].1.as_ref().and_then(|told| told.accessed(range)).map_or(Named::Unnamed, Named::Variable)
    };
    all.into_iter().map(|(concern, executions)| Cause { executions, what: named(concern) }).collect()
}
