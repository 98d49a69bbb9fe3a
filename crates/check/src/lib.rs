//! Checks a program: joins machine, memory and explorer by a [`Plan`], and says what was found.

mod judge;
mod joined;
mod outcome;
mod plan;
mod search;

pub use judge::{Judgement, Trace, judge};
pub use joined::{Joined, Stop};
pub use outcome::{Count, Found, Limit, Outcome, Verdict, Witness};
pub use plan::{Algorithm, BadPlan, MemoryModel, Plan};
pub use search::{Options, check, explore_all};
