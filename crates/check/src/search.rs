//! Runs a plan over a program until the question is answered or a limit stops it.

use crate::alarm::{Alarm, Alarms};
use crate::as_graphs;
use crate::barrier::guarded;
use crate::board::Board;
use crate::divide::Crew;
use crate::iterative::check_beside_no_bound;
use crate::outcome::{Count, Limit, Outcome};
use crate::plan::{Algorithm, Exploration, Plan};
use crate::shallow;
use crate::tally::Tally;
use raddle_event::{FaultKind, LocationId, Mapping, Range, ThreadId};
use raddle_explore::{
    Branch, End, Inside, Orbits, Sampling, Sink, Turned, Unfolded, WithinContext, bounded, classic, every, optimal, revisit, rsmc,
    sample_commits, sample_graphs, sample_schedules, sleeping, source,
};
use raddle_join::{Committing, Ending, Grown, Scheduled, Shared, start_over};
use raddle_machine::{AtomicBlocks, Limits};
use raddle_memory::buffered::BufferedModel;
use raddle_memory::commits::CommitModel;
use raddle_memory::graphs::GraphModel;
use raddle_program::Program;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a check looks for and how long it may look.
#[derive(Clone, Debug, Default)]
pub struct Options<'o> {
    /// What a machine keeps to in one execution.
    pub limits: Limits,
    /// How many executions may be explored.
    pub max_executions: Option<u64>,
    /// How many events there may be in all executions together.
    pub max_events: Option<u64>,
    /// How many executions of all kinds there may be, the redundant ones too, before another search is tried.
    pub max_runs: Option<u64>,
    /// How long the check may take.
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
    /// The kinds of faults that count; all where nothing is said. An execution with another one leaves the question
    /// open, unless it has come to its end with it.
    pub kinds: Option<Vec<FaultKind>>,
    /// Executions are drawn at random, where not all are explored.
    pub sampling: Option<Sampling>,
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
    /// How many workers there may be; with less than two there is one.
    pub jobs: usize,
    /// How long one of them stays alone; 50 milliseconds where nothing is said.
    pub alone: Option<Duration>,
    /// The algorithm of the plan explores all of it, also where another one means the same and can be divided.
    pub keeps_algorithm: bool,
    /// Schedules are explored in a way in which all branches of a point are known when it is reached: nothing is
    /// checked then, but branches can be passed by.
    pub thins: bool,
    /// An execution in which a loop waits for ever ends the search: another one knows more of such loops.
    pub refuses_spins: bool,
}

/// Checks a program. `progress` is called now and then with the counts so far. Where something goes wrong with Raddle
/// itself, what was found by then is kept.
pub fn check(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let within_bound = check_beside_no_bound(program, plan, options, progress);
    within_bound.unwrap_or_else(|| check_plainly(program, plan, options, progress))
}

/// The same, by what the plan says alone.
pub(crate) fn check_plainly(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    let outcome = as_graphs::check(program, plan, &shallow::in_haste(options), progress);
    if !shallow::is_wanted(&outcome, options) {
        return outcome;
    }
    match shallow::look(program, plan, options) {
        Some(found) => found,
        None if shallow::is_hasty(options) => as_graphs::check(program, plan, options, progress),
        None => outcome,
    }
}

/// One search, deep or not.
pub(crate) fn search(program: &Program, plan: Plan, options: &Options, progress: &mut dyn FnMut(&Count)) -> Outcome {
    watched(program, plan, options, progress, |options, alarm, tally| {
        let crew = Crew { program, plan, options, alarm };
        match crew.is_wanted() {
            true => crew.explore_all(tally),
            false => explore_all(program, plan, options, tally),
        }
    })
}

/// A search that an alarm ends in time. What it explores is counted; it gives what was cut besides.
pub(crate) fn watched<'o>(
    program: &Program,
    plan: Plan,
    options: &Options<'o>,
    progress: &mut dyn FnMut(&Count),
    explore: impl for<'t> FnOnce(&'t Options<'o>, &'t Alarm, &mut Tally<'t, 'o>) -> Vec<Limit>,
) -> Outcome {
    let Options { timeout, interrupted, out_of_memory, .. } = *options;
    let watched = Alarms { timeout, interrupted, out_of_memory };
    let alarm = Alarm::new(&watched);
    // Where there is a limit of time there is no other patience.
    let patience = options.limits.patience.filter(|_| timeout.is_none());
    let limits = Limits { stop: alarm.stop.clone(), patience, races: options.races, ..options.limits.clone() };
    std::thread::scope(|scope| {
        let _watching = alarm.set(scope, watched);
        let options = &Options { limits, ..options.clone() };
        let mut tally = Tally::new(program, plan, options, Some(progress), &alarm);
        let cut = guarded(|| explore(options, &alarm, &mut tally)).unwrap_or_else(|what| {
            tally.fail(what);
            Vec::new()
        });
        tally.outcome(cut)
    })
}

/// Explores a program and shows what ends to `sink`; nothing ends it but the end or the sink. Gives the bounds of the
/// plan that cut something.
pub fn explore_all<E: Each>(program: &Program, plan: Plan, options: &Options, sink: &mut E) -> Vec<Limit> {
    let sink = &mut ByEnding { sink, observed: &options.observed };
    plan.semantics.explore(options, Alone { program, plan, options, sink })
}

/// An exploration by one worker.
struct Alone<'p, 'a, T> {
    program: &'p Program,
    plan: Plan,
    options: &'a Options<'a>,
    sink: &'a mut T,
}

impl<E: Each> Exploration for Alone<'_, '_, ByEnding<'_, E>> {
    type Out = Vec<Limit>;

    fn schedules(self, model: BufferedModel) -> Vec<Limit> {
        explore_schedules(self.program, self.plan, model, self.options, self.sink)
    }

    fn graphs<M: GraphModel>(self, model: impl Fn() -> M + Sync) -> Vec<Limit> {
        if self.plan.symmetry {
            let groups = explore_orbits(self.program, model, self.options, self.sink);
            self.sink.sink.explored_up_to(groups.iter().map(Vec::len).collect());
        } else {
            explore_graphs(self.program, model, self.options, self.sink);
        }
        drawn(self.options)
    }

    fn commits<M: CommitModel>(self, mapping: Mapping) -> Vec<Limit> {
        let mut cut = explore_commits::<M>(self.program, mapping, self.options, self.sink);
        cut.extend(drawn(self.options));
        cut
    }
}

/// What was cut of graphs, where they were drawn: nothing is promised of how many there are.
fn drawn(options: &Options) -> Vec<Limit> {
    options.sampling.iter().map(|sampling| Limit::Samples(sampling.samples, None)).collect()
}

/// Explores by schedules. Gives the bounds that cut something.
pub fn explore_schedules<'p, T: Sink<Scheduled<'p>>>(
    program: &'p Program,
    plan: Plan,
    model: BufferedModel,
    options: &Options,
    sink: &mut T,
) -> Vec<Limit> {
    let (mut is_cut, mut samples) = (false, None);
    let blocks = match (options.robustness || options.count_not_robust, options.races) {
        (true, _) => AtomicBlocks::Unknown,
        (false, true) => AtomicBlocks::Ordered,
        (false, false) => AtomicBlocks::Apart,
    };
    let limits = Limits { blocks, races: options.races, ..options.limits.clone() };
    let start = |sites| Scheduled::new(program, model, limits.clone(), sites, options.keep_going);
    let last = start_over(sink, start, |scheduled, sink| {
        match &options.sampling {
            Some(sampling) => samples = Some(Limit::Samples(sampling.samples, sample_schedules(scheduled, sampling, sink))),
            None if options.thins => drop(sleeping(scheduled, sink)),
            None => is_cut = explore_once(scheduled, plan, sink),
        }
        false
    });
    let buffer = model.bound.filter(|_| last.memory.bound_is_felt()).map(Limit::Buffer);
    let context = plan.context_bound.filter(|_| is_cut).map(Limit::Context);
    buffer.into_iter().chain(context).chain(samples).collect()
}

/// Explores, and says whether the context bound cut something.
fn explore_once<'p, T: Sink<Scheduled<'p>>>(scheduled: &mut Scheduled<'p>, plan: Plan, sink: &mut T) -> bool {
    let _ended = match (plan.algorithm, plan.context_bound) {
        (Algorithm::Naive, Some(bound)) => {
            let mut within = WithinContext::new(scheduled, bound);
            let _ended = every(&mut within, &mut Inside(sink));
            return within.is_cut();
        }
        (_, Some(bound)) => return bounded(scheduled, bound, sink).1,
        (Algorithm::Naive, None) => every(scheduled, sink),
        (Algorithm::Classic, None) => classic(scheduled, sink),
        (Algorithm::Source, None) => source(scheduled, sink),
        (Algorithm::Optimal, None) => optimal(scheduled, sink),
        (Algorithm::WeakTrace | Algorithm::Graphs | Algorithm::Rsmc, None) => unreachable!("it explores no schedules"),
    };
    false
}

/// Explores by graphs; `model` makes a graph without events.
pub fn explore_graphs<'p, M: GraphModel>(
    program: &'p Program,
    model: impl Fn() -> M,
    options: &Options,
    sink: &mut dyn Sink<Grown<'p, M>>,
) {
    let start = |sites| Grown::new(program, model(), options.limits.clone(), sites, options.keep_going);
    start_over(sink, start, |grown, sink| {
        match &options.sampling {
            Some(sampling) => sample_graphs(grown, sampling, sink),
            None => drop(revisit(grown, sink)),
        }
        false
    });
}

/// Explores by graphs, up to the order of interchangeable threads. Gives these, group by group.
pub fn explore_orbits<'p, M: GraphModel>(
    program: &'p Program,
    model: impl Fn() -> M,
    options: &Options,
    sink: &mut dyn Sink<Grown<'p, M>>,
) -> Vec<Vec<ThreadId>> {
    let apart = RefCell::new(BTreeSet::new());
    let start = |sites| {
        let grown = Grown::new(program, model(), options.limits.clone(), sites, options.keep_going);
        grown.with_apart(apart.borrow().clone())
    };
    let last = start_over(sink, start, |grown, sink| {
        let is_whole = revisit(&mut Orbits::new(grown), &mut Unfolded(sink)).is_continue();
        if is_whole {
            grown.look_at_all();
        }
        let newly = grown.newly_apart();
        if let Some(all) = newly {
            apart.replace(all.clone());
        }
        newly.is_some()
    });
    last.interchangeable()
}

/// Explores by commits. Gives what was cut.
pub fn explore_commits<'p, M: CommitModel>(
    program: &'p Program,
    mapping: Mapping,
    options: &Options,
    sink: &mut dyn Sink<Committing<'p, M>>,
) -> Vec<Limit> {
    let start = |sites| Committing::new(program, options.limits.clone(), sites, mapping, options.keep_going);
    let last = start_over(sink, start, |committing, sink| {
        match &options.sampling {
            Some(sampling) => sample_commits(committing, sampling, sink),
            None => _ = rsmc(committing, sink),
        }
        false
    });
    last.misses_graphs().then_some(Limit::Forwarding).into_iter().collect()
}

/// Receives every execution that has ended, whatever kind of exploration it comes from.
pub trait Each {
    /// An execution has ended in this way.
    fn ended(&mut self, ending: &dyn Ending, end: End) -> ControlFlow<()>;
    /// An event happened.
    fn event(&mut self) -> ControlFlow<()>;
    /// Whether a branch is explored.
    fn wants(&mut self, _: Branch) -> bool {
        true
    }
    /// A branch is taken, or the way that must be taken; it concerns this location.
    fn turns(&mut self, _: &dyn Ending, _: Branch, _: Option<LocationId>) {}
    /// The branches on the present path up to a rank.
    fn path(&self, _before: u32) -> Vec<Turned> {
        Vec::new()
    }
    /// So many points, the first ones, are given up.
    fn renumber(&mut self, _given_up: u32) {}
    /// The exploration goes on from a path on which these branches are.
    fn follow(&mut self, _: &[Turned]) {}
    /// The exploration starts over: forget what was seen.
    fn restart(&mut self);
    /// All that was seen stands for all executions up to the order of so many interchangeable threads, group by group.
    fn explored_up_to(&mut self, _: Vec<usize>) {}
}

/// Passes executions on without what is peculiar to their kind.
pub(crate) struct ByEnding<'e, E> {
    pub sink: &'e mut E,
    pub observed: &'e [Range],
}

impl<S: Ending, E: Each> Sink<S> for ByEnding<'_, E> {
    fn execution(&mut self, system: &S, end: End) -> ControlFlow<()> {
        system.show(self.observed, &mut |ending| self.sink.ended(ending, end))
    }

    fn event(&mut self) -> ControlFlow<()> {
        self.sink.event()
    }

    fn wants(&mut self, branch: Branch) -> bool {
        self.sink.wants(branch)
    }

    fn turns(&mut self, system: &S, branch: Branch, at: Option<LocationId>) {
        self.sink.turns(system, branch, at);
    }

    fn path(&self, before: u32) -> Vec<Turned> {
        self.sink.path(before)
    }

    fn renumber(&mut self, given_up: u32) {
        self.sink.renumber(given_up);
    }

    fn follow(&mut self, path: &[Turned]) {
        self.sink.follow(path);
    }

    fn restart(&mut self) {
        self.sink.restart();
    }
}
