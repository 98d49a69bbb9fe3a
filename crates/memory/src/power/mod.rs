//! The axioms of POWER (Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014), kept while events are committed.
//!
//! Commit-before has rf, dependencies, po-loc and barriers, so all edges of the preserved program order and of happens-before go from events committed earlier to ones committed later: a
//! new event has no successors in them. So happens-before is acyclic by itself, and the rows of predecessors of an event never change once it
//! is committed. (The exception is `eieio`, which commit-before does not have: see [`late`].)
//!
//! **Preserved program order.** The four relations ii, ic, ci, cc are reachability in a graph that has two nodes for each event, its initiation and its commit: ii0, ci0 and cc0
//! are edges, and there is an edge from each initiation to the commit of the same event. That is the same least fixed point.
//!
//! **Propagation.** acyclic (co ∪ prop), with prop = (prop-base ∩ W×W) ∪ (com*; prop-base*; sync; hb*), is acyclicity of a graph that again has two nodes for each event: `A`, where
//! edges are co and prop-base ∩ W×W, and `C`, where edges are com; an edge from each `A(e)` to `C(e)`, and one from `C(m)` to `A(e)` where m (prop-base*; sync; hb*) e. Only com
//! edges go back in the order of commits. For a load `A` and `C` are one node.
//!
//! **Observation.** irreflexive (fre; prop; hb*): the part with sync is a cycle of that graph; for the rest, no store that a load comes before may be in `Weak` of the load.

mod coherence;
mod late;
mod mapping;
mod objects;
mod rows;

pub use mapping::MAPPING;
pub use objects::Objects;
pub use rows::Number;

use coherence::{Coherence, Stored};
use mapping::{EIEIO, LWSYNC, SYNC};
use raddle_event::{DepsId, EventId, Fetched, Fetching, LocationId, Parameter, Role, ThreadId, Value};
use rows::{Bits, Relation as R, Rows, each, newest};
use smallvec::SmallVec;

/// An event that is committed.
#[derive(Clone, Debug)]
pub struct Committed {
    pub id: EventId,
    pub parameter: Parameter,
    pub at: Option<LocationId>,
    /// What a store writes.
    pub value: Option<Value>,
    /// What a load reads from, where it is not the initial value.
    source: Option<Number>,
    is_read: bool,
    is_write: bool,
    /// How many events of its thread come before the last eieio.
    eieio: u32,
    /// The last access of the thread to the location before.
    previous: Option<Number>,
    /// The place right after which a store stands, or which a load reads, when it was committed.
    place: usize,
    undo: Undo,
}

/// What to take back besides the event itself.
#[derive(Clone, Debug)]
enum Undo {
    Nothing,
    /// Ancestors of these events were added to.
    Ancestors(SmallVec<[Number; 4]>),
    /// Everything was computed again, also what is behind barriers.
    Rows(Box<(Rows, Vec<Behind>)>),
}

/// The events of one thread.
#[derive(Clone, Debug, Default)]
struct Line {
    /// The number of each event that is committed.
    numbers: Vec<Option<Number>>,
    /// How many events from the first on are committed without a gap.
    n_first: u32,
    /// Events of other threads that are ordered before all events to come, by a spawn or a join.
    before: Behind,
}

/// A set of events that is ordered before others by a full barrier, and the rows that come with it.
#[derive(Clone, Debug, Default)]
pub struct Behind {
    events: Bits,
    rows: [Bits; Behind::RELATIONS.len()],
}

impl Behind {
    const RELATIONS: [R; 6] = [R::Hb, R::Base, R::Bases, R::Strong, R::Weak, R::Cb];
}

/// A graph of committed events that the axioms allow.
#[derive(Default)]
pub struct Power {
    rows: Rows,
    events: Vec<Committed>,
    lines: Vec<Line>,
    orders: Vec<Coherence>,
    reads: Bits,
    /// The loads that read from a store of another thread.
    externals: Bits,
    /// The event whose rows lie ready after those of the committed ones, and what it would read from.
    prepared: Option<(EventId, Option<Number>)>,
    writes: Bits,
}

impl Power {
    /// How many events are committed.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no event is committed.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Learns of the locations and threads seen since the last time.
    pub fn learn(&mut self, n_locations: usize, n_threads: usize) {
        if self.orders.len() < n_locations {
            self.orders.resize_with(n_locations, Coherence::default);
        }
        if self.lines.len() < n_threads {
            self.lines.resize_with(n_threads, Line::default);
        }
    }

    /// The event committed as this number.
    pub fn event(&self, number: Number) -> &Committed {
        &self.events[number.index()]
    }

    /// The number of an event, where it is committed.
    #[inline]
    pub fn number(&self, id: EventId) -> Option<Number> {
        self.lines[id.thread.index()].numbers.get(id.index as usize).copied().flatten()
    }

    #[inline]
    fn committed(&self, thread: ThreadId, index: u32) -> Option<Number> {
        self.lines[thread.index()].numbers.get(index as usize).copied().flatten()
    }

    /// How many events of a thread are committed from the first on.
    pub fn n_first(&self, thread: ThreadId) -> u32 {
        self.lines[thread.index()].n_first
    }

    // Threads

    /// What a thread has done, and what was ordered before that, comes before all that another thread will do.
    pub fn order(&mut self, before: ThreadId, after: ThreadId) {
        let line = &self.lines[before.index()];
        let mut events = line.before.events.clone();
        line.numbers.iter().flatten().for_each(|&number| events.insert(number));
        events.add(&self.lines[after.index()].before.events);
        self.put_behind(after, events);
    }

    /// Puts the events to come of a thread behind others, whose rows are final. The rows are those of an event that does nothing and comes after them all.
    fn put_behind(&mut self, thread: ThreadId, events: Bits) {
        let e = Number(self.events.len() as u32);
        self.prepared = None;
        self.rows.open(e);
        for relation in [R::Sync, R::Fences, R::Cb0] {
            self.rows.add_bits(e, relation, &events);
        }
        self.lines[thread.index()].before = Behind::default();
        self.close(thread, e, false, false, false);
        let rows = Behind::RELATIONS.map(|relation| self.rows.bits(e, relation));
        self.lines[thread.index()].before = Behind { events, rows };
    }

    /// What is ordered before all events to come of a thread, to put it back later.
    pub fn ordered_before(&self, thread: ThreadId) -> Behind {
        self.lines[thread.index()].before.clone()
    }

    /// Puts back what is ordered before the events to come of a thread.
    pub fn put_back(&mut self, thread: ThreadId, before: Behind) {
        self.prepared = None;
        self.lines[thread.index()].before = before;
    }

    // Commit-before

    /// Whether all events that commit-before puts before an event are committed.
    pub fn is_enabled(&self, machine: &impl Fetching, id: EventId, fetched: &Fetched) -> bool {
        let line = &self.lines[id.thread.index()];
        let barrier = fetched.behind(SYNC).max(fetched.behind(LWSYNC));
        let is_committed = |&index: &u32| line.numbers.get(index as usize).is_some_and(|number| number.is_some());
        let all = |deps: DepsId| deps.is_none() || machine.dependencies(id.thread, deps).iter().all(is_committed);
        line.n_first >= barrier
            && fetched.previous.is_none_or(|previous| is_committed(&previous))
            && [fetched.ctrl, fetched.data, fetched.addr, fetched.addr_po].into_iter().all(all)
    }

    /// Whether an event that is committed comes before another in commit-before.
    #[inline]
    pub fn is_before(&self, first: Number, second: Number) -> bool {
        self.rows.contains(second, R::Cb, first)
    }

    /// Computes the rows of an event that is about to be committed, with the store that it reads from where it is a load. Gives the number it will have.
    pub fn prepare(&mut self, machine: &impl Fetching, id: EventId, source: Option<Number>) -> Number {
        let (e, fetched) = (Number(self.events.len() as u32), machine.fetched(id));
        if self.prepared == Some((id, source)) {
            return e;
        }
        self.rows.open(e);
        let deps = [
            (fetched.addr, R::Ii0),
            (fetched.data, R::Ii0),
            (fetched.addr, R::Cc0),
            (fetched.data, R::Cc0),
            (fetched.ctrl_isync, R::Ci0),
            (fetched.ctrl, R::Cc0),
            (fetched.addr_po, R::Cc0),
        ];
        for (set, relation) in deps.into_iter().filter(|(set, _)| !set.is_none()) {
            for &index in machine.dependencies(id.thread, set) {
                let number = self.committed(id.thread, index).expect("commit-before has dependencies");
                self.rows.insert(e, relation, number);
            }
        }
        let previous = fetched.previous.map(|index| self.committed(id.thread, index).expect("commit-before has po-loc"));
        if let Some(previous) = previous {
            self.rows.insert(e, R::Cc0, previous);
        }
        self.rows.add(e, R::Cb0, e, R::Cc0);
        for &index in machine.dependencies(id.thread, fetched.choices) {
            let number = self.committed(id.thread, index).expect("what was chosen is committed");
            self.rows.insert(e, R::Cb0, number);
        }
        self.bar(id.thread, e, fetched);
        if let Some(source) = source {
            self.read_from(id.thread, e, source, previous);
        }
        self.close(id.thread, e, fetched.is_read(), fetched.is_write(), false);
        self.prepared = Some((id, source));
        e
    }

    /// The barriers before an event.
    fn bar(&mut self, thread: ThreadId, e: Number, fetched: &Fetched) {
        let line = &self.lines[thread.index()];
        self.rows.add_bits(e, R::Sync, &line.before.events);
        for (relation, row) in Behind::RELATIONS.into_iter().zip(&line.before.rows) {
            self.rows.add_bits(e, relation, row);
        }
        for &number in line.numbers[..fetched.behind(SYNC) as usize].iter().flatten() {
            self.rows.insert(e, R::Sync, number);
        }
        self.rows.add(e, R::Fences, e, R::Sync);
        self.rows.add(e, R::Cb0, e, R::Sync);
        for &number in line.numbers[..fetched.behind(LWSYNC) as usize].iter().flatten() {
            self.rows.insert(e, R::Cb0, number);
            if fetched.is_write() || self.reads.contains(number) {
                self.rows.insert(e, R::Fences, number);
            }
        }
        let n_eieio = (fetched.behind(EIEIO) as usize).min(line.numbers.len());
        for &number in line.numbers[..n_eieio].iter().flatten().filter(|_| fetched.is_write()) {
            if self.writes.contains(number) {
                self.rows.insert(e, R::Fences, number);
            }
        }
    }

    /// The edges of a load that come with what it reads from: rf, and through it rdw and detour.
    fn read_from(&mut self, thread: ThreadId, e: Number, source: Number, previous: Option<Number>) {
        self.rows.insert(e, R::Cb0, source);
        if self.event(source).id.thread == thread {
            self.rows.insert(e, R::Ii0, source);
            return;
        }
        self.rows.insert(e, R::Hb0, source);
        let mut before = previous;
        while let Some(number) = before {
            let event = &self.events[number.index()];
            before = event.previous;
            if event.is_write {
                self.rows.insert(e, R::Ci0, number);
            } else if event.source != Some(source) {
                self.rows.insert(e, R::Ii0, number);
            }
        }
    }

    /// Closes the relations that end in an event, from its direct edges. `all` says that rows of events before it are not final.
    fn close(&mut self, thread: ThreadId, e: Number, is_read: bool, is_write: bool, all: bool) {
        let (rows, before) = (&mut self.rows, &self.lines[thread.index()].before.events);
        newest!(rows, all, e, R::Ii0, R::Ii, |a| {
            rows.add_with(e, R::Ii, a, R::Ii);
            rows.add(e, R::Ci, a, R::Ci);
        });
        newest!(rows, all, e, R::Ci0, R::Ci, |a| {
            rows.add_with(e, R::Ii, a, R::Ic);
            rows.add_with(e, R::Ci, a, R::Cc);
        });
        rows.add(e, R::Ic, e, R::Ii);
        rows.add(e, R::Cc, e, R::Ci);
        newest!(rows, all, e, R::Cc0, R::Cc, |a| {
            rows.add_with(e, R::Ic, a, R::Ic);
            rows.add_with(e, R::Cc, a, R::Cc);
        });
        if is_read {
            rows.add_masked(e, R::Hb0, e, R::Ii, &self.reads);
        } else if is_write {
            rows.add_masked(e, R::Hb0, e, R::Ic, &self.reads);
        }
        rows.add(e, R::Hb0, e, R::Fences);
        newest!(rows, all, e, R::Hb0, R::Hb, |a| {
            rows.add_with(e, R::Hb, a, R::Hb);
            rows.add(e, R::Base, a, R::Base);
            rows.add(e, R::Strong, a, R::Strong);
            rows.add(e, R::Weak, a, R::Weak);
        });
        rows.add(e, R::Base, e, R::Fences);
        for word in 0..rows.words() {
            let mut loads = rows.word(e, R::Fences, word) & self.externals.word(word) & !before.word(word);
            while loads != 0 {
                let load = word * 64 + loads.trailing_zeros() as usize;
                loads &= loads - 1;
                rows.insert(e, R::Base, self.events[load].source.expect("the source is a store"));
            }
        }
        newest!(rows, all, e, R::Base, R::Bases, |a| rows.add_with(e, R::Bases, a, R::Bases));
        newest!(rows, all, e, R::Sync, R::Strong, |a| rows.add_with(e, R::Strong, a, R::Bases));
        if is_write {
            rows.add_masked(e, R::Weak, e, R::Base, &self.writes);
        }
        newest!(rows, all, e, R::Cb0, R::Cb, |a| rows.add_with(e, R::Cb, a, R::Cb));
        self.propagate(e, is_write, all);
    }

    /// The ancestors of an event in the propagation graph, but for com.
    fn propagate(&mut self, e: Number, is_write: bool, all: bool) {
        let rows = &mut self.rows;
        let (from_c, from_a) = if is_write { (R::PropagationFromC, R::PropagationFromA) } else { (R::CommitFromC, R::CommitFromA) };
        newest!(rows, all, e, R::Strong, from_c, |m| {
            rows.add_with(e, from_c, m, R::CommitFromC);
            rows.add(e, from_a, m, R::CommitFromA);
        });
        if is_write {
            newest!(rows, all, e, R::Base, from_a, |w| {
                if self.writes.contains(w) {
                    rows.add(e, from_c, w, R::PropagationFromC);
                    rows.add_with(e, from_a, w, R::PropagationFromA);
                }
            });
        }
    }

    // Parameters

    /// The lowest place in coherence that an access may have or read, by what its thread has done with the location.
    fn lowest(&self, thread: ThreadId, fetched: &Fetched, order: &Coherence) -> usize {
        let previous = fetched.previous.and_then(|index| self.committed(thread, index));
        previous.map_or(0, |number| {
            let event = self.event(number);
            order.place(if event.is_write { Some(number) } else { event.source })
        })
    }

    /// Whether coherence lets a load read from a store that comes right after `after`, or from one that is no older.
    pub fn may_follow(&self, machine: &impl Fetching, load: EventId, after: Option<Number>) -> bool {
        let fetched = machine.fetched(load);
        let order = &self.orders[fetched.at.expect("a load has a location").index()];
        order.place(after) >= self.lowest(load.thread, fetched, order)
    }

    /// The place of the newest store that a full barrier puts before a load: it sees that one or a newer one.
    fn lowest_behind(&self, thread: ThreadId, fetched: &Fetched, at: LocationId) -> usize {
        let (order, line) = (&self.orders[at.index()], &self.lines[thread.index()]);
        let is_behind = |stored: &Stored| {
            let id = self.event(stored.store).id;
            line.before.events.contains(stored.store) || (id.thread == thread && id.index < fetched.behind(SYNC))
        };
        (1..order.n_places()).rev().find(|&place| order.at(place).is_some_and(is_behind)).unwrap_or(0)
    }

    /// Calls `found` for each store that a load may read from, oldest first.
    pub fn sources(&mut self, machine: &impl Fetching, id: EventId, mut found: impl FnMut(Option<Number>, &Power)) {
        let fetched = machine.fetched(id);
        let at = fetched.at.expect("a load has a location");
        let lowest = self.lowest(id.thread, fetched, &self.orders[at.index()]).max(self.lowest_behind(id.thread, fetched, at));
        for place in lowest..self.orders[at.index()].n_places() {
            let source = self.orders[at.index()].at(place).map(|stored| stored.store);
            let e = self.prepare(machine, id, source);
            if self.may_read(e, at, place) {
                found(source, self);
            }
        }
    }

    /// Whether an event that is prepared may read what stands at a place.
    fn may_read(&self, e: Number, at: LocationId, place: usize) -> bool {
        let order = &self.orders[at.index()];
        let strong = order.next(place).is_none_or(|next| !self.rows.contains(e, R::CommitFromC, next));
        strong && !order.after(place).any(|store| self.rows.contains(e, R::Weak, store))
    }

    /// Calls `found` for each store that a store may come right after.
    pub fn places(&mut self, machine: &impl Fetching, id: EventId, mut found: impl FnMut(Option<Number>)) {
        let fetched = machine.fetched(id);
        let at = fetched.at.expect("a store has a location");
        let pair = self.pair(id.thread, fetched);
        let lowest = self.lowest(id.thread, fetched, &self.orders[at.index()]);
        let e = self.prepare(machine, id, None);
        let is_late = self.is_late(id, fetched);
        for place in lowest..self.orders[at.index()].n_places() {
            let order = &self.orders[at.index()];
            let (stored, next) = (order.at(place).map(|stored| stored.store), order.next(place));
            let has_room = order.has_room(place, id.thread, pair);
            let propagates = next.is_none_or(|next| !self.rows.contains(e, R::PropagationFromA, next));
            if has_room && propagates && (!is_late || self.fits_late(machine, id, place)) {
                found(stored);
            }
        }
    }

    /// For the second half of a read-modify-write: what the first half reads from.
    fn pair(&self, thread: ThreadId, fetched: &Fetched) -> Option<Option<Number>> {
        let Role::Store { pair: Some(read) } = fetched.role else { return None };
        Some(self.event(self.committed(thread, read).expect("commit-before has po-loc")).source)
    }

    /// Whether a store of the thread after an eieio was committed before this one, which stands before the eieio.
    pub fn is_late(&self, id: EventId, fetched: &Fetched) -> bool {
        fetched.is_write() && self.after_eieio(id).next().is_some()
    }

    /// The committed stores of the thread that an eieio puts after an event.
    fn after_eieio(&self, id: EventId) -> impl Iterator<Item = Number> + '_ {
        let numbers = &self.lines[id.thread.index()].numbers;
        let later = numbers.iter().skip(id.index as usize + 1).flatten().copied();
        later.filter(move |number| self.event(*number).is_write && self.event(*number).eieio > id.index)
    }

    fn fits_late(&mut self, machine: &impl Fetching, id: EventId, place: usize) -> bool {
        let at = machine.fetched(id).at.expect("a store has a location");
        let after = self.orders[at.index()].at(place).map(|stored| self.event(stored.store).id);
        self.commit(machine, id, Parameter::After(after), None);
        let fits = self.is_consistent();
        self.undo();
        self.prepare(machine, id, None);
        fits
    }

    /// Whether a load would have no room for the store of its read-modify-write if it read from here.
    pub fn is_taken(&self, at: LocationId, source: Option<Number>, thread: ThreadId) -> bool {
        let order = &self.orders[at.index()];
        order.is_taken(order.place(source), thread)
    }

    // Committing

    /// Commits an event with a parameter that is allowed. `value` is what a store writes.
    pub fn commit(&mut self, machine: &impl Fetching, id: EventId, parameter: Parameter, value: Option<Value>) {
        let fetched = machine.fetched(id);
        let source = match parameter {
            Parameter::Source(source) => source.map(|source| self.number(source).expect("a source is committed")),
            _ => None,
        };
        let e = self.prepare(machine, id, source);
        self.prepared = None;
        let previous = fetched.previous.and_then(|index| self.committed(id.thread, index));
        let place = match (parameter, fetched.at) {
            (Parameter::Source(_), Some(at)) => self.orders[at.index()].place(source),
            (Parameter::After(after), Some(at)) => {
                self.orders[at.index()].place(after.map(|after| self.number(after).expect("it is committed")))
            }
            _ => 0,
        };
        let (is_read, is_write, eieio) = (fetched.is_read(), fetched.is_write(), fetched.behind(EIEIO));
        let committed =
            Committed { id, parameter, at: fetched.at, value, source, is_read, is_write, eieio, previous, place, undo: Undo::Nothing };
        self.events.push(committed);
        let before = self.is_late(id, fetched).then(|| {
            let behind = self.lines.iter().map(|line| line.before.clone()).collect();
            Box::new((self.rows.clone(), behind))
        });
        if is_read {
            self.commit_load(e, fetched.at.expect("a load has a location"), place);
        } else if is_write {
            let pair = self.pair(id.thread, fetched);
            self.commit_store(e, fetched.at.expect("a store has a location"), place, id.thread, pair);
        }
        self.number_event(id, e);
        if let Some(rows) = before {
            self.events[e.index()].undo = Undo::Rows(rows);
            self.commit_late(e);
        }
    }

    fn number_event(&mut self, id: EventId, e: Number) {
        let line = &mut self.lines[id.thread.index()];
        if line.numbers.len() <= id.index as usize {
            line.numbers.resize(id.index as usize + 1, None);
        }
        line.numbers[id.index as usize] = Some(e);
        while line.numbers.get(line.n_first as usize).is_some_and(|number| number.is_some()) {
            line.n_first += 1;
        }
    }

    fn commit_load(&mut self, e: Number, at: LocationId, place: usize) {
        self.reads.insert(e);
        let event = &self.events[e.index()];
        if event.source.is_some_and(|source| self.event(source).id.thread != event.id.thread) {
            self.externals.insert(e);
        }
        let order = &mut self.orders[at.index()];
        order.read(place, e);
        let (source, next) = (order.at(place).map(|stored| stored.store), order.next(place));
        if let Some(source) = source {
            self.rows.add_with(e, R::CommitFromC, source, R::CommitFromC);
            self.rows.add(e, R::CommitFromA, source, R::CommitFromA);
        }
        self.descend(e, next, false);
    }

    fn commit_store(&mut self, e: Number, at: LocationId, place: usize, thread: ThreadId, pair: Option<Option<Number>>) {
        self.writes.insert(e);
        let rows = &mut self.rows;
        let order = &mut self.orders[at.index()];
        let before = order.at(place).map(|stored| stored.store);
        if let Some(before) = before {
            rows.add(e, R::PropagationFromC, before, R::PropagationFromC);
            rows.add_with(e, R::PropagationFromA, before, R::PropagationFromA);
        }
        rows.add(e, R::CommitFromC, e, R::PropagationFromC);
        rows.add_with(e, R::CommitFromA, e, R::PropagationFromA);
        for &number in before.iter().chain(order.readers(place)) {
            rows.add_with(e, R::CommitFromC, number, R::CommitFromC);
            rows.add(e, R::CommitFromA, number, R::CommitFromA);
        }
        let next = order.next(place);
        order.insert(place, Stored { store: e, thread, pair, readers: SmallVec::new() });
        self.descend(e, next, true);
    }

    /// Tells the descendants of an event, which are those of the store that follows on it in coherence, of their new ancestors.
    fn descend(&mut self, e: Number, next: Option<Number>, is_write: bool) {
        let Some(next) = next else { return };
        let mut changed = SmallVec::new();
        let rows = &mut self.rows;
        for y in (0..e.0).map(Number) {
            let commit = [y == next || rows.contains(y, R::CommitFromC, next), rows.contains(y, R::CommitFromA, next)];
            let propagation = [rows.contains(y, R::PropagationFromC, next), y == next || rows.contains(y, R::PropagationFromA, next)];
            if !commit[0] && !propagation[0] && !(is_write && (commit[1] || propagation[1])) {
                continue;
            }
            rows.save(y, R::CommitFromC, R::PropagationFromA);
            changed.push(y);
            for (below, from_c, from_a) in
                [(commit, R::CommitFromC, R::CommitFromA), (propagation, R::PropagationFromC, R::PropagationFromA)]
            {
                if below[0] {
                    rows.add_with(y, from_c, e, R::CommitFromC);
                    rows.add(y, from_a, e, R::CommitFromA);
                }
                if below[1] && is_write {
                    rows.add(y, from_c, e, R::PropagationFromC);
                    rows.add_with(y, from_a, e, R::PropagationFromA);
                }
            }
        }
        self.events[e.index()].undo = Undo::Ancestors(changed);
    }

    /// Takes back the event that was committed last.
    pub fn undo(&mut self) {
        self.prepared = None;
        let event = self.events.pop().expect("some event is committed");
        let e = Number(self.events.len() as u32);
        let line = &mut self.lines[event.id.thread.index()];
        line.numbers[event.id.index as usize] = None;
        line.n_first = line.n_first.min(event.id.index);
        if let Some(at) = event.at {
            let order = &mut self.orders[at.index()];
            if event.is_read {
                self.reads.remove(e);
                self.externals.remove(e);
                order.unread(event.place);
            } else if event.is_write {
                self.writes.remove(e);
                order.remove(event.place);
            }
        }
        match event.undo {
            Undo::Nothing => {}
            Undo::Ancestors(changed) => {
                for &y in changed.iter().rev() {
                    self.rows.restore(y, R::CommitFromC, R::PropagationFromA);
                }
            }
            Undo::Rows(rows) => {
                let (rows, behind) = *rows;
                self.rows = rows;
                self.lines.iter_mut().zip(behind).for_each(|(line, before)| line.before = before);
            }
        }
    }

    // Looking

    /// The loads of a location that are committed, in the order in which they were.
    pub fn loads(&self, at: LocationId) -> impl Iterator<Item = Number> + '_ {
        let at = Some(at);
        (0..self.events.len() as u32).map(Number).filter(move |number| self.event(*number).is_read && self.event(*number).at == at)
    }

    /// The last store that the store of a read-modify-write can come right after: what its load reads from, or a store of the same thread that follows on that.
    pub fn last_for_pair(&self, load: Number) -> Option<Number> {
        let event = self.event(load);
        let order = &self.orders[event.at.expect("a load has a location").index()];
        let mut place = order.place(event.source);
        while place + 1 < order.n_places() && order.at(place + 1).is_some_and(|stored| stored.thread == event.id.thread) {
            place += 1;
        }
        order.at(place).map(|stored| stored.store)
    }

    /// The last store of a location in coherence.
    pub fn last(&self, at: LocationId) -> Option<Number> {
        let order = &self.orders[at.index()];
        order.at(order.n_places() - 1).map(|stored| stored.store)
    }

    /// Whether a load reads from the last store in coherence.
    pub fn reads_last(&self, load: Number) -> bool {
        let event = self.event(load);
        event.at.is_none_or(|at| self.last(at) == event.source)
    }

    /// The last of those stores `among` that come before a store in coherence.
    pub fn last_before(&self, store: Number, among: impl Fn(Number) -> bool) -> Option<Number> {
        let order = &self.orders[self.event(store).at.expect("a store has a location").index()];
        let place = order.place(Some(store));
        (1..place).rev().filter_map(|place| order.at(place)).map(|stored| stored.store).find(|&other| among(other))
    }

    /// How many events come before an event in commit-before, of those `among`.
    pub fn n_before(&self, event: Number, among: impl Fn(Number) -> bool) -> usize {
        let mut n = 0;
        each!(self.rows, event, R::Cb, |other| n += among(other) as usize);
        n
    }
}
