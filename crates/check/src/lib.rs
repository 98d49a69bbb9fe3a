//! Checks a program: runs a [`Plan`] over it until the question is answered or a limit stops it, and concludes.

mod alarm;
mod barrier;
mod board;
mod compare;
mod confirm;
mod iterative;
mod outcome;
mod plan;
mod printed;
mod run;
mod search;
mod tally;

pub use barrier::{guarded, note_panic};
pub use board::Board;
pub use compare::{Compared, compare};
pub use confirm::confirm;
pub use iterative::check_iteratively;
pub use outcome::{Count, Limit, Outcome, Verdict};
pub use plan::{Algorithm, BadPlan, Bounds, MemoryModel, Plan, Semantics, buffering};
pub use run::{RunEnd, Scheduler, run};
pub use search::{Each, Options, check, explore_all, explore_commits, explore_graphs, explore_schedules};
