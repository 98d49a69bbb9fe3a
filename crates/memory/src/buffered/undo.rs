//! The journal of the memory: how to take back each change.

use super::buffer::{Counts, EntryId};
use crate::heap::Change;
use raddle_event::{LocationId, Position, ThreadId};

/// How to take back one change. Kept small: there are one or two for each event.
pub enum Undo {
    /// The last write of a location, of at most eight bytes, had not happened, and only so many of its loads were
    /// stale.
    Word { at: LocationId, stale: u32 },
    /// The same, and the last event of the thread that wrote was this one.
    Stored { at: LocationId, stale: u32, last: Option<Position> },
    /// A location of at most eight bytes had this value, in the middle of a block.
    InBlock { at: LocationId, old: u64 },
    /// Bytes of an object, or an object, were others.
    Heap(Change),
    /// The load of a location that was noted last took the place of this one, or of none.
    Load { at: LocationId, thread: ThreadId, old: Option<Position> },
    /// The last write of a location had not happened, and only so many of its loads were stale. What was there comes
    /// back in another way.
    Written { at: LocationId, stale: u32 },
    /// The newest entry was not in the buffer, and the counts of the thread were these.
    Pushed { thread: ThreadId, counts: Counts },
    /// The entry that left last was in the buffer, and the newest update for the thread was not there. Where it wrote a
    /// word that overlaps no other: only so many of its loads were stale.
    Updated { thread: ThreadId, entry: EntryId, stale: Option<u32> },
    /// The newest load noted at an entry was not there.
    Forwarded { thread: ThreadId, entry: EntryId },
    /// The last event of a thread was this one.
    Last { thread: ThreadId, old: Option<Position> },
    /// The events that come before the next one of a thread began here.
    Pending { thread: ThreadId, from: u32 },
    /// Only so many of them were there.
    PendingCut { thread: ThreadId, len: u32 },
    /// The updates for which a thread has not waited began here.
    Updates { thread: ThreadId, from: u32 },
    /// The counts of a thread were these.
    Counts { thread: ThreadId, old: Counts },
    /// The last read of a thread that reserved its location was this one.
    Reserved { thread: ThreadId, old: Option<Position> },
}

impl From<Change> for Undo {
    fn from(change: Change) -> Undo {
        Undo::Heap(change)
    }
}

const _: () = assert!(size_of::<Undo>() <= 24);
