//! A page with litmus tests: for each its text, its outcomes, and an execution of each outcome as a graph. It needs no
//! script.

use super::page::{RULES, rendered};
use super::svg::{Around, style, svg};
use crate::harmless::{harmless, harmless_lines};
use crate::words::many;
use minijinja::{Value, context};
use raddle_story::Told;

const TEMPLATE: &str = include_str!("litmus.html");
const OWN_RULES: &str = include_str!("several.css");

/// A test under a model.
pub struct DrawnTest {
    /// The name of the test.
    pub test: String,
    /// What people call the model.
    pub model: String,
    /// The text of the test.
    pub text: String,
    /// What it asks, and the answer: never, sometimes or always.
    pub condition: String,
    /// The answer in a word.
    pub observation: &'static str,
    /// Whether what the test claims is so.
    pub is_ok: bool,
    /// What makes it undefined.
    pub flags: Vec<&'static str>,
    /// The final states.
    pub outcomes: Vec<DrawnOutcome>,
}

/// A final state of a test.
pub struct DrawnOutcome {
    /// As herd7 writes it.
    pub state: String,
    /// How many executions end in it.
    pub executions: u64,
    /// Whether the condition holds.
    pub holds: bool,
    /// The first of the executions, where it can be told.
    pub told: Option<Told>,
}

/// The page.
pub fn litmus_page(tests: &[DrawnTest]) -> String {
    let mut n_graphs = 0;
    let mut drawn = |told: &Told| {
        n_graphs += 1;
        Value::from_safe_string(svg(told, Around::Pages(n_graphs)))
    };
    let mut sections = Vec::new();
    for test in tests {
        let outcomes: Vec<Value> = test.outcomes.iter().map(|outcome| shown(outcome, &mut drawn)).collect();
        let n: u64 = test.outcomes.iter().map(|outcome| outcome.executions).sum();
        sections.push(context! {
            name => harmless(&test.test), model => test.model, text => harmless_lines(&test.text), condition => harmless(&test.condition),
            observation => test.observation, is_ok => test.is_ok, flags => test.flags, outcomes,
            counts => format!("{} in {}", many(test.outcomes.len() as u64, "outcome"), many(n, "execution")),
        });
    }
    let context = context! {
        tests => sections, version => env!("CARGO_PKG_VERSION"),
        styles => Value::from_safe_string(format!("{}{RULES}{OWN_RULES}", style())),
    };
    rendered(TEMPLATE, context)
}

fn shown(outcome: &DrawnOutcome, drawn: &mut dyn FnMut(&Told) -> Value) -> Value {
    context! {
        state => harmless(&outcome.state), executions => many(outcome.executions, "execution"), holds => outcome.holds,
        graph => outcome.told.as_ref().map(drawn),
    }
}
