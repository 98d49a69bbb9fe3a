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
use crate::in_parts::{Divisibly, InParts, Known, LeftOut};
use crate::outcome::Limit;
use crate::parts::PartId;
use crate::plan::{Plan, Semantics};
use crate::search::{ByEnding, Each, Options};
use crate::tally::{Counted, Tally};
use raddle_explore::{Divisible, Left, Search};
use raddle_join::{Ending, Seen, Shared};
use raddle_machine::Tables;
use raddle_program::Program;
use std::ops::ControlFlow;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long one worker stays alone.
pub(crate) const ALONE: Duration = Duration::from_millis(50);

/// How many steps it takes at least before it calls others, however long they take: what is small is the same on a
/// busy machine.
pub(crate) const LEAST: u32 = 1024;

/// How many steps it takes between two looks at the clock.
pub(crate) const STEPS: u32 = 32;

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

/// What a worker has done.
struct Worked {
    counted: Counted,
    seen: Seen,
    is_contradicted: bool,
    left: LeftOut,
}

impl<'c, 'o> Crew<'c, 'o> {
    /// Whether there are several workers, and work that is worth dividing: what comes back of schedules (decision 16)
    /// is more than what they save. What tells threads apart is not told to other workers. Where executions are
    /// counted up to a limit, or drawn, one worker does it.
    pub fn is_wanted(&self) -> bool {
        let Options { jobs, max_executions, max_events, sampling, .. } = self.options;
        let has_units = !matches!(self.plan.semantics, Semantics::Schedules(_)) && !self.plan.symmetry && sampling.is_none();
        *jobs > 1 && has_units && max_executions.is_none() && max_events.is_none()
    }

    /// Explores the program. Gives what was cut besides what the tally knows of.
    pub fn explore_all(&self, tally: &mut Tally<'c, 'o>) -> Vec<Limit> {
        let parts = Together { crew: self, tally };
        self.plan.semantics.explore(self.options, Divisibly { program: self.program, options: self.options, parts })
    }

    /// Explores until nothing is learned any more, from what is known.
    fn explore<X, S>(&self, start: &(impl Fn(Known, Tables) -> S + Sync), known: &mut Known, tally: &mut Tally) -> LeftOut
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        let (mut alone, least) = self.options.alone.map_or((ALONE, LEAST), |alone| (alone, 0));
        loop {
            let began = Instant::now();
            let mut system = start(known.clone(), Tables::of(self.program));
            match explore_alone::<X, S>(&mut system, tally, (began + alone, least), 0) {
                Err(_) if system.is_contradicted() => known.sites = system.sites().clone(),
                Err(_) => return LeftOut::by(&system),
                Ok((_, unit)) => {
                    if let Some(left) = self.explore_together::<X, S, _>(unit, &mut system, (start, known), tally) {
                        return left;
                    }
                    alone = 2 * began.elapsed();
                }
            }
            tally.restart();
        }
    }

    /// Several workers explore a unit, one of them in a system that is there. Nothing where they have learned
    /// something.
    fn explore_together<X, S, F>(&self, unit: X::Unit, system: &mut S, (start, known): (&F, &Known), tally: &mut Tally) -> Option<LeftOut>
    where
        X: Divisible<S>,
        S: Shared + Ending,
        F: Fn(Known, Tables) -> S + Sync,
    {
        let n_workers = self.options.jobs.min(MOST_WORKERS);
        let hall = Hall::new(unit, (self.options.board, n_workers as u64));
        let (tables, base) = (system.tables(), system.seen());
        let other = |n: usize| {
            let mut tally = Tally::new(self.program, self.plan, self.options, None, self.alarm).of_worker(n);
            let mut system = start(known.clone(), tables.clone());
            work::<X, S>(&hall, &mut system, &mut tally);
            let (is_contradicted, left) = (system.is_contradicted(), LeftOut::by(&system));
            Worked { counted: tally.counted(), seen: system.seen(), is_contradicted, left }
        };
        let guarded_other = &|n| hall.until_broken(|| guarded(|| other(n)));
        let (own, others) = std::thread::scope(|scope| {
            let spawn = |n| Builder::new().stack_size(STACK).spawn_scoped(scope, move || guarded_other(n)).ok();
            let others: Vec<_> = (1..n_workers).filter_map(spawn).collect();
            let own = hall.until_broken(|| guarded(|| work::<X, S>(&hall, system, tally)));
            (own, others.into_iter().map(|other| other.join().unwrap_or(Err("a worker is gone".into()))).collect::<Vec<_>>())
        });
        let (mut seen, mut failed) = (Vec::new(), own.err());
        let (mut is_contradicted, mut left) = (system.is_contradicted(), LeftOut::by(system));
        for worked in others {
            match worked {
                Ok(worked) => {
                    tally.absorb(worked.counted);
                    seen.push(worked.seen);
                    is_contradicted |= worked.is_contradicted;
                    left = left.or(worked.left);
                }
                Err(what) => failed = failed.or(Some(what)),
            }
        }
        let is_late = self.alarm.rings().is_some_and(|limit| tally.is_cut_by(&limit));
        let is_ended = hall.is_broken() && (is_late || (tally.has_found() && !self.options.keep_going));
        if let Some(what) = failed {
            tally.fail(what);
        } else if !is_ended {
            let is_whole = !hall.is_broken() && !is_contradicted && system.agrees_with(&base, &seen);
            return is_whole.then_some(left);
        }
        Some(left)
    }
}

/// An exploration by several workers.
struct Together<'a, 'c, 'o> {
    crew: &'a Crew<'c, 'o>,
    tally: &'a mut Tally<'c, 'o>,
}

impl InParts for Together<'_, '_, '_> {
    type Out = Vec<Limit>;

    fn explore<X, S>(self, start: impl Fn(Known, Tables) -> S + Sync) -> Vec<Limit>
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        let Together { crew, tally } = self;
        crew.explore::<X, S>(&start, &mut Known::default(), tally).cut()
    }
}

/// Parts of what is left of an exploration, and the rest.
pub(crate) type InPortions<U> = (Vec<U>, U);

/// One worker explores until this time, and as many steps at least; so many parts of what is left then, as far as there
/// are, and the rest; or how the exploration ended.
pub(crate) fn explore_alone<X: Divisible<S>, S: Ending>(
    system: &mut S,
    tally: &mut Tally,
    (until, least): (Instant, u32),
    n_parts: usize,
) -> Result<InPortions<X::Unit>, ControlFlow<()>> {
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
    let given = (0..n_parts).map_while(|_| search.give_away()).collect();
    Ok((given, search.write_down()))
}

/// A worker takes part after part until all is done or one of them breaks off.
fn work<X: Divisible<S>, S: Ending>(hall: &Hall<'_, X::Unit, X::Answer>, system: &mut S, tally: &mut Tally) {
    let mut sink = ByEnding { sink: tally, observed: &[] };
    while let Some((part, unit)) = hall.take() {
        let search = X::read(system, &mut sink, unit).expect("a unit fits where it comes from");
        if explore_part(hall, part, search).is_break() {
            hall.break_off();
        }
    }
}

/// Explores a part until nothing is left, or it has to wait for what it gave away.
fn explore_part<R: Search>(hall: &Hall<'_, R::Unit, R::Answer>, part: PartId, mut search: R) -> ControlFlow<()> {
    let mut pause = 0u32;
    while !hall.is_over() {
        match search.left() {
            Left::Nothing => {
                hall.finish(part, if hall.is_given(part) { search.answer() } else { None });
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
