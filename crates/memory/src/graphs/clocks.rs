//! Vector clocks of the events of a graph, in one flat table: for each event how many events of each thread happen
//! before it (po and rf), itself included.

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
        // The width is a multiple of four: without a remainder the loop is a short one.
        for (mine, theirs) in newest.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
            for n in 0..4 {
                mine[n] = mine[n].max(theirs[n]);
            }
        }
    }

    /// The row of an event, to change it.
    pub fn row_mut(&mut self, of: Position) -> &mut [u32] {
        &mut self.rows[of.index() * self.width..(of.index() + 1) * self.width]
    }

    /// The newest row, to add to it.
    pub fn newest_mut(&mut self) -> &mut [u32] {
        &mut self.rows[(self.n_rows - 1) * self.width..]
    }

    /// Sets the newest row's number for a thread.
    pub fn set(&mut self, thread: ThreadId, count: u32) {
        let at = (self.n_rows - 1) * self.width + thread.index();
        self.rows[at] = count;
    }

    /// Takes back the newest rows, until there are so many.
    pub fn truncate(&mut self, n_rows: usize) {
        self.n_rows = n_rows;
        self.rows.truncate(n_rows * self.width);
    }

    /// The row of an event.
    #[inline]
    pub fn row(&self, of: Position) -> &[u32] {
        &self.rows[of.index() * self.width..(of.index() + 1) * self.width]
    }
}
