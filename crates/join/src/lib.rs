//! A machine joined with a memory model, for each kind of exploration.
//!
//! | file | joins | for explorers of |
//! |---|---|---|
//! | [`schedules`] | the machine that runs in order with `memory::buffered` | schedules (SC, TSO, PSO) |
//! | [`graphs`] | the same machine with a `memory::graphs::GraphModel` | graphs (RA, SRA, RC11; SC, TSO, PSO) |
//! | [`commits`] | the machine that fetches out of order with a `memory::commits::CommitModel` | commits (POWER, AArch64) |
//!
//! What they have in common is there once: faults, stops and patience ([`core`]), learning what is shared and starting
//! over ([`start_over`]), which threads may be exchanged ([`symmetry`]), how threads stand in the end ([`standing`])
//! and what follows from that ([`deadlock`]), and what there is to know of an execution that has ended ([`ending`]).

#![warn(missing_docs)]

mod awaited;
mod awaiting;
mod blocks;
mod commits;
mod committed;
mod core;
mod deadlock;
mod ending;
mod ends;
mod graphs;
mod intruders;
mod observed;
mod patience;
mod schedules;
mod seen;
mod standing;
mod start_over;
mod symmetry;
mod unordered;
mod waiters;
mod watched;

pub use commits::Committing;
pub use core::{Core, Stop};
pub use deadlock::{Conclusion, conclude};
pub use ending::Ending;
pub use graphs::Grown;
pub use schedules::Scheduled;
pub use seen::Seen;
pub use standing::Standing;
pub use start_over::{Running, Shared, start_over};
