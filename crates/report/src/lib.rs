//! What a check found, as text and as JSON. Formats only: nothing here is read or printed.

#![warn(missing_docs, clippy::too_many_lines)]

mod asked;
mod branching;
mod compare;
mod estimate;
mod explain;
mod fault;
mod harmless;
mod json;
mod layout;
mod machines;
mod picture;
mod reason;
mod reproduction;
mod sarif;
mod step;
mod story;
mod table;
mod verdict;
mod witness;
mod words;

pub use asked::Asked;
pub use branching::{branching_json, branching_text, has_many};
pub use compare::{Table, compare_failure_json, compare_json, compare_text};
pub use estimate::{estimate_words, time_words};
pub use explain::explanation;
pub use fault::{Sources, fault_line, fault_text, fault_words, files_of};
pub use harmless::{harmless, harmless_lines, json_text};
pub use json::{LitmusAnswer, check_json, failure_json, litmus_failure_json, litmus_json, versioned};
pub use layout::Look;
pub use machines::{github, junit, message};
pub use picture::{DrawnOutcome, DrawnTest, Page, compare_page, dot, litmus_page, page, svg_file};
pub use reason::{Reason, limit_reason, reasons, stop_reason};
pub use reproduction::reproduction;
pub use sarif::{check_sarif, failure_sarif};
pub use step::{event_line, state_text, values, variables};
pub use verdict::verdict_text;
pub use witness::{Checked, MOST_BYTES, Malformed, Reread, WitnessFile};
pub use words::{limit_words, place_words};
