//! Runs a plan over a program until the question is answered or a limit stops it.

use crate::joined::{FaultAt, Joined, Lessons, Stop};
use crate::outcome::{Count, Found, Limit, Outcome, Verdict, Witness};
use crate::plan::{Algorithm, Plan};
use raddle_event::{Fault, FaultKind, Step, ThreadId};
use raddle_explore::{End, Sink, every, optimal, source};
use raddle_machine::{Blocked, Limits, Machine};
use raddle_program::Program;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
            interrupted: None,
        }
    }
}

/// Checks a program. `progress` is called now and then with the counts so far.
pub fn check(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let mut tally = Tally::new(plan, options, progress);
    explore_from(program, plan, options, &mut tally);
    tally.outcome()
}

/// Explores a program and shows what ends to `sink`; nothing ends it but the end. Gives what was learned on the way.
pub fn explore_all(program: &Program, plan: Plan, options: &Options, sink: &mut dyn Each) -> Lessons {
    explore_from(program, plan, options, &mut All { sink })
}

/// Receives every execution, for those who compare explorations.
pub trait Each {
    /// An execution ended in this way, by this schedule.
    fn execution(&mut self, joined: &Joined, schedule: &[Step], end: End) -> ControlFlow<()>;
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Explores, and starts over whenever something taken as private turns out to be shared.
fn explore_from<T: Restart>(program: &Program, plan: Plan, options: &Options, sink: &mut T) -> Lessons
where
    for<'p> T: Sink<Joined<'p>>,
{
    let mut lessons = Lessons::default();
    loop {
        let limits = options.limits.clone();
        let mut joined = Joined::new(program, plan.model, limits, lessons.clone(), options.keep_going);
        let _ended = match plan.algorithm {
            Algorithm::Naive => every(&mut joined, sink),
            Algorithm::Source => source(&mut joined, sink),
            Algorithm::Optimal => optimal(&mut joined, sink),
        };
        if joined.stop != Some(Stop::Contradicted) {
            return lessons;
        }
        lessons = joined.lessons(&lessons);
        sink.restart();
    }
}

/// A sink that can forget what it has seen.
trait Restart {
    fn restart(&mut self);
}

struct All<'e> {
    sink: &'e mut dyn Each,
}

impl Restart for All<'_> {
    fn restart(&mut self) {
        self.sink.restart();
    }
}

impl<'p> Sink<Joined<'p>> for All<'_> {
    fn execution(&mut self, joined: &Joined<'p>, schedule: &dyn Fn() -> Vec<Step>, end: End) -> ControlFlow<()> {
        if joined.stop.is_some() {
            return ControlFlow::Break(());
        }
        self.sink.execution(joined, &schedule(), end)
    }

    fn event(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
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
    started: Instant,
    plan: Plan,
}

impl<'t, 'o> Tally<'t, 'o> {
    fn new(plan: Plan, options: &'t Options<'o>, progress: &'t mut dyn FnMut(&Count)) -> Self {
        let started = Instant::now();
        Tally { options, progress, count: Count::default(), found: Vec::new(), limits: Vec::new(), stop: None, started, plan }
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

    /// Looks at the clock and at whoever may have asked to stop.
    fn is_time_up(&mut self) -> ControlFlow<()> {
        if self.options.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return self.limit(Limit::Interrupted);
        }
        if self.options.timeout.is_some_and(|limit| self.started.elapsed() >= limit) {
            return self.limit(Limit::Timeout);
        }
        (self.progress)(&self.count);
        ControlFlow::Continue(())
    }

    fn report(&mut self, at: &FaultAt, joined: &Joined, schedule: &[Step]) {
        let place = |moment: &raddle_machine::Moment| moment.stack.first().copied();
        let known = |f: &Found| f.kind == at.fault.kind && place(&f.moment) == place(&at.moment);
        if !self.found.iter().any(known) {
            let steps = schedule.iter().map(|&step| (joined.who(step), step.choice)).collect();
            self.found.push(Found::of(at, Witness { steps }));
        }
    }

    /// The faults of an execution that is complete.
    fn faults(&self, joined: &Joined, blocked: Option<Blocked>) -> Vec<FaultAt> {
        let mut faults = joined.faults.clone();
        if faults.is_empty() && blocked.is_none() {
            let waiting = joined.deadlocked();
            if !waiting.is_empty() {
                faults.push(deadlock(&joined.machine, &waiting));
            }
        }
        if self.options.liveness && faults.is_empty() && blocked == Some(Blocked::Spin) {
            faults.extend(livelock(&joined.machine));
        }
        if self.options.leaks && faults.is_empty() && joined.blocked().is_none() {
            faults.extend(leak(joined));
        }
        faults
    }

    fn outcome(mut self) -> Outcome {
        self.limits.sort();
        if let (Some(bound), true) = (self.plan.model.bound, self.stop.is_none()) {
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

impl Restart for Tally<'_, '_> {
    fn restart(&mut self) {
        self.count = Count::default();
        self.found.clear();
        self.limits.clear();
        self.stop = None;
    }
}

impl<'p> Sink<Joined<'p>> for Tally<'_, '_> {
    fn execution(&mut self, joined: &Joined<'p>, schedule: &dyn Fn() -> Vec<Step>, end: End) -> ControlFlow<()> {
        if let Some(stop) = &joined.stop {
            self.stop = Some(stop.clone());
            return ControlFlow::Break(());
        }
        if end == End::Redundant {
            self.count.redundant += 1;
            return ControlFlow::Continue(());
        }
        let blocked = joined.blocked();
        let faults = self.faults(joined, blocked);
        match blocked {
            Some(why) if faults.is_empty() => {
                self.count.blocked += 1;
                if why == Blocked::LoopBound {
                    self.cut(Limit::Unroll(self.options.limits.unroll.unwrap_or(0)));
                }
            }
            _ => self.count.executions += 1,
        }
        for fault in &faults {
            self.report(fault, joined, &schedule());
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
        if self.count.events.is_multiple_of(4096) {
            return self.is_time_up();
        }
        ControlFlow::Continue(())
    }
}

fn deadlock(machine: &Machine, waiting: &[ThreadId]) -> FaultAt {
    let thread = *waiting.last().expect("some thread waits");
    let names: Vec<String> = waiting.iter().map(|t| t.to_string()).collect();
    let message = format!("{} wait{} for ever", names.join(" and "), if names.len() == 1 { "s" } else { "" });
    FaultAt { fault: Fault::new(FaultKind::Deadlock, message), thread, moment: machine.moment(thread) }
}

fn livelock(machine: &Machine) -> Option<FaultAt> {
    let spins = |&thread: &ThreadId| matches!(machine.next(thread), raddle_machine::Next::Blocked(Blocked::Spin));
    let thread = machine.threads().find(spins)?;
    let message = format!("{thread} spins for ever: no write can come that ends its loop");
    Some(FaultAt { fault: Fault::new(FaultKind::Livelock, message), thread, moment: machine.moment(thread) })
}

/// A heap object that is there when every thread has ended, at the place where it was made.
fn leak(joined: &Joined) -> Option<FaultAt> {
    let live = joined.memory.live_heap_objects();
    let (thread, size, moment) = joined.machine.unfreed(|address| live.iter().any(|object| object.0 == address))?;
    Some(FaultAt { fault: Fault::new(FaultKind::Leak, format!("{size} bytes that are allocated here are never freed")), thread, moment })
}
