//! Awaits: a loop that waits for a value is one guarded look at it.
//!
//! A round of a loop that has changed nothing ([`crate::spin`]) ends with a look at a value, a read or a
//! read-modify-write that puts back what is there. Had the thread looked later, nothing would be different, so such a
//! look does not happen: the thread waits until there is a value that leads it on, as it waits for a lock. Whether a
//! value does is found by giving it to the thread, whose history tree then has the answer.
//!
//! Which instructions look in vain is learned ([`crate::Sites`]); where one is new the exploration starts over. Only
//! the last look of a round waits: those before it in the same round are events, whatever they find. After it a round
//! may have fences, writes of what was there, which no other thread can tell from none, and looks at what only the
//! thread itself writes ([`crate::owners`]), which find what is there now.
//!
//! A look at bytes that are also accessed in other sizes, or at more than eight, does not wait: what it finds is not
//! the matter of one location. Nor does an atomic look at what others write as to plain memory, where data races are
//! looked for, or a read-modify-write of what they read so: the last look of a loop may be ordered with those accesses
//! where an earlier one is not.

use crate::history::{Blocked, HistoryId, Kind, Next};
use crate::machine::Machine;
use crate::sharing::Site;
use crate::spin::LOOK_BACK;
use crate::thread::Kept;
use crate::world::World;
use raddle_event::{Action, LocationId, Reply, ThreadId, Value};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Where a value leads a thread that looks at it.
pub enum Lead {
    /// Round its loop, to this moment, through so many more actions.
    Round(HistoryId, u32),
    /// On, or nowhere that is known to be the same.
    On,
    /// It takes this reply at this moment to tell, and it was never given there.
    Unknown(HistoryId, Reply),
}

/// Where a reply leads a thread by itself, through so many actions, the one that it answers included.
pub(crate) enum Way {
    /// To the end of a round.
    Stops(HistoryId, u32),
    /// To something that it does not do by itself.
    Looks(HistoryId, u32),
    /// To an end of another kind, or far.
    On,
    /// It takes this reply at this moment to tell.
    Unknown(HistoryId, Reply),
}

/// What lies in memory for a thread.
pub trait LiesThere {
    /// What the thread finds at a location where nobody else writes any more.
    fn now(&self, at: LocationId) -> Option<Value>;

    /// What it may find there that nobody has written since it began to look.
    fn at_first(&self, at: LocationId) -> Option<Value>;
}

/// What comes before all that the thread does next.
impl<F: Fn(LocationId) -> Option<Value>> LiesThere for F {
    fn now(&self, at: LocationId) -> Option<Value> {
        self(at)
    }

    fn at_first(&self, at: LocationId) -> Option<Value> {
        self(at)
    }
}

/// A look that may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Looked {
    pub at: LocationId,
    pub thread: ThreadId,
    pub site: Site,
    pub kind: LookKind,
}

/// What kind of access a look is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LookKind {
    Plain,
    Atomic,
    /// A read-modify-write.
    Update,
}

/// The instruction that a kept state is at.
pub(crate) fn site(kept: &Kept) -> Option<Site> {
    kept.frames.as_ref().map(|top| Site::Code(top.frame.function, top.frame.at))
}

/// Whether an action looks at a value and may leave it as it is.
pub(crate) fn looks(action: &Action) -> bool {
    match action {
        Action::Read { guard, .. } => guard.is_none(),
        Action::Rmw { rmw, .. } => rmw.guard.is_none(),
        _ => false,
    }
}

impl World<'_> {
    /// Notes a look that may wait.
    pub(crate) fn note_look(&mut self, look: Looked) {
        if !self.looks.contains(&look) {
            self.looks.push(look);
            self.look_for_plain_users(look.at);
        }
    }

    /// Notes that a thread that has spawned so many others is about to access plain memory, to write or not.
    pub(crate) fn note_plain(&mut self, at: LocationId, by: (ThreadId, u32), writes: bool) {
        if self.limits.awaits && self.limits.races && self.owners.note_plain(at, by, writes) {
            self.look_for_plain_users(at);
        }
    }

    /// Atomic looks at what others write as to plain memory do not wait, nor read-modify-writes of what they read so.
    fn look_for_plain_users(&mut self, at: LocationId) {
        let World { owners, names, sites, looks, .. } = self;
        for look in looks.iter().filter(|look| look.at == at && look.kind != LookKind::Plain) {
            if owners.is_plain_to(at, look.thread, look.kind == LookKind::Update, names) {
                sites.mix(look.site);
            }
        }
    }
}

impl Machine<'_> {
    /// Notes whether a thread that has come to a step may wait there.
    pub(crate) fn note_look(&mut self, thread: ThreadId, step: HistoryId) {
        let node = self.history.node(step);
        let (Next::Action(action), Some(kept)) = (&node.next, &node.kept) else { return };
        let (Some(site), Some(at)) = (site(kept), action.location()) else { return };
        if !self.world.limits.awaits || !looks(action) || !self.world.sites.awaits(site) {
            return;
        }
        let kind = match action {
            Action::Read { order, .. } if !order.is_atomic() => LookKind::Plain,
            Action::Read { .. } => LookKind::Atomic,
            _ => LookKind::Update,
        };
        self.history.node_mut(step).ahead.kind = Kind::Awaits;
        self.world.note_look(Looked { at, thread, site, kind });
    }

    /// A thread has gone round a loop in vain: the last look on the way waits, and those behind it that find what only
    /// the thread writes.
    pub(crate) fn learn_await(&mut self, thread: ThreadId, step: HistoryId) {
        if !self.world.limits.awaits {
            return;
        }
        let mut end = step;
        for _ in 0..self.history.node(step).round {
            end = self.history.node(end).parent.expect("a round has as many actions");
            let node = self.history.node(end);
            let Next::Action(action) = &node.next else { return };
            if looks(action) {
                let (at, is_read) = (action.location(), matches!(action, Action::Read { .. }));
                self.world.sites.extend_awaits(node.kept.as_ref().and_then(site));
                if !is_read || at.is_none_or(|at| !self.world.finds_again(at, thread)) {
                    return;
                }
            } else if !self.is_passed(action) {
                return;
            }
        }
    }

    /// Whether a round goes on after an action by itself. A write that waits in a buffer does so for the memory.
    fn is_passed(&self, action: &Action) -> bool {
        matches!(action, Action::Fence(_)) || (matches!(action, Action::Write { .. }) && !self.world.limits.buffered)
    }

    /// What a round goes on with after an action by itself. A read finds `own`, where only the thread itself writes
    /// there.
    fn passes_with(&self, action: &Action, thread: ThreadId, own: &impl LiesThere) -> Option<Reply> {
        match *action {
            Action::Read { at, guard: None, .. } if self.world.finds_again(at, thread) => own.now(at).map(Reply::Value),
            _ => self.is_passed(action).then_some(Reply::Done),
        }
    }

    /// Where a value leads a thread that may wait for one. `own` tells what the thread finds at a location.
    pub fn lead(&self, thread: ThreadId, found: &Value, own: impl LiesThere) -> Lead {
        self.lead_from(self.position(thread), thread, found, own)
    }

    /// The same for a thread at a moment of its history.
    pub fn lead_from(&self, from: HistoryId, thread: ThreadId, found: &Value, own: impl LiesThere) -> Lead {
        match self.way_from(from, thread, Reply::Value(found.clone()), &own) {
            Way::Stops(end, n) if self.history.node(end).round >= n => Lead::Round(end, n - 1),
            Way::Stops(..) | Way::On => Lead::On,
            Way::Looks(..) if self.may_wait(from) => self.lead_if_lost(from, thread, found, &own),
            Way::Looks(..) => Lead::On,
            Way::Unknown(at, reply) => Lead::Unknown(at, reply),
        }
    }

    /// Where a reply at a moment of its history leads a thread by itself.
    pub(crate) fn way_from(&self, from: HistoryId, thread: ThreadId, reply: Reply, own: &impl LiesThere) -> Way {
        let (mut at, mut reply) = (from, reply);
        for n in 1..=LOOK_BACK {
            let Some(next) = self.history.child(at, &reply) else { return Way::Unknown(at, reply) };
            match &self.history.node(next).next {
                Next::Blocked(Blocked::Spin) => return Way::Stops(next, n),
                Next::Action(action) => match self.passes_with(action, thread, own) {
                    Some(passed) => (at, reply) = (next, passed),
                    None => return Way::Looks(next, n),
                },
                _ => return Way::On,
            }
        }
        Way::On
    }

    /// Runs a thread with a reply that it was never given at a moment, to see where it leads. What was seen so is kept
    /// as long as the moment.
    pub fn look_on(&mut self, thread: ThreadId, from: HistoryId, reply: Reply) {
        let step = self.run_from(thread, from, reply);
        self.history.node_mut(step).is_looked_at = true;
    }

    /// A thread waits because of a round: what it has looked at in the last so many actions of it is assumed to be its
    /// own.
    pub fn assume_round(&mut self, thread: ThreadId, end: HistoryId, n_actions: u32) {
        let actions = self.actions_before(end, n_actions).into_iter();
        let reads = actions.filter(|(action, _)| matches!(action, Action::Read { .. }));
        let found_again = |at: &LocationId| self.world.finds_again(*at, thread);
        let own: SmallVec<[LocationId; 2]> = reads.filter_map(|(action, _)| action.location()).filter(found_again).collect();
        own.into_iter().for_each(|at| self.world.assume_found_again(at, thread));
    }

    /// Whether any thread may wait for a value.
    #[inline]
    pub fn has_awaits(&self) -> bool {
        self.has_awaits
    }

    /// Whoever was taken to wait for a value of a location does not: the exploration starts over.
    pub fn forget_awaits_at(&mut self, at: LocationId) {
        for look in self.world.looks.iter().filter(|look| look.at == at) {
            self.world.sites.mix(look.site);
        }
    }

    /// A look at a moment of a thread's history, which may end a round of its loop at another, can be left behind: the
    /// thread may find the last value for ever. Where the round has more than one read, the loop does not wait.
    pub fn leave_behind(&mut self, moment: HistoryId, end: HistoryId) {
        let node = self.history.node(moment);
        let Some(site) = node.kept.as_ref().and_then(site) else { return };
        let end = self.history.node(end);
        let is_alone = end.round == 1 && end.parent == Some(moment);
        let is_single = is_alone && matches!(node.next, Next::Action(Action::Read { .. }));
        if is_single {
            self.world.sites.let_stay(site);
        } else {
            self.world.sites.mix(site);
        }
    }

    /// Whether a thread that waits for a value, at a moment of its history, may find the last one for ever although it
    /// could read another one.
    pub fn may_stay(&self, moment: HistoryId) -> bool {
        self.history.node(moment).kept.as_ref().and_then(site).is_some_and(|site| self.world.sites.may_stay(site))
    }

    /// A thread that was taken to wait looks at bytes of which that cannot be said: the exploration starts over.
    pub fn forget_await(&mut self, thread: ThreadId) {
        if let Some(site) = site(self.kept(thread)) {
            self.world.sites.mix(site);
        }
    }
}
