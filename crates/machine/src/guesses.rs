//! Compare-exchanges that are one instruction, of which it is guessed whether they succeed (AArch64).
//!
//! A load may read what a compare-exchange of its own thread stores before the load of the compare-exchange is
//! committed (docs/models/aarch64.md). Where that can matter, success is a choice, made before anything else, and there
//! is a store if and only if success was guessed, whatever the load reads. A run in which a guess does not come true is
//! no execution. Which instructions guess is learned, and the exploration starts over when one is new.
//!
//! Whether an instruction guesses must not depend on the order of commits. So it does only where what it compares with
//! is known whenever it is fetched: where that depends on nothing that is read, or only on what branches before it
//! depend on.

use crate::out_of_order::OutOfOrder;
use crate::sharing::Site;
use crate::symbolic::{Content, How, Operand, Symbolic, What};
use raddle_event::{DepsId, EventId, Guard};

impl Symbolic {
    /// The word that a compare-exchange compares with, where it is known whenever that is fetched. `ctrl` is what the
    /// branches before it depend on.
    pub(crate) fn guessable(&self, compared: Operand, size: u32, deps: DepsId, ctrl: DepsId) -> Option<u64> {
        let known = self.sets.get(ctrl);
        let is_settled = self.sets.get(deps).iter().all(|event| known.contains(event));
        match compared {
            Operand::Known(word) if size <= 8 && is_settled => Some(word),
            _ => None,
        }
    }
}

impl OutOfOrder<'_> {
    /// Whether a read is that of a compare-exchange of which it was guessed whether it succeeds.
    pub fn is_guess(&self, read: EventId) -> bool {
        let instance = &self.events(read.thread)[read.index as usize];
        let guesses = || self.world.sites.guesses(Site::Code(instance.place.0, instance.place.1));
        matches!(instance.what, What::Read { guard: Some(_), .. }) && guesses()
    }

    /// The reads of compare-exchanges of which it was guessed whether they succeed, and what must hold of their values
    /// for that.
    pub fn guesses(&self) -> impl Iterator<Item = (EventId, Guard)> + '_ {
        let threads = self.threads().filter(|&thread| !self.world.sites.guessed().is_empty() && self.has_started(thread));
        let reads = threads.flat_map(|thread| (0..self.events(thread).len() as u32).map(move |index| EventId { thread, index }));
        reads.filter(|&read| self.is_guess(read)).filter_map(|read| match self.events(read.thread)[read.index as usize].what {
            What::Read { guard, .. } => guard.map(|guard| (read, guard)),
            _ => None,
        })
    }

    /// From the next start on it is guessed whether the compare-exchange with this store succeeds. Tells whether that
    /// helps.
    pub fn guess(&mut self, store: EventId) -> bool {
        let symbolic = self.symbolic(store.thread);
        let instance = &symbolic.events[store.index as usize];
        let (What::Write { content: Content::When { when: Operand::Node(when), .. }, .. }, Some(at)) =
            (&instance.what, instance.fetched.at)
        else {
            return false;
        };
        let is_known = matches!(*symbolic.nodes.how(*when), How::Same { other: [Operand::Known(_), _], .. });
        let (size, site) = (self.world.locations.range(at).size, Site::Code(instance.place.0, instance.place.1));
        let can_guess = is_known && size <= 8 && !self.world.sites.guesses(site);
        if can_guess {
            self.world.sites.guess(site);
        }
        can_guess
    }
}
