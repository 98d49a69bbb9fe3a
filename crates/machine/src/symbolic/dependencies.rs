//! Sets of events of one thread that a value, an address or a branch depends on.
//!
//! Few different sets occur, and each occurs often, so a set is a number in a table. The table only grows while a
//! thread is fetched, and is cut back when it goes back.
//!
//! A word that is put together of others, as a structure that is passed by value, has a set that also knows which of
//! its bytes depend on what. Whoever does not ask for the bytes has all that the word depends on.

use raddle_event::DepsId;
use smallvec::SmallVec;

/// What each byte of a word depends on; none of these knows bytes.
pub(crate) type ByBytes = [DepsId; 8];

/// Events by their number in the thread, in rising order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    events: SmallVec<[u32; 4]>,
    /// For a set that knows bytes what each depends on, and the same set without that.
    bytes: Option<Box<(ByBytes, DepsId)>>,
}

/// The sets of one thread, but for the empty one.
#[derive(Default)]
pub(crate) struct Dependencies {
    sets: Vec<Set>,
}

impl Dependencies {
    pub fn get(&self, id: DepsId) -> &[u32] {
        self.set(id).map_or(&[], |set| &set.events)
    }

    fn set(&self, id: DepsId) -> Option<&Set> {
        id.0.checked_sub(1).map(|n| &self.sets[n as usize])
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn truncate(&mut self, len: usize) {
        self.sets.truncate(len);
    }

    /// The sets from `len` on.
    pub fn since(&self, len: usize) -> Vec<Set> {
        self.sets[len..].to_vec()
    }

    /// Adds sets that are not looked for among the others.
    pub fn extend(&mut self, sets: &[Set]) {
        self.sets.extend_from_slice(sets);
    }

    /// The set of one event.
    pub fn one(&mut self, event: u32) -> DepsId {
        self.add(Set { events: SmallVec::from_slice(&[event]), bytes: None })
    }

    /// Adds a set, unless it was added last.
    fn add(&mut self, set: Set) -> DepsId {
        if self.sets.last() != Some(&set) {
            self.sets.push(set);
        }
        DepsId(self.sets.len() as u32)
    }

    /// The same events, without what single bytes depend on.
    pub fn whole(&self, id: DepsId) -> DepsId {
        self.set(id).and_then(|set| set.bytes.as_ref()).map_or(id, |bytes| bytes.1)
    }

    /// What each byte depends on.
    pub fn bytes(&self, id: DepsId) -> ByBytes {
        self.set(id).and_then(|set| set.bytes.as_ref()).map_or([id; 8], |bytes| bytes.0)
    }

    /// Whether the bytes depend on different events.
    pub fn has_bytes(&self, id: DepsId) -> bool {
        self.whole(id) != id
    }

    /// The set of a word whose bytes depend on these.
    pub fn of_bytes(&mut self, bytes: ByBytes) -> DepsId {
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            return bytes[0];
        }
        let whole = bytes.iter().fold(DepsId::NONE, |all, byte| self.union(all, *byte));
        let events = SmallVec::from_slice(self.get(whole));
        self.add(Set { events, bytes: Some(Box::new((bytes, whole))) })
    }

    /// What a word depends on that has in each byte something of both.
    pub fn union_by_bytes(&mut self, a: DepsId, b: DepsId) -> DepsId {
        let (a, b) = (self.bytes(a), self.bytes(b));
        let bytes = std::array::from_fn(|n| self.union(a[n], b[n]));
        self.of_bytes(bytes)
    }

    /// What a word depends on whose bytes are some of another word, moved.
    pub fn moved(&mut self, id: DepsId, from: usize, at: usize, bytes: usize) -> DepsId {
        let (old, mut new) = (self.bytes(id), [DepsId::NONE; 8]);
        new[at..at + bytes].copy_from_slice(&old[from..from + bytes]);
        self.of_bytes(new)
    }

    /// What a word depends on of which only the bytes that are ones in a mask are kept.
    pub fn masked(&mut self, id: DepsId, mask: u64) -> DepsId {
        let (old, mask) = (self.bytes(id), mask.to_le_bytes());
        self.of_bytes(std::array::from_fn(|n| if mask[n] == 0 { DepsId::NONE } else { old[n] }))
    }

    /// The union of two sets. What single bytes depend on is not kept.
    pub fn union(&mut self, a: DepsId, b: DepsId) -> DepsId {
        let (a, b) = (self.whole(a), self.whole(b));
        if a == b || b.is_none() {
            return a;
        }
        if a.is_none() {
            return b;
        }
        let (x, y) = (self.get(a), self.get(b));
        let mut both: SmallVec<[u32; 4]> = SmallVec::from_slice(x);
        both.extend(y.iter().filter(|event| x.binary_search(event).is_err()).copied());
        if both.len() == x.len() {
            return a;
        }
        if both.len() == y.len() {
            return b;
        }
        both.sort_unstable();
        self.add(Set { events: both, bytes: None })
    }
}
