//! What lies over private memory: which bytes belong to values that depend on events, or are not known yet.
//!
//! A store to private memory is no event, so what it stores must keep its dependencies there. An entry covers some
//! bytes and says which bytes of which value they are. Bytes without an entry depend on nothing. Entries never overlap.

use super::{NodeId, Tag};
use crate::bytes::Bytes;
use crate::store::Spot;
use raddle_event::DepsId;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// What lies over a few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    pub size: u8,
    pub tag: Tag,
    /// The first byte of the value that lies here.
    pub from: u8,
}

/// A cover and where it begins, counted from the start of what was asked for; negative where it begins before.
pub(crate) type Found = (isize, Cover);

/// All covers of a thread's private memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shadow {
    covers: BTreeMap<(u8, usize), Cover>,
}

impl Shadow {
    pub fn is_empty(&self) -> bool {
        self.covers.is_empty()
    }

    /// The covers that overlap `size` bytes.
    pub fn over(&self, spot: Spot, size: usize) -> SmallVec<[Found; 2]> {
        let (region, at) = spot.key();
        // No cover is longer than a word.
        let near = self.covers.range((region, at.saturating_sub(8))..(region, at + size));
        let near = near.map(|(key, cover)| (key.1, *cover)).filter(|(begins, cover)| begins + cover.size as usize > at);
        near.map(|(begins, cover)| (begins as isize - at as isize, cover)).collect()
    }

    /// Takes away what covers `size` bytes; what goes beyond them stays.
    pub fn clear(&mut self, spot: Spot, size: usize) {
        let (region, at) = spot.key();
        for (begins, cover) in self.over(spot, size) {
            let start = (at as isize + begins) as usize;
            self.covers.remove(&(region, start));
            if start < at {
                self.covers.insert((region, start), Cover { size: (at - start) as u8, ..cover });
            }
            let (end, after) = (start + cover.size as usize, at + size);
            if end > after {
                let gone = (after - start) as u8;
                self.covers.insert((region, after), Cover { size: (end - after) as u8, from: cover.from + gone, ..cover });
            }
        }
    }

    /// Covers bytes by the first `size` bytes of a value.
    pub fn put(&mut self, spot: Spot, size: usize, tag: Tag) {
        self.clear(spot, size);
        if tag != Tag::Plain {
            self.covers.insert(spot.key(), Cover { size: size as u8, tag, from: 0 });
        }
    }

    /// What covers bytes is known by now, and depends on these events.
    pub fn settle(&mut self, spot: Spot, cover: Cover, deps: DepsId) {
        self.covers.insert(spot.key(), Cover { tag: Tag::From(deps), ..cover });
    }

    /// Covers any number of bytes by values that depend on the same.
    pub fn put_long(&mut self, spot: Spot, size: usize, tag: Tag) {
        for offset in (0..size).step_by(8) {
            self.put(spot.after(offset), 8.min(size - offset), tag);
        }
    }

    /// The bytes whose values were not known when they were put there: where they are, how many, and which bytes of
    /// which value.
    pub fn unknown(&self) -> impl Iterator<Item = (Spot, usize, NodeId, u8)> + '_ {
        self.covers.iter().filter_map(|(&(region, at), cover)| match cover.tag {
            Tag::Node(node) => Some((Spot::of_key((region, at)), cover.size as usize, node, cover.from)),
            _ => None,
        })
    }

    /// Covers bytes as others are covered.
    pub fn copy(&mut self, from: Spot, to: Spot, size: usize) {
        let covers = self.over(from, size);
        self.clear(to, size);
        let (region, at) = to.key();
        for (begins, cover) in covers {
            let skipped = (-begins).max(0);
            let start = begins + skipped;
            let bytes = (cover.size as isize - skipped).min(size as isize - start);
            let part = Cover { size: bytes as u8, from: cover.from + skipped as u8, ..cover };
            self.covers.insert((region, at + start as usize), part);
        }
    }

    /// Forgets what lies over bytes of a region that are gone: those behind the ends, of what is near and of what is
    /// far away.
    pub fn cut(&mut self, region: u8, [near, far]: [usize; 2]) {
        let ranges = [(region, near)..(region, Bytes::FAR), (region, far)..(region, usize::MAX)];
        let gone = ranges.into_iter().flat_map(|range| self.covers.range(range).map(|(&at, _)| at));
        let gone: SmallVec<[(u8, usize); 4]> = gone.collect();
        for at in gone {
            self.covers.remove(&at);
        }
    }
}
