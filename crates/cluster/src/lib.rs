//! Checks on several machines, over NATS JetStream: `raddle check --cluster` divides an exploration, `raddle worker`
//! explores parts of it. docs/cluster.md has the protocol, and what is promised when something breaks.
//!
//! What is explored, and when it starts over, is in `raddle_check`; here is how it gets from one machine to another.
//! Nothing that is received is executed, and all of it is bounded ([`wire`]).

#![warn(missing_docs)]

mod coordinator;
mod job;
mod key;
mod ledger;
mod message;
mod objects;
mod server;
mod status;
mod wire;
mod worker;

pub use coordinator::{Coordinated, Coordinator, Taken};
pub use job::{Asked, JobId};
pub use key::{PublicKey, SecretKey};
pub use ledger::{Ledger, TaskId};
pub use server::{Failure, Server, VERSION};
pub use status::{JobStatus, Status, end_job, status};
pub use worker::{Work, work};
