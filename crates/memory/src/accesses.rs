//! Who last wrote and read each location: the edges of chronological traces (Abdulla et al., TACAS 2015, and its report, appendix B).
//!
//! For each location the report keeps the last update and, for each thread, the last load of its value. We keep
//! all updates in a row, to find what a waiting action could overtake.

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

/// The loads of a location's present value: for each thread its last one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    pub loads: SmallVec<[(ThreadId, Position); 4]>,
}

impl Access {
    /// Notes a load; gives the one that was noted for the thread before.
    pub fn add(&mut self, by: ThreadId, event: Position) -> Option<Position> {
        match self.loads.iter_mut().find(|load| load.0 == by) {
            Some(load) => Some(std::mem::replace(&mut load.1, event)),
            None => {
                self.loads.push((by, event));
                None
            }
        }
    }

    /// Takes back what was noted last, for this thread.
    pub fn remove(&mut self, by: ThreadId, old: Option<Position>) {
        match old {
            None => drop(self.loads.pop()),
            Some(event) => drop(self.add(by, event)),
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
