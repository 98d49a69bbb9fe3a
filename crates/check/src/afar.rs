//! Checks whose parts are explored elsewhere. As where several workers are threads of one process ([`crate::divide`]),
//! one worker begins alone, and the exploration starts over where anything is learned after it was divided.
//!
//! Who brings the parts to others is not known here: it is an [`Afar`].

use crate::board::Shares;
use crate::divide::{ALONE, LEAST, explore_alone};
use crate::help::{Done, Learned, Rest, Start, write};
use crate::in_parts::{Divisibly, InParts, Known, LeftOut};
use crate::outcome::{Count, Limit, Outcome};
use crate::plan::{BadPlan, Plan, Semantics};
use crate::search::{Each, Options, watched};
use crate::shallow;
use crate::tally::{Counted, Tally};
use raddle_explore::Divisible;
use raddle_join::{Ending, Seen, Shared, Stop};
use raddle_machine::{Found, Tables};
use raddle_program::Program;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Where an exploration begins, or starts over: what one worker knew, and how long one worker stays alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    known: Known,
    alone: Option<Duration>,
    /// The faults that were found before it started over.
    earlier: Vec<Found>,
}

/// An exploration that one worker has divided.
pub struct Divided {
    /// What it began with.
    pub origin: Origin,
    /// What all who explore parts begin with.
    pub start: Start,
    /// What the first worker has done; nothing where the exploration was divided before, and goes on.
    pub first: Option<Done>,
}

/// An exploration that was divided before, and goes on.
pub struct Resumed {
    /// What it began with.
    pub origin: Origin,
    /// What all who explore parts begin with.
    pub start: Option<Start>,
}

/// How an exploration ended whose parts were explored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// All parts are explored.
    Whole,
    /// It was broken off: what was found or met, or a limit.
    Broken,
    /// Something was learned: it starts over.
    StartsOver,
}

/// Who has parts explored elsewhere.
pub trait Afar {
    /// How many parts should be there from the beginning.
    fn n_wanted(&mut self) -> usize;

    /// The exploration begins, or starts over, by one worker, who stays alone.
    fn begins(&mut self, origin: &Origin);

    /// Has the parts explored, and enters what comes of them.
    fn explore(&mut self, divided: Divided, account: &mut Account) -> Gone;
}

/// What was counted and learned of an exploration whose parts are explored elsewhere.
pub struct Account<'a, 't, 'o> {
    tally: &'a mut Tally<'t, 'o>,
    /// A system in which nothing happens. What workers have seen is put together in it.
    system: &'a mut dyn Shared,
    /// What had been seen when the exploration was divided.
    base: Seen,
    is_contradicted: bool,
    left: LeftOut,
}

/// An account as a plain value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Balance {
    counted: Counted,
    learned: Learned,
}

impl Account<'_, '_, '_> {
    /// Enters what was counted and found. To be called once for each task.
    pub fn enter(&mut self, counted: Counted) {
        self.tally.enter(counted);
    }

    /// Enters what was learned. It may be called again for the same task: whoever has done it twice has seen it twice.
    pub fn learn(&mut self, Learned { seen, is_contradicted, left }: Learned) {
        self.left = self.left.or(left);
        let agrees = seen.is_none_or(|seen| self.system.agrees_with(&self.base, &[seen]));
        self.is_contradicted |= is_contradicted || !agrees;
    }

    /// How the exploration ends now, where it does.
    pub fn ends(&mut self) -> Option<Gone> {
        if self.tally.has_found() && !self.tally.keeps_going() {
            return Some(Gone::Broken);
        }
        if self.is_contradicted || self.tally.stop() == Some(&Stop::Contradicted) {
            return Some(Gone::StartsOver);
        }
        let is_broken = self.tally.stop().is_some_and(|stop| !self.tally.keeps_going() || !matches!(stop, Stop::Unsupported { .. }));
        (is_broken || self.tally.is_cut_in_time()).then_some(Gone::Broken)
    }

    /// Shows to whoever waits how the exploration is shared.
    pub fn show(&mut self, shares: Shares) {
        self.tally.show_shares(shares);
    }

    /// The exploration could not be ended in good order: something is wrong with Raddle.
    pub fn fail(&mut self, what: String) {
        self.tally.fail(what);
    }

    /// What was counted so far.
    pub fn count(&self) -> Count {
        *self.tally.counts()
    }

    /// All that was entered, as a plain value.
    pub fn balance(&self) -> Balance {
        let learned = Learned { seen: Some(self.system.seen()), is_contradicted: self.is_contradicted, left: self.left };
        Balance { counted: self.tally.so_far(), learned }
    }

    /// Goes on from what was entered before. To be called before anything is entered.
    pub fn carry_forward(&mut self, Balance { counted, learned }: Balance) {
        self.enter(counted);
        self.learn(learned);
    }
}

/// Whether a plan can be explored by parts elsewhere.
pub fn is_divisible(plan: Plan, options: &Options) -> Result<(), BadPlan> {
    let choose = match plan.semantics {
        Semantics::Schedules(_) => {
            let name = plan.name;
            let graphs = Plan::new(name, crate::Algorithm::Graphs, None).is_ok();
            let instead = if graphs { "--algorithm graphs" } else { "--model tso --algorithm graphs" };
            format!("`{}` explores schedules, which one worker does: choose {instead}, or leave out --cluster", plan.algorithm)
        }
        _ if options.max_executions.is_some() || options.max_events.is_some() => {
            "executions and events are counted up to a limit by one worker: choose --timeout, or leave out --cluster".into()
        }
        _ if plan.symmetry => "orbits of interchangeable threads are explored by one worker: leave out --symmetry or --cluster".into(),
        _ if options.sampling.is_some() => "samples are drawn by one worker: leave out --cluster".into(),
        Semantics::Graphs(_) | Semantics::Commits(_) => return Ok(()),
    };
    Err(BadPlan(choose))
}

/// Checks a program whose parts are explored elsewhere. The plan has to be one that [can be divided](is_divisible).
pub fn check_afar(
    program: &Program,
    plan: Plan,
    options: &Options,
    progress: &mut dyn FnMut(&Count),
    (afar, resumed): (&mut dyn Afar, Option<Resumed>),
) -> Outcome {
    let outcome = watched(program, plan, options, progress, |options, _, tally| {
        let parts = Sending { program, options, tally, afar, resumed };
        plan.semantics.explore(options, Divisibly { program, options, parts })
    });
    match shallow::is_wanted(&outcome, options) {
        true => shallow::look(program, plan, options).unwrap_or(outcome),
        false => outcome,
    }
}

struct Sending<'a, 't, 'o> {
    program: &'a Program,
    options: &'a Options<'o>,
    tally: &'a mut Tally<'t, 'o>,
    afar: &'a mut dyn Afar,
    resumed: Option<Resumed>,
}

/// How an exploration ended, by one worker or by all.
enum Ended {
    /// It is over, as far as it goes.
    Over(LeftOut),
    /// It starts over, from what is known; and how long one worker stays alone.
    StartsOver(Box<Known>, Option<Duration>),
}

impl InParts for Sending<'_, '_, '_> {
    type Out = Vec<Limit>;

    fn explore<X, S>(mut self, start: impl Fn(Known, Tables) -> S + Sync) -> Vec<Limit>
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        let first = Origin { known: Known::default(), alone: None, earlier: Vec::new() };
        let (mut origin, mut divided) = self.resumed.take().map_or((first, None), |resumed| (resumed.origin, resumed.start));
        self.tally.remember(origin.earlier.clone());
        loop {
            match self.explore_once::<X, S>(&start, &origin, divided.take()) {
                Ended::Over(left) => return left.cut(),
                Ended::StartsOver(known, alone) => (origin.known, origin.alone) = (*known, alone),
            }
            self.tally.restart();
            origin.earlier = self.tally.earlier().to_vec();
        }
    }
}

impl Sending<'_, '_, '_> {
    fn explore_once<X, S>(&mut self, start: &impl Fn(Known, Tables) -> S, origin: &Origin, divided: Option<Start>) -> Ended
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        let began = Instant::now();
        let (from, first) = match divided {
            Some(from) => (from, None),
            None => match self.begin::<X, S>(start, origin) {
                Ok((from, first)) => (from, Some(first)),
                Err(ended) => return ended,
            },
        };
        let mut system = start(from.known.clone(), from.tables.clone());
        let Sending { tally, afar, .. } = self;
        let (system, base) = (&mut system as &mut dyn Shared, from.seen.clone());
        let mut account = Account { tally, system, base, is_contradicted: false, left: LeftOut::default() };
        match afar.explore(Divided { origin: origin.clone(), start: from, first }, &mut account) {
            Gone::Whole | Gone::Broken => Ended::Over(account.left),
            Gone::StartsOver => Ended::StartsOver(Box::new(origin.known.clone()), Some(2 * began.elapsed())),
        }
    }

    /// One worker explores for a while: what all begin with that explore what is left, and what was done until then.
    fn begin<X, S>(&mut self, start: &impl Fn(Known, Tables) -> S, origin: &Origin) -> Result<(Start, Done), Ended>
    where
        X: Divisible<S>,
        S: Shared + Ending,
    {
        self.afar.begins(origin);
        let began = Instant::now();
        let mut system = start(origin.known.clone(), Tables::of(self.program));
        let (alone, least) = self.options.alone.map_or((ALONE, LEAST), |alone| (alone, 0));
        let until = began + origin.alone.unwrap_or(alone);
        match explore_alone::<X, S>(&mut system, self.tally, (until, least), self.afar.n_wanted()) {
            Err(_) if system.is_contradicted() => {
                let known = Known { sites: system.sites().clone() };
                Err(Ended::StartsOver(Box::new(known), origin.alone))
            }
            Err(_) => Err(Ended::Over(LeftOut::by(&system))),
            Ok((given, unit)) => {
                let from = Start { known: origin.known.clone(), tables: system.tables(), seen: system.seen() };
                let learned = Learned { seen: Some(system.seen()), is_contradicted: false, left: LeftOut::by(&system) };
                let (given, rest) = (given.iter().map(write).collect(), Rest::Work(write(&unit)));
                Ok((from, Done { counted: self.tally.take(), given, rest, learned }))
            }
        }
    }
}
