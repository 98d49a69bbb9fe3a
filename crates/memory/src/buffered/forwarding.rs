//! Forwarding: a load takes the bytes that wait in the buffer of its own thread, the newest of each, and the others
//! from memory ("read own write early"). What it took bytes from counts as read from memory once that store is there.

use super::accesses::Load;
use super::buffer::{Entry, EntryId};
use super::memory::Memory;
use super::runs::{Runs, common, minus};
use super::undo::Undo;
use raddle_event::{Footprint, LocationId, Locations, Position, Range, StoreId, ThreadId, Value};

impl Memory {
    /// What a load touches now: the bytes that it takes from stores in the own buffer; the others come from memory.
    pub(crate) fn load_footprint(&self, thread: ThreadId, at: LocationId, locations: &Locations) -> Footprint {
        let mut footprint = Footprint { read: Some(at), thread: thread.0, ..Footprint::default() };
        let entries = &self.buffers[thread.index()].entries;
        if entries.is_empty() {
            return footprint;
        }
        let mut left: Runs = std::iter::once(locations.range(at)).collect();
        for entry in entries.newest_first() {
            let cover = locations.range(entry.at);
            footprint.forwards.extend(left.iter().filter_map(|run| common(*run, cover)).map(|run| (entry.store, run)));
            left = left.iter().flat_map(|run| minus(*run, [cover])).collect();
        }
        footprint
    }

    /// The value of a location as a thread sees it.
    pub(super) fn seen_value(&self, at: LocationId, footprint: &Footprint, locations: &Locations) -> Value {
        if footprint.forwards.is_empty() {
            return self.heap.read(at);
        }
        let range = locations.range(at);
        let mut bytes = self.heap.bytes(at).to_vec();
        for &(store, run) in footprint.forwards.iter() {
            let of = |entry: &&Entry| entry.store == store;
            let entry = self.buffers[footprint.thread as usize].entries.iter().find(of).expect("the store is in the buffer");
            let from = locations.range(entry.at);
            entry.value.with_bytes(from.size, |stored| {
                let (to, of) = ((run.start.0 - range.start.0) as usize, (run.start.0 - from.start.0) as usize);
                bytes[to..to + run.size as usize].copy_from_slice(&stored[of..of + run.size as usize]);
            });
        }
        Value::from_bytes(&bytes)
    }

    /// Notes a load at the entries that it takes bytes from: it counts as a load from memory when they are updated.
    pub(super) fn note_forwarded(&mut self, at: LocationId, footprint: &Footprint, event: Position) {
        let thread = ThreadId(footprint.thread);
        let mut stores: Vec<StoreId> = footprint.forwards.iter().map(|forward| forward.0).collect();
        stores.dedup();
        for store in stores {
            let entries = &mut self.buffers[thread.index()].entries;
            let entry = entries.ids().find(|&id| entries.get(id).store == store).expect("the store is in the buffer");
            let runs: Runs = footprint.forwards.iter().filter(|forward| forward.0 == store).map(|forward| forward.1).collect();
            entries.get_mut(entry).loads.push((at, event, runs));
            self.journal.push(Undo::Forwarded { thread, entry });
        }
    }

    /// The loads that took bytes from an entry that is in memory now have read what is there.
    pub(super) fn note_forwarding_loads(&mut self, thread: ThreadId, id: EntryId, locations: &Locations) {
        let entry = self.buffers[thread.index()].entries.get(id);
        for n in 0..entry.loads.len() {
            let entry = self.buffers[thread.index()].entries.get(id);
            let (at, event, runs) = &entry.loads[n];
            let part = (runs[..] != [locations.range(*at)]).then(|| Box::new(runs.clone()));
            self.note_load(*at, Load { by: thread, event: *event, part });
        }
    }
}

/// Changes what a load touches to what it touches when an earlier update of its own thread has not happened.
pub fn forward_again(load: &mut Footprint, update: &Footprint, locations: &Locations) {
    let (Some(at), Some(written), Some(store)) = (load.read, update.write, update.update) else { return };
    let newer: Vec<Range> = load.forwards.iter().map(|forward| forward.1).collect();
    let free = minus(locations.range(at), newer);
    let cover = locations.range(written);
    load.forwards.extend(free.iter().filter_map(|run| common(*run, cover)).map(|run| (store, run)));
}

/// The bytes of a load that come from memory; `None` for all.
#[inline(always)]
pub(crate) fn part_from_memory(load: &Footprint, locations: &Locations) -> Option<Runs> {
    if load.forwards.is_empty() { None } else { part_not_forwarded(load, locations) }
}

#[inline(never)]
fn part_not_forwarded(load: &Footprint, locations: &Locations) -> Option<Runs> {
    let at = load.read?;
    Some(minus(locations.range(at), load.forwards.iter().map(|forward| forward.1)))
}
