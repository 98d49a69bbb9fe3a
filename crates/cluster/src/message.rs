//! The messages of a job.

use crate::job::JobId;
use crate::ledger::{Ledger, TaskId};
use crate::objects::Body;
use raddle_check::{Balance, Count};
use serde::{Deserialize, Serialize};

/// What a head is signed as.
pub const JOB: &str = "job";
/// What a unit is signed as.
pub const UNIT: &str = "unit";

/// A unit of work for whichever worker takes it: coordinators sign it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    pub job: JobId,
    pub epoch: u32,
    pub task: TaskId,
    /// How long a worker may take before it hands in what it has done, in milliseconds.
    pub longest: u32,
    /// A packed [`raddle_check::Task`].
    pub body: Body,
}

/// What a worker has done of a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub epoch: u32,
    pub task: TaskId,
    /// A packed [`raddle_check::Done`].
    pub body: Body,
}

/// What a coordinator calls to those who work for it. Whoever does not hear it only works on for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// What is done up to this epoch is not wanted any more.
    Stop { job: JobId, epoch: u32 },
    /// So many wait for work, and so many have some.
    Wanted { job: JobId, n_idle: u32, n_working: u32 },
}

/// What a coordinator knows, so that another one can go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    pub epoch: u32,
    /// The last answer that is in it, by its number in the stream.
    pub sequence: u64,
    pub ledger: Ledger,
    pub balance: Balance,
}

/// How a job stands, for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub count: Count,
    pub n_open: u64,
    pub n_done: u64,
    /// Executions in the last second.
    pub rate: u64,
    /// When that was, in seconds since 1970.
    pub at: u64,
}
