//! A job: one check whose parts are explored by workers. What a worker is told of it is enough to work on it, and is
//! checked by the same rules as a command line.

use crate::objects::ObjectName;
use crate::wire::draw;
use raddle_check::{Algorithm, Bounds, MemoryModel, Options, Plan};
use raddle_event::Atomics;
use raddle_machine::{FileContent, Files, Limits};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The name of a job: ten hexadecimal digits, drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(u64);

/// How many bits a name has.
const BITS: u32 = 40;

impl JobId {
    /// A name that no other job has, as good as certainly.
    pub(crate) fn draw() -> Result<JobId, String> {
        Ok(JobId(draw()? >> (64 - BITS)))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010x}", self.0)
    }
}

impl FromStr for JobId {
    type Err = String;

    fn from_str(text: &str) -> Result<JobId, String> {
        let number = u64::from_str_radix(text, 16).ok().filter(|number| text.len() == 10 && number >> BITS == 0);
        number.map(JobId).ok_or_else(|| format!("`{text}` names no job: names have ten hexadecimal digits"))
    }
}

/// What is asked of a check, as far as its executions depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    model: MemoryModel,
    algorithm: Algorithm,
    is_by_exclusives: bool,
    unroll: Option<u32>,
    heap: u64,
    uninitialised: bool,
    exit_codes: bool,
    malloc_may_fail: bool,
    spurious: bool,
    nondet: Option<(i64, i64)>,
    patience: Option<Duration>,
    keep_going: bool,
    liveness: bool,
    leaks: bool,
    robustness: bool,
    races: bool,
    statuses: bool,
    refuses_spins: bool,
}

impl Asked {
    /// What these ask.
    pub fn of(plan: Plan, options: &Options) -> Asked {
        let Limits { unroll, heap, uninitialised, exit_codes, malloc_may_fail, spurious, nondet, patience, .. } = options.limits;
        let &Options { keep_going, liveness, leaks, robustness, races, statuses, refuses_spins, timeout, .. } = options;
        Asked {
            model: plan.name,
            algorithm: plan.algorithm,
            is_by_exclusives: plan.atomics().is_some(),
            unroll,
            heap,
            uninitialised,
            exit_codes,
            malloc_may_fail,
            spurious,
            nondet,
            patience: patience.filter(|_| timeout.is_none()),
            keep_going,
            liveness,
            leaks,
            robustness,
            races,
            statuses,
            refuses_spins,
        }
    }

    /// The plan. It is refused as a command line is.
    pub fn plan(&self) -> Result<Plan, String> {
        let atomics = if self.is_by_exclusives { Atomics::Exclusives } else { Atomics::default() };
        let plan = Plan::bounded(self.model, self.algorithm, Bounds::default()).and_then(|plan| plan.with_atomics(atomics));
        plan.and_then(|plan| raddle_check::is_divisible(plan, &self.options()).map(|()| plan)).map_err(|why| why.to_string())
    }

    /// The options. No worker has the files of the machine where the check was begun.
    pub fn options<'o>(&self) -> Options<'o> {
        let refused = |name: Option<&str>| match name {
            Some(name) => FileContent::Refused(format!("reading the file `{name}` in a cluster")),
            None => FileContent::Refused("reading the standard input in a cluster".into()),
        };
        let limits = Limits {
            unroll: self.unroll,
            heap: self.heap,
            uninitialised: self.uninitialised,
            exit_codes: self.exit_codes,
            malloc_may_fail: self.malloc_may_fail,
            spurious: self.spurious,
            nondet: self.nondet.filter(|(low, high)| low <= high),
            patience: self.patience,
            files: Files::new(refused),
            ..Limits::default()
        };
        let &Asked { keep_going, liveness, leaks, robustness, races, statuses, refuses_spins, .. } = self;
        Options { limits, keep_going, liveness, leaks, robustness, races, statuses, refuses_spins, jobs: 1, ..Options::default() }
    }

    /// Whether executions are compared with those of SC.
    pub fn robustness(&self) -> bool {
        self.robustness
    }

    /// Whether exit statuses are listed.
    pub fn statuses(&self) -> bool {
        self.statuses
    }
}

/// What is known of a job by those who work on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The version of Raddle that began it.
    pub version: String,
    pub job: JobId,
    /// How often it has started over since.
    pub epoch: u32,
    pub asked: Asked,
    /// The name of the first source.
    pub file: String,
    /// The object that is the program.
    pub program: ObjectName,
    /// The object that says what the exploration began with.
    pub origin: ObjectName,
    /// The object that says what all who explore parts begin with, where it was divided.
    pub start: Option<ObjectName>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_check::BadPlan;

    #[test]
    fn names_come_back() {
        let job = JobId::draw().unwrap();
        assert_eq!(job.to_string().parse(), Ok(job));
        assert!("12".parse::<JobId>().is_err());
        assert!("zzzzzzzzzz".parse::<JobId>().is_err());
    }

    #[test]
    fn plans_come_back_or_are_refused_with_what_to_choose() {
        for (model, _) in MemoryModel::ALL {
            let plan = Plan::best(model);
            let asked = Asked::of(plan, &Options { keep_going: true, races: true, ..Options::default() });
            match asked.plan() {
                Ok(again) => assert_eq!(again, plan),
                Err(why) => assert!(why.contains("--algorithm graphs") && why.contains("leave out --cluster"), "{model}: {why}"),
            }
            assert_eq!(asked.plan().is_ok(), !matches!(model, MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso));
            assert_eq!(Asked::of(plan, &asked.options()), asked);
        }
        let exclusives = Plan::best(MemoryModel::AArch64).with_atomics(Atomics::Exclusives).map_err(|BadPlan(why)| why).unwrap();
        assert_eq!(Asked::of(exclusives, &Options::default()).plan(), Ok(exclusives));
    }
}
