//! What comes before an event in its own thread: locally-ordered-before, and what commit-before adds to it.
//!
//! Of a chain of accesses that order one another only the last is looked at: an acquire comes before all that follows
//! it, another acquire included; a release comes after all that precede it.

use super::AArch64;
use super::mapping::{A, A_OR_Q, AL, DMB, DMB_LD, DMB_ST, L};
use super::relation::Relation as R;
use crate::commits::rows::each;
use raddle_event::{Annotation, DepsId, EventId, Fetched, Fetching, Position, Role, ThreadId};
use smallvec::SmallVec;

/// The own store from which a load would read if there were no other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearest {
    None,
    Store(EventId),
    /// It is not known yet which it is.
    Unknown,
}

impl AArch64 {
    fn is_committed(&self, thread: ThreadId, index: u32) -> bool {
        self.graph.committed(thread, index).is_some()
    }

    fn all_committed(&self, machine: &impl Fetching, thread: ThreadId, deps: DepsId) -> bool {
        deps.is_none() || machine.dependencies(thread, deps).iter().all(|&index| self.is_committed(thread, index))
    }

    /// The last event before with one of these annotations that happens; `Err` where that is not known yet.
    fn last_annotated(&self, machine: &impl Fetching, id: EventId, annotation: Annotation) -> Result<Option<u32>, ()> {
        let mut last = machine.fetched(id).last_annotated(annotation);
        while let Some(index) = last {
            let event = EventId { index, ..id };
            match machine.happens(event) {
                Some(true) => break,
                Some(false) => last = machine.fetched(event).last_annotated(annotation),
                None => return Err(()),
            }
        }
        Ok(last)
    }

    /// Whether what locally-ordered-before and dependencies put before an event is committed, whatever it reads from.
    pub(super) fn is_ready(&self, machine: &impl Fetching, id: EventId) -> bool {
        let (thread, fetched) = (id.thread, machine.fetched(id));
        let deps = [fetched.ctrl, fetched.data, fetched.addr, fetched.addr_po];
        let pair = if let Role::Store { pair } = fetched.role { pair } else { None };
        let are_known = deps.into_iter().all(|deps| self.all_committed(machine, thread, deps));
        if !are_known || pair.is_some_and(|load| !self.is_committed(thread, load)) {
            return false;
        }
        if machine.happens(id) == Some(false) {
            return true;
        }
        let n_first = self.graph.n_first(thread);
        let is_behind = |event: u32, matters: &dyn Fn(EventId, &Fetched) -> bool| {
            (n_first..event)
                .map(|index| EventId { thread, index })
                .all(|other| self.graph.number(other).is_some() || !matters(other, machine.fetched(other)))
        };
        let is_annotated = |annotation: Annotation| {
            self.last_annotated(machine, id, annotation).is_ok_and(|last| last.is_none_or(|last| self.is_committed(thread, last)))
        };
        n_first >= fetched.behind(DMB)
            && (!fetched.annotation.has(L) || n_first >= id.index)
            && is_behind(fetched.behind(DMB_LD), &|_, other| other.is_read())
            && (fetched.is_read() || is_behind(fetched.behind(DMB_ST), &|other, it| it.is_write() && machine.happens(other) != Some(false)))
            && is_annotated(A_OR_Q)
            && is_annotated(AL)
            && (!fetched.annotation.has(A) || is_annotated(L))
    }

    /// The own store nearest to a load, and whether the loads of the location between them are committed.
    pub(super) fn nearest(&self, machine: &impl Fetching, load: EventId) -> (Nearest, bool) {
        let (mut before, mut all) = (machine.fetched(load).previous, true);
        while let Some(index) = before {
            let event = EventId { index, ..load };
            let fetched = machine.fetched(event);
            match (fetched.role, machine.happens(event)) {
                (Role::Load, _) => all &= self.graph.number(event).is_some(),
                (Role::Store { .. }, Some(true)) => return (Nearest::Store(event), all),
                (Role::Store { .. }, Some(false)) => {}
                (Role::Store { .. }, None) => return (Nearest::Unknown, all),
                (Role::Other, _) => return (Nearest::None, all && self.graph.number(event).is_some()),
            }
            before = fetched.previous;
        }
        (Nearest::None, all)
    }

    /// Whether all accesses of the thread to the location before are committed.
    pub(super) fn follows_own(&self, machine: &impl Fetching, id: EventId) -> bool {
        match self.nearest(machine, id) {
            (Nearest::None, all) => all,
            (Nearest::Store(store), all) => all && self.graph.number(store).is_some(),
            (Nearest::Unknown, _) => false,
        }
    }

    fn insert(&mut self, e: Position, relation: R, thread: ThreadId, index: u32) {
        let number = self.graph.committed(thread, index).expect("commit-before has what comes before");
        self.rows.insert(e, relation, number);
    }

    fn insert_all(&mut self, machine: &impl Fetching, e: Position, relation: R, (thread, deps): (ThreadId, DepsId)) {
        for &index in machine.dependencies(thread, deps) {
            self.insert(e, relation, thread, index);
        }
    }

    /// The direct predecessors of an event in its own thread. `source` is the own store that a load reads from.
    pub(super) fn put_behind_others(&mut self, machine: &impl Fetching, id: EventId, e: Position, source: Option<EventId>) {
        let (thread, fetched) = (id.thread, machine.fetched(id));
        for deps in [fetched.ctrl, fetched.addr, fetched.data, fetched.addr_po, fetched.choices] {
            self.insert_all(machine, e, R::Cb0, (thread, deps));
        }
        if let Role::Store { pair: Some(load) } = fetched.role {
            self.insert(e, R::Cb0, thread, load);
        }
        if machine.happens(id) == Some(false) {
            return;
        }
        self.depend(machine, e, thread, fetched);
        self.bar(machine, e, id);
        if let Role::Store { pair: Some(load) } = fetched.role {
            self.insert(e, R::Ob0, thread, load);
        }
        let behind = &self.behind[thread.index()];
        self.rows.add_bits(e, R::Ob0, behind);
        self.wait_for_comparisons(machine, e, id);
        self.follow_own(machine, e, id, source);
        if let Some(source) = source {
            self.forward(machine, e, id, source);
        }
        self.rows.add(e, R::Cb0, e, R::Ob0);
    }

    /// addr, data, ctrl;[W], addr;po;[W], and (ctrl ∪ addr;po);[ISB];po;[R].
    fn depend(&mut self, machine: &impl Fetching, e: Position, thread: ThreadId, fetched: &Fetched) {
        let more = if fetched.is_read() { [fetched.ctrl_isync, DepsId::NONE] } else { [fetched.ctrl, fetched.addr_po] };
        for deps in [fetched.addr, fetched.data].into_iter().chain(more) {
            self.insert_all(machine, e, R::Ob0, (thread, deps));
        }
    }

    /// Barriers, acquires and releases.
    fn bar(&mut self, machine: &impl Fetching, e: Position, id: EventId) {
        let (thread, fetched) = (id.thread, machine.fetched(id));
        let all = if fetched.annotation.has(L) { id.index } else { fetched.behind(DMB) };
        let line = &self.graph.lines[thread.index()];
        for &number in line.numbers[..all as usize].iter().flatten() {
            self.rows.insert(e, R::Ob0, number);
        }
        let upto = |kind: u32| &line.numbers[..(kind as usize).min(line.numbers.len())];
        for &number in upto(fetched.behind(DMB_LD)).iter().flatten().filter(|number| self.graph.event(**number).is_read()) {
            self.rows.insert(e, R::Ob0, number);
        }
        let stores = if fetched.is_read() { 0 } else { fetched.behind(DMB_ST) };
        for &number in upto(stores).iter().flatten().filter(|number| self.graph.event(**number).is_write()) {
            self.rows.insert(e, R::Ob0, number);
        }
        let released = if fetched.annotation.has(A) { L } else { Annotation::default() };
        for annotation in [A_OR_Q, AL, released] {
            if let Ok(Some(last)) = self.last_annotated(machine, id, annotation) {
                self.insert(e, R::Ob0, thread, last);
            }
        }
    }

    /// po-loc: before a store in ordered-before, before a load that reads from another thread in commit-before only.
    fn follow_own(&mut self, machine: &impl Fetching, e: Position, id: EventId, source: Option<EventId>) {
        let fetched = machine.fetched(id);
        let relation = if fetched.is_write() { R::Ob0 } else { R::Cb0 };
        let mut before = fetched.previous;
        while let Some(index) = before {
            let event = EventId { index, ..id };
            if Some(event) == source {
                return;
            }
            let happens = machine.happens(event) == Some(true);
            if let Some(number) = self.graph.number(event).filter(|_| happens) {
                self.rows.insert(e, relation, number);
            }
            let fetched = machine.fetched(event);
            if happens && !fetched.is_read() {
                return;
            }
            before = fetched.previous;
        }
    }

    /// An event comes after what decides about stores of own compare-exchanges that would come before it, or from which
    /// it could read. Where nothing else orders that, whether they succeed has to be guessed.
    fn wait_for_comparisons(&mut self, machine: &impl Fetching, e: Position, id: EventId) {
        for store in self.comparisons(machine, id) {
            let deciding = machine.dependencies(id.thread, machine.fetched(store).ctrl);
            let is_ordered = |&index: &u32| self.is_read_behind(machine, id, store, index) || self.comes_after(e, id.thread, index);
            if !deciding.iter().all(is_ordered) {
                self.not_guessed = Some(store);
            }
            for &index in deciding {
                if let Some(number) = self.graph.committed(id.thread, index) {
                    self.rows.insert(e, R::Cb0, number);
                }
            }
        }
    }

    /// The stores of own compare-exchanges that may or may not happen and matter to an event: those of the location
    /// after the last that is certain; for an acquire the releases after the last that is certain; for a store those
    /// before the last `DMB ST`.
    fn comparisons(&self, machine: &impl Fetching, id: EventId) -> SmallVec<[EventId; 2]> {
        let (fetched, mut found) = (machine.fetched(id), SmallVec::new());
        let mut look = |mut before: Option<u32>, next: &dyn Fn(&Fetched) -> Option<u32>| {
            while let Some(store) = before.map(|index| EventId { index, ..id }) {
                let (other, decided) = (machine.fetched(store), self.is_comparison(machine, store));
                match decided {
                    true if !found.contains(&store) => found.push(store),
                    true => {}
                    false if other.is_write() => return,
                    false => {}
                }
                before = next(other);
            }
        };
        look(fetched.previous, &|other| other.previous);
        if fetched.annotation.has(A) {
            look(fetched.last_annotated(L), &|other| other.last_annotated(L));
        }
        if fetched.is_write() {
            let earlier = (0..fetched.behind(DMB_ST)).map(|index| EventId { index, ..id });
            found.extend(earlier.filter(|&store| self.is_comparison(machine, store)));
        }
        found
    }

    /// Whether an event is the store of a compare-exchange that is not guessed to succeed: only what is stored where
    /// the comparison holds depends on its own load by control.
    fn is_comparison(&self, machine: &impl Fetching, store: EventId) -> bool {
        let fetched = machine.fetched(store);
        let Role::Store { pair: Some(first) } = fetched.role else { return false };
        machine.dependencies(store.thread, fetched.ctrl).contains(&first) && !machine.is_guess(EventId { index: first, ..store })
    }

    /// Whether a load comes after the load of a compare-exchange where it reads what that stores: rmw;rfi;[A or Q].
    fn is_read_behind(&self, machine: &impl Fetching, id: EventId, store: EventId, index: u32) -> bool {
        let (load, other) = (machine.fetched(id), machine.fetched(store));
        load.is_read() && load.at == other.at && load.annotation.has(A_OR_Q) && other.role == Role::Store { pair: Some(index) }
    }

    /// Whether the direct predecessors that an event has so far put it behind another event of its thread.
    fn comes_after(&self, e: Position, thread: ThreadId, index: u32) -> bool {
        let Some(number) = self.graph.committed(thread, index) else { return false };
        let mut is_behind = false;
        for relation in [R::Ob0, R::Cb0] {
            each!(self.rows, e, relation, |direct| is_behind |= direct == number || self.rows.contains(direct, R::Cb, number));
        }
        is_behind
    }

    /// Whether what a load comes after because it reads an own store is committed: rmw;rfi;[A or Q].
    pub(super) fn is_ready_to_forward(&self, machine: &impl Fetching, load: EventId, store: EventId) -> bool {
        match machine.fetched(store).role {
            Role::Store { pair: Some(first) } if machine.fetched(load).annotation.has(A_OR_Q) => self.is_committed(load.thread, first),
            _ => true,
        }
    }

    /// A load that reads an own store: (addr ∪ data);rfi, and rmw;rfi;[A or Q]. That the store happens must be known,
    /// or guessed.
    fn forward(&mut self, machine: &impl Fetching, e: Position, load: EventId, store: EventId) {
        let fetched = machine.fetched(store);
        for deps in [fetched.addr, fetched.data] {
            self.insert_all(machine, e, R::Ob0, (load.thread, deps));
        }
        let pair = if let Role::Store { pair } = fetched.role { pair } else { None };
        if !pair.is_some_and(|index| machine.is_guess(EventId { index, ..load })) {
            self.insert_all(machine, e, R::Cb0, (load.thread, fetched.ctrl));
        }
        if let Some(first) = pair
            && machine.fetched(load).annotation.has(A_OR_Q)
        {
            self.insert(e, R::Ob0, load.thread, first);
        }
    }
}
