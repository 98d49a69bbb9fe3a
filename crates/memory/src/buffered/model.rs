//! SC, TSO and PSO, and what C11 orders and barriers mean under each.

use raddle_event::{Fence, LocationId, Order};

/// The store buffers of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffers {
    /// A store reaches memory at once.
    Sc,
    /// One buffer per thread, first in, first out.
    Tso,
    /// One buffer per thread and location.
    Pso,
}

/// A memory model with store buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferedModel {
    /// Which buffers there are.
    pub buffers: Buffers,
    /// How many stores may wait in each buffer; any number where there is none.
    pub bound: Option<u32>,
}

/// What a fence does to the buffer of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drain {
    /// Nothing.
    None,
    /// Stores after it wait for stores before it.
    Stores,
    /// The thread waits until its buffer is empty.
    Drain,
}

impl BufferedModel {
    /// Whether stores go to memory without a buffer.
    pub fn is_direct(self) -> bool {
        self.buffers == Buffers::Sc || self.bound == Some(0)
    }

    /// Whether each thread has a buffer for each location.
    pub fn is_by_location(self) -> bool {
        match self.buffers {
            Buffers::Sc | Buffers::Tso => false,
            Buffers::Pso => true,
        }
    }

    /// Whether stores of a thread to these locations go to the same buffer.
    pub fn share_buffer(self, a: LocationId, b: LocationId) -> bool {
        !self.is_by_location() || a == b
    }

    /// What a fence does.
    pub fn fence(self, fence: Fence) -> Drain {
        match (self.buffers, fence) {
            _ if self.is_direct() => Drain::None,
            (_, Fence::SeqCst | Fence::Mfence | Fence::Sync | Fence::Dmb) => Drain::Drain,
            (Buffers::Pso, Fence::Release | Fence::AcqRel | Fence::Sfence | Fence::Lwsync | Fence::Eieio | Fence::DmbSt) => Drain::Stores,
            _ => Drain::None,
        }
    }

    /// What stands in front of a store, and whether the thread then waits until it has reached memory.
    pub fn store(self, order: Order) -> (Drain, bool) {
        let before = if self.buffers == Buffers::Pso && order.is_release() { Drain::Stores } else { Drain::None };
        (before, order == Order::SeqCst && !self.is_direct())
    }
}
