//! Robustness: whether an execution could have happened under SC.
//!
//! It could not exactly when its Shasha-Snir trace has a cycle: events ordered by program order (`po`, with spawns and
//! joins), reads-from (`rf`), coherence (`co`) and from-reads (`fr`). Accesses are compared byte by byte.

use raddle_event::{Action, Range, Reply, ThreadId};
use raddle_judge::{Act, StoreName, Watch};
use raddle_machine::{Machine, Moment};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The events of a cycle by their numbers among all that happened, each with the word for the edge to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cycle(pub Vec<(u32, &'static str)>);

/// An edge: where it leads, and the word for it.
type Edge = (usize, &'static str);

struct Event {
    thread: ThreadId,
    moment: Moment,
    /// Which of all the things that happened it is.
    number: u32,
    to: Vec<Edge>,
}

/// The graph of one execution.
#[derive(Default)]
pub(crate) struct ConflictGraph {
    events: Vec<Event>,
    /// How much has happened.
    count: u32,
    /// What the next event of a thread comes after.
    last: FxHashMap<ThreadId, Vec<Edge>>,
    stores: FxHashMap<(ThreadId, u32), usize>,
    /// For each byte the last store that reached memory.
    written: FxHashMap<u64, (ThreadId, u32)>,
    /// For each byte and store the events that read it.
    readers: FxHashMap<(u64, StoreName), Vec<usize>>,
}

impl ConflictGraph {
    /// A shortest cycle, where there is one.
    pub fn cycle(&self) -> Option<Cycle> {
        let left = self.on_cycles();
        let cycles = (0..self.events.len()).filter(|&at| left[at]).filter_map(|at| self.cycle_through(at, &left));
        let shortest = cycles.min_by_key(Vec::len)?;
        Some(Cycle(shortest.into_iter().map(|(at, edge)| (self.events[at].number, edge)).collect()))
    }

    /// Where the first event stands that is on a cycle or between two, if there is any.
    pub fn first_on_cycle(&self) -> Option<(ThreadId, &Moment)> {
        let at = self.on_cycles().iter().position(|&left| left)?;
        Some((self.events[at].thread, &self.events[at].moment))
    }

    /// For each event whether it is left when one takes away, again and again, what has no predecessor or no successor.
    fn on_cycles(&self) -> Vec<bool> {
        let forward: Vec<Vec<usize>> = self.events.iter().map(|event| event.to.iter().map(|edge| edge.0).collect()).collect();
        let mut backward = vec![Vec::new(); forward.len()];
        for (from, to) in forward.iter().enumerate() {
            to.iter().for_each(|&to| backward[to].push(from));
        }
        let mut left = vec![true; forward.len()];
        peel(&mut left, &forward, &backward);
        peel(&mut left, &backward, &forward);
        left
    }

    /// A shortest way from an event back to itself.
    fn cycle_through(&self, start: usize, left: &[bool]) -> Option<Vec<Edge>> {
        let mut came: FxHashMap<usize, Edge> = FxHashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for &(to, edge) in self.events[at].to.iter().filter(|(to, _)| left[*to]) {
                if to == start {
                    return Some(way_back(&came, (at, edge), start));
                }
                if to != start && !came.contains_key(&to) {
                    came.insert(to, (at, edge));
                    queue.push_back(to);
                }
            }
        }
        None
    }

    fn edge(&mut self, from: usize, to: usize, word: &'static str) {
        if from != to && !self.events[from].to.contains(&(to, word)) {
            self.events[from].to.push((to, word));
        }
    }

    fn event(&mut self, machine: &Machine, thread: ThreadId) -> usize {
        let at = self.events.len();
        self.events.push(Event { thread, moment: machine.moment(thread), number: self.count, to: Vec::new() });
        let before = self.last.insert(thread, vec![(at, "po")]);
        for (from, word) in before.into_iter().flatten() {
            self.edge(from, at, word);
        }
        at
    }

    fn read(&mut self, event: usize, range: Range, from: &[StoreName]) {
        for (byte, source) in (range.start.0..).zip(from) {
            if let Some(&store) = source.and_then(|store| self.stores.get(&store)) {
                self.edge(store, event, "rf");
            }
            self.readers.entry((byte, *source)).or_default().push(event);
        }
    }

    /// A store reaches memory.
    fn write(&mut self, store: (ThreadId, u32), bytes: std::ops::Range<u64>) {
        let Some(&event) = self.stores.get(&store) else { return };
        for byte in bytes {
            let before = self.written.insert(byte, store);
            if let Some(&earlier) = before.and_then(|before| self.stores.get(&before)) {
                self.edge(earlier, event, "co");
            }
            for reader in self.readers.remove(&(byte, before)).into_iter().flatten() {
                self.edge(reader, event, "fr");
            }
        }
    }

    fn did(&mut self, machine: &Machine, thread: ThreadId, action: &Action, from: &[StoreName], store: Option<u32>) {
        let range = |at| machine.locations().range(at);
        match action {
            Action::Spawn { child, .. } => {
                let before = self.last.get(&thread).cloned().unwrap_or_default();
                self.last.insert(*child, before.into_iter().map(|(at, _)| (at, "spawn")).collect());
            }
            Action::Read { at, .. } if machine.word_of(*at).is_some() => {
                let joined = machine.word_of(*at).and_then(|joined| self.last.get(&joined)).cloned();
                let joined = joined.into_iter().flatten().map(|(at, _)| (at, "join"));
                self.last.entry(thread).or_default().extend(joined);
            }
            Action::Read { at, .. }
            | Action::Write { at, .. }
            | Action::Rmw { at, .. }
            | Action::Reserve { at, .. }
            | Action::WriteReserved { at, .. }
            | Action::Free { at, .. } => {
                let event = self.event(machine, thread);
                self.read(event, range(*at), from);
                if let Some(number) = store {
                    self.stores.insert((thread, number), event);
                    // The room of an object that is freed is larger than what was ever accessed of it.
                    let bytes = match action {
                        Action::Free { .. } => self.accessed(range(*at)),
                        _ => (range(*at).start.0..range(*at).end()).collect(),
                    };
                    bytes.into_iter().for_each(|byte| self.write((thread, number), byte..byte + 1));
                }
            }
            Action::Allocate { at, size, .. } => {
                let start = range(*at).start.0;
                self.written.retain(|byte, _| !(start..start + size).contains(byte));
                self.readers.retain(|(byte, _), _| !(start..start + size).contains(byte));
            }
            Action::Reuse { .. } | Action::Fence(_) | Action::Choose { .. } => {}
        }
    }

    /// The bytes of a range that have been read or written.
    fn accessed(&self, range: Range) -> Vec<u64> {
        let mut bytes: Vec<u64> = self.written.keys().copied().chain(self.readers.keys().map(|key| key.0)).collect();
        bytes.retain(|byte| (range.start.0..range.end()).contains(byte));
        bytes.sort();
        bytes.dedup();
        bytes
    }
}

impl Watch for ConflictGraph {
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act) {
        let range = |at| machine.locations().range(at);
        match act {
            Act::Did { reply: Reply::Fault(_), .. } => {}
            Act::Did { action, from, store, .. } => self.did(machine, thread, action, from, *store),
            Act::Buffered { store, .. } => {
                let event = self.event(machine, thread);
                self.stores.insert((thread, *store), event);
            }
            Act::Updated { fault: Some(_), .. } => {}
            Act::Updated { at, store, .. } => self.write((thread, *store), range(*at).start.0..range(*at).end()),
        }
        self.count += 1;
    }
}

/// Takes away, again and again, what has no predecessor left.
fn peel(left: &mut [bool], after: &[Vec<usize>], before: &[Vec<usize>]) {
    let mut n_before: Vec<usize> = before.iter().map(|before| before.iter().filter(|&&at| left[at]).count()).collect();
    let mut free: Vec<usize> = (0..left.len()).filter(|&at| left[at] && n_before[at] == 0).collect();
    while let Some(at) = free.pop() {
        left[at] = false;
        for &to in after[at].iter() {
            n_before[to] = n_before[to].saturating_sub(1);
            if left[to] && n_before[to] == 0 {
                free.push(to);
            }
        }
    }
}

/// The events from `start` to `last`, each with the word for the edge to the next; the last edge leads back to `start`.
fn way_back(came: &FxHashMap<usize, Edge>, last: Edge, start: usize) -> Vec<Edge> {
    let mut way = vec![last];
    while way.last().expect("it has one").0 != start {
        let at = way.last().expect("it has one").0;
        way.push(came[&at]);
    }
    way.reverse();
    way
}
