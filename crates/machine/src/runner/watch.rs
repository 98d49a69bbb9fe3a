//! Threads that run very long without a visible action.
//!
//! A long loop that ends is run. A thread is given up where it is seen to be in the same state twice, for then it is so
//! for ever; where the check is to end; or where patience is over. So from time to time it is watched for some turns:
//! each state is compared with the first, and each watch is longer than the one before (Brent's way to find a cycle),
//! at a thousandth of what running costs.
//!
//! It may also wait for another thread to change what it holds as private: a queue lock whose nodes lie on the stacks
//! of the threads does. So where the state repeats, what it looked at is shared after all (see [`crate::Sites`]). A
//! loop that counts its rounds does not repeat: once it has made very many turns, that is shared which it has looked at
//! again and again without a change.

use super::{Run, Runner};
use crate::history::{Blocked, Next};
use crate::limits::Patience;
use crate::store::{Located, Store};
use crate::symbolic::{Shadow, Sizes};
use crate::thread::Kept;
use raddle_event::Address;
use std::rc::Rc;

/// How many turns are made before flags and clocks are looked at.
pub(super) const STRETCH: u64 = 1 << 18;

/// Before the state is compared, this many times as many turns were made.
const WATCH_EVERY: u64 = 1024;

/// After this many turns, what is looked at again and again may be changed by others.
const MANY: u64 = 20 << 20;

/// No patience is over before this many turns.
const FEW: u64 = 420 << 20;

/// A thread that is watched.
pub(super) struct WatchedThread {
    first: Kept,
    /// How much is not known, where the thread is fetched out of order.
    symbols: Option<(Sizes, Rc<Shadow>)>,
    /// How many more turns.
    left: u64,
    /// The private memory that it has looked at.
    looked_at: Vec<Address>,
}

/// How long a thread has run without a visible action, and what is known of that.
#[derive(Default)]
pub(super) struct Lasting {
    /// How many turns it has made before the stretch under way.
    turns: u64,
    next_watch: u64,
    patience: Patience,
    pub watched: Option<WatchedThread>,
    /// Whether it was looked for what does not change.
    is_searched: bool,
}

impl Runner<'_, '_> {
    /// One more turn.
    pub(super) fn count_turn(&mut self) -> Run<()> {
        match self.turns.checked_sub(1) {
            Some(turns) => self.turns = turns,
            None => self.look_at_turns()?,
        }
        Ok(())
    }

    /// The thread has made all turns of a stretch. Begins the next, unless the thread is given up.
    #[cold]
    pub(super) fn look_at_turns(&mut self) -> Run<()> {
        if let Some(watched) = self.lasting.watched.take() {
            return self.go_on_watching(watched);
        }
        self.lasting.turns += STRETCH;
        self.turns = STRETCH;
        let (limits, turns) = (&self.world.limits, self.lasting.turns);
        let is_too_long = limits.private_turns.is_some_and(|most| turns >= most);
        // Out of order each turn takes long.
        let is_late = (turns >= FEW || self.symbolic.is_some()) && self.lasting.patience.is_over(limits.patience);
        if limits.stop.is_asked() || is_too_long || is_late {
            return Err(Next::Endless);
        }
        // A loop bound ends what repeats.
        if turns >= self.lasting.next_watch && limits.unroll.is_none() {
            self.lasting.next_watch = 2 * turns;
            let (first, symbols) = (self.state(), self.symbols());
            self.lasting.watched = Some(WatchedThread { first, symbols, left: turns / WATCH_EVERY, looked_at: Vec::new() });
            self.turns = 1;
        }
        Ok(())
    }

    fn state(&mut self) -> Kept {
        let kept = self.thread.keep(self.world.program);
        self.thread.wake();
        kept
    }

    fn symbols(&self) -> Option<(Sizes, Rc<Shadow>)> {
        self.symbolic.as_ref().map(|symbolic| (symbolic.sizes(), symbolic.shadow.clone()))
    }

    /// Whether nothing has been added to what is not known yet.
    fn is_same_unknown(&self, watched: &WatchedThread) -> bool {
        match (&watched.symbols, self.symbols()) {
            (Some((sizes, shadow)), Some((now, shadow_now))) => *sizes == now && Rc::ptr_eq(shadow, &shadow_now),
            (None, None) => true,
            _ => false,
        }
    }

    /// One more turn of a thread that is watched.
    fn go_on_watching(&mut self, mut watched: WatchedThread) -> Run<()> {
        let now = self.state();
        if now.is_same(&watched.first) && self.is_same_unknown(&watched) && self.thread.output.is_empty() {
            let all = std::mem::take(&mut watched.looked_at);
            return Err(if self.share(all) { Next::Blocked(Blocked::Assume) } else { Next::Endless });
        }
        watched.left -= 1;
        if watched.left > 0 {
            (self.lasting.watched, self.turns) = (Some(watched), 1);
            return Ok(());
        }
        self.turns = STRETCH;
        if self.lasting.turns >= MANY && !self.lasting.is_searched {
            self.lasting.is_searched = true;
            let constant = self.looked_at_in_vain(watched);
            if self.share(constant) {
                return Err(Next::Blocked(Blocked::Assume));
            }
        }
        Ok(())
    }

    /// What was looked at more than once and has not changed since the thread is watched.
    fn looked_at_in_vain(&self, WatchedThread { first, mut looked_at, .. }: WatchedThread) -> Vec<Address> {
        looked_at.sort();
        let again: Vec<Address> = looked_at.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]).collect();
        let word = |store: &Store, address: Address, size: u64| match store.locate(self.world.program, &self.world.map, address, size) {
            Located::Private(spot) => Some(store.word(spot, size as usize)),
            _ => None,
        };
        let words = |store: &Store, at: Address| [8, 4, 1].into_iter().find_map(|size| word(store, at, size));
        again.into_iter().filter(|&at| words(&first.store, at) == words(&self.thread.store, at)).collect()
    }

    /// Shares objects after all, where there are threads to share them with; tells whether that is new.
    fn share(&mut self, looked_at: Vec<Address>) -> bool {
        let known = self.world.sites.n_learned();
        if self.thread.store.is_published() {
            for site in looked_at.into_iter().filter_map(|address| self.thread.store.site_at(&self.world.map, address)) {
                self.world.sites.share(site);
            }
        }
        self.world.sites.n_learned() > known
    }

    /// The thread reads private memory.
    pub(super) fn look(&mut self, address: Address) {
        if let Some(watched) = &mut self.lasting.watched {
            watched.looked_at.push(address);
        }
    }
}
