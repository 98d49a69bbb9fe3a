//! Sequences that are handed to another exploration, with all that is needed to put them into a wakeup tree there.

use crate::System;
use crate::initials::{Events, Sequence};
use raddle_event::{Footprint, Numbered, Position, Renumber, Step};
use serde::{Deserialize, Serialize};

/// A sequence that reverses a race with the event at `at`, to be explored from the point before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handed {
    pub(super) at: Position,
    /// The steps of the sequence, the one that is taken early last, with what they touch.
    pub(super) steps: Vec<(Step, Footprint)>,
    /// For each step the places of those before it that happen before it; for the last one of those that it comes after
    /// for reasons other than conflicts.
    after: Vec<Vec<u32>>,
}

impl Handed {
    /// A sequence of an execution.
    pub(super) fn new(at: Position, events: &impl Events, sequence: &Sequence) -> Handed {
        let steps = sequence.items.iter().map(|item| (item.step, item.footprint(events).clone())).collect();
        let after = (0..sequence.items.len()).map(|n| sequence.comes_after(events, n)).collect();
        Handed { at, steps, after }
    }

    /// Whether its parts fit together.
    pub(super) fn is_sound(&self) -> bool {
        let are_earlier = |(n, after): (usize, &Vec<u32>)| after.iter().all(|&at| (at as usize) < n);
        !self.steps.is_empty() && self.steps.len() == self.after.len() && self.after.iter().enumerate().all(are_earlier)
    }
}

impl Numbered for Handed {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.steps.renumber(numbers);
    }
}

/// The events of a sequence that was handed over: the position of each is its place in the sequence. One more stands
/// for all that the last one comes after.
pub(super) struct Elsewhere<'h, S> {
    pub system: &'h S,
    pub handed: &'h Handed,
}

impl<S: System> Events for Elsewhere<'_, S> {
    type System = S;

    fn system(&self) -> &S {
        self.system
    }

    fn touched(&self, at: Position) -> &Footprint {
        &self.handed.steps[at.index()].1
    }

    fn happens_before(&self, a: Position, b: Position) -> bool {
        let last = self.handed.after.len() - 1;
        a == b || self.handed.after[b.index().min(last)].contains(&a.0)
    }

    fn has_updates(&self, _: u32) -> bool {
        true
    }
}
