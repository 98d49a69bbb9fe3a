//! The memory models, as the judge knows them.

use crate::orders::Buffering;
use raddle_event::Atomics;
use raddle_machine::Limits;
use std::fmt;

/// What an execution is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// SC, TSO and PSO, by where stores wait.
    Buffered(Buffering),
    ReleaseAcquire,
    Power,
    AArch64(Atomics),
}

impl Model {
    /// The limits of a machine that runs under the model.
    pub fn limits(self, limits: &Limits) -> Limits {
        match self {
            Model::Buffered(buffering) => Limits { buffered: !buffering.is_direct(), ..limits.clone() },
            Model::ReleaseAcquire | Model::Power | Model::AArch64(_) => limits.clone(),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Buffered(Buffering::None) => "SC",
            Model::Buffered(Buffering::Queue { .. }) => "TSO",
            Model::Buffered(Buffering::ByLocation { .. }) => "PSO",
            Model::ReleaseAcquire => "RA",
            Model::Power => "POWER",
            Model::AArch64(_) => "AArch64",
        })
    }
}
