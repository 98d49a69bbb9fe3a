//! Whether an execution could have happened under SC, by the definition: program order, reads-from, coherence and
//! from-reads have no cycle.

use crate::record::{Access, Event, Reached, Record, What};
use crate::watch::StoreName;
use raddle_event::ThreadId;
use std::collections::{BTreeMap, BTreeSet};

impl Record {
    /// Whether po ∪ rf ∪ co ∪ fr has a cycle, byte by byte.
    pub fn has_cycle(&self) -> bool {
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); self.events.len()];
        self.add_program_order(&mut edges);
        self.add_communication(&mut edges);
        !is_acyclic(&edges)
    }

    fn add_program_order(&self, edges: &mut [Vec<usize>]) {
        let mut last: BTreeMap<ThreadId, usize> = BTreeMap::new();
        for (n, event) in self.events.iter().enumerate() {
            let joined = if let What::Join(thread) = event.what { last.get(&thread) } else { None };
            let before: Vec<usize> = last.get(&event.thread).into_iter().chain(joined).copied().collect();
            before.into_iter().for_each(|before| edges[before].push(n));
            last.insert(event.thread, n);
            if let What::Spawn(child) = event.what {
                last.insert(child, n);
            }
        }
    }

    /// Reads-from, coherence and from-reads, byte by byte. The end of an object is a store to all that is touched of
    /// it.
    fn add_communication(&self, edges: &mut [Vec<usize>]) {
        let coherence = self.coherence();
        let event_of = self.stores();
        let event = |store: StoreName| store.and_then(|store| event_of.get(&store).copied());
        let mut edge = |from: Option<usize>, to: Option<usize>| {
            if let (Some(from), Some(to)) = (from, to.filter(|&to| from != Some(to))) {
                edges[from].push(to);
            }
        };
        for order in coherence.values() {
            order.windows(2).for_each(|pair| edge(event(pair[0]), event(pair[1])));
        }
        for (n, read) in self.events.iter().enumerate() {
            let What::Access(Access { range, from, .. }) = &read.what else { continue };
            for (byte, source) in (range.start.0..).zip(from) {
                edge(event(*source), Some(n));
                let order = coherence.get(&(byte, self.object(byte, read.n_reached))).map_or(&[][..], |order| order);
                let at = order.iter().position(|store| store == source);
                edge(Some(n), at.and_then(|at| order.get(at + 1)).and_then(|store| event(*store)));
            }
        }
    }

    /// Which of the objects that have been where a byte is, one after the other, is there when so much has reached
    /// memory.
    fn object(&self, byte: u64, n_reached: usize) -> usize {
        let is_new = |reached: &&Reached| matches!(reached, Reached::Begin(range) if (range.start.0..range.end()).contains(&byte));
        self.reached[..n_reached].iter().filter(is_new).count()
    }

    /// For each byte of each object its stores in the order in which they reached memory, behind what is there first.
    fn coherence(&self) -> BTreeMap<(u64, usize), Vec<StoreName>> {
        let range = |event: &Event| if let What::Access(access) = &event.what { Some(access.range) } else { None };
        let touched: BTreeSet<u64> = self.events.iter().filter_map(range).flat_map(|range| range.start.0..range.end()).collect();
        let mut coherence: BTreeMap<(u64, usize), Vec<StoreName>> = BTreeMap::new();
        for (n, reached) in self.reached.iter().enumerate() {
            let Reached::Store(store, range) = reached else { continue };
            for &byte in touched.range(range.start.0..range.end()) {
                coherence.entry((byte, self.object(byte, n))).or_insert_with(|| vec![None]).push(Some(*store));
            }
        }
        coherence
    }
}

/// Takes away again and again what nothing is left before.
pub(crate) fn is_acyclic(edges: &[Vec<usize>]) -> bool {
    let mut before = vec![0; edges.len()];
    edges.iter().flatten().for_each(|&to| before[to] += 1);
    let mut free: Vec<usize> = (0..edges.len()).filter(|&n| before[n] == 0).collect();
    let mut n_taken = 0;
    while let Some(n) = free.pop() {
        n_taken += 1;
        for &to in &edges[n] {
            before[to] -= 1;
            if before[to] == 0 {
                free.push(to);
            }
        }
    }
    n_taken == edges.len()
}
