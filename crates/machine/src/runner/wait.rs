//! What the library asks of the words that threads wait for.

use super::{Run, Runner};
use crate::history::{Blocked, Next};
use crate::store::Located;
use raddle_event::{Action, Address, Fault, FaultKind, Guard, Order};

impl Runner<'_, '_> {
    /// Whether no byte of a word is known never to have been written. That of shared memory is known when it is read.
    pub fn is_written(&self, address: Address, size: u32) -> bool {
        match self.locate(address, size as u64) {
            Located::Private(spot) => self.thread.store.is_written(spot, size as usize),
            _ => true,
        }
    }

    /// Whether a read-modify-write orders more than a load even where it does not write.
    pub fn looks_first(&self) -> bool {
        self.world.limits.buffered || self.symbolic.is_some()
    }

    /// A read that waits until the guard holds.
    pub fn wait(&mut self, address: Address, size: u32, guard: Guard) -> Run<u128> {
        self.refuse_in_locked("a wait")?;
        match self.locate(address, size as u64) {
            Located::Shared => {
                let at = self.location(address, size, false)?;
                Ok(self.ask_value(Action::Read { at, order: Order::Acquire, guard: Some(guard) })?.to_u128())
            }
            _ => {
                let word = self.load(address, size, Order::Acquire, false)?;
                if guard.holds(word as u64) { Ok(word) } else { Err(self.waits_in_private(address)) }
            }
        }
    }

    /// A thread waits for a change of its private memory. Once there are other threads the memory is shared after all:
    /// why else would it wait?
    pub(super) fn waits_in_private(&mut self, address: Address) -> Next {
        match self.thread.store.site_at(&self.world.map, address) {
            Some(site) if self.thread.store.is_published() => {
                self.world.sites.share(site);
                Next::Blocked(Blocked::Assume)
            }
            _ => Next::Fault(Fault::new(FaultKind::Deadlock, "the only thread waits for another one")),
        }
    }
}
