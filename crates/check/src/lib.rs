//! Checks a program: runs a [`Plan`] over it until the question is answered or a limit stops it, and concludes.
//!
//! Store buffering, which SC forbids and TSO allows:
//!
//! ```
//! use raddle_check::{MemoryModel, Options, Plan, Verdict, check};
//!
//! let text = r#"
//! global g0 "x" size 4
//! global g1 "y" size 4
//! entry f0
//! entry f1
//! function f0 "left"
//! b0:
//!   store &g0, 1, 4, relaxed
//!   load r0, &g1, 4, relaxed
//!   return ()
//! function f1 "right"
//! b0:
//!   store &g1, 1, 4, relaxed
//!   load r0, &g0, 4, relaxed
//!   return ()
//! "#;
//! let program = raddle_program::parse(text).unwrap();
//! for (model, n_traces) in [(MemoryModel::Sc, 3), (MemoryModel::Tso, 4)] {
//!     let outcome = check(&program, Plan::best(model), &Options::default(), &mut |_| {});
//!     assert_eq!((outcome.verdict, outcome.count.executions), (Verdict::Verified, n_traces));
//! }
//! ```
//!
//! `crates/report/examples/by_hand.rs` builds a program by hand and tells the story of its fault.

#![warn(missing_docs)]

mod afar;
mod alarm;
mod as_graphs;
mod barrier;
mod board;
mod branched;
mod compare;
mod confirm;
mod divide;
mod estimate;
mod hall;
mod help;
mod in_parts;
mod iterative;
mod outcome;
mod parts;
mod plan;
mod printed;
mod run;
mod search;
mod shallow;
mod tally;

pub use afar::{Account, Afar, Balance, Divided, Gone, Origin, Resumed, check_afar, is_divisible};
pub use barrier::{guarded, note_panic};
pub use board::{Board, Shares};
pub use branched::{Cause, Named, causes};
pub use compare::{Compared, compare};
pub use confirm::confirm;
pub use estimate::{Estimate, Estimator, from_tours};
pub use help::{Desk, Done, Learned, Rest, Start, Task, help};
pub use iterative::check_iteratively;
pub use outcome::{Branched, Count, Limit, Outcome, Verdict};
pub use parts::{PartId, Parts};
pub use plan::{Algorithm, BadPlan, Bounds, MemoryModel, Plan, Semantics, buffering, did_you_mean};
pub use raddle_explore::{Guarantee, Sampling, Strategy};
pub use run::{RunEnd, Scheduler, run};
pub use search::{Each, Options, check, explore_all, explore_commits, explore_graphs, explore_orbits, explore_schedules};
pub use tally::Counted;
