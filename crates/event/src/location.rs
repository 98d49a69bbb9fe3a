//! Locations: byte ranges that the program accesses, with a number for each.
//!
//! Two accesses conflict when their ranges overlap and one of them writes (SEMANTICS of Raddle: a location is a
//! byte range). Ranges are numbered when they are first seen, for all executions of an exploration, together
//! with the numbers of the ranges that they overlap, so that explorers and models compare small numbers.

use crate::Address;
use crate::address::{SMALL_SHIFT, numbers};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;

/// A range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Range {
    /// The first byte.
    pub start: Address,
    /// How many bytes.
    pub size: u32,
}

impl Range {
    /// The first byte after the range.
    pub fn end(self) -> u64 {
        self.start.0 + self.size as u64
    }

    /// Whether the two ranges have a byte in common.
    pub fn overlaps(self, other: Range) -> bool {
        self.start.0 < other.end() && other.start.0 < self.end()
    }

    /// Whether every byte of `other` is in this range.
    pub fn covers(self, other: Range) -> bool {
        self.start.0 <= other.start.0 && other.end() <= self.end()
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.start, self.size)
    }
}

/// The number of a byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LocationId(pub u32);

impl LocationId {
    /// The number as an index into a table by location.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All ranges seen so far. It only grows; rewinding an execution does not touch it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Range>", into = "Vec<Range>")]
pub struct Locations {
    ranges: Vec<Range>,
    numbers: FxHashMap<Range, LocationId>,
    /// The ranges in each page of addresses (the room of a small object), to find overlaps without looking at all.
    by_page: FxHashMap<u64, Vec<LocationId>>,
    /// For each location the others that overlap it.
    overlaps: Vec<SmallVec<[LocationId; 2]>>,
}

/// The page of an address.
fn page(address: Address) -> u64 {
    numbers(address) >> SMALL_SHIFT
}

impl From<Vec<Range>> for Locations {
    fn from(ranges: Vec<Range>) -> Locations {
        let mut locations = Locations::default();
        for range in ranges {
            locations.number(range);
        }
        locations
    }
}

impl From<Locations> for Vec<Range> {
    fn from(locations: Locations) -> Self {
        locations.ranges
    }
}

impl Locations {
    /// The number of `range`; a new one when it was not seen before.
    pub fn number(&mut self, range: Range) -> LocationId {
        if let Some(&id) = self.numbers.get(&range) {
            return id;
        }
        let id = LocationId(self.ranges.len() as u32);
        let mut met: SmallVec<[LocationId; 2]> = SmallVec::new();
        for page in pages(range) {
            let here = self.by_page.entry(page).or_default();
            for &other in here.iter() {
                if self.ranges[other.index()].overlaps(range) && !met.contains(&other) {
                    met.push(other);
                }
            }
            here.push(id);
        }
        for other in &met {
            self.overlaps[other.index()].push(id);
        }
        self.ranges.push(range);
        self.numbers.insert(range, id);
        self.overlaps.push(met);
        id
    }

    /// The number of `range`, if it was seen before.
    pub fn find(&self, range: Range) -> Option<LocationId> {
        self.numbers.get(&range).copied()
    }

    /// The bytes of a location.
    pub fn range(&self, id: LocationId) -> Range {
        self.ranges[id.index()]
    }

    /// The other locations that have a byte in common with this one.
    pub fn overlapping(&self, id: LocationId) -> &[LocationId] {
        &self.overlaps[id.index()]
    }

    /// How many locations have been seen.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether no location has been seen.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

fn pages(range: Range) -> std::ops::RangeInclusive<u64> {
    let last = range.start.0 + range.size.max(1) as u64 - 1;
    page(range.start)..=page(Address(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u64, size: u32) -> Range {
        Range { start: Address(start), size }
    }

    #[test]
    fn overlaps_are_found_both_ways() {
        let mut all = Locations::default();
        let word = all.number(range(256, 4));
        let half = all.number(range(258, 2));
        let next = all.number(range(260, 4));
        let whole = all.number(range(0, 1024));
        assert_eq!(all.number(range(258, 2)), half);
        assert_eq!(all.overlapping(half), [word, whole]);
        assert_eq!(all.overlapping(word), [half, whole]);
        assert_eq!(all.overlapping(next), [whole]);
        assert_eq!(all.overlapping(whole), [word, half, next]);
    }
}
