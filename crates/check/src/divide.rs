//! Checks by several workers: an exploration is divided among threads, each with its own machine and memory.
//!
//! One worker begins alone; most checks are over before it would be worth while to call others. Then what is left is a
//! unit of work (decision 16), and whoever has nothing to do gets a part of what another has. Nothing is shared on the
//! way of an event but one number, which says how many are waiting.
//!
//! The counts are those of one worker. Whatever a machine learns about all executions (that something is shared, a
//! number for a thread or a block of addresses) would have been learned by one worker at another time. So where
//! anything is learned after the work was divided, it starts over, and one worker stays alone for twice as long: what
//! is divided is always what one worker would have come to.

use crate::alarm::Alarm;
use crate::barrier::guarded;
use crate::hall::{Hall, Mail};
use crate::plan::{Committer, Plan, Semantics};
use crate::search::{ByEnding, Each, Options};
use crate::tally::{Counted, Tally};
use raddle_event::{Atomics, Mapping};
use raddle_explore::{ByCommits, ByGraphs, Divisible, Left, Search};
use raddle_join::{Committing, Ending, Grown, Shared};
use raddle_judge::Axiom;
use raddle_machine::{Machine, OutOfOrder, Seen, Sites, Tables};
use raddle_memory::aarch64::{self, AArch64};
use raddle_memory::commits::CommitModel;
use raddle_memory::graphs::GraphModel;
use raddle_memory::power::{self, Power};
use raddle_memory::ra::Ra;
use raddle_memory::{rc11, sra};
use raddle_program::Program;
use std::ops::ControlFlow;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long one worker stays alone.
const ALONE: Duration = Duration::from_millis(50);

/// How many steps it takes at least before it calls others, however long they take: what is small is the same on a
/// busy machine.
const LEAST: u32 = 1024;

/// How many steps it takes between two looks at the clock.
const STEPS: u32 = 32;

/// How many steps a worker takes before it tries again to give something away, where it had nothing.
const PAUSE: u32 = 256;

/// How much room the stack of a worker has.
const STACK: usize = 256 << 20;

/// The most workers.
pub(crate) const MOST_WORKERS: usize = 64;

/// A check by several workers.
pub(crate) struct Crew<'c, 'o> {
    pub program: &'c Program,
    pub plan: Plan,
    pub options: &'c Options<'o>,
    pub alarm: &'c Alarm,
}

/// How an exploration ended.
#[derive(Default)]
struct Explored {
    is_whole: bool,
    has_late_loops: bool,
}

/// What a worker has done.
struct Worked {
    counted: Counted,
    seen: Seen,
    is_contradicted: bool,
    has_late_loops: bool,
}

impl Crew<'_, '_> {
    /// Whether there are several workers, and work that is worth dividing: what comes back of schedules (decision
    /// 16) is more than what they save. Where executions are counted up to a limit, or drawn, one worker does it.
    pub fn is_wanted(&self) -> bool {
        let Options { jobs, max_executions, max_events, sampling, .. } = self.options;
        let has_units = !matches!(self.plan.semantics, Semantics::Schedules(_)) && sampling.is_none();
        *jobs > 1 && has_units && max_executions.is_none() && max_events.is_none()
    }

    /// Explores the program.
    pub fn explore_all(&self, tally: &mut Tally) {
        let tracked = self.options.limits.uninitialised;
        match self.plan.semantics {
            Semantics::Schedules(_) => unreachable!("schedules are explored by one worker"),
            Semantics::Graphs(Axiom::ReleaseAcquire) => self.explore_graphs(|| Ra::new(tracked), tally),
            Semantics::Graphs(Axiom::StrongReleaseAcquire) => self.explore_graphs(|| sra::Graph::new(tracked, false), tally),
            Semantics::Graphs(Axiom::Rc11) => self.explore_graphs(|| rc11::Graph::new(tracked, self.options.races), tally),
            Semantics::Commits(Committer::Power) => self.explore_commits::<Power>(power::MAPPING, tally),
            Semantics::Commits(Committer::AArch64(Atomics::Lse)) => self.explore_commits::<AArch64>(aarch64::LSE, tally),
            Semantics::Commits(Committer::AArch64(Atomics::Exclusives)) => self.explore_commits::<AArch64>(aarch64::LLSC, tally),
        }
    }

    fn explore_graphs<M: GraphModel>(&self, model: impl Fn() -> M + Sync, tally: &mut Tally) {
        let start = |sites, tables| {
            let machine = Machine::with_tables(self.program, self.options.limits.clone(), sites, tables);
            Grown::of(machine, model(), self.options.keep_going)
        };
        self.explore::<ByGraphs, _>(start, &mut Sites::default(), tally);
    }

    /// Explores by commits; once more where loops that wait may look too late.
    fn explore_commits<M: CommitModel>(&self, mapping: Mapping, tally: &mut Tally) {
        let (mut finds_livelocks, mut sites) = (self.options.liveness, Sites::default());
        loop {
            let start = |sites, tables| {
                let machine = OutOfOrder::with_tables(self.program, self.options.limits.clone(), sites, tables, mapping);
                let mut committing: Committing<M> = Committing::of(machine, self.options.keep_going);
                committing.finds_livelocks = finds_livelocks;
                committing
            };
            let Explored { is_whole, has_late_loops } = self.explore::<ByCommits, _>(start, &mut sites, tally);
            if !is_whole || !has_late_loops || finds_livelocks {
                return;
            }
            finds_livelocks = true;
            tally.restart();
        }
    }

    /// Explores until nothing is learned any more, from what is known of the sites.
    fn explore<X, S>(&self, start: impl Fn(Sites, Tables) -> S + Sync, sites: &mut Sites, tally: &mut Tally) -> Explored
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        let (mut alone, least) = self.options.alone.map_or((ALONE, LEAST), |alone| (alone, 0));
        loop {
            let began = Instant::now();
            let mut system = start(sites.clone(), Tables::of(self.program));
            match explore_alone::<X, S>(&mut system, tally, (began + alone, least)) {
                Err(_) if system.is_contradicted() => *sites = system.sites().clone(),
                Err(ended) => return Explored { is_whole: ended.is_continue(), has_late_loops: system.has_late_loops() },
                Ok(unit) => {
                    let all = (&start, &*sites);
                    if let Some(explored) = self.explore_together::<X, S, _>(unit, &mut system, all, tally) {
                        return explored;
                    }
                    alone = 2 * began.elapsed();
                }
            }
            tally.restart();
        }
    }

    /// Several workers explore a unit, one of them in a system that is there. Nothing where they have learned
    /// something.
    fn explore_together<X, S, F>(&self, unit: X::Unit, system: &mut S, (start, sites): (&F, &Sites), tally: &mut Tally) -> Option<Explored>
    where
        X: Divisible<S>,
        S: Shared + Ending,
        F: Fn(Sites, Tables) -> S + Sync,
    {
        let (hall, tables, base) = (Hall::new(unit), system.tables(), system.seen());
        let other = |n: usize| {
            let mut tally = Tally::new(self.program, self.plan, self.options, None, self.alarm).of_worker(n);
            let mut system = start(sites.clone(), tables.clone());
            work::<X, S>(&hall, &mut system, &mut tally);
            let (is_contradicted, has_late_loops) = (system.is_contradicted(), system.has_late_loops());
            Worked { counted: tally.counted(), seen: system.seen(), is_contradicted, has_late_loops }
        };
        let guarded_other = &|n| hall.until_broken(|| guarded(|| other(n)));
        let (own, others) = std::thread::scope(|scope| {
            let spawn = |n| Builder::new().stack_size(STACK).spawn_scoped(scope, move || guarded_other(n)).ok();
            let others: Vec<_> = (1..self.options.jobs.min(MOST_WORKERS)).filter_map(spawn).collect();
            let own = hall.until_broken(|| guarded(|| work::<X, S>(&hall, system, tally)));
            (own, others.into_iter().map(|other| other.join().unwrap_or(Err("a worker is gone".into()))).collect::<Vec<_>>())
        });
        let (mut all, mut failed) = (Vec::new(), own.err());
        for worked in others {
            match worked {
                Ok(worked) => {
                    tally.absorb(worked.counted);
                    all.push((worked.seen, worked.is_contradicted, worked.has_late_loops));
                }
                Err(what) => failed = failed.or(Some(what)),
            }
        }
        let is_late = self.alarm.rings().is_some_and(|limit| tally.is_cut_by(&limit));
        let is_ended = hall.is_broken() && (is_late || (tally.has_found() && !self.options.keep_going));
        if let Some(what) = failed {
            tally.fail(what);
        } else if !is_ended {
            let is_contradicted = system.is_contradicted() || all.iter().any(|(_, is_contradicted, _)| *is_contradicted);
            let has_late_loops = system.has_late_loops() || all.iter().any(|(.., has_late_loops)| *has_late_loops);
            let seen: Vec<Seen> = all.into_iter().map(|(seen, ..)| seen).collect();
            let is_whole = !hall.is_broken() && !is_contradicted && system.agrees_with(&base, &seen);
            return is_whole.then_some(Explored { is_whole, has_late_loops });
        }
        Some(Explored::default())
    }
}

/// One worker explores until this time, and as many steps at least; what is left then, or how the exploration ended.
fn explore_alone<X: Divisible<S>, S: Ending>(
    system: &mut S,
    tally: &mut Tally,
    (until, least): (Instant, u32),
) -> Result<X::Unit, ControlFlow<()>> {
    let mut sink = ByEnding { sink: tally, observed: &[] };
    let mut search = X::begin(system, &mut sink);
    let mut n_steps = 0;
    while n_steps < least || Instant::now() < until {
        n_steps = n_steps.saturating_add(STEPS);
        for _ in 0..STEPS {
            if search.left() != Left::Work {
                return Err(ControlFlow::Continue(()));
            }
            if search.go_on().is_break() {
                return Err(ControlFlow::Break(()));
            }
        }
    }
    Ok(search.write_down())
}

/// A worker takes part after part until all is done or one of them breaks off.
fn work<X: Divisible<S>, S: Ending>(hall: &Hall<X::Unit, X::Answer>, system: &mut S, tally: &mut Tally) {
    let mut sink = ByEnding { sink: tally, observed: &[] };
    while let Some((part, unit)) = hall.take() {
        let search = X::read(system, &mut sink, unit).expect("a unit fits where it comes from");
        if explore_part(hall, part, search).is_break() {
            hall.break_off();
        }
    }
}

/// Explores a part until nothing is left, or it has to wait for what it gave away.
fn explore_part<R: Search>(hall: &Hall<R::Unit, R::Answer>, part: usize, mut search: R) -> ControlFlow<()> {
    let mut pause = 0u32;
    while !hall.is_over() {
        match search.left() {
            Left::Nothing => {
                hall.finish(part, hall.is_given(part).then(|| search.answer()));
                return ControlFlow::Continue(());
            }
            Left::Answers => match hall.mail(part, &mut || search.write_down()) {
                Mail::Answers(answers) => {
                    for answer in answers {
                        search.accept(answer).expect("an answer fits the part that waits for it");
                    }
                }
                Mail::Waits => return ControlFlow::Continue(()),
            },
            Left::Work => {
                search.go_on()?;
                pause = pause.saturating_sub(1);
                if pause == 0 && hall.is_wanting() {
                    match search.give_away() {
                        Some(unit) => hall.give(part, unit),
                        None => pause = PAUSE,
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}
