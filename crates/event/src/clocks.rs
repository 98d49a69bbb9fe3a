//! Vector clocks of the events of an execution, in one flat table: for each event how many events of each actor, or of
//! each thread, come before it, itself included. What *before* means is up to who keeps the clocks.

use crate::Position;

/// So many numbers lie together, to be copied and compared in one go.
const TOGETHER: usize = 4;

/// One row per event, in the order in which they were added; a row has one number per column.
#[derive(Default)]
pub struct Clocks {
    rows: Vec<[u32; TOGETHER]>,
    width: usize,
    n_rows: usize,
}

impl Clocks {
    /// Makes room for so many columns; the rows are laid out anew when they become wider.
    pub fn widen(&mut self, n_columns: usize) {
        if n_columns <= self.width * TOGETHER {
            return;
        }
        let width = n_columns.div_ceil(TOGETHER).next_power_of_two();
        let mut rows = vec![[0; TOGETHER]; self.n_rows * width];
        for n in 0..self.n_rows {
            rows[n * width..n * width + self.width].copy_from_slice(&self.rows[n * self.width..(n + 1) * self.width]);
        }
        (self.rows, self.width) = (rows, width);
    }

    /// Appends a row that begins as that of an earlier event, or with nothing.
    #[inline(always)]
    pub fn push(&mut self, of: Option<Position>) {
        let (width, start) = (self.width, self.n_rows * self.width);
        if self.rows.len() < start + width {
            self.rows.resize(2 * (start + width), [0; TOGETHER]);
        }
        let (before, newest) = self.rows.split_at_mut(start);
        match of {
            // Rows are short: a loop is faster than a call.
            Some(at) => newest.iter_mut().zip(&before[at.index() * width..(at.index() + 1) * width]).for_each(|(to, from)| *to = *from),
            None => newest[..width].fill([0; TOGETHER]),
        }
        self.n_rows += 1;
    }

    /// Adds to the newest row what an earlier event has seen.
    #[inline]
    pub fn join(&mut self, from: Position) {
        let (before, newest) = self.rows.split_at_mut((self.n_rows - 1) * self.width);
        let from = &before[from.index() * self.width..(from.index() + 1) * self.width];
        for (mine, theirs) in newest.iter_mut().zip(from) {
            for n in 0..TOGETHER {
                mine[n] = mine[n].max(theirs[n]);
            }
        }
    }

    /// Sets the newest row's number in a column.
    #[inline]
    pub fn set(&mut self, column: usize, count: u32) {
        self.rows[(self.n_rows - 1) * self.width + column / TOGETHER][column % TOGETHER] = count;
    }

    /// How many events in a column an event has seen.
    #[inline]
    pub fn get(&self, of: Position, column: usize) -> u32 {
        self.rows[of.index() * self.width + column / TOGETHER][column % TOGETHER]
    }

    /// The row of an event.
    #[inline]
    pub fn row(&self, of: Position) -> &[u32] {
        self.rows[of.index() * self.width..(of.index() + 1) * self.width].as_flattened()
    }

    /// The row of an event, to change it.
    #[inline]
    pub fn row_mut(&mut self, of: Position) -> &mut [u32] {
        self.rows[of.index() * self.width..(of.index() + 1) * self.width].as_flattened_mut()
    }

    /// The newest row, to add to it.
    #[inline]
    pub fn newest_mut(&mut self) -> &mut [u32] {
        self.row_mut(Position(self.n_rows as u32 - 1))
    }

    /// Whether an event has seen all that another one has seen.
    pub fn is_within(&self, first: Position, second: Position) -> bool {
        self.row(first).iter().zip(self.row(second)).all(|(first, second)| first <= second)
    }

    /// Forgets the newest rows, until there are so many.
    #[inline]
    pub fn truncate(&mut self, n_rows: usize) {
        self.n_rows = n_rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first is an event of column 0, the second one of column 1 that comes after it, the third one of column 5
    /// that comes after none: it makes the rows wider.
    #[test]
    fn a_row_counts_what_comes_before() {
        let mut clocks = Clocks::default();
        clocks.widen(2);
        clocks.push(None);
        clocks.set(0, 1);
        clocks.push(Some(Position(0)));
        clocks.set(1, 1);
        clocks.widen(6);
        clocks.push(None);
        clocks.set(5, 1);
        assert_eq!(clocks.row(Position(1)), [1, 1, 0, 0, 0, 0, 0, 0]);
        assert!(clocks.is_within(Position(0), Position(1)) && !clocks.is_within(Position(0), Position(2)));
        clocks.join(Position(1));
        assert_eq!(clocks.row(Position(2)), [1, 1, 0, 0, 0, 1, 0, 0]);
        assert_eq!(clocks.get(Position(2), 5), 1);
    }

    /// Rows that were taken back leave nothing behind.
    #[test]
    fn rows_are_taken_back() {
        let mut clocks = Clocks::default();
        clocks.widen(1);
        for count in 1..4 {
            clocks.push(None);
            clocks.set(0, count);
        }
        clocks.truncate(1);
        clocks.push(None);
        assert_eq!((clocks.get(Position(0), 0), clocks.get(Position(1), 0)), (1, 0));
    }
}
