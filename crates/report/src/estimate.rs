//! Estimates in words: ranges of executions and of time, rounded to what is known of them.

use crate::words::many;
use raddle_check::Estimate;

/// `1200 to 3400 executions, most likely 2000`, or `17 executions`.
pub fn estimate_words(estimate: &Estimate) -> String {
    let Estimate { low, likely, high, is_exact } = *estimate;
    match is_exact {
        true => many(likely as u64, "execution"),
        false => format!("{} to {} executions, most likely {}", rounded(low), rounded(high), rounded(likely)),
    }
}

/// A number with two digits that count.
fn rounded(number: f64) -> String {
    let unit = 10f64.powi((number.max(1.0).log10().floor() as i32 - 1).max(0));
    let number = (number / unit).round() * unit;
    if number < 1e9 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

/// `20 s to 3 min`
pub fn time_words(low: f64, high: f64) -> String {
    let (low, high) = (time(low), time(high));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Seconds in the unit that people would use.
fn time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(60.0, "min"), (3600.0, "h"), (86400.0, "days"), (365.25 * 86400.0, "years")];
    match UNITS.iter().rev().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, name)) => format!("{} {name}", rounded(seconds / unit)),
        None if seconds < 1.0 => "less than a second".into(),
        None => format!("{} s", rounded(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_no_more_than_is_known() {
        let range = Estimate { low: 1234.0, likely: 56_789.0, high: 4.56e12, is_exact: false };
        assert_eq!(estimate_words(&range), "1200 to 4.6e12 executions, most likely 57000");
        assert_eq!(estimate_words(&Estimate { low: 1.0, likely: 1.0, high: 1.0, is_exact: true }), "1 execution");
    }

    #[test]
    fn times_are_in_the_unit_that_people_use() {
        assert_eq!(time_words(0.2, 0.7), "less than a second");
        assert_eq!(time_words(59.0, 7300.0), "59 s to 2 h");
        assert_eq!(time_words(100_000.0, 1e9), "28 h to 32 years");
    }
}
