//! What C11 orders and barriers mean under SC, TSO and PSO, written down a second time, from docs/models: the judge
//! asks no model that it judges.

use raddle_event::{Fence, Order};

/// Where stores wait before they reach memory. A bound says how many may wait in each buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffering {
    /// SC: nowhere.
    None,
    /// TSO: in one queue for each thread.
    Queue {
        /// How many stores a queue holds, where that is bounded.
        bound: Option<u32>,
    },
    /// PSO: in one queue for each thread and location.
    ByLocation {
        /// How many stores a queue holds, where that is bounded.
        bound: Option<u32>,
    },
}

/// What a fence asks of the stores of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    None,
    /// Later stores reach memory after earlier ones.
    Stores,
    /// The thread waits until all its stores have reached memory.
    Drain,
}

impl Buffering {
    /// Whether stores reach memory at once. A buffer with room for nothing is none.
    pub fn is_direct(self) -> bool {
        self == Buffering::None || self.bound() == Some(0)
    }

    pub(crate) fn is_by_location(self) -> bool {
        matches!(self, Buffering::ByLocation { .. })
    }

    pub(crate) fn bound(self) -> Option<u32> {
        match self {
            Buffering::None => None,
            Buffering::Queue { bound } | Buffering::ByLocation { bound } => bound,
        }
    }

    /// What a fence does. One row for each fence; a queue keeps stores in order by itself.
    pub(crate) fn fence(self, fence: Fence) -> Barrier {
        if self.is_direct() {
            return Barrier::None;
        }
        let between_stores = if self.is_by_location() { Barrier::Stores } else { Barrier::None };
        match fence {
            Fence::SeqCst => Barrier::Drain,
            Fence::Mfence => Barrier::Drain,
            Fence::Sync => Barrier::Drain,
            Fence::Dmb => Barrier::Drain,
            Fence::Release => between_stores,
            Fence::AcqRel => between_stores,
            Fence::Sfence => between_stores,
            Fence::Lwsync => between_stores,
            Fence::Eieio => between_stores,
            Fence::DmbSt => between_stores,
            Fence::Compiler | Fence::Acquire | Fence::Lfence | Fence::Isync | Fence::DmbLd | Fence::Isb => Barrier::None,
        }
    }

    /// What stands before a store, and whether the thread waits until the store has reached memory.
    pub(crate) fn store(self, order: Order) -> (Barrier, bool) {
        let between_stores = if self.is_by_location() { Barrier::Stores } else { Barrier::None };
        match order {
            Order::Plain | Order::Copy | Order::Relaxed | Order::Acquire => (Barrier::None, false),
            Order::Release | Order::AcqRel => (between_stores, false),
            Order::SeqCst => (between_stores, !self.is_direct()),
        }
    }
}
