//! Plans: a memory model together with an algorithm that explores it.

use crate::outcome::Limit;
use raddle_memory::{Buffers, Model};
use std::fmt;

/// A memory model, as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryModel {
    Sc,
    Tso,
    Pso,
}

/// An algorithm, as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// All schedules, without reduction.
    Naive,
    Classic,
    Source,
    Optimal,
}

impl MemoryModel {
    /// Every model with its name.
    pub const ALL: [(MemoryModel, &'static str); 3] = [(MemoryModel::Sc, "sc"), (MemoryModel::Tso, "tso"), (MemoryModel::Pso, "pso")];
}

impl Algorithm {
    /// Every algorithm with its name.
    pub const ALL: [(Algorithm, &'static str); 4] = [(Algorithm::Naive, "naive"), (Algorithm::Classic, "classic"), (Algorithm::Source, "source"), (Algorithm::Optimal, "optimal")];
}

macro_rules! named {
    ($($name:ident)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (_, word) = $name::ALL.iter().find(|(value, _)| value == self).expect("ALL lists every one");
                f.write_str(word)
            }
        }
        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                let names: Vec<&str> = $name::ALL.iter().map(|(_, word)| *word).collect();
                let found = $name::ALL.iter().find(|(_, word)| *word == text).map(|&(value, _)| value);
                found.ok_or_else(|| format!("`{text}` is none of {}", names.join(", ")))
            }
        }
    )*};
}
named!(MemoryModel Algorithm);

/// What is explored, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub name: MemoryModel,
    pub algorithm: Algorithm,
    pub semantics: Semantics,
    /// How many preemptions an execution may have, where that is bounded.
    pub context_bound: Option<u32>,
}

/// What a plan is asked to keep to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How many stores may wait in a buffer.
    pub buffer: Option<u32>,
    /// How many preemptions an execution may have.
    pub context: Option<u32>,
}

/// What kind of thing a memory model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// A transition system, explored by schedules.
    Schedules(Model),
}

/// A pairing that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPlan(pub String);

impl fmt::Display for BadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Plan {
    /// A plan with no other bound than that of the buffers.
    pub fn new(name: MemoryModel, algorithm: Algorithm, buffer_bound: Option<u32>) -> Result<Plan, BadPlan> {
        Plan::bounded(name, algorithm, Bounds { buffer: buffer_bound, context: None })
    }

    /// The only place where a pairing is refused, with a sentence that says what to choose.
    pub fn bounded(name: MemoryModel, algorithm: Algorithm, bounds: Bounds) -> Result<Plan, BadPlan> {
        if name == MemoryModel::Sc && bounds.buffer.is_some() {
            return Err(BadPlan("SC has no store buffers to bound: choose --model tso or pso, or leave out --buffer-bound".into()));
        }
        if bounds.context.is_some() && !matches!(algorithm, Algorithm::Naive | Algorithm::Classic) {
            let why = format!("{algorithm} would miss executions within a context bound: choose --algorithm classic or naive, or leave out --context-bound");
            return Err(BadPlan(why));
        }
        let buffers = match name {
            MemoryModel::Sc => Buffers::Sc,
            MemoryModel::Tso => Buffers::Tso,
            MemoryModel::Pso => Buffers::Pso,
        };
        let semantics = Semantics::Schedules(Model { buffers, bound: bounds.buffer });
        Ok(Plan { name, algorithm, semantics, context_bound: bounds.context })
    }

    /// The algorithm for a model where none is named.
    pub fn default_algorithm(name: MemoryModel, bounds: Bounds) -> Algorithm {
        match name {
            _ if bounds.context.is_some() => Algorithm::Classic,
            MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso => Algorithm::Optimal,
        }
    }

    /// The plan with each of the bounds that cut something raised by one; `None` where none did.
    pub fn raised(self, cut: &[Limit]) -> Option<Plan> {
        let mut plan = self;
        for limit in cut.iter().filter(|limit| limit.is_bound()) {
            match (limit, &mut plan.semantics) {
                (Limit::Context(bound), _) => plan.context_bound = Some(bound + 1),
                (Limit::Buffer(bound), Semantics::Schedules(model)) => model.bound = Some(bound + 1),
                _ => {}
            }
        }
        (plan != self).then_some(plan)
    }

    /// The bounds that it keeps to.
    pub fn bounds(&self) -> Bounds {
        Bounds { buffer: self.buffer_bound(), context: self.context_bound }
    }

    /// How many stores may wait in a buffer, where that is bounded.
    pub fn buffer_bound(&self) -> Option<u32> {
        let Semantics::Schedules(model) = self.semantics;
        model.bound
    }
}
