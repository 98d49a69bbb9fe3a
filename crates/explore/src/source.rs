//! Source-DPOR: explores at least one execution of each trace (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, algorithm
//! 1).
//!
//! Any initial of the sequence that reverses a race will do: the backtrack sets are source sets.

use crate::backtrack::{Reversal, explore};
use crate::initials::Sequence;
use crate::{Execution, Sink, System};
use std::ops::ControlFlow;

/// The whole sequence counts.
struct SourceSets;

impl Reversal for SourceSets {
    fn cut<S: System>(_: &Execution<S>, _: &mut Sequence) {}
}

/// Explores the system.
pub fn source<S: System>(system: &mut S, sink: &mut dyn Sink<S>) -> ControlFlow<()> {
    explore::<SourceSets, S>(system, sink)
}
