//! What explorations that can be written down and divided have in common.

use crate::rsmc::{CommitAnswer, CommitUnit};
use crate::{Commits, Graph, GraphUnit, Revisiting, Rsmc, Sink};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;

/// What an exploration has left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// There is something to explore.
    Work,
    /// Parts that were given away are explored elsewhere; what comes back may be more work.
    Answers,
    /// All is explored, and nothing is awaited.
    Nothing,
}

/// A unit of work that does not fit the system or is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit;

/// A plain value that workers give one another, here or elsewhere.
pub trait Portion: Send + Serialize + DeserializeOwned {}

impl<T: Send + Serialize + DeserializeOwned> Portion for T {}

/// An exploration under way with the sink that it fills.
pub trait Search {
    /// A part of the exploration, or all of it.
    type Unit: Portion;
    /// What comes of a part that was given away, besides what is found.
    type Answer: Portion;

    /// What is left to do.
    fn left(&self) -> Left;

    /// Does the next thing that is left. After the sink has broken off, the exploration cannot go on.
    fn go_on(&mut self) -> ControlFlow<()>;

    /// Gives away a part.
    fn give_away(&mut self) -> Option<Self::Unit>;

    /// What is left of the exploration, to be gone on with elsewhere.
    fn write_down(&mut self) -> Self::Unit;

    /// What comes of a part that was given away, when nothing is left; nothing where nobody waits for it.
    fn answer(self) -> Option<Self::Answer>;

    /// Takes the answer for a part that was given away.
    fn accept(&mut self, answer: Self::Answer) -> Result<(), Misfit>;
}

/// A way to explore systems of a kind in parts.
pub trait Divisible<S> {
    /// A part of an exploration, as a plain value.
    type Unit: Portion;
    /// What comes of a part that was given away.
    type Answer: Portion;
    /// An exploration under way.
    type Search<'s>: Search<Unit = Self::Unit, Answer = Self::Answer>
    where
        S: 's;

    /// An exploration of everything, which has not begun.
    fn begin<'s>(system: &'s mut S, sink: &'s mut dyn Sink<S>) -> Self::Search<'s>;

    /// Goes on with a unit, in a system that may have been used for another.
    fn read<'s>(system: &'s mut S, sink: &'s mut dyn Sink<S>, unit: Self::Unit) -> Result<Self::Search<'s>, Misfit>;
}

/// Graphs that grow, by revisiting.
pub struct ByGraphs;

/// Graphs whose events are committed out of order, by RSMC.
pub struct ByCommits;

impl<S: Graph> Divisible<S> for ByGraphs {
    type Unit = GraphUnit;
    type Answer = ();
    type Search<'s>
        = Revisiting<'s, S>
    where
        S: 's;

    fn begin<'s>(system: &'s mut S, sink: &'s mut dyn Sink<S>) -> Self::Search<'s> {
        Revisiting::new(system, sink)
    }

    fn read<'s>(system: &'s mut S, sink: &'s mut dyn Sink<S>, unit: Self::Unit) -> Result<Self::Search<'s>, Misfit> {
        system.rewind(0);
        Revisiting::read(system, sink, unit)
    }
}

impl<S: Graph> Search for Revisiting<'_, S> {
    type Unit = GraphUnit;
    type Answer = ();

    fn left(&self) -> Left {
        self.left()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        self.go_on()
    }

    fn give_away(&mut self) -> Option<Self::Unit> {
        self.give_away()
    }

    fn write_down(&mut self) -> Self::Unit {
        Revisiting::write_down(self)
    }

    fn answer(self) -> Option<()> {
        None
    }

    fn accept(&mut self, (): ()) -> Result<(), Misfit> {
        Ok(())
    }
}

/// An exploration of commits with its sink.
pub struct Committing<'s, S> {
    search: Rsmc<'s, S>,
    sink: &'s mut dyn Sink<S>,
}

impl<S: Commits> Divisible<S> for ByCommits {
    type Unit = CommitUnit;
    type Answer = CommitAnswer;
    type Search<'s>
        = Committing<'s, S>
    where
        S: 's;

    fn begin<'s>(system: &'s mut S, sink: &'s mut dyn Sink<S>) -> Self::Search<'s> {
        Committing { search: Rsmc::new(system), sink }
    }

    fn read<'s>(system: &'s mut S, sink: &'s mut dyn Sink<S>, unit: Self::Unit) -> Result<Self::Search<'s>, Misfit> {
        system.rewind(0);
        Ok(Committing { search: Rsmc::read_for(system, sink, unit)?, sink })
    }
}

impl<S: Commits> Search for Committing<'_, S> {
    type Unit = CommitUnit;
    type Answer = CommitAnswer;

    fn left(&self) -> Left {
        self.search.left()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        self.search.go_on(self.sink)
    }

    fn give_away(&mut self) -> Option<Self::Unit> {
        self.search.give_away().map(|unit| unit.along(self.sink, true))
    }

    fn write_down(&mut self) -> Self::Unit {
        self.search.write_down().along(self.sink, false)
    }

    fn answer(self) -> Option<Self::Answer> {
        Some(self.search.answer())
    }

    fn accept(&mut self, answer: Self::Answer) -> Result<(), Misfit> {
        self.search.accept(answer)
    }
}
