//! How the events of an execution hang together: which reads from which (`rf`), which store comes later in memory
//! (`co`), which read came before which store (`fr`), and the shortest cycle of these with program order, which SC does
//! not have (Shasha and Snir).
//!
//! Deviation: an event is its row. A store that waits in a buffer is the row that put it there; the row by which it
//! reaches memory is no event of its own.

use crate::tell::Row;
use raddle_event::ThreadId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// For each byte its stores in coherence, each named by its thread and its number there.
pub(crate) type Coherence = FxHashMap<u64, Vec<(ThreadId, u32)>>;

/// An edge from one row to another, by their indices.
pub type Edge = (usize, usize);

/// Edges between rows, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Program order: from each row to the next of its thread.
    pub po: Vec<Edge>,
    /// Reads-from.
    pub rf: Vec<Edge>,
    /// Coherence: to the next store.
    pub co: Vec<Edge>,
    /// From-reads: to the first store that comes later than what is read.
    pub fr: Vec<Edge>,
    /// For each store the byte where it begins and its place in the coherence of that.
    pub(crate) places: FxHashMap<usize, (u64, usize)>,
    /// Synchronisation: from a release to an acquire that reads it, from a spawn to the thread, from its end to a join.
    pub hb: Vec<Edge>,
}

/// In longer executions nothing is drawn or searched.
const MOST_ROWS: usize = 5000;

impl Edges {
    /// The edges between rows. Where coherence is no part of the execution, stores come in the order of their rows.
    pub(crate) fn new(rows: &[Row], coherence: &Coherence) -> Edges {
        if rows.len() > MOST_ROWS {
            return Edges::default();
        }
        let mut edges = Edges { po: program_order(rows), ..Edges::default() };
        let at: FxHashMap<u32, usize> = rows.iter().enumerate().map(|(n, row)| (row.number, n)).collect();
        let makers = rows.iter().enumerate().filter(|(_, row)| !row.update);
        let maker: FxHashMap<(ThreadId, u32), usize> = makers.filter_map(|(n, row)| Some(((row.thread, row.deed.makes?), n))).collect();
        let by_row = if coherence.is_empty() { in_order_of_rows(rows) } else { Coherence::default() };
        let coherence = if coherence.is_empty() { &by_row } else { coherence };
        let stores = |byte: u64| coherence.get(&byte).into_iter().flatten().filter_map(|store| maker.get(store).copied());
        let mut bytes: Vec<u64> = coherence.keys().copied().collect();
        bytes.sort();
        for byte in bytes {
            let order: Vec<usize> = stores(byte).collect();
            let begins = |store: usize| rows[store].deed.range.is_some_and(|range| range.start.0 == byte);
            edges
                .places
                .extend(order.iter().enumerate().filter(|(_, store)| begins(**store)).map(|(place, &store)| (store, (byte, place))));
            order.windows(2).for_each(|pair| edges.co.push((pair[0], pair[1])));
        }
        for (n, row) in rows.iter().enumerate() {
            let sources: Vec<Option<usize>> =
                row.deed.from.iter().map(|from| from.and_then(|(_, number)| at.get(&number).copied())).collect();
            edges.rf.extend(sources.iter().flatten().map(|&source| (source, n)));
            let Some(range) = row.deed.range.filter(|_| !sources.is_empty()) else { continue };
            for byte in range.start.0..range.end().min(range.start.0 + 64) {
                let order: Vec<usize> = stores(byte).collect();
                let last = order.iter().rposition(|store| sources.contains(&Some(*store)));
                // What is read of no store that is shown is older than all of them.
                let is_hidden = last.is_none() && row.deed.from.iter().any(|from| from.is_none());
                let next = last.map(|last| last + 1).or(is_hidden.then_some(0));
                let next = next.and_then(|next| order.get(next)).filter(|&&store| store != n);
                edges.fr.extend(next.map(|&store| (n, store)));
            }
        }
        edges.hb = synchronisation(rows, &edges);
        for list in [&mut edges.rf, &mut edges.co, &mut edges.fr] {
            list.sort();
            list.dedup();
        }
        edges
    }

    /// A shortest cycle of program order and communication, as the edges of it with their words; program order is one
    /// edge between any two events of a thread.
    pub(crate) fn cycle(&self, rows: &[Row]) -> Vec<(usize, &'static str, usize)> {
        if self.fr.is_empty() {
            return Vec::new();
        }
        let mut to: Vec<Vec<(usize, &'static str)>> = vec![Vec::new(); rows.len()];
        for (list, word) in [(&self.rf, "rf"), (&self.co, "co"), (&self.fr, "fr"), (&self.po, "po")] {
            list.iter().for_each(|&(a, b)| to[a].push((b, word)));
        }
        let starts = self.fr.iter().filter_map(|&(read, store)| Some((way(&to, store, read)?, read, store)));
        let Some((way, read, store)) = starts.min_by_key(|(way, ..)| way.len()) else { return Vec::new() };
        let mut cycle: Vec<(usize, &'static str, usize)> = vec![(read, "fr", store)];
        for (from, word, to) in way {
            match cycle.last_mut() {
                Some(last) if last.1 == "po" && word == "po" => last.2 = to,
                _ => cycle.push((from, word, to)),
            }
        }
        cycle
    }
}

fn program_order(rows: &[Row]) -> Vec<Edge> {
    let mut of_thread: BTreeMap<ThreadId, Vec<usize>> = BTreeMap::new();
    rows.iter().enumerate().filter(|(_, row)| !row.update).for_each(|(n, row)| of_thread.entry(row.thread).or_default().push(n));
    let mut edges = Vec::new();
    for events in of_thread.values_mut() {
        events.sort_by_key(|&n| (rows[n].index, n));
        edges.extend(events.windows(2).map(|pair| (pair[0], pair[1])));
    }
    edges
}

fn synchronisation(rows: &[Row], edges: &Edges) -> Vec<Edge> {
    let (releases, acquires) = (["release", "acq_rel", "seq_cst"], ["acquire", "acq_rel", "seq_cst"]);
    let has = |n: usize, orders: [&str; 3]| rows[n].deed.order.is_some_and(|order| orders.contains(&order));
    let mut pairs: Vec<Edge> = edges.rf.iter().copied().filter(|&(store, load)| has(store, releases) && has(load, acquires)).collect();
    for (n, row) in rows.iter().enumerate() {
        let Some(other) = row.deed.with else { continue };
        let mut own = (0..rows.len()).filter(|&k| rows[k].thread == other && !rows[k].update);
        let first_or_last =
            if row.deed.action == "spawn" { own.next().map(|first| (n, first)) } else { own.next_back().map(|last| (last, n)) };
        pairs.extend(first_or_last);
    }
    pairs.retain(|&(from, to)| rows[from].thread != rows[to].thread);
    pairs
}

fn in_order_of_rows(rows: &[Row]) -> Coherence {
    let mut coherence = Coherence::default();
    for row in rows.iter().filter(|row| !row.update) {
        let (Some(range), Some(number)) = (row.deed.range, row.deed.makes) else { continue };
        (range.start.0..range.end().min(range.start.0 + 64)).for_each(|byte| coherence.entry(byte).or_default().push((row.thread, number)));
    }
    coherence
}

/// A shortest way, as its edges.
fn way(to: &[Vec<(usize, &'static str)>], start: usize, end: usize) -> Option<Vec<(usize, &'static str, usize)>> {
    let mut came: Vec<Option<(usize, &'static str)>> = vec![None; to.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        if at == end {
            let (mut way, mut at) = (Vec::new(), end);
            while let Some((before, word)) = came[at].filter(|_| at != start) {
                way.push((before, word, at));
                at = before;
            }
            way.reverse();
            return Some(way);
        }
        for &(next, word) in &to[at] {
            if next != start && came[next].is_none() {
                came[next] = Some((at, word));
                queue.push_back(next);
            }
        }
    }
    None
}
