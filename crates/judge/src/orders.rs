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
pub(crate) enum Demand {
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
    pub(crate) fn fence(self, fence: Fence) -> Demand {
        if self.is_direct() {
            return Demand::None;
        }
        let between_stores = if self.is_by_location() { Demand::Stores } else { Demand::None };
        match fence {
            Fence::SeqCst => Demand::Drain,
            Fence::Mfence => Demand::Drain,
            Fence::Sync => Demand::Drain,
            Fence::Dmb => Demand::Drain,
            Fence::Release => between_stores,
            Fence::AcqRel => between_stores,
            Fence::Sfence => between_stores,
            Fence::Lwsync => between_stores,
            Fence::Eieio => between_stores,
            Fence::DmbSt => between_stores,
            Fence::Compiler | Fence::Acquire | Fence::Lfence | Fence::Isync | Fence::DmbLd | Fence::Isb => Demand::None,
        }
    }

    /// What stands before a store, and whether the thread waits until the store has reached memory.
    pub(crate) fn store(self, order: Order) -> (Demand, bool) {
        let between_stores = if self.is_by_location() { Demand::Stores } else { Demand::None };
        match order {
            Order::Plain | Order::Copy | Order::Relaxed | Order::Acquire => (Demand::None, false),
            Order::Release | Order::AcqRel => (between_stores, false),
            Order::SeqCst => (between_stores, !self.is_direct()),
        }
    }
}
