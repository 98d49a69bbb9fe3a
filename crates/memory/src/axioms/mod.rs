//! Models that are sets of allowed graphs.

mod ra;

pub use ra::{Added, Ra};
