//! Finds all graphs by adding steps one by one, with every source of a load and every place of a store in coherence
//! that the axioms allow.
//!
//! **None is missed.** Under these models po ∪ rf has no cycle: where rf enters a thread at a load and leaves it at a
//! later store, memory order keeps the load before the store. So the steps of a graph that is allowed can be added in
//! an order that keeps po and rf (and spawns and joins), and what has been added at any time is itself a graph that is
//! allowed, because its relations are those of the whole graph between fewer accesses, and what has no cycle has none
//! in a part. The load added last finds its sources in the graph, and the store added last one of the places that are
//! tried. A thread that waits for ever is no obstacle: a graph is *complete*, and is counted, when each thread has
//! ended or waits for what is not in memory after the last store in coherence, whether or not an earlier store could
//! have let it go on.
//!
//! **None is found twice.** Of the orders that keep po and rf only the first in the dictionary is followed, by number
//! of threads: a step is added only if every step since it could have been added is of a thread with a smaller number.
//! There is one such order for each graph.

use super::{Access, AccessId, Added, Candidate, PartialOrder, Set, ThreadState, Turn};
use crate::judgement::Trace;
use crate::orders::{Buffering, Demand};
use raddle_event::{Action, Address, Guard, LocationId, Range, Reply, Rmw, ThreadId, Value};
use raddle_machine::{Lead, LiesThere, Machine, Mark, Next};
use raddle_program::FunctionId;

/// The graphs of a program.
#[derive(Debug)]
pub enum Graphs {
    /// Of each complete one its trace, in no order, none of them twice.
    All(Vec<Trace>),
    /// There are more than was asked for, or it takes too many steps to find them.
    TooMany,
    /// The program does something that these axioms have no words for.
    Unsupported(String),
}

/// All graphs of the program of a machine whose threads have just started, if there are at most so many.
pub fn enumerate(machine: Machine, buffering: Buffering, most: usize) -> Graphs {
    if !buffering.is_direct() && buffering.bound().is_some() {
        return Graphs::Unsupported("a bound of the buffers".into());
    }
    let most_steps = most.saturating_mul(STEPS_PER_GRAPH);
    let mut growing = Growing { graph: Candidate::new(machine, buffering), found: Vec::new(), most, steps_left: most_steps };
    match growing.grow() {
        Ok(()) => Graphs::All(growing.found),
        Err(why) => why,
    }
}

/// A graph is given up where so many steps were tried for each that may be found.
const STEPS_PER_GRAPH: usize = 100;

type Grown = Result<(), Graphs>;

struct Growing<'p> {
    graph: Candidate<'p>,
    found: Vec<Trace>,
    most: usize,
    steps_left: usize,
}

/// A graph before a step.
struct Before {
    mark: Mark,
    n_accesses: usize,
    n_objects: usize,
    order: PartialOrder,
    threads: Vec<ThreadState>,
}

/// Where the bytes of a load come from, and the memory order with that.
type Sources = (Vec<Option<AccessId>>, PartialOrder);

impl Growing<'_> {
    /// Finds all complete graphs that have this one in them.
    fn grow(&mut self) -> Grown {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Graphs::TooMany)?;
        if self.graph.is_complete()? {
            if self.found.len() == self.most {
                return Err(Graphs::TooMany);
            }
            self.found.push(self.graph.trace());
        }
        for thread in self.graph.machine.threads().collect::<Vec<_>>() {
            if let Some(action) = self.graph.machine.action(thread).cloned() {
                let before = self.graph.before();
                self.extend(thread, &action)?;
                self.graph.go_back(before);
            }
        }
        Ok(())
    }

    /// Adds the next step of a thread in every way.
    fn extend(&mut self, thread: ThreadId, action: &Action) -> Grown {
        let range = action.location().map(|at| self.graph.machine.locations().range(at));
        let range = range.unwrap_or(Range { start: Address(0), size: 0 });
        match *action {
            Action::Read { at, guard: Some(Guard::Ended), .. } => self.join(thread, at),
            Action::Read { guard, .. } => self.load(&Load { thread, range, guard, rmw: None, reserves: false }),
            Action::Rmw { rmw, .. } => {
                self.graph.pass(thread, Demand::Drain);
                self.load(&Load { thread, range, guard: rmw.guard, rmw: Some(rmw), reserves: false })
            }
            Action::Reserve { .. } => {
                self.graph.pass(thread, Demand::Drain);
                self.graph.thread(thread).reserved = Some(self.graph.next_access());
                self.load(&Load { thread, range, guard: None, rmw: None, reserves: true })
            }
            Action::Write { ref value, order, .. } => {
                let (in_front, waits) = self.graph.buffering.store(order);
                let behind = if waits { Demand::Drain } else { Demand::None };
                self.graph.pass(thread, in_front);
                self.store(&Store { thread, range, value, reserved_by: None, behind })
            }
            Action::WriteReserved { ref value, .. } => {
                self.graph.pass(thread, Demand::Drain);
                let reserved_by = self.graph.thread(thread).reserved.take();
                self.store(&Store { thread, range, value, reserved_by, behind: Demand::Drain })
            }
            Action::Fence(of) => {
                self.graph.pass(thread, self.graph.buffering.fence(of));
                self.step(thread, Added::Silent, Reply::Done)
            }
            Action::Spawn { child, function, argument } => self.spawn(thread, child, FunctionId(function), argument),
            Action::Choose { n } => (0..n).try_for_each(|outcome| self.step(thread, Added::Choice(outcome), Reply::Chosen(outcome))),
            Action::Allocate { .. } | Action::Free { .. } | Action::Reuse { .. } => {
                Err(Graphs::Unsupported("objects that come and go".into()))
            }
        }
    }

    /// Adds a step whose turn it is, goes on, and takes it back.
    fn step(&mut self, thread: ThreadId, step: Added, reply: Reply) -> Grown {
        if self.graph.is_turn(thread, None) { self.step_now(thread, step, reply) } else { Ok(()) }
    }

    fn step_now(&mut self, thread: ThreadId, step: Added, reply: Reply) -> Grown {
        let mark = self.graph.machine.mark();
        let now = self.graph.steps.len();
        let last = self.graph.thread(thread).last.replace(now);
        self.graph.steps.push((thread, step));
        self.graph.machine.advance(thread, reply);
        self.grow()?;
        self.graph.machine.rewind(mark);
        self.graph.steps.pop();
        self.graph.thread(thread).last = last;
        Ok(())
    }

    fn spawn(&mut self, thread: ThreadId, child: ThreadId, function: FunctionId, argument: u64) -> Grown {
        if !self.graph.is_turn(thread, None) {
            return Ok(());
        }
        let graph = &mut self.graph;
        graph.pass(thread, Demand::Drain);
        if let Some(image) = graph.machine.image(thread) {
            graph.objects.extend(image.iter().cloned());
        }
        let n_threads = graph.threads.len().max(child.index() + 1);
        graph.threads.resize(n_threads, ThreadState::default());
        let after = graph.thread(thread).after;
        let last = Some(graph.steps.len());
        *graph.thread(child) = ThreadState { after, last, ..ThreadState::default() };
        graph.machine.start(child, function, argument);
        self.step_now(thread, Added::Silent, Reply::Done)
    }

    /// What comes after a join comes after all that the other thread did.
    fn join(&mut self, thread: ThreadId, word: LocationId) -> Grown {
        let Some((other, result)) = self.graph.ended(word) else { return Ok(()) };
        let ended = self.graph.threads[other.index()];
        if !self.graph.is_turn(thread, ended.last) {
            return Ok(());
        }
        let state = self.graph.thread(thread);
        state.after = state.after | ended.after | ended.accesses;
        let whole = self.graph.machine.locations().range(word).size == 8;
        self.step_now(thread, Added::Silent, Reply::Value(Value::Word(if whole { result } else { 0 })))
    }

    fn load(&mut self, load: &Load) -> Grown {
        for (from, order) in self.graph.sources(load)? {
            let source = from.iter().flatten().map(|&store| self.graph.access(store).at).max();
            let value = self.graph.value(load.range, &from);
            if !self.graph.is_turn(load.thread, source) || !self.graph.goes_on_with(load, &value) {
                continue;
            }
            let size = load.range.size;
            let written = load.rmw.and_then(|rmw| rmw.apply(value.to_u128(), size)).map(|new| Value::from_u128(new, size));
            let access = self.graph.new_access(load.thread, load.range, from, written);
            let orders = if access.writes() { self.graph.placings(order, &access) } else { vec![order] };
            self.add(access, orders, Reply::Value(value))?;
        }
        Ok(())
    }

    fn store(&mut self, store: &Store) -> Grown {
        let Store { thread, range, value, reserved_by, behind } = *store;
        if !self.graph.is_turn(thread, None) {
            return Ok(());
        }
        self.graph.look_for(range)?;
        let access = self.graph.new_access(thread, range, Vec::new(), Some(value.clone()));
        let access = Access { reserved_by, ..access };
        let mut order = self.graph.order.clone();
        let id = order.add(self.graph.before_new(&access));
        let orders = self.graph.placings(order, &access);
        if behind == Demand::Drain {
            let state = self.graph.thread(thread);
            state.after = state.after | state.accesses.with(id);
        }
        self.add(access, orders, Reply::Done)
    }

    /// Adds an access with each of these memory orders.
    fn add(&mut self, access: Access, orders: Vec<PartialOrder>, reply: Reply) -> Grown {
        let (thread, id) = (access.thread, self.graph.next_access());
        if id.index() + 1 >= Set::MOST {
            return Err(Graphs::Unsupported("too many accesses".into()));
        }
        let state = *self.graph.thread(thread);
        let stores = if access.writes() { state.stores.with(id) } else { state.stores };
        let n_stores = state.n_stores + access.writes() as u32;
        *self.graph.thread(thread) = ThreadState { accesses: state.accesses.with(id), stores, n_stores, ..state };
        self.graph.accesses.push(access);
        let before = std::mem::take(&mut self.graph.order);
        for order in orders {
            self.graph.order = order;
            self.step_now(thread, Added::Access(id), reply.clone())?;
        }
        self.graph.order = before;
        self.graph.accesses.pop();
        *self.graph.thread(thread) = state;
        Ok(())
    }
}

/// A load that is to be added, or a read-modify-write.
struct Load {
    thread: ThreadId,
    range: Range,
    guard: Option<Guard>,
    rmw: Option<Rmw>,
    /// It always takes place.
    reserves: bool,
}

/// A store that is to be added.
struct Store<'v> {
    thread: ThreadId,
    range: Range,
    value: &'v Value,
    reserved_by: Option<AccessId>,
    behind: Demand,
}

/// What lies in memory where coherence ends, and where it begins.
struct InOrder<'c, 'p>(&'c Candidate<'p>);

impl LiesThere for InOrder<'_, '_> {
    fn now(&self, at: LocationId) -> Option<Value> {
        Some(self.0.last_value(self.0.machine.locations().range(at)))
    }

    fn at_first(&self, at: LocationId) -> Option<Value> {
        let range = self.0.machine.locations().range(at);
        Some(self.0.value(range, &vec![None; range.size as usize]))
    }
}

impl Candidate<'_> {
    fn before(&self) -> Before {
        Before {
            mark: self.machine.mark(),
            n_accesses: self.accesses.len(),
            n_objects: self.objects.len(),
            order: self.order.clone(),
            threads: self.threads.clone(),
        }
    }

    fn go_back(&mut self, before: Before) {
        self.machine.rewind(before.mark);
        self.accesses.truncate(before.n_accesses);
        self.objects.truncate(before.n_objects);
        (self.order, self.threads) = (before.order, before.threads);
    }

    /// Whether the next step of a thread, which could be added once the last one of its thread and what is at `needs`
    /// were there, comes now in the order that is followed.
    fn is_turn(&self, thread: ThreadId, needs: Option<Turn>) -> bool {
        let since = self.threads[thread.index()].last.max(needs);
        let larger = self.steps.iter().rposition(|step| step.0 > thread);
        larger.is_none_or(|larger| since.is_some_and(|since| since >= larger))
    }

    /// The number of the access that is added next.
    fn next_access(&self) -> AccessId {
        AccessId(self.accesses.len() as u8)
    }

    fn new_access(&self, thread: ThreadId, range: Range, from: Vec<Option<AccessId>>, written: Option<Value>) -> Access {
        let store = self.threads[thread.index()].n_stores + written.is_some() as u32;
        Access { thread, range, from, written, store, at: self.steps.len(), reserved_by: None }
    }

    fn look_for(&self, range: Range) -> Grown {
        let is_there = (range.start.0..range.end()).all(|byte| self.first_byte(byte).is_some());
        if is_there { Ok(()) } else { Err(Graphs::Unsupported("an access where no object is".into())) }
    }

    // Loads

    /// The sources that the bytes of a load can have, with the memory orders that these make. Bytes with the same
    /// stores have the same source.
    fn sources(&self, load: &Load) -> Result<Vec<Sources>, Graphs> {
        self.look_for(load.range)?;
        let access = self.new_access(load.thread, load.range, vec![None], None);
        let mut order = self.order.clone();
        order.add(self.before_new(&access));
        let mut all = vec![(Vec::new(), order)];
        for part in self.parts(load.range) {
            let mut longer = Vec::new();
            for (from, order) in &all {
                for source in std::iter::once(None).chain(self.stores_to(part.start.0).map(Some)) {
                    if let Some(order) = self.order_with(order, load.thread, part.start.0, source) {
                        let from = from.iter().copied().chain(std::iter::repeat_n(source, part.size as usize)).collect();
                        longer.push((from, order));
                    }
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// A range cut where stores begin and end.
    fn parts(&self, range: Range) -> Vec<Range> {
        let stores = self.stores(range).map(|store| self.access(store).range);
        let mut cuts: Vec<u64> = stores.flat_map(|store| [store.start.0, store.end()]).collect();
        cuts.retain(|&cut| range.start.0 < cut && cut < range.end());
        cuts.extend([range.start.0, range.end()]);
        cuts.sort();
        cuts.dedup();
        cuts.windows(2).map(|cut| Range { start: Address(cut[0]), size: (cut[1] - cut[0]) as u32 }).collect()
    }

    /// The memory order in which the newest access reads a byte from a source, if there is one (the third axiom).
    fn order_with(&self, order: &PartialOrder, thread: ThreadId, byte: u64, source: Option<AccessId>) -> Option<PartialOrder> {
        let (mut order, load) = (order.clone(), self.next_access());
        if let Some(store) = source.filter(|&store| self.access(store).thread != thread) {
            order.put(store, load).then_some(())?;
        }
        for store in self.stores_to(byte) {
            if self.is_followed(&order, source, store) {
                let is_earlier = self.access(store).thread == thread;
                (!is_earlier && order.put(load, store)).then_some(())?;
            }
        }
        Some(order)
    }

    // Stores

    /// The memory orders in which a new store has a place among the others to its bytes; it is the newest access of
    /// `order`.
    fn placings(&self, order: PartialOrder, new: &Access) -> Vec<PartialOrder> {
        let id = self.next_access();
        let mut orders = vec![order];
        for other in self.stores(new.range) {
            let mut longer = Vec::new();
            for order in orders {
                for (a, b) in [(id, other), (other, id)] {
                    let mut order = order.clone();
                    longer.extend(order.put(a, b).then_some(order));
                }
            }
            orders = longer;
        }
        orders.into_iter().filter_map(|order| self.order_of_loads(order, id, new)).collect()
    }

    /// The memory order in which those loads come before a new store that read what it overwrites, if there is one; and
    /// no store of another thread comes between a load that reserves and the store that relies on it.
    fn order_of_loads(&self, mut order: PartialOrder, id: AccessId, new: &Access) -> Option<PartialOrder> {
        for (n, load) in self.accesses.iter().enumerate().filter(|(_, load)| load.reads()) {
            if self.is_overwritten(&order, load, id, new.range) {
                order.put(AccessId(n as u8), id).then_some(())?;
            }
        }
        let breaks = |load: AccessId, store: AccessId, range: Range| self.is_overwritten(&order, self.access(load), store, range);
        for (n, other) in self.accesses.iter().enumerate().filter(|(_, other)| other.writes() && other.thread != new.thread) {
            let other_id = AccessId(n as u8);
            if new.reserved_by.is_some_and(|load| breaks(load, other_id, other.range) && order.is_before(other_id, id))
                || other.reserved_by.is_some_and(|load| breaks(load, id, new.range) && order.is_before(id, other_id))
            {
                return None;
            }
        }
        Some(order)
    }

    /// Whether a load that finds a value takes place: its guard holds, and it does not only lead its thread round a
    /// loop.
    fn goes_on_with(&mut self, load: &Load, value: &Value) -> bool {
        if let Some(guard) = load.guard {
            return guard.holds(value.word());
        }
        let locations = self.machine.locations();
        let is_mixed = locations.find(load.range).is_none_or(|at| !locations.overlapping(at).is_empty());
        load.reserves || is_mixed || load.range.size > 8 || !self.is_in_vain(load.thread, value)
    }

    /// Whether a value that a thread looks at would only lead it round a loop.
    fn is_in_vain(&mut self, thread: ThreadId, value: &Value) -> bool {
        loop {
            match self.machine.lead(thread, value, InOrder(self)) {
                Lead::Round(..) => return true,
                Lead::On => return false,
                Lead::Unknown(from, reply) => self.machine.look_on(thread, from, reply),
            }
        }
    }

    // Where it ends

    /// The thread whose end a location tells, and what it returned; none while it runs.
    fn ended(&self, word: LocationId) -> Option<(ThreadId, u64)> {
        let thread = self.machine.word_of(word).filter(|&thread| self.machine.has_started(thread))?;
        match self.machine.next(thread) {
            Next::Ended(values) => Some((thread, values.first().copied().unwrap_or(0))),
            _ => None,
        }
    }

    /// Whether each thread has ended, or waits for ever.
    fn is_complete(&mut self) -> Result<bool, Graphs> {
        for thread in self.machine.threads().collect::<Vec<_>>() {
            let is_over = match self.machine.next(thread).clone() {
                Next::Action(action) => self.waits_for_ever(thread, &action),
                Next::Ended(_) | Next::Exited(_) | Next::Fault(_) | Next::Blocked(_) => true,
                other => return Err(Graphs::Unsupported(format!("{other:?}"))),
            };
            if !is_over {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn waits_for_ever(&mut self, thread: ThreadId, action: &Action) -> bool {
        match (action, action.guard()) {
            (Action::Read { at, .. }, Some(Guard::Ended)) => self.ended(*at).is_none(),
            (Action::Read { at, .. } | Action::Rmw { at, .. }, guard) => {
                let range = self.machine.locations().range(*at);
                let is_there = (range.start.0..range.end()).all(|byte| self.first_byte(byte).is_some());
                is_there && !self.goes_on_with(&Load { thread, range, guard, rmw: None, reserves: false }, &self.last_value(range))
            }
            (Action::WriteReserved { at, .. }, _) => {
                let Some(load) = self.threads[thread.index()].reserved else { return true };
                let mut stores = self.stores(self.machine.locations().range(*at)).filter(|&store| self.access(store).thread != thread);
                stores.any(|store| self.is_overwritten(&self.order, self.access(load), store, self.access(store).range))
            }
            _ => false,
        }
    }
}
