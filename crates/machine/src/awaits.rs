//! Awaits: a loop that waits for a value is one guarded look at it.
//!
//! A round of a loop that has changed nothing ([`crate::spin`]) ends with a look at a value, a read or a read-modify-write
//! that puts back what is there. Had the thread looked later, nothing would be different, so such a look does not happen:
//! the thread waits until there is a value that leads it on, as it waits for a lock. Whether a value does is found by giving it
//! to the thread, whose history tree then has the answer.
//!
//! Which instructions look in vain is learned ([`crate::Sites`]); where one is new the exploration starts over. Only the
//! last look of a round waits: those before it in the same round are events, whatever they find. After it a round may have
//! fences, and writes of what was there, which no other thread can tell from none.
//!
//! A look at bytes that are also accessed in other sizes, or at more than eight, does not wait: what it finds is not the
//! matter of one location.

use crate::history::{Blocked, Kind, Next, Step};
use crate::machine::Machine;
use crate::sharing::Site;
use crate::spin::LOOK_BACK;
use crate::thread::Kept;
use raddle_event::{Action, Reply, ThreadId, Value};

/// Where a reply leads a thread.
enum Lead {
    /// Round its loop, to this moment.
    Round(Step),
    On,
    /// This reply was never given at this moment.
    Unknown(Step, Reply),
}

/// The instruction that a kept state is at.
fn site(kept: &Kept) -> Option<Site> {
    kept.frames.as_ref().map(|top| Site::Code(top.frame.function, top.frame.at))
}

/// Whether an action looks at a value and may leave it as it is.
fn looks(action: &Action) -> bool {
    match action {
        Action::Read { guard, .. } => guard.is_none(),
        Action::Rmw { rmw, .. } => rmw.guard.is_none(),
        _ => false,
    }
}

impl Machine<'_> {
    /// Notes whether a thread that has come to a step may wait there.
    pub(crate) fn note_look(&mut self, step: Step) {
        let node = self.history.node(step);
        let (Next::Action(action), Some(kept)) = (&node.next, &node.kept) else { return };
        if self.world.limits.awaits && looks(action) && site(kept).is_some_and(|site| self.world.sites.awaits(site)) {
            self.history.node_mut(step).ahead.kind = Kind::Awaits;
        }
    }

    /// A thread has gone round a loop in vain: the last look on the way waits.
    pub(crate) fn learn_await(&mut self, step: Step) {
        if !self.world.limits.awaits {
            return;
        }
        let parents = std::iter::successors(self.history.node(step).parent, |&at| self.history.node(at).parent);
        for node in parents.take(LOOK_BACK as usize).map(|at| self.history.node(at)) {
            match &node.next {
                Next::Action(action) if self.is_passed(action) => {}
                Next::Action(action) if looks(action) => {
                    self.world.sites.extend_awaits(node.kept.as_ref().and_then(site));
                    return;
                }
                _ => return,
            }
        }
    }

    /// Whether a round goes on after an action by itself. A write that waits in a buffer does so for the memory.
    fn is_passed(&self, action: &Action) -> bool {
        matches!(action, Action::Fence(_)) || (matches!(action, Action::Write { .. }) && !self.world.limits.buffered)
    }

    fn lead(&self, mut at: Step, found: &Value) -> Lead {
        let mut reply = Reply::Value(found.clone());
        for n in 1..=LOOK_BACK {
            let Some(next) = self.history.child(at, &reply) else { return Lead::Unknown(at, reply) };
            let node = self.history.node(next);
            match &node.next {
                Next::Blocked(Blocked::Spin) if node.round >= n => return Lead::Round(next),
                Next::Action(action) if self.is_passed(action) => (at, reply) = (next, Reply::Done),
                _ => return Lead::On,
            }
        }
        Lead::On
    }

    /// Finds out whether a value would lead a thread, which may wait for one, round its loop. Tells whether it got where it
    /// had never been.
    pub fn look_ahead(&mut self, thread: ThreadId, found: &Value) -> bool {
        let at = self.position(thread);
        let mut is_new = false;
        if self.history.is_full() {
            self.cut_back();
        }
        loop {
            match self.lead(at, found) {
                Lead::Unknown(from, reply) => {
                    self.run_from(thread, from, reply);
                    is_new = true;
                }
                known => {
                    self.history.note_look(at, found.word(), matches!(known, Lead::Round(_)));
                    return is_new;
                }
            }
        }
    }

    /// Whether a value, of which that was found out, would lead a thread round its loop.
    pub fn is_in_vain(&self, thread: ThreadId, found: &Value) -> bool {
        self.history.look(self.position(thread), found.word()).expect("it was looked ahead")
    }

    /// Whether a word would lead a thread on that may wait for one.
    pub fn goes_on_with(&mut self, thread: ThreadId, word: u64) -> bool {
        let word = Value::Word(word);
        self.look_ahead(thread, &word);
        !self.is_in_vain(thread, &word)
    }

    /// Whether any thread may wait for a value.
    #[inline]
    pub fn has_awaits(&self) -> bool {
        self.has_awaits
    }

    /// The actions of the round that a value would lead a thread through, with the replies to them, the newest first.
    pub fn round_with(&self, thread: ThreadId, found: &Value) -> Vec<(&Action, &Reply)> {
        match self.lead(self.position(thread), found) {
            Lead::Round(end) => self.round_before(end),
            Lead::On | Lead::Unknown(..) => Vec::new(),
        }
    }

    /// A thread that was taken to wait looks at bytes of which that cannot be said: the exploration starts over.
    pub fn forget_await(&mut self, thread: ThreadId) {
        if let Some(site) = site(self.kept(thread)) {
            self.world.sites.mix(site);
        }
    }
}
