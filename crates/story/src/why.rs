//! Why a fault could happen: the other places that take part in it, and sentences with the values and events of this
//! execution. What is said is read off the execution as the judge has run it; nothing is guessed of others.

use crate::frames::{is_library, stack_places, user_place};
use crate::names::file_name;
use crate::races::Race;
use crate::stronger::Weak;
use crate::tell::{Row, Story};
use raddle_event::{EventId, FaultKind, Range, ThreadId};
use raddle_judge::Model;
use raddle_program::{Place, Program};
use rustc_hash::FxHashSet;

/// A place that takes part in a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedPlace {
    /// Whose access it is.
    pub thread: ThreadId,
    /// Where it stands in the source.
    pub place: Place,
    /// What happens there, in a few words.
    pub text: String,
    /// The calls that lead there, innermost first, where they are known.
    pub stack: Vec<Place>,
    /// The row of the event, where it has one.
    pub row: Option<usize>,
}

/// Why a fault could happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Why {
    /// What happens at the place of the fault, in a few words.
    pub here: Option<String>,
    /// The other places.
    pub marks: Vec<MarkedPlace>,
    /// Sentences.
    pub notes: Vec<String>,
    /// What would forbid it.
    pub help: Vec<String>,
    /// The rows that the sentences speak of.
    pub rows: Vec<usize>,
}

/// More notes than this are not made of one kind.
pub(crate) const MOST_NOTES: usize = 4;

/// In longer executions it is not looked for what came between.
const MOST_ROWS: usize = 2000;

/// What an explanation is made from.
pub(crate) struct Teaching<'t> {
    pub program: &'t Program,
    pub story: &'t Story,
    pub model: Model,
    /// The pairs of events of one thread that the model keeps in order, where events commit out of order.
    pub kept: &'t FxHashSet<(EventId, EventId)>,
    pub race: Option<Race>,
    /// The accesses that would have to be stronger.
    pub weak: &'t [Weak],
}

impl Teaching<'_> {
    /// The explanation.
    pub fn why(&self) -> Why {
        let mut why = match (self.story.fault.fault.kind, &self.race) {
            (FaultKind::DataRace, Some(race)) => self.raced(race),
            (FaultKind::Deadlock, _) => self.deadlocked(),
            (FaultKind::Leak, _) => Why { here: Some("allocated here, and never freed".into()), ..Why::default() },
            (FaultKind::UseAfterFree | FaultKind::DoubleFree | FaultKind::InvalidFree | FaultKind::OutOfBounds, _) => self.object(),
            _ => Why::default(),
        };
        let is_about_values = !matches!(self.story.fault.fault.kind, FaultKind::DataRace | FaultKind::Leak);
        if is_about_values && self.story.rows.len() <= MOST_ROWS && !self.weakness(&mut why) {
            self.interleaved(&mut why);
        }
        self.stronger(&mut why);
        let primary = user_place(self.program, &self.story.fault.moment);
        let fault = self.story.fault.thread;
        why.marks.retain(|mark| !(is_library(&mark.place) || mark.thread == fault && primary.is_some_and(|at| same_line(at, &mark.place))));
        let mut seen: Vec<(ThreadId, Place)> = Vec::new();
        why.marks.retain(|mark| {
            let is_new = !seen.iter().any(|(thread, place)| *thread == mark.thread && same_line(place, &mark.place));
            seen.push((mark.thread, mark.place.clone()));
            is_new
        });
        why.rows.sort();
        why.rows.dedup();
        why
    }

    pub fn row(&self, n: usize) -> &Row {
        &self.story.rows[n]
    }

    /// The row of a thing that happened.
    pub fn numbered(&self, number: u32) -> Option<usize> {
        self.story.rows.binary_search_by_key(&number, |row| row.number).ok()
    }

    /// ` at queue.c:17 (event 4)`
    pub fn at(&self, n: usize) -> String {
        let place = self.row(n).place.as_ref().map_or(String::new(), |place| format!(" at {}:{}", file_name(&place.file), place.line));
        format!("{place} (event {})", n + 1)
    }

    /// `queue.c:17`
    pub fn place(&self, n: usize) -> String {
        self.row(n).place.as_ref().map_or_else(|| format!("event {}", n + 1), |place| format!("{}:{}", file_name(&place.file), place.line))
    }

    /// What is accessed, as code.
    pub fn variable(&self, n: usize) -> String {
        self.row(n).deed.variable.as_ref().map_or_else(|| "memory".into(), |variable| format!("`{variable}`"))
    }

    /// `T2 read `head` = 0 at queue.c:41 (event 7)`
    pub fn has_read(&self, n: usize) -> String {
        let value = self.row(n).deed.read.as_ref().map_or(String::new(), |value| format!(" = {value}"));
        format!("{} read {}{value}{}", self.row(n).thread, self.variable(n), self.at(n))
    }

    /// A mark at the place of a row.
    pub fn mark(&self, n: usize, text: impl Into<String>) -> Option<MarkedPlace> {
        let row = self.row(n);
        Some(MarkedPlace { thread: row.thread, place: row.place.clone()?, text: text.into(), stack: Vec::new(), row: Some(n) })
    }

    /// A mark that says what a row does.
    pub fn mark_of(&self, n: usize) -> Option<MarkedPlace> {
        let (row, deed) = (self.row(n), &self.row(n).deed);
        let (thread, variable) = (row.thread, deed.variable.as_deref().unwrap_or("memory"));
        let text = match (&deed.read, &deed.written) {
            (Some(read), Some(written)) => format!("{thread} changes {variable} from {read} to {written}"),
            (Some(read), None) => format!("{thread} reads {variable} = {read}"),
            (None, Some(written)) => format!("{thread} stores {variable} = {written}"),
            (None, None) => format!("{thread}: {}", row.text),
        };
        self.mark(n, text)
    }

    /// Both accesses of a race, and what the second thread knew of the first.
    fn raced(&self, race: &Race) -> Why {
        let mut why = Why::default();
        let (thread, (other, moment)) = (self.story.fault.thread, &race.with);
        let verb = |writes: bool| if writes { "writes" } else { "reads" };
        why.here = Some(format!("{thread} {} `{}`", verb(race.writes.1), race.name));
        let (first, second) = (self.numbered(race.numbers.0), self.numbered(race.numbers.1));
        if let Some(place) = user_place(self.program, moment) {
            let stack = stack_places(self.program, moment).into_iter().cloned().collect();
            let text = format!("{other} {} `{}`", verb(race.writes.0), race.name);
            why.marks.push(MarkedPlace { thread: *other, place: place.clone(), text, stack, row: first });
        }
        why.rows.extend(first.iter().chain(&second));
        if race.name.ends_with('}') {
            let fields = race.name.rsplit('{').next().unwrap_or_default().trim_end_matches('}').replace(',', "`, `");
            why.notes.push(format!(
                "`{fields}` are bit-fields in the same byte: a store to one of them reads the byte, changes its bits and writes the byte back"
            ));
            why.help.push("let each thread have its own variable, or put a member `int : 0;` between the bit-fields".into());
        }
        why.notes.push(self.last_learned(race, thread));
        if let (Some(first), Some(second)) = (first, second) {
            self.weak_links(first, second, &mut why);
        }
        why.help.push(
            "order the two: by a lock, or by a release store whose value an acquire load reads between them; or make the variable \
             atomic (`_Atomic`, `std::atomic`), which `volatile` does not do"
                .into(),
        );
        why
    }

    fn last_learned(&self, race: &Race, thread: ThreadId) -> String {
        let other = race.with.0;
        match race.learned.and_then(|number| self.numbered(number)) {
            Some(n) => {
                let event = self.row(n);
                format!(
                    "the last that {thread} knew of {other} came by `{}` of {}{}; the access of {other} is later",
                    event.text,
                    event.thread,
                    self.at(n)
                )
            }
            None => format!("nothing has synchronised {thread} with {other} before: no lock, no join, and no acquire that read a release"),
        }
    }

    /// Reads by the second thread of what the first stored after an access, which order nothing since one of the two is
    /// too weak; tells whether there are any.
    pub fn weak_links(&self, first: usize, second: usize, why: &mut Why) -> bool {
        let (before, after) = (self.row(first), self.row(second));
        let fence = |row: &Row, low: u32, high: u32, is_it: fn(raddle_event::Fence) -> bool| {
            let mut rows = self.story.rows.iter().filter(|other| other.thread == row.thread && (low..high).contains(&other.index));
            rows.any(|other| other.deed.fence.is_some_and(is_it))
        };
        let mut found = 0;
        for &(store, load) in &self.story.edges.rf {
            let (w, r) = (self.row(store), self.row(load));
            let is_between = w.thread == before.thread && w.index > before.index && r.thread == after.thread && r.index < after.index;
            if !is_between || found == MOST_NOTES {
                continue;
            }
            let released = is_release(w.deed.order) || fence(w, before.index, w.index, raddle_event::Fence::is_release);
            let acquired = is_acquire(r.deed.order) || fence(r, r.index, after.index, raddle_event::Fence::is_acquire);
            let weak = match (released, acquired) {
                (true, true) => continue,
                (false, true) => format!("the store is {}", order_of(w)),
                (true, false) => format!("the load is {}", order_of(r)),
                (false, false) => format!("the store is {} and the load {}", order_of(w), order_of(r)),
            };
            found += 1;
            let (thread, stored) = (w.thread, self.at(store));
            let passes = if released { "does not take over" } else { "does not pass on" };
            why.notes
                .push(format!("{}, which {thread} stored{stored}; but {weak}: it {passes} what {thread} did before", self.has_read(load)));
            why.marks.extend(self.mark(store, format!("{thread} stores {} ({})", bare(self.variable(store)), order_of(w))));
            why.marks.extend(self.mark(load, format!("{} reads {} ({})", r.thread, bare(self.variable(load)), order_of(r))));
            why.rows.extend([store, load]);
        }
        found > 0
    }

    /// Where the object was made and freed that an access goes wrong with.
    fn object(&self) -> Why {
        let mut why = Why::default();
        let Some(last) = self.story.rows.len().checked_sub(1) else { return why };
        let thread = self.story.fault.thread;
        let Some(range) = self.row(last).deed.range.filter(|_| self.row(last).thread == thread) else { return self.freed_meanwhile() };
        let rows = || (0..last).rev();
        let is_of =
            |n: &usize| self.row(*n).deed.range.is_some_and(|of| (of.start.0..of.end().max(of.start.0 + 1)).contains(&range.start.0));
        let made = rows().find(|n| self.row(*n).deed.action == "allocate" && is_of(n));
        let freed = rows().find(|n| self.row(*n).deed.action == "free" && is_of(n));
        match made {
            Some(n) => {
                why.notes.push(format!("the object was allocated by {}{}", self.row(n).thread, self.at(n)));
                why.marks.extend(self.mark(n, format!("allocated by {}", self.row(n).thread)));
                why.rows.push(n);
            }
            None => {
                let place = self.row(last).deed.made_at.as_ref().filter(|place| !is_library(place));
                why.notes.extend(place.map(|place| format!("the object was made at {}:{}", file_name(&place.file), place.line)));
                let mark =
                    |place: &Place| MarkedPlace { thread, place: place.clone(), text: "made here".into(), stack: Vec::new(), row: None };
                why.marks.extend(place.map(mark));
            }
        }
        if let Some(n) = freed {
            let by = self.row(n).thread;
            let while_held = rows().find(|&k| self.row(k).thread == thread && k < n && self.row(k).deed.read.is_some());
            why.notes.push(format!("it was freed by {by}{}", self.at(n)));
            if let Some(k) = while_held.filter(|_| by != thread) {
                why.notes.push(format!("before that {}, and nothing kept {by} from freeing it then", self.has_read(k)));
            }
            why.marks.extend(self.mark(n, format!("freed by {by}")));
            why.rows.push(n);
        }
        why.rows.push(last);
        why
    }

    /// An access and a free that nothing orders. What a thread does last with the object is not ordered either.
    fn freed_meanwhile(&self) -> Why {
        let mut why = Why::default();
        let rows = || (0..self.story.rows.len()).rev();
        let Some(freed) = rows().find(|&n| self.row(n).deed.action == "free") else { return why };
        let (by, thread) = (self.row(freed).thread, self.story.fault.thread);
        let is_inside = |range: Range| self.row(freed).deed.range.is_some_and(|of| of.start <= range.start && range.start.0 < of.end());
        let is_other = |n: &usize| {
            let row = self.row(*n);
            *n != freed && row.thread != by && (by == thread || row.thread == thread) && row.deed.range.is_some_and(is_inside)
        };
        let Some(access) = rows().find(is_other) else { return why };
        let other = self.row(access).thread;
        let deed = match self.row(access).deed.action {
            "free" => "frees it too",
            "load" => "reads it",
            _ => "writes to it",
        };
        why.notes.push(format!(
            "{by} frees the object{}, and {other} {deed}{}: neither that nor anything that {other} does later happens before the free",
            self.at(freed),
            self.at(access)
        ));
        why.help.push(
            "who frees an object has to know that nobody uses it any more: let each thread give it up by a release after its last \
             access, and free it only behind an acquire that has read all of these"
                .into(),
        );
        why.marks.extend([self.mark(freed, format!("freed by {by}")), self.mark_of(access)].into_iter().flatten());
        why.rows.extend([access, freed]);
        why
    }

    /// What would have to be stronger, as far as that is shown of the execution.
    fn stronger(&self, why: &mut Why) {
        let access = |weak: &Weak| {
            format!("`memory_order_{}` for the {} at {}:{}", weak.order.word(), weak.what, file_name(&weak.place.file), weak.place.line)
        };
        let accesses: Vec<String> = self.weak.iter().map(access).collect();
        if !accesses.is_empty() {
            let what = if self.race.is_some() { "has no data race" } else { "is impossible" };
            why.help.push(format!("this execution {what} with {}", accesses.join(" and ")));
        }
    }
}

/// Whether two places are in the same line.
pub(crate) fn same_line(a: &Place, b: &Place) -> bool {
    a.file == b.file && a.line == b.line
}

pub(crate) fn bare(code: String) -> String {
    code.trim_matches('`').into()
}

pub(crate) fn order_of(row: &Row) -> &'static str {
    match row.deed.order {
        Some("plain") | None => "not atomic",
        Some(order) => order,
    }
}

fn is_release(order: Option<&str>) -> bool {
    matches!(order, Some("release" | "acq_rel" | "seq_cst"))
}

fn is_acquire(order: Option<&str>) -> bool {
    matches!(order, Some("acquire" | "acq_rel" | "seq_cst"))
}
