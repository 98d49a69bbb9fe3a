//! Runs a plan over a program until the question is answered or a limit stops it.

use crate::alarm::Alarm;
use crate::joined::{FaultAt, Joined, Lessons, Stop};
use crate::judge::Plain;
use crate::outcome::{Count, Found, Limit, Outcome, Verdict, Witness};
use crate::plan::{Algorithm, Plan};
use crate::races::Races;
use crate::robust::Graph;
use crate::watch::Watch;
use raddle_event::{Address, Fault, FaultKind, Region, Step, ThreadId};
use raddle_explore::{End, Sink, every, optimal, source};
use raddle_machine::{Blocked, Limits, Machine, Moment, Site};
use raddle_memory::Who;
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
        explore_from(program, plan, options, &mut tally);
        tally.outcome()
    })
}

/// Explores a program and shows what ends to `sink`; nothing ends it but the end. Gives what was learned on the way.
pub fn explore_all(program: &Program, plan: Plan, options: &Options, sink: &mut dyn Each) -> Lessons {
    explore_from(program, plan, options, &mut All { sink })
}

/// Receives every execution, for those who compare explorations.
pub trait Each {
    /// An execution ended in this way, by this schedule.
    fn execution(&mut self, joined: &Joined, schedule: &[Step], end: End) -> ControlFlow<()>;
    /// An execution reached something that ends the exploration.
    fn stopped(&mut self, stop: &Stop);
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
        if let Some(stop) = &joined.stop {
            self.sink.stopped(stop);
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

    fn report(&mut self, at: &FaultAt, joined: &Joined, schedule: &[Step]) {
        let place = |moment: &raddle_machine::Moment| moment.stack.first().copied();
        let known = |f: &Found| f.kind == at.fault.kind && place(&f.moment) == place(&at.moment);
        if !self.found.iter().any(known) {
            let (sites, tables) = (joined.machine.sites().clone(), joined.machine.tables());
            self.found.push(Found::of(at, Witness { steps: steps(joined, schedule), sites, tables }));
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
        if self.options.leaks && faults.is_empty() && blocked.is_none() {
            faults.extend(leak(joined));
        }
        if self.options.liveness && faults.is_empty() && blocked == Some(Blocked::Spin) {
            faults.extend(livelock(&joined.machine));
        }
        faults
    }

    /// Runs an execution again to see whether it is robust, where that is asked for and not plain.
    fn not_robust(&self, joined: &Joined, schedule: &dyn Fn() -> Vec<Step>) -> Option<FaultAt> {
        if !self.options.robustness || self.plan.model.is_direct() {
            return None;
        }
        let plain = self.again(joined, schedule, Graph::default());
        let (thread, moment) = plain.watch.first_on_cycle()?;
        let model = self.plan.name.to_string().to_uppercase();
        let message = format!("this execution is possible under {model}, but not under SC");
        Some(FaultAt { fault: Fault::new(FaultKind::NotRobust, message), thread, moment: moment.clone() })
    }

    /// Runs an execution again for somebody who looks on.
    fn again<'p, W: Watch>(&self, joined: &Joined<'p>, schedule: &dyn Fn() -> Vec<Step>, watch: W) -> Plain<'p, W> {
        let limits = self.options.limits.clone();
        let tracked = limits.uninitialised;
        let machine = Machine::with_tables(joined.machine.program(), limits, joined.machine.sites().clone(), joined.machine.tables());
        let mut plain = Plain::new(machine, self.plan.model, tracked, watch);
        assert!(plain.run(&steps(joined, &schedule())), "a schedule that was explored can be run");
        plain
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
        let mut faults = self.faults(joined, blocked);
        match blocked {
            Some(why) if faults.is_empty() => {
                self.count.blocked += 1;
                if why == Blocked::LoopBound {
                    self.cut(Limit::Unroll(self.options.limits.unroll.unwrap_or(0)));
                }
            }
            _ => {
                self.count.executions += 1;
                if let Some(fault) = self.not_robust(joined, schedule) {
                    self.count.not_robust += 1;
                    faults.extend(faults.is_empty().then_some(fault));
                }
                if self.options.races && faults.is_empty() {
                    faults.extend(self.again(joined, schedule, Races::default()).watch.found);
                }
            }
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
        if let Some(limit) = self.alarm.rings() {
            return self.limit(limit);
        }
        if self.count.events.is_multiple_of(4096) {
            (self.progress)(&self.count);
        }
        ControlFlow::Continue(())
    }
}

/// The steps of a schedule by who takes them.
fn steps(joined: &Joined, schedule: &[Step]) -> Vec<(Who, u32)> {
    schedule.iter().map(|&step| (joined.who(step), step.choice)).collect()
}

/// A heap object that is left when the program has ended, placed where it was allocated.
fn leak(joined: &Joined) -> Option<FaultAt> {
    let shared = joined.memory.live_heap_objects().into_iter().map(|(start, size)| (start, size as u64));
    let left: Vec<(Address, u64)> = shared.chain(joined.machine.private_heap()).collect();
    let &(start, size) = left.first()?;
    let Some((Region::Heap(thread), ..)) = joined.machine.addresses().find(start) else { return None };
    let Some(Site::Code(function, at)) = joined.machine.maker(start) else { return None };
    let others = match left.len() - 1 {
        0 => String::new(),
        n => format!(", nor {n} other object{}", if n == 1 { "" } else { "s" }),
    };
    let message = format!("{size} bytes that are allocated here are never freed{others}");
    Some(FaultAt { fault: Fault::new(FaultKind::Leak, message), thread, moment: Moment { stack: vec![(function, at)] } })
}

fn deadlock(machine: &Machine, waiting: &[ThreadId]) -> FaultAt {
    let thread = *waiting.last().expect("some thread waits");
    let names: Vec<String> = waiting.iter().map(|t| t.to_string()).collect();
    let message = match names.split_last() {
        Some((last, [])) => format!("{last} waits for ever"),
        Some((last, others)) => format!("{} and {last} wait for ever", others.join(", ")),
        None => unreachable!("some thread waits"),
    };
    FaultAt { fault: Fault::new(FaultKind::Deadlock, message), thread, moment: machine.moment(thread) }
}

fn livelock(machine: &Machine) -> Option<FaultAt> {
    let spins = |&thread: &ThreadId| matches!(machine.next(thread), raddle_machine::Next::Blocked(Blocked::Spin));
    let thread = machine.threads().find(spins)?;
    let message = format!("{thread} spins for ever: no write can come that ends its loop");
    Some(FaultAt { fault: Fault::new(FaultKind::Livelock, message), thread, moment: machine.moment(thread) })
}
