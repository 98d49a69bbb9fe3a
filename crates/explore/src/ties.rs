//! Ties: which threads have to do with each other in what is explored from a point.
//!
//! Two threads are tied when an event of one depends on an event of the other. Ties are kept closed: who is tied to a
//! third is tied to each other.

use smallvec::SmallVec;

/// The threads in groups.
#[derive(Clone, Default)]
pub(crate) struct Ties {
    /// For each thread the least one of its group; threads that are not listed are alone.
    least: SmallVec<[u32; 8]>,
    /// Whether all threads are one group.
    all: bool,
}

impl Ties {
    fn group(&self, thread: u32) -> u32 {
        self.least.get(thread as usize).copied().unwrap_or(thread)
    }

    /// Ties two threads, and so their groups.
    pub fn tie(&mut self, a: u32, b: u32) {
        let (least, other) = (self.group(a).min(self.group(b)), self.group(a).max(self.group(b)));
        if least == other {
            return;
        }
        let listed = self.least.len() as u32;
        self.least.extend(listed..=a.max(b).max(other));
        self.least.iter_mut().filter(|group| **group == other).for_each(|group| *group = least);
    }

    /// Ties all threads.
    pub fn tie_all(&mut self) {
        self.all = true;
    }

    /// Ties what others tie.
    pub fn tie_as(&mut self, others: &Ties) {
        self.all |= others.all;
        for (thread, &group) in others.least.iter().enumerate() {
            self.tie(thread as u32, group);
        }
    }

    /// Whether two threads are in one group.
    pub fn are_tied(&self, a: u32, b: u32) -> bool {
        self.all || self.group(a) == self.group(b)
    }
}

#[cfg(test)]
mod tests {
    use super::Ties;

    #[test]
    fn who_is_tied_to_a_third_is_tied_to_each_other() {
        let mut ties = Ties::default();
        ties.tie(4, 2);
        ties.tie(1, 0);
        assert!(ties.are_tied(2, 4) && !ties.are_tied(0, 2) && !ties.are_tied(3, 9) && ties.are_tied(9, 9));
        let mut more = Ties::default();
        more.tie(4, 0);
        ties.tie_as(&more);
        assert!(ties.are_tied(1, 2) && !ties.are_tied(3, 1));
        ties.tie_all();
        assert!(ties.are_tied(3, 9));
    }
}
