//! Places and limits in words.

use raddle_check::Limit;
use raddle_machine::Moment;
use raddle_program::Program;

/// `file.c:3:5 in main`, or a word for a place that has no source.
pub fn place_words(program: &Program, moment: &Moment) -> String {
    match moment.place(program) {
        Some(place) => format!("{}:{}:{} in {}", place.file, place.line, place.column, place.function),
        None => "no place in the source".into(),
    }
}

/// What was cut, as a phrase.
pub fn limit_words(limit: &Limit) -> String {
    match limit {
        Limit::Unroll(n) => format!("loops cut after {n} iterations"),
        Limit::Buffer(n) => format!("buffer bound {n}"),
        Limit::Executions(n) => format!("{n} executions"),
        Limit::Events(n) => format!("{n} events"),
        Limit::Timeout => "the time limit".into(),
        Limit::Interrupted => "interrupted".into(),
    }
}
