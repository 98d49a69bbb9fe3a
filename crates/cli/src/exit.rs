//! Exit codes that scripts rely on.

use raddle_check::{Limit, Outcome, Verdict};
use raddle_join::Stop;

/// A fault was found.
pub const FAULT: u8 = 42;
/// Nothing was found, but something was cut.
pub const CUT: u8 = 3;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// The compiler refused the input.
pub const COMPILER: u8 = 4;
/// The program reached something unsupported.
pub const UNSUPPORTED: u8 = 5;
/// Something is wrong with Raddle.
pub const INTERNAL: u8 = 70;
/// The user stopped it.
pub const INTERRUPTED: u8 = 130;

/// The word for why there is no answer, by the code.
pub fn word(code: u8) -> &'static str {
    match code {
        FAULT => "fault",
        CUT => "endless",
        USAGE => "input",
        COMPILER => "syntax",
        UNSUPPORTED => "unsupported",
        INTERRUPTED => "interrupted",
        _ => "internal",
    }
}

/// The code of an outcome. A fault that was found outweighs whatever else happened.
pub fn of(outcome: &Outcome) -> u8 {
    match (outcome.verdict, &outcome.stop) {
        (Verdict::Verified, _) => 0,
        (Verdict::Refuted, _) => FAULT,
        (Verdict::Unknown, Some(stop)) => of_stop(stop),
        (Verdict::Unknown, None) if outcome.limits.contains(&Limit::Interrupted) => INTERRUPTED,
        (Verdict::Unknown, None) => CUT,
    }
}

/// The code of an execution that could not be run on.
pub fn of_stop(stop: &Stop) -> u8 {
    match stop {
        Stop::Unsupported { .. } => UNSUPPORTED,
        Stop::Endless { .. } => CUT,
        Stop::Contradicted | Stop::Failed { .. } => INTERNAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_check::{Count, MemoryModel, Plan};

    fn failed(verdict: Verdict) -> Outcome {
        let stop = Some(Stop::Failed { what: "an index".into() });
        let plan = Plan::best(MemoryModel::Sc);
        Outcome { verdict, ..Outcome::ended_outside(plan, Vec::new(), Count::default(), Vec::new(), stop) }
    }

    /// A mistake of Raddle that the barrier keeps from ending the process.
    #[test]
    fn a_mistake_of_raddle_takes_no_fault_back() {
        assert_eq!(of(&failed(Verdict::Unknown)), INTERNAL);
        assert_eq!(of(&failed(Verdict::Refuted)), FAULT);
    }
}
