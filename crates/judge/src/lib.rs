//! A second opinion: runs an execution again and judges it by the definitions.
//!
//! A schedule (SC, TSO, PSO) is run over a plain memory, a graph (RA) and a graph of commits (POWER) are built event by
//! event and tested by the axioms. Under SC, TSO and PSO all graphs of a program can be enumerated by the axioms, which
//! is the twin of the explorers. What C11 orders, barriers and buffers mean is written down here once more
//! ([`orders`]). This crate knows `event`, `program` and `machine`, and neither `memory` nor `explore`: it shares
//! nothing with what it judges but the machine that runs instructions. Nothing here is optimised.

#![warn(missing_docs)]

mod axioms;
mod graph;
mod judgement;
mod model;
mod orders;
mod power;
mod race;
mod record;
mod relation;
mod robust;
mod schedule;
mod stuck;
mod watch;

pub use axioms::{Graphs, enumerate};
pub use graph::{Axiom, PlainGraph};
pub use judgement::{Did, Judgement, Trace};
pub use model::Model;
pub use orders::Buffering;
pub use power::{PlainPower, PowerGraph};
pub use record::Record;
pub use schedule::PlainSchedule;
pub use stuck::{Stand, Stands};
pub use watch::{Act, StoreName, Watch};
