//! Actions and replies: the only conversation between a thread and the memory.

use crate::{Address, Fault, Fence, Guard, LocationId, Order, Rmw, ThreadId, Value};

/// What a thread wants to do next, where others can see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Answered by the value. With a guard it is enabled only when the guard holds (a join, a wait).
    Read {
        /// The bytes that are read.
        at: LocationId,
        /// How strong the read is.
        order: Order,
        /// When it is enabled; always where there is none.
        guard: Option<Guard>,
    },
    /// Answered by nothing.
    Write {
        /// The bytes that are written.
        at: LocationId,
        /// What they are from then on.
        value: Value,
        /// How strong the write is.
        order: Order,
    },
    /// Answered by the old value. A compare-exchange that fails has the order `failure`.
    Rmw {
        /// The bytes that are read and written.
        at: LocationId,
        /// What is written for what is found.
        rmw: Rmw,
        /// How strong it is where it writes.
        order: Order,
        /// How strong it is where it only reads.
        failure: Order,
    },
    /// A read that reserves its location for the thread. Answered by the value.
    Reserve {
        /// The bytes that are read and reserved.
        at: LocationId,
        /// How strong the read is.
        order: Order,
    },
    /// A write to the location that the thread has reserved, enabled only while no other thread has written there
    /// since. Answered by nothing.
    WriteReserved {
        /// The bytes that are written.
        at: LocationId,
        /// What they are from then on.
        value: Value,
        /// How strong the write is.
        order: Order,
    },
    /// Orders the accesses around it. Answered by nothing.
    Fence(Fence),
    /// An object of `size` bytes comes into being; all of its bytes are zero when `zeroed`, else unknown.
    /// The location is the whole room of the object in the address space, as it is for `Free`.
    Allocate {
        /// The room of the object.
        at: LocationId,
        /// How many bytes of the room the object has.
        size: u64,
        /// Whether all bytes are zero at first.
        zeroed: bool,
    },
    /// An object ceases to be. It conflicts with every access to the object.
    Free {
        /// The room of the object.
        at: LocationId,
        /// The address that was given, which is a fault where no object begins there.
        start: Address,
        /// Who asks for it.
        how: Free,
    },
    /// The room of a heap object that was freed is given to a new one of the same size. Answered by 1; by 0 where no
    /// freed object of this size is there, and then nothing happens. It conflicts with every access to the object.
    Reuse {
        /// The room of the object.
        at: LocationId,
        /// How many bytes the object has.
        size: u64,
        /// Whether all bytes are zero at first.
        zeroed: bool,
    },
    /// Another thread comes into being. It may start at once.
    Spawn {
        /// The new thread.
        child: ThreadId,
        /// The function that it runs.
        function: u32,
        /// What the function is given.
        argument: u64,
    },
    /// Answered by any number below `n`, each of which is tried.
    Choose {
        /// How many outcomes there are.
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
    /// It has happened, and there is nothing to know.
    Done,
    /// What was read, or was there before a read-modify-write.
    Value(Value),
    /// Which outcome a choice has.
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
            | Action::Free { at, .. }
            | Action::Reuse { at, .. } => Some(at),
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
