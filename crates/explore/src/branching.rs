//! What the executions come from: how many of them lie behind branches that concern a location.
//!
//! Every execution but the first of an exploration begins at a *branch*, where the explorer goes back to a point and
//! takes another way: another order of two accesses, or another write to read from. So an execution has the branches on
//! its path. It *comes from* a location where at least one of them concerns that location; it may come from several.
//! The executions that do not come from a location are just those that are left where the first way is taken at every
//! point that concerns it.
//!
//! An execution is counted when what lies behind a branch is left, for the outermost branch of each location. So that
//! takes a few instructions for each branch, and none for an event.

use crate::sink::{Branch, Turn};
use raddle_event::{LocationId, Range};
use serde::{Deserialize, Serialize};

/// What a branch concerns: these bytes, or a choice of the program.
pub type Concern = Option<Range>;

/// A branch on a path, for who goes on from there elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turned {
    /// Grows along the path ([`Branch::rank`]).
    pub rank: u32,
    /// What it concerns.
    pub concern: Concern,
}

/// What is known of a concern.
struct Row {
    concern: Concern,
    /// How many executions come from it, those aside that lie behind what is still on the path.
    executions: u64,
    n_on_path: u32,
    /// Whether an execution has been seen that comes from it.
    is_seen: bool,
}

/// A branch on the present path.
struct Entry {
    rank: u32,
    row: u32,
    /// How many executions there had been before it.
    since: u64,
    /// Whether none before it on the path is of the same concern.
    is_outermost: bool,
}

/// The branches of an exploration, by what they concern.
#[derive(Default)]
pub struct Branching {
    rows: Vec<Row>,
    /// The row of each location, by its number; the first one is that of choices.
    row_of: Vec<Option<u32>>,
    path: Vec<Entry>,
    /// Whether a concern on the path has not been seen in an execution.
    has_unseen: bool,
    /// How many executions there have been.
    n: u64,
}

impl Branching {
    /// The exploration takes a branch, or the way that it must take. `range` gives the bytes of a location.
    pub fn turn(&mut self, branch: Branch, at: Option<LocationId>, range: impl FnOnce(LocationId) -> Range) {
        self.leave(branch.ends_from());
        if branch.turn != Turn::Rest {
            let row = self.row(at, range);
            self.enter(branch.rank(), row);
        }
    }

    /// An execution has come to its end.
    #[inline]
    pub fn reach(&mut self) {
        self.n += 1;
    }

    /// The path to go on from is this one.
    pub fn follow(&mut self, path: &[Turned]) {
        self.leave(0);
        for &Turned { rank, concern } in path {
            let row = self.row_for(concern);
            self.enter(rank, row);
        }
    }

    /// The first points are given up, and those behind them get their numbers.
    pub fn renumber(&mut self, given_up: u32) {
        for entry in &mut self.path {
            entry.rank = entry.rank.saturating_sub(2 * given_up).max(1);
        }
    }

    /// The branches on the path up to a rank.
    pub fn path(&self, before: u32) -> Vec<Turned> {
        let turned = |entry: &Entry| Turned { rank: entry.rank, concern: self.rows[entry.row as usize].concern };
        self.path.iter().take_while(|entry| entry.rank < before).map(turned).collect()
    }

    /// How many executions came from each concern; begins to count again from zero.
    pub fn take(&mut self) -> Vec<(Concern, u64)> {
        let n = std::mem::take(&mut self.n);
        for entry in &mut self.path {
            if entry.is_outermost {
                self.rows[entry.row as usize].executions += n - entry.since;
            }
            entry.since = 0;
        }
        let counted = self.rows.iter_mut().map(|row| (row.concern, std::mem::take(&mut row.executions)));
        counted.filter(|(_, executions)| *executions > 0).collect()
    }

    /// Whether the present execution is the first one that is seen to come from some concern.
    #[inline]
    pub fn has_unseen(&self) -> bool {
        self.has_unseen
    }

    /// The concerns from which the present execution is the first to come. It is seen now.
    pub fn see(&mut self) -> Vec<Concern> {
        self.has_unseen = false;
        let rows = &mut self.rows;
        let unseen = self.path.iter().filter_map(|entry| {
            let row = &mut rows[entry.row as usize];
            (!std::mem::replace(&mut row.is_seen, true)).then_some(row.concern)
        });
        unseen.collect()
    }

    #[inline]
    fn row(&mut self, at: Option<LocationId>, range: impl FnOnce(LocationId) -> Range) -> u32 {
        let number = at.map_or(0, |at| at.index() + 1);
        match self.row_of.get(number) {
            Some(&Some(row)) => row,
            _ => self.new_row(number, at.map(range)),
        }
    }

    #[cold]
    fn new_row(&mut self, number: usize, concern: Concern) -> u32 {
        let row = self.row_for(concern);
        if self.row_of.len() <= number {
            self.row_of.resize(number + 1, None);
        }
        self.row_of[number] = Some(row);
        row
    }

    fn row_for(&mut self, concern: Concern) -> u32 {
        let known = self.rows.iter().position(|row| row.concern == concern);
        known.unwrap_or_else(|| {
            self.rows.push(Row { concern, executions: 0, n_on_path: 0, is_seen: false });
            self.rows.len() - 1
        }) as u32
    }

    fn enter(&mut self, rank: u32, row: u32) {
        let of = &mut self.rows[row as usize];
        let is_outermost = of.n_on_path == 0;
        of.n_on_path += 1;
        self.has_unseen |= !of.is_seen;
        self.path.push(Entry { rank, row, since: self.n, is_outermost });
    }

    /// Leaves the branches from a rank on.
    fn leave(&mut self, from: u32) {
        while let Some(entry) = self.path.pop_if(|entry| entry.rank >= from) {
            let row = &mut self.rows[entry.row as usize];
            row.n_on_path -= 1;
            if entry.is_outermost {
                row.executions += self.n - entry.since;
            }
        }
    }
}
