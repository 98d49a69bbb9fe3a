//! Sequences that reverse a race, and which steps can begin them.
//!
//! For a race of `e` and `e'`, the sequence is what came after `e` and does not depend on it, then `e'`. A step is a
//! *weak initial* of a sequence when some execution that contains the sequence begins with the step (POPL 2014,
//! definition 3.1): either the step's first occurrence in it depends on nothing before it, or it does not occur and is
//! independent of all of it.
//!
//! Deviation: the paper builds the sequence from a maximal execution, so that what comes after `e'` is in it too. We
//! build it when `e'` happens, from what came between. Where it matters what comes after `e'` the sequence is built
//! again, whole, when the execution is complete ([`crate::open_races`]).

use crate::System;
use crate::execution::{Execution, Wait};
use raddle_event::{Footprint, Position, Step};

/// The events that a sequence is made of, and the order in which they happen.
pub trait Events {
    type System: System;

    /// The system in which they happen.
    fn system(&self) -> &Self::System;

    /// What an event touched.
    fn touched(&self, at: Position) -> &Footprint;

    /// Whether the event at `a` happens before the one at `b`, or is the same.
    fn happens_before(&self, a: Position, b: Position) -> bool;

    /// Whether any of them may be an update for a thread.
    fn has_updates(&self, thread: u32) -> bool;
}

impl<S: System> Events for Execution<'_, S> {
    type System = S;

    #[inline]
    fn system(&self) -> &S {
        self.system
    }

    #[inline]
    fn touched(&self, at: Position) -> &Footprint {
        &self.event(at).footprint
    }

    #[inline]
    fn happens_before(&self, a: Position, b: Position) -> bool {
        Execution::happens_before(self, a, b)
    }

    #[inline]
    fn has_updates(&self, thread: u32) -> bool {
        Execution::has_updates(self, thread)
    }
}

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

/// Why what a sequence leads to is explored with a step that is enabled where the sequence begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// The step occurs in the sequence, at this place, and can come first. So it can where the sequence grows.
    Begins(usize),
    /// The step does not occur in the sequence and is independent of all of it. What the sequence grows by may depend
    /// on the step.
    Apart,
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
    /// Makes it the one that takes the newest event before `e`, with what has happened so far.
    pub fn reverse<S: System>(&mut self, execution: &Execution<S>, e: Position) {
        self.take_early(execution, e, Position(execution.len() as u32 - 1));
        self.before.clear();
        self.before.extend(execution.before_newest());
    }

    /// Makes it the one that takes `later` before `e`, with all that has happened by now. `before` are the events that
    /// `later` comes after for reasons other than conflicts.
    pub fn reverse_whole<S: System>(&mut self, execution: &Execution<S>, e: Position, later: Position, before: &[Position]) {
        self.take_early(execution, e, later);
        self.before.clear();
        self.before.extend_from_slice(before);
    }

    /// What happened after `e` and does not depend on it, then `later`, which does.
    fn take_early<S: System>(&mut self, execution: &Execution<S>, e: Position, later: Position) {
        let end = Position(execution.len() as u32);
        self.items.clear();
        self.items.extend(execution.notdep(e, end).map(|at| Item::of(execution, at)));
        self.items.push(Item { early: true, ..Item::of(execution, later) });
        if execution.had_updates() {
            self.forward_again(execution, e);
        }
        let touches = &execution.event(later).footprint;
        if let (Some(_), Some(last)) = (&touches.conditional, self.items.last_mut()) {
            last.touches = Some(Box::new(execution.system.overtaking(touches, e)));
        }
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

    /// Makes it one that was made elsewhere: the position of each event is its place in the sequence, and one more
    /// stands for all that the last one comes after.
    pub fn take_over(&mut self, steps: impl ExactSizeIterator<Item = Step>) {
        let n = steps.len();
        let item = |(at, step)| Item { step, event: Some(Position(at as u32)), early: at + 1 == n, touches: None };
        self.items.clear();
        self.items.extend(steps.enumerate().map(item));
        self.before.clear();
        self.before.push(Position(n as u32));
    }

    /// The places of the items that happen before one of them; of those that the one that is taken early comes after
    /// for reasons other than conflicts.
    pub fn comes_after(&self, events: &impl Events, n: usize) -> Vec<u32> {
        let Item { event, early, .. } = self.items[n];
        let own = event.filter(|_| !early);
        let comes_after = |at: Position| match own {
            Some(own) => events.happens_before(at, own),
            None => self.before.iter().any(|&before| events.happens_before(at, before)),
        };
        (0..n).filter(|&other| self.items[other].event.is_some_and(comes_after)).map(|other| other as u32).collect()
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
    fn initial(&self, events: &impl Events, step: Step) -> Option<usize> {
        let first = self.items.iter().position(|item| item.step.actor == step.actor)?;
        if self.items[first].step != step {
            return None;
        }
        self.depends_on_nothing_before(events, first).then_some(first)
    }

    fn depends_on_nothing_before(&self, events: &impl Events, first: usize) -> bool {
        let earlier = &self.items[..first];
        let item = &self.items[first];
        let follows = |at: Position| earlier.iter().filter_map(|other| other.event).any(|b| events.happens_before(b, at));
        match item.event {
            Some(at) if !item.early => !follows(at),
            _ => {
                let earlier = || earlier.iter().map(|other| other.footprint(events));
                let touches = item.footprint(events);
                let first = forward_again(events, touches, earlier().rev());
                let touches = first.as_deref().unwrap_or(touches);
                !self.before.iter().any(|&at| follows(at)) && events.system().is_independent(touches, earlier())
            }
        }
    }

    /// Every step that can begin it and occurs in it.
    pub fn initials<S: System>(&self, execution: &Execution<S>) -> impl Iterator<Item = Step> {
        let is_first = |n: usize| !self.items[..n].iter().any(|other| other.step.actor == self.items[n].step.actor);
        let first = (0..self.items.len()).filter(move |&n| is_first(n) && self.depends_on_nothing_before(execution, n));
        first.map(|n| self.items[n].step)
    }

    /// Whether what the sequence leads to is explored with a step that is enabled where the sequence begins, and why:
    /// the step is a weak initial of it, and is not one outcome of a choice that the sequence leaves open.
    pub fn cover(&self, events: &impl Events, step: Step, footprint: &Footprint) -> Option<Cover> {
        if self.items.iter().any(|item| item.step.actor == step.actor) {
            return self.initial(events, step).map(Cover::Begins);
        }
        let is_apart = || events.system().is_independent(footprint, self.items.iter().map(|item| item.footprint(events)));
        (footprint.outcomes == 0 && is_apart()).then_some(Cover::Apart)
    }

    /// The sequence comes after a step now that it did not come after: where that is an update, loads of its thread
    /// that forwarded take their values from memory.
    pub fn come_after(&mut self, events: &impl Events, step: &Footprint) {
        let Some(store) = step.update else { return };
        for item in &mut self.items {
            let touches = item.footprint(events);
            if touches.thread == step.thread && touches.forwards.iter().any(|forward| forward.0 == store) {
                let mut touches = Box::new(touches.clone());
                touches.forwards.forget(store);
                item.touches = Some(touches);
            }
        }
    }

    /// Where the first choice is that can be made before everything else in it: of several that of the thread with the
    /// lowest number.
    fn first_choice(&self, events: &impl Events) -> Option<usize> {
        let is_choice = |n: &usize| self.items[*n].footprint(events).outcomes > 0;
        let choices = (0..self.items.len()).filter(is_choice).filter(|&n| self.depends_on_nothing_before(events, n));
        choices.min_by_key(|&n| self.items[n].footprint(events).thread)
    }

    /// The choice that is made before everything else in it, if there is one.
    pub fn choice(&self, events: &impl Events) -> Option<(Step, Footprint)> {
        self.first_choice(events).map(|n| (self.items[n].step, self.items[n].footprint(events).clone()))
    }

    /// Puts each choice to where it is made: right after the last event that it happens after.
    pub fn choose_early(&mut self, events: &impl Events) {
        if !self.items.iter().any(|item| item.footprint(events).outcomes > 0) {
            return;
        }
        let mut ordered = Vec::with_capacity(self.items.len());
        while !self.items.is_empty() {
            let next = self.first_choice(events).unwrap_or(0);
            ordered.push(self.items.remove(next));
        }
        self.items = ordered;
    }

    /// Whether the event that is taken early is still in it.
    pub fn has_early(&self) -> bool {
        self.items.last().is_some_and(|item| item.early)
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
    pub fn footprint<'f>(&'f self, events: &'f impl Events) -> &'f Footprint {
        match (&self.touches, self.event) {
            (Some(touches), _) => touches,
            (None, Some(at)) => events.touched(at),
            (None, None) => unreachable!("an item that waits says what it touches"),
        }
    }
}

/// What a load touches when it comes before events that it came after, newest first, where that is something else: it
/// forwards again from the stores of its own thread that are updated by them.
fn forward_again<'f>(events: &impl Events, load: &Footprint, before: impl Iterator<Item = &'f Footprint>) -> Option<Box<Footprint>> {
    let mut changed = None;
    if load.read.is_some() && load.write.is_none() && events.has_updates(load.thread) {
        for update in before.filter(|event| event.update.is_some() && event.thread == load.thread) {
            let load = changed.get_or_insert_with(|| Box::new(load.clone()));
            events.system().forward_again(load, update);
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Op::*, Toy, run, step};
    use raddle_event::LocationId;

    fn write(thread: u32, at: u32) -> Footprint {
        Footprint { write: Some(LocationId(at)), thread, ..Footprint::default() }
    }

    /// T0 writes x; T1 writes y, then z; T2 writes w, then reads x, which races with the write of it; T3 does nothing.
    fn with_race(check: impl FnOnce(&Execution<Toy>, &Sequence)) {
        let mut toy = Toy::new(&[&[Write(0)], &[Write(1), Write(2)], &[Write(3), Read(0)], &[]]);
        let execution = run(&mut toy, &[0, 1, 2, 1, 2]);
        assert_eq!(execution.races(), [Position(0)]);
        let mut sequence = Sequence::default();
        sequence.reverse(&execution, Position(0));
        check(&execution, &sequence);
    }

    #[test]
    fn a_race_is_reversed_by_what_does_not_depend_on_its_first_event() {
        with_race(|_, sequence| {
            let steps: Vec<Step> = sequence.items.iter().map(|item| item.step).collect();
            assert_eq!(steps, [1, 2, 1, 2].map(step), "all but T0's write, the read last");
            assert!(sequence.has_early());
        });
    }

    #[test]
    fn initials_depend_on_nothing_before_them() {
        with_race(|execution, sequence| {
            let initials: Vec<Step> = sequence.initials(execution).collect();
            assert_eq!(initials, [1, 2].map(step), "the first of each thread, once");
        });
    }

    #[test]
    fn a_weak_initial_begins_the_sequence_or_is_apart_from_it() {
        with_race(|execution, sequence| {
            let cover = |thread, at| sequence.cover(execution, step(thread), &write(thread, at));
            assert_eq!(cover(1, 1), Some(Cover::Begins(0)));
            assert_eq!(cover(2, 3), Some(Cover::Begins(1)));
            assert_eq!(cover(0, 0), None, "T2's read of x depends on it");
            assert_eq!(cover(3, 2), None, "T1's write of z depends on it");
            assert_eq!(cover(3, 4), Some(Cover::Apart));
            let choice = Footprint { outcomes: 2, thread: 3, ..Footprint::default() };
            assert_eq!(sequence.cover(execution, step(3), &choice), None, "one outcome does not cover what the others lead to");
            assert!(sequence.leaves_open(step(3), &choice) && !sequence.leaves_open(step(1), &choice));
        });
    }

    /// The second step of a thread cannot come first, though it depends on nothing else; nor can another outcome of the
    /// first.
    #[test]
    fn a_step_that_occurs_covers_only_where_it_occurs_first() {
        with_race(|execution, sequence| {
            let other = Step { choice: 1, ..step(1) };
            assert_eq!(sequence.cover(execution, other, &write(1, 1)), None);
        });
    }

    /// For classic DPOR what leads to the event that is taken early counts: T2's write, not T1's.
    #[test]
    fn what_does_not_lead_to_the_last_event_is_left_out() {
        let mut toy = Toy::new(&[&[Write(0)], &[Write(1)], &[Write(3), Read(0)]]);
        let execution = run(&mut toy, &[0, 1, 2, 2]);
        let mut sequence = Sequence::default();
        sequence.reverse(&execution, Position(0));
        sequence.keep_towards_last(&execution);
        let steps: Vec<Step> = sequence.items.iter().map(|item| item.step).collect();
        assert_eq!(steps, [2, 2].map(step));
    }
}
