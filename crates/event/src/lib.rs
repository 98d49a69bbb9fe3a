//! What the other crates talk about: threads, addresses, values, actions, replies, faults.
//!
//! A thread *wants* an [`Action`]; the memory answers with a [`Reply`]. What has happened is an event.
//! This crate knows neither programs nor models nor algorithms.

#![warn(missing_docs)]

mod action;
mod address;
mod clocks;
mod fault;
mod fetched;
mod graph;
mod location;
mod mapping;
mod order;
mod path;
mod portable;
mod published;
mod random;
mod rmw;
mod step;
mod thread;
mod value;
mod who;

pub use action::{Action, Free, Reply};
pub use address::{Address, AddressMap, Block, BlockId, Region};
pub use clocks::Clocks;
pub use fault::{Fault, FaultKind};
pub use fetched::{DepsId, Fetched, Fetching, Role};
pub use graph::{EventId, Offer, Way};
pub use location::{LocationId, Locations, Range};
pub use mapping::{Annotation, Atomics, Barrier, Between, Half, Mapping};
pub use order::{Fence, Order, PartReads};
pub use path::Path;
pub use portable::{Numbered, Numbering, Portable, Renumber};
pub use published::{Arrival, Published};
pub use random::Random;
pub use rmw::{Guard, Rmw, RmwOp};
pub use step::{Actor, Conditional, Footprint, Position, Step, StoreId, Taken, Touched};
pub use thread::{ThreadId, ThreadNames};
pub use value::Value;
pub use who::Who;

/// Invariants that cost as much as what they guard are decided now and then: at one number of eight.
#[inline]
pub fn now_and_then(number: usize) -> bool {
    number % 8 == 3
}
