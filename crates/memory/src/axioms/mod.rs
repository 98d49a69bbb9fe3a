//! Models that are sets of allowed graphs.

pub mod power;
mod ra;

pub use ra::{Added, Ra};
