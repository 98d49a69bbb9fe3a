//! Whether what has happened so far could have happened under SC: whether po ∪ rf ∪ co ∪ fr has a cycle (Shasha and
//! Snir 1988). Found as the events come, and taken back with them.
//!
//! An event of a thread is an access, or a store that waits in a buffer; it has a number in program order. A store
//! *happens* when it reaches memory. For each event that has happened there is a row: of each thread the last event
//! that comes before it by these relations, itself included. With an event all come that its thread has done before, so
//! one number for each thread says it all.
//!
//! What an event comes after besides program order is what the model says that it depends on ([`Taken`]): by rf, co,
//! fr, spawns and joins, among what has happened. A new event of a thread comes before nothing. A store that reaches
//! memory comes before those later events of its own thread that have happened already, which have overtaken it. So
//! there is a cycle just when one of these comes before the store; else they, and all that comes after them, now come
//! after the store as well: their rows are raised, as in [`crate::ordered`]. Under SC no event overtakes another, and
//! there is nothing to look for.

use raddle_event::{Clocks, Position, Taken, ThreadId};
use smallvec::SmallVec;

/// The events of a thread.
#[derive(Default)]
struct InOrder {
    /// Where each has happened; nowhere while it waits.
    at: Vec<Option<Position>>,
    /// Which of them each store is that was put into the buffer.
    stores: Vec<u32>,
    /// The last of them, in program order, that has happened.
    last: Option<u32>,
}

impl InOrder {
    fn last_position(&self) -> Option<Position> {
        self.at[self.last? as usize]
    }
}

/// How to take back one change.
enum Undo {
    Waits {
        thread: ThreadId,
    },
    Happened {
        thread: ThreadId,
        last: Option<u32>,
    },
    Reached {
        thread: ThreadId,
        number: u32,
        last: Option<u32>,
    },
    /// The row is at the end of what was saved.
    Raised {
        row: Position,
        len: u32,
    },
}

/// A point to which one can go back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    journal: u32,
    has_cycle: bool,
}

/// What comes before what in the present execution, up to the first cycle.
#[derive(Default)]
pub struct Cycles {
    rows: Clocks,
    threads: Vec<InOrder>,
    journal: Vec<Undo>,
    saved: Vec<u32>,
    has_cycle: bool,
}

impl Cycles {
    /// Learns how many threads there are.
    pub fn widen(&mut self, n_threads: usize) {
        if self.threads.len() < n_threads {
            self.threads.resize_with(n_threads, InOrder::default);
            self.rows.widen(n_threads);
        }
    }

    /// Whether there is a cycle. Nothing more is looked at then.
    pub fn has_cycle(&self) -> bool {
        self.has_cycle
    }

    /// The present point.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { journal: self.journal.len() as u32, has_cycle: self.has_cycle }
    }

    /// Goes back to a point, at which there were so many events in all.
    #[inline]
    pub fn rewind(&mut self, mark: Mark, n_events: usize) {
        if mark.has_cycle {
            return;
        }
        self.has_cycle = false;
        while self.journal.len() > mark.journal as usize {
            match self.journal.pop().expect("the mark is earlier") {
                Undo::Waits { thread } => {
                    let of = &mut self.threads[thread.index()];
                    of.at.pop();
                    of.stores.pop();
                }
                Undo::Happened { thread, last } => {
                    let of = &mut self.threads[thread.index()];
                    of.at.pop();
                    of.last = last;
                }
                Undo::Reached { thread, number, last } => {
                    let of = &mut self.threads[thread.index()];
                    of.at[number as usize] = None;
                    of.last = last;
                }
                Undo::Raised { row, len } => self.put_back(row, len as usize),
            }
        }
        self.rows.truncate(n_events);
    }

    /// Undoes the last raise. Rows may have become wider since, by threads that had done nothing.
    fn put_back(&mut self, row: Position, len: usize) {
        let from = self.saved.len() - len;
        let row = self.rows.row_mut(row);
        row[..len].copy_from_slice(&self.saved[from..]);
        row[len..].fill(0);
        self.saved.truncate(from);
    }

    /// A thread takes a step, the event at `at`.
    pub fn step(&mut self, thread: ThreadId, taken: &Taken, at: Position) {
        if self.has_cycle {
            return;
        }
        let before = self.threads[thread.index()].last_position();
        self.push(before, taken);
        let of = &mut self.threads[thread.index()];
        let number = of.at.len() as u32;
        self.rows.set(thread.index(), number + 1);
        of.at.push(Some(at));
        let last = of.last.replace(number);
        self.journal.push(Undo::Happened { thread, last });
    }

    /// A thread puts a store into its buffer.
    pub fn wait(&mut self, thread: ThreadId) {
        if self.has_cycle {
            return;
        }
        let of = &mut self.threads[thread.index()];
        of.stores.push(of.at.len() as u32);
        of.at.push(None);
        self.journal.push(Undo::Waits { thread });
    }

    /// A store that has waited is wrong when it leaves the buffer, and never reaches memory.
    pub fn lose(&mut self) {
        if !self.has_cycle {
            self.rows.push(None);
        }
    }

    /// A store that has waited reaches memory by the event at `at`: the `count`-th of its thread, counted from one.
    pub fn reach(&mut self, (thread, count): (ThreadId, u32), taken: &Taken, at: Position) {
        if self.has_cycle {
            return;
        }
        let of = &self.threads[thread.index()];
        let (number, last) = (of.stores[count as usize - 1], of.last);
        let before = of.at[..number as usize].iter().rev().find_map(|at| *at);
        self.push(before, taken);
        if self.rows.get(at, thread.index()) > number {
            self.has_cycle = true;
            return;
        }
        self.rows.set(thread.index(), number + 1);
        let is_overtaken = last.is_some_and(|last| last > number);
        if is_overtaken {
            self.raise(at, thread, number);
        }
        let of = &mut self.threads[thread.index()];
        of.at[number as usize] = Some(at);
        of.last = last.max(Some(number));
        self.journal.push(Undo::Reached { thread, number, last });
    }

    /// The row of a new event.
    fn push(&mut self, before: Option<Position>, taken: &Taken) {
        self.rows.push(before);
        for &event in taken.order.iter().chain(&taken.conflicts).chain(&taken.enabling) {
            self.rows.join(event);
        }
    }

    /// All that comes after later events of a thread now comes after a store of it too, the newest event.
    fn raise(&mut self, newest: Position, thread: ThreadId, number: u32) {
        let store: SmallVec<[u32; 16]> = SmallVec::from_slice(self.rows.row(newest));
        for at in (0..newest.0).map(Position) {
            let row = self.rows.row_mut(at);
            if row[thread.index()] <= number + 1 || row.iter().zip(&store).all(|(known, new)| new <= known) {
                continue;
            }
            self.saved.extend_from_slice(row);
            self.journal.push(Undo::Raised { row: at, len: row.len() as u32 });
            row.iter_mut().zip(&store).for_each(|(known, new)| *known = (*known).max(*new));
        }
    }
}
