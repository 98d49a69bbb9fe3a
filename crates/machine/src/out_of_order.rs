//! All threads of a program, fetched in order and answered out of order.
//!
//! A thread's fetching is a function of the answers that its events have got. Each stop of the fetching is a [`State`].
//! A state remembers which answers led to which next state, so that no history of a thread is fetched twice (as the
//! in-order machine does it, see [`crate::history`]); going back drops states and answers. Nodes, dependency sets and
//! events are tables that only grow between two states, so going back cuts them, and going to a known state adds what
//! it has added.

use crate::history::Start;
use crate::limits::Limits;
use crate::machine::{Moment, Tables};
use crate::runner::{Awaited, Halt, Runner};
use crate::sharing::{Site, Sites};
use crate::symbolic::{Added, Instance, Milestone, NodeId, Predecessors, Round, Shadow, Sizes, Symbolic, What, Wrong};
use crate::thread::{Kept, Thread};
use crate::world::{World, private_heap};
use raddle_event::{Address, Arrival, DepsId, EventId, Fetched, Fetching, LocationId, Mapping, Published, Reply, Role, ThreadId, Value};
use raddle_program::{FunctionId, Program};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut, Range};
use std::rc::Rc;

/// How many reads of what only the thread itself writes there may be behind the read for which a loop waits. A thread
/// that goes on would otherwise be followed for as long as it reads nothing else.
const MOST_OWN: usize = 8;

/// An event and the answer that it has got.
type Answer = (u32, u128);

/// What leads from one state to the next: the answers since, and the reply to a spawn or a join.
#[derive(PartialEq)]
struct Key {
    answers: SmallVec<[Answer; 2]>,
    reply: Option<Reply>,
}

impl Key {
    fn new(mut answers: SmallVec<[Answer; 2]>, reply: Option<Reply>) -> Key {
        if answers.len() > 1 {
            answers.sort_unstable();
        }
        Key { answers, reply }
    }
}

/// Where the fetching of a thread has stopped.
struct State {
    halt: Halt,
    kept: Kept,
    standing: Predecessors,
    shadow: Rc<Shadow>,
    rounds: Rc<Vec<Round>>,
    call: DepsId,
    awaited: Vec<NodeId>,
    /// The events of the idle iterations of a loop after which it has stopped.
    idle: Option<Range<u32>>,
    /// Whether it was found that a thread that comes here by the answer for which a loop may have waited goes on. What
    /// is its own only gets less, so that stays so.
    goes_on: Cell<bool>,
    /// What goes to the shared memory when a thread is spawned here.
    image: Option<Rc<Vec<Published>>>,
    /// What was added to the tables on the way here, and how long they are.
    added: Added,
    sizes: Sizes,
    /// The states that were reached from here.
    next: RefCell<Vec<(Key, Rc<State>)>>,
}

impl State {
    /// The state that was reached from here this way before.
    fn led_to(&self, key: &Key) -> Option<Rc<State>> {
        self.next.borrow().iter().find(|(other, _)| other == key).map(|(_, next)| next.clone())
    }

    /// The idle iterations after which the fetching has stopped, where they have this event.
    fn idle_with(&self, event: u32) -> Option<Range<u32>> {
        self.idle.clone().filter(|idle| idle.contains(&event))
    }
}

/// How a thread goes round its loop and is where it was.
pub struct Trip {
    /// The events of the round.
    pub round: Range<u32>,
    /// Those behind the one that waits, which read what only the thread itself writes, and where they read.
    pub own: Vec<(EventId, LocationId)>,
}

/// One thread. It has started when it has states.
#[derive(Default)]
struct Lane {
    /// The function with which it began.
    function: Option<FunctionId>,
    symbolic: Symbolic,
    /// The states so far, each with the number of answers that came before it.
    states: Vec<(Rc<State>, usize)>,
    answers: Vec<Answer>,
    /// The computation that went wrong after it was fetched; of several the first in program order.
    wrong: Option<Wrong>,
    /// The worker that fetches the thread, and the state that it is in. It outlives executions.
    worker: Option<(Thread, Option<Rc<State>>)>,
}

impl Lane {
    /// A computation went wrong, if one did.
    #[inline]
    fn go_wrong(&mut self, wrong: Option<Wrong>) {
        if let Some(wrong) = wrong {
            let first = self.wrong.filter(|known| known.node <= wrong.node);
            self.wrong = Some(first.unwrap_or(wrong));
        }
    }
}

/// Why a thread is fetched on.
enum Cause {
    /// It has just started, or what it awaited is known.
    Known,
    /// An event was answered for which a library function waits.
    Answered(Awaited),
    /// It passes a spawn or a join.
    Passed(Reply),
}

/// How to take back one change.
enum Undo {
    Started(ThreadId),
    Fetched(ThreadId),
    Answered { thread: ThreadId, n_known: usize, wrong: Option<Wrong> },
}

/// The machine that fetches a program.
pub struct OutOfOrder<'p> {
    pub(crate) world: World<'p>,
    lanes: Vec<Lane>,
    journal: Vec<Undo>,
    /// The first state of each thread that was ever started.
    first: FxHashMap<Start, Rc<State>>,
    /// How many states are remembered, about.
    n_states: usize,
}

impl<'p> OutOfOrder<'p> {
    /// A machine whose entry threads have been fetched as far as possible.
    pub fn new(program: &'p Program, limits: Limits, sites: Sites, mapping: Mapping) -> OutOfOrder<'p> {
        OutOfOrder::with_tables(program, limits, sites, Tables::of(program), mapping)
    }

    /// The same, with the numbers that another machine for the same program has given.
    pub fn with_tables(program: &'p Program, limits: Limits, sites: Sites, tables: Tables, mapping: Mapping) -> OutOfOrder<'p> {
        let world = World { mapping, ..World::new(program, limits, sites, tables) };
        let mut machine = OutOfOrder { world, lanes: Vec::new(), journal: Vec::new(), first: FxHashMap::default(), n_states: 0 };
        for (number, &entry) in program.entries.iter().enumerate() {
            machine.start((ThreadId(number as u32), entry, 0));
        }
        machine
    }

    /// A thread has accessed what another thread may hold as private: then it is shared.
    pub fn contradict(&mut self, thread: ThreadId, at: LocationId) {
        let address = self.world.locations.range(at).start;
        let others = self.threads().filter(|&other| other != thread);
        if let Some(site) = self.world.private_site(others.map(|other| &self.state(other).kept), address) {
            self.world.sites.share(site);
        }
    }

    // Going on

    /// Starts a thread, by its number, function and argument.
    pub fn start(&mut self, start: Start) {
        let (thread, function, argument) = start;
        while self.lanes.len() <= thread.index() {
            self.lanes.push(Lane::default());
        }
        self.journal.push(Undo::Started(thread));
        self.lanes[thread.index()].function = Some(function);
        if let Some(state) = self.first.get(&start).cloned() {
            self.enter(thread, state);
            return;
        }
        let mut worker = self.world.worker(thread);
        worker.tag_registers();
        self.world.begin(&mut worker, function, argument);
        let lane = &mut self.lanes[thread.index()];
        lane.worker = Some((worker, None));
        // The thread of this number may have been another one before, in an execution that spawned otherwise.
        lane.symbolic = Symbolic::default();
        let state = self.run(thread, Cause::Known);
        self.first.insert(start, state);
    }

    /// Gives an event its answer: what it reads, or which number it chooses. Then the thread is fetched on, where it
    /// waited for that.
    pub fn answer(&mut self, thread: ThreadId, event: u32, value: &Value) {
        let program = self.world.program;
        let lane = &mut self.lanes[thread.index()];
        self.journal.push(Undo::Answered { thread, n_known: lane.symbolic.nodes.n_known(), wrong: lane.wrong });
        let instance = &lane.symbolic.events[event as usize];
        let node = instance.node.expect("what is answered has a node");
        let size = instance.fetched.at.map_or(4, |at| self.world.locations.range(at).size);
        let word = value.to_u128();
        lane.answers.push((event, word));
        if size > 8 {
            let high = lane.symbolic.nodes.answer(NodeId(node.0 + 1), (word >> 64) as u64, program);
            lane.go_wrong(high);
        }
        let low = lane.symbolic.nodes.answer(node, word as u64, program);
        lane.go_wrong(low);
        let state = &lane.states.last().expect("a thread that has started has stopped somewhere").0;
        match &state.halt {
            Halt::Awaits if is_awake(&lane.symbolic, state) => self.fetch(thread, Cause::Known),
            Halt::Reply(reply) if is_answered(&lane.symbolic, reply.event) && is_awake(&lane.symbolic, state) => {
                let cause = Cause::Answered(reply.clone());
                self.fetch(thread, cause);
            }
            _ => {}
        }
    }

    /// A thread that waits at a spawn or a join goes on, after all events so far.
    pub fn proceed(&mut self, thread: ThreadId, reply: Reply) {
        self.fetch(thread, Cause::Passed(reply));
    }

    /// Fetches a thread on, or goes where that has led before.
    fn fetch(&mut self, thread: ThreadId, cause: Cause) {
        let lane = &self.lanes[thread.index()];
        let (state, n_answers) = lane.states.last().expect("the thread has started").clone();
        let reply = if let Cause::Passed(reply) = &cause { Some(reply.clone()) } else { None };
        let key = Key::new(SmallVec::from_slice(&lane.answers[n_answers..]), reply);
        match state.led_to(&key) {
            Some(next) => self.enter(thread, next),
            None => {
                let next = self.run(thread, cause);
                state.next.borrow_mut().push((key, next));
            }
        }
    }

    // Awaits

    /// Whether a thread may be waiting in a loop for what an event reads: the fetching waits, and the event is the
    /// last,
    /// but for the store of a read-modify-write, or for reads of what only the thread itself writes. It is all that the
    /// present iteration has done; or the instruction is known to end iterations in vain, and everything before it in
    /// the present one has been answered.
    pub fn may_await(&self, thread: ThreadId, event: u32) -> bool {
        let (state, events) = (self.state(thread), &self.lane(thread).symbolic.events[event as usize..]);
        // What most loads fail is asked first.
        let Some(round) = state.rounds.last().filter(|_| matches!(state.halt, Halt::Awaits | Halt::Reply(_))) else { return false };
        let is_first = round.n_events == event as usize && events.len() <= 2;
        let may = if is_first {
            !self.world.sites.is_mixed(self.site(thread, event))
        } else {
            self.ends_iteration(thread, round.n_events, event)
        };
        if !may || !self.world.limits.awaits {
            return false;
        }
        match events {
            [read, store] if matches!(store.what, What::Write { exclusive: Some(read), .. } if read == event) => {
                matches!(read.what, What::Read { guard: None, exclusive: true })
            }
            [read, own @ ..] => {
                let is_plain = |read: &Instance| matches!(read.what, What::Read { guard: None, .. });
                is_plain(read) && own.iter().all(|read| is_plain(read) && self.finds_own(thread, read))
            }
            [] => false,
        }
    }

    /// Whether a read finds what only the thread itself writes, as far as that is known.
    fn finds_own(&self, thread: ThreadId, read: &Instance) -> bool {
        let is_own = |at| self.world.finds_again(at, thread) && self.world.is_of_one_size(at);
        read.fetched.at.is_some_and(is_own)
    }

    /// The instruction that an event is by.
    fn site(&self, thread: ThreadId, event: u32) -> Site {
        let (function, at) = self.events(thread)[event as usize].place;
        Site::Code(function, at)
    }

    /// Whether an event, for which a thread may be waiting, is all that the iteration does, and only looks.
    fn is_single(&self, load: EventId) -> bool {
        let (round, events) = (self.state(load.thread).rounds.last(), self.events(load.thread));
        let is_plain = matches!(events[load.index as usize].what, What::Read { exclusive: false, .. });
        is_plain && load.index as usize + 1 == events.len() && round.is_some_and(|round| round.n_events == load.index as usize)
    }

    /// A load for which a thread may be waiting can be left behind: the thread may find the last value for ever
    /// although it could read another one. Where that load is not alone in the round, the loop does not wait.
    pub fn leave_behind(&mut self, load: EventId, is_alone: bool) {
        let site = self.site(load.thread, load.index);
        self.world.sites.extend_awaits(Some(site));
        if is_alone && self.is_single(load) {
            self.world.sites.let_stay(site);
        } else {
            self.world.sites.mix(site);
        }
    }

    /// Whether a thread may find the last value for ever with a load for which it may be waiting, although it could
    /// read another one.
    pub fn may_stay(&self, load: EventId) -> bool {
        self.is_single(load) && self.world.sites.may_stay(self.site(load.thread, load.index))
    }

    /// Whether an event is by an instruction that is known to end iterations in vain, and the events since the present
    /// one began have been answered.
    fn ends_iteration(&self, thread: ThreadId, begin: usize, event: u32) -> bool {
        let symbolic = &self.lane(thread).symbolic;
        let is_known = |event: &Instance| event.node.is_none_or(|node| symbolic.nodes.value(node).is_some());
        let before = symbolic.events.get(begin..event as usize);
        self.world.sites.awaits(self.site(thread, event)) && before.is_some_and(|all| all.iter().all(is_known))
    }

    /// How a thread that gets this answer to an event goes round its loop by that alone, or that it goes on, where that
    /// was found before.
    pub fn known_to_go_round(&self, load: EventId, value: &Value) -> Option<Option<Trip>> {
        let lane = self.lane(load.thread);
        let (state, n_answers) = lane.states.last().expect("the thread has started");
        let mut answers = SmallVec::from_slice(&lane.answers[*n_answers..]);
        answers.push((load.index, value.to_u128()));
        let next = state.led_to(&Key::new(answers, None))?;
        let trip = next.idle_with(load.index).map(|round| Trip { round, own: Vec::new() });
        (trip.is_some() || next.goes_on.get()).then_some(trip)
    }

    /// How a thread that gets this answer to an event for which it [may be waiting](Self::may_await) goes round its
    /// loop, and is where it was. `own` tells what those events find that read what only the thread itself writes,
    /// `first` what was anywhere at first. None where it goes on.
    pub fn goes_round(
        &mut self,
        load: EventId,
        value: &Value,
        own: impl Fn(LocationId) -> Option<Value>,
        first: impl Fn(LocationId) -> Option<Value>,
    ) -> Option<Trip> {
        let EventId { thread, index } = load;
        let (mark, n_states, mut after) = (self.mark(), self.lane(thread).states.len(), Vec::new());
        self.answer(thread, index, value);
        while after.len() < MOST_OWN
            && let Some((event, at)) = self.next_own(load)
            && let Some(found) = own(at)
        {
            self.answer(thread, event.index, &found);
            after.push((event, at));
        }
        let is_led = self.lane(thread).states.len() > n_states;
        let round = self.state(thread).idle_with(index).filter(|_| is_led);
        let may_be_lost = is_led && round.is_none() && self.looks_again(load).is_some();
        if is_led && round.is_none() && after.is_empty() && !may_be_lost {
            self.state(thread).goes_on.set(true);
        }
        self.rewind(mark);
        if may_be_lost {
            return self.is_lost(load, value, &first);
        }
        let round = round?;
        after.iter().for_each(|&(_, at)| self.world.assume_found_again(at, thread));
        Some(Trip { round, own: after })
    }

    /// The first event after a load that has no answer yet, where it is a read of what only the thread itself writes;
    /// and where it reads.
    fn next_own(&self, load: EventId) -> Option<(EventId, LocationId)> {
        let symbolic = &self.lane(load.thread).symbolic;
        let is_open = |event: &Instance| event.node.is_some_and(|node| symbolic.nodes.value(node).is_none());
        let first = load.index as usize + 1;
        let index = first + symbolic.events.get(first..)?.iter().position(is_open)?;
        let event = &symbolic.events[index];
        let is_own = matches!(event.what, What::Read { guard: None, .. }) && self.finds_own(load.thread, event);
        event.fetched.at.filter(|_| is_own).map(|at| (EventId { index: index as u32, ..load }, at))
    }

    /// The store of a read-modify-write whose load is not answered yet; and whether it happens where the load gets this
    /// answer.
    pub fn store_after(&mut self, load: EventId, value: &Value) -> Option<(EventId, bool)> {
        let is_store = |event: &Instance| event.fetched.role == Role::Store { pair: Some(load.index) };
        let index = self.events(load.thread).iter().position(is_store)? as u32;
        let (store, mark) = (EventId { index, ..load }, self.mark());
        self.answer(load.thread, load.index, value);
        let happens = self.happens(store) == Some(true);
        self.rewind(mark);
        Some((store, happens))
    }

    fn enter(&mut self, thread: ThreadId, state: Rc<State>) {
        let lane = &mut self.lanes[thread.index()];
        lane.symbolic.add(&state.added);
        lane.states.push((state, lane.answers.len()));
        self.journal.push(Undo::Fetched(thread));
    }

    /// The most states that are remembered.
    const MOST_STATES: usize = 50_000;

    fn run(&mut self, thread: ThreadId, cause: Cause) -> Rc<State> {
        self.n_states += 1;
        if self.n_states > Self::MOST_STATES {
            self.forget();
        }
        let program = self.world.program;
        let Lane { symbolic, states, worker, answers, .. } = &mut self.lanes[thread.index()];
        let (worker, at) = worker.as_mut().expect("a thread that has started has a worker");
        if let Some((state, _)) = states.last() {
            if !at.as_ref().is_some_and(|at| Rc::ptr_eq(at, state)) {
                worker.restore(program, &state.kept);
            }
            symbolic.standing = state.standing;
            symbolic.shadow = state.shadow.clone();
            symbolic.rounds = state.rounds.clone();
            symbolic.call = state.call;
        }
        symbolic.awaited.clear();
        symbolic.idle = None;
        symbolic.callers.0 = u32::MAX;
        let before = states.last().map_or(Sizes::default(), |(state, _)| state.sizes);
        let passed = states.last().and_then(|(state, _)| match state.halt {
            Halt::Spawn { child, .. } => Some(Milestone::Spawn(child)),
            Halt::Join { joined, .. } => Some(Milestone::Join(joined)),
            _ => None,
        });
        let mut runner = Runner::out_of_order(&mut self.world, worker, symbolic);
        match cause {
            Cause::Known => {}
            Cause::Answered(reply) => runner.resume(&reply),
            Cause::Passed(reply) => runner.pass(reply, passed.expect("the thread waits at a spawn or a join")),
        }
        let halt = runner.fetch();
        let image = runner.image.take();
        worker.output.clear();
        let state = Rc::new(State {
            halt,
            kept: worker.keep(program),
            standing: symbolic.standing,
            shadow: symbolic.shadow.clone(),
            rounds: symbolic.rounds.clone(),
            call: symbolic.call,
            awaited: symbolic.awaited.clone(),
            idle: symbolic.idle.take(),
            goes_on: Cell::new(false),
            image,
            added: symbolic.added_since(before),
            sizes: symbolic.sizes(),
            next: RefCell::default(),
        });
        *at = Some(state.clone());
        states.push((state.clone(), answers.len()));
        self.journal.push(Undo::Fetched(thread));
        state
    }

    /// Forgets all states but those of the present execution.
    fn forget(&mut self) {
        let all = self.lanes.iter().flat_map(|lane| &lane.states);
        self.n_states = all.map(|(state, _)| state.next.borrow_mut().clear()).count();
        self.first.clear();
    }

    /// This point of the execution.
    pub fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Goes back to an earlier point.
    pub fn rewind(&mut self, mark: usize) {
        while self.journal.len() > mark {
            let undo = self.journal.pop().expect("the mark is earlier");
            self.take_back(undo);
        }
    }

    fn take_back(&mut self, undo: Undo) {
        let (Undo::Started(thread) | Undo::Fetched(thread) | Undo::Answered { thread, .. }) = undo;
        let lane = &mut self.lanes[thread.index()];
        match undo {
            Undo::Started(_) => {}
            Undo::Answered { n_known, wrong, .. } => {
                lane.symbolic.nodes.forget_values(n_known);
                lane.answers.pop();
                lane.wrong = wrong;
            }
            Undo::Fetched(_) => {
                lane.states.pop();
                let sizes = lane.states.last().map_or(Sizes::default(), |(state, _)| state.sizes);
                lane.symbolic.truncate(sizes);
            }
        }
    }

    // Looking

    #[inline]
    fn lane(&self, thread: ThreadId) -> &Lane {
        &self.lanes[thread.index()]
    }

    /// What a thread has fetched.
    pub(crate) fn symbolic(&self, thread: ThreadId) -> &Symbolic {
        &self.lane(thread).symbolic
    }

    #[inline]
    fn state(&self, thread: ThreadId) -> &State {
        &self.lane(thread).states.last().expect("a thread that has started has stopped somewhere").0
    }

    /// The threads that have started, by number.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let started = |(n, lane): (usize, &Lane)| (!lane.states.is_empty()).then_some(ThreadId(n as u32));
        self.lanes.iter().enumerate().filter_map(started)
    }

    /// How many numbers of threads are in use.
    pub fn n_threads(&self) -> usize {
        self.lanes.len()
    }

    /// Whether a thread has started.
    #[inline]
    pub fn has_started(&self, thread: ThreadId) -> bool {
        self.lanes.get(thread.index()).is_some_and(|lane| !lane.states.is_empty())
    }

    /// The function with which a thread began.
    pub fn started_at(&self, thread: ThreadId) -> FunctionId {
        self.lane(thread).function.expect("the thread has started")
    }

    /// Why the fetching of a thread has stopped.
    pub fn halt(&self, thread: ThreadId) -> &Halt {
        &self.state(thread).halt
    }

    /// The events of the round in which a thread that spins has changed nothing; all of them where that is not known.
    pub fn idle_round(&self, thread: ThreadId) -> Range<u32> {
        self.state(thread).idle.clone().unwrap_or(0..self.events(thread).len() as u32)
    }

    /// The events of a thread that have been fetched.
    #[inline]
    pub fn events(&self, thread: ThreadId) -> &[Instance] {
        &self.lane(thread).symbolic.events
    }

    /// What stands between the events of a thread that have been fetched, each with how many of them come before it.
    pub fn milestones(&self, thread: ThreadId) -> &[(u32, Milestone)] {
        &self.lane(thread).symbolic.milestones
    }

    /// What came into being in the shared memory while a thread was fetched.
    pub fn arrivals(&self, thread: ThreadId) -> &[Arrival] {
        &self.lane(thread).symbolic.arrivals
    }

    /// What goes to the shared memory when a thread spawns its first child.
    pub fn image(&self, thread: ThreadId) -> Option<Rc<Vec<Published>>> {
        self.state(thread).image.clone()
    }

    /// The value that a store writes, once it is known.
    pub fn content(&self, thread: ThreadId, event: u32) -> Option<Value> {
        let symbolic = &self.lane(thread).symbolic;
        let instance = &symbolic.events[event as usize];
        let What::Write { content, .. } = &instance.what else { return None };
        symbolic.content(content, self.world.locations.range(instance.fetched.at?).size)
    }

    /// What the first function of a thread has returned, once it is known.
    pub fn results(&self, thread: ThreadId) -> Option<Vec<u64>> {
        let Halt::Ended(values) = self.halt(thread) else { return None };
        values.iter().map(|&value| self.lane(thread).symbolic.nodes.word(value)).collect()
    }

    /// Where a thread has stopped.
    pub fn moment(&self, thread: ThreadId) -> Moment {
        Moment { stack: self.state(thread).kept.stack() }
    }

    /// Where an event of a thread was fetched.
    pub fn moment_of(&self, thread: ThreadId, event: u32) -> Moment {
        let instance = &self.events(thread)[event as usize];
        Moment { stack: std::iter::once(instance.place).chain(instance.callers.iter().copied()).collect() }
    }

    /// What a thread has computed wrongly out of values that became known later, where, and how many of its events come
    /// before that; the first in program order.
    pub fn wrong(&self, thread: ThreadId) -> Option<(raddle_event::FaultKind, Moment, u32)> {
        let wrong = self.lane(thread).wrong?;
        let n_before = self.events(thread).partition_point(|event| event.n_nodes <= wrong.node.0);
        Some((wrong.kind, Moment { stack: vec![(wrong.function, wrong.at)] }, n_before as u32))
    }

    /// What made the object that an address names, as the thread knows it to which the object belongs.
    pub fn maker(&self, address: Address) -> Option<Site> {
        let owner = self.world.map.owner(address)?;
        self.has_started(owner).then(|| self.state(owner).kept.store.maker(&self.world.map, address))?
    }

    /// The heap objects that no other thread than their own has accessed and that are not freed, with their sizes.
    pub fn private_heap(&self) -> Vec<(Address, u64)> {
        private_heap(self.threads().map(|thread| &self.state(thread).kept))
    }
}

impl<'p> Deref for OutOfOrder<'p> {
    type Target = World<'p>;

    fn deref(&self) -> &World<'p> {
        &self.world
    }
}

impl<'p> DerefMut for OutOfOrder<'p> {
    fn deref_mut(&mut self) -> &mut World<'p> {
        &mut self.world
    }
}

impl Fetching for OutOfOrder<'_> {
    #[inline]
    fn fetched(&self, event: EventId) -> &Fetched {
        &self.events(event.thread)[event.index as usize].fetched
    }

    #[inline]
    fn dependencies(&self, thread: ThreadId, deps: DepsId) -> &[u32] {
        self.lane(thread).symbolic.sets.get(deps)
    }

    #[inline]
    fn happens(&self, event: EventId) -> Option<bool> {
        let symbolic = &self.lane(event.thread).symbolic;
        let What::Write { content, .. } = &symbolic.events[event.index as usize].what else { return Some(true) };
        symbolic.happens(content)
    }

    fn is_known(&self, store: EventId) -> bool {
        self.content(store.thread, store.index).is_some()
    }

    fn is_guess(&self, read: EventId) -> bool {
        OutOfOrder::is_guess(self, read)
    }
}

fn is_answered(symbolic: &Symbolic, event: u32) -> bool {
    symbolic.events[event as usize].node.is_some_and(|node| symbolic.nodes.value(node).is_some())
}

fn is_awake(symbolic: &Symbolic, state: &State) -> bool {
    state.awaited.iter().all(|&node| symbolic.nodes.value(node).is_some())
}
