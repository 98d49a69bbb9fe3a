//! Compare-exchanges that are one instruction, of which it is guessed whether they succeed (AArch64).
//!
//! A load may read what a compare-exchange of its own thread stores before the load of the compare-exchange is
//! committed (docs/models/aarch64.md). Where that can matter, success is a choice, made before anything else, and there
//! is a store if and only if success was guessed, whatever the load reads and is compared with. A run in which a guess
//! does not come true is no execution. Which instructions guess is learned, and the exploration starts over when one is
//! new.
//!
//! Such a run is gone along all the same, since its stores may be what the load should have read. What its thread does
//! behind a branch that depends on that load is not: stores there come after the load in commit-before, so that it
//! cannot read them, nor anything that comes after them. So a loop around a compare-exchange, which goes on as long as
//! that fails, cannot go on for ever with guesses that are wrong.

use crate::out_of_order::OutOfOrder;
use crate::sharing::Site;
use crate::symbolic::{Content, How, Instance, Operand, Symbolic, What};
use raddle_event::{DepsId, EventId};

impl Symbolic {
    /// Whether what was guessed of a compare-exchange has come true, as soon as that is known.
    fn has_come_true(&self, instance: &Instance) -> Option<bool> {
        let (when, succeeds) = instance.guess?;
        self.nodes.value(when).map(|same| (same == 1) == succeeds)
    }

    /// Whether some of these events are loads of which something was guessed that is not so.
    pub(crate) fn is_in_vain(&self, deps: DepsId) -> bool {
        self.sets.get(deps).iter().any(|&event| self.has_come_true(&self.events[event as usize]) == Some(false))
    }
}

impl OutOfOrder<'_> {
    /// Whether a read is that of a compare-exchange of which it was guessed whether it succeeds.
    pub fn is_guess(&self, read: EventId) -> bool {
        self.events(read.thread)[read.index as usize].guess.is_some()
    }

    /// The reads of compare-exchanges of which it was guessed whether they succeed, and whether that has come true, as
    /// far as it is known.
    pub fn guesses(&self) -> impl Iterator<Item = (EventId, Option<bool>)> + '_ {
        let threads = self.threads().filter(|&thread| !self.world.sites.guessed().is_empty() && self.has_started(thread));
        let reads = threads.flat_map(|thread| (0..self.events(thread).len() as u32).map(move |index| EventId { thread, index }));
        reads
            .filter(|&read| self.is_guess(read))
            .map(|read| (read, self.symbolic(read.thread).has_come_true(&self.events(read.thread)[read.index as usize])))
    }

    /// From the next start on it is guessed whether the compare-exchange with this store succeeds. Tells whether that
    /// helps.
    pub fn guess(&mut self, store: EventId) -> bool {
        let symbolic = self.symbolic(store.thread);
        let instance = &symbolic.events[store.index as usize];
        let What::Write { content: Content::When { when: Operand::Node(when), .. }, .. } = &instance.what else { return false };
        let (is_comparison, site) = (matches!(symbolic.nodes.how(*when), How::Same { .. }), Site::Code(instance.place.0, instance.place.1));
        let can_guess = is_comparison && !self.world.sites.guesses(site);
        if can_guess {
            self.world.sites.guess(site);
        }
        can_guess
    }
}
