//! All threads of a program, each somewhere in its history.
//!
//! Going back is by [`Machine::mark`] and [`Machine::rewind`]: only the places in the histories change. What a rewind
//! must not change (names of threads, addresses, locations) outlives executions and lies in the world.

use crate::Blocked;
use crate::alike::Alike;
use crate::backoff::{self, BackedOff, is_for_locks};
use crate::history::{Ahead, History, HistoryId, Kind, Next, Start};
use crate::limits::Limits;
use crate::lost::Doubt;
use crate::output::{Piece, Printer};
use crate::runner::Runner;
use crate::sharing::{Site, Sites};
use crate::spin::{self, Live, changes_nothing};
use crate::states::{self, States};
use crate::thread::{Kept, Thread};
use crate::vain::{Vain, ends_rounds, is_in_round, vain};
use crate::world::{World, private_heap};
use raddle_event::{Action, Address, AddressMap, FaultKind, Locations, Published, Reply, ThreadId, ThreadNames};
use raddle_program::{FunctionId, Place, Program};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A point of an execution that can be gone back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(usize);

/// Where a thread stands in the program: function and instruction of every frame, innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Moment {
    /// Function and instruction of each frame, innermost first.
    pub stack: Vec<(FunctionId, u32)>,
}

impl Moment {
    /// The place in the source of the innermost frame that has one.
    pub fn place<'p>(&self, program: &'p Program) -> Option<&'p Place> {
        self.places(program).into_iter().next()
    }

    /// The places in the source of all frames, innermost first, where known.
    pub fn places<'p>(&self, program: &'p Program) -> Vec<&'p Place> {
        self.stack.iter().filter_map(|&frame| place_of(frame, program)).collect()
    }

    /// Whether the innermost function has no places though one that has called it does: it comes with the library.
    pub fn is_inside(&self, program: &Program) -> bool {
        let mut places = self.stack.iter().map(|&frame| place_of(frame, program));
        places.next() == Some(None) && places.any(|place| place.is_some())
    }
}

fn place_of((function, at): (FunctionId, u32), program: &Program) -> Option<&Place> {
    let id = *program.functions.get(function.index())?.places.get(at as usize)?;
    Some(program.place(id)).filter(|place| place.line != 0)
}

/// The numbers given so far to threads, addresses and locations. A machine that starts with the tables of another gives
/// the same ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tables {
    /// Where objects lie.
    pub map: AddressMap,
    /// Who started which thread.
    pub names: ThreadNames,
    /// Which bytes are accessed as one.
    pub locations: Locations,
    /// What the library numbers.
    pub slots: Slots,
}

/// The places of things in the tables that the library keeps for all threads, by the name of the table and of the
/// thing.
pub type Slots = FxHashMap<(Cow<'static, str>, Vec<u8>), usize>;

impl Tables {
    /// Those of a program that has not run yet.
    pub fn of(program: &Program) -> Tables {
        let mut names = ThreadNames::default();
        for _ in &program.entries {
            names.root();
        }
        Tables { map: program.addresses.clone(), names, ..Tables::default() }
    }
}

/// How many steps an execution has that is looked at for rounds that take locks.
const MANY: usize = 1000;

/// The worker that runs a thread.
struct Worker {
    thread: Thread,
    /// The step whose state it has.
    at: Option<HistoryId>,
}

/// The machine that runs a program.
pub struct Machine<'p> {
    pub(crate) world: World<'p>,
    pub(crate) history: History,
    /// For each thread where it is in its history; nowhere before it has started.
    steps: Vec<Option<HistoryId>>,
    workers: Vec<Option<Worker>>,
    /// For each thread what lies ahead of it.
    aheads: Vec<Ahead>,
    /// Which thread was moved, where it was before, and what lay ahead of it there.
    moves: Vec<(ThreadId, Option<HistoryId>, Ahead)>,
    live: Live,
    states: States,
    /// Whether any thread may wait for a value.
    pub(crate) has_awaits: bool,
    /// The looks of which it is not known whether they are lost ([`crate::lost`]).
    pub(crate) doubts: Vec<Doubt>,
    /// The threads that are taken to do the same where they are told the same.
    pub(crate) alike: Alike,
}

impl<'p> Machine<'p> {
    /// A machine whose entry threads have started.
    pub fn new(program: &'p Program, limits: Limits, sites: Sites) -> Machine<'p> {
        Machine::with_tables(program, limits, sites, Tables::of(program))
    }

    /// The same, with the numbers that another machine for the same program has given.
    pub fn with_tables(program: &'p Program, limits: Limits, sites: Sites, tables: Tables) -> Machine<'p> {
        Machine::of(World::new(program, limits, sites, tables))
    }

    /// A machine that only goes forward and gives away what is printed.
    pub fn printing(program: &'p Program, limits: Limits, sites: Sites, printer: Printer<'p>) -> Machine<'p> {
        let world = World::new(program, Limits { rewinds: false, ..limits }, sites, Tables::of(program));
        Machine::of(World { printer: Some(printer), ..world })
    }

    fn of(world: World<'p>) -> Machine<'p> {
        let program = world.program;
        let has_awaits = world.limits.awaits && world.sites.has_awaits();
        let history = History::default();
        let mut machine = Machine {
            world,
            history,
            steps: Vec::new(),
            workers: Vec::new(),
            moves: Vec::new(),
            aheads: Vec::new(),
            live: Live::default(),
            states: States::default(),
            has_awaits,
            doubts: Vec::new(),
            alike: Alike::default(),
        };
        for (number, &entry) in program.entries.iter().enumerate() {
            machine.start(ThreadId(number as u32), entry, 0);
        }
        machine
    }

    /// Starts a thread.
    pub fn start(&mut self, thread: ThreadId, function: FunctionId, argument: u64) {
        let start: Start = (thread, function, argument);
        let step = match self.history.root(&start).filter(|_| self.world.limits.rewinds) {
            Some(step) => step,
            None => self.run_first(start),
        };
        self.go(thread, step);
    }

    fn run_first(&mut self, (thread, function, argument): Start) -> HistoryId {
        let mut worker = self.world.worker(thread);
        self.world.begin(&mut worker, function, argument);
        while self.steps.len() <= thread.index() {
            self.steps.push(None);
            self.aheads.push(Ahead::ABSENT);
            self.workers.push(None);
        }
        self.workers[thread.index()] = Some(Worker { thread: worker, at: None });
        let step = self.run(thread, None, Reply::Done);
        self.history.set_root((thread, function, argument), step);
        step
    }

    fn worker(&mut self, thread: ThreadId) -> &mut Worker {
        self.workers[thread.index()].as_mut().expect("the thread has started")
    }

    /// Runs the worker of a thread: what it does next, what it brings to the shared memory with that, its state and
    /// what it has printed.
    fn work(&mut self, thread: ThreadId) -> (Next, Option<Rc<Vec<Published>>>, Kept, Vec<Piece>) {
        let worker = self.workers[thread.index()].as_mut().expect("the thread has started");
        let (next, image) = Runner::new(&mut self.world, &mut worker.thread).run();
        let kept = worker.thread.keep_live(self.world.program, &mut self.live);
        (next, image, kept, std::mem::take(&mut worker.thread.output))
    }

    /// Runs the worker of a thread and adds what it does next to the history.
    fn run(&mut self, thread: ThreadId, from: Option<HistoryId>, reply: Reply) -> HistoryId {
        self.end_rounds(thread, from, &reply);
        if let Some(from) = from.filter(|_| self.has_awaits) {
            self.note_update(from, &reply);
        }
        let (next, image, kept, output) = self.work(thread);
        let is_alone = self.world.limits.rewinds && image.is_none() && output.is_empty();
        let key = from.filter(|&from| is_alone && self.may_join(from, &reply, &kept)).map(|from| (from, states::key(&kept)));
        if let Some((from, key)) = key {
            // A thread that comes back to where it was goes on as if it had not, so that its rounds can be told apart.
            let known = self.states.find(&self.history, key, &kept, &next);
            if let Some(step) = known.filter(|&step| !self.history.led_to(step, from, spin::LOOK_BACK as usize)) {
                self.worker(thread).at = None;
                self.history.link(from, reply, step);
                return step;
            }
        }
        let step = match from.filter(|_| !self.world.limits.rewinds) {
            Some(step) => self.history.replace(step, next, Some(kept)),
            None => self.history.add(from, reply, next, Some(kept)),
        };
        self.worker(thread).at = Some(step);
        let node = self.history.node_mut(step);
        node.image = image;
        node.output = (!output.is_empty()).then(|| output.into());
        if !self.stop_rounds(thread, step)
            && let Some((_, key)) = key
        {
            self.states.put(key, step);
        }
        self.note_look(thread, step);
        if self.world.watches_locks() {
            self.look_for_peeks(step);
        }
        self.note_user(thread, step);
        step
    }

    /// A thread that does more than a round in vain does begins anew to count them.
    fn end_rounds(&mut self, thread: ThreadId, from: Option<HistoryId>, reply: &Reply) {
        if self.worker(thread).thread.counts.wakes > 0
            && let Some(Next::Action(action)) = from.map(|from| &self.history.node(from).next)
            && ends_rounds(action, reply, &self.world.locations)
        {
            self.worker(thread).thread.counts.wakes = 0;
        }
    }

    /// Whether histories may be joined in a state that this reply has led to. Looking back for rounds in vain goes past
    /// choices.
    fn may_join(&self, from: HistoryId, reply: &Reply, kept: &Kept) -> bool {
        let in_vain = self.world.ends_in_vain();
        // Looking back for rounds that back off goes past what takes and gives locks.
        let is_in_back_off = |kept: &Kept| self.world.watches_locks() && is_for_locks(self.world.program, kept);
        if self.history.node(from).kept.as_ref().is_some_and(is_in_back_off) {
            return false;
        }
        let is_seen = match &self.history.node(from).next {
            Next::Action(Action::Choose { .. }) if in_vain => false,
            Next::Action(action) => !changes_nothing(action, reply, &self.world.locations),
            _ => false,
        };
        is_seen && !(in_vain && is_in_round(kept))
    }

    /// Looks whether the thread has come back to a state that it was in. Tells whether it does not go on from there.
    fn stop_rounds(&mut self, thread: ThreadId, step: HistoryId) -> bool {
        let (locations, sites) = (&self.world.locations, &self.world.sites);
        if let Some(round) = spin::round(&self.history, step, locations, self.world.block_word(), |at| self.world.is_contested(at)) {
            self.history.block(step, Blocked::Spin);
            self.history.node_mut(step).round = round.len;
            self.history.seal(step, round.shown_by);
            round.rewritten.into_iter().for_each(|at| self.world.assume_owned(at, thread));
            self.learn_await(thread, step);
            self.doubt_round(thread, step);
            return true;
        }
        if let Some(BackedOff { len, locks, why }) =
            self.world.watches_locks().then(|| backoff::round(&self.history, step, &self.world)).flatten()
        {
            self.history.block(step, why);
            self.history.node_mut(step).round = len;
            self.history.seal(step, len);
            locks.into_iter().for_each(|lock| self.world.leave_out(lock, thread));
            return true;
        }
        let found = |at| sites.found_by_others(locations.range(at).start, thread);
        match self.world.ends_in_vain().then(|| vain(&self.history, step, &self.world, found)).flatten() {
            None => return false,
            Some(Vain::Sleeps) => self.sleep(thread, step),
            Some(Vain::Stops(n, why)) => {
                self.history.block(step, why);
                self.history.node_mut(step).round = n;
                if why == Blocked::Spin {
                    self.learn_await(thread, step);
                }
            }
        }
        true
    }

    /// A thread that could choose to end a wait for no reason waits for its signal.
    fn sleep(&mut self, thread: ThreadId, step: HistoryId) {
        self.worker(thread).thread.replies.push(Reply::Chosen(0));
        let (next, _, kept, _) = self.work(thread);
        self.history.replace(step, next, Some(kept));
    }

    /// Looks whether a thread is about to look at the word of a lock other than by the functions for locks.
    fn look_for_peeks(&mut self, step: HistoryId) {
        let node = self.history.node(step);
        let (Next::Action(action), Some(kept)) = (&node.next, &node.kept) else { return };
        let looks = matches!(action, Action::Read { .. } | Action::Rmw { .. } | Action::Reserve { .. });
        if let Some(at) = action.location().filter(|_| looks && !is_for_locks(self.world.program, kept)) {
            self.world.sites.peek_at(self.world.locations.range(at));
        }
    }

    /// Remembers who writes where, and who accesses plain memory.
    fn note_user(&mut self, thread: ThreadId, step: HistoryId) {
        let node = self.history.node(step);
        let Next::Action(ref action) = node.next else { return };
        if self.has_awaits {
            self.world.note_written(action);
        }
        let spawned = node.kept.as_ref().map_or(u32::MAX, |kept| kept.counts.spawned);
        match *action {
            Action::Write { at, order, .. } => {
                self.world.note_writer(at, thread, spawned);
                if !order.is_atomic() {
                    self.world.note_plain(at, (thread, spawned), true);
                }
            }
            Action::Rmw { at, .. } | Action::WriteReserved { at, .. } => self.world.note_writer(at, thread, spawned),
            Action::Read { at, order, guard: None } if !order.is_atomic() => self.world.note_plain(at, (thread, spawned), false),
            _ => {}
        }
    }

    /// What a thread does next. The thread must have started.
    #[inline]
    pub fn next(&self, thread: ThreadId) -> &Next {
        &self.history.node(self.step(thread)).next
    }

    /// The threads that have started, by number.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let started = |(n, step): (usize, &Option<HistoryId>)| step.map(|_| ThreadId(n as u32));
        self.steps.iter().enumerate().filter_map(started)
    }

    /// How many numbers of threads are in use.
    pub fn n_threads(&self) -> usize {
        self.steps.len()
    }

    /// Whether a thread has started.
    pub fn has_started(&self, thread: ThreadId) -> bool {
        self.steps.get(thread.index()).is_some_and(|step| step.is_some())
    }

    #[inline]
    fn step(&self, thread: ThreadId) -> HistoryId {
        self.steps[thread.index()].expect("the thread has started")
    }

    /// Where a thread is in its history: equal steps mean equal states.
    pub fn position(&self, thread: ThreadId) -> HistoryId {
        self.step(thread)
    }

    /// What the action that a thread waits for brings to the shared memory.
    pub fn image(&self, thread: ThreadId) -> Option<Rc<Vec<Published>>> {
        self.history.node(self.step(thread)).image.clone()
    }

    /// What a thread printed right before it got where it is.
    pub fn output(&self, thread: ThreadId) -> Option<Rc<[Piece]>> {
        self.history.node(self.step(thread)).output.clone()
    }

    /// How many actions a round of its loop has, for a thread that spins.
    pub fn round(&self, thread: ThreadId) -> u32 {
        self.history.node(self.step(thread)).round
    }

    /// The actions of the round of a loop that ends at a moment of a history with the replies that they got, the newest
    /// first, for a thread that spins there.
    pub fn round_before(&self, end: HistoryId) -> Vec<(&Action, &Reply)> {
        self.actions_before(end, self.history.node(end).round)
    }

    /// The last so many actions before a moment of a history, in the same way.
    pub fn actions_before(&self, end: HistoryId, n: u32) -> Vec<(&Action, &Reply)> {
        let mut node = self.history.node(end);
        let mut actions = Vec::new();
        for _ in 0..n {
            let before = self.history.node(node.parent.expect("a round has as many actions"));
            let Next::Action(action) = &before.next else { unreachable!("a reply is that to an action") };
            actions.push((action, &node.reply));
            node = before;
        }
        actions
    }

    /// The same, each with how many actions ago it was, but for those that find what the round itself has left there.
    pub fn looks_before(&self, end: HistoryId) -> impl Iterator<Item = (usize, &Action, &Reply)> {
        let all = self.round_before(end);
        let finds_own = |n: usize| {
            let changes = |(action, reply): &(&Action, &Reply)| !changes_nothing(action, reply, &self.world.locations);
            all[n + 1..].iter().any(|older| older.0.location() == all[n].0.location() && changes(older))
        };
        let looks: Vec<_> = (0..all.len()).filter(|&n| !finds_own(n)).map(|n| (n, all[n].0, all[n].1)).collect();
        looks.into_iter()
    }

    /// Where a thread stands in the program.
    pub fn moment(&self, thread: ThreadId) -> Moment {
        Moment { stack: self.kept(thread).stack() }
    }

    /// The state that a thread is in.
    pub(crate) fn kept(&self, thread: ThreadId) -> &Kept {
        self.history.node(self.step(thread)).kept.as_ref().expect("every state is kept")
    }

    /// Where a reply leads from a moment of a history, if that is known.
    #[inline]
    pub fn known(&self, at: HistoryId, reply: &Reply) -> Option<HistoryId> {
        self.history.child(at, reply)
    }

    /// Where the join of another thread leads from a moment of a history, if it has led there from where the other has
    /// ended.
    #[inline(always)]
    pub fn known_join(&self, at: HistoryId, other: ThreadId) -> Option<HistoryId> {
        let (end, next) = self.history.node(at).joined?;
        (self.steps.get(other.index()) == Some(&Some(end))).then_some(next)
    }

    /// The join of another thread, which has ended, leads from one moment of a history to another.
    pub fn note_join(&mut self, at: HistoryId, other: ThreadId, next: HistoryId) {
        self.history.node_mut(at).joined = Some((self.step(other), next));
    }

    /// The action that a thread is about to do at a moment of its history.
    pub fn action_at(&self, at: HistoryId) -> Option<&Action> {
        match &self.history.node(at).next {
            Next::Action(action) => Some(action),
            _ => None,
        }
    }

    /// What lies ahead of a thread at a moment of its history.
    #[inline]
    pub fn ahead_at(&self, at: HistoryId) -> Ahead {
        self.history.node(at).ahead
    }

    /// Gives a thread the reply it waits for. Tells whether it got where it had never been.
    #[inline(always)]
    pub fn advance(&mut self, thread: ThreadId, reply: Reply) -> bool {
        let from = self.step(thread);
        let known = self.history.child(from, &reply);
        let step = match known {
            Some(step) => step,
            None => self.run_on(thread, from, reply),
        };
        self.go(thread, step);
        known.is_none()
    }

    fn run_on(&mut self, thread: ThreadId, from: HistoryId, reply: Reply) -> HistoryId {
        if self.history.is_full() {
            self.compare_alike();
            self.cut_back();
        }
        self.run_from(thread, from, reply)
    }

    /// Runs a thread from a moment of its history with a reply that it was never given there.
    pub(crate) fn run_from(&mut self, thread: ThreadId, from: HistoryId, reply: Reply) -> HistoryId {
        self.look_for_contradiction(thread, from, &reply);
        let worker = self.workers[thread.index()].as_mut().expect("the thread has started");
        // With debug assertions always, so that tests show where a kept state lacks something.
        if cfg!(debug_assertions) || worker.at != Some(from) {
            let kept = self.history.node(from).kept.as_ref().expect("every state is kept");
            worker.thread.restore(self.world.program, kept);
        }
        worker.thread.replies.push(reply.clone());
        self.run(thread, Some(from), reply)
    }

    /// A thread that accesses what another thread holds as private shows that it is shared.
    fn look_for_contradiction(&mut self, thread: ThreadId, from: HistoryId, reply: &Reply) {
        let Reply::Fault(fault) = reply else { return };
        let unknown = matches!(fault.kind, FaultKind::WildPointer | FaultKind::UseAfterFree | FaultKind::InvalidFree);
        let Next::Action(action) = &self.history.node(from).next else { return };
        let Some(at) = action.location().filter(|_| unknown) else { return };
        let address = self.world.locations.range(at).start;
        if let Some(site) = self.private_site(thread, address) {
            self.world.sites.share(site);
        }
    }

    fn private_site(&self, thread: ThreadId, address: Address) -> Option<Site> {
        let others = self.threads().filter(|&other| other != thread);
        self.world.private_site(others.map(|other| self.kept(other)), address)
    }

    /// What made the object that an address names, as the thread knows it to which the object belongs.
    pub fn maker(&self, address: Address) -> Option<Site> {
        let owner = self.world.map.owner(address)?;
        self.has_started(owner).then(|| self.kept(owner).store.maker(&self.world.map, address))?
    }

    /// The heap objects that no other thread than their own has accessed and that are not freed, with their sizes.
    pub fn private_heap(&self) -> Vec<(Address, u64)> {
        private_heap(self.threads().map(|thread| self.kept(thread)))
    }

    pub(crate) fn cut_back(&mut self) {
        let now = self.steps.iter().flatten().copied();
        let before = self.moves.iter().filter_map(|moved| moved.1);
        self.history.cut_back(now.chain(before));
        self.states.clear();
        for (worker, step) in self.workers.iter_mut().zip(&self.steps) {
            if let Some(worker) = worker.as_mut().filter(|worker| worker.at != *step) {
                worker.at = None;
            }
        }
    }

    /// Puts a thread at a moment of its history.
    #[inline(always)]
    pub fn go(&mut self, thread: ThreadId, to: HistoryId) {
        let ahead = self.history.node(to).ahead;
        let from = self.steps[thread.index()].replace(to);
        let was = std::mem::replace(&mut self.aheads[thread.index()], ahead);
        if self.world.limits.rewinds {
            self.moves.push((thread, from, was));
            if self.moves.len() == MANY {
                self.look_for_locks();
            }
        }
    }

    /// An execution has become long. Where its threads take locks, they may go round loops that do.
    #[cold]
    fn look_for_locks(&mut self) {
        let program = self.world.program;
        let takes = |step: HistoryId| self.history.node(step).kept.as_ref().is_some_and(|kept| is_for_locks(program, kept));
        if self.moves.iter().filter_map(|moved| moved.1).any(takes) {
            self.world.sites.watch_locks();
        }
    }

    /// For each thread, by number, what lies ahead of it.
    #[inline]
    pub fn aheads(&self) -> &[Ahead] {
        &self.aheads
    }

    /// What lies ahead of a thread.
    #[inline]
    pub fn ahead(&self, thread: ThreadId) -> Ahead {
        self.aheads[thread.index()]
    }

    /// Whether some thread has failed to take a lock for no reason: then the execution may be none of the program.
    pub fn is_supposed(&self) -> bool {
        !self.world.sites.left_out().is_empty() && self.threads().any(|thread| self.kept(thread).counts.supposed > 0)
    }

    /// Whether some thread has come to a choice, in some execution.
    #[inline]
    pub fn has_choices(&self) -> bool {
        self.history.has_choices()
    }

    /// Whether no thread waits for the reply to an action, nor is kept from going on by an assumption and the like.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.aheads.iter().all(|ahead| matches!(ahead.kind, Kind::Absent | Kind::Ended | Kind::Over))
    }

    /// The status with which a thread has ended the program, where one has.
    pub fn status(&self) -> Option<i32> {
        self.threads().find_map(|thread| if let Next::Exited(status) = self.next(thread) { Some(*status) } else { None })
    }

    /// The `n`-th word that the first function of a thread has returned, where it has; threads are counted in the order
    /// of their numbers.
    pub fn result(&self, thread: usize, n: usize) -> Option<u64> {
        match self.next(self.threads().nth(thread)?) {
            Next::Ended(values) => values.get(n).copied(),
            _ => None,
        }
    }

    /// This point of the execution.
    pub fn mark(&self) -> Mark {
        Mark(self.moves.len())
    }

    /// Where a thread was at an earlier point, after which it has moved.
    pub fn position_at(&self, mark: Mark, thread: ThreadId) -> HistoryId {
        let moved = self.moves[mark.0..].iter().find(|moved| moved.0 == thread);
        moved.and_then(|moved| moved.1).expect("the thread had started, and has moved since")
    }

    /// Goes back to an earlier point.
    pub fn rewind(&mut self, mark: Mark) {
        while self.moves.len() > mark.0 {
            let (thread, step, ahead) = self.moves.pop().expect("the mark is earlier");
            self.steps[thread.index()] = step;
            self.aheads[thread.index()] = ahead;
        }
    }

    /// The action that a thread waits for.
    #[inline]
    pub fn action(&self, thread: ThreadId) -> Option<&Action> {
        match self.next(thread) {
            Next::Action(action) => Some(action),
            _ => None,
        }
    }
}

impl<'p> Deref for Machine<'p> {
    type Target = World<'p>;

    fn deref(&self) -> &World<'p> {
        &self.world
    }
}

impl<'p> DerefMut for Machine<'p> {
    fn deref_mut(&mut self) -> &mut World<'p> {
        &mut self.world
    }
}
