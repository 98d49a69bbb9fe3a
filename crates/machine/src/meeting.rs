//! Where threads meet in bytes that one of them copies or fills at once.
//!
//! A copy or fill is no single access: another thread may come in between. Short ones are always words. A word of one
//! is cut further where the access of another thread is seen to begin or end inside it, in any execution, with one of
//! the two writing; then the exploration starts over. A long one is a single event as long as no other thread is seen
//! to access its bytes, with one of the two writing. When one does, it is cut into words where the two overlap. Nothing
//! between the words of a copy orders anything, so an event of bytes that nobody else accesses stands for its words.
//! Where two copies meet, the words are also cut where members of what lies there begin, as far as its type is known:
//! see [`crate::World`]. What is cut around a short access in a long one is a window, so that an array that is walked
//! through does not cost a new start for each element.

use crate::sharing::Sites;
use raddle_event::{LocationId, Locations, Range, ThreadId};
use serde::{Deserialize, Serialize};

/// The size of a word.
pub const WORD: u64 = 8;

/// The size of a half of a word: where types are not known, copies of few bytes that meet are cut into such.
pub(crate) const HALF: u64 = 4;

/// The most bytes that are always accessed word by word.
pub const SHORT: u64 = 1024;

/// The most bytes of a long copy that are cut into words because another long one meets it.
const MOST: u64 = 1 << 14;

/// The least window that is cut around a short access, and the most of them in a long one.
const WINDOW: u64 = 1024;
const WINDOWS: u64 = 32;

/// How a location is accessed.
#[derive(Clone, Copy)]
pub struct AccessKind {
    pub writes: bool,
    /// Whether it is a piece of a copy or fill, which may be cut further.
    pub is_bulk: bool,
    /// Whether that is one of few bytes, as of a structure.
    pub is_few: bool,
}

impl AccessKind {
    /// A copy or fill of at most so many bytes is one of few.
    const FEW: u64 = 64;

    /// An access that is no piece of a copy or fill.
    pub fn whole(writes: bool) -> AccessKind {
        AccessKind { writes, is_bulk: false, is_few: false }
    }

    /// A piece of a copy or fill of so many bytes.
    pub fn piece_of(length: u64, writes: bool) -> AccessKind {
        AccessKind { writes, is_bulk: true, is_few: length <= AccessKind::FEW }
    }
}

/// Who has accessed a location, in any execution.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Users {
    first: Option<ThreadId>,
    is_shared: bool,
    is_written: bool,
    is_bulk: bool,
    is_few: bool,
}

/// Bytes in which copies and fills of two threads have met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    pub range: Range,
    /// Whether one of them is of few bytes.
    pub is_few: bool,
}

impl Users {
    /// Whether two threads are among the users of both, with one write.
    fn meet(self, other: Users) -> bool {
        let several = self.is_shared || other.is_shared || self.first != other.first;
        several && self.first.is_some() && other.first.is_some() && (self.is_written || other.is_written)
    }

    /// Adds those of another machine.
    fn absorb(&mut self, other: Users) {
        self.is_shared |= other.is_shared || (self.first.is_some() && other.first.is_some() && self.first != other.first);
        self.first = self.first.or(other.first);
        self.is_written |= other.is_written;
        self.is_bulk |= other.is_bulk;
        self.is_few |= other.is_few;
    }

    /// Adds an access; tells whether that is new.
    #[inline]
    fn add(&mut self, thread: ThreadId, access: AccessKind) -> bool {
        let is_known = self.is_shared || self.first == Some(thread);
        let AccessKind { writes, is_bulk, is_few } = access;
        if is_known && (self.is_written || !writes) && (self.is_bulk || !is_bulk) && (self.is_few || !is_few) {
            return false;
        }
        self.is_shared |= self.first.is_some_and(|first| first != thread);
        self.first = self.first.or(Some(thread));
        self.is_written |= writes;
        self.is_bulk |= is_bulk;
        self.is_few |= is_few;
        true
    }
}

/// The users of all locations, and whether there are copies and fills among their accesses.
#[derive(Default)]
pub struct Meetings {
    users: Vec<Users>,
    has_bulk: bool,
    /// Where copies and fills of two threads have met, as far as that was not asked for yet.
    met: Vec<Met>,
}

impl Meetings {
    /// Where copies and fills of two threads have met since the last time.
    #[inline]
    pub(crate) fn take_met(&mut self) -> Vec<Met> {
        std::mem::take(&mut self.met)
    }

    /// The users of all locations, by number, as far as there are some.
    pub(crate) fn users(&self) -> &[Users] {
        &self.users
    }

    /// Another machine has seen these users of a location. As [`Meetings::note`].
    pub(crate) fn absorb(&mut self, at: LocationId, users: Users, locations: &Locations, sites: &mut Sites) -> Result<(), u64> {
        if self.users.len() <= at.index() {
            self.users.resize(locations.len(), Users::default());
        }
        self.users[at.index()].absorb(users);
        self.has_bulk |= users.is_bulk;
        if self.has_bulk { self.cut(at, locations, sites) } else { Ok(()) }
    }

    /// A thread is about to access a location. Cuts what is copied or filled and met; the error is how many bytes would
    /// have to be cut that are too many.
    #[inline]
    pub fn note(
        &mut self,
        at: LocationId,
        thread: ThreadId,
        access: AccessKind,
        locations: &Locations,
        sites: &mut Sites,
    ) -> Result<(), u64> {
        if self.users.len() <= at.index() {
            self.users.resize(locations.len(), Users::default());
        }
        if !self.users[at.index()].add(thread, access) {
            return Ok(());
        }
        self.has_bulk |= access.is_bulk;
        if self.has_bulk { self.cut(at, locations, sites) } else { Ok(()) }
    }

    #[cold]
    fn cut(&mut self, at: LocationId, locations: &Locations, sites: &mut Sites) -> Result<(), u64> {
        let range = locations.range(at);
        for &other in locations.overlapping(at).iter().chain([&at]) {
            let with = locations.range(other);
            let (here, there) = (self.users[at.index()], self.users.get(other.index()).copied().unwrap_or_default());
            match here.meet(there) {
                false => {}
                true if is_long(range) || is_long(with) => cut_words(range, with, sites)?,
                true => {
                    cut_inside(range, here, with, sites);
                    cut_inside(with, there, range, sites);
                    if here.is_bulk && there.is_bulk {
                        let start = range.start.max(with.start);
                        let range = Range { start, size: (range.end().min(with.end()) - start.0) as u32 };
                        self.met.push(Met { range, is_few: here.is_few || there.is_few });
                    }
                }
            }
        }
        Ok(())
    }
}

/// Cuts a range, if it is copied or filled, where another one begins or ends inside it.
fn cut_inside(range: Range, users: Users, other: Range, sites: &mut Sites) {
    let inside = |end: &u64| users.is_bulk && range.start.0 < *end && *end < range.end();
    [other.start.0, other.end()].into_iter().filter(inside).for_each(|end| sites.cut(end));
}

fn is_long(range: Range) -> bool {
    range.size as u64 > 2 * WORD
}

/// Cuts two ranges, one of which is long, into words where they overlap.
fn cut_words(a: Range, b: Range, sites: &mut Sites) -> Result<(), u64> {
    let (first, last) = (a.start.max(b.start).0, a.end().min(b.end()));
    let (from, to) = if is_long(a) && is_long(b) { (first, last) } else { window(if is_long(a) { a } else { b }, first, last) };
    if is_long(a) && is_long(b) && to - from > MOST {
        return Err(to - from);
    }
    for word in from / WORD..=to.div_ceil(WORD) {
        sites.cut(word * WORD);
    }
    Ok(())
}

/// The window of a long range around some of its bytes.
fn window(long: Range, first: u64, last: u64) -> (u64, u64) {
    let size = WINDOW.max((long.size as u64 / WINDOWS).next_multiple_of(WORD));
    ((first / size * size).max(long.start.0), last.next_multiple_of(size).min(long.end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_event::Address;

    /// Notes accesses (thread, start, size, and letters: w for a write, b for a copy or fill) and compares the cuts.
    #[track_caller]
    fn check(accesses: &[(u32, u64, u32, &str)], cuts: &[u64]) {
        let (mut meetings, mut locations, mut sites) = (Meetings::default(), Locations::default(), Sites::default());
        for &(thread, start, size, how) in accesses {
            let at = locations.number(Range { start: Address(start), size });
            let writes = how.contains('w');
            let access = if how.contains('b') { AccessKind::piece_of(1000, writes) } else { AccessKind::whole(writes) };
            meetings.note(at, ThreadId(thread), access, &locations, &mut sites).unwrap();
        }
        assert_eq!(sites.cuts().collect::<Vec<_>>(), cuts);
    }

    #[test]
    fn long_accesses_are_cut_where_others_meet_them() {
        let words: Vec<u64> = (0..=128).map(|n| 8 * n).collect();
        check(&[(0, 0, 4096, "wb"), (1, 100, 4, "")], &words);
        check(&[(1, 100, 4, "w"), (0, 0, 4096, "b")], &words);
        check(&[(0, 1000, 4096, "wb"), (1, 1016, 4, "w")], &[1000, 1008, 1016, 1024]);
        check(&[(0, 0, 4096, "wb"), (1, 4080, 4096, "wb")], &[4080, 4088, 4096]);
        check(&[(0, 0, 24, "wb"), (1, 0, 24, "b")], &[0, 8, 16, 24]);
    }

    #[test]
    fn words_of_copies_are_cut_where_others_begin_or_end_inside_them() {
        check(&[(0, 0, 8, "wb"), (1, 0, 1, "")], &[1]);
        check(&[(1, 4, 2, "w"), (0, 0, 8, "b")], &[4, 6]);
        check(&[(0, 0, 8, "wb"), (1, 4, 8, "wb")], &[4, 8]);
        check(&[(0, 0, 8, "wb"), (1, 0, 8, "w")], &[]);
        check(&[(0, 0, 8, "w"), (1, 0, 4, ""), (0, 0, 8, "wb")], &[4]);
        check(&[(0, 0, 8, "wb"), (0, 0, 4, ""), (1, 0, 4, "")], &[4]);
    }

    #[test]
    fn one_thread_or_no_write_is_no_meeting() {
        check(&[(0, 0, 4096, "wb"), (0, 100, 4, "w")], &[]);
        check(&[(0, 0, 4096, "b"), (1, 0, 4096, "b"), (1, 8, 4, "")], &[]);
        check(&[(0, 0, 4096, "wb"), (1, 4096, 4096, "wb")], &[]);
        check(&[(0, 0, 8, "wb"), (0, 4, 4, "w")], &[]);
        check(&[(0, 0, 8, "b"), (1, 4, 4, "")], &[]);
    }

    #[test]
    fn accesses_that_are_no_copies_are_not_cut() {
        check(&[(0, 0, 8, "w"), (1, 4, 8, "w")], &[]);
        check(&[(0, 0, 8, "w"), (1, 4, 4, "wb")], &[]);
    }
}
