//! Threads that do the same: those of one function and argument that cannot be told apart by what they do.
//!
//! A thread is deterministic, and its history tree has all that it was ever told, with what it did then. Two threads
//! are *alike* if each, told what the other was told, does the same in every history that was seen of either. It is
//! found by running both along the tree of the other. Whatever a thread may look at to learn which one it is (its
//! handle, its number, addresses of its own objects), it makes no difference to others as long as this holds.
//!
//! *The same* is meant literally, but for one thing: a mutex has a word that names its owner, so that locking writes
//! the own number and unlocking finds it.

use crate::history::{HistoryId, Next, Start};
use crate::machine::Machine;
use raddle_event::{Action, Reply, Rmw, RmwOp, ThreadId, Value};
use raddle_program::FunctionId;
use rustc_hash::FxHashSet;

/// How many moments of two threads are compared at the most; those that have more are not alike.
const MOST: usize = 1 << 20;

/// The threads that are taken to be alike.
#[derive(Default)]
pub(crate) struct Alike {
    groups: Vec<Group>,
    /// A group that is not.
    differing: Option<Vec<ThreadId>>,
}

/// Threads that begin in the same way.
struct Group {
    function: FunctionId,
    argument: u64,
    /// By number.
    threads: Vec<ThreadId>,
}

impl Group {
    fn start(&self, thread: ThreadId) -> Start {
        (thread, self.function, self.argument)
    }
}

/// The word of a mutex that a thread holds.
pub(crate) fn held_by(thread: ThreadId) -> u64 {
    (thread.0 as u64 + 1) << 32 | 1
}

/// Whether a thread locks or unlocks a mutex by this.
fn owns(rmw: &Rmw, thread: ThreadId) -> bool {
    matches!(rmw.op, RmwOp::Acquire | RmwOp::Release) && rmw.operand == held_by(thread) as u128
}

/// Whether two threads want the same.
fn is_same(one: (ThreadId, &Next), other: (ThreadId, &Next)) -> bool {
    let ((a, Next::Action(first)), (b, Next::Action(second))) = (one, other) else { return one.1 == other.1 };
    match (first, second) {
        (Action::Rmw { at, rmw, order, failure }, Action::Rmw { rmw: theirs, .. }) if owns(rmw, a) && owns(theirs, b) => {
            let rmw = Rmw { operand: theirs.operand, ..*rmw };
            *second == Action::Rmw { at: *at, rmw, order: *order, failure: *failure }
        }
        _ => first == second,
    }
}

/// What one thread is told in place of what another one is told.
fn told(next: &Next, reply: &Reply, thread: ThreadId, other: ThreadId) -> Reply {
    match (next, reply) {
        (Next::Action(Action::Rmw { rmw, .. }), Reply::Value(Value::Word(word))) if owns(rmw, thread) && *word == held_by(thread) => {
            Reply::Value(Value::Word(held_by(other)))
        }
        _ => reply.clone(),
    }
}

impl Machine<'_> {
    /// Takes a thread to be alike to one that was started before it, with the same function and argument.
    pub fn take_to_be_alike(&mut self, elder: ThreadId, thread: ThreadId, function: FunctionId, argument: u64) {
        let is_same = |group: &&mut Group| (group.function, group.argument) == (function, argument);
        match self.alike.groups.iter_mut().filter(is_same).find(|group| group.threads.contains(&elder)) {
            Some(group) if group.threads.contains(&thread) => {}
            Some(group) => group.threads.push(thread),
            None => self.alike.groups.push(Group { function, argument, threads: vec![elder, thread] }),
        }
    }

    /// The groups of threads that are taken to be alike.
    pub fn alike(&self) -> Vec<Vec<ThreadId>> {
        self.alike.groups.iter().map(|group| group.threads.clone()).collect()
    }

    /// The threads of a group that is not alike, as far as was seen; each history is looked at once.
    pub fn not_alike(&mut self) -> Option<&[ThreadId]> {
        self.compare_alike();
        self.alike.differing.as_deref()
    }

    /// Looks whether all that are taken to be alike are. The first one of a group learns what all others were told, and
    /// then they learn it from the first one.
    pub(crate) fn compare_alike(&mut self) {
        let groups = std::mem::take(&mut self.alike.groups);
        let differs = |group: &&Group| {
            let others = || group.threads.iter().skip(1).chain(group.threads.iter().skip(1));
            others().any(|&other| !self.do_the_same(group.start(group.threads[0]), group.start(other)))
        };
        let differing = groups.iter().find(differs).map(|group| group.threads.clone());
        self.alike.differing = self.alike.differing.take().or(differing);
        self.alike.groups = groups;
    }

    /// Whether two threads do the same in all histories of either.
    fn do_the_same(&mut self, one: Start, other: Start) -> bool {
        let (Some(first), Some(second)) = (self.history.root(&one), self.history.root(&other)) else { return false };
        let (one, other) = (one.0, other.0);
        let (mut open, mut seen) = (vec![(first, second)], FxHashSet::default());
        while let Some(pair @ (first, second)) = open.pop() {
            if !seen.insert(pair) {
                continue;
            }
            let (nexts, theirs) = (&self.history.node(first).next, &self.history.node(second).next);
            if seen.len() > MOST || !is_same((one, nexts), (other, theirs)) {
                return false;
            }
            for (reply, next) in self.history.replies(first) {
                let reply = told(&self.history.node(first).next, &reply, one, other);
                open.push((next, self.led_to(other, second, reply)));
            }
            for (reply, next) in self.history.replies(second) {
                let reply = told(&self.history.node(second).next, &reply, other, one);
                open.push((self.led_to(one, first, reply), next));
            }
        }
        true
    }

    /// Where a reply leads a thread from a moment of its history.
    pub fn led_to(&mut self, thread: ThreadId, from: HistoryId, reply: Reply) -> HistoryId {
        match self.history.child(from, &reply) {
            Some(step) => step,
            None => self.run_from(thread, from, reply),
        }
    }
}
