//! What an execution must have before it is run again to look for a data race, or for a cycle that SC does not have.
//!
//! A data race has an access that is not atomic, or the end of a heap object. A cycle in po ∪ rf ∪ co ∪ fr has an event
//! that has overtaken an older store of its own thread: where none has, the order in which events happen in memory has
//! all of these relations in it. Executions without either are not looked at again. Of the others the judge decides.
//!
//! This is known from the events as they are taken, and goes back with them. Nothing is noted where nobody asks.

use crate::schedules::Scheduled;
use raddle_event::{Action, Free, ThreadId, Who};
use raddle_machine::{Blocks, Kind};

/// What was seen in the present execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suspects {
    /// Whether somebody asks.
    pub is_asked: bool,
    /// An access that is not atomic, or the end of a heap object.
    pub is_plain: bool,
    /// An event that happened while an older store of its thread had not reached memory.
    pub is_early: bool,
}

impl Suspects {
    /// Nothing was seen; blocks stand apart where nobody looks for races or cycles.
    pub fn new(blocks: Blocks) -> Suspects {
        Suspects { is_asked: !matches!(blocks, Blocks::Apart), is_plain: false, is_early: false }
    }
}

/// Whether an action can be part of a race whatever else there is.
pub(crate) fn is_plain(action: &Action) -> bool {
    match action {
        Action::Read { order, .. }
        | Action::Write { order, .. }
        | Action::Rmw { order, .. }
        | Action::Reserve { order, .. }
        | Action::WriteReserved { order, .. } => !order.is_atomic(),
        Action::Free { how, .. } => *how == Free::Heap,
        Action::Fence(_) | Action::Spawn { .. } | Action::Allocate { .. } | Action::Choose { .. } => false,
    }
}

impl Scheduled<'_> {
    /// Notes what is suspect about the step that somebody is about to take.
    #[inline(never)]
    pub(crate) fn suspect(&mut self, who: Who) {
        let thread = who.thread();
        match who {
            Who::Thread(_) => {
                // What is in a block is not looked at one by one.
                let is_block = self.machine.is_block_word(self.machine.ahead(thread).at);
                self.suspects.is_plain |= is_block || self.machine.action(thread).is_some_and(is_plain);
                self.suspects.is_early |= !self.memory.is_empty(thread);
            }
            Who::Update(_) => {}
            Who::UpdateAt(_, at) => self.suspects.is_early |= !self.memory.is_oldest(thread, at),
        }
    }

    /// Whether some thread waits for a value, so that the execution may have last looks that are no events.
    pub(crate) fn looks_in_vain(&self) -> bool {
        (0..self.machine.n_threads()).any(|n| self.machine.ahead(ThreadId(n as u32)).kind == Kind::Awaits)
    }
}
