//! What was asked for, as far as the answer repeats it.

use raddle_check::{Plan, Sampling, Strategy};

/// What was checked and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The first of the files.
    pub file: String,
    /// The model and the algorithm.
    pub plan: Plan,
    /// How executions are drawn at random, where they are.
    pub sampling: Option<Sampling>,
    /// Whether an execution that is not possible under SC is a fault.
    pub robustness: bool,
    /// Whether the exit statuses are listed.
    pub statuses: bool,
}

impl Asked {
    /// The algorithm, or the strategy by which executions are drawn.
    pub fn algorithm(&self) -> String {
        match self.sampling.map(|sampling| sampling.strategy) {
            None => self.plan.algorithm.to_string(),
            Some(Strategy::Uniform) => "uniform".into(),
            Some(Strategy::Pct { .. }) => "pct".into(),
            Some(Strategy::Pos) => "pos".into(),
        }
    }
}
