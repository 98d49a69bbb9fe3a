//! A machine joined with a memory model, for each kind of exploration.
//!
//! | file | joins | for explorers of |
//! |---|---|---|
//! | [`schedules`] | the machine that runs in order with `memory::buffered` | schedules (SC, TSO, PSO) |
//! | [`graphs`] | the same machine with a `memory::graphs::GraphModel` | graphs (RA, RC11) |
//! | [`commits`] | the machine that fetches out of order with `memory::power` | commits (POWER) |
//!
//! What they have in common is there once: faults, stops and patience ([`core`]), learning what is shared and starting
//! over ([`start_over`]), which threads may be exchanged ([`symmetry`]), how threads stand in the end and what follows
//! from that ([`standing`]), and what there is to know of an execution that has ended ([`ending`]).

#![warn(missing_docs)]

mod asleep;
mod awaited;
mod awaiting;
mod blocks;
mod commits;
mod committed;
mod core;
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
mod watched;

pub use commits::Committing;
pub use core::{Core, Stop};
pub use ending::Ending;
pub use graphs::Grown;
pub use schedules::Scheduled;
pub use seen::Seen;
pub use standing::{Conclusion, Standing, conclude};
pub use start_over::{Running, Shared, start_over};
