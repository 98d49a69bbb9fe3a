//! Vector clocks of the events of an execution, in one flat table.
//!
//! The clock of an event says for each actor how many of its events happen before or are the event itself.

use raddle_event::Position;

/// The place of an actor in a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Column(u32);

impl Column {
    fn place(self) -> (usize, usize) {
        (self.0 as usize / TOGETHER, self.0 as usize % TOGETHER)
    }
}

/// The numbers of so many actors lie together, to be copied and compared in one go.
const TOGETHER: usize = 4;

/// One clock per event, row after row; a row has one number per actor.
#[derive(Default)]
pub struct Clocks {
    rows: Vec<[u32; TOGETHER]>,
    width: usize,
    n_rows: usize,
    n_columns: u32,
}

impl Clocks {
    /// A place for one more actor; the rows are laid out anew when they become wider.
    pub fn add_column(&mut self) -> Column {
        let column = Column(self.n_columns);
        self.n_columns += 1;
        if column.place().0 >= self.width {
            self.widen((column.place().0 + 1).next_power_of_two());
        }
        column
    }

    fn widen(&mut self, width: usize) {
        let mut rows = vec![[0; TOGETHER]; self.n_rows * width];
        for n in 0..self.n_rows {
            rows[n * width..n * width + self.width].copy_from_slice(&self.rows[n * self.width..(n + 1) * self.width]);
        }
        (self.rows, self.width) = (rows, width);
    }

    /// Appends a clock that has seen what an earlier event has seen, or nothing.
    #[inline(always)]
    pub fn push(&mut self, seen: Option<Position>) {
        let (width, start) = (self.width, self.n_rows * self.width);
        if self.rows.len() < start + width {
            self.rows.resize(2 * (start + width), [0; TOGETHER]);
        }
        let (before, newest) = self.rows.split_at_mut(start);
        match seen {
            // Rows are short: a loop is faster than a call.
            Some(at) => newest.iter_mut().zip(&before[at.index() * width..(at.index() + 1) * width]).for_each(|(to, from)| *to = *from),
            None => newest[..width].fill([0; TOGETHER]),
        }
        self.n_rows += 1;
    }

    /// Forgets the clocks from a position on.
    pub fn cut(&mut self, at: Position) {
        self.n_rows = at.index();
    }

    /// Adds to the newest clock what an earlier event has seen.
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

    /// Whether an event has seen all that another one has seen.
    pub fn is_within(&self, first: Position, second: Position) -> bool {
        let row = |of: Position| self.rows[of.index() * self.width..(of.index() + 1) * self.width].iter().flatten();
        row(first).zip(row(second)).all(|(first, second)| first <= second)
    }

    /// How many events of an actor the event at `of` has seen.
    #[inline]
    pub fn get(&self, of: Position, actor: Column) -> u32 {
        let (four, n) = actor.place();
        self.rows[of.index() * self.width + four][n]
    }

    /// Sets the newest clock's number for an actor.
    #[inline]
    pub fn set(&mut self, actor: Column, count: u32) {
        let (four, n) = actor.place();
        self.rows[(self.n_rows - 1) * self.width + four][n] = count;
    }
}
