//! Vector clocks of the events of a graph, in one flat table: for each event how many events of each thread happen before it (po and rf), itself included.

use raddle_event::{Position, ThreadId};

/// One row per event, in the order in which they were added; a row has one number per thread.
#[derive(Default)]
pub struct Clocks {
    rows: Vec<u32>,
    width: usize,
    n_rows: usize,
}

impl Clocks {
    /// Makes room for so many threads; the rows are laid out anew when they become wider.
    pub fn widen(&mut self, n_threads: usize) {
        if n_threads <= self.width {
            return;
        }
        let width = n_threads.next_power_of_two().max(4);
        let mut rows = vec![0; self.n_rows * width];
        for n in 0..self.n_rows {
            rows[n * width..n * width + self.width].copy_from_slice(&self.rows[n * self.width..(n + 1) * self.width]);
        }
        (self.rows, self.width) = (rows, width);
    }

    /// Appends a row that begins as that of an earlier event, or with nothing.
    pub fn push(&mut self, of: Option<Position>) {
        match of {
            Some(at) => self.rows.extend_from_within(at.index() * self.width..(at.index() + 1) * self.width),
            None => self.rows.resize((self.n_rows + 1) * self.width, 0),
        }
        self.n_rows += 1;
    }

    /// Adds to the newest row what an earlier event has seen.
    pub fn join(&mut self, from: Position) {
        let (before, newest) = self.rows.split_at_mut((self.n_rows - 1) * self.width);
        let from = &before[from.index() * self.width..(from.index() + 1) * self.width];
        for (mine, theirs) in newest.iter_mut().zip(from) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Sets the newest row's number for a thread.
    pub fn set(&mut self, thread: ThreadId, count: u32) {
        let at = (self.n_rows - 1) * self.width + thread.index();
        self.rows[at] = count;
    }

    /// Takes back the newest row.
    pub fn pop(&mut self) {
        self.n_rows -= 1;
        self.rows.truncate(self.n_rows * self.width);
    }

    /// The row of an event.
    #[inline]
    pub fn row(&self, of: Position) -> &[u32] {
        &self.rows[of.index() * self.width..(of.index() + 1) * self.width]
    }
}
