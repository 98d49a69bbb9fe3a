//! Checks a program: joins machine, memory and explorer by a [`Plan`], and says what was found.

mod judge;
mod joined;
mod outcome;
mod plan;
mod run;
mod search;

pub use judge::{Judgement, Trace, judge};
pub use joined::{FaultAt, Joined, Lessons, Stop};
pub use outcome::{Count, Found, Limit, Outcome, Verdict, Witness};
pub use plan::{Algorithm, BadPlan, MemoryModel, Plan};
pub use run::{RunEnd, Scheduler, run};
pub use search::{Each, Options, check, explore_all};
