//! Runs a plan over a program until the question is answered or a limit stops it.

use crate::alarm::{Alarm, Watched};
use crate::barrier::guarded;
use crate::board::Board;
use crate::committed::{CommitsByEnding, explore_commits};
use crate::ending::Ending;
use crate::grown::Grown;
use crate::joined::{Joined, Stop};
use crate::observed::observe;
use crate::outcome::{Count, Limit, Outcome};
use crate::plan::{Algorithm, Plan, Semantics};
use crate::scheduled::Scheduled;
use crate::tally::Tally;
use raddle_event::{Range, Step};
use raddle_explore::{End, GraphSink, Inside, Sink, WithinContext, bounded, classic, every, optimal, source, weak_trace};
use raddle_machine::{Limits, Sites};
use raddle_memory::buffered::Model;
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
    /// The statuses with which the program ends are collected.
    pub statuses: bool,
    /// What is looked at in memory in the end, where the model leaves open what is there.
    pub observed: Vec<Range>,
    /// Set from outside to end the search.
    pub interrupted: Option<&'o AtomicBool>,
    /// Set from outside when there is no more memory, and how many megabytes there may be.
    pub out_of_memory: Option<(&'o AtomicBool, u64)>,
    /// Where others can see what is known so far.
    pub board: Option<&'o Board>,
}

/// Checks a program. `progress` is called now and then with the counts so far. Where something goes wrong with Raddle itself, what was found by then is kept.
pub fn check(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let Options { timeout, interrupted, out_of_memory, .. } = *options;
    let watched = Watched { timeout, interrupted, out_of_memory };
    let alarm = Alarm::new(&watched);
    // Where there is a limit of time there is no other patience.
    let patience = options.limits.patience.filter(|_| timeout.is_none());
    let limits = Limits { stop: alarm.stop.clone(), patience, ..options.limits.clone() };
    std::thread::scope(|scope| {
        let _watching = alarm.set(scope, watched);
        let mut tally = Tally::new(options, progress, &alarm);
        let options = &Options { limits, ..options.clone() };
        let cut = guarded(|| explore_all(program, plan, options, &mut tally)).unwrap_or_else(|what| {
            tally.fail(what);
            Vec::new()
        });
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
        if joined.stop_at_end() != Some(&Stop::Contradicted) {
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
