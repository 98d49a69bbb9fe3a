//! Data races: two accesses to a byte by different threads, at least one a write and at least one not atomic, that
//! nothing orders.
//!
//! What orders them is the happens-before of C11, by vector clocks along one execution: spawns, joins, and reads-from
//! where what is written is a release and what is read an acquire. Locks are read-modify-writes with these orders.
//! Fences count for the accesses before or after them; a read-modify-write hands on the release that it reads from.
//! Barriers of a machine count for what they order.
//!
//! Deviation from C11: release sequences are handed on by read-modify-writes only, as C++20 has it; but where the model
//! is RC11, also by later stores of the same thread, as C11 and RC11 have it.

use crate::frames::user_place;
use crate::names::{Names, file_name};
use raddle_event::{Action, Fault, FaultKind, Fence, Free, LocationId, Order, Range, Reply, ThreadId};
use raddle_judge::{Act, Model, StoreName, Watch};
use raddle_machine::{FaultAt, Machine, Moment};
use rustc_hash::FxHashMap;

/// For each thread how many of its accesses are known to have happened.
#[derive(Clone, Debug, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn of(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    fn tick(&mut self, thread: ThreadId) -> u32 {
        let n = self.0.len().max(thread.index() + 1);
        self.0.resize(n, 0);
        self.0[thread.index()] += 1;
        self.0[thread.index()]
    }

    fn join(&mut self, other: &Clock) {
        let n = self.0.len().max(other.0.len());
        self.0.resize(n, 0);
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// What a thread knows.
#[derive(Clone, Debug, Default)]
struct Known {
    now: Clock,
    /// At its last release fence.
    released: Clock,
    /// What it has read of releases without an acquire; an acquire fence takes it over.
    read: Clock,
    /// At its last release of each location, where that heads a release sequence.
    heads: FxHashMap<LocationId, Clock>,
}

/// How a thread accesses a byte. Of each mode only the last access counts: what comes after it comes after the earlier
/// ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Mode {
    thread: ThreadId,
    writes: bool,
    plain: bool,
}

/// An access: its number among those of its thread, its number among all that happened, and where it stands.
#[derive(Clone, Debug)]
struct Access {
    mode: Mode,
    epoch: u32,
    number: u32,
    moment: Moment,
}

/// Two accesses that race.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    /// The later one, in words.
    pub fault: FaultAt,
    /// The earlier one.
    pub with: (ThreadId, Moment),
    /// The numbers of both among all that happened, the earlier one first.
    pub numbers: (u32, u32),
    /// What is accessed, and whether each of the two writes it.
    pub name: String,
    pub writes: (bool, bool),
    /// By which event the later thread last learned what the earlier had done; none where it never has.
    pub learned: Option<u32>,
}

impl Race {
    /// Whether the earlier one is by this thread at this moment.
    pub fn is_with(&self, thread: ThreadId, moment: &Moment) -> bool {
        self.with.0 == thread && self.with.1 == *moment
    }
}

/// Looks for the races of an execution.
#[derive(Default)]
pub(crate) struct Races {
    /// Whether later stores of the same thread belong to a release sequence.
    by_thread: bool,
    known: FxHashMap<ThreadId, Known>,
    /// What is known to whoever acquires from a store.
    messages: FxHashMap<(ThreadId, u32), Clock>,
    accesses: FxHashMap<u64, Vec<Access>>,
    /// The races, each later access once.
    pub found: Vec<Race>,
    /// Whether it is noted what threads learn of each other.
    pub tells: bool,
    /// How much has happened.
    count: u32,
    /// The event by which a thread last learned what another had done.
    learned: FxHashMap<(ThreadId, ThreadId), u32>,
}

impl Races {
    /// Nothing was seen yet; the model says what a release sequence is.
    pub fn under(model: Model) -> Races {
        Races { by_thread: model.has_sequences_by_thread(), ..Races::default() }
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Known {
        self.known.entry(thread).or_default()
    }

    fn access(&mut self, machine: &Machine, mode: Mode, range: Range, bytes: impl Iterator<Item = u64>) {
        let moment = machine.moment(mode.thread);
        let now = &mut self.known.entry(mode.thread).or_default().now;
        let access = Access { mode, epoch: now.tick(mode.thread), number: self.count, moment };
        let now = now.clone();
        for byte in bytes {
            let before = self.accesses.entry(byte).or_default();
            let races = |other: &&Access| {
                let Mode { thread, writes, plain } = other.mode;
                thread != mode.thread && (writes || mode.writes) && (plain || mode.plain) && other.epoch > now.of(thread)
            };
            let is_same = |found: &Race| found.fault.thread == mode.thread && found.fault.moment == access.moment;
            let is_known = self.found.last().is_some_and(is_same);
            if let (false, Some(other)) = (is_known, before.iter().find(races)) {
                let learned = self.learned.get(&(mode.thread, other.mode.thread)).copied();
                self.found.push(Race { learned, ..race(machine, &access, other, range) });
            }
            before.retain(|other| other.mode != mode);
            before.push(access.clone());
        }
    }

    /// A thread reads; it learns what those knew who released what it reads. Gives what it read of releases.
    fn read(&mut self, thread: ThreadId, from: &[StoreName], order: Order) -> Clock {
        let mut message = Clock::default();
        let mut last = None;
        for source in from.iter().flatten() {
            if last != Some(*source) {
                last = Some(*source);
                self.messages.get(source).into_iter().for_each(|other| message.join(other));
            }
        }
        let known = self.thread(thread);
        match order {
            Order::Plain | Order::Copy => {}
            order if order.is_acquire() => known.now.join(&message),
            _ => known.read.join(&message),
        }
        message
    }

    /// A thread writes to a location: `handed_on` goes with what it says itself.
    fn write(&mut self, thread: ThreadId, (at, number): (LocationId, u32), order: Order, handed_on: Clock) {
        let by_thread = self.by_thread;
        let known = self.thread(thread);
        let mut message = handed_on;
        match order {
            Order::Plain | Order::Copy => {}
            order if order.is_release() => {
                message.join(&known.now);
                if by_thread {
                    known.heads.insert(at, known.now.clone());
                }
            }
            _ => {
                message.join(&known.released);
                known.heads.get(&at).into_iter().for_each(|head| message.join(head));
            }
        }
        self.messages.insert((thread, number), message);
    }

    fn fence(&mut self, thread: ThreadId, fence: Fence) {
        let known = self.thread(thread);
        if fence.is_acquire() {
            known.now.join(&known.read.clone());
        }
        if fence.is_release() {
            known.released = known.now.clone();
        }
    }

    fn did(&mut self, machine: &Machine, thread: ThreadId, action: &Action, from: &[StoreName], store: Option<u32>) {
        let range = |at: LocationId| machine.locations().range(at);
        let bytes = |at: LocationId| range(at).start.0..range(at).end();
        match *action {
            Action::Spawn { child, .. } => {
                let now = self.thread(thread).now.clone();
                self.thread(child).now = now;
            }
            Action::Read { at, order, .. } | Action::Reserve { at, order } => match machine.word_of(at) {
                Some(joined) => {
                    let ended = self.thread(joined).now.clone();
                    self.thread(thread).now.join(&ended);
                }
                None => {
                    self.read(thread, from, order);
                    let mode = Mode { thread, writes: false, plain: !order.is_atomic() };
                    self.access(machine, mode, range(at), bytes(at));
                }
            },
            Action::Write { at, order, .. } | Action::WriteReserved { at, order, .. } => {
                self.stored(machine, thread, at, order, store.unwrap_or(0))
            }
            Action::Rmw { at, order, failure, .. } => {
                let handed_on = self.read(thread, from, if store.is_some() { order } else { failure });
                let mode = Mode { thread, writes: store.is_some(), plain: !order.is_atomic() };
                self.access(machine, mode, range(at), bytes(at));
                if let Some(number) = store {
                    self.write(thread, (at, number), order, handed_on);
                }
            }
            Action::Free { at, how: Free::Heap, .. } => {
                let mode = Mode { thread, writes: true, plain: true };
                let accessed: Vec<u64> = self.accesses.keys().copied().filter(|byte| bytes(at).contains(byte)).collect();
                self.access(machine, mode, range(at), accessed.into_iter());
            }
            Action::Free { at, .. } | Action::Allocate { at, .. } | Action::Reuse { at, .. } => {
                self.accesses.retain(|byte, _| !bytes(at).contains(byte))
            }
            Action::Fence(fence) => self.fence(thread, fence),
            Action::Choose { .. } => {}
        }
    }

    fn stored(&mut self, machine: &Machine, thread: ThreadId, at: LocationId, order: Order, number: u32) {
        let range = machine.locations().range(at);
        let mode = Mode { thread, writes: true, plain: !order.is_atomic() };
        self.access(machine, mode, range, range.start.0..range.end());
        self.write(thread, (at, number), order, Clock::default());
    }
}

impl Races {
    /// Notes of whom a thread knows more than before.
    fn note_learned(&mut self, thread: ThreadId, before: &Clock) {
        let now = self.thread(thread).now.clone();
        for (other, &epoch) in (0..).map(ThreadId).zip(&now.0) {
            if other != thread && epoch > before.of(other) {
                self.learned.insert((thread, other), self.count);
            }
        }
    }
}

impl Watch for Races {
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act) {
        let before = self.tells.then(|| self.thread(thread).now.clone());
        match *act {
            Act::Did { reply: Reply::Fault(_), .. } | Act::Updated { .. } => {}
            Act::Did { action, from, store, .. } => {
                self.did(machine, thread, action, from, store);
                if let (Action::Spawn { child, .. }, true) = (action, self.tells) {
                    self.note_learned(*child, &Clock::default());
                }
            }
            Act::Buffered { at, order, store, .. } => self.stored(machine, thread, at, order, store),
        }
        before.into_iter().for_each(|before| self.note_learned(thread, &before));
        self.count += 1;
    }
}

fn race(machine: &Machine, access: &Access, other: &Access, range: Range) -> Race {
    let program = machine.program();
    let name = Names::default().range(machine, range).0;
    let verb = |mode: Mode| if mode.writes { "writes" } else { "reads" };
    let place = user_place(program, &other.moment).map(|place| format!(" at {}:{}", file_name(&place.file), place.line));
    let message = format!(
        "{} {} `{name}` here and {} {} it{}, in no order",
        access.mode.thread,
        verb(access.mode),
        other.mode.thread,
        verb(other.mode),
        place.unwrap_or_default()
    );
    let fault = FaultAt { fault: Fault::new(FaultKind::DataRace, message), thread: access.mode.thread, moment: access.moment.clone() };
    let (with, numbers) = ((other.mode.thread, other.moment.clone()), (other.number, access.number));
    Race { fault, with, numbers, name, writes: (other.mode.writes, access.mode.writes), learned: None }
}
