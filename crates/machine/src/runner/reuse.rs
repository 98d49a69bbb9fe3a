//! Memory that is used again (`--reuse`): `malloc` may give what was freed, as a choice, so that a pointer to the old
//! object is one to the new one (ABA).
//!
//! Which objects there are to choose from was seen in all executions so far ([`Sites::freed`](crate::Sites)); when
//! another one is freed the exploration starts over. A thread that chooses one asks the memory for it, by an event that
//! conflicts with every access to the object; where it is not free then, the execution is none. Private memory knows
//! the answer by itself. What nobody can tell from another choice is not tried: objects that this thread has not made
//! yet, or has not freed.

use super::{Run, Runner};
use crate::history::{Blocked, Next};
use crate::sharing::Site;
use raddle_event::{Action, Address, Reply, Value};
use std::rc::Rc;

impl Runner<'_, '_> {
    /// A heap object that was freed before, as a choice.
    pub fn allocate_again(&mut self, size: u64, zeroed: bool, site: Site) -> Run<Option<Address>> {
        if !self.world.limits.reuse {
            return Ok(None);
        }
        let store = &self.thread.store;
        let may_be_free = |address: &Address| store.has_freed(&self.world.map, *address).unwrap_or(store.is_published());
        let free: Vec<Address> = self.world.sites.freed(size).filter(may_be_free).collect();
        let chosen = self.choose(free.len() as u64 + 1)?;
        let Some(&address) = free.get((chosen as usize).wrapping_sub(1)) else { return Ok(None) };
        if !self.thread.store.is_published() || !self.thread.store.is_shared(&self.world.map, address) {
            Rc::make_mut(&mut self.thread.store).reuse(&self.world.map, address, zeroed, site);
            return Ok(Some(address));
        }
        let at = self.room(address);
        match self.ask(Action::Reuse { at, size, zeroed })? {
            Reply::Value(Value::Word(1)) => Ok(Some(address)),
            _ => Err(Next::Blocked(Blocked::Assume)),
        }
    }

    /// Remembers how large a new object is, where somebody may ask.
    pub(super) fn note_size(&mut self, address: Address, size: u64) {
        let world = &mut *self.world;
        if world.limits.reuse || world.library.asks_sizes {
            world.sizes.insert((address, size));
        }
        if world.has_freed && !world.limits.reuse && self.thread.store.is_published() {
            world.limits.could_reuse.note();
        }
    }

    /// The size of the heap object at an address, which any thread may have made; none where it has not been the same
    /// in all executions so far.
    pub fn size_of_any(&self, address: Address) -> Option<u64> {
        let mut sizes = self.world.sizes.range((address, 0)..=(address, u64::MAX)).map(|&(_, size)| size);
        sizes.next().filter(|_| sizes.next().is_none())
    }

    /// An object is freed: objects of the sizes that it has had may come into its place.
    pub(super) fn note_freed(&mut self, address: Address) {
        self.world.has_freed |= self.thread.store.is_published();
        if self.world.limits.reuse {
            let world = &mut *self.world;
            let sizes = world.sizes.range((address, 0)..=(address, u64::MAX));
            sizes.for_each(|&(_, size)| world.sites.free(size, address));
        }
    }
}
