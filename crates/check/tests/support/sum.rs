//! What an exploration comes to, whoever explores which part of it in which order.

use raddle_check::{Count, Limit, Outcome, Verdict};
use raddle_event::FaultKind;
use raddle_join::Stop;
use raddle_program::FunctionId;
use std::collections::BTreeMap;

/// What must be the same: events aside, of which several workers may need a few more to come to the same executions.
#[derive(Debug, PartialEq)]
pub struct Sum {
    verdict: Verdict,
    count: Count,
    /// Kinds and places of faults.
    faults: Vec<(FaultKind, Option<(FunctionId, u32)>)>,
    pub limits: Vec<Limit>,
    stop: Option<Stop>,
    statuses: BTreeMap<i32, u64>,
}

impl Sum {
    pub fn of(outcome: Outcome) -> Sum {
        let Outcome { verdict, found, limits, stop, count, statuses, .. } = outcome;
        let mut faults: Vec<_> = found.iter().map(|found| (found.kind, found.moment.stack.first().copied())).collect();
        faults.sort_by_key(|fault| format!("{fault:?}"));
        Sum { verdict, count: Count { events: 0, ..count }, faults, limits, stop, statuses }
    }
}
