//! Data races by the definition: two accesses to a byte by different threads, one a write and one not atomic, that
//! happens-before does not order.
//!
//! Happens-before is the closure of program order, spawns, joins and *synchronises-with*: from a release, or a release
//! fence before a write that is atomic, to an acquire that reads from it, or an acquire fence after a read that is
//! atomic. Who reads from a read-modify-write reads from what that one read from too (the release sequence of C++20).
//! Under RC11 who reads from a store also reads from the earlier ones of the same thread to the same bytes (that of
//! C11).

use crate::record::{Access, Event, Record, What};
use raddle_event::{Fence, Free, Range, ThreadId};
use raddle_machine::Moment;
use std::collections::BTreeMap;

/// A set of events, by their numbers.
type Set = Vec<u64>;

fn has(set: &Set, n: usize) -> bool {
    set[n / 64] >> (n % 64) & 1 == 1
}

/// Whether what comes before a fence happens before what others read behind it.
pub(crate) fn is_release(fence: Fence) -> bool {
    match fence {
        Fence::Release | Fence::AcqRel | Fence::SeqCst => true,
        Fence::Mfence | Fence::Sfence | Fence::Sync | Fence::Lwsync | Fence::Eieio | Fence::Dmb | Fence::DmbSt => true,
        Fence::Compiler | Fence::Acquire | Fence::Lfence | Fence::Isync | Fence::DmbLd | Fence::Isb => false,
    }
}

/// Whether what was read before a fence synchronises with what comes behind it.
pub(crate) fn is_acquire(fence: Fence) -> bool {
    match fence {
        Fence::Acquire | Fence::AcqRel | Fence::SeqCst => true,
        Fence::Mfence | Fence::Lfence | Fence::Sync | Fence::Lwsync | Fence::Dmb | Fence::DmbLd => true,
        Fence::Compiler | Fence::Release | Fence::Sfence | Fence::Eieio | Fence::Isync | Fence::DmbSt | Fence::Isb => false,
    }
}

impl Record {
    /// Whether a thread accesses something at a place that races with an access of another thread.
    pub fn has_race(&self, thread: ThreadId, moment: &Moment) -> bool {
        let before = self.happens_before();
        let is_here = |event: &Event| event.thread == thread && event.moment == *moment;
        let here = (0..self.events.len()).filter(|&n| is_here(&self.events[n]));
        here.into_iter().any(|n| (0..self.events.len()).any(|other| self.is_race(&before, n.min(other), n.max(other))))
    }

    /// Whether any two accesses race.
    pub fn has_any_race(&self) -> bool {
        let before = self.happens_before();
        (0..self.events.len()).any(|second| (0..second).any(|first| self.is_race(&before, first, second)))
    }

    /// Whether two events, given in the order in which they happened, race.
    fn is_race(&self, before: &[Set], first: usize, second: usize) -> bool {
        let (a, b) = (&self.events[first], &self.events[second]);
        let (Some((at, writes, atomic)), Some((other_at, other_writes, other_atomic))) = (touched(&a.what), touched(&b.what)) else {
            return false;
        };
        let is_new = |event: &Event| match event.what {
            What::Begin(range) | What::Free(range, Free::Return, _) => range.overlaps(at) && range.overlaps(other_at),
            _ => false,
        };
        a.thread != b.thread
            && at.overlaps(other_at)
            && (writes || other_writes)
            && !(atomic && other_atomic)
            && !has(&before[second], first)
            && !self.events[first..second].iter().any(is_new)
    }

    /// For each event those that happen before it.
    fn happens_before(&self) -> Vec<Set> {
        let n_words = self.events.len().div_ceil(64);
        let mut before: Vec<Set> = Vec::with_capacity(self.events.len());
        let mut last: BTreeMap<ThreadId, usize> = BTreeMap::new();
        let stores = self.stores();
        for (n, event) in self.events.iter().enumerate() {
            let mut from: Vec<usize> = last.get(&event.thread).copied().into_iter().collect();
            match &event.what {
                What::Join(thread) => from.extend(last.get(thread)),
                What::Access(access) if access.reads.is_acquire() => from.extend(self.released(&stores, access)),
                What::Fence(fence) if is_acquire(*fence) => {
                    let earlier = self.events[..n].iter().filter(|other| other.thread == event.thread);
                    let reads = earlier.filter_map(|other| if let What::Access(access) = &other.what { Some(access) } else { None });
                    from.extend(reads.filter(|read| read.reads.is_atomic()).flat_map(|read| self.released(&stores, read)));
                }
                _ => {}
            }
            let mut set = vec![0; n_words];
            for earlier in from {
                set.iter_mut().zip(&before[earlier]).for_each(|(word, other)| *word |= other);
                set[earlier / 64] |= 1 << (earlier % 64);
            }
            before.push(set);
            last.insert(event.thread, n);
            if let What::Spawn(child) = event.what {
                last.insert(child, n);
            }
        }
        before
    }

    /// The earlier releases of the same bytes by the thread of a store, where they head release sequences that it is
    /// in.
    fn earlier_releases(&self, store: usize) -> Vec<usize> {
        let (thread, here) = (self.events[store].thread, touched(&self.events[store].what));
        let is_release = |n: &usize| match &self.events[*n].what {
            What::Access(Access { range, writes: Some((order, _)), .. }) => {
                self.events[*n].thread == thread && here.is_some_and(|here| here.0 == *range) && order.is_release()
            }
            _ => false,
        };
        (0..store).filter(|_| self.by_thread).filter(is_release).collect()
    }

    /// The releases that whoever acquires by a read synchronises with.
    fn released(&self, stores: &BTreeMap<(ThreadId, u32), usize>, read: &Access) -> Vec<usize> {
        let mut found = Vec::new();
        let mut heads: Vec<usize> = read.from.iter().flatten().filter_map(|store| stores.get(store).copied()).collect();
        let mut seen = Vec::new();
        while let Some(head) = heads.pop() {
            if seen.contains(&head) {
                continue;
            }
            seen.push(head);
            let What::Access(Access { from, writes: Some((order, _)), .. }) = &self.events[head].what else { continue };
            heads.extend(from.iter().flatten().filter_map(|store| stores.get(store).copied()));
            match order {
                order if order.is_release() => found.push(head),
                order if order.is_atomic() => {
                    found.extend(self.earlier_releases(head));
                    let is_fence = |n: &usize| matches!(self.events[*n].what, What::Fence(fence) if is_release(fence));
                    found.extend((0..head).filter(|&n| self.events[n].thread == self.events[head].thread).rfind(is_fence));
                }
                _ => {}
            }
        }
        found
    }
}

/// The bytes that are touched, whether they are written, and whether the access is atomic.
fn touched(what: &What) -> Option<(Range, bool, bool)> {
    match what {
        What::Access(Access { range, reads, writes, .. }) => {
            let order = writes.map_or(*reads, |(order, _)| order);
            Some((*range, writes.is_some(), order.is_atomic()))
        }
        What::Free(range, Free::Heap, _) => Some((*range, true, false)),
        _ => None,
    }
}
