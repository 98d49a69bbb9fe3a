//! The machine: runs a thread to its next visible action, takes the reply and goes on.
//!
//! [`apply`] says what an instruction does; [`runner`] runs instructions in order; [`history`] remembers, thread by
//! thread, which replies led to which next action, so that no history of a thread is ever run twice; [`Machine`] joins
//! them for all threads. Memory that only one thread can access is kept here ([`store`]); everything else is an
//! [`raddle_event::Action`].

#![warn(missing_docs)]

mod alike;
mod apply;
mod awaits;
mod backoff;
mod blocks;
mod bytes;
mod extended;
mod far;
mod guesses;
mod history;
mod library;
mod limits;
mod lost;
mod machine;
mod meeting;
mod out_of_order;
mod output;
mod owners;
mod parts;
mod runner;
mod seen;
mod sharing;
mod snapshot;
mod spin;
mod states;
mod store;
mod symbolic;
mod thread;
mod vain;
mod witness;
mod world;

pub use apply::{Outcome, Registers, apply};
pub use awaits::{Lead, LiesThere};
pub use history::{Ahead, Blocked, HistoryId, Kind, Next};
pub use library::{holder, knows, link};
pub use limits::{Blocks, FileContent, Files, Limits, OPEN_VALUES, Patience, Stopping};
pub use lost::Doubt;
pub use machine::{Machine, Mark, Moment, Slots, Tables};
pub use out_of_order::{OutOfOrder, Trip};
pub use output::{Piece, Printer, Stream};
pub use runner::{Awaited, Halt, MANY_EVENTS};
pub use seen::Seen;
pub use sharing::{BlockKey, Site, Sites};
pub use snapshot::Snapshot;
pub use spin::LOOK_BACK;
pub use symbolic::{Content, Instance, Milestone, NodeId, Operand, What};
pub use vain::MOST_OPEN_ROUNDS;
pub use witness::{FaultAt, Found, Witness};
pub use world::World;
