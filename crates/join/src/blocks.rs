//! Blocks that are one step: a thread takes all of it at once (see `raddle_memory::buffered`, block.rs, for what it
//! depends on).
//!
//! A block in which an assumption fails does nothing, as if its thread had never got there: whatever it had done is
//! taken back, and the thread never goes on. Others must not see half of a block.

use crate::core::Stop;
use crate::schedules::Scheduled;
use raddle_event::{Action, Footprint, LocationId, Position, Taken, ThreadId};
use raddle_machine::Next;
use raddle_memory::buffered::Readiness;
use raddle_memory::happens::Mark;

/// What a thread in a block is about to do.
enum Ahead {
    /// It accesses a location; whether it writes.
    Accesses(LocationId, bool),
    /// It does something that is no event.
    Silent,
    /// It takes the word of the block, or gives it back.
    Begins,
    Ends,
    /// It has gone wrong, ended the program, or cannot be run.
    Stops,
    /// An assumption does not hold.
    Fails,
    /// What a block cannot do.
    Refused(&'static str),
}

impl Scheduled<'_> {
    /// What the block that a thread is about to begin touches.
    pub(crate) fn block_footprint(&self, thread: ThreadId) -> Footprint {
        let (_, block) = self.machine.block_ahead(thread).expect("a thread at rest begins a block and does not end one");
        Footprint { thread: thread.0, drains: true, block: Some(block), ..Footprint::default() }
    }

    /// Takes the block that a thread is about to begin. Gives how many steps it has for who takes them one by one.
    pub(crate) fn take_block(&mut self, thread: ThreadId, event: Position, taken: &mut Taken) -> u32 {
        let (key, block) = self.machine.block_ahead(thread).expect("a thread at rest begins a block and does not end one");
        self.memory.begin_block(thread, &block, event, self.machine.locations(), taken);
        let begun = (self.memory.mark(), self.watched.as_ref().map(|watched| watched.mark()), self.core.faults.len());
        let mut n_steps = 0;
        for _ in 0..self.machine.limits().events {
            match self.ahead_in_block(thread) {
                Ahead::Silent => self.do_silently(thread),
                Ahead::Stops => return n_steps,
                Ahead::Fails => {
                    self.leave_block(begun);
                    return 0;
                }
                Ahead::Refused(what) => {
                    let what = format!("{what} in a block that is one step for all others");
                    self.core.stop_by(Stop::Unsupported { what, thread, moment: self.machine.moment(thread) });
                    return n_steps;
                }
                Ahead::Accesses(at, writes) => {
                    if !(block.writes.contains(&at) || (!writes && block.reads.contains(&at))) {
                        self.machine.learn_in_block(key, at, writes);
                    }
                    self.access_in_block(thread);
                    n_steps += 1;
                }
                Ahead::Begins => {
                    self.access_in_block(thread);
                    n_steps += 1;
                }
                Ahead::Ends => {
                    self.access_in_block(thread);
                    return n_steps + 1;
                }
            }
        }
        self.core.stop_by(Stop::Endless { thread, moment: self.machine.moment(thread) });
        n_steps
    }

    /// Takes back what was done in a block.
    fn leave_block(&mut self, (memory, watched, n_faults): (usize, Option<Mark>, usize)) {
        self.memory.rewind(memory);
        if let (Some(all), Some(mark)) = (&mut self.watched, watched) {
            all.rewind_in_event(mark);
        }
        self.core.faults.truncate(n_faults);
    }

    fn ahead_in_block(&self, thread: ThreadId) -> Ahead {
        let action = match self.machine.next(thread) {
            Next::Action(action) => action,
            Next::Blocked(_) => return Ahead::Fails,
            Next::Ended(_) => return Ahead::Refused("the end of a thread"),
            _ => return Ahead::Stops,
        };
        match *action {
            Action::Rmw { at, rmw, .. } if self.machine.is_block_word(at) => match rmw.guard {
                Some(_) => Ahead::Begins,
                None => Ahead::Ends,
            },
            Action::Fence(_) | Action::Allocate { .. } => Ahead::Silent,
            Action::Choose { .. } => Ahead::Refused("a choice"),
            Action::Spawn { .. } => Ahead::Refused("the start of a thread"),
            Action::Reuse { .. } => Ahead::Refused("memory that is used again"),
            Action::Reserve { .. } | Action::WriteReserved { .. } => Ahead::Refused("a reservation"),
            _ if self.memory.readiness(thread, action, self.machine.locations()) == Readiness::Waits => Ahead::Refused("a wait"),
            Action::Read { at, .. } => Ahead::Accesses(at, false),
            Action::Write { at, .. } | Action::Rmw { at, .. } | Action::Free { at, .. } => Ahead::Accesses(at, true),
        }
    }

    /// Lets a thread do something that is no event.
    fn do_silently(&mut self, thread: ThreadId) {
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
        let reply = self.memory.silent(thread, action).expect("a fence with an empty buffer and an allocation are complete");
        if self.watched.is_some() {
            self.watch_access(thread, &reply);
        }
        if let Some(image) = self.machine.image(thread) {
            self.memory.adopt(&image, self.machine.addresses());
        }
        self.advance(thread, reply);
    }

    fn access_in_block(&mut self, thread: ThreadId) {
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
        let reply = self.memory.access_in_block(action, self.machine.locations());
        if self.watched.is_some() {
            self.watch_access(thread, &reply);
        }
        self.advance(thread, reply);
    }
}
