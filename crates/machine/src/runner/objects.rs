//! Objects of a thread: local variables and their lives, thread-locals, the heap. Those that are shared come and go by
//! actions.

use super::{Run, Runner};
use crate::history::Next;
use crate::sharing::Site;
use crate::store::published_variable;
use crate::world::World;
use raddle_event::{Action, Address, AddressMap, Fault, FaultKind, Free, LocationId, Range};
use raddle_program::GlobalId;
use std::rc::Rc;

impl Runner<'_, '_> {
    pub(super) fn push_local(&mut self, size: u64, site: Site) -> Run<Address> {
        if size > self.world.limits.stack || self.thread.store.stack_bytes() as u64 + size > self.world.limits.stack {
            return Err(self.stack_overflow());
        }
        let World { map, sites, .. } = &mut *self.world;
        let address = Rc::make_mut(&mut self.thread.store).push_local(map, size, site, sites);
        let address = address.ok_or_else(|| Next::Unsupported("the address space is used up".into()))?;
        self.announce(address, size, false)?;
        Ok(address)
    }

    /// A local variable comes into being, with no value: the block that it belongs to is entered.
    pub(super) fn begin_life(&mut self, address: Address) -> Run<()> {
        let World { map, sites, .. } = &*self.world;
        match Rc::make_mut(&mut self.thread.store).begin_life(map, address, sites) {
            Some(size) => self.announce(address, size, false),
            None => Ok(()),
        }
    }

    /// A local variable ceases to be: the block that it belongs to is left.
    pub(super) fn end_life(&mut self, address: Address) -> Run<()> {
        if self.thread.store.is_published() && self.thread.store.is_shared(&self.world.map, address) {
            self.end_lives(vec![address])?;
        }
        Rc::make_mut(&mut self.thread.store).end_life(&self.world.map, address);
        Ok(())
    }

    /// This thread's instance of a thread-local variable.
    pub fn thread_local(&mut self, global: GlobalId) -> Run<Address> {
        let is_new = !self.thread.store.has_thread_local(global);
        let World { program, map, sites, limits, .. } = &mut *self.world;
        let address = Rc::make_mut(&mut self.thread.store).thread_local(program, map, global, sites);
        let address = address.ok_or_else(|| Next::Unsupported("the address space is used up".into()))?;
        if is_new {
            let variable = &program.globals[global.index()];
            self.image = Some(Rc::new(vec![published_variable(variable, address, limits.uninitialised)]));
            self.announce(address, variable.size, true)?;
            self.image = None;
        }
        Ok(address)
    }

    /// Tells the shared memory of a new object, where it is shared.
    pub(super) fn announce(&mut self, address: Address, size: u64, zeroed: bool) -> Run<()> {
        if self.thread.store.is_shared(&self.world.map, address) {
            let at = self.room(address);
            self.ask(Action::Allocate { at, size, zeroed })?;
        }
        Ok(())
    }

    /// The location that stands for the whole object at an address.
    pub(super) fn room(&mut self, address: Address) -> LocationId {
        let one = Range { start: address, size: 1 };
        let range = self.world.map.room(address).unwrap_or(one);
        self.world.locations.number(range)
    }

    /// A new heap object.
    pub fn allocate(&mut self, size: u64, zeroed: bool, site: Site) -> Run<Address> {
        if size > AddressMap::MAX_OBJECT || self.thread.store.heap_bytes() as u64 + size > self.world.limits.heap {
            let limit = self.world.limits.heap >> 20;
            return Err(Next::Unsupported(format!("an allocation of {size} bytes: a thread may have {limit} MB (--max-heap)")));
        }
        let World { map, sites, .. } = &mut *self.world;
        let address = Rc::make_mut(&mut self.thread.store).allocate(map, size, zeroed, site, sites);
        let address = address.ok_or_else(|| Next::Unsupported("the address space is used up".into()))?;
        self.note_size(address, size);
        self.announce(address, size, zeroed)?;
        Ok(address)
    }

    /// Frees a heap object, of this thread or another.
    pub fn free(&mut self, address: Address) -> Run<()> {
        self.note_freed(address);
        if self.thread.store.is_published() && self.thread.store.is_shared(&self.world.map, address) {
            let at = self.room(address);
            self.ask(Action::Free { at, start: address, how: Free::Heap })?;
            return Ok(());
        }
        Rc::make_mut(&mut self.thread.store).free(&self.world.map, address).map_err(Next::Fault)
    }

    pub(super) fn pop_locals(&mut self, depth: usize) -> Run<()> {
        if depth > self.thread.store.depth() {
            return Err(Next::Fault(Fault::new(FaultKind::WildPointer, "the stack mark does not exist")));
        }
        if !self.is_last_function() {
            self.free_shared_locals(depth)?;
        }
        if depth < self.thread.store.depth() {
            Rc::make_mut(&mut self.thread.store).pop_locals(depth);
        }
        Ok(())
    }

    pub(super) fn free_shared_locals(&mut self, depth: usize) -> Run<()> {
        self.end_lives(self.thread.store.shared_locals_above(depth))
    }

    /// Objects that nobody frees cease to be, by an action for each.
    pub(super) fn end_lives(&mut self, starts: Vec<Address>) -> Run<()> {
        for start in starts {
            let at = self.room(start);
            self.ask(Action::Free { at, start, how: Free::Return })?;
        }
        Ok(())
    }

    /// Whether the program ends when this function returns: `main`, or what called it.
    pub(super) fn is_last_function(&self) -> bool {
        self.world.names.parent(self.thread.id).is_none() && self.thread.counts.frames <= 2
    }

    pub(super) fn stack_overflow(&self) -> Next {
        let what = format!("{} calls with {} bytes of local variables", self.thread.counts.frames, self.thread.store.stack_bytes());
        Next::Fault(Fault::new(FaultKind::StackOverflow, what))
    }
}
