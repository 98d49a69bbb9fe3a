//! What came between two accesses of one thread that its programmer has taken for one: a value that was changed and
//! changed back (ABA), an update that was overwritten, a copy of which one part is old, a decision on a value that had
//! changed. What the library does inside is not looked at.

use crate::tell::Row;
use crate::why::{MOST_NOTES, Teaching, Why};

impl Teaching<'_> {
    /// Says what came between, where something is found.
    pub(crate) fn interleaved(&self, why: &mut Why) {
        let n_before = why.notes.len();
        self.aba(why);
        self.lost_update(why);
        self.torn(why);
        if why.notes.len() == n_before && why.notes.is_empty() {
            self.outdated(why);
        }
        why.notes.truncate(n_before + MOST_NOTES);
    }

    fn source(&self, n: usize) -> Option<Option<usize>> {
        self.story.edges.rf.iter().find(|edge| edge.1 == n).map(|edge| Some(edge.0)).or((!self.row(n).deed.from.is_empty()).then_some(None))
    }

    /// The last read of a thread of the same bytes before a row.
    fn read_before(&self, n: usize) -> Option<usize> {
        let row = self.row(n);
        let is_it = |k: &usize| {
            let other = self.row(*k);
            other.thread == row.thread && other.deed.range == row.deed.range && !other.update && other.deed.action != "free"
        };
        (0..n).rev().find(is_it).filter(|&k| self.row(k).deed.read.is_some())
    }

    fn changes(&self, n: usize) -> bool {
        self.row(n).deed.written.is_some() && !self.row(n).update
    }

    fn aba(&self, why: &mut Why) {
        for n in 0..self.story.rows.len() {
            let row = self.row(n);
            if row.inside || row.deed.action != "read-modify-write" || !row.text.starts_with("compare_exchange") || !self.changes(n) {
                continue;
            }
            let Some(read) = self.read_before(n) else { continue };
            let (old, new) = (self.source(read), self.source(n).flatten());
            let Some(back) = new.filter(|&back| old != Some(Some(back)) && self.row(back).thread != row.thread) else { continue };
            if self.row(read).deed.read != row.deed.read {
                continue;
            }
            let is_other = |k: &usize| self.changes(*k) && self.row(*k).deed.range == row.deed.range && self.row(*k).thread != row.thread;
            let between: Vec<String> = (read..n).filter(is_other).map(|k| (k + 1).to_string()).collect();
            let value = row.deed.read.as_deref().unwrap_or_default();
            let (thread, by) = (row.thread, self.row(back).thread);
            why.notes.push(format!(
                "{}, and its compare_exchange{} found the same value and succeeded; but in between {} was changed and changed back to \
                 {value} by {by} (events {}): what {thread} had read elsewhere meanwhile was out of date (ABA)",
                self.has_read(read),
                self.at(n),
                self.variable(n),
                between.join(", ")
            ));
            why.help.push(format!("let the value of {} tell how often it was changed, by a tag that each change raises", self.variable(n)));
            why.marks.extend([self.mark_of(read), self.mark_of(back), self.mark_of(n)].into_iter().flatten());
            why.rows.extend([read, back, n]);
        }
    }

    fn lost_update(&self, why: &mut Why) {
        for n in 0..self.story.rows.len() {
            let row = self.row(n);
            if row.inside || row.deed.action != "store" || !self.changes(n) || row.deed.makes.is_none() {
                continue;
            }
            let Some(read) = self.read_before(n) else { continue };
            let between = self.story.edges.fr.iter().find(|edge| edge.0 == read).map(|edge| edge.1);
            let is_lost = |k: &usize| self.row(*k).thread != row.thread && self.comes_later(*k, n);
            let Some(lost) = between.filter(is_lost) else { continue };
            let (by, value) = (self.row(lost).thread, self.row(lost).deed.written.as_deref().unwrap_or_default());
            why.notes.push(format!(
                "{} and stored {}{}; in between {by} stored {value}{}, which is overwritten",
                self.has_read(read),
                row.deed.written.as_deref().unwrap_or_default(),
                self.at(n),
                self.at(lost)
            ));
            why.help
                .push(format!("make the read and the store of {} one step: a read-modify-write, or a lock around both", self.variable(n)));
            why.marks.extend([self.mark_of(read), self.mark_of(lost), self.mark_of(n)].into_iter().flatten());
            why.rows.extend([read, lost, n]);
        }
    }

    /// Whether a store comes later in coherence than another.
    fn comes_later(&self, first: usize, second: usize) -> bool {
        let place = |store: usize| self.story.edges.places.get(&store);
        place(first).zip(place(second)).is_some_and(|(a, b)| a.0 == b.0 && a.1 < b.1)
    }

    fn torn(&self, why: &mut Why) {
        let object = |row: &Row| {
            let variable = row.deed.variable.clone()?;
            variable.rsplit_once(['.', '[', '+']).map(|(object, _)| object.to_string())
        };
        for n in 1..self.story.rows.len() {
            let row = self.row(n);
            let is_pair = |k: &usize| {
                let other = self.row(*k);
                other.thread == row.thread && other.place.is_some() && other.place == row.place && other.deed.action == "load" && {
                    other.deed.range != row.deed.range && object(other).is_some() && object(other) == object(row)
                }
            };
            if row.inside || row.deed.action != "load" || row.deed.order != Some("plain") {
                continue;
            }
            let Some(k) = (0..n).rev().find(is_pair) else { continue };
            let stored = |n: usize| self.source(n).flatten().filter(|&store| self.row(store).thread != row.thread);
            let (Some(new), old) = (match (stored(k), stored(n)) {
                (Some(store), None) => (Some(store), n),
                (None, Some(store)) => (Some(store), k),
                _ => (None, n),
            }) else {
                continue;
            };
            let read = if old == n { k } else { n };
            why.notes.push(format!(
                "one copy, two loads: {}, which is {}'s of {}, but {}, which is older: the copy was made while {} was half written",
                self.has_read(read),
                self.row(new).thread,
                self.place(new),
                self.has_read(old),
                object(row).map_or("it".into(), |object| format!("`{object}`"))
            ));
            why.help.push("a structure is copied in parts: hold a lock for the copy and for the store, or make it one atomic value".into());
            why.marks.extend([self.mark_of(read), self.mark_of(new)].into_iter().flatten());
            why.rows.extend([read, old, new]);
            return;
        }
    }

    /// What the thread at fault had read and others have changed since.
    fn outdated(&self, why: &mut Why) {
        let thread = self.story.fault.thread;
        let mut found: Vec<(usize, usize)> = self.story.edges.fr.to_vec();
        found.retain(|&(read, store)| {
            let (reader, writer) = (self.row(read), self.row(store));
            !reader.inside
                && reader.thread == thread
                && writer.thread != thread
                && reader.deed.read.is_some()
                && writer.deed.written.is_some()
        });
        found.sort();
        for &(read, store) in found.iter().rev().take(1) {
            let (by, value) = (self.row(store).thread, self.row(store).deed.written.as_deref().unwrap_or_default());
            why.notes.push(format!("{}, and went on with that value although {by} stored {value}{}", self.has_read(read), self.at(store)));
            why.marks.extend([self.mark_of(read), self.mark_of(store)].into_iter().flatten());
            why.rows.extend([read, store]);
        }
    }
}
