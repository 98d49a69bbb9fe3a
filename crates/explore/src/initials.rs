//! Sequences that reverse a race, and which steps can begin them.
//!
//! For a race of `e` and `e'`, the sequence is what came after `e` and does not depend on it, then `e'`. A step is a *weak initial* of a sequence
//! when some execution that contains the sequence begins with the step (POPL 2014, definition 3.1): either the step's first
//! occurrence in it depends on nothing before it, or it does not occur and is independent of all of it.
//!
//! Deviation: the paper builds the sequence from a maximal execution, so that what comes after `e'` is in it too. We build it when `e'` happens, from what came between.
//! Such a sequence has more weak initials. So it is left out more often, and then what it would have led to is found by reversing a race
//! in the branch of the sleeping step; and each one that is put in wakes every sleeping step, so nothing becomes redundant (docs/algorithms/optimal.md).

use crate::execution::{Execution, Wait};
use crate::System;
use raddle_event::{Footprint, Position, Step};
use smallvec::SmallVec;

/// An event of a sequence.
pub struct Item {
    pub step: Step,
    /// What it touches, where that is not what the event touched in the execution.
    touches: Option<Box<Footprint>>,
    at: At,
}

/// Where an item stands in the execution from which the sequence was made.
enum At {
    /// It is this event, and has the same events of the sequence before it as there.
    Event(Position),
    /// It is the event that is taken earlier than there, or one that waits. It comes after these events for reasons other than conflicts.
    Early { event: Option<Position>, before: SmallVec<[Position; 4]> },
}

/// A sequence of events that can be taken at some point of the execution instead of what was taken.
pub struct Sequence {
    pub items: SmallVec<[Item; 4]>,
}

impl Sequence {
    /// The sequence that takes the newest event before `e`.
    pub fn reversing<S: System>(execution: &Execution<S>, e: Position) -> Sequence {
        let newest = Position(execution.len() as u32 - 1);
        let mut items = SmallVec::new();
        for at in execution.notdep(e, newest) {
            items.push(Item::of(execution, e, at));
        }
        let mut last = Item::of(execution, e, newest);
        let before = last.footprint(execution);
        if before.conditional.is_some() {
            last.touches = Some(Box::new(execution.system.overtaking(before, e)));
        }
        last.at = At::Early { event: Some(newest), before: execution.before_newest().collect() };
        items.push(last);
        Sequence { items }
    }

    /// The sequence that takes the next step of a waiting actor before all that it overtakes.
    pub fn unblocking<S: System>(execution: &Execution<S>, wait: &Wait) -> Sequence {
        let (e, end) = (wait.first(), Position(execution.len() as u32));
        let stays = |at: &Position| !wait.overtakes.iter().any(|&other| execution.happens_before(other, *at));
        let mut items: SmallVec<[Item; 4]> = execution.notdep(e, end).filter(stays).map(|at| Item::of(execution, e, at)).collect();
        let step = Step { actor: wait.actor, choice: 0 };
        items.push(Item { step, touches: Some(Box::new(wait.footprint.clone())), at: At::Early { event: None, before: wait.before.iter().copied().collect() } });
        Sequence { items }
    }

    /// Leaves out what does not lead to its last event.
    pub fn towards_last<S: System>(mut self, execution: &Execution<S>) -> Sequence {
        let last = self.items.pop().expect("a sequence takes something earlier");
        let mut needed: SmallVec<[Position; 8]> = match &last.at {
            At::Early { event: Some(at), .. } | At::Event(at) => std::iter::once(*at).collect(),
            At::Early { event: None, before } => before.iter().copied().collect(),
        };
        let mut leading: SmallVec<[Item; 4]> = SmallVec::new();
        while let Some(item) = self.items.pop() {
            let at = item.event().expect("only the last event is early");
            let conflicts = || !execution.system.is_independent(last.footprint(execution), &mut std::iter::once(item.footprint(execution)));
            if needed.iter().any(|&later| execution.happens_before(at, later)) || conflicts() {
                needed.push(at);
                leading.push(item);
            }
        }
        leading.reverse();
        leading.push(last);
        Sequence { items: leading }
    }

    /// Where the step occurs first, if it depends on nothing before it.
    pub fn initial<S: System>(&self, execution: &Execution<S>, step: Step) -> Option<usize> {
        let first = self.items.iter().position(|item| item.step.actor == step.actor)?;
        if self.items[first].step != step {
            return None;
        }
        self.depends_on_nothing_before(execution, first).then_some(first)
    }

    fn depends_on_nothing_before<S: System>(&self, execution: &Execution<S>, first: usize) -> bool {
        let earlier = &self.items[..first];
        let events = || earlier.iter().filter_map(|item| item.event());
        match &self.items[first].at {
            At::Event(at) => events().all(|b| !execution.happens_before(b, *at)),
            At::Early { before, .. } => {
                events().all(|b| before.iter().all(|&at| !execution.happens_before(b, at)))
                    && execution.system.is_independent(self.items[first].footprint(execution), &mut earlier.iter().map(|item| item.footprint(execution)))
            }
        }
    }

    /// Every step that can begin it and occurs in it.
    pub fn initials<S: System>(&self, execution: &Execution<S>) -> Vec<Step> {
        let mut found: Vec<Step> = Vec::new();
        for item in &self.items {
            if !found.contains(&item.step) && self.initial(execution, item.step).is_some() {
                found.push(item.step);
            }
        }
        found
    }

    /// Whether what the sequence leads to is explored with a step that is enabled where the sequence begins: the step is a weak initial of it. One
    /// outcome of a choice that the sequence leaves open is not enough: all of them must be `known` to be explored from there.
    pub fn is_covered_by<S: System>(&self, execution: &Execution<S>, step: Step, footprint: &Footprint, known: impl Fn(Step) -> bool) -> bool {
        if self.items.iter().any(|item| item.step.actor == step.actor) {
            return self.initial(execution, step).is_some();
        }
        if !(0..footprint.outcomes).all(|choice| known(Step { choice, ..step })) {
            return false;
        }
        execution.system.is_independent(footprint, &mut self.items.iter().map(|item| item.footprint(execution)))
    }
}

impl Item {
    /// The event at `at` when `e` and what depends on it is left out.
    fn of<S: System>(execution: &Execution<S>, e: Position, at: Position) -> Item {
        let event = execution.event(at);
        let loads = event.footprint.read.is_some() && event.footprint.write.is_none();
        let touches = if loads && execution.has_updates() { forward_again(execution, e, at, &event.footprint) } else { None };
        Item { step: event.step, touches, at: At::Event(at) }
    }

    /// What it touches.
    pub fn footprint<'f, S: System>(&'f self, execution: &'f Execution<S>) -> &'f Footprint {
        match (&self.touches, &self.at) {
            (Some(touches), _) => touches,
            (None, At::Event(at) | At::Early { event: Some(at), .. }) => &execution.event(*at).footprint,
            (None, At::Early { event: None, .. }) => unreachable!("an item that waits says what it touches"),
        }
    }

    fn event(&self) -> Option<Position> {
        match self.at {
            At::Event(at) => Some(at),
            At::Early { .. } => None,
        }
    }
}

/// A load that found stores of its own thread updated forwards from them again when the updates are left out.
fn forward_again<S: System>(execution: &Execution<S>, e: Position, at: Position, load: &Footprint) -> Option<Box<Footprint>> {
    let mut changed = None;
    for later in (e.0..at.0).rev().map(Position) {
        let event = &execution.event(later).footprint;
        if event.update.is_some() && event.thread == load.thread && execution.happens_before(e, later) {
            let load = changed.get_or_insert_with(|| Box::new(load.clone()));
            execution.system.forward_again(load, event);
        }
    }
    changed
}
