//! The execution now being run: its events, their clocks, and the races of each.
//!
//! A *race* is a pair of events of different actors, the earlier happening before the later with nothing in between,
//! that can be made to happen the other way round (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, definition 3.3). Each
//! race is found when its later event happens, so races of a common prefix are found once for all executions that share
//! it.

use crate::System;
use crate::sleep::SleepSet;
use raddle_event::{Actor, Clocks, Footprint, Position, Step, Taken, now_and_then};
use std::ops::ControlFlow;

/// An event that has happened.
pub struct Event {
    pub step: Step,
    pub footprint: Footprint,
    /// The place of the actor in clocks.
    column: u32,
    /// How many events the actor has had with this one.
    pub count: u32,
    /// The event of the same actor before this one.
    before: Option<Position>,
}

/// What is known of an actor.
#[derive(Clone, Copy, Default)]
struct OfActor {
    /// Its place in clocks, once it has had an event in some execution.
    column: Option<u32>,
    /// Its last event.
    last: Option<Position>,
}

/// An execution of a system.
pub struct Execution<'s, S> {
    /// What is run, as far as the events go.
    pub system: &'s mut S,
    /// The events so far, in the order in which they were taken.
    pub events: Vec<Event>,
    clocks: Clocks,
    /// How many actors have a place in clocks.
    n_columns: u32,
    /// What is known of each actor.
    actors: Vec<OfActor>,
    taken: Taken,
    races: Vec<Position>,
    /// For each thread how many of the events are updates for it.
    n_updates: Vec<u32>,
    /// The compare-exchanges that failed because of another location, and where, oldest first.
    failed: Vec<(Position, Wait)>,
}

impl<'s, S: System> Execution<'s, S> {
    /// An execution in which nothing has happened.
    pub fn new(system: &'s mut S) -> Self {
        Execution {
            system,
            events: Vec::new(),
            clocks: Clocks::default(),
            n_columns: 0,
            actors: Vec::new(),
            taken: Taken::default(),
            races: Vec::new(),
            n_updates: Vec::new(),
            failed: Vec::new(),
        }
    }

    /// How many events have happened.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Begins an event: the step is about to be taken. Gives what it touches.
    #[inline(always)]
    pub fn begin(&mut self, step: Step) -> (&S, &Footprint) {
        let footprint = self.system.footprint(step.actor);
        if footprint.update.is_some() {
            self.note_update(footprint.thread);
        }
        self.events.push(Event { step, footprint, column: 0, count: 0, before: None });
        (self.system, &self.events[self.events.len() - 1].footprint)
    }

    fn note_update(&mut self, thread: u32) {
        let n = self.n_updates.len().max(thread as usize + 1);
        self.n_updates.resize(n, 0);
        self.n_updates[thread as usize] += 1;
    }

    /// Takes the step that was begun; the races of the new event are then in [`Execution::races`].
    #[inline(always)]
    pub fn take(&mut self) {
        let at = Position(self.events.len() as u32 - 1);
        let step = self.events[at.index()].step;
        self.taken.clear();
        self.system.take(step, at, &mut self.taken);
        let column = self.column(step.actor);
        let before = self.actors[step.actor.index()].last.replace(at);
        let count = before.map_or(0, |p| self.events[p.index()].count) + 1;
        let event = &mut self.events[at.index()];
        (event.column, event.count, event.before) = (column, count, before);
        let is_conditional = event.footprint.conditional.is_some();
        self.set_clock(at, before, column, count);
        if is_conditional {
            self.note_failed(at);
        }
    }

    /// Notes a compare-exchange that fails and would succeed before an event that writes another location than its own.
    /// It then depends on reads which that event has nothing to do with, and which may still come
    /// (docs/algorithms/optimal.md).
    #[inline(never)]
    fn note_failed(&mut self, at: Position) {
        let Event { step, footprint, .. } = &self.events[at.index()];
        if footprint.write.is_some() {
            return;
        }
        let writes_another = |e: &&Position| self.events[e.index()].footprint.write != footprint.read;
        for &e in self.races.iter().filter(writes_another) {
            let early = self.system.overtaking(footprint, e);
            if early.write.is_some() {
                let before = self.before_newest().collect();
                self.failed.push((at, Wait { actor: step.actor, footprint: early, overtakes: vec![e], before }));
            }
        }
    }

    /// The place of an actor in clocks. Most programs have fewer actors that act than actors.
    #[inline(always)]
    fn column(&mut self, actor: Actor) -> u32 {
        match self.actors.get(actor.index()) {
            Some(OfActor { column: Some(column), .. }) => *column,
            _ => self.new_column(actor),
        }
    }

    fn new_column(&mut self, actor: Actor) -> u32 {
        let column = self.n_columns;
        self.n_columns += 1;
        self.clocks.widen(self.n_columns as usize);
        let n = self.actors.len().max(actor.index() + 1);
        self.actors.resize(n, OfActor::default());
        self.actors[actor.index()].column = Some(column);
        column
    }

    #[inline(always)]
    fn set_clock(&mut self, at: Position, before: Option<Position>, column: u32, count: u32) {
        self.clocks.push(before);
        self.races.clear();
        let Execution { clocks, taken, events, races, .. } = self;
        let sees = |clocks: &Clocks, e: Position| clocks.get(at, events[e.index()].column as usize) >= events[e.index()].count;
        for &e in &taken.order {
            if !sees(clocks, e) {
                clocks.join(e);
            }
        }
        for &e in &taken.overtakes {
            if !sees(clocks, e) {
                races.push(e);
            }
        }
        for &e in &taken.enabling {
            clocks.join(e);
        }
        // From the newest: what an earlier one of them is ordered with is then already seen.
        if taken.conflicts.len() > 1 {
            taken.conflicts.sort_unstable();
        }
        for &e in taken.conflicts.iter().rev() {
            if !sees(clocks, e) {
                races.push(e);
                clocks.join(e);
            }
        }
        clocks.set(column as usize, count);
        debug_assert!(!now_and_then(at.index()) || self.is_clock_sound(at));
    }

    /// Whether the newest event comes after all that it depends on, and after what comes before those.
    fn is_clock_sound(&self, at: Position) -> bool {
        let Execution { clocks, taken, events, .. } = self;
        let mut before = taken.order.iter().chain(&taken.enabling).chain(&taken.conflicts);
        before.all(|&e| e < at && clocks.get(at, events[e.index()].column as usize) >= events[e.index()].count && clocks.is_within(e, at))
    }

    /// Whether any event of any execution was an update.
    pub fn had_updates(&self) -> bool {
        !self.n_updates.is_empty()
    }

    /// Whether any event so far is an update for a thread.
    pub fn has_updates(&self, thread: u32) -> bool {
        self.n_updates.get(thread as usize).is_some_and(|&n| n > 0)
    }

    /// The events that race with the newest one.
    pub fn races(&self) -> &[Position] {
        &self.races
    }

    /// Whether the event at `a` happens before the one at `b`, or is the same.
    pub fn happens_before(&self, a: Position, b: Position) -> bool {
        let event = &self.events[a.index()];
        self.clocks.get(b, event.column as usize) >= event.count
    }

    /// The events after `e` that do not happen after it, up to and without `end`.
    pub fn notdep(&self, e: Position, end: Position) -> impl Iterator<Item = Position> + '_ {
        (e.0 + 1..end.0).map(Position).filter(move |&later| !self.happens_before(e, later))
    }

    /// The newest event, where it can be taken before `e` without any other and touches the same there.
    #[inline(always)]
    pub fn alone_before(&self, e: Position) -> Option<&Event> {
        let at = Position(self.events.len() as u32 - 1);
        let newest = self.event(at);
        let Footprint { read, write, conditional, thread, .. } = &newest.footprint;
        let changes = conditional.is_some() || (read.is_some() && write.is_none() && self.has_updates(*thread));
        (!changes && self.notdep(e, at).next().is_none()).then_some(newest)
    }

    /// The event at a position.
    pub fn event(&self, at: Position) -> &Event {
        &self.events[at.index()]
    }

    /// Takes back the event at `at` and everything after it, if there is one. `last` sees the event at `at`.
    #[inline]
    pub fn rewind(&mut self, at: Position, last: impl FnOnce(&mut Event)) {
        if at.index() >= self.events.len() {
            return;
        }
        self.system.rewind(at);
        self.clocks.truncate(at.index());
        for event in self.events[at.index()..].iter().rev() {
            self.actors[event.step.actor.index()].last = event.before;
            if event.footprint.update.is_some() {
                self.n_updates[event.footprint.thread as usize] -= 1;
            }
        }
        while self.failed.last().is_some_and(|(failed, _)| *failed >= at) {
            self.failed.pop();
        }
        last(&mut self.events[at.index()]);
        self.events.truncate(at.index());
    }

    /// The first enabled step that does not sleep, and whether any is enabled. Where the step is a choice, `also` gets
    /// its other outcomes.
    #[inline(always)]
    pub fn first_awake(&self, sleep: &SleepSet, mut also: impl FnMut(Step)) -> (Option<Step>, bool) {
        let (mut first, mut any) = (None, false);
        if !self.system.is_over() {
            let latest = self.events.last().map(|event| event.step.actor);
            let _stopped = self.system.enabled(latest, |step, more| {
                any = true;
                match first {
                    _ if sleep.contains(step) => {}
                    None => first = Some(step),
                    Some(_) => also(step),
                }
                if first.is_some() && !more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        (first, any)
    }

    /// The first choice that can be made.
    pub fn first_choice(&self) -> Option<(Step, Footprint)> {
        let (first, _) = self.first_awake(&SleepSet::default(), |_| {});
        first.map(|step| (step, self.system.footprint(step.actor))).filter(|(_, touches)| touches.outcomes > 0)
    }

    /// The events that the newest one comes after for reasons other than conflicts.
    pub fn before_newest(&self) -> impl Iterator<Item = Position> + '_ {
        let newest = self.events.last().and_then(|event| event.before);
        newest.into_iter().chain(self.taken.order.iter().copied())
    }

    /// The actors that wait and could overtake what keeps them from going on, and the compare-exchanges that could
    /// overtake what makes them fail.
    pub fn waits(&mut self) -> Vec<Wait> {
        let mut waits = Vec::new();
        let Execution { system, events, clocks, actors, .. } = self;
        let happens_before = |a: Position, b: Position| clocks.get(b, events[a.index()].column as usize) >= events[a.index()].count;
        system.waiting(&mut |actor, footprint, taken| {
            let own = actors.get(actor.index()).and_then(|of| of.last);
            let before: Vec<Position> = own.into_iter().chain(taken.order.iter().copied()).collect();
            let can_overtake = |&e: &Position| !before.iter().any(|&b| happens_before(e, b));
            if !taken.overtakes.is_empty() && taken.overtakes.iter().all(can_overtake) {
                waits.push(Wait { actor, footprint, overtakes: taken.overtakes.to_vec(), before });
            }
        });
        waits.extend(self.failed.iter().map(|(_, wait)| wait.clone()));
        waits
    }
}

/// An actor that waits at the end of an execution, or has failed on the way, and the events that it could overtake by
/// coming first.
#[derive(Clone)]
pub struct Wait {
    pub actor: Actor,
    pub footprint: Footprint,
    pub overtakes: Vec<Position>,
    /// The events that its step comes after for reasons other than conflicts.
    pub before: Vec<Position>,
}

impl Wait {
    /// The first of the events that it could overtake.
    pub fn first(&self) -> Position {
        *self.overtakes.iter().min().expect("a wait overtakes something")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Op::*, Toy, run};

    /// A read after two writes races with the newer one alone: the older happens before that.
    #[test]
    fn a_race_has_nothing_in_between() {
        let mut toy = Toy::new(&[&[Write(0)], &[Write(0)], &[Read(0)]]);
        let execution = run(&mut toy, &[0, 1, 2]);
        assert_eq!(execution.races(), [Position(1)]);
        assert!(execution.happens_before(Position(0), Position(2)));
    }

    /// Two threads that write two locations in the same order: the second pair happens in the order of the first, but
    /// is no race by way of it.
    #[test]
    fn what_happens_before_by_another_event_is_no_race() {
        let mut toy = Toy::new(&[&[Write(1), Write(0)], &[Read(0), Read(1)]]);
        let mut execution = run(&mut toy, &[0, 0, 1]);
        assert_eq!(execution.races(), [Position(1)]);
        execution.begin(crate::toy::step(1));
        execution.take();
        assert!(execution.races().is_empty());
    }

    #[test]
    fn what_is_taken_back_has_not_happened() {
        let mut toy = Toy::new(&[&[Write(0), Write(1)], &[Read(0), Read(1)]]);
        let mut execution = run(&mut toy, &[0, 1, 0]);
        execution.rewind(Position(1), |event| assert_eq!(event.step.actor, Actor(1)));
        assert_eq!(execution.len(), 1);
        for thread in [0, 1, 1] {
            execution.begin(crate::toy::step(thread));
            execution.take();
        }
        assert!(execution.happens_before(Position(0), Position(2)) && execution.happens_before(Position(1), Position(3)));
        assert_eq!(execution.event(Position(3)).count, 2);
    }
}
