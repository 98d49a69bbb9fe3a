//! A small system for the tests of this crate: threads that read and write locations of one shared memory, or choose.
//!
//! Steps of different threads depend on each other where both touch a location and one writes it. A thread can be told
//! to wait, and an update can stand in the place of a step.

use crate::{Execution, Prospect, System};
use raddle_event::{Actor, Footprint, LocationId, Position, Step, Taken};
use std::ops::ControlFlow;

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Read(u32),
    Write(u32),
    Choose(u32),
}

/// Threads, how far each has come, and what has happened.
pub struct Toy {
    threads: Vec<Vec<Op>>,
    events: Vec<Footprint>,
    /// What is said of each thread that has not ended.
    pub prospect: Prospect,
}

impl Toy {
    pub fn new(threads: &[&[Op]]) -> Toy {
        Toy { threads: threads.iter().map(|ops| ops.to_vec()).collect(), events: Vec::new(), prospect: Prospect::Able }
    }

    fn next(&self, thread: u32) -> Option<Op> {
        let done = self.events.iter().filter(|event| event.thread == thread).count();
        self.threads[thread as usize].get(done).copied()
    }
}

/// The step of a thread.
pub fn step(thread: u32) -> Step {
    Step { actor: Actor(thread), choice: 0 }
}

/// The execution in which these threads have taken a step each.
pub fn run<'t>(toy: &'t mut Toy, threads: &[u32]) -> Execution<'t, Toy> {
    let mut execution = Execution::new(toy);
    for &thread in threads {
        execution.begin(step(thread));
        execution.take();
    }
    execution
}

fn depend(a: &Footprint, b: &Footprint) -> bool {
    let meet = |a: Option<LocationId>, b: Option<LocationId>| a.is_some() && a == b;
    a.thread == b.thread || meet(a.write, b.write) || meet(a.read, b.write) || meet(a.write, b.read)
}

impl System for Toy {
    fn enabled(&self, first: Option<Actor>, mut found: impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut threads: Vec<u32> = (0..self.threads.len() as u32).collect();
        threads.sort_by_key(|&thread| (!matches!(self.next(thread), Some(Op::Choose(_))), first != Some(Actor(thread))));
        for thread in threads {
            let outcomes = match self.next(thread) {
                None => continue,
                Some(Op::Choose(n)) => n,
                Some(_) => 1,
            };
            for choice in 0..outcomes {
                found(Step { choice, ..step(thread) }, choice + 1 < outcomes)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn footprint(&self, actor: Actor) -> Footprint {
        let base = Footprint { thread: actor.0, ..Footprint::default() };
        match self.next(actor.0).expect("the thread has not ended") {
            Op::Read(at) => Footprint { read: Some(LocationId(at)), ..base },
            Op::Write(at) => Footprint { write: Some(LocationId(at)), ..base },
            Op::Choose(outcomes) => Footprint { outcomes, ..base },
        }
    }

    fn take(&mut self, step: Step, at: Position, taken: &mut Taken) {
        assert_eq!(at.index(), self.events.len());
        let footprint = self.footprint(step.actor);
        let earlier = self.events.iter().enumerate().filter(|(_, event)| event.thread != footprint.thread && depend(event, &footprint));
        taken.conflicts.extend(earlier.map(|(n, _)| Position(n as u32)));
        self.events.push(footprint);
    }

    fn rewind(&mut self, at: Position) {
        self.events.truncate(at.index());
    }

    fn is_independent<'f>(&self, step: &Footprint, mut then: impl Iterator<Item = &'f Footprint>) -> bool {
        then.all(|event| !depend(step, event))
    }

    fn overtaking(&self, step: &Footprint, _: Position) -> Footprint {
        step.clone()
    }

    fn forward_again(&self, _: &mut Footprint, _: &Footprint) {}

    fn waiting(&mut self, _: &mut dyn FnMut(Actor, Footprint, &Taken)) {}

    fn prospect(&self, thread: u32) -> Prospect {
        self.next(thread).map_or(Prospect::Ended, |_| self.prospect)
    }

    fn is_over(&self) -> bool {
        false
    }
}
