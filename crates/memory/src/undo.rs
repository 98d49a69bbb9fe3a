//! The journal of the memory: how to take back each change.

use crate::accesses::Access;
use crate::buffer::{Buffer, Entry};
use crate::heap::{Object, RoomId};
use raddle_event::{LocationId, ThreadId};

/// How to take back one change.
pub enum Undo {
    /// A word of an object of at most eight bytes had this value.
    Word { room: RoomId, offset: u32, size: u8, old: u64 },
    /// Bytes of an object had these values.
    Bytes { room: RoomId, offset: u32, old: Box<[u8]> },
    /// An object was this.
    Object { room: RoomId, old: Box<Object> },
    /// The accesses of a location were these.
    Access { at: LocationId, old: Access },
    /// An entry was not in the buffer.
    Pushed { thread: ThreadId },
    /// An entry was in the buffer.
    Removed { thread: ThreadId, index: u32, entry: Box<Entry> },
    /// The buffer's other fields were these (its entries are not in it).
    Fields { thread: ThreadId, old: Box<Buffer> },
    /// The load noted at an entry was this one.
    Load { thread: ThreadId, index: u32, old: Option<raddle_event::Position> },
    /// A write was not in the history of its location.
    Written { at: LocationId },
}
