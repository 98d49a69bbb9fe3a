//! Counts final states and reports them as herd7 does.

use crate::condition::Quantifier;
use crate::test::{Printed, Test};
use std::collections::BTreeSet;

/// The final states of a test so far.
pub struct Tally<'t> {
    test: &'t Test,
    states: BTreeSet<Vec<Printed>>,
    /// How many executions have met the condition.
    pub positive: u64,
    /// How many have not.
    pub negative: u64,
    /// Whether some executions were cut off, so that states may be missing.
    pub is_cut: bool,
    /// Whether some execution has a data race where these are undefined.
    pub has_race: bool,
}

/// How often the condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// For no execution.
    Never,
    /// For some, and not for others.
    Sometimes,
    /// For all.
    Always,
}

impl Observation {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Observation::Never => "Never",
            Observation::Sometimes => "Sometimes",
            Observation::Always => "Always",
        }
    }
}

impl<'t> Tally<'t> {
    /// No executions yet.
    pub fn new(test: &'t Test) -> Tally<'t> {
        Tally { test, states: BTreeSet::new(), positive: 0, negative: 0, is_cut: false, has_race: false }
    }

    /// Counts `n` executions that end with these values, one for each of [`Test::observed`].
    pub fn add(&mut self, values: &[u64], n: u64) {
        if n == 0 || !self.test.passes_filter(values) {
            return;
        }
        match self.test.holds(values) {
            true => self.positive += n,
            false => self.negative += n,
        }
        self.states.insert(self.test.shown_values(values));
    }

    /// The states as herd7 prints them, in its order.
    pub fn states(&self) -> Vec<String> {
        self.states.iter().map(|state| self.test.state_of(state)).collect()
    }

    /// How often the condition holds.
    pub fn observation(&self) -> Observation {
        match (self.positive, self.negative) {
            (0, _) => Observation::Never,
            (_, 0) => Observation::Always,
            _ => Observation::Sometimes,
        }
    }

    /// Whether what the test claims is so.
    pub fn is_ok(&self) -> bool {
        match self.test.quantifier {
            Quantifier::Exists => self.positive > 0,
            Quantifier::NotExists => self.positive == 0,
            Quantifier::Forall => self.negative == 0,
        }
    }

    /// What makes the test undefined, in herd7's words.
    pub fn flags(&self) -> Vec<&'static str> {
        self.has_race.then_some("data-race").into_iter().collect()
    }

    /// The report for a run of so many seconds, which ends with an empty line.
    pub fn report(&self, seconds: f64) -> String {
        let (name, quantifier) = (&self.test.name, self.test.quantifier);
        let (positive, negative) = (self.positive, self.negative);
        let mut lines = vec![format!("Test {name} {}", quantifier.kind()), format!("States {}", self.states.len())];
        lines.extend(self.states());
        lines.push(format!("{}{}", if self.is_cut { "Loop " } else { "" }, if self.is_ok() { "Ok" } else { "No" }));
        lines.push("Witnesses".into());
        lines.push(match quantifier {
            Quantifier::NotExists => format!("Positive: {negative} Negative: {positive}"),
            _ => format!("Positive: {positive} Negative: {negative}"),
        });
        lines.extend(self.flags().iter().map(|flag| format!("Flag {flag}")));
        lines.push(format!("Condition {}", self.test.condition_text));
        lines.push(format!("Observation {name} {} {positive} {negative}", self.observation().word()));
        lines.push(format!("Time {name} {seconds:.2}"));
        lines.join("\n") + "\n\n"
    }
}
