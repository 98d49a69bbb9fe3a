//! The journal of the memory: how to take back each change.

use crate::accesses::Access;
use crate::buffer::{Before, Counts, Entry, Updates};
use crate::heap::{Object, RoomId};
use raddle_event::{LocationId, Position, ThreadId};

/// How to take back one change.
pub enum Undo {
    /// A word of an object of at most eight bytes had this value.
    Word { room: RoomId, offset: u32, size: u8, old: u64 },
    /// Bytes of an object had these values.
    Bytes { room: RoomId, offset: u32, old: Box<[u8]> },
    /// An object was this.
    Object { room: RoomId, old: Box<Object> },
    /// The loads of a location were these.
    Access { at: LocationId, old: Access },
    /// The load of a location that was noted last took the place of this one, or of none.
    Load { at: LocationId, thread: ThreadId, old: Option<Position> },
    /// A write was not in the row of its location.
    Written { at: LocationId },
    /// An entry was not in the buffer.
    Pushed { thread: ThreadId },
    /// An entry was in the buffer.
    Removed { thread: ThreadId, index: u32, entry: Box<Entry> },
    /// The newest load noted at an entry was not there.
    Forwarded { thread: ThreadId, index: u32 },
    /// The last event of a thread was this one.
    Last { thread: ThreadId, old: Option<Position> },
    /// The events that come before the next one of a thread were these.
    Pending { thread: ThreadId, old: Before },
    /// Only so many of them were there.
    PendingCut { thread: ThreadId, len: u32 },
    /// The updates for a thread were these.
    Updates { thread: ThreadId, old: Updates },
    /// The newest update for a thread was not there.
    Updated { thread: ThreadId },
    /// The counts of a thread were these.
    Counts { thread: ThreadId, old: Counts },
    /// A thread had not ended.
    Ended { thread: ThreadId },
}
