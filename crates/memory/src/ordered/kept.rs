//! Which writes come before each event in memory order, by clocks.

use super::effect::Effect;
use raddle_event::{Clocks, Position};
use smallvec::SmallVec;

/// The number of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Row(u32);

impl Row {
    /// The row without writes.
    const EMPTY: Row = Row(0);

    fn at(self) -> Position {
        Position(self.0)
    }
}

/// Rows of what comes right before a new event.
pub(super) type Neighbours = SmallVec<[Row; 8]>;

/// What has to be known of a new event.
pub(super) struct New {
    pub effect: Effect,
    /// The event before it in its thread, or the spawn of the thread.
    pub before: Option<Position>,
    /// What it comes after besides.
    pub after: Neighbours,
    /// Its mark, where it writes.
    pub mark: Option<Mark>,
    /// The write that comes right after it in co ∪ fr.
    pub next: Option<Position>,
}

/// By what a row says that a write is in it: the number in this column is not less than this count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub column: u32,
    pub count: u32,
}

impl Mark {
    fn is_in(self, row: &[u32]) -> bool {
        row[self.column as usize] >= self.count
    }
}

/// The rows of an event. They are shared: by one event in several roles, and by events between which nothing is new.
#[derive(Clone, Copy)]
struct Rows {
    /// What comes before the event, itself included.
    past: Row,
    /// What a later read of the thread comes after.
    reads: Row,
    /// What a later write comes after that waits for no other than those before a barrier.
    writes: Row,
    /// What whatever waits for all earlier writes comes after.
    all: Row,
}

impl Rows {
    fn all_are(row: Row) -> Rows {
        Rows { past: row, reads: row, writes: row, all: row }
    }
}

/// An event, and how many rows and changes there were before it.
struct Event {
    rows: Rows,
    effect: Effect,
    mark: Option<Mark>,
    n_rows: u32,
    n_changes: u32,
}

/// A row that was changed, as it was before: the last numbers of `saved`.
struct Change {
    row: Row,
    len: u32,
}

/// The rows of all events: each says for each column how many events of a thread there are up to the last write of that
/// column that is in it.
pub(super) struct Kept {
    rows: Clocks,
    n_rows: u32,
    events: Vec<Event>,
    changes: Vec<Change>,
    saved: Vec<u32>,
}

impl Default for Kept {
    fn default() -> Kept {
        let mut rows = Clocks::default();
        rows.push(None);
        Kept { rows, n_rows: 1, events: Vec::new(), changes: Vec::new(), saved: Vec::new() }
    }
}

impl Kept {
    pub fn widen(&mut self, n_columns: usize) {
        self.rows.widen(n_columns);
    }

    /// What an event did.
    pub fn effect(&self, of: Position) -> Effect {
        self.events[of.index()].effect
    }

    /// What comes before an event, itself included.
    #[inline]
    pub fn past(&self, of: Position) -> Row {
        self.events[of.index()].rows.past
    }

    /// What comes before whatever waits for all that the thread of an event has done up to it.
    pub fn all(&self, of: Position) -> Row {
        self.events[of.index()].rows.all
    }

    /// What comes before the event that follows one in its thread.
    #[inline]
    pub fn before(&self, effect: Effect, last: Position) -> &[u32] {
        let rows = &self.events[last.index()].rows;
        self.rows.row(base(rows, effect).at())
    }

    /// Whether a write is in a row.
    #[inline]
    pub fn is_in(&self, write: Position, row: &[u32]) -> bool {
        self.events[write.index()].mark.is_some_and(|mark| mark.is_in(row))
    }

    /// Adds an event.
    pub fn add(&mut self, new: &New) {
        let (n_rows, n_changes) = (self.n_rows, self.changes.len() as u32);
        let old = new.before.map_or(Rows::all_are(Row::EMPTY), |before| self.events[before.index()].rows);
        let rows = self.rows_after(&old, new);
        self.events.push(Event { rows, effect: new.effect, mark: new.mark, n_rows, n_changes });
        if let Some(next) = new.next {
            self.put_before(rows.past, next);
        }
    }

    fn rows_after(&mut self, old: &Rows, new: &New) -> Rows {
        match new.effect {
            Effect::Read => self.rows_after_read(old, &new.after),
            Effect::Divide => Rows { writes: old.all, ..*old },
            Effect::Wait => Rows::all_are(self.joined(old.all, new)),
            Effect::Queue => {
                let past = self.joined(old.all, new);
                Rows { past, writes: past, all: past, reads: old.reads }
            }
            Effect::Store | Effect::Release => {
                let writes = base(old, new.effect);
                let past = self.joined(writes, new);
                let all = if writes == old.all { past } else { self.union(old.all, &[past]) };
                Rows { past, reads: old.reads, writes, all }
            }
        }
    }

    /// What is read comes before all that the thread does later.
    fn rows_after_read(&mut self, old: &Rows, after: &[Row]) -> Rows {
        let reads = self.union(old.reads, after);
        let writes = if old.writes == old.reads { reads } else { self.union(old.writes, after) };
        let all = match old.all {
            same if same == old.writes => writes,
            same if same == old.reads => reads,
            other => self.union(other, after),
        };
        Rows { past: reads, reads, writes, all }
    }

    /// A row with what a new event comes after, and itself.
    fn joined(&mut self, row: Row, new: &New) -> Row {
        let Some(Mark { column, count }) = new.mark else { return self.union(row, &new.after) };
        let joined = self.push(row, &new.after);
        self.rows.set(column as usize, count);
        joined
    }

    fn union(&mut self, row: Row, others: &[Row]) -> Row {
        if others.is_empty() { row } else { self.push(row, others) }
    }

    fn push(&mut self, row: Row, others: &[Row]) -> Row {
        self.rows.push(Some(row.at()));
        others.iter().for_each(|other| self.rows.join(other.at()));
        self.n_rows += 1;
        Row(self.n_rows - 1)
    }

    /// Puts what comes before an event before all that comes after the write that is next.
    fn put_before(&mut self, past: Row, next: Position) {
        let before: SmallVec<[u32; 16]> = SmallVec::from_slice(self.rows.row(past.at()));
        let Event { rows, mark, .. } = &self.events[next.index()];
        let mark = mark.expect("it is a write");
        if is_within(&before, self.rows.row(rows.past.at())) {
            return;
        }
        (0..self.n_rows).for_each(|row| self.raise(Row(row), mark, &before));
    }

    /// Adds to a row, where a write is in it.
    fn raise(&mut self, row: Row, write: Mark, before: &[u32]) {
        let clock = self.rows.row_mut(row.at());
        if !write.is_in(clock) || is_within(before, clock) {
            return;
        }
        self.saved.extend_from_slice(clock);
        self.changes.push(Change { row, len: clock.len() as u32 });
        clock.iter_mut().zip(before).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }

    /// Takes back the newest events, until there are so many.
    pub fn rewind(&mut self, len: usize) {
        let Some(&Event { n_rows, n_changes, .. }) = self.events.get(len) else { return };
        while self.changes.len() > n_changes as usize {
            self.put_back();
        }
        self.events.truncate(len);
        self.rows.truncate(n_rows as usize);
        self.n_rows = n_rows;
    }

    /// Undoes the last change. Rows may have become wider since, by columns that had nothing.
    fn put_back(&mut self) {
        let Change { row, len } = self.changes.pop().expect("there is a change");
        let from = self.saved.len() - len as usize;
        let row = self.rows.row_mut(row.at());
        row[..len as usize].copy_from_slice(&self.saved[from..]);
        row[len as usize..].fill(0);
        self.saved.truncate(from);
    }
}

/// What an event comes after by what its thread has done before.
fn base(rows: &Rows, effect: Effect) -> Row {
    match effect {
        Effect::Read | Effect::Divide => rows.reads,
        Effect::Store => rows.writes,
        Effect::Wait | Effect::Queue | Effect::Release => rows.all,
    }
}

/// Whether one clock is at most another one.
fn is_within(clock: &[u32], other: &[u32]) -> bool {
    clock.iter().zip(other).all(|(mine, theirs)| mine <= theirs)
}
