//! Why a check has no answer, or not the whole one: what was cut, what could not be run, what the compiler refused.

use crate::harmless::harmless;
use crate::words::{cut_words, place_words};
use raddle_check::{Limit, Outcome, Verdict};
use raddle_event::ThreadId;
use raddle_join::Stop;
use raddle_machine::Moment;
use raddle_program::{Place, Program};
use raddle_story::user_place;
use serde_json::{Value, json};

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A word for scripts: `unsupported`, `endless`, `timeout`, `compiler`, ...
    pub kind: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Where in the source, if that can be said.
    pub place: Option<Place>,
}

impl Reason {
    /// One that has no place.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Reason {
        Reason { kind, message: message.into(), place: None }
    }

    /// The object for scripts.
    pub fn json(&self) -> Value {
        let mut object = json!({ "kind": self.kind, "message": self.message });
        if let Some(place) = &self.place {
            object["file"] = place.file.as_str().into();
            object["line"] = place.line.into();
        }
        object
    }
}

/// Why the outcome is not the whole answer: what could not be run, then what was cut.
pub fn reasons(program: &Program, outcome: &Outcome) -> Vec<Reason> {
    let stop = outcome.stop.as_ref().map(|stop| stop_reason(program, stop));
    let limits = outcome.limits.iter().map(limit_reason);
    stop.into_iter().chain(limits).collect()
}

/// What was cut, as a reason.
pub fn limit_reason(limit: &Limit) -> Reason {
    Reason::new(limit_kind(limit), cut_words(limit))
}

/// Why an execution could not be run on.
pub fn stop_reason(program: &Program, stop: &Stop) -> Reason {
    let at = |kind, message: String, thread: &ThreadId, moment: &Moment| {
        let message = format!("{} ({thread}, {})", harmless(&message), place_words(program, moment));
        Reason { kind, message, place: user_place(program, moment).cloned() }
    };
    match stop {
        Stop::Unsupported { what, thread, moment } => at("unsupported", format!("unsupported: {what}"), thread, moment),
        Stop::Endless { thread, moment } => at("endless", format!("{thread} does not seem to terminate: use --unroll"), thread, moment),
        Stop::Contradicted => Reason::new("internal", "internal error: the exploration did not settle which objects are shared"),
        Stop::Failed { what } => Reason::new("internal", format!("internal error: {what}")),
    }
}

/// The word for a limit.
fn limit_kind(limit: &Limit) -> &'static str {
    match limit {
        Limit::Unroll(_) => "unroll",
        Limit::Values(..) => "values",
        Limit::Buffer(_) => "buffer-bound",
        Limit::Context(_) => "context-bound",
        Limit::Samples(..) => "samples",
        Limit::Executions(_) => "executions",
        Limit::Events(_) => "events",
        Limit::Timeout => "timeout",
        Limit::Memory(_) => "memory",
        Limit::Interrupted => "interrupted",
        Limit::Forwarding => "forwarding",
        Limit::BackOff => "back-off",
        Limit::NoneComplete => "none-complete",
    }
}

/// The word for a verdict.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Refuted => "refuted",
        Verdict::Unknown => "unknown",
    }
}
