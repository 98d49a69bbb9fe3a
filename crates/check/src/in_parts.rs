//! Explorations in parts, whichever kind of graph a model has: how a system is made that explores one.

use crate::outcome::Limit;
use crate::plan::Exploration;
use crate::search::Options;
use raddle_event::Mapping;
use raddle_explore::{ByCommits, ByGraphs, Divisible};
use raddle_join::{Committing, Ending, Grown, Shared};
use raddle_machine::{Machine, OutOfOrder, Sites, Tables};
use raddle_memory::buffered::BufferedModel;
use raddle_memory::commits::CommitModel;
use raddle_memory::graphs::GraphModel;
use raddle_program::Program;
use serde::{Deserialize, Serialize};

/// What is known of all executions when an exploration starts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Known {
    pub sites: Sites,
}

/// What executions may have been left out, of those that one worker or all of them were to explore.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LeftOut {
    pub misses_graphs: bool,
}

impl LeftOut {
    pub fn by(system: &impl Shared) -> LeftOut {
        LeftOut { misses_graphs: system.misses_graphs() }
    }

    pub fn or(self, other: LeftOut) -> LeftOut {
        LeftOut { misses_graphs: self.misses_graphs || other.misses_graphs }
    }

    /// What that means for the verdict.
    pub fn cut(self) -> Vec<Limit> {
        self.misses_graphs.then_some(Limit::Forwarding).into_iter().collect()
    }
}

/// An exploration in parts. `start` makes a system in which nothing has happened.
pub(crate) trait InParts {
    /// What comes of it.
    type Out;

    fn explore<X, S>(self, start: impl Fn(Known, Tables) -> S + Sync) -> Self::Out
    where
        X: Divisible<S>,
        S: Shared + Ending;
}

/// An exploration in parts of this program.
pub(crate) struct Divisibly<'a, P> {
    pub program: &'a Program,
    pub options: &'a Options<'a>,
    pub parts: P,
}

impl<P: InParts> Exploration for Divisibly<'_, P> {
    type Out = P::Out;

    fn schedules(self, _: BufferedModel) -> P::Out {
        unreachable!("schedules are explored by one worker")
    }

    fn graphs<M: GraphModel>(self, model: impl Fn() -> M + Sync) -> P::Out {
        let Divisibly { program, options, parts } = self;
        let limits = Grown::<M>::limits(&options.limits);
        parts.explore::<ByGraphs, _>(|known, tables| {
            let machine = Machine::with_tables(program, limits.clone(), known.sites, tables);
            Grown::of(machine, model(), options.keep_going)
        })
    }

    fn commits<M: CommitModel>(self, mapping: Mapping) -> P::Out {
        let Divisibly { program, options, parts } = self;
        let limits = Committing::<M>::limits(&options.limits);
        parts.explore::<ByCommits, _>(|known: Known, tables| {
            let machine = OutOfOrder::with_tables(program, limits.clone(), known.sites, tables, mapping);
            Committing::<M>::of(machine, options.keep_going)
        })
    }
}
