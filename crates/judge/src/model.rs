//! The memory models, as the judge knows them.

use crate::orders::Buffering;
use raddle_event::Atomics;
use raddle_machine::{Blocks, Limits};
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

/// What is demanded of a graph whose events are added each after what comes before it in po ∪ rf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axiom {
    /// Release-acquire.
    ReleaseAcquire,
    /// Strong release-acquire, with coherence.
    StrongReleaseAcquire,
    /// RC11, with coherence.
    Rc11,
}

impl Axiom {
    /// Whether coherence is part of a graph.
    pub fn has_coherence(self) -> bool {
        self != Axiom::ReleaseAcquire
    }
}

impl Model {
    /// The limits of a machine that runs under the model.
    pub fn limits(self, limits: &Limits) -> Limits {
        match self {
            Model::Buffered(buffering) => Limits { buffered: !buffering.is_direct(), blocks: Blocks::Apart, ..limits.clone() },
            Model::Graph(_) | Model::Power | Model::AArch64(_) => limits.clone(),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Buffered(Buffering::None) => "SC",
            Model::Buffered(Buffering::Queue { .. }) => "TSO",
            Model::Buffered(Buffering::ByLocation { .. }) => "PSO",
            Model::Graph(Axiom::ReleaseAcquire) => "RA",
            Model::Graph(Axiom::StrongReleaseAcquire) => "SRA",
            Model::Graph(Axiom::Rc11) => "RC11",
            Model::Power => "POWER",
            Model::AArch64(_) => "AArch64",
        })
    }
}
