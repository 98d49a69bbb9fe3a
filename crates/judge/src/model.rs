//! The memory models, as the judge knows them.

use crate::graph::Axiom;
use crate::orders::Buffering;
use raddle_event::Atomics;
use raddle_machine::{AtomicBlocks, Limits};
use std::fmt;

/// What an execution is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// SC, TSO and PSO, by where stores wait.
    Buffered(Buffering),
    /// Graphs that grow, by what is demanded of them.
    Graph(Axiom),
    /// POWER, by graphs of events that are committed out of order.
    Power,
    /// AArch64, in the same way.
    AArch64(Atomics),
}

impl Model {
    /// The limits of a machine that runs under the model.
    pub fn limits(self, limits: &Limits) -> Limits {
        match self {
            Model::Buffered(buffering) => Limits { buffered: !buffering.is_direct(), blocks: AtomicBlocks::Apart, ..limits.clone() },
            Model::Graph(Axiom::Tso | Axiom::Pso) => Limits { buffered: true, ..limits.clone() },
            Model::Graph(_) | Model::Power | Model::AArch64(_) => limits.clone(),
        }
    }

    /// Whether later stores of the same thread belong to a release sequence, as C11 has it.
    pub fn has_sequences_by_thread(self) -> bool {
        matches!(self, Model::Graph(axiom) if axiom.has_orders())
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Buffered(Buffering::None) | Model::Graph(Axiom::Sc) => "SC",
            Model::Buffered(Buffering::Queue { .. }) | Model::Graph(Axiom::Tso) => "TSO",
            Model::Buffered(Buffering::ByLocation { .. }) | Model::Graph(Axiom::Pso) => "PSO",
            Model::Graph(axiom) => axiom.title(),
            Model::Power => "POWER",
            Model::AArch64(_) => "AArch64",
        })
    }
}
