//! What a check found, as text and as JSON. Formats only: nothing here is read or printed.

mod asked;
mod compare;
mod fault;
mod json;
mod layout;
mod sarif;
mod table;
mod verdict;
mod witness;
mod words;

pub use asked::Asked;
pub use compare::{compare_json, compare_text};
pub use fault::{Sources, fault_text, files_of};
pub use json::{LitmusAnswer, check_json, litmus_json};
pub use layout::Look;
pub use sarif::check_sarif;
pub use verdict::verdict_text;
pub use witness::{Header, Mismatch, WitnessFile};
pub use words::{limit_words, place_words};
