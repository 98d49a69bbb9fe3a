//! Why an execution is possible although SC does not have it: the cycle of its Shasha-Snir trace names the reads that
//! came too early and the pairs of accesses that the model does not keep in order; for each the rule of the model is
//! said with the values and places of this execution.

use crate::why::{MOST_NOTES, Teaching, Why};
use raddle_event::EventId;
use raddle_judge::Model;

/// An edge of the cycle.
type Link = (usize, &'static str, usize);

impl Teaching<'_> {
    /// Says what SC does not have of this execution; `false` where there is nothing of the kind.
    pub(crate) fn weakness(&self, why: &mut Why) -> bool {
        if matches!(self.model, Model::Buffered(buffering) if buffering.is_direct()) {
            return false;
        }
        let cycle = self.story.edges.cycle(&self.story.rows);
        if cycle.is_empty() {
            return false;
        }
        let n_before = why.notes.len();
        match self.model {
            Model::Buffered(_) => self.buffered(&cycle, why),
            Model::Graph(_) => self.unordered(&cycle, why),
            Model::Power | Model::AArch64(_) => self.reordered(&cycle, why),
        }
        if why.notes.len() == n_before {
            return false;
        }
        why.notes.insert(n_before, format!("under SC this execution is impossible; {} allows it:", self.model));
        let on_cycle: Vec<usize> = cycle.iter().map(|link| link.0).collect();
        why.marks.extend(on_cycle.iter().filter_map(|&n| self.mark_of(n)));
        why.rows.extend(on_cycle);
        true
    }

    /// The row by which a store reaches memory: its own where it does not wait in a buffer, none where it never does.
    fn reaches(&self, store: usize) -> Option<usize> {
        if self.row(store).note.as_deref() != Some("buffered") {
            return Some(store);
        }
        let number = Some(self.row(store).number);
        self.story.rows.iter().position(|row| row.update && row.deed.store == number)
    }

    /// TSO and PSO: stores that were in a buffer while something later happened.
    fn buffered(&self, cycle: &[Link], why: &mut Why) {
        let is_in_buffer = |store: usize, read: usize| store < read && self.reaches(store).is_none_or(|update| update > read);
        let mut said: Vec<usize> = Vec::new();
        let until = |store: usize| match self.reaches(store) {
            Some(update) => format!("(it reached memory with event {})", update + 1),
            None => "(it has not reached memory yet)".into(),
        };
        for &(read, _, store) in cycle.iter().filter(|link| link.1 == "fr") {
            if is_in_buffer(store, read) && self.row(store).thread != self.row(read).thread {
                let (by, value) = (self.row(store).thread, self.row(store).deed.written.as_deref().unwrap_or_default());
                let although = format!("although {by} had stored {value}{}", self.at(store));
                why.notes.push(format!("{} {although}: that store was still in {by}'s store buffer {}", self.has_read(read), until(store)));
                said.push(store);
            }
        }
        for &(a, _, b) in cycle.iter().filter(|link| link.1 == "po") {
            let (Some(value), by) = (&self.row(a).deed.written, self.row(a).thread) else { continue };
            let own = format!("its own store of {} = {value}{}", self.variable(a), self.at(a));
            let is_load = self.row(b).deed.written.is_none();
            let late = if is_load { Some(b) } else { self.reaches(b) };
            if !late.is_some_and(|late| is_in_buffer(a, late)) {
                continue;
            }
            let (first, second) = (self.place(a), self.place(b));
            if is_load {
                if !said.contains(&a) {
                    why.notes.push(format!("{} while {own} was still in {by}'s store buffer {}", self.has_read(b), until(a)));
                }
                why.help.push(format!(
                    "a store stays before a later load where a full fence (`atomic_thread_fence(memory_order_seq_cst)`) stands between \
                     the two, here between {first} and {second}, or where the store is `memory_order_seq_cst`"
                ));
            } else {
                let (later, event) = (format!("{by}'s store of {} at {second}", self.variable(b)), late.map_or(0, |late| late + 1));
                why.notes.push(format!("{later} reached memory (event {event}) before {own}, {}: each variable has a buffer", until(a)));
                why.help.push(format!(
                    "the two stores stay in order where the later one, at {second}, is `memory_order_release`, or a fence stands between"
                ));
            }
        }
        why.help.dedup();
    }

    /// RA and RC11: reads of old values that no happens-before forbids.
    fn unordered(&self, cycle: &[Link], why: &mut Why) {
        for &(read, _, store) in cycle.iter().filter(|link| link.1 == "fr").take(MOST_NOTES) {
            let by = self.row(store).thread;
            if by == self.row(read).thread {
                continue;
            }
            why.notes.push(format!("{}, {}, which does not happen before it", self.has_read(read), self.although(store)));
            if !self.weak_links(store, read, why) {
                let thread = self.row(read).thread;
                why.notes.push(format!("before that, {thread} had read nothing that {by} stored after event {}", store + 1));
            }
        }
    }

    fn although(&self, store: usize) -> String {
        let row = self.row(store);
        let value = row.deed.written.as_deref().map_or_else(|| "it".into(), |value| value.to_string());
        format!("and not the {value} that {} stored{}", row.thread, self.at(store))
    }

    /// POWER and AArch64: accesses of a thread that the model does not keep in order.
    fn reordered(&self, cycle: &[Link], why: &mut Why) {
        for &(read, _, store) in cycle.iter().filter(|link| link.1 == "fr").take(MOST_NOTES) {
            why.notes.push(format!("{}, {}", self.has_read(read), self.although(store)));
        }
        let event = |n: usize| EventId { thread: self.row(n).thread, index: self.row(n).index };
        let mut n_loose = 0;
        for &(a, _, b) in cycle.iter().filter(|link| link.1 == "po").take(MOST_NOTES) {
            if self.kept.is_empty() || self.kept.contains(&(event(a), event(b))) {
                continue;
            }
            n_loose += 1;
            let kind = |n: usize| if self.row(n).deed.written.is_some() { "store" } else { "load" };
            let (first, second) = (kind(a), kind(b));
            let missing = match (first, second) {
                ("store", "store") => "no barrier stands between them, and the second is no release",
                ("load", "load") => {
                    "no barrier stands between them, the first is no acquire, and the address of the second does not come from it"
                }
                ("load", _) => {
                    "no barrier stands between them, the first is no acquire, the second no release, and nothing of the second depends on it"
                }
                _ => "no full barrier stands between them",
            };
            why.notes.push(format!(
                "the {first} of {} and the {second} of {} by {} may take effect in either order: {missing}",
                self.variable(a) + &self.at(a),
                self.variable(b) + &self.at(b),
                self.row(a).thread,
            ));
            let (at, to) = (self.place(a), self.place(b));
            why.help.push(match (first, second) {
                ("store", "store") => format!("`memory_order_release` for the store at {to} keeps it after the one at {at}"),
                ("load", _) => format!("`memory_order_acquire` for the load at {at} keeps the access at {to} after it"),
                _ => format!("`atomic_thread_fence(memory_order_seq_cst)` between {at} and {to} keeps the two in order"),
            });
        }
        if n_loose == 0 && self.model == Model::Power && !self.kept.is_empty() {
            why.notes.push("each thread keeps its accesses in order, but on POWER a store may reach some threads before others".into());
        }
    }
}
