//! Checks a program: joins machine, memory and explorer by a [`Plan`], and says what was found.

mod alarm;
mod committed;
mod committing;
mod ending;
mod frames;
mod joined;
mod judge;
mod names;
mod outcome;
mod plain_power;
mod plan;
mod races;
mod robust;
mod run;
mod scheduled;
mod search;
mod story;
mod story_power;
mod watch;
mod words;

pub use committing::Committing;
pub use ending::Ending;
pub use frames::{stack_places, user_place};
pub use judge::{Judgement, Trace, judge};
pub use joined::{FaultAt, Joined, Lessons, Stop};
pub use outcome::{Count, Found, Limit, Outcome, Path, Verdict, Witness};
pub use plain_power::{PlainPower, PowerGraph};
pub use plan::{Algorithm, BadPlan, MemoryModel, Plan, Semantics};
pub use run::{RunEnd, Scheduler, run};
pub use raddle_explore::{CommitSink, End, Sink};
pub use search::{Each, EachCommits, EachSchedule, Options, check, explore_all, explore_commits, explore_schedules};
pub use story::{Row, Story, Untold, Waiting, tell};
pub use watch::Source;
