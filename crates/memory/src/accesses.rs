//! Who last wrote and read each location: the edges of chronological traces (Abdulla et al., TACAS 2015, and its report, appendix B).
//!
//! For each location the report keeps the last update and, for each thread, the last load of its value. We keep
//! all updates in a row, to find what a waiting action could overtake.

use crate::runs::Runs;
use raddle_event::{LocationId, Position, ThreadId};
use smallvec::SmallVec;

/// A write that has reached memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    pub by: ThreadId,
    pub event: Position,
    /// The first eight bytes before it.
    pub old: u64,
}

/// A load of a location's present value.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    pub by: ThreadId,
    pub event: Position,
    /// The bytes that came from memory, where not all did.
    pub part: Option<Box<Runs>>,
}

/// The loads of a location's present value: for each thread its last one, and those that took only a part from memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    pub loads: SmallVec<[Load; 2]>,
}

impl Access {
    /// Notes a load; gives the one that it takes the place of.
    pub fn add(&mut self, load: Load) -> Option<Position> {
        let same = |other: &&mut Load| other.by == load.by && other.part.is_none() && load.part.is_none();
        match self.loads.iter_mut().find(same) {
            Some(other) => Some(std::mem::replace(&mut other.event, load.event)),
            None => {
                self.loads.push(load);
                None
            }
        }
    }

    /// Takes back what was noted last, for this thread.
    pub fn remove(&mut self, by: ThreadId, old: Option<Position>) {
        match old {
            None => drop(self.loads.pop()),
            Some(event) => drop(self.add(Load { by, event, part: None })),
        }
    }
}

/// The accesses of all locations.
#[derive(Default)]
pub struct Accesses {
    pub written: Vec<Vec<Written>>,
    pub read: Vec<Access>,
}

impl Accesses {
    /// Makes room for locations.
    pub fn widen(&mut self, n: usize) {
        if self.written.len() < n {
            self.written.resize_with(n, Vec::new);
            self.read.resize_with(n, Access::default);
        }
    }

    /// The last write to a location.
    pub fn last(&self, at: LocationId) -> Option<Written> {
        self.written[at.index()].last().copied()
    }
}
