//! Explorers: which executions must be tried.
//!
//! This crate knows neither programs nor memory models. A transition system is a [`System`]: it says which steps are
//! enabled, takes one, says what it depends on, and goes back. The explorers push what they find into a [`Sink`].
//!
//! | file | algorithm |
//! |---|---|
//! | [`every`] | all schedules, no reduction: the plain twin |
//! | [`classic`] | classic DPOR with sleep sets |
//! | [`bounded`] | within a context bound |
//! | [`source`] | source-DPOR |
//! | [`optimal`] | optimal-DPOR with wakeup trees |
//! | [`revisit`] | graphs that grow, one execution for each: weak traces, or graphs with coherence |
//! | [`Branching`] | how many executions come from branches at each location |
//! | [`Orbits`] | of graphs that only differ in which of several threads did what, one |
//! | [`rsmc`] | relaxed stateless model checking, for graphs whose events are committed out of order |
//! | [`sample_schedules`] and its like | executions drawn at random |
//!
//! Models that are sets of allowed graphs are a [`Graph`], which grows and is taken back, or, where events are
//! committed out of order, [`Commits`].

#![warn(missing_docs)]

mod backtrack;
mod bounded;
mod branching;
mod classic;
mod context;
mod every;
mod execution;
mod graph;
mod initials;
mod open_races;
mod optimal;
mod orbits;
mod part;
mod revisit;
mod rsmc;
mod sampling;
mod sink;
mod sleep;
mod sleeping;
mod source;
mod system;
mod thinning;
mod ties;
#[cfg(test)]
mod toy;
mod wakeup;

pub use bounded::bounded;
pub use branching::{Branching, Concern, Turned};
pub use classic::classic;
pub use context::{Inside, Prospect, WithinContext};
pub use every::every;
pub use execution::Execution;
pub use graph::Graph;
pub use optimal::{Answer, Optimal, Unit, optimal};
pub use orbits::{Interchangeable, Orbits, Unfolded};
pub use part::{ByCommits, ByGraphs, Divisible, Left, Misfit, Portion, Search};
pub use revisit::{GraphUnit, Revisiting, revisit};
pub use rsmc::{CommitAnswer, CommitUnit, Commits, Race, Rsmc, Ways, rsmc};
pub use sampling::{Guarantee, Sampling, Strategy, sample_commits, sample_graphs, sample_schedules};
pub use sink::{Branch, End, Sink, Turn};
pub use sleeping::sleeping;
pub use source::source;
pub use system::System;
pub use thinning::Thinning;
