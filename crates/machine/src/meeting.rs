//! Where threads meet in bytes that one of them copies or fills at once.
//!
//! A copy or fill is no single access: another thread may come in between. Short ones are always words. A long one is a single event only as long as no
//! other thread is seen to access its bytes, in any execution, with one of the two writing. When one does, it is cut into words where the two
//! overlap, and the exploration starts over. Nothing between the words of a copy orders anything, so an event of bytes that nobody else
//! accesses stands for its words. What is cut around a short access is a window, so that an array that is walked through does not cost
//! a new start for each element.

use crate::sharing::Sites;
use raddle_event::{LocationId, Locations, Range, ThreadId};

/// The size of a word.
pub const WORD: u64 = 8;

/// The most bytes that are always accessed word by word.
pub const SHORT: u64 = 1024;

/// The most bytes of a long copy that are cut into words because another long one meets it.
const MOST: u64 = 1 << 14;

/// The least window that is cut around a short access, and the most of them in a long one.
const WINDOW: u64 = 1024;
const WINDOWS: u64 = 32;

/// Who has accessed a location, in any execution.
#[derive(Clone, Copy, Default)]
struct Users {
    first: Option<ThreadId>,
    is_shared: bool,
    is_written: bool,
}

impl Users {
    /// Whether two threads are among the users of both, with one write.
    fn meet(self, other: Users) -> bool {
        let several = self.is_shared || other.is_shared || self.first != other.first;
        several && self.first.is_some() && other.first.is_some() && (self.is_written || other.is_written)
    }
}

/// The users of all locations, and which of these are long.
#[derive(Default)]
pub struct Meetings {
    users: Vec<Users>,
    has_long: bool,
}

impl Meetings {
    /// A thread is about to access a location. Cuts what is long and met; the error is how many bytes would have to be cut that are too many.
    #[inline]
    pub fn note(&mut self, at: LocationId, thread: ThreadId, writes: bool, locations: &Locations, sites: &mut Sites) -> Result<(), u64> {
        if self.users.len() <= at.index() {
            self.users.resize(locations.len(), Users::default());
        }
        let users = &mut self.users[at.index()];
        let is_known = users.is_shared || users.first == Some(thread);
        if is_known && (users.is_written || !writes) {
            return Ok(());
        }
        users.is_shared |= users.first.is_some_and(|first| first != thread);
        users.first = users.first.or(Some(thread));
        users.is_written |= writes;
        self.has_long |= is_long(locations.range(at));
        if self.has_long { self.cut(at, locations, sites) } else { Ok(()) }
    }

    #[cold]
    fn cut(&self, at: LocationId, locations: &Locations, sites: &mut Sites) -> Result<(), u64> {
        let range = locations.range(at);
        for &other in locations.overlapping(at).iter().chain([&at]) {
            let with = locations.range(other);
            let users = self.users.get(other.index()).copied().unwrap_or_default();
            if (is_long(range) || is_long(with)) && self.users[at.index()].meet(users) {
                cut_words(range, with, sites)?;
            }
        }
        Ok(())
    }
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

    /// Notes accesses (thread, start, size, writes) and compares the cuts.
    #[track_caller]
    fn check(accesses: &[(u32, u64, u32, bool)], cuts: &[u64]) {
        let (mut meetings, mut locations, mut sites) = (Meetings::default(), Locations::default(), Sites::default());
        for &(thread, start, size, writes) in accesses {
            let at = locations.number(Range { start: Address(start), size });
            meetings.note(at, ThreadId(thread), writes, &locations, &mut sites).unwrap();
        }
        assert_eq!(sites.cuts().collect::<Vec<_>>(), cuts);
    }

    #[test]
    fn long_accesses_are_cut_where_others_meet_them() {
        let words: Vec<u64> = (0..=128).map(|n| 8 * n).collect();
        check(&[(0, 0, 4096, true), (1, 100, 4, false)], &words);
        check(&[(1, 100, 4, true), (0, 0, 4096, false)], &words);
        check(&[(0, 1000, 4096, true), (1, 1016, 4, true)], &[1000, 1008, 1016, 1024]);
        check(&[(0, 0, 4096, true), (1, 4080, 4096, true)], &[4080, 4088, 4096]);
        check(&[(0, 0, 24, true), (1, 0, 24, false)], &[0, 8, 16, 24]);
    }

    #[test]
    fn one_thread_or_no_write_is_no_meeting() {
        check(&[(0, 0, 4096, true), (0, 100, 4, true)], &[]);
        check(&[(0, 0, 4096, false), (1, 0, 4096, false), (1, 8, 4, false)], &[]);
        check(&[(0, 0, 4096, true), (1, 4096, 4096, true)], &[]);
        check(&[(0, 0, 8, true), (1, 4, 8, true)], &[]);
    }
}
