//! Data races along a schedule: two accesses to a byte by different threads, one a write and one not atomic, that the
//! happens-before of C11 does not order. Found as the events come, and taken back with them.
//!
//! ```text
//! sw = [release] ; ([F] ; po)? ; [atomic W] ; (rf ; rmw)* ; rf ; [atomic R] ; (po ; [F])? ; [acquire]
//! hb = (po ∪ sw ∪ spawn ∪ join)+
//! ```
//!
//! What is before what is said by [`known`], which accesses there were by [`places`]. A *message* is what whoever
//! acquires from a store learns. It goes with the store: through the buffer, where stores wait, and into memory.
//!
//! Happens-before is a matter of program order and reads-from alone, and so is the same in all schedules of a trace:
//! docs/models/sc.md. Release sequences are handed on by read-modify-writes only, as C++20 has it. These clocks are not
//! those of the explorers, which order whatever depends on each other.
//!
//! The judge (`crates/judge/src/race.rs`) has the definition, as a closure over the whole execution.

mod known;
mod places;

use known::{Known, Message};
use places::{Mode, Places};
use raddle_event::{Action, Fence, Free, LocationId, Locations, Order, Range, Reply, ThreadId};

/// Happens-before and the accesses of the present execution, up to the first race.
#[derive(Default)]
pub struct Happens {
    known: Known,
    places: Places,
    has_race: bool,
}

/// A point to which one can go back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    known: known::Mark,
    places: u32,
    has_race: bool,
}

impl Happens {
    /// Learns how many locations and threads there are.
    pub fn widen(&mut self, n_locations: usize, n_threads: usize) {
        self.known.widen(n_threads);
        self.places.widen(n_locations);
    }

    /// Whether a race has been found. Nothing more is looked at then.
    #[inline]
    pub fn has_race(&self) -> bool {
        self.has_race
    }

    /// The present point.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { known: self.known.mark(), places: self.places.mark(), has_race: self.has_race }
    }

    /// Goes back to a point.
    #[inline]
    pub fn rewind(&mut self, mark: Mark) {
        self.known.rewind(mark.known);
        self.places.rewind(mark.places);
        self.has_race = mark.has_race;
    }

    /// A thread has done something in memory and was answered well. Of a load only a `part` may have come from there,
    /// and the rest from the thread's own buffer. Tells whether it races with what was done before.
    pub fn did(&mut self, thread: ThreadId, (action, reply): (&Action, &Reply), part: Option<&[Range]>, all: &Locations) -> bool {
        match *action {
            Action::Read { at, order, .. } | Action::Reserve { at, order } => {
                if order.is_atomic() {
                    self.read(thread, (at, part), order, all);
                }
                self.access(thread, at, Mode { writes: false, is_atomic: order.is_atomic() }, all);
            }
            Action::Write { at, order, .. } | Action::WriteReserved { at, order, .. } => {
                let message = self.store(thread, at, order, all);
                self.places.store(at, message, all);
            }
            Action::Rmw { at, rmw, order, failure } => {
                let old = if let Reply::Value(old) = reply { old.to_u128() } else { 0 };
                let writes = !rmw.is_conditional() || rmw.apply(old, all.range(at).size).is_some();
                let order = if writes { order } else { failure };
                let handed_on = self.read(thread, (at, None), order, all);
                self.access(thread, at, Mode { writes, is_atomic: order.is_atomic() }, all);
                if writes {
                    let message = self.message(thread, order, handed_on);
                    self.places.store(at, message, all);
                }
            }
            // The end of an object is a store to all of it that is not atomic.
            Action::Free { at, how: Free::Heap, .. } => self.access(thread, at, Mode { writes: true, is_atomic: false }, all),
            // What comes to be there is another object.
            Action::Free { at, how: Free::Return, .. } | Action::Allocate { at, .. } | Action::Reuse { at, .. } => {
                self.places.clear(at, all)
            }
            Action::Fence(fence) => self.fence(thread, fence),
            Action::Spawn { child, .. } => self.spawn(thread, child),
            Action::Choose { .. } => {}
        }
        self.has_race
    }

    /// A thread has put a store into its buffer. Tells whether it races with what was done before.
    pub fn buffered(&mut self, thread: ThreadId, at: LocationId, order: Order, all: &Locations) -> bool {
        let message = self.store(thread, at, order, all);
        self.places.wait(thread, message);
        self.has_race
    }

    /// The store of a thread that is the `count`-th, counted from one, has left the buffer and reached memory.
    pub fn reached(&mut self, thread: ThreadId, count: u32, at: LocationId, all: &Locations) {
        self.places.reach(thread, count, at, all);
    }

    /// A thread has joined another, which has ended.
    pub fn join(&mut self, thread: ThreadId, other: ThreadId) {
        self.known.learn(thread, self.known.now(other));
    }

    fn spawn(&mut self, thread: ThreadId, child: ThreadId) {
        let message = self.known.publish(thread);
        self.known.learn(child, message);
    }

    fn fence(&mut self, thread: ThreadId, fence: Fence) {
        if fence.is_acquire() {
            self.known.learn(thread, self.known.pending(thread));
        }
        if fence.is_release() {
            let message = self.known.publish(thread);
            self.known.release(thread, message);
        }
    }

    /// A thread reads; it learns what goes with what it reads, now or by an acquire fence. Gives what that is.
    fn read(&mut self, thread: ThreadId, (at, part): (LocationId, Option<&[Range]>), order: Order, all: &Locations) -> Message {
        let Happens { known, places, .. } = self;
        let message = match places.source(at, part, all) {
            Some(message) => message,
            None => places.sources(at, part, all).into_iter().fold(Message::Nothing, |one, other| known.joined(one, other)),
        };
        match order {
            Order::Plain | Order::Copy => {}
            order if order.is_acquire() => known.learn(thread, message),
            _ => known.wait(thread, message),
        }
        message
    }

    /// A thread stores; gives what goes with that.
    #[inline]
    fn store(&mut self, thread: ThreadId, at: LocationId, order: Order, all: &Locations) -> Message {
        self.access(thread, at, Mode { writes: true, is_atomic: order.is_atomic() }, all);
        self.message(thread, order, Message::Nothing)
    }

    /// What goes with a write: what it hands on of what it has read, and what its thread releases by it.
    #[inline(always)]
    fn message(&mut self, thread: ThreadId, order: Order, handed_on: Message) -> Message {
        let own = match order {
            Order::Plain | Order::Copy => return handed_on,
            order if order.is_release() => self.known.publish(thread),
            _ => self.known.released(thread),
        };
        self.known.joined(own, handed_on)
    }

    #[inline(always)]
    fn access(&mut self, thread: ThreadId, at: LocationId, mode: Mode, all: &Locations) {
        if self.places.may_race(at, mode, all) {
            self.has_race |= self.places.races_around((at, thread, mode), self.known.row(thread), all);
        }
        self.places.access((at, thread, mode), self.known.epoch(thread));
    }
}
