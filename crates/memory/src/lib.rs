//! Memory models: what the memory may answer.
//!
//! [`Memory`] is the transition system of SC, TSO and PSO: shared objects with their bytes, store buffers, and for each event what it depends on.
//! It knows no exploration; the explorer learns from it which steps are enabled and which depend on each other.

mod accesses;
mod actors;
mod axioms;
mod buffer;
mod dependence;
mod heap;
mod memory;
mod model;
mod runs;
mod snapshot;
mod steps;
mod undo;

pub use axioms::{Added, Ra, power};
pub use dependence::{forward_again, is_independent};
pub use memory::{Memory, Readiness};
pub use model::{Barrier, Buffers, Model};
pub use snapshot::Snapshot;
