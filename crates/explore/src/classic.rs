//! Classic DPOR with sleep sets: explores at least one execution of each trace (Flanagan, Godefroid, POPL 2005; as
//! Zhang, Kusano, Wang lift it to TSO and PSO, PLDI 2015, algorithm 1).
//!
//! When an event races with an earlier one, a step that leads towards *that event* must be explored from the point
//! before the earlier one: the paper's set E. A step that has nothing to do with the event will not do, as it does in
//! [`crate::source`]: the backtrack sets are persistent sets.
//!
//! Deviations, all because of the sleep sets (docs/algorithms/classic.md): of E only those count that can come first;
//! all races of an event are reversed, not only the last one; races are found when an event is taken. The paper's
//! algorithm 2 is not needed: updates are steps of their own.

use crate::backtrack::{Reversal, explore};
use crate::initials::Sequence;
use crate::{Execution, Sink, System};
use std::ops::ControlFlow;

/// Only what leads to the event that is taken earlier counts.
struct PersistentSets;

impl Reversal for PersistentSets {
    fn cut<S: System>(execution: &Execution<S>, sequence: &mut Sequence) {
        sequence.keep_towards_last(execution);
    }
}

/// Explores the system.
pub fn classic<S: System>(system: &mut S, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
    explore::<PersistentSets, S>(system, sink)
}
