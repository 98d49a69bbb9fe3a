//! What is looked for while an execution goes on, where somebody asks: data races, and cycles that SC does not have.

use crate::schedules::Scheduled;
use raddle_event::{Action, Fault, FaultKind, LocationId, Position, Reply, Taken, ThreadId, Who};
use raddle_machine::{AtomicBlocks, Kind, Limits, Next};
use raddle_memory::cycles::{self, Cycles};
use raddle_memory::happens::{self, Happens};

/// Who looks on.
#[derive(Default)]
pub(crate) struct Watched {
    happens: Option<Happens>,
    cycles: Option<Cycles>,
    /// For each event how to go back to before it, where somebody asks for races, and where somebody asks for cycles.
    happens_marks: Vec<happens::Mark>,
    cycles_marks: Vec<cycles::Mark>,
}

impl Watched {
    /// Nothing has happened; nobody looks on where nobody asks. Blocks are unknown where somebody asks for cycles, and
    /// where stores do not wait there are none.
    pub fn new(limits: &Limits, is_direct: bool) -> Option<Box<Watched>> {
        let happens = limits.races.then(Happens::default);
        let cycles = (limits.blocks == AtomicBlocks::Unknown && !is_direct).then(Cycles::default);
        let is_asked = happens.is_some() || cycles.is_some();
        is_asked.then(|| Box::new(Watched { happens, cycles, ..Watched::default() }))
    }

    /// Learns how many locations and threads there are.
    pub fn widen(&mut self, n_locations: usize, n_threads: usize) {
        self.happens.iter_mut().for_each(|happens| happens.widen(n_locations, n_threads));
        self.cycles.iter_mut().for_each(|cycles| cycles.widen(n_threads));
    }

    /// The present point, as far as blocks go.
    pub fn mark(&self) -> happens::Mark {
        self.happens.as_ref().map(Happens::mark).unwrap_or_default()
    }

    /// Goes back to a point within an event.
    pub fn rewind_in_event(&mut self, mark: happens::Mark) {
        self.happens.iter_mut().for_each(|happens| happens.rewind(mark));
    }

    /// An event begins.
    #[inline]
    pub fn begin(&mut self) {
        if let Some(happens) = &self.happens {
            self.happens_marks.push(happens.mark());
        }
        if let Some(cycles) = &self.cycles {
            self.cycles_marks.push(cycles.mark());
        }
    }

    /// Goes back to before an event.
    pub fn rewind(&mut self, at: Position) {
        if let Some(happens) = &mut self.happens {
            happens.rewind(self.happens_marks[at.index()]);
            self.happens_marks.truncate(at.index());
        }
        if let Some(cycles) = &mut self.cycles {
            cycles.rewind(self.cycles_marks[at.index()], at.index());
            self.cycles_marks.truncate(at.index());
        }
    }

    /// Who looks for a race that has not been found yet.
    #[inline]
    fn looking(&mut self) -> Option<&mut Happens> {
        self.happens.as_mut().filter(|happens| !happens.has_race())
    }

    /// A thread has joined another.
    pub fn join(&mut self, thread: ThreadId, other: ThreadId) {
        if let Some(happens) = self.looking() {
            happens.join(thread, other);
        }
    }
}

impl Scheduled<'_> {
    /// A thread has taken a step and was answered. It still stands where it acts.
    #[inline(never)]
    pub(crate) fn watch_step(&mut self, thread: ThreadId, reply: &Reply, (taken, at): (&Taken, Position)) {
        if let Some(cycles) = self.watched.as_mut().and_then(|watched| watched.cycles.as_mut()) {
            cycles.step(thread, taken, at);
        }
        self.watch(thread, reply);
    }

    /// A thread has done something in memory and was answered. It still stands where it acts.
    pub(crate) fn watch_access(&mut self, thread: ThreadId, reply: &Reply) {
        self.watch(thread, reply);
    }

    /// The same, built into its caller.
    #[inline(always)]
    fn watch(&mut self, thread: ThreadId, reply: &Reply) {
        let Some(happens) = self.watched.as_mut().and_then(|watched| watched.looking()) else { return };
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
        if matches!(reply, Reply::Fault(_)) {
            return;
        }
        let part = match *action {
            Action::Read { at, order, .. } if order.is_atomic() => self.memory.part_of_memory(thread, at, self.machine.locations()),
            _ => None,
        };
        if happens.did(thread, (action, reply), part.as_deref(), self.machine.locations()) {
            self.race(thread);
        }
    }

    /// A thread has done something silently, and had put so many stores into its buffer before. It still stands where
    /// it acts.
    #[inline(never)]
    pub(crate) fn watch_silent(&mut self, thread: ThreadId, n_stores: u32) {
        let Some(watched) = &mut self.watched else { return };
        let Next::Action(action) = self.machine.next(thread) else { unreachable!("the thread acts") };
        let Action::Write { at, order, .. } = *action else {
            self.watch_access(thread, &Reply::Done);
            return;
        };
        // One that waits for the buffer to be empty comes here once more.
        if self.memory.n_stores(thread) == n_stores {
            return;
        }
        watched.cycles.iter_mut().for_each(|cycles| cycles.wait(thread));
        if watched.looking().is_some_and(|happens| happens.buffered(thread, at, order, self.machine.locations())) {
            self.race(thread);
        }
    }

    /// A store of a thread is about to leave the buffer: which of them it is and where it stores, where somebody asks.
    #[inline]
    fn leaving(&self, who: Who) -> Option<(u32, LocationId)> {
        self.watched.as_ref().map(|_| self.memory.leaving_store(who))
    }

    /// A store of a thread has left the buffer, and reached memory unless that is wrong.
    #[inline(never)]
    fn watch_update(&mut self, thread: ThreadId, (count, written): (u32, LocationId), (taken, at): (&Taken, Position), is_wrong: bool) {
        let Some(watched) = &mut self.watched else { return };
        match &mut watched.cycles {
            Some(cycles) if is_wrong => cycles.lose(),
            Some(cycles) => cycles.reach((thread, count), taken, at),
            None => {}
        }
        if let Some(happens) = watched.looking().filter(|_| !is_wrong) {
            happens.reached(thread, count, written, self.machine.locations());
        }
    }

    /// Takes an update.
    #[inline]
    pub(crate) fn take_update(&mut self, who: Who, at: Position, taken: &mut Taken) {
        let (thread, leaving) = (who.thread(), self.leaving(who));
        let fault = self.memory.update(who, at, self.machine.locations(), taken);
        if let Some(leaving) = leaving {
            self.watch_update(thread, leaving, (taken, at), fault.is_some());
        }
        if let Some(fault) = fault {
            self.core.fail(thread, fault, self.machine.moment(thread));
        }
    }

    /// What a thread is doing races with something that was done before.
    #[cold]
    fn race(&mut self, thread: ThreadId) {
        let fault = Fault::new(FaultKind::DataRace, format!("{thread} and another thread access this in no order"));
        self.core.fail(thread, fault, self.machine.moment(thread));
    }

    /// Whether there may be a race that is not among the faults: by the last looks of threads that wait for values,
    /// which are no events.
    pub(crate) fn may_race_in_vain(&self) -> bool {
        let happens = self.watched.as_ref().and_then(|watched| watched.happens.as_ref());
        let is_open = happens.is_none_or(|happens| !happens.has_race());
        is_open
            && self.machine.has_awaits()
            && (0..self.machine.n_threads()).any(|n| self.machine.ahead(ThreadId(n as u32)).kind == Kind::Awaits)
    }

    /// Whether what has happened has a cycle that SC does not have, where somebody asks.
    pub(crate) fn cycle(&self) -> bool {
        self.watched.as_ref().and_then(|watched| watched.cycles.as_ref()).is_some_and(Cycles::has_cycle)
    }
}
