//! Runs a plan over a program until the question is answered or a limit stops it.

use crate::alarm::Alarm;
use crate::committed::Committed;
use crate::committing::Committing;
use crate::ending::Ending;
use crate::joined::{FaultAt, Joined, Lessons, Stop};
use crate::outcome::{Count, Found, Limit, Outcome, Verdict};
use crate::plan::{Algorithm, Plan, Semantics};
use crate::scheduled::Scheduled;
use raddle_event::{Fault, FaultKind, Step, ThreadId};
use raddle_explore::{CommitSink, End, Sink, every, optimal, rsmc, source};
use raddle_machine::{Blocked, Limits, Moment, Sites};
use raddle_memory::Model;
use raddle_program::Program;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a check looks for and how long it may look.
#[derive(Clone, Debug)]
pub struct Options<'o> {
    pub limits: Limits,
    pub max_executions: Option<u64>,
    pub max_events: Option<u64>,
    pub timeout: Option<Duration>,
    /// Go on after the first fault and collect the distinct ones, by kind and place.
    pub keep_going: bool,
    /// A spin loop that waits for ever is a fault.
    pub liveness: bool,
    /// Heap objects that are never freed are a fault.
    pub leaks: bool,
    /// An execution that could not have happened under SC is a fault.
    pub robustness: bool,
    /// Two accesses that nothing orders, one of them a write and one not atomic, are a fault.
    pub races: bool,
    /// Set from outside to end the search.
    pub interrupted: Option<&'o AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::default(),
            max_executions: None,
            max_events: None,
            timeout: None,
            keep_going: false,
            liveness: false,
            leaks: false,
            robustness: false,
            races: false,
            interrupted: None,
        }
    }
}

/// Checks a program. `progress` is called now and then with the counts so far.
pub fn check(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let alarm = Alarm::default();
    std::thread::scope(|scope| {
        let _watching = alarm.set(scope, options.timeout, options.interrupted);
        let mut tally = Tally::new(plan, options, progress, &alarm);
        explore_all(program, plan, options, &mut tally);
        tally.outcome()
    })
}

/// Explores a program and shows what ends to `sink`; nothing ends it but the end or the sink.
pub fn explore_all(program: &Program, plan: Plan, options: &Options, sink: &mut dyn Each) {
    match plan.semantics {
        Semantics::Schedules(model) => drop(explore_schedules(program, plan, model, options, &mut ByEnding { sink, plan, model })),
        Semantics::Commits => explore_commits(program, options, &mut CommitsByEnding { sink }),
    };
}

/// Receives every run, for those who compare explorations by commits.
pub trait EachCommits: for<'p> CommitSink<Committing<'p>> {
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Explores by commits, and starts over whenever something taken as private turns out to be shared.
pub fn explore_commits<T: EachCommits>(program: &Program, options: &Options, sink: &mut T) {
    let mut sites = Sites::default();
    loop {
        let mut committing = Committing::new(program, options.limits.clone(), sites, options.keep_going);
        let _ended = rsmc(&mut committing, sink);
        if committing.stop != Some(Stop::Contradicted) {
            return;
        }
        sites = committing.machine.sites().clone();
        sink.restart();
    }
}

/// Passes runs on without what is peculiar to them.
struct CommitsByEnding<'e> {
    sink: &'e mut dyn Each,
}

impl EachCommits for CommitsByEnding<'_> {
    fn restart(&mut self) {
        self.sink.restart();
    }
}

impl<'p> CommitSink<Committing<'p>> for CommitsByEnding<'_> {
    fn run(&mut self, committing: &Committing<'p>, end: End) -> ControlFlow<()> {
        self.sink.ended(&Committed::new(committing), end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.sink.event()
    }
}

/// Receives every execution that has ended.
pub trait Each {
    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()>;
    /// An event happened.
    fn event(&mut self) -> ControlFlow<()>;
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Receives every execution with its schedule, for those who compare explorations by schedules.
pub trait EachSchedule: for<'p> Sink<Joined<'p>> {
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Explores by schedules, and starts over whenever something taken as private turns out to be shared. Gives what was learned on the way.
pub fn explore_schedules<T: EachSchedule>(program: &Program, plan: Plan, model: Model, options: &Options, sink: &mut T) -> Lessons {
    let mut lessons = Lessons::default();
    loop {
        let limits = options.limits.clone();
        let mut joined = Joined::new(program, model, limits, lessons.clone(), options.keep_going);
        let _ended = match plan.algorithm {
            Algorithm::Naive => every(&mut joined, sink),
            Algorithm::Source => source(&mut joined, sink),
            Algorithm::Optimal => optimal(&mut joined, sink),
            Algorithm::Rsmc => unreachable!("it explores no schedules"),
        };
        if joined.stop != Some(Stop::Contradicted) {
            return lessons;
        }
        lessons = joined.lessons(&lessons);
        sink.restart();
    }
}

/// Passes executions on without what is peculiar to schedules.
struct ByEnding<'e> {
    sink: &'e mut dyn Each,
    plan: Plan,
    model: Model,
}

impl EachSchedule for ByEnding<'_> {
    fn restart(&mut self) {
        self.sink.restart();
    }
}

impl<'p> Sink<Joined<'p>> for ByEnding<'_> {
    fn execution(&mut self, joined: &Joined<'p>, schedule: &dyn Fn() -> Vec<Step>, end: End) -> ControlFlow<()> {
        self.sink.ended(&Scheduled { joined, schedule, model: self.model, name: self.plan.name }, end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.sink.event()
    }
}

/// Counts executions, keeps faults, and stops in time.
struct Tally<'t, 'o> {
    options: &'t Options<'o>,
    progress: &'t mut dyn FnMut(&Count),
    count: Count,
    found: Vec<Found>,
    limits: Vec<Limit>,
    stop: Option<Stop>,
    alarm: &'t Alarm,
    plan: Plan,
}

impl<'t, 'o> Tally<'t, 'o> {
    fn new(plan: Plan, options: &'t Options<'o>, progress: &'t mut dyn FnMut(&Count), alarm: &'t Alarm) -> Self {
        Tally { options, progress, count: Count::default(), found: Vec::new(), limits: Vec::new(), stop: None, alarm, plan }
    }

    fn limit(&mut self, limit: Limit) -> ControlFlow<()> {
        self.cut(limit);
        ControlFlow::Break(())
    }

    fn cut(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }

    fn report(&mut self, at: &FaultAt, ending: &dyn Ending) {
        let place = |moment: &Moment| moment.stack.first().copied();
        let known = |f: &Found| f.kind == at.fault.kind && place(&f.moment) == place(&at.moment);
        if !self.found.iter().any(known) {
            self.found.push(Found::of(at, ending.witness()));
        }
    }

    /// The faults of an execution that is complete.
    fn faults(&self, ending: &dyn Ending, blocked: Option<Blocked>) -> Vec<FaultAt> {
        let mut faults = ending.faults().to_vec();
        if faults.is_empty() && blocked.is_none() {
            let waiting = ending.deadlocked();
            faults.extend(waiting.last().map(|&last| deadlock(&waiting, last, ending.moment(last))));
        }
        if self.options.leaks && faults.is_empty() && blocked.is_none() {
            faults.extend(ending.leak());
        }
        if self.options.liveness && faults.is_empty() && blocked == Some(Blocked::Spin) {
            faults.extend(ending.spinning().map(|thread| livelock(thread, ending.moment(thread))));
        }
        faults
    }

    fn outcome(mut self) -> Outcome {
        self.limits.sort();
        if let (Some(bound), true) = (self.plan.buffer_bound(), self.stop.is_none()) {
            self.limits.push(Limit::Buffer(bound));
        }
        let incomplete = self.limits.iter().any(|limit| !matches!(limit, Limit::Unroll(_) | Limit::Buffer(_)));
        let verdict = match self.stop {
            Some(stop) => Verdict::Stopped(stop),
            None if !self.found.is_empty() => Verdict::Refuted,
            None if incomplete || self.limits.iter().any(|limit| matches!(limit, Limit::Unroll(_))) => Verdict::Unknown,
            None => Verdict::Verified,
        };
        Outcome { verdict, found: self.found, limits: self.limits, count: self.count }
    }
}

impl Each for Tally<'_, '_> {
    fn restart(&mut self) {
        self.count = Count::default();
        self.found.clear();
        self.limits.clear();
        self.stop = None;
    }

    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()> {
        if let Some(stop) = ending.stop() {
            self.stop = Some(stop.clone());
            return ControlFlow::Break(());
        }
        if end == End::Redundant {
            self.count.redundant += 1;
            return ControlFlow::Continue(());
        }
        let blocked = ending.blocked();
        let mut faults = self.faults(ending, blocked);
        match blocked {
            Some(why) if faults.is_empty() => {
                self.count.blocked += 1;
                if why == Blocked::LoopBound {
                    self.cut(Limit::Unroll(self.options.limits.unroll.unwrap_or(0)));
                }
            }
            _ => {
                self.count.executions += 1;
                if let Some(fault) = self.options.robustness.then(|| ending.not_robust()).flatten() {
                    self.count.not_robust += 1;
                    faults.extend(faults.is_empty().then_some(fault));
                }
                if self.options.races && faults.is_empty() {
                    faults.extend(ending.race());
                }
            }
        }
        for fault in &faults {
            self.report(fault, ending);
        }
        if !faults.is_empty() && !self.options.keep_going {
            return ControlFlow::Break(());
        }
        if let Some(most) = self.options.max_executions.filter(|&most| self.count.executions + self.count.blocked >= most) {
            return self.limit(Limit::Executions(most));
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.count.events += 1;
        if let Some(most) = self.options.max_events.filter(|&most| self.count.events > most) {
            return self.limit(Limit::Events(most));
        }
        if let Some(limit) = self.alarm.rings() {
            return self.limit(limit);
        }
        if self.count.events.is_multiple_of(4096) {
            (self.progress)(&self.count);
        }
        ControlFlow::Continue(())
    }
}

fn deadlock(waiting: &[ThreadId], thread: ThreadId, moment: Moment) -> FaultAt {
    let names: Vec<String> = waiting.iter().map(|t| t.to_string()).collect();
    let message = match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last} wait for ever", others.join(", ")),
        _ => format!("{thread} waits for ever"),
    };
    FaultAt { fault: Fault::new(FaultKind::Deadlock, message), thread, moment }
}

fn livelock(thread: ThreadId, moment: Moment) -> FaultAt {
    let message = format!("{thread} spins for ever: no write can come that ends its loop");
    FaultAt { fault: Fault::new(FaultKind::Livelock, message), thread, moment }
}
