//! Reads of parts of what is written as a whole, where the model wants all accesses to a location to have one size
//! (docs/decisions/0012-cut-copies.md).
//!
//! An atomic access is not cut. Where all writes are of the whole, a read of a part is a read of the whole of which the
//! rest is not looked at: it reads from the same writes, and is overwritten by the same. What differs is that reads of
//! two *different* parts are now reads of one location, which coherence orders as they come in their thread. That
//! forbids nothing new
//! - where reads of a thread are in order anyway, or
//! - where reading from a write means that it happens before the read: all that follows in the thread may then not read
//!   what is older, in any part. So it is of a plain read, where races are faults, and of an acquire that reads from a
//!   release. Where reads of parts are sequentially consistent, so must the writes be: what their order (psc) takes
//!   from two accesses of one location then leads through the write between them.
//!
//! Whatever else there is on the bytes stays an access of another size, which is refused.

use raddle_event::{Order, PartReads, Range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is written as a whole and read in parts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Wholes {
    ranges: BTreeMap<Range, PartReads>,
    /// Where reads of parts acquire, and all atomic writes must release: whether both must be sequentially consistent.
    demands: BTreeMap<Range, bool>,
}

impl Wholes {
    /// Says that a range is written as a whole. Tells whether that is new.
    pub fn add(&mut self, range: Range, reads: PartReads) -> bool {
        self.ranges.insert(range, reads) != Some(reads)
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The whole of which a read of some order reads a part.
    pub fn around(&self, part: Range, order: Order) -> Option<Range> {
        let covers = |whole: &Range| whole.covers(part) && *whole != part;
        let (&whole, &reads) = self.ranges.iter().filter(|(whole, _)| covers(whole)).max_by_key(|(whole, _)| whole.size)?;
        (reads == PartReads::All || !order.is_atomic() || order.is_acquire()).then_some(whole)
    }

    /// The whole that begins where a copy or fill of so many bytes goes on, where one access may stand for its pieces.
    pub fn beginning(&self, rest: Range) -> Option<Range> {
        let is_whole = |(whole, reads): &(&Range, &PartReads)| **reads == PartReads::Ordered && rest.covers(**whole);
        self.ranges.iter().filter(|(whole, _)| whole.start == rest.start).filter(is_whole).map(|(whole, _)| *whole).next_back()
    }

    /// A part of a whole is read. Tells whether that demands more of writes than was known.
    pub fn demand(&mut self, whole: Range, order: Order) -> bool {
        let known = self.demands.get(&whole).copied();
        let is_known = known.is_some_and(|seq_cst| seq_cst || order != Order::SeqCst);
        if !order.is_atomic() || self.ranges.get(&whole) == Some(&PartReads::All) || is_known {
            return false;
        }
        self.demands.insert(whole, order == Order::SeqCst);
        true
    }

    /// Whether a write is as strong as reads of parts demand.
    pub fn allows(&self, whole: Range, order: Order) -> bool {
        !order.is_atomic()
            || self.demands.get(&whole).is_none_or(|&seq_cst| if seq_cst { order == Order::SeqCst } else { order.is_release() })
    }

    /// All of them, with how weak reads of parts may be.
    pub fn all(&self) -> impl Iterator<Item = (Range, PartReads)> + '_ {
        self.ranges.iter().map(|(&range, &reads)| (range, reads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_event::Address;

    fn range(start: u64, size: u32) -> Range {
        Range { start: Address(start), size }
    }

    #[test]
    fn relaxed_reads_of_parts_are_none_of_the_whole() {
        let mut wholes = Wholes::default();
        assert!(wholes.add(range(16, 8), PartReads::Ordered) && !wholes.add(range(16, 8), PartReads::Ordered));
        assert_eq!(wholes.around(range(20, 4), Order::Acquire), Some(range(16, 8)));
        assert_eq!(wholes.around(range(20, 4), Order::Plain), Some(range(16, 8)));
        assert_eq!(wholes.around(range(20, 4), Order::Relaxed), None);
        assert_eq!(wholes.around(range(16, 8), Order::Acquire), None, "the whole is no part");
        assert_eq!(wholes.around(range(20, 8), Order::Acquire), None, "it goes beyond");
        wholes.add(range(16, 8), PartReads::All);
        assert_eq!(wholes.around(range(20, 4), Order::Relaxed), Some(range(16, 8)));
    }

    #[test]
    fn writes_must_be_as_strong_as_reads_of_parts() {
        let mut wholes = Wholes::default();
        let whole = range(16, 8);
        wholes.add(whole, PartReads::Ordered);
        assert!(!wholes.demand(whole, Order::Plain) && wholes.allows(whole, Order::Relaxed));
        assert!(wholes.demand(whole, Order::Acquire) && !wholes.demand(whole, Order::Acquire));
        assert!(!wholes.allows(whole, Order::Relaxed) && wholes.allows(whole, Order::AcqRel) && wholes.allows(whole, Order::Plain));
        assert!(wholes.demand(whole, Order::SeqCst) && !wholes.demand(whole, Order::Acquire));
        assert!(!wholes.allows(whole, Order::AcqRel) && wholes.allows(whole, Order::SeqCst));
    }

    #[test]
    fn copies_take_a_whole_at_once_where_races_are_faults() {
        let mut wholes = Wholes::default();
        wholes.add(range(16, 16), PartReads::Ordered);
        wholes.add(range(48, 16), PartReads::All);
        assert_eq!(wholes.beginning(range(16, 24)), Some(range(16, 16)));
        assert_eq!(wholes.beginning(range(16, 8)), None);
        assert_eq!(wholes.beginning(range(48, 16)), None);
    }
}
