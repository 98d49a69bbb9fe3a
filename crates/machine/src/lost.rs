//! Lost looks: whatever a thread finds next, it goes round its loop.
//!
//! A round of a loop may look twice, as a lock does that is exchanged first and looked at then:
//! `while (exchange(&lock, 1)) while (lock);`. Its last look waits ([`crate::awaits`]). An exchange that finds the lock
//! taken is no wait by itself: the thread goes on to look at the lock. But it is *lost*: all words that are ever written
//! there lead the thread round the outer loop, or round the inner one. So the thread is where it was before the
//! exchange, or never does anything again, and the exchange waits too. docs/awaits.md has the argument.
//!
//! Round the inner loop a thread may go for ever. Then it must not be the case that it would have gone on had it not
//! made the first look: so both look at the same bytes, and a word that leads round the inner loop is one for which
//! the first look is lost as well.
//!
//! All words that are written to a location are listed from the start of an exploration on ([`crate::Sites`]); where
//! one is new the exploration starts over. Nothing is lost where they are many, or where parts are written.

use crate::awaits::{Lead, LiesThere, Way, looks, site};
use crate::history::{Blocked, HistoryId, Kind, Next};
use crate::machine::Machine;
use crate::out_of_order::{OutOfOrder, Trip};
use crate::runner::Halt;
use crate::sharing::Site;
use crate::spin::changes_nothing;
use crate::symbolic::{Instance, What};
use crate::world::World;
use raddle_event::{Action, EventId, Fetching, LocationId, Reply, ThreadId, Value};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A look of a thread, at a moment of its history, that may be lost where it finds a value.
pub struct Doubt {
    /// Who has looked.
    pub thread: ThreadId,
    /// When.
    pub moment: HistoryId,
    /// What it has found.
    pub found: Value,
}

impl World<'_> {
    /// All words that are written to a location, where they are listed and it is known from the start that others write
    /// there than this thread. So whether a look is lost is the same all the time.
    fn words_of_others(&self, at: LocationId, thread: ThreadId) -> Option<&BTreeSet<u64>> {
        let range = self.locations.range(at);
        self.sites.words(range).filter(|_| self.sites.is_foreign(range, thread))
    }

    /// Notes what an action writes that a thread is about to do. What a read-modify-write writes depends on what it
    /// finds. Of objects that cease to be no words are listed.
    pub(crate) fn note_written(&mut self, action: &Action) {
        let (at, word) = match action {
            Action::Write { at, value, .. } | Action::WriteReserved { at, value, .. } => (*at, Some(value.word())),
            Action::Free { at, .. } | Action::Reuse { at, .. } => (*at, None),
            _ => return,
        };
        let range = self.locations.range(at);
        self.sites.note_word(range, word.filter(|_| range.size <= 8));
    }
}

impl Machine<'_> {
    /// Notes what a read-modify-write at a moment of a history writes where it gets this reply.
    pub(crate) fn note_update(&mut self, moment: HistoryId, reply: &Reply) {
        let (Next::Action(Action::Rmw { at, rmw, .. }), Reply::Value(old)) = (&self.history.node(moment).next, reply) else { return };
        let range = self.world.locations.range(*at);
        if let Some(new) = rmw.apply(old.to_u128(), range.size) {
            self.world.sites.note_word(range, (range.size <= 8).then_some(new as u64));
        }
    }

    /// A round has ended at a step. The look before the last one may be lost, where the last one is a read that waits:
    /// the words that are written there are listed then.
    pub(crate) fn doubt_round(&mut self, thread: ThreadId, step: HistoryId) {
        if !self.has_awaits || !self.world.limits.looks_twice {
            return;
        }
        let is_own = |at: LocationId| self.world.finds_again(at, thread);
        let (mut end, mut last) = (step, None);
        for _ in 0..self.history.node(step).round {
            let reply = &self.history.node(end).reply;
            end = self.history.node(end).parent.expect("a round has as many actions");
            let node = self.history.node(end);
            let Next::Action(action) = &node.next else { return };
            let Some(at) = action.location().filter(|&at| looks(action) && !is_own(at)) else { continue };
            let Some(last) = last else {
                if node.ahead.kind != Kind::Awaits || !matches!(action, Action::Read { .. }) || !self.world.is_of_one_size(at) {
                    return;
                }
                last = Some(self.world.locations.range(at));
                continue;
            };
            let sites = &mut self.world.sites;
            if !sites.lists_words(last) || !sites.is_foreign(last, thread) {
                sites.list_words(last, thread);
            } else if let (Reply::Value(found), Some(site)) = (reply, node.kept.as_ref().and_then(site))
                && sites.is_new_look(site)
            {
                self.doubts.push(Doubt { thread, moment: end, found: found.clone() });
            }
            return;
        }
    }

    /// A look that may be lost.
    pub fn next_doubt(&mut self) -> Option<Doubt> {
        self.doubts.pop()
    }

    /// A look at a moment of a history was found to be lost: it waits.
    pub fn settle_doubt(&mut self, moment: HistoryId) {
        self.world.sites.extend_awaits(self.history.node(moment).kept.as_ref().and_then(site));
    }

    /// Whether a thread is at an instruction, at a moment of its history, that is known to wait, where looks before the
    /// last one of a round do.
    pub(crate) fn may_wait(&self, moment: HistoryId) -> bool {
        let is_asked = self.world.limits.looks_twice;
        is_asked && self.history.node(moment).kept.as_ref().and_then(site).is_some_and(|site| self.world.sites.awaits(site))
    }

    /// Where a value leads a thread at a moment of its history after which it looks once more: round its loop where the
    /// look is lost. It is then shown by what there is now.
    pub fn lead_if_lost(&self, from: HistoryId, thread: ThreadId, found: &Value, own: &impl LiesThere) -> Lead {
        let (mut open, mut shown) = (SmallVec::<[u64; 4]>::from_slice(&[found.word()]), None);
        let mut n = 0;
        while let Some(&word) = open.get(n) {
            match self.loses((from, word), thread, own, &mut open) {
                Lead::Round(end, n_actions) => shown = shown.or(Some(Lead::Round(end, n_actions))),
                other => return other,
            }
            n += 1;
        }
        shown.expect("there is a word")
    }

    /// Whether whatever the thread finds after a word leads it round its loop, or an inner one. Words that lead round an
    /// inner loop come to those that are `open`.
    fn loses(&self, (from, word): (HistoryId, u64), thread: ThreadId, own: &impl LiesThere, open: &mut SmallVec<[u64; 4]>) -> Lead {
        let reply = Reply::Value(Value::Word(word));
        let Next::Action(first) = &self.history.node(from).next else { return Lead::On };
        if !changes_nothing(first, &reply, &self.world.locations) {
            return Lead::On;
        }
        let (next, n) = match self.way_from(from, thread, reply, own) {
            Way::Stops(end, n) if self.history.node(end).round >= n => return Lead::Round(end, n - 1),
            Way::Looks(next, n) if !self.has_written(next, n) => (next, n),
            Way::Unknown(at, reply) => return Lead::Unknown(at, reply),
            _ => return Lead::On,
        };
        let Some((at, words)) = self.words_after(next, thread, own) else { return Lead::On };
        let is_same = first.location() == Some(at);
        let mut shown = None;
        for word in words {
            match self.way_from(next, thread, Reply::Value(Value::Word(word)), own) {
                Way::Stops(end, m) => {
                    if self.history.node(end).round < n + m {
                        if !is_same {
                            return Lead::On;
                        }
                        if !open.contains(&word) {
                            open.push(word);
                        }
                    }
                    shown = shown.or(Some(Lead::Round(end, n + m - 1)));
                }
                Way::Unknown(at, reply) => return Lead::Unknown(at, reply),
                _ => return Lead::On,
            }
        }
        shown.unwrap_or(Lead::On)
    }

    /// Whether a thread has written in the last so many actions before a moment of its history.
    fn has_written(&self, moment: HistoryId, n: u32) -> bool {
        self.actions_before(moment, n).iter().any(|(action, _)| matches!(action, Action::Write { .. }))
    }

    /// Where a thread that waits at a moment of its history looks, and all words that it could ever find there, what is
    /// there now first; none where they are not listed.
    fn words_after(&self, moment: HistoryId, thread: ThreadId, own: &impl LiesThere) -> Option<(LocationId, SmallVec<[u64; 8]>)> {
        let Next::Action(Action::Read { at, guard: None, .. }) = self.history.node(moment).next else { return None };
        let listed = self.world.words_of_others(at, thread)?;
        if !self.may_wait(moment) || !self.world.is_of_one_size(at) {
            return None;
        }
        let (now, first) = (own.now(at)?.word(), own.at_first(at)?.word());
        let others = std::iter::once(first).chain(listed.iter().copied()).filter(|&word| word != now);
        Some((at, std::iter::once(now).chain(others).collect()))
    }
}

/// The same for threads that are fetched out of order. What a thread may find there is every word that is written to a
/// location, and what was there at first.
impl OutOfOrder<'_> {
    /// Notes what a store writes that is committed, or that an object ceases to be.
    pub fn note_word(&mut self, at: LocationId, value: Option<&Value>) {
        let range = self.world.locations.range(at);
        self.world.sites.note_word(range, value.map(Value::word).filter(|_| range.size <= 8));
    }

    /// The next look of a thread after a load that is answered, and where it looks: a read by an instruction that is
    /// known to end rounds, of a location whose words are listed. There is nothing in between that others could see.
    pub(crate) fn looks_again(&self, load: EventId) -> Option<(EventId, LocationId)> {
        let (events, symbolic) = (self.events(load.thread), self.symbolic(load.thread));
        let behind = events.get(load.index as usize + 1..)?;
        let is_store = |event: &Instance| matches!(event.what, What::Write { exclusive: Some(read), .. } if read == load.index);
        let [read] = &behind[behind.first().is_some_and(is_store) as usize..] else { return None };
        let is_plain = matches!(read.what, What::Read { guard: None, exclusive: false });
        let is_open = read.node.is_some_and(|node| symbolic.nodes.value(node).is_none());
        let at = read.fetched.at.filter(|&at| is_plain && is_open && self.world.is_of_one_size(at))?;
        let (function, place) = read.place;
        let waits = self.world.sites.awaits(Site::Code(function, place)) && self.world.words_of_others(at, load.thread).is_some();
        waits.then_some((EventId { index: events.len() as u32 - 1, ..load }, at))
    }

    /// How a thread goes round where a load that finds a value is lost.
    pub(crate) fn is_lost(&mut self, load: EventId, value: &Value, first: &impl Fn(LocationId) -> Option<Value>) -> Option<Trip> {
        let (mut open, mut n) = (SmallVec::<[u64; 4]>::from_slice(&[value.word()]), 0);
        let mut shown = None;
        while let Some(&word) = open.get(n) {
            let mark = self.mark();
            self.answer(load.thread, load.index, &Value::Word(word));
            let next = self.goes_round_whatever((load, word), first, &mut open);
            self.rewind(mark);
            shown = shown.or(Some(next?));
            n += 1;
        }
        let (read, at) = shown?;
        Some(Trip { round: load.index..read.index + 1, own: vec![(read, at)] })
    }

    /// Whether a thread whose load was answered goes round its loop, or an inner one, whatever it finds at its next
    /// look; which look that is.
    fn goes_round_whatever(
        &mut self,
        (load, found): (EventId, u64),
        first: &impl Fn(LocationId) -> Option<Value>,
        open: &mut SmallVec<[u64; 4]>,
    ) -> Option<(EventId, LocationId)> {
        let (read, at) = self.looks_again(load)?;
        let is_put_back = |index: u32| {
            let written = self.content(load.thread, index);
            self.happens(EventId { index, ..load }) == Some(false) || written.is_some_and(|value| value.word() == found)
        };
        if !(load.index + 1..read.index).all(is_put_back) {
            return None;
        }
        let listed = self.world.words_of_others(at, load.thread)?.clone();
        if !self.lists_own(load, at, &listed) {
            return None;
        }
        let is_same = self.events(load.thread)[load.index as usize].fetched.at == Some(at);
        for word in listed.into_iter().chain([first(at)?.word()]) {
            let mark = self.mark();
            self.answer(load.thread, read.index, &Value::Word(word));
            let is_round = *self.halt(load.thread) == Halt::Blocked(Blocked::Spin);
            let is_whole = self.idle_round(load.thread).contains(&load.index);
            self.rewind(mark);
            if !is_round || !(is_whole || is_same) {
                return None;
            }
            if !is_whole && !open.contains(&word) {
                open.push(word);
            }
        }
        Some((read, at))
    }

    /// Whether all that a thread has written so far to a location is listed, but for what a lost load puts back. What
    /// is not committed yet may not be.
    fn lists_own(&self, load: EventId, at: LocationId, listed: &BTreeSet<u64>) -> bool {
        let is_listed = |(index, event): (usize, &Instance)| match event.what {
            What::Write { exclusive: Some(read), .. } if read == load.index => true,
            What::Write { .. } if event.fetched.at.is_none_or(|other| other == at) => {
                let written = self.content(load.thread, index as u32);
                event.fetched.at.is_some() && written.is_some_and(|value| listed.contains(&value.word()))
            }
            _ => true,
        };
        self.events(load.thread).iter().enumerate().all(is_listed)
    }
}
