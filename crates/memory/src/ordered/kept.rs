//! Which writes come before each event in memory order, by clocks.

use raddle_event::{Clocks, EventId, Position};
use smallvec::SmallVec;

/// Events that come before another one; of each whether it does no more than read.
pub(super) type Neighbours = SmallVec<[(Position, bool); 8]>;

/// What has to be known of a new event.
pub(super) struct New {
    pub id: EventId,
    /// The event before it in its thread, or the spawn of the thread.
    pub before: Option<Position>,
    /// It does no more than read.
    pub reads: bool,
    pub writes: bool,
    /// It comes after all earlier writes of its thread, where a read does not.
    pub waits: bool,
    /// Later reads of its thread come after it and all that comes before it.
    pub drains: bool,
    /// What it comes after besides.
    pub after: Neighbours,
    /// The write that comes right after it in co ∪ fr.
    pub next: Option<(Position, EventId)>,
}

impl New {
    /// An event that is in no relation but po.
    pub fn silent(id: EventId, before: Option<Position>) -> New {
        New { id, before, reads: false, writes: false, waits: false, drains: false, after: SmallVec::new(), next: None }
    }
}

/// A row that was changed, as it was before: the last numbers of `saved`.
struct Change {
    row: Position,
    is_of_reads: bool,
    len: u32,
}

/// For each event how many events of each thread there are up to the last *write* of that thread that comes before it
/// in memory order, itself included.
#[derive(Default)]
pub(super) struct Kept {
    /// What a later write of the thread comes after.
    all: Clocks,
    /// What a later read of the thread comes after; the same where stores do not wait, and not kept there.
    reads: Clocks,
    n_events: usize,
    changes: Vec<Change>,
    saved: Vec<u32>,
    /// For each event how many changes there were before.
    n_changes: Vec<u32>,
}

impl Kept {
    pub fn widen(&mut self, n_threads: usize) {
        self.all.widen(n_threads);
        self.reads.widen(n_threads);
    }

    /// What a later event of the thread comes after, one that may overtake writes or not.
    #[inline]
    pub fn row(&self, of: Position, may_overtake: bool) -> &[u32] {
        if may_overtake { self.reads.row(of) } else { self.all.row(of) }
    }

    /// Adds an event.
    pub fn add<const BUFFERS: bool>(&mut self, new: &New) {
        self.n_changes.push(self.changes.len() as u32);
        let at = Position(self.n_events as u32);
        self.n_events += 1;
        self.all.push(new.before);
        if !BUFFERS {
            new.after.iter().for_each(|&(event, _)| self.all.join(event));
        } else {
            self.add_to_both(new);
        }
        if new.writes {
            self.all.set(new.id.thread.index(), new.id.index + 1);
        }
        if BUFFERS && new.drains {
            self.copy_to_reads(at);
        }
        if let Some((next, id)) = new.next {
            self.put_before::<BUFFERS>(at, BUFFERS && new.reads && !new.waits, next, id);
        }
    }

    /// The rows of an event of a thread whose stores wait.
    fn add_to_both(&mut self, new: &New) {
        self.reads.push(new.before);
        // A join orders all that follows it.
        let is_read = !new.writes && !new.waits;
        for &(event, reads) in &new.after {
            match reads {
                true => join(self.all.newest_mut(), self.reads.row(event)),
                false => self.all.join(event),
            }
            if is_read {
                join(self.reads.newest_mut(), self.all.row(event));
            }
        }
    }

    fn copy_to_reads(&mut self, at: Position) {
        self.reads.newest_mut().copy_from_slice(self.all.row(at));
    }

    /// Puts what comes before the newest event before all that comes after the write that is next.
    fn put_before<const BUFFERS: bool>(&mut self, newest: Position, is_of_reads: bool, next: Position, id: EventId) {
        let before: SmallVec<[u32; 16]> = SmallVec::from_slice(self.row(newest, is_of_reads));
        if is_within(&before, self.all.row(next)) {
            return;
        }
        for at in (0..newest.0).map(Position) {
            self.raise(at, false, id, &before);
            if BUFFERS {
                self.raise(at, true, id, &before);
            }
        }
    }

    /// Adds to a row, where a write is in it.
    fn raise(&mut self, at: Position, is_of_reads: bool, write: EventId, before: &[u32]) {
        let row = if is_of_reads { self.reads.row_mut(at) } else { self.all.row_mut(at) };
        if row[write.thread.index()] <= write.index || is_within(before, row) {
            return;
        }
        self.saved.extend_from_slice(row);
        self.changes.push(Change { row: at, is_of_reads, len: row.len() as u32 });
        join(row, before);
    }

    /// Takes back the newest events, until there are so many.
    pub fn rewind<const BUFFERS: bool>(&mut self, len: usize) {
        let Some(&n_changes) = self.n_changes.get(len) else { return };
        while self.changes.len() > n_changes as usize {
            self.put_back();
        }
        self.n_changes.truncate(len);
        self.n_events = len;
        self.all.truncate(len);
        if BUFFERS {
            self.reads.truncate(len);
        }
    }

    /// Undoes the last change. Rows may have become wider since, by threads that had done nothing.
    fn put_back(&mut self) {
        let Change { row, is_of_reads, len } = self.changes.pop().expect("there is a change");
        let from = self.saved.len() - len as usize;
        let row = if is_of_reads { self.reads.row_mut(row) } else { self.all.row_mut(row) };
        row[..len as usize].copy_from_slice(&self.saved[from..]);
        row[len as usize..].fill(0);
        self.saved.truncate(from);
    }
}

fn join(row: &mut [u32], other: &[u32]) {
    row.iter_mut().zip(other).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
}

/// Whether one clock is at most another one.
fn is_within(clock: &[u32], other: &[u32]) -> bool {
    clock.iter().zip(other).all(|(mine, theirs)| mine <= theirs)
}
