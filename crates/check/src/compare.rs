//! The same program under several models.

use crate::confirm::confirm;
use crate::outcome::{Count, Outcome, Verdict};
use crate::plan::{MemoryModel, Plan};
use crate::search::{Options, check};
use raddle_program::Program;
use raddle_story::{Story, Weak, weak_accesses};
use std::time::Instant;

/// What came of a program under one model.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The model, with the algorithm that explores it.
    pub plan: Plan,
    /// What the check found.
    pub outcome: Outcome,
    /// Whether every execution is possible under SC too; `None` where that is not known, as for models whose graphs
    /// have no coherence.
    pub robust: Option<bool>,
    /// The accesses that would have to be stronger for the first fault not to happen as it did, where that is shown.
    pub weak: Vec<Weak>,
    /// The first fault with its execution.
    pub story: Option<Story>,
    /// How long it took.
    pub seconds: f64,
}

/// Checks a program under a model, by an algorithm that suits the model. All executions are explored, also after a
/// fault, and are looked at for whether they are possible under SC.
pub fn compare(program: &Program, model: MemoryModel, options: &Options, progress: &mut dyn FnMut(&Count)) -> Compared {
    let started = Instant::now();
    let plan = Plan::best(model);
    // Under SC there is nothing to count.
    let options = Options { keep_going: true, count_not_robust: model != MemoryModel::Sc, ..options.clone() };
    let mut outcome = check(program, plan, &options, progress);
    let story = confirm(program, &options.limits, &mut outcome).into_iter().next();
    let is_complete = outcome.verdict != Verdict::Unknown && outcome.limits.is_empty() && outcome.stop.is_none();
    let robust = match outcome.count.not_robust {
        0 => (is_complete && plan.tells_robustness()).then_some(true),
        _ => Some(false),
    };
    let seconds = started.elapsed().as_secs_f64();
    let weak = outcome.found.first().map(|found| weak_accesses(program, plan.judged_by(), &options.limits, found));
    let weak = weak.unwrap_or_default();
    Compared { plan, outcome, robust, weak, story, seconds }
}
