//! Checks a program: joins machine, memory and explorer by a [`Plan`], and says what was found.

mod alarm;
mod compare;
mod ending;
mod frames;
mod grown;
mod iterative;
mod joined;
mod judge;
mod names;
mod observed;
mod outcome;
mod plain_graph;
mod plan;
mod races;
mod robust;
mod run;
mod scheduled;
mod search;
mod story;
mod watch;
mod words;

pub use compare::{Compared, compare};
pub use ending::Ending;
pub use frames::{stack_places, user_place};
pub use iterative::check_iteratively;
pub use judge::{Judgement, Trace, judge};
pub use grown::Grown;
pub use joined::{FaultAt, Joined, Lessons, Stop};
pub use outcome::{Count, Found, Limit, Outcome, Path, Verdict, Witness};
pub use plain_graph::PlainGraph;
pub use plan::{Algorithm, BadPlan, Bounds, MemoryModel, Plan, Semantics};
pub use run::{RunEnd, Scheduler, run};
pub use raddle_explore::{End, GraphSink, Sink};
pub use search::{Each, EachGraph, EachSchedule, Explored, Options, check, explore_all, explore_graphs, explore_schedules};
pub use story::{Row, Story, Untold, Waiting, tell};
pub use watch::Source;
