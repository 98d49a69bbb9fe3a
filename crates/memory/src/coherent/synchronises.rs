//! Happens-before by vector clocks: what an event learns from what it reads, or by a fence.
//!
//! A *message* is what whoever acquires from a write learns: what happened before the release that heads a release
//! sequence with the write in it,
//!
//! ```text
//! rs = [W] ; (po ∩ loc)? ; [atomic W] ; (rf ; rmw)*
//! sw = [release] ; ([F] ; po)? ; rs ; rf ; [atomic R] ; (po ; [F])? ; [acquire]
//! ```
//!
//! so of an atomic write: what happened before it, where it is a release itself; else before the last release of its
//! thread, be that a fence or a write of the same variable; and, where it is a read-modify-write, what the message of
//! its source says.

use super::{Access, Axioms, Coherent};
use raddle_event::{Position, ThreadId};

/// What can be learned from an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Nothing,
    /// What happens before an event.
    Of(Position),
    /// The row of this number.
    Row(u32),
}

impl<A: Axioms> Coherent<A> {
    /// Whether an event happens before another one, or is the same.
    #[inline]
    pub(crate) fn happens_before(&self, first: Position, second: Position) -> bool {
        self.skeleton.is_among(first, self.happens.row(second))
    }

    fn row(&self, message: Message) -> Option<&[u32]> {
        match message {
            Message::Nothing => None,
            Message::Of(event) => Some(self.happens.row(event)),
            Message::Row(row) => Some(self.messages.row(Position(row))),
        }
    }

    /// What the next event has seen, and its name.
    pub(super) fn push_clocks(&mut self, thread: ThreadId, source: Option<Position>, learned: Message) {
        self.happens.push(self.skeleton.last(thread));
        match learned {
            Message::Nothing => {}
            Message::Of(event) => self.happens.join(event),
            Message::Row(row) => join(self.happens.newest_mut(), self.messages.row(Position(row))),
        }
        let id = self.skeleton.push(thread, source);
        self.happens.set(thread.index(), id.index + 1);
    }

    /// The last event of a thread before the one whose clocks were pushed last.
    fn before(&self, thread: ThreadId) -> Option<Position> {
        let id = self.skeleton.id(self.newest());
        debug_assert_eq!(id.thread, thread);
        self.skeleton.previous(id).filter(|_| id.index > 0)
    }

    /// The last release fence of the thread whose event is being added, and what an acquire fence of it learns.
    pub(super) fn handed_on(&self, thread: ThreadId) -> (Option<Position>, Message) {
        let last = self.before(thread).map(|last| &self.events[last.index()]);
        last.map_or((None, Message::Nothing), |last| (last.released, last.pending))
    }

    /// What an acquire fence of a thread learns now.
    pub(super) fn last_pending(&self, thread: ThreadId) -> Message {
        let last = self.skeleton.last(thread).filter(|last| self.skeleton.id(*last).thread == thread);
        last.map_or(Message::Nothing, |last| self.events[last.index()].pending)
    }

    /// The message of what an access reads from.
    fn read_message(&self, access: &Access) -> Message {
        let source = access.source.flatten().filter(|_| access.order.is_atomic());
        source.and_then(|source| self.access(source)).map_or(Message::Nothing, |source| source.message)
    }

    /// What an access learns at once.
    pub(super) fn acquired(&self, access: &Access) -> Message {
        if access.order.is_acquire() { self.read_message(access) } else { Message::Nothing }
    }

    /// What an acquire fence learns after an access.
    pub(super) fn read_pending(&mut self, access: &Access, pending: Message) -> Message {
        match self.read_message(access) {
            message if message == Message::Nothing || access.order.is_acquire() => pending,
            message => self.joined(pending, message),
        }
    }

    /// The message of a write that is being added.
    pub(super) fn message(&mut self, at: Position, access: &Access, released: Option<Position>) -> Message {
        if access.written.is_none() || !access.order.is_atomic() {
            return Message::Nothing;
        }
        let own = if access.order.is_release() { Some(at) } else { released.max(access.release) };
        let own = own.map_or(Message::Nothing, Message::Of);
        if own == Message::Of(at) && access.order.is_acquire() {
            return own;
        }
        let handed_on = self.read_message(access);
        self.joined(own, handed_on)
    }

    /// What two messages say together.
    fn joined(&mut self, a: Message, b: Message) -> Message {
        let (Some(first), Some(second)) = (self.row(a), self.row(b)) else {
            return if a == Message::Nothing { b } else { a };
        };
        if a == b || is_within(second, first) {
            return a;
        }
        if is_within(first, second) {
            return b;
        }
        self.messages.push(None);
        for message in [a, b] {
            match message {
                Message::Nothing => {}
                Message::Of(event) => join(self.messages.newest_mut(), self.happens.row(event)),
                Message::Row(row) => self.messages.join(Position(row)),
            }
        }
        self.n_messages += 1;
        Message::Row(self.n_messages - 1)
    }
}

/// Whether one clock is at most another one.
fn is_within(clock: &[u32], other: &[u32]) -> bool {
    clock.iter().zip(other).all(|(mine, theirs)| mine <= theirs)
}

/// Adds to a clock what another one has seen.
fn join(clock: &mut [u32], other: &[u32]) {
    clock.iter_mut().zip(other).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
}
