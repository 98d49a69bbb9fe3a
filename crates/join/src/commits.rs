//! A machine that fetches out of order and a model whose events are committed out of order, joined into an execution
//! model that RSMC can run.
//!
//! What is no event happens as soon as it can: a thread is spawned when all events of its parent are committed, a join
//! passes when all events of both threads are; an object that a thread makes is there from when the thread is fetched.
//!
//! What becomes of accesses to objects that cease to be is in [`crate::ends`].

use crate::core::{Core, Stop};
use crate::intruders::Line;
use raddle_event::{EventId, Fault, FaultKind, Fetched, Fetching, Guard, LocationId, Mapping, Position, Reply, Role, ThreadId, Value, Way};
use raddle_explore::{Commits, Race, Ways};
use raddle_machine::{FaultAt, Halt, Instance, Limits, MANY_EVENTS, OutOfOrder, Sites, What};
use raddle_memory::commits::{CommitModel, Objects};
use raddle_program::Program;

/// How to go back to before an event was committed.
struct Before {
    machine: usize,
    objects: usize,
    n_faults: usize,
    n_orders: usize,
    n_parked: usize,
}

/// Where in a thread something goes wrong, in program order: behind so many of its events, and whether by the next of
/// them. Else by a computation before that one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Within {
    n_before: u32,
    by_event: bool,
}

impl Within {
    /// Where the thread was not fetched on.
    const LAST: Within = Within::event(u32::MAX);

    pub(crate) const fn event(index: u32) -> Within {
        Within { n_before: index, by_event: true }
    }
}

/// What a fault means for its thread.
#[derive(Clone, Copy)]
struct Means {
    at: Within,
    /// Whether the thread gets no further in any order of commits. It does where an access and the end of the object
    /// come in either order.
    stops: bool,
}

/// A program running under a model whose events are committed out of order.
pub struct Committing<'p, M: CommitModel> {
    /// The threads, fetched ahead of what is committed.
    pub machine: OutOfOrder<'p>,
    /// The graph of what is committed, with the axioms.
    pub model: M,
    /// The objects in shared memory.
    pub objects: Objects,
    /// For each event of the run how to go back.
    marks: Vec<Before>,
    /// What was ordered before the events to come of a thread, before a spawn or join changed it.
    orders: Vec<(ThreadId, M::Behind)>,
    /// The same orders, by how many events of each thread they are between.
    pub(crate) lines: Vec<Line>,
    /// For each thread how many of the objects that it made are there.
    n_arrived: Vec<usize>,
    /// Where nothing was left to select: the reads for which threads wait in loops, with what they refuse, and the
    /// stores of those that are read-modify-writes.
    pub(crate) awaiting: Vec<(EventId, Way)>,
    /// Of these threads those that would find other values now by what they do before that in the round.
    pub(crate) stale: Vec<ThreadId>,
    /// The loads that are parked: they find what leads their threads round their loops, and may do so for ever.
    pub(crate) parked: Vec<EventId>,
    /// Whether graphs that the axioms allow may not have been reached: some load came after a compare-exchange of its
    /// thread only because it could not be guessed whether that succeeds.
    pub misses_graphs: bool,
    /// The faults and stops of the present run.
    pub core: Core,
    /// For each fault what it means for its thread.
    meanings: Vec<Means>,
}

impl<'p, M: CommitModel> Committing<'p, M> {
    /// The limits of a machine whose loops wait.
    pub fn limits(limits: &Limits) -> Limits {
        Limits { awaits: true, looks_twice: true, ..limits.clone() }
    }

    /// A program at its start. The table says what orders and fences become.
    pub fn new(program: &'p Program, limits: Limits, sites: Sites, mapping: Mapping, keep_going: bool) -> Committing<'p, M> {
        Committing::of(OutOfOrder::new(program, Self::limits(&limits), sites, mapping), keep_going)
    }

    /// A machine whose threads have just started, with an empty graph.
    pub fn of(machine: OutOfOrder<'p>, keep_going: bool) -> Committing<'p, M> {
        let limits = machine.limits();
        let (many_events, tracked) = (limits.events.min(MANY_EVENTS) as usize, limits.uninitialised);
        let mut committing = Committing {
            machine,
            model: M::default(),
            objects: Objects::new(tracked),
            marks: Vec::new(),
            orders: Vec::new(),
            lines: Vec::new(),
            n_arrived: Vec::new(),
            awaiting: Vec::new(),
            stale: Vec::new(),
            parked: Vec::new(),
            misses_graphs: false,
            core: Core::new(keep_going, many_events),
            meanings: Vec::new(),
        };
        if let Some(image) = committing.machine.first_image() {
            committing.objects.adopt(&image, committing.machine.addresses());
        }
        committing.settle();
        committing
    }

    pub(crate) fn instance(&self, event: EventId) -> &Instance {
        &self.machine.events(event.thread)[event.index as usize]
    }

    pub(crate) fn fetched(&self, event: EventId) -> &Fetched {
        self.machine.fetched(event)
    }

    // What is no event

    /// Lets everything happen that is no event.
    fn settle(&mut self) {
        loop {
            self.learn();
            let mut threads = (0..self.machine.n_threads()).map(|n| ThreadId(n as u32)).filter(|&thread| self.machine.has_started(thread));
            let Some(thread) = threads.find(|&thread| self.can_pass(thread)) else { break };
            self.pass(thread);
        }
        for thread in (0..self.machine.n_threads()).map(|n| ThreadId(n as u32)) {
            if self.machine.has_started(thread) {
                self.look_at(thread);
            }
        }
        if self.machine.is_contradicted() {
            self.core.contradict();
        }
    }

    pub(crate) fn learn(&mut self) {
        self.model.learn(self.machine.locations().len(), self.machine.n_threads());
        self.objects.learn(self.machine.locations(), self.machine.addresses());
        self.n_arrived.resize(self.machine.n_threads(), 0);
        for (n, arrived) in self.n_arrived.iter_mut().enumerate() {
            let thread = ThreadId(n as u32);
            let arrivals = if self.machine.has_started(thread) { self.machine.arrivals(thread) } else { &[] };
            *arrived = (*arrived).min(arrivals.len());
            for arrival in &arrivals[*arrived..] {
                self.objects.arrive(arrival, self.machine.addresses());
            }
            *arrived = arrivals.len();
        }
    }

    /// Whether all events of a thread that are fetched are committed.
    pub(crate) fn is_drained(&self, thread: ThreadId) -> bool {
        self.model.graph().n_first(thread) as usize == self.machine.events(thread).len()
    }

    fn can_pass(&self, thread: ThreadId) -> bool {
        match *self.machine.halt(thread) {
            Halt::Spawn { .. } => self.is_drained(thread),
            // A thread whose access went wrong has no answer, and perhaps no result.
            Halt::Join { joined, .. } => self.is_drained(thread) && self.has_ended(joined) && self.machine.results(joined).is_some(),
            _ => false,
        }
    }

    pub(crate) fn has_ended(&self, thread: ThreadId) -> bool {
        self.machine.has_started(thread) && matches!(self.machine.halt(thread), Halt::Ended(_)) && self.is_drained(thread)
    }

    /// Orders what one thread has done before all that another will do.
    fn order(&mut self, before: ThreadId, after: ThreadId) {
        self.orders.push((after, self.model.behind(after).clone()));
        let n_events = |thread: ThreadId| self.model.graph().n_first(thread);
        self.lines.push(Line { before: (before, n_events(before)), after: (after, n_events(after)) });
        self.model.order(before, after);
    }

    fn pass(&mut self, thread: ThreadId) {
        match *self.machine.halt(thread) {
            Halt::Spawn { child, function, argument } => {
                if let Some(image) = self.machine.image(thread) {
                    self.objects.adopt(&image, self.machine.addresses());
                }
                self.machine.start((child, function, argument));
                self.learn();
                self.order(thread, child);
                self.machine.proceed(thread, Reply::Done);
            }
            Halt::Join { joined, wanted } => {
                let results = self.machine.results(joined).expect("the events of a thread that has ended are answered");
                let result = if wanted { results.first().copied().unwrap_or(0) } else { 0 };
                self.order(joined, thread);
                self.machine.proceed(thread, Reply::Value(Value::Word(result)));
            }
            _ => unreachable!("the thread waits at a spawn or a join"),
        }
    }

    /// Notes what a thread has come to.
    fn look_at(&mut self, thread: ThreadId) {
        if self.core.stop.is_some() {
            return;
        }
        let moment = || self.machine.moment(thread);
        match self.machine.halt(thread) {
            Halt::Fault(fault) => {
                let at = FaultAt { fault: fault.clone(), thread, moment: moment() };
                self.go_wrong(at, Within::LAST, true);
            }
            Halt::Unsupported(what) => self.core.stop_by(Stop::Unsupported { what: what.clone(), thread, moment: moment() }),
            Halt::Endless => self.core.stop_by(Stop::Endless { thread, moment: moment() }),
            _ => {}
        }
        if let Some((kind, moment, n_before)) = self.machine.wrong(thread) {
            let what = match kind {
                FaultKind::DivisionByZero => "division by zero, or a quotient that does not fit",
                _ => "an assumption that the compiler was told does not hold",
            };
            self.go_wrong(FaultAt { fault: Fault::new(kind, what), thread, moment }, Within { n_before, by_event: false }, true);
        }
    }

    /// A thread goes wrong. Where an execution ends with a fault, the first that is found counts.
    pub(crate) fn go_wrong(&mut self, fault: FaultAt, at: Within, stops: bool) {
        let is_known = |known: &FaultAt| {
            known.thread == fault.thread
                && (!self.core.keeps_going() || (known.fault.kind == fault.fault.kind && known.moment == fault.moment))
        };
        if !self.core.faults.iter().any(is_known) {
            self.core.faults.push(fault);
            self.meanings.push(Means { at, stops });
        }
    }

    /// An event of a thread goes wrong.
    pub(crate) fn fail_by(&mut self, event: EventId, fault: Fault, stops: bool) {
        let moment = self.machine.moment_of(event.thread, event.index);
        self.go_wrong(FaultAt { fault, thread: event.thread, moment }, Within::event(event.index), stops);
    }

    /// The faults of the run: of each thread those up to the first in program order at which it stops, as where threads
    /// run in order. None count in a run that was stopped before all stores had found their places.
    pub(crate) fn listed_faults(&self) -> Vec<FaultAt> {
        if self.core.stop.is_some() && self.lacks_stores() {
            return Vec::new();
        }
        let faults = || self.core.faults.iter().zip(&self.meanings);
        let first =
            |thread: ThreadId| faults().filter(|(fault, means)| fault.thread == thread && means.stops).map(|(_, means)| means.at).min();
        let is_reached = |(fault, means): &(&FaultAt, &Means)| first(fault.thread).is_none_or(|first| means.at <= first);
        faults().filter(is_reached).map(|(fault, _)| fault.clone()).collect()
    }

    // Committing

    /// What a load reads from a source.
    pub(crate) fn value(&self, at: LocationId, source: Option<EventId>) -> Value {
        match source {
            Some(source) => self.stored(source),
            None => self.objects.initial(at),
        }
    }

    /// What a store writes, which is committed or about to be.
    fn stored(&self, store: EventId) -> Value {
        let committed = self.model.graph().number(store).and_then(|number| self.model.graph().event(number).value.clone());
        committed.unwrap_or_else(|| self.machine.content(store.thread, store.index).expect("what a source writes is known"))
    }

    /// The committed events of the run, each with its way, but for loads that are parked.
    pub fn run(&self) -> Vec<(EventId, Way)> {
        let events = (0..self.model.graph().len() as u32).map(|n| self.model.graph().event(Position(n)));
        events.filter(|event| event.way != Way::Parked).map(|event| (event.id, event.way)).collect()
    }

    /// Notes of which compare-exchange it should have been guessed whether it succeeds, while that is fetched.
    fn note_not_guessed(&mut self) {
        if let Some(store) = self.model.take_not_guessed() {
            self.misses_graphs |= !self.machine.guess(store);
        }
    }

    // Selecting

    /// The store of the read-modify-write whose load was committed last.
    fn second_half(&self) -> Option<EventId> {
        let last = self.model.graph().event(Position(self.model.graph().len().checked_sub(1)? as u32)).id;
        let What::Read { exclusive: true, .. } = self.instance(last).what else { return None };
        let events = self.machine.events(last.thread);
        let store = |event: &Instance| event.fetched.role == Role::Store { pair: Some(last.index) };
        let index = last.index + 1 + events[last.index as usize + 1..].iter().position(store)? as u32;
        let id = EventId { thread: last.thread, index };
        self.is_enabled(id).then_some(id)
    }

    /// Whether an event can be committed: all that commit-before puts before it is, and what it writes is known. That
    /// is not so behind an access that went wrong.
    fn is_enabled(&self, id: EventId) -> bool {
        let fetched = self.fetched(id);
        let is_known = || !fetched.is_write() || self.is_void(id) || self.machine.content(id.thread, id.index).is_some();
        self.model.graph().number(id).is_none() && self.model.is_enabled(&self.machine, id) && is_known()
    }

    /// Whether an event is a load that may read from a store of its own thread before that is committed.
    fn may_forward(&self, id: EventId) -> bool {
        let Instance { fetched, what, .. } = self.instance(id);
        self.model.graph().number(id).is_none() && fetched.at.is_some() && matches!(what, What::Read { .. })
    }

    /// Whether an event is the store of a compare-exchange that fails.
    pub(crate) fn is_void(&self, id: EventId) -> bool {
        self.machine.happens(id) == Some(false)
    }

    /// Whether a loop may be waiting for what a load reads.
    pub(crate) fn may_await(&self, load: EventId) -> bool {
        self.machine.may_await(load.thread, load.index)
    }

    /// What the value must be for which an event waits. The load of a compare-exchange that is guessed does not wait.
    fn guard(&self, id: EventId) -> Option<Guard> {
        match self.instance(id).what {
            What::Read { guard, .. } if !self.machine.is_guess(id) => guard,
            _ => None,
        }
    }

    /// Whether an event waits for some values only: a load with a guard, or one that a loop may be waiting for.
    fn is_guarded(&self, id: EventId) -> bool {
        self.guard(id).is_some() || self.may_await(id)
    }

    /// Whether a load does not wait for the value that a source has. A loop that is waiting does not where it would be
    /// in the same state again. An access that is wrong is not waited for.
    fn is_wanted(&mut self, id: EventId, at: LocationId, guard: Option<Guard>, source: Option<EventId>) -> bool {
        if let Some(guard) = guard {
            return guard.holds(self.value(at, source).word());
        }
        let is_there = !self.objects.is_freed(at) && self.objects.check(at).is_ok();
        let is_right = is_there && (source.is_some() || self.objects.is_initialised(at));
        if !is_right || !self.may_await(id) {
            return true;
        }
        let value = self.value(at, source);
        self.goes_round(id, &value).is_none()
    }

    /// The events that are fetched and not committed, by thread.
    pub(crate) fn uncommitted(&self) -> impl Iterator<Item = EventId> + '_ {
        self.machine.threads().flat_map(|thread| {
            let events = self.model.graph().n_first(thread)..self.machine.events(thread).len() as u32;
            events.map(move |index| EventId { thread, index }).filter(|&id| self.model.graph().number(id).is_none())
        })
    }

    /// Whether a store is left for which there may be no place, or a guess that has not come true. What goes wrong
    /// counts only once it has.
    fn lacks_stores(&self) -> bool {
        self.uncommitted().any(|id| self.model.is_lacking(&self.machine, id)) || !self.holds()
    }

    /// Whether a read-modify-write of another thread has taken a source. Nobody else sees a store that is not
    /// committed.
    fn is_taken(&self, at: LocationId, source: Option<EventId>, thread: ThreadId) -> bool {
        let graph = self.model.graph();
        let number = source.map(|source| graph.number(source));
        number != Some(None) && graph.is_taken(at, number.flatten(), thread)
    }

    /// The sources that a load may read from, and for the load of a read-modify-write whether another one has taken the
    /// source.
    fn sources(&mut self, id: EventId, mut found: impl FnMut(Way, bool)) {
        let Instance { fetched, what, .. } = self.instance(id);
        let (at, &What::Read { exclusive, .. }) = (fetched.at.expect("a load has a location"), what) else {
            unreachable!("only loads have sources")
        };
        let guard = self.guard(id);
        let mut sources = Vec::new();
        self.model.sources(&self.machine, id, |source| sources.push(source));
        if !self.may_await(id) {
            for source in sources {
                if guard.is_none_or(|guard| guard.holds(self.value(at, source).word())) {
                    let taken = exclusive && self.is_taken(at, source, id.thread);
                    found(Way::From(source), taken);
                }
            }
            return;
        }
        let (wanted, refused): (Vec<_>, Vec<_>) = sources.into_iter().partition(|&source| self.is_wanted(id, at, guard, source));
        let is_taken: Vec<bool> = wanted.iter().map(|&source| exclusive && self.is_taken(at, source, id.thread)).collect();
        if !refused.is_empty() {
            let open = wanted.iter().zip(&is_taken).filter(|(_, is_taken)| !**is_taken).map(|(source, _)| *source);
            if self.refuses_later(at, open, &refused) {
                let value = self.value(at, refused[0]);
                self.leave_behind(id, &value);
            }
        }
        wanted.into_iter().zip(is_taken).for_each(|(source, is_taken)| found(Way::From(source), is_taken));
    }

    /// Whether there is something that a load can read and wants.
    fn is_open(&mut self, load: EventId) -> bool {
        let mut is_open = false;
        self.sources(load, |_, taken| is_open |= !taken);
        is_open
    }
}

impl<M: CommitModel> Commits for Committing<'_, M> {
    fn select(&mut self) -> Option<EventId> {
        self.awaiting.clear();
        if let Some(store) = self.second_half() {
            return Some(store);
        }
        if let Some(id) = self.uncommitted().find(|&id| !self.is_guarded(id) && self.is_enabled(id)) {
            return Some(id);
        }
        let guarded: Vec<EventId> = self.uncommitted().filter(|&id| self.is_enabled(id)).collect();
        let open = guarded.iter().copied().find(|&id| self.is_open(id));
        if open.is_none() {
            self.look_at_awaiting(guarded);
        }
        open
    }

    fn enabled(&mut self, into: &mut Vec<EventId>) {
        // Where nothing else is left, loops that wait are noted. The second half of a read-modify-write goes at once.
        let Some(selected) = self.select() else { return };
        if self.second_half() == Some(selected) {
            into.push(selected);
            return;
        }
        let all: Vec<EventId> = self.uncommitted().filter(|&id| self.is_enabled(id)).collect();
        into.extend(all.into_iter().filter(|&id| !self.is_guarded(id) || self.is_open(id)));
    }

    fn role(&self, event: EventId) -> Role {
        if self.is_void(event) { Role::Other } else { self.fetched(event).role }
    }

    fn ways(&mut self, event: EventId, into: &mut Ways) {
        match self.instance(event).what {
            What::Read { .. } => {
                // What is tried last comes first.
                let parks = self.may_await(event) && self.machine.may_stay(event);
                into.extend(parks.then_some(Way::Parked));
                self.sources(event, |source, _| into.push(source));
            }
            What::Write { .. } if self.is_void(event) => into.push(Way::Only),
            What::Write { .. } => {
                self.model.places(&self.machine, event, |after| into.push(Way::After(after)));
            }
            What::Choose { n } => into.extend((0..n).rev().map(Way::Outcome)),
            What::Free { .. } => into.push(Way::Only),
        }
    }

    fn can_commit(&mut self, event: EventId, way: Way) -> bool {
        let EventId { thread, index } = event;
        let is_fetched = self.machine.has_started(thread) && (index as usize) < self.machine.events(thread).len();
        let mut ways = Ways::new();
        if is_fetched && (self.is_enabled(event) || self.may_forward(event)) {
            self.ways(event, &mut ways);
        }
        ways.contains(&way)
    }

    fn retain_readable(&mut self, _: EventId, load: EventId, ways: &mut Ways) {
        ways.retain(|way| match *way {
            Way::After(after) => {
                let after = after.map(|after| self.model.graph().number(after).expect("it is committed"));
                self.model.graph().may_follow(&self.machine, load, after)
            }
            _ => true,
        });
    }

    fn commit(&mut self, event: EventId, way: Way) {
        self.marks.push(Before {
            machine: self.machine.mark(),
            objects: self.objects.mark(),
            n_faults: self.core.faults.len(),
            n_orders: self.orders.len(),
            n_parked: self.parked.len(),
        });
        // Who waited before this event may go on now, and a run that goes wrong is not asked what is left.
        self.awaiting.clear();
        if way == Way::Parked {
            self.parked.push(event);
        }
        let n_events = self.model.graph().len();
        if self.core.is_long(n_events) && self.core.is_impatient(n_events, self.machine.limits().patience_now()) {
            let (thread, moment) = (event.thread, self.machine.moment_of(event.thread, event.index));
            self.core.stop_by(Stop::Endless { thread, moment });
        }
        let Instance { fetched, what, .. } = self.instance(event);
        let (what, at) = (what.clone(), fetched.at);
        let is_access = matches!(what, What::Read { .. } | What::Write { .. }) && !matches!(way, Way::Only | Way::Parked);
        let value = self.machine.content(event.thread, event.index);
        let is_changed = matches!(what, What::Free { .. }) || value.is_some();
        at.filter(|_| is_changed).into_iter().for_each(|at| self.machine.note_word(at, value.as_ref()));
        self.model.commit(&self.machine, event, way, value);
        self.note_not_guessed();
        let is_wrong = at.filter(|_| is_access).is_some_and(|at| self.is_wrong_access(event, at, way));
        if !is_wrong {
            match what {
                What::Read { .. } if way == Way::Parked => {}
                What::Read { .. } => {
                    let Way::From(source) = way else { unreachable!("a load reads from a source") };
                    let value = self.value(at.expect("a load has a location"), source);
                    self.machine.answer(event.thread, event.index, &value);
                }
                What::Choose { .. } => {
                    let Way::Outcome(outcome) = way else { unreachable!("a choice has an outcome") };
                    self.machine.answer(event.thread, event.index, &Value::Word(outcome as u64));
                }
                What::Free { .. } => self.free(event),
                What::Write { .. } => {}
            }
        }
        self.settle();
    }

    fn len(&self) -> usize {
        self.marks.len()
    }

    fn rewind(&mut self, n: usize) {
        self.note_not_guessed();
        while self.marks.len() > n {
            let mark = self.marks.pop().expect("the run is longer");
            for (thread, before) in self.orders.drain(mark.n_orders..).rev() {
                self.model.put_back(thread, before);
            }
            self.lines.truncate(mark.n_orders);
            self.model.undo();
            self.machine.rewind(mark.machine);
            self.objects.rewind(mark.objects);
            self.core.rewind(mark.n_faults);
            self.meanings.truncate(mark.n_faults);
            self.parked.truncate(mark.n_parked);
            self.learn();
        }
    }

    fn event(&self, at: usize) -> EventId {
        self.model.graph().event(Position(at as u32)).id
    }

    fn races(&mut self, store: EventId, into: &mut Vec<Race>) {
        let fetched = self.fetched(store);
        let at = fetched.at.expect("a store has a location");
        let pair = match fetched.role {
            Role::Store { pair: Some(load) } => self.model.graph().number(EventId { index: load, ..store }),
            _ => None,
        };
        let written = self.machine.content(store.thread, store.index).expect("what an enabled store writes is known").word();
        let e = self.model.look_at(&self.machine, store);
        let way = |load: Position| self.model.graph().event(load).way;
        for load in self.model.graph().loads(at).filter(|&load| !self.model.is_before(load, e)) {
            let id = self.model.graph().event(load).id;
            if id.thread == store.thread {
                continue;
            }
            let What::Read { exclusive, .. } = self.instance(id).what else { unreachable!("it is a load") };
            let guard = self.guard(id);
            let may_follow =
                pair.is_none_or(|pair| self.model.graph().may_follow(&self.machine, id, self.model.graph().last_for_pair(pair)));
            let reads = may_follow && guard.is_none_or(|guard| guard.holds(written));
            let takes = exclusive && pair.is_some_and(|pair| way(pair) == way(load));
            if reads || takes {
                into.push(Race { load: load.index(), reads, takes });
            }
        }
    }

    fn is_needed(&self, at: usize) -> bool {
        self.model.is_before(Position(at as u32), Position(self.model.graph().len() as u32))
    }

    fn n_before(&self, at: usize, among: &dyn Fn(usize) -> bool) -> usize {
        self.model.n_before(Position(at as u32), |other| among(other.index()))
    }

    fn way(&self, at: usize, among: &dyn Fn(usize) -> bool) -> Way {
        let number = Position(at as u32);
        match self.model.graph().event(number).way {
            Way::After(_) => {
                let after = self.model.graph().last_before(number, |other| among(other.index()));
                Way::After(after.map(|after| self.model.graph().event(after).id))
            }
            way => way,
        }
    }

    fn waiting(&mut self, into: &mut Vec<(EventId, Way)>) {
        let guarded: Vec<EventId> = self.uncommitted().filter(|&id| self.is_guarded(id) && self.is_enabled(id)).collect();
        for id in guarded {
            self.sources(id, |source, _| into.push((id, source)));
        }
    }

    fn awaits(&self, load: EventId) -> bool {
        self.model.graph().number(load).is_none() && self.may_await(load)
    }

    fn refuse(&mut self, load: EventId, store: EventId) {
        let value = self.stored(store);
        self.leave_behind(load, &value);
    }

    fn all_stay(&mut self) -> bool {
        self.all_parked_stay()
    }

    fn store_of(&mut self, _: EventId) -> Option<EventId> {
        self.second_half().filter(|&store| !self.is_void(store))
    }

    fn holds(&self) -> bool {
        self.machine.guesses().all(|(read, is_true)| is_true == Some(true) && self.model.graph().number(read).is_some())
    }

    fn is_over(&self) -> bool {
        // No run ends between the halves of a read-modify-write, nor by what comes of a guess that is still open.
        let is_open = || match self.core.stop {
            Some(Stop::Unsupported { .. }) => !self.holds(),
            _ => false,
        };
        let stopped = self.core.stop.is_some() && self.second_half().is_none() && !is_open();
        stopped || (self.core.is_over() && !self.lacks_stores())
    }
}
