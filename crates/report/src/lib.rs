//! What a check found, as text and as JSON. Formats only: nothing here is read or printed.

mod json;
mod words;

pub use json::{LitmusAnswer, check_json, litmus_json};
pub use words::{limit_words, place_words};
