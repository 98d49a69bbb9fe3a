//! The axioms of POWER (Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014), kept while events are committed.
//!
//! Commit-before has rf, dependencies, po-loc and barriers, so all edges of the preserved program order and of
//! happens-before go from events committed earlier to ones committed later: a new event has no successors in them. So
//! happens-before is acyclic by itself, and the rows of predecessors of an event never change once it is committed.
//! (The exception is `eieio`, which [`commit_before`] does not have: see [`late`].)
//!
//! **Preserved program order.** The four relations ii, ic, ci, cc are reachability in a graph that has two nodes for
//! each event, its initiation and its commit: ii0, ci0 and cc0 are edges, and there is an edge from each initiation to
//! the commit of the same event. That is the same least fixed point.
//!
//! **Propagation.** acyclic (co ∪ prop), with prop = (prop-base ∩ W×W) ∪ (com*; prop-base*; sync; hb*), is acyclicity
//! of a graph that again has two nodes for each event: `A`, where edges are co and prop-base ∩ W×W, and `C`, where
//! edges are com; an edge from each `A(e)` to `C(e)`, and one from `C(m)` to `A(e)` where m (prop-base*; sync; hb*) e.
//! Only com edges go back in the order of commits. For a load `A` and `C` are one node.
//!
//! **Observation.** irreflexive (fre; prop; hb*): the part with sync is a cycle of that graph; for the rest, no store
//! that a load comes before may be in `Weak` of the load.

mod commit_before;
mod late;
mod mapping;
mod relation;

pub use mapping::MAPPING;

use crate::commits::rows::{Bits, newest};
use crate::commits::{CommitGraph, CommitModel, Rows, Stored};
use mapping::{EIEIO, SYNC};
use raddle_event::{EventId, Fetched, Fetching, LocationId, Position, ThreadId, Value, Way};
use relation::Relation as R;
use smallvec::SmallVec;

/// What to take back besides the event itself.
#[derive(Clone, Debug)]
enum Undo {
    Nothing,
    /// Ancestors of these events were added to.
    Ancestors(SmallVec<[Position; 4]>),
    /// Everything was computed again, also what is behind barriers.
    Rows(Box<(Rows<R>, Vec<Behind>)>),
}

/// A set of events that is ordered before others by a full barrier, and the rows that come with it.
#[derive(Clone, Debug, Default)]
pub struct Behind {
    events: Bits,
    rows: [Bits; Behind::RELATIONS.len()],
}

impl AsRef<Bits> for Behind {
    fn as_ref(&self) -> &Bits {
        &self.events
    }
}

impl Behind {
    const RELATIONS: [R; 6] = [R::Hb, R::Base, R::Bases, R::Strong, R::Weak, R::Cb];
}

/// What POWER keeps of an event besides.
#[derive(Clone, Debug)]
struct Extra {
    /// How many events of its thread come before the last eieio.
    eieio: u32,
    undo: Undo,
}

/// A graph of committed events that the axioms allow.
#[derive(Default)]
pub struct Power {
    rows: Rows<R>,
    graph: CommitGraph,
    /// For each event what the graph does not know of it.
    extras: Vec<Extra>,
    /// For each thread the events of others that are ordered before all its events to come, by a spawn or a join.
    behind: Vec<Behind>,
    reads: Bits,
    /// The loads that read from a store of another thread.
    externals: Bits,
    /// The event whose rows lie ready after those of the committed ones, and what it would read from.
    prepared: Option<(EventId, Option<Position>)>,
    writes: Bits,
}

impl Power {
    // Closing

    /// Closes the relations that end in an event, from its direct edges. `all` says that rows of events before it are
    /// not final.
    fn close(&mut self, thread: ThreadId, e: Position, is_read: bool, is_write: bool, all: bool) {
        let (rows, before) = (&mut self.rows, &self.behind[thread.index()].events);
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
                rows.insert(e, R::Base, self.graph.events[load].source.expect("the source is a store"));
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
    fn propagate(&mut self, e: Position, is_write: bool, all: bool) {
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

    // Ways

    /// The place of the newest store that a full barrier puts before a load: it sees that one or a newer one.
    fn lowest_behind(&self, thread: ThreadId, fetched: &Fetched, at: LocationId) -> usize {
        let (order, behind) = (self.graph.order(at), &self.behind[thread.index()]);
        let is_behind = |stored: &Stored| {
            let id = self.graph.event(stored.store).id;
            behind.events.contains(stored.store) || (id.thread == thread && id.index < fetched.behind(SYNC))
        };
        (1..order.n_places()).rev().find(|&place| order.at(place).is_some_and(is_behind)).unwrap_or(0)
    }

    /// Whether an event that is prepared may read what stands at a place.
    fn may_read(&self, e: Position, at: LocationId, place: usize) -> bool {
        let order = self.graph.order(at);
        let strong = order.next(place).is_none_or(|next| !self.rows.contains(e, R::CommitFromC, next));
        strong && !order.after(place).any(|store| self.rows.contains(e, R::Weak, store))
    }

    /// Whether a store of the thread after an eieio was committed before this one, which stands before the eieio.
    fn is_late(&self, id: EventId, fetched: &Fetched) -> bool {
        fetched.is_write() && self.after_eieio(id).next().is_some()
    }

    /// The committed stores of the thread that an eieio puts after an event.
    fn after_eieio(&self, id: EventId) -> impl Iterator<Item = Position> + '_ {
        let numbers = &self.graph.lines[id.thread.index()].numbers;
        let later = numbers.iter().skip(id.index as usize + 1).flatten().copied();
        later.filter(move |number| self.graph.event(*number).is_write() && self.extras[number.index()].eieio > id.index)
    }

    fn fits_late(&mut self, machine: &impl Fetching, id: EventId, place: usize) -> bool {
        let at = machine.fetched(id).at.expect("a store has a location");
        let after = self.graph.order(at).at(place).map(|stored| self.graph.event(stored.store).id);
        self.commit(machine, id, Way::After(after), None);
        let fits = self.is_consistent();
        self.undo();
        self.prepare(machine, id, None);
        fits
    }

    // Committing

    fn commit_load(&mut self, e: Position, at: LocationId, place: usize) {
        self.reads.insert(e);
        let event = &self.graph.events[e.index()];
        if event.source.is_some_and(|source| self.graph.event(source).id.thread != event.id.thread) {
            self.externals.insert(e);
        }
        let order = &mut self.graph.orders[at.index()];
        order.read(place, e);
        let (source, next) = (order.at(place).map(|stored| stored.store), order.next(place));
        if let Some(source) = source {
            self.rows.add_with(e, R::CommitFromC, source, R::CommitFromC);
            self.rows.add(e, R::CommitFromA, source, R::CommitFromA);
        }
        self.descend(e, next, false);
    }

    fn commit_store(&mut self, e: Position, at: LocationId, place: usize, thread: ThreadId, pair: Option<Option<Position>>) {
        self.writes.insert(e);
        let rows = &mut self.rows;
        let order = &mut self.graph.orders[at.index()];
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

    /// Tells the descendants of an event, which are those of the store that follows on it in coherence, of their new
    /// ancestors.
    fn descend(&mut self, e: Position, next: Option<Position>, is_write: bool) {
        let Some(next) = next else { return };
        let mut changed = SmallVec::new();
        let rows = &mut self.rows;
        for y in (0..e.0).map(Position) {
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
        self.extras[e.index()].undo = Undo::Ancestors(changed);
    }
}

impl CommitModel for Power {
    type Behind = Behind;
    type Relation = R;

    const NAME: &'static str = "POWER";
    const COMMIT_BEFORE: R = R::Cb;

    fn graph(&self) -> &CommitGraph {
        &self.graph
    }

    fn rows(&self) -> &Rows<R> {
        &self.rows
    }

    fn parts(&mut self) -> (&mut CommitGraph, &mut Vec<Behind>) {
        self.prepared = None;
        (&mut self.graph, &mut self.behind)
    }

    fn behind(&self, thread: ThreadId) -> &Behind {
        &self.behind[thread.index()]
    }

    /// The rows of these events are final. The rows behind them are those of an event that does nothing and comes after
    /// them all.
    fn put_behind(&mut self, thread: ThreadId, events: Bits) {
        let e = self.graph.next();
        self.prepared = None;
        self.rows.open(e);
        for relation in [R::Sync, R::Fences, R::Cb0] {
            self.rows.add_bits(e, relation, &events);
        }
        self.behind[thread.index()] = Behind::default();
        self.close(thread, e, false, false, false);
        let rows = Behind::RELATIONS.map(|relation| self.rows.bits(e, relation));
        self.behind[thread.index()] = Behind { events, rows };
    }

    fn is_enabled(&self, machine: &impl Fetching, id: EventId) -> bool {
        self.is_ready(machine, id)
    }

    fn look_at(&mut self, machine: &impl Fetching, store: EventId) -> Position {
        self.prepare(machine, store, None)
    }

    fn sources(&mut self, machine: &impl Fetching, id: EventId, mut found: impl FnMut(Option<EventId>)) {
        let fetched = machine.fetched(id);
        let at = fetched.at.expect("a load has a location");
        let lowest = self.graph.lowest(machine, id).max(self.lowest_behind(id.thread, fetched, at));
        for place in lowest..self.graph.order(at).n_places() {
            let source = self.graph.order(at).at(place).map(|stored| stored.store);
            let e = self.prepare(machine, id, source);
            if self.may_read(e, at, place) {
                found(source.map(|source| self.graph.event(source).id));
            }
        }
    }

    fn places(&mut self, machine: &impl Fetching, id: EventId, mut found: impl FnMut(Option<EventId>)) {
        let fetched = machine.fetched(id);
        let at = fetched.at.expect("a store has a location");
        let pair = self.graph.pair(id.thread, fetched);
        let lowest = self.graph.lowest(machine, id);
        let e = self.prepare(machine, id, None);
        let is_late = self.is_late(id, fetched);
        for place in lowest..self.graph.order(at).n_places() {
            let order = self.graph.order(at);
            let (stored, next) = (order.at(place).map(|stored| stored.store), order.next(place));
            let has_room = order.has_room(place, id.thread, pair);
            let propagates = next.is_none_or(|next| !self.rows.contains(e, R::PropagationFromA, next));
            if has_room && propagates && (!is_late || self.fits_late(machine, id, place)) {
                found(stored.map(|stored| self.graph.event(stored).id));
            }
        }
    }

    fn is_lacking(&self, machine: &impl Fetching, id: EventId) -> bool {
        self.is_late(id, machine.fetched(id)) || self.graph.has_begun(machine, id)
    }

    fn commit(&mut self, machine: &impl Fetching, id: EventId, way: Way, value: Option<Value>) {
        let fetched = machine.fetched(id);
        let source = match way {
            Way::From(source) => source.map(|source| self.graph.number(source).expect("a source is committed")),
            _ => None,
        };
        self.prepare(machine, id, source);
        self.prepared = None;
        let e = self.graph.push(machine, id, way, value);
        self.extras.push(Extra { eieio: fetched.behind(EIEIO), undo: Undo::Nothing });
        let before = self.is_late(id, fetched).then(|| Box::new((self.rows.clone(), self.behind.clone())));
        let place = self.graph.event(e).place;
        if self.graph.event(e).is_read() {
            self.commit_load(e, fetched.at.expect("a load has a location"), place);
        } else if fetched.is_write() {
            let pair = self.graph.pair(id.thread, fetched);
            self.commit_store(e, fetched.at.expect("a store has a location"), place, id.thread, pair);
        }
        self.graph.number_event(id, e);
        if let Some(rows) = before {
            self.extras[e.index()].undo = Undo::Rows(rows);
            self.commit_late(e);
        }
    }

    fn undo(&mut self) {
        self.prepared = None;
        self.graph.pop();
        let (e, extra) = (self.graph.next(), self.extras.pop().expect("some event is committed"));
        for set in [&mut self.reads, &mut self.externals, &mut self.writes] {
            set.remove(e);
        }
        match extra.undo {
            Undo::Nothing => {}
            Undo::Ancestors(changed) => {
                for &y in changed.iter().rev() {
                    self.rows.restore(y, R::CommitFromC, R::PropagationFromA);
                }
            }
            Undo::Rows(rows) => (self.rows, self.behind) = *rows,
        }
    }
}
