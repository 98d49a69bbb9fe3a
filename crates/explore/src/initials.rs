//! Sequences that reverse a race, and which steps can begin them.
//!
//! For a race of `e` and `e'`, the sequence is what came after `e` and does not depend on it, then `e'`. A step is a *weak initial* of a sequence
//! when some execution that contains the sequence begins with the step (POPL 2014, definition 3.1): either the step's first
//! occurrence in it depends on nothing before it, or it does not occur and is independent of all of it.
//!
//! Deviation: the paper builds the sequence from a maximal execution, so that what comes after `e'` is in it too. We build it when `e'` happens, from what came between.
//! Such a sequence has more weak initials. So it is left out more often, and then what it would have led to is found by reversing a race
//! in the branch of the sleeping step; and each one that is put in wakes every sleeping step, so nothing becomes redundant (docs/algorithms/optimal.md).

use crate::System;
use crate::execution::{Execution, Wait};
use raddle_event::{Footprint, Position, Step};

/// An event of a sequence.
#[derive(Clone)]
pub struct Item {
    pub step: Step,
    /// The event that it is in the execution from which the sequence was made, where it is one.
    event: Option<Position>,
    /// Whether it is taken earlier than there. It is the last of the sequence as that is made.
    early: bool,
    /// What it touches, where that is not what the event touched in the execution.
    touches: Option<Box<Footprint>>,
}

/// A sequence of events that can be taken at some point of the execution instead of what was taken.
#[derive(Default)]
pub struct Sequence {
    pub items: Vec<Item>,
    /// The events that the item that is taken early comes after for reasons other than conflicts.
    before: Vec<Position>,
    /// The updates that are left out, where a load may forward from them.
    late: Vec<Position>,
}

impl Sequence {
    /// Makes it the one that takes the newest event before `e`.
    pub fn reverse<S: System>(&mut self, execution: &Execution<S>, e: Position) {
        let newest = Position(execution.len() as u32 - 1);
        self.items.clear();
        self.items.extend(execution.notdep(e, newest).map(|at| Item::of(execution, at)));
        self.items.push(Item { early: true, ..Item::of(execution, newest) });
        if execution.had_updates() {
            self.forward_again(execution, e);
        }
        let touches = &execution.event(newest).footprint;
        if let (Some(_), Some(last)) = (&touches.conditional, self.items.last_mut()) {
            last.touches = Some(Box::new(execution.system.overtaking(touches, e)));
        }
        self.before.clear();
        self.before.extend(execution.before_newest());
    }

    /// Makes it the one that takes the next step of a waiting actor before all that it overtakes.
    pub fn unblock<S: System>(&mut self, execution: &Execution<S>, wait: &Wait) {
        let (e, end) = (wait.first(), Position(execution.len() as u32));
        let stays = |at: &Position| !wait.overtakes.iter().any(|&other| execution.happens_before(other, *at));
        self.items.clear();
        self.items.extend(execution.notdep(e, end).filter(stays).map(|at| Item::of(execution, at)));
        if execution.had_updates() {
            self.forward_again(execution, e);
        }
        let step = Step { actor: wait.actor, choice: 0 };
        self.items.push(Item { step, event: None, early: true, touches: Some(Box::new(wait.footprint.clone())) });
        self.before.clone_from(&wait.before);
    }

    /// Leaves out what does not lead to its last event.
    pub fn keep_towards_last<S: System>(&mut self, execution: &Execution<S>) {
        let last = self.items.pop().expect("a sequence takes something earlier");
        let mut leading: Vec<Position> = match last.event {
            Some(at) => vec![at],
            None => self.before.clone(),
        };
        for n in (0..self.items.len()).rev() {
            let at = self.items[n].event.expect("only the last item has not happened");
            let leads = leading.iter().any(|&later| execution.happens_before(at, later));
            let conflicts =
                || !execution.system.is_independent(last.footprint(execution), std::iter::once(self.items[n].footprint(execution)));
            if leads || conflicts() {
                leading.push(at);
            }
        }
        self.items.retain(|item| item.event.is_some_and(|at| leading.contains(&at)));
        self.items.push(last);
    }

    /// The updates among `e` and what happens after it are left out: loads of their threads forward from them again.
    fn forward_again<S: System>(&mut self, execution: &Execution<S>, e: Position) {
        let Sequence { items, late, .. } = self;
        let mut is_late_known = false;
        for item in items {
            let Some(at) = item.event else { continue };
            let touches = &execution.event(at).footprint;
            if touches.read.is_some() && touches.write.is_none() && execution.has_updates(touches.thread) {
                if !is_late_known {
                    let later = (e.0..execution.len() as u32).map(Position);
                    late.clear();
                    late.extend(later.filter(|&at| execution.event(at).footprint.update.is_some() && execution.happens_before(e, at)));
                    is_late_known = true;
                }
                let updates = late.iter().rev().skip_while(|&&update| update > at).map(|&update| &execution.event(update).footprint);
                item.touches = forward_again(execution, touches, updates);
            }
        }
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
        let item = &self.items[first];
        let follows = |at: Position| earlier.iter().filter_map(|other| other.event).any(|b| execution.happens_before(b, at));
        match item.event {
            Some(at) if !item.early => !follows(at),
            _ => {
                let earlier = || earlier.iter().map(|other| other.footprint(execution));
                let touches = item.footprint(execution);
                let first = forward_again(execution, touches, earlier().rev());
                let touches = first.as_deref().unwrap_or(touches);
                !self.before.iter().any(|&at| follows(at)) && execution.system.is_independent(touches, earlier())
            }
        }
    }

    /// Every step that can begin it and occurs in it.
    pub fn initials<S: System>(&self, execution: &Execution<S>) -> impl Iterator<Item = Step> {
        let is_first = |n: usize| !self.items[..n].iter().any(|other| other.step.actor == self.items[n].step.actor);
        let first = (0..self.items.len()).filter(move |&n| is_first(n) && self.depends_on_nothing_before(execution, n));
        first.map(|n| self.items[n].step)
    }

    /// Whether what the sequence leads to is explored with a step that is enabled where the sequence begins: the step is a weak initial of it, and
    /// is not one outcome of a choice that the sequence leaves open.
    pub fn is_covered_by<S: System>(&self, execution: &Execution<S>, step: Step, footprint: &Footprint) -> bool {
        if self.items.iter().any(|item| item.step.actor == step.actor) {
            return self.initial(execution, step).is_some();
        }
        footprint.outcomes == 0 && execution.system.is_independent(footprint, self.items.iter().map(|item| item.footprint(execution)))
    }

    /// Whether the step is a choice that does not occur in the sequence.
    pub fn leaves_open(&self, step: Step, footprint: &Footprint) -> bool {
        footprint.outcomes > 0 && !self.items.iter().any(|item| item.step.actor == step.actor)
    }

    /// The sequence with an outcome of a choice that it leaves open before everything.
    pub fn after_choice(&self, step: Step, footprint: &Footprint) -> Sequence {
        let choice = Item { step, event: None, early: false, touches: Some(Box::new(footprint.clone())) };
        let items = std::iter::once(choice).chain(self.items.iter().cloned()).collect();
        Sequence { items, before: self.before.clone(), late: Vec::new() }
    }
}

impl Item {
    /// The event at `at`.
    #[inline]
    fn of<S: System>(execution: &Execution<S>, at: Position) -> Item {
        Item { step: execution.event(at).step, event: Some(at), early: false, touches: None }
    }

    /// What it touches.
    pub fn footprint<'f, S: System>(&'f self, execution: &'f Execution<S>) -> &'f Footprint {
        match (&self.touches, self.event) {
            (Some(touches), _) => touches,
            (None, Some(at)) => &execution.event(at).footprint,
            (None, None) => unreachable!("an item that waits says what it touches"),
        }
    }
}

/// What a load touches when it comes before events that it came after, newest first, where that is something else: it forwards again from the
/// stores of its own thread that are updated by them.
fn forward_again<'f, S: System>(
    execution: &Execution<S>,
    load: &Footprint,
    before: impl Iterator<Item = &'f Footprint>,
) -> Option<Box<Footprint>> {
    let mut changed = None;
    if load.read.is_some() && load.write.is_none() && execution.has_updates(load.thread) {
        for update in before.filter(|event| event.update.is_some() && event.thread == load.thread) {
            let load = changed.get_or_insert_with(|| Box::new(load.clone()));
            execution.system.forward_again(load, update);
        }
    }
    changed
}
