//! What a page of litmus tests shows: for each outcome how many executions have it, and the first of them.

use raddle_check::Plan;
use raddle_join::Ending;
use raddle_litmus::{Tally, Test};
use raddle_machine::{Limits, Witness};
use raddle_report::{DrawnOutcome, DrawnTest};
use raddle_story::tell_execution;
use std::collections::BTreeMap;

/// Of how many outcomes of a test an execution is drawn.
const MOST_DRAWN: usize = 64;

/// The outcomes of a test so far, by what herd7 prints of them and whether the condition holds.
#[derive(Default)]
pub struct Outcomes(BTreeMap<(String, bool), (u64, Option<Witness>)>);

impl Outcomes {
    /// There is one more execution, which ends with these values.
    pub fn add(&mut self, test: &Test, values: &[u64], ending: &dyn Ending) {
        if !test.passes_filter(values) {
            return;
        }
        let is_drawn = self.0.len() < MOST_DRAWN;
        let first = || (0, is_drawn.then(|| ending.witness()));
        self.0.entry((test.state(values), test.holds(values))).or_insert_with(first).0 += 1;
    }

    /// The test with its outcomes, each told by its execution.
    pub fn drawn(self, test: &Test, text: String, (plan, limits): (Plan, &Limits), tally: &Tally) -> DrawnTest {
        let told = |witness: Witness| tell_execution(&test.program, plan.judged_by(), limits, &witness).ok();
        let outcome = |((state, holds), (executions, witness)): ((String, bool), (u64, Option<Witness>))| DrawnOutcome {
            state,
            executions,
            holds,
            told: witness.and_then(told),
        };
        DrawnTest {
            test: test.name.clone(),
            model: plan.name.title(),
            text,
            condition: test.condition_text.clone(),
            observation: tally.observation().word(),
            is_ok: tally.is_ok(),
            flags: tally.flags(),
            outcomes: self.0.into_iter().map(outcome).collect(),
        }
    }
}
