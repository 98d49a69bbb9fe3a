//! Actions and replies: the only conversation between a thread and the memory.

use crate::{Address, Fault, Fence, Guard, LocationId, Order, Rmw, ThreadId, Value};

/// What a thread wants to do next, where others can see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Answered by the value. With a guard it is enabled only when the guard holds (a join, a wait).
    Read {
        at: LocationId,
        order: Order,
        guard: Option<Guard>,
    },
    /// Answered by nothing.
    Write {
        at: LocationId,
        value: Value,
        order: Order,
    },
    /// Answered by the old value. A compare-exchange that fails has the order `failure`.
    Rmw {
        at: LocationId,
        rmw: Rmw,
        order: Order,
        failure: Order,
    },
    /// A read that reserves its location for the thread. Answered by the value.
    Reserve {
        at: LocationId,
        order: Order,
    },
    /// A write to the location that the thread has reserved, enabled only while no other thread has written there
    /// since. Answered by nothing.
    WriteReserved {
        at: LocationId,
        value: Value,
        order: Order,
    },
    Fence(Fence),
    /// An object of `size` bytes comes into being; all of its bytes are zero when `zeroed`, else unknown.
    /// The location is the whole room of the object in the address space, as it is for `Free`.
    Allocate {
        at: LocationId,
        size: u64,
        zeroed: bool,
    },
    /// An object ceases to be. It conflicts with every access to the object.
    Free {
        at: LocationId,
        start: Address,
        how: Free,
    },
    /// Another thread comes into being. It may start at once.
    Spawn {
        child: ThreadId,
        function: u32,
        argument: u64,
    },
    /// Answered by any number below `n`, each of which is tried.
    Choose {
        n: u32,
    },
}

/// Why an object ceases to be, which says what is wrong when it cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Free {
    /// `free` and its like.
    Heap,
    /// The function of a local variable returns.
    Return,
}

/// What the memory answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    Done,
    Value(Value),
    Chosen(u32),
    /// The access is wrong: outside every object, to freed memory, and the like.
    Fault(Fault),
}

impl Action {
    /// The location that is accessed.
    pub fn location(&self) -> Option<LocationId> {
        match *self {
            Action::Read { at, .. }
            | Action::Write { at, .. }
            | Action::Rmw { at, .. }
            | Action::Reserve { at, .. }
            | Action::WriteReserved { at, .. }
            | Action::Allocate { at, .. }
            | Action::Free { at, .. } => Some(at),
            Action::Fence(_) | Action::Spawn { .. } | Action::Choose { .. } => None,
        }
    }

    /// The guard, where there is one.
    pub fn guard(&self) -> Option<Guard> {
        match self {
            Action::Read { guard, .. } => *guard,
            Action::Rmw { rmw, .. } => rmw.guard,
            _ => None,
        }
    }
}
