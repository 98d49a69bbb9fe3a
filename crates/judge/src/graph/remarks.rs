//! What is worth saying about a graph: reads that may be surprising, with why they are possible, and what is forced of
//! coherence.

use super::{Event, PlainGraph};
use crate::relation::Relation;
use crate::watch::Watch;
use raddle_event::{EventId, Range};

/// More than this many remarks of a kind are not made.
const MOST: usize = 20;

impl<W: Watch> PlainGraph<'_, W> {
    /// Remarks that name rows by their numbers, from 1 on.
    ///
    /// Where coherence is part of the graph nothing is forced of it: its places were chosen. `row` gives the number of
    /// the row of an event that has one, and `name` what a range is called.
    pub fn remarks(&self, row: impl Fn(usize) -> Option<usize>, mut name: impl FnMut(Range) -> String) -> Vec<String> {
        let (mut remarks, hb) = (Vec::new(), self.axiom.has_coherence().then(|| self.hb()));
        for (at, event) in self.events.iter().enumerate() {
            let (Some((Some(range), _)), Some(newer)) = (event.variable, self.overlooks(at, hb.as_ref())) else { continue };
            let (Some(read), Some(write)) = (row(at), row(newer)) else { continue };
            let source = event.from.flatten().and_then(|source| row(self.at(source)));
            let source = source.map_or("the initial value".into(), |source| format!("what {source} wrote"));
            let name = name(range);
            remarks.push(format!("{read} may read {source} of `{name}` and not what {write} wrote: {write} does not happen before {read}"));
        }
        remarks.truncate(MOST);
        if self.axiom.has_coherence() {
            return remarks;
        }
        let mut forced = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            let Some((Some(range), _)) = event.variable else { continue };
            let Some(second) = self.stands_for(event) else { continue };
            for first in self.forced_before(event, second) {
                let (Some(a), Some(b), Some(read)) = (row(self.at(first)), row(self.at(second)), row(at)) else { continue };
                let why = match second == event.id {
                    true => format!("{a} happens before {b}"),
                    false => format!("{a} happens before {read}, which reads from {b}"),
                };
                forced.push(format!("co of `{}`: {a}, then {b}, since {why}", name(range)));
            }
        }
        forced.truncate(MOST);
        remarks.extend(forced);
        remarks
    }

    /// The newest write before a read that it could have read from, in the order in which events were added, and did
    /// not. It does not happen before the read.
    fn overlooks(&self, at: usize, hb: Option<&Relation>) -> Option<usize> {
        let event = &self.events[at];
        let from = event.from?;
        let newer = (0..at).rev().find(|&n| self.events[n].variable == event.variable && self.events[n].written.is_some())?;
        let write = self.events[newer].id;
        let happens_before = hb.map_or_else(|| self.happens_before_one(write, &[event.id]), |hb| hb.has(newer, at));
        let overlooked = from != Some(write) && !happens_before;
        let is_later = from.is_none_or(|from| self.at(from) < newer);
        (overlooked && is_later).then_some(newer)
    }

    /// The write that an access writes or reads from.
    fn stands_for(&self, event: &Event) -> Option<EventId> {
        if event.written.is_some() { Some(event.id) } else { event.from.flatten() }
    }

    /// The newest write of each other thread that happens before an access and so comes before what the access stands
    /// for.
    fn forced_before(&self, event: &Event, second: EventId) -> Vec<EventId> {
        let mut newest: Vec<EventId> = Vec::new();
        for other in self.events.iter().rev() {
            let is_write = other.variable == event.variable && other.written.is_some() && other.id != second;
            let is_known = newest.iter().any(|known| known.thread == other.id.thread);
            if is_write && !is_known && self.happens_before_one(other.id, &[event.id]) {
                newest.push(other.id);
            }
        }
        newest.retain(|write| write.thread != second.thread && (second == event.id || !self.happens_before_one(*write, &[second])));
        newest
    }
}
