//! Who last wrote and read each location: the edges of chronological traces (Abdulla et al., TACAS 2015, and its
//! report, appendix B).
//!
//! For each location the report keeps the last update and, for each thread, the last load of its value. We keep all
//! updates in a row, to find what a waiting action could overtake, and all loads in another, to go back without copies.

use super::runs::Runs;
use raddle_event::{LocationId, Position, Taken, ThreadId};

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

/// The accesses of one location.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocationAccesses {
    /// The writes, oldest first.
    pub written: Vec<Written>,
    loads: Vec<Load>,
    /// How many of the loads are of earlier values.
    stale: u32,
}

impl LocationAccesses {
    /// The loads of the present value: for each thread its last one, and those that took only a part from memory.
    #[inline]
    pub fn loads(&self) -> &[Load] {
        &self.loads[self.stale as usize..]
    }

    /// What a write of a whole location that overlaps no other comes after: the last write and the loads of what it
    /// wrote. The own ones come before it in the program, and the same actor made them or they are in the order
    /// already.
    #[inline(always)]
    pub fn conflicts(&self, thread: ThreadId, taken: &mut Taken) {
        if let Some(last) = self.written.last().filter(|last| last.by != thread) {
            taken.conflicts.push(last.event);
        }
        for load in self.loads() {
            if load.by != thread {
                taken.conflicts.push(load.event);
            }
        }
    }

    /// Notes a load; gives the one that it takes the place of.
    pub fn load(&mut self, load: Load) -> Option<Position> {
        let same = |other: &&mut Load| other.by == load.by && other.part.is_none() && load.part.is_none();
        match self.loads[self.stale as usize..].iter_mut().find(same) {
            Some(other) => Some(std::mem::replace(&mut other.event, load.event)),
            None => {
                self.loads.push(load);
                None
            }
        }
    }

    /// Takes back what was noted last, for this thread.
    pub fn unload(&mut self, by: ThreadId, old: Option<Position>) {
        match old {
            None => drop(self.loads.pop()),
            Some(event) => drop(self.load(Load { by, event, part: None })),
        }
    }

    /// Notes a write; gives what [`LocationAccesses::unwrite`] wants.
    pub fn write(&mut self, written: Written) -> u32 {
        self.written.push(written);
        std::mem::replace(&mut self.stale, self.loads.len() as u32)
    }

    /// Takes back the last write, which was this one.
    #[inline]
    pub fn unwrite(&mut self, stale: u32) -> Written {
        self.stale = stale;
        self.written.pop().expect("it was written")
    }

    /// The last write.
    #[inline]
    pub fn last(&self) -> Option<Written> {
        self.written.last().copied()
    }

    /// Forgets all but the last write and the loads of what it wrote.
    pub fn forget_past(&mut self) {
        self.written.drain(..self.written.len().saturating_sub(1));
        self.loads.drain(..self.stale as usize);
        self.stale = 0;
    }
}

/// The accesses of all locations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accesses {
    all: Vec<LocationAccesses>,
}

impl Accesses {
    /// For how many locations there is room.
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Makes room for locations.
    pub fn widen(&mut self, n: usize) {
        if self.all.len() < n {
            self.all.resize_with(n, LocationAccesses::default);
        }
    }

    /// The accesses of a location.
    #[inline]
    pub fn of(&self, at: LocationId) -> &LocationAccesses {
        &self.all[at.index()]
    }

    /// The accesses of a location, to be changed.
    #[inline]
    pub fn of_mut(&mut self, at: LocationId) -> &mut LocationAccesses {
        &mut self.all[at.index()]
    }

    /// The accesses of every location.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut LocationAccesses> {
        self.all.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(by: u32, event: u32) -> Load {
        Load { by: ThreadId(by), event: Position(event), part: None }
    }

    fn conflicts(access: &LocationAccesses, thread: u32) -> Vec<u32> {
        let mut taken = Taken::default();
        access.conflicts(ThreadId(thread), &mut taken);
        taken.conflicts.iter().map(|event| event.0).collect()
    }

    /// A write comes after the last write of another and the last load of each other thread since then.
    #[test]
    fn a_write_comes_after_the_last_write_and_the_loads_of_it() {
        let mut access = LocationAccesses::default();
        access.load(load(1, 0));
        let stale = access.write(Written { by: ThreadId(0), event: Position(1), old: 0 });
        assert_eq!(access.load(load(1, 2)), None);
        assert_eq!(access.load(load(2, 3)), None);
        assert_eq!(access.load(load(1, 4)), Some(Position(2)), "the last load of a thread counts");
        assert_eq!([0, 1, 2, 3].map(|thread| conflicts(&access, thread)), [vec![4, 3], vec![1, 3], vec![1, 4], vec![1, 4, 3]]);
        access.unload(ThreadId(1), Some(Position(2)));
        access.unload(ThreadId(2), None);
        assert_eq!(conflicts(&access, 3), [1, 2]);
        access.unload(ThreadId(1), None);
        access.unwrite(stale);
        assert_eq!(conflicts(&access, 3), [0]);
    }
}
