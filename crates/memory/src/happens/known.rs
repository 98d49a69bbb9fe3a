//! What each thread knows of the others by happens-before.
//!
//! A thread is in an *epoch*, which ends when it releases something: an access in it is known to whoever knows that the
//! epoch has ended. What a thread knows of others is a row of numbers of epochs. Rows are shared and never change, so
//! that a release costs no copy: its message is the row of the thread and the epoch that ends. An epoch ends once, so
//! whoever knows of it knows all that its thread did then, and need not compare rows. (FastTrack, Flanagan and Freund,
//! PLDI 2009, has epochs for accesses; here they count releases, not operations.)

use raddle_event::{Clocks, Position, ThreadId};

/// What whoever acquires learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Message {
    #[default]
    Nothing,
    /// What a thread knew and had done by the end of one of its epochs.
    Of { thread: ThreadId, epoch: u32, row: Position },
    /// What several of these say together.
    Joined(Position),
}

#[derive(Clone, Copy)]
struct Thread {
    /// What it knows of others.
    row: Position,
    epoch: u32,
    /// What its last release fence has released.
    released: Message,
    /// What it has read of releases without an acquire.
    pending: Message,
}

/// How to take back one change.
#[derive(Clone, Copy)]
enum Undo {
    Clock { thread: ThreadId, row: Position, epoch: u32 },
    Released { thread: ThreadId, old: Message },
    Pending { thread: ThreadId, old: Message },
}

/// A point to which one can go back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    n_rows: u32,
    journal: u32,
}

/// What all threads know.
#[derive(Default)]
pub(super) struct Known {
    rows: Clocks,
    n_rows: u32,
    threads: Vec<Thread>,
    journal: Vec<Undo>,
}

impl Known {
    pub fn widen(&mut self, n_threads: usize) {
        if n_threads <= self.threads.len() {
            return;
        }
        self.rows.widen(n_threads);
        if self.n_rows == 0 {
            self.rows.push(None);
            self.n_rows = 1;
        }
        let fresh = Thread { row: Position(0), epoch: 1, released: Message::Nothing, pending: Message::Nothing };
        self.threads.resize(n_threads, fresh);
    }

    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { n_rows: self.n_rows, journal: self.journal.len() as u32 }
    }

    #[inline]
    pub fn rewind(&mut self, mark: Mark) {
        for &undo in self.journal[mark.journal as usize..].iter().rev() {
            match undo {
                Undo::Clock { thread, row, epoch } => {
                    let known = &mut self.threads[thread.index()];
                    (known.row, known.epoch) = (row, epoch);
                }
                Undo::Released { thread, old } => self.threads[thread.index()].released = old,
                Undo::Pending { thread, old } => self.threads[thread.index()].pending = old,
            }
        }
        self.journal.truncate(mark.journal as usize);
        // The row of those who know nothing stays.
        self.n_rows = mark.n_rows.max(1).min(self.n_rows);
        self.rows.truncate(self.n_rows as usize);
    }

    /// What a thread knows of the epochs of each other one.
    pub fn row(&self, thread: ThreadId) -> &[u32] {
        self.rows.row(self.threads[thread.index()].row)
    }

    /// The epoch that a thread is in.
    #[inline]
    pub fn epoch(&self, thread: ThreadId) -> u32 {
        self.threads[thread.index()].epoch
    }

    /// All that a thread has done so far.
    #[inline]
    pub fn now(&self, thread: ThreadId) -> Message {
        let Thread { row, epoch, .. } = self.threads[thread.index()];
        Message::Of { thread, epoch, row }
    }

    /// The same, to be learned by others: an epoch ends.
    #[inline]
    pub fn publish(&mut self, thread: ThreadId) -> Message {
        let message = self.now(thread);
        let Thread { row, epoch, .. } = &mut self.threads[thread.index()];
        self.journal.push(Undo::Clock { thread, row: *row, epoch: *epoch });
        *epoch += 1;
        message
    }

    /// What the last release fence of a thread has released.
    pub fn released(&self, thread: ThreadId) -> Message {
        self.threads[thread.index()].released
    }

    /// A thread has released something by a fence.
    pub fn release(&mut self, thread: ThreadId, message: Message) {
        let old = std::mem::replace(&mut self.threads[thread.index()].released, message);
        self.journal.push(Undo::Released { thread, old });
    }

    /// What an acquire fence of a thread learns.
    pub fn pending(&self, thread: ThreadId) -> Message {
        self.threads[thread.index()].pending
    }

    /// An acquire fence of a thread learns this as well from now on.
    pub fn wait(&mut self, thread: ThreadId, message: Message) {
        let old = self.pending(thread);
        let new = self.joined(old, message);
        if new != old {
            self.threads[thread.index()].pending = new;
            self.journal.push(Undo::Pending { thread, old });
        }
    }

    /// A thread learns what a message says.
    #[inline]
    pub fn learn(&mut self, thread: ThreadId, message: Message) {
        let Thread { row, epoch, .. } = self.threads[thread.index()];
        let is_known = match message {
            Message::Nothing => true,
            Message::Of { thread: by, .. } if by == thread => true,
            Message::Of { thread: by, epoch, .. } => self.rows.get(row, by.index()) >= epoch,
            // Of itself it knows all.
            Message::Joined(other) => self.is_within(other, row, Some(thread)),
        };
        if !is_known {
            let new = self.push(row);
            self.add(message);
            self.journal.push(Undo::Clock { thread, row, epoch });
            self.threads[thread.index()].row = new;
        }
    }

    /// What two messages say together.
    #[inline]
    pub fn joined(&mut self, one: Message, other: Message) -> Message {
        match (one, other) {
            (Message::Nothing, message) | (message, Message::Nothing) => message,
            _ => self.joined_anew(one, other),
        }
    }

    fn joined_anew(&mut self, one: Message, other: Message) -> Message {
        if self.says(one, other) {
            return one;
        }
        if self.says(other, one) {
            return other;
        }
        let row = self.push(Position(0));
        self.add(one);
        self.add(other);
        Message::Joined(row)
    }

    /// Whether a message says all that another one does.
    fn says(&self, message: Message, other: Message) -> bool {
        match (message, other) {
            (_, Message::Nothing) => true,
            (Message::Nothing, _) => false,
            (Message::Of { thread, epoch, .. }, Message::Of { thread: by, epoch: other, .. }) if thread == by => epoch >= other,
            (Message::Of { row, .. } | Message::Joined(row), Message::Of { thread: by, epoch, .. }) => {
                self.rows.get(row, by.index()) >= epoch
            }
            (Message::Of { thread, epoch, row }, Message::Joined(other)) => {
                self.is_within(other, row, Some(thread)) && self.rows.get(other, thread.index()) <= epoch
            }
            (Message::Joined(row), Message::Joined(other)) => self.is_within(other, row, None),
        }
    }

    /// Whether a row is at most another one, but for one thread.
    fn is_within(&self, first: Position, second: Position, but: Option<ThreadId>) -> bool {
        let mut both = self.rows.row(first).iter().zip(self.rows.row(second)).enumerate();
        both.all(|(n, (first, second))| first <= second || but.is_some_and(|thread| thread.index() == n))
    }

    /// A new row that begins as another one.
    fn push(&mut self, of: Position) -> Position {
        self.rows.push(Some(of));
        self.n_rows += 1;
        Position(self.n_rows - 1)
    }

    /// Adds what a message says to the newest row.
    fn add(&mut self, message: Message) {
        match message {
            Message::Nothing => {}
            Message::Joined(row) => self.rows.join(row),
            Message::Of { thread, epoch, row } => {
                self.rows.join(row);
                let newest = &mut self.rows.newest_mut()[thread.index()];
                *newest = epoch.max(*newest);
            }
        }
    }
}
