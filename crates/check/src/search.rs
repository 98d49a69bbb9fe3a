//! Runs a plan over a program until the question is answered or a limit stops it.

use crate::alarm::Alarm;
use crate::committed::{CommitsByEnding, explore_commits};
use crate::ending::Ending;
use crate::grown::Grown;
use crate::joined::{FaultAt, Joined, Stop};
use crate::observed::observe;
use crate::outcome::{Count, Found, Limit, Outcome, Verdict};
use crate::plan::{Algorithm, Plan, Semantics};
use crate::scheduled::Scheduled;
use raddle_event::{Fault, FaultKind, Range, Step, ThreadId};
use raddle_explore::{End, GraphSink, Inside, Sink, WithinContext, bounded, classic, every, optimal, source, weak_trace};
use raddle_machine::{Blocked, Limits, Moment, Sites};
use raddle_memory::Model;
use raddle_program::Program;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a check looks for and how long it may look.
#[derive(Clone, Debug, Default)]
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
    /// Such executions are counted, also where they are no fault.
    pub count_not_robust: bool,
    /// Two accesses that nothing orders, one of them a write and one not atomic, are a fault.
    pub races: bool,
    /// What is looked at in memory in the end, where the model leaves open what is there.
    pub observed: Vec<Range>,
    /// Set from outside to end the search.
    pub interrupted: Option<&'o AtomicBool>,
}

/// Checks a program. `progress` is called now and then with the counts so far.
pub fn check(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let alarm = Alarm::default();
    std::thread::scope(|scope| {
        let _watching = alarm.set(scope, options.timeout, options.interrupted);
        let mut tally = Tally::new(options, progress, &alarm);
        let cut = explore_all(program, plan, options, &mut tally);
        tally.outcome(cut)
    })
}

/// Explores a program and shows what ends to `sink`; nothing ends it but the end or the sink. Gives the bounds of the plan that cut something.
pub fn explore_all<E: Each>(program: &Program, plan: Plan, options: &Options, sink: &mut E) -> Vec<Limit> {
    match plan.semantics {
        Semantics::Schedules(model) => explore_schedules(program, plan, model, options, &mut ByEnding { sink, plan, model }),
        Semantics::ReleaseAcquire => {
            explore_graphs(program, options, &mut GraphsByEnding { sink, observed: &options.observed });
            Vec::new()
        }
        Semantics::Commits => {
            explore_commits(program, options, &mut CommitsByEnding { sink });
            Vec::new()
        }
    }
}

/// Receives every graph, for those who compare explorations by graphs.
pub trait EachGraph: for<'p> GraphSink<Grown<'p>> {
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
}

/// Explores by graphs, and starts over whenever something taken as private turns out to be shared.
pub fn explore_graphs<T: EachGraph>(program: &Program, options: &Options, sink: &mut T) {
    let mut sites = Sites::default();
    loop {
        let mut grown = Grown::new(program, options.limits.clone(), sites, options.keep_going);
        let _ended = weak_trace(&mut grown, sink);
        if grown.stop != Some(Stop::Contradicted) {
            return;
        }
        sites = grown.machine.sites().clone();
        sink.restart();
    }
}

/// Passes graphs on without what is peculiar to them.
struct GraphsByEnding<'e, E> {
    sink: &'e mut E,
    observed: &'e [Range],
}

impl<E: Each> EachGraph for GraphsByEnding<'_, E> {
    fn restart(&mut self) {
        self.sink.restart();
    }
}

impl<'p, E: Each> GraphSink<Grown<'p>> for GraphsByEnding<'_, E> {
    fn execution(&mut self, grown: &Grown<'p>) -> ControlFlow<()> {
        observe(grown, self.observed, &mut |ending, end| self.sink.ended(ending, end))
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

/// Explores by schedules, and starts over whenever something taken as private turns out to be shared. Gives the bounds that cut something.
pub fn explore_schedules<T: EachSchedule>(program: &Program, plan: Plan, model: Model, options: &Options, sink: &mut T) -> Vec<Limit> {
    let mut sites = Sites::default();
    loop {
        let limits = options.limits.clone();
        let mut joined = Joined::new(program, model, limits, sites.clone(), options.keep_going);
        let is_cut = explore_once(&mut joined, plan, sink);
        if joined.stop != Some(Stop::Contradicted) {
            let buffer = model.bound.filter(|_| joined.memory.bound_is_felt()).map(Limit::Buffer);
            let context = plan.context_bound.filter(|_| is_cut).map(Limit::Context);
            return buffer.into_iter().chain(context).collect();
        }
        sites = joined.machine.sites().clone();
        sink.restart();
    }
}

/// Explores, and says whether the context bound cut something.
fn explore_once<T: EachSchedule>(joined: &mut Joined, plan: Plan, sink: &mut T) -> bool {
    let _ended = match (plan.algorithm, plan.context_bound) {
        (Algorithm::Naive, Some(bound)) => {
            let mut within = WithinContext::new(joined, bound);
            let _ended = every(&mut within, &mut Inside(sink));
            return within.is_cut();
        }
        (_, Some(bound)) => return bounded(joined, bound, sink).1,
        (Algorithm::Naive, None) => every(joined, sink),
        (Algorithm::Classic, None) => classic(joined, sink),
        (Algorithm::Source, None) => source(joined, sink),
        (Algorithm::Optimal, None) => optimal(joined, sink),
        (Algorithm::WeakTrace | Algorithm::Rsmc, None) => unreachable!("it explores no schedules"),
    };
    false
}

/// Passes executions on without what is peculiar to schedules.
struct ByEnding<'e, E> {
    sink: &'e mut E,
    plan: Plan,
    model: Model,
}

impl<E: Each> EachSchedule for ByEnding<'_, E> {
    fn restart(&mut self) {
        self.sink.restart();
    }
}

impl<'p, E: Each> Sink<Joined<'p>> for ByEnding<'_, E> {
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
    /// The number of events after which limits and progress are looked at.
    next_look: u64,
    /// Whether something may be wrong with an execution in which all threads have ended well.
    looks_closer: bool,
}

impl<'t, 'o> Tally<'t, 'o> {
    fn new(options: &'t Options<'o>, progress: &'t mut dyn FnMut(&Count), alarm: &'t Alarm) -> Self {
        let looks_closer = options.leaks || options.robustness || options.count_not_robust || options.races;
        Tally {
            options,
            progress,
            count: Count::default(),
            found: Vec::new(),
            limits: Vec::new(),
            stop: None,
            alarm,
            next_look: 0,
            looks_closer,
        }
    }

    /// Looks whether a limit has been reached, and shows the counts.
    fn look(&mut self) -> ControlFlow<()> {
        let most = self.options.max_events.unwrap_or(u64::MAX);
        if self.count.events > most {
            return self.limit(Limit::Events(most));
        }
        if let Some(limit) = self.alarm.rings() {
            return self.limit(limit);
        }
        (self.progress)(&self.count);
        self.next_look = most.min(self.count.events + 4096);
        ControlFlow::Continue(())
    }

    /// Looks whether there have been as many executions as there may be.
    fn look_at_executions(&mut self) -> ControlFlow<()> {
        match self.options.max_executions {
            Some(most) if self.count.executions + self.count.blocked >= most => self.limit(Limit::Executions(most)),
            _ => ControlFlow::Continue(()),
        }
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

    /// What was concluded; `cut` are the bounds of the plan that cut something.
    fn outcome(mut self, cut: Vec<Limit>) -> Outcome {
        self.limits.extend(cut.into_iter().filter(|_| self.stop.is_none()));
        self.limits.sort();
        let verdict = match self.stop {
            Some(stop) => Verdict::Stopped(stop),
            None if !self.found.is_empty() => Verdict::Refuted,
            None if self.limits.iter().all(Limit::is_bound) => Verdict::Verified,
            None => Verdict::Unknown,
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
        if end == End::Maximal && !self.looks_closer && ending.is_well() {
            self.count.executions += 1;
            return self.look_at_executions();
        }
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
                let looks = self.options.robustness || self.options.count_not_robust;
                if let Some(fault) = looks.then(|| ending.not_robust()).flatten() {
                    self.count.not_robust += 1;
                    faults.extend((self.options.robustness && faults.is_empty()).then_some(fault));
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
        self.look_at_executions()
    }

    #[inline]
    fn event(&mut self) -> ControlFlow<()> {
        self.count.events += 1;
        if self.count.events > self.next_look || self.alarm.is_ringing() {
            return self.look();
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
