//! A strict partial order of the accesses of a graph, kept closed under transitivity.

use std::ops::BitOr;

/// The number of an access in its graph, in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AccessId(pub u8);

impl AccessId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(u64);

impl Set {
    /// The most accesses that a graph can have.
    pub const MOST: usize = u64::BITS as usize;

    /// The set with one access more.
    pub fn with(self, access: AccessId) -> Set {
        Set(self.0 | 1 << access.0)
    }

    /// Whether the access is one of them.
    pub fn contains(self, access: AccessId) -> bool {
        self.0 >> access.0 & 1 == 1
    }

    /// The accesses, in the order in which they were added.
    pub fn iter(self) -> impl Iterator<Item = AccessId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = (left != 0).then(|| AccessId(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(first)
        })
    }
}

impl BitOr for Set {
    type Output = Set;
    fn bitor(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }
}

/// Which accesses come before which.
#[derive(Clone, Debug, Default)]
pub(super) struct PartialOrder {
    /// For each access those before it, and those after it.
    sides: Vec<(Set, Set)>,
}

impl PartialOrder {
    /// One access more, after these and all that come before them.
    pub fn add(&mut self, after: Set) -> AccessId {
        let new = AccessId(self.sides.len() as u8);
        let before = after.iter().fold(after, |all, access| all | self.sides[access.index()].0);
        before.iter().for_each(|access| self.sides[access.index()].1 = self.sides[access.index()].1.with(new));
        self.sides.push((before, Set::default()));
        new
    }

    /// Whether the first is before the second.
    pub fn is_before(&self, a: AccessId, b: AccessId) -> bool {
        self.sides[a.index()].1.contains(b)
    }

    /// Puts the first before the second. Tells whether that is possible.
    #[must_use]
    pub fn put(&mut self, a: AccessId, b: AccessId) -> bool {
        if a == b || self.is_before(b, a) {
            return false;
        }
        if !self.is_before(a, b) {
            let (before, after) = (self.sides[a.index()].0.with(a), self.sides[b.index()].1.with(b));
            before.iter().for_each(|access| self.sides[access.index()].1 = self.sides[access.index()].1 | after);
            after.iter().for_each(|access| self.sides[access.index()].0 = self.sides[access.index()].0 | before);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_refused_also_through_others() {
        let mut order = PartialOrder::default();
        let [a, b, c, d] = [(); 4].map(|()| order.add(Set::default()));
        assert!(order.put(a, b) && order.put(c, d) && order.put(b, c));
        assert!(order.is_before(a, d) && !order.is_before(d, a));
        assert!(!order.put(d, a) && !order.put(b, b));
        let e = order.add(Set::default().with(c));
        assert!(order.is_before(a, e) && !order.is_before(d, e));
    }
}
