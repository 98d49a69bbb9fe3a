//! What happened in an execution, in the words of the source: names, places, values, and where each value was read
//! from.
//!
//! An execution is run again by the judge, which shares nothing with the search that found it; what happens meanwhile
//! is told ([`tell`]) or looked at more closely ([`race`], [`not_robust`]). This crate knows no model by more than the
//! judge's name for it, and no explorer.

#![warn(missing_docs)]

mod between;
mod closer;
mod commits;
mod concern;
mod deed;
mod edges;
mod frames;
mod judged;
mod locks;
mod names;
mod races;
mod robust;
mod shorter;
mod state;
mod stronger;
mod tell;
mod weakness;
mod why;
mod words;

pub use closer::{Unrunnable, not_robust, race};
pub use concern::Accessed;
pub use deed::{Deed, Origin};
pub use edges::{Edge, Edges};
pub use frames::{is_library, stack_places, user_place};
pub use shorter::shortened;
pub use state::State;
pub use stronger::{Weak, weak_accesses};
pub use tell::{Row, Story, Told, Untold, Waiting, judge, tell, tell_execution};
pub use why::{MarkedPlace, Why};
