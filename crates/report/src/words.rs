//! Places and limits in words.

use crate::harmless::harmless;
use raddle_check::{Guarantee, Limit};
use raddle_machine::Moment;
use raddle_program::{Place, Program};
use raddle_story::user_place;

/// `file.c:3:5 in main`, or a word for a place that has no source; the user's call where it is in a library.
pub fn place_words(program: &Program, moment: &Moment) -> String {
    match user_place(program, moment) {
        Some(place) => full_place(place),
        None => "no place in the source".into(),
    }
}

/// `dir/file.c:3:5 in main`
pub fn full_place(place: &Place) -> String {
    format!("{}:{}:{} in {}", harmless(&place.file), place.line, place.column, harmless(&place.function))
}

/// `file.c:3`
pub fn short_place(place: &Place) -> String {
    format!("{}:{}", harmless(place.file.rsplit('/').next().unwrap_or(&place.file)), place.line)
}

/// What was cut, as a clause.
pub fn cut_words(limit: &Limit) -> String {
    match limit {
        Limit::Unroll(n) => format!("loops were cut after {n} iterations"),
        Limit::Values(low, high) => format!("values that the program leaves open were {low} to {high} only (see --nondet)"),
        Limit::Buffer(n) => format!("at most {n} stores waited in a buffer"),
        Limit::Context(n) => format!("executions had at most {n} preemptions"),
        Limit::Samples(n, guarantee) => {
            let promised = guarantee.as_ref().map_or(String::new(), |guarantee| format!(" ({})", guarantee_words(guarantee)));
            format!("{} drawn at random{promised}", if *n == 1 { "1 execution was".into() } else { format!("{n} executions were") })
        }
        Limit::Executions(n) => format!("the search stopped after {}", many(*n, "execution")),
        Limit::Events(n) => format!("the search stopped after {}", many(*n, "event")),
        Limit::Timeout => "the time limit ended the search".into(),
        Limit::Memory(n) => format!("the memory limit of {n} MB ended the search"),
        Limit::Interrupted => "the search was interrupted".into(),
        Limit::Forwarding => {
            "loads that may read what a compare-exchange of their own thread stores were not tried before it has loaded".into()
        }
        Limit::BackOff => "something may go wrong where a trylock fails because another thread backs off: that was not followed".into(),
        Limit::NoneComplete => "no execution is complete: each fails an assumption or waits in a loop".into(),
    }
}

/// What was cut, as a phrase.
pub fn limit_words(limit: &Limit) -> String {
    match limit {
        Limit::Unroll(n) => format!("loops cut after {n} iterations"),
        Limit::Values(low, high) => format!("open values {low} to {high}"),
        Limit::Buffer(n) => format!("buffer bound {n}"),
        Limit::Context(n) => format!("context bound {n}"),
        Limit::Samples(n, _) => many(*n, "sample"),
        Limit::Executions(n) => format!("{n} executions"),
        Limit::Events(n) => format!("{n} events"),
        Limit::Timeout => "the time limit".into(),
        Limit::Memory(n) => format!("the memory limit of {n} MB"),
        Limit::Interrupted => "interrupted".into(),
        Limit::Forwarding => "loads behind compare-exchanges not tried early".into(),
        Limit::BackOff => "threads that back off not followed".into(),
        Limit::NoneComplete => "no execution is complete".into(),
    }
}

/// What PCT promises, as a clause.
fn guarantee_words(guarantee: &Guarantee) -> String {
    let Guarantee { actors, steps, depth, .. } = guarantee;
    format!(
        "by PCT, which finds a fault of depth {depth} among {actors} actors and {steps} steps with probability {} at least",
        probability_words(guarantee.probability())
    )
}

/// A probability, never rounded up to certainty.
fn probability_words(probability: f64) -> String {
    if probability > 0.9999 { "0.9999".into() } else { format!("{:.4}", (probability * 1e4).floor() / 1e4) }
}

pub fn many(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
