//! Memory models that are sets of allowed graphs: what a graph of committed events must keep to.

mod coherence;
mod late;
mod power;
mod rows;

pub use power::Power;
pub use rows::Number;
