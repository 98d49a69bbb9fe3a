//! The verdict as a sentence, and the counts.

use crate::asked::Asked;
use crate::words::{cut_words, limit_words, many};
use raddle_check::{Count, Limit, Outcome, Verdict};
use raddle_event::FaultKind;
use raddle_join::Stop;

/// One sentence that says what was concluded, and a line of counts.
pub fn verdict_text(asked: &Asked, outcome: &Outcome, seconds: f64) -> String {
    let Count { executions, blocked, redundant, events, .. } = outcome.count;
    let model = asked.plan.name.title();
    let ran = format!("{} under {model}{}", many(executions, "execution"), up_to(asked, outcome));
    let sentence = match outcome.verdict {
        Verdict::Verified => {
            let robust = if asked.robustness { ", and each of them is possible under SC" } else { "" };
            format!("verified: no fault in {ran}{robust}")
        }
        Verdict::Refuted => format!("refuted{}: {} in {ran}", within(&kept_to(asked)), many(outcome.found.len() as u64, "fault")),
        Verdict::Unknown => unknown(outcome, &ran),
    };
    let blocked_because = if blocked > 0 { " (by an assumption, a spin loop or a loop bound)" } else { "" };
    let mut counts = format!(
        "{}, {blocked} blocked{blocked_because}, {redundant} redundant, {}, {seconds:.2} s",
        many(executions, "execution"),
        many(events, "event")
    );
    if asked.robustness && outcome.count.not_robust > 0 {
        counts.push_str(&format!(", {} not possible under SC", outcome.count.not_robust));
    }
    let hint = match outcome.limits.iter().any(|limit| matches!(limit, Limit::Unroll(_))) && outcome.verdict == Verdict::Unknown {
        true => "\nA larger --unroll looks further.",
        false => "",
    };
    let leaves_out =
        asked.plan.name.leaves_out().filter(|_| outcome.verdict != Verdict::Refuted).map_or(String::new(), |out| format!("\n{out}"));
    let reuse = match outcome.could_reuse && outcome.verdict != Verdict::Refuted {
        true => "\nNo address was used twice: --reuse, for memory that is used again after it was freed.",
        false => "",
    };
    let has_race = outcome.found.iter().any(|found| found.kind == FaultKind::DataRace);
    let races = match has_race && asked.plan.forbids_races() {
        true => "\nModels of machines take plain accesses as they come: --model tso (x86), aarch64, power; --no-races leaves races out.",
        false => "",
    };
    let statuses: String =
        outcome.statuses.iter().map(|(status, n)| format!("\nexit status {status} in {}", many(*n, "execution"))).collect();
    format!("{sentence}\n{counts}{statuses}{hint}{races}{leaves_out}{reuse}")
}

/// ` up to the order of 3 interchangeable threads`, or nothing where that was not asked for.
fn up_to(asked: &Asked, outcome: &Outcome) -> String {
    if !asked.plan.symmetry {
        return String::new();
    }
    let groups: Vec<String> = outcome.interchangeable.iter().map(usize::to_string).collect();
    match groups.is_empty() {
        true => " (no threads are interchangeable)".into(),
        false => format!(", up to the order of {} interchangeable threads", groups.join(" and of ")),
    }
}

/// What is not known, and why.
fn unknown(outcome: &Outcome, ran: &str) -> String {
    let (bounds, others): (Vec<Limit>, Vec<Limit>) = outcome.limits.iter().cloned().partition(Limit::is_bound);
    let stop = outcome.stop.as_ref().map(|stop| match stop {
        Stop::Endless { thread, .. } => format!("{thread} does not seem to terminate"),
        Stop::Unsupported { .. } => "not everything can be run".into(),
        Stop::Contradicted | Stop::Failed { .. } => "something went wrong in Raddle itself".into(),
    });
    let cuts: Vec<String> = stop.into_iter().chain(others.iter().map(cut_words)).collect();
    match cuts.is_empty() {
        true => format!("unknown: no fault{} in {ran}", within(&bounds)),
        false => format!("unknown: {}; no fault{} in {ran} so far", cuts.join(", "), within(&bounds)),
    }
}

/// The bounds of the plan.
fn kept_to(asked: &Asked) -> Vec<Limit> {
    let bounds = asked.plan.bounds();
    bounds.buffer.map(Limit::Buffer).into_iter().chain(bounds.context.map(Limit::Context)).collect()
}

/// ` within buffer bound 2`, or nothing.
fn within(bounds: &[Limit]) -> String {
    let words: Vec<String> = bounds.iter().map(limit_words).collect();
    if words.is_empty() { String::new() } else { format!(" within {}", words.join(" and ")) }
}
