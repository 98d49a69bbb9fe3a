//! Events as they are fetched: what they do, and what of their thread they depend on or are ordered after.

use super::{DepsId, NodeId, Operand};
use crate::store::Published;
use raddle_event::{Address, Free, Guard, LocationId, Value};
use raddle_program::FunctionId;
use std::rc::Rc;

/// What a store writes.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A known value.
    Value(Value),
    /// The lower and the upper eight bytes, known or not.
    Words([Operand; 2]),
}

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Reads a location; with a guard only a value for which it holds. `exclusive` reads are the first half of a read-modify-write.
    Read { guard: Option<Guard>, exclusive: bool },
    /// Writes a location; the second half of a read-modify-write names the read that is its first.
    Write { content: Content, exclusive: Option<u32> },
    /// Takes any number below `n`.
    Choose { n: u32 },
    /// An object ceases to be.
    Free { start: Address, how: Free },
}

/// What the events to come depend on and are ordered after, in their own thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Standing {
    /// Branches passed so far depend on these.
    pub ctrl: DepsId,
    /// Branches passed before the last isync depend on these.
    pub isync: DepsId,
    /// Addresses of accesses so far depend on these.
    pub addr_po: DepsId,
    /// Choices made so far: what is fetched at all depends on them, and nothing else does.
    pub choices: DepsId,
    /// How many events come before the last barrier of each kind.
    pub sync: u32,
    pub lwsync: u32,
    pub eieio: u32,
    /// The location that the last load that reserves has reserved, and that load.
    pub reserved: Option<(LocationId, u32)>,
}

/// An event that has been fetched.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    pub what: What,
    /// Whether what it reads is only moved elsewhere: that it was never written is no fault.
    pub moves: bool,
    /// The location that is accessed, or the room of the object that is freed.
    pub at: Option<LocationId>,
    /// The node of the value that it reads or chooses.
    pub node: Option<NodeId>,
    pub addr: DepsId,
    pub data: DepsId,
    pub ctrl: DepsId,
    /// The part of `ctrl` that has an isync after the branch.
    pub ctrl_isync: DepsId,
    pub addr_po: DepsId,
    /// Choices that were made before it was fetched.
    pub choices: DepsId,
    /// How many events of the thread come before the last barrier of each kind.
    pub sync: u32,
    pub lwsync: u32,
    pub eieio: u32,
    /// The event of the thread that accessed the location last.
    pub previous: Option<u32>,
    /// Where it is fetched, innermost first.
    pub place: (FunctionId, u32),
    pub callers: Rc<[(FunctionId, u32)]>,
}

impl Fetched {
    pub fn is_read(&self) -> bool {
        matches!(self.what, What::Read { .. })
    }

    pub fn is_write(&self) -> bool {
        matches!(self.what, What::Write { .. })
    }
}

/// A shared object that comes into being while a thread is fetched.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    pub at: LocationId,
    pub size: u64,
    pub zeroed: bool,
    pub image: Option<Rc<Vec<Published>>>,
}
