//! Commit-before: what must be committed before an event is: what its dependencies come from, the access before it to
//! the same location, all before a `sync` or `lwsync` that it is behind, and for a load the store that it reads from.

use super::mapping::{EIEIO, LWSYNC, SYNC};
use super::relation::Relation as R;
use super::{Behind, Power};
use raddle_event::{DepsId, EventId, Fetched, Fetching, Position, ThreadId};

impl Power {
    /// Whether all events that commit-before puts before an event are committed, whatever it reads from.
    pub(super) fn is_ready(&self, machine: &impl Fetching, id: EventId) -> bool {
        let (line, fetched) = (&self.graph.lines[id.thread.index()], machine.fetched(id));
        let barrier = fetched.behind(SYNC).max(fetched.behind(LWSYNC));
        let is_committed = |&index: &u32| line.numbers.get(index as usize).is_some_and(|number| number.is_some());
        let all = |deps: DepsId| deps.is_none() || machine.dependencies(id.thread, deps).iter().all(is_committed);
        line.n_first >= barrier
            && fetched.previous.is_none_or(|previous| is_committed(&previous))
            && [fetched.ctrl, fetched.data, fetched.addr, fetched.addr_po].into_iter().all(all)
    }

    /// Computes the rows of an event that is about to be committed, with the store that it reads from where it is a
    /// load. Gives the number it will have.
    pub(super) fn prepare(&mut self, machine: &impl Fetching, id: EventId, source: Option<Position>) -> Position {
        let (e, fetched) = (self.graph.next(), machine.fetched(id));
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
                let number = self.graph.committed(id.thread, index).expect("commit-before has dependencies");
                self.rows.insert(e, relation, number);
            }
        }
        let previous = fetched.previous.map(|index| self.graph.committed(id.thread, index).expect("commit-before has po-loc"));
        if let Some(previous) = previous {
            self.rows.insert(e, R::Cc0, previous);
        }
        self.rows.add(e, R::Cb0, e, R::Cc0);
        for &index in machine.dependencies(id.thread, fetched.choices) {
            let number = self.graph.committed(id.thread, index).expect("what was chosen is committed");
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
    fn bar(&mut self, thread: ThreadId, e: Position, fetched: &Fetched) {
        let (line, behind) = (&self.graph.lines[thread.index()], &self.behind[thread.index()]);
        self.rows.add_bits(e, R::Sync, &behind.events);
        for (relation, row) in Behind::RELATIONS.into_iter().zip(&behind.rows) {
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
    fn read_from(&mut self, thread: ThreadId, e: Position, source: Position, previous: Option<Position>) {
        self.rows.insert(e, R::Cb0, source);
        if self.graph.event(source).id.thread == thread {
            self.rows.insert(e, R::Ii0, source);
            return;
        }
        self.rows.insert(e, R::Hb0, source);
        let mut before = previous;
        while let Some(number) = before {
            let event = &self.graph.events[number.index()];
            before = event.previous;
            if event.is_write() {
                self.rows.insert(e, R::Ci0, number);
            } else if event.source != Some(source) {
                self.rows.insert(e, R::Ii0, number);
            }
        }
    }
}
