//! Models with store buffers: SC, TSO and PSO as one transition system.

mod accesses;
mod actors;
mod block;
mod buffer;
mod dependence;
mod forwarding;
mod memory;
mod model;
mod runs;
mod snapshot;
mod steps;
mod undo;

pub use dependence::is_independent;
pub use forwarding::forward_again;
pub use memory::{Memory, Readiness};
pub use model::{BufferedModel, Buffers, Drain};
pub(crate) use runs::{common, minus};
pub use snapshot::Snapshot;
