//! What an exploration has taught: which objects are shared, by the site that makes them, and where copies of bytes
//! must be cut.
//!
//! An object is private to its thread until another thread is seen to access it. Then its *site* is shared from the
//! start, and the exploration starts over: what was judged private before has been contradicted. So the judgement is
//! never trusted beyond what was seen, and each site costs at most one new start.

use crate::parts::Wholes;
use raddle_event::{Address, Order, PartReads, Range, Region, ThreadId};
use raddle_program::{FunctionId, GlobalId};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many words of a location are listed at most.
const MOST_WORDS: usize = 8;

/// What makes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Site {
    /// A global variable, of which there is one object.
    Global(GlobalId),
    /// A thread-local variable, of which each thread has its object.
    ThreadLocal(GlobalId),
    /// An instruction: a local variable or a call of an allocator.
    Code(FunctionId, u32),
}

/// The sites known to be shared, the addresses at which copies of shared bytes are cut because other accesses begin or
/// end there, the ranges that several threads write, so that a loop that writes there does not wait
/// ([`crate::owners`]), how often each thread finds a lock taken, so that the pauses of others are seen
/// ([`crate::vain`]), and which instructions wait for a value in a loop ([`crate::awaits`]).
///
/// A new cut is not made before the exploration starts over: a copy under way is run again with its answers so far, and
/// must have the same pieces.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sites {
    shared: FxHashSet<Site>,
    cuts: BTreeSet<u64>,
    /// Cuts that are made when the exploration starts over.
    new_cuts: BTreeSet<u64>,
    /// Addresses inside of atomic accesses, where nothing is cut although other accesses have begun or ended there.
    whole: BTreeSet<u64>,
    /// What is written as a whole and read in parts ([`crate::parts`]).
    wholes: Wholes,
    /// Whether plain accesses are cut too: the model wants all accesses to a location to have one size.
    cuts_plain: bool,
    contested: BTreeSet<Range>,
    foreign: BTreeSet<(Range, ThreadId)>,
    found_taken: BTreeMap<(Address, ThreadId), u32>,
    awaits: BTreeMap<Site, Look>,
    /// The words that were seen to be written to locations of which all are listed ([`crate::awaits`]); none where they
    /// are too many, or written in parts.
    words: BTreeMap<Range, Option<BTreeSet<u64>>>,
    /// The compare-exchanges of which it is guessed whether they succeed ([`crate::guesses`]).
    guessed: BTreeSet<Site>,
    /// Those of which it is when the exploration starts over: what is fetched differs then.
    new_guesses: BTreeSet<Site>,
    /// The locks that rounds of threads take which are left out ([`crate::backoff`]).
    left_out: BTreeSet<(Address, ThreadId)>,
    /// The words of such locks that somebody looks at other than by the functions for locks.
    peeked_at: BTreeSet<Range>,
    /// Whether rounds are looked for that take locks and give them back, although nobody tries any.
    watches_locks: bool,
    /// What was seen of blocks that are one step.
    blocks: BTreeMap<BlockKey, BTreeSet<InBlock>>,
    /// How much of that is new since the exploration started.
    n_new_in_blocks: usize,
    /// The heap objects that were freed, as size and address, where memory may be used again.
    freed: BTreeSet<(u64, Address)>,
    /// Those that are reckoned with when the exploration starts over.
    new_freed: BTreeSet<(u64, Address)>,
    /// How often something became known, cuts aside that are not made yet, and blocks.
    n_learned: usize,
}

/// A block that is one step: whose, and the call that begins it.
pub type BlockKey = (ThreadId, FunctionId, u32);

/// An access in a block: what it accesses, by numbers that do not depend on which region was met first, and whether it
/// writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct InBlock {
    pub region: Region,
    pub number: u32,
    pub is_large: bool,
    pub offset: u64,
    pub size: u32,
    pub writes: bool,
}

/// What is known of an instruction that looks at a value in a loop that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Look {
    /// It waits for a value that ends the loop.
    Waits,
    /// The same, or it finds the last value for ever although it could read an older one that ends the loop.
    Stays,
    /// It does not wait: it has looked at bytes that are also accessed in other sizes, so that whether a value ends the
    /// loop is not a matter of one location, or at such that are written in a way that its model or the search for
    /// races has to see.
    Mixed,
}

impl Sites {
    /// An instruction, where it is known, has looked at a value that led it round a loop in vain.
    pub(crate) fn extend_awaits(&mut self, site: Option<Site>) {
        if let Some(site) = site.filter(|site| !self.awaits.contains_key(site)) {
            self.set_look(site, Look::Waits);
        }
    }

    /// Whether nothing is known of an instruction that looks at a value.
    pub(crate) fn is_new_look(&self, site: Site) -> bool {
        !self.awaits.contains_key(&site)
    }

    /// Whether it is known that an instruction does not wait.
    pub(crate) fn is_mixed(&self, site: Site) -> bool {
        self.awaits.get(&site) == Some(&Look::Mixed)
    }

    /// An instruction that was taken to wait looks at bytes that are accessed in several sizes: it does not.
    pub(crate) fn mix(&mut self, site: Site) {
        self.set_look(site, Look::Mixed);
    }

    fn set_look(&mut self, site: Site, look: Look) {
        self.n_learned += (self.awaits.insert(site, look) != Some(look)) as usize;
    }

    /// An instruction that waits may as well find the last value for ever.
    pub(crate) fn let_stay(&mut self, site: Site) {
        if self.awaits.get(&site) == Some(&Look::Waits) {
            self.set_look(site, Look::Stays);
        }
    }

    /// Whether any instruction waits for a value.
    pub(crate) fn has_awaits(&self) -> bool {
        self.awaits.values().any(|&look| look != Look::Mixed)
    }

    /// Whether an instruction waits for the value that it looks at.
    pub(crate) fn awaits(&self, site: Site) -> bool {
        self.awaits.get(&site).is_some_and(|&look| look != Look::Mixed)
    }

    /// Whether an instruction that waits may find the last value for ever although it could read another one.
    pub(crate) fn may_stay(&self, site: Site) -> bool {
        self.awaits.get(&site) == Some(&Look::Stays)
    }

    /// From the next start on all words that are written to a range are listed, and it is known that others write there
    /// than a thread.
    pub(crate) fn list_words(&mut self, range: Range, thread: ThreadId) {
        self.set_foreign(range, thread);
        self.words.entry(range).or_insert_with(|| {
            self.n_learned += 1;
            Some(BTreeSet::new())
        });
    }

    /// Whether the words of a range are to be listed.
    pub(crate) fn lists_words(&self, range: Range) -> bool {
        self.words.contains_key(&range)
    }

    /// All words that are written to a range, where they are listed.
    pub(crate) fn words(&self, range: Range) -> Option<&BTreeSet<u64>> {
        self.words.get(&range)?.as_ref()
    }

    /// A word is written to a range, or something that is none.
    pub(crate) fn note_word(&mut self, range: Range, word: Option<u64>) {
        for (listed, words) in self.words.iter_mut().filter(|(listed, _)| listed.overlaps(range)) {
            let Some(known) = words else { continue };
            match word.filter(|_| *listed == range) {
                Some(word) if known.contains(&word) => continue,
                Some(word) if known.len() < MOST_WORDS => {
                    known.insert(word);
                }
                _ => *words = None,
            }
            self.n_learned += 1;
        }
    }

    /// From the next start on it is guessed whether a compare-exchange succeeds.
    pub fn guess(&mut self, site: Site) {
        self.n_learned += (!self.guessed.contains(&site) && self.new_guesses.insert(site)) as usize;
    }

    /// Whether it is guessed whether a compare-exchange succeeds.
    pub(crate) fn guesses(&self, site: Site) -> bool {
        self.guessed.contains(&site)
    }

    /// The compare-exchanges of which that is guessed.
    pub fn guessed(&self) -> &BTreeSet<Site> {
        &self.guessed
    }

    /// A block has made an access. It is reckoned with once the exploration starts over.
    pub(crate) fn learn_in_block(&mut self, key: BlockKey, access: InBlock) {
        self.n_new_in_blocks += self.blocks.entry(key).or_default().insert(access) as usize;
    }

    /// What was seen of blocks that are one step.
    pub(crate) fn blocks(&self) -> &BTreeMap<BlockKey, BTreeSet<InBlock>> {
        &self.blocks
    }

    /// A heap object of a size was freed. It may be given again once the exploration starts over.
    pub fn free(&mut self, size: u64, start: Address) {
        if !self.freed.contains(&(size, start)) {
            self.new_freed.insert((size, start));
        }
    }

    /// Where objects of a size were freed, in order.
    pub(crate) fn freed(&self, size: u64) -> impl Iterator<Item = Address> + '_ {
        self.freed.range((size, Address(0))..=(size, Address(u64::MAX))).map(|&(_, start)| start)
    }

    /// The same without what is reckoned with only once the exploration starts over: how this execution was run.
    pub fn reckoned_with(&self) -> Sites {
        Sites { new_freed: BTreeSet::new(), ..self.clone() }
    }

    /// All objects that were freed.
    pub fn all_freed(&self) -> impl Iterator<Item = (u64, Address)> + '_ {
        self.freed.iter().copied()
    }

    /// Whether objects of the site are shared.
    pub fn contains(&self, site: Site) -> bool {
        self.shared.contains(&site)
    }

    /// Makes a site shared; tells whether it was not before.
    pub fn share(&mut self, site: Site) -> bool {
        let is_new = self.shared.insert(site);
        self.n_learned += is_new as usize;
        is_new
    }

    /// The shared sites, sorted.
    pub fn sorted(&self) -> Vec<Site> {
        let mut all: Vec<Site> = self.shared.iter().copied().collect();
        all.sort();
        all
    }

    /// Cuts copies at an address, once the exploration starts over.
    pub fn cut(&mut self, address: u64) {
        if !self.cuts.contains(&address) && !self.whole.contains(&address) {
            self.new_cuts.insert(address);
        }
    }

    /// Takes back the cuts inside of a range that is accessed as one, for good: memory that is used again, as that of
    /// local variables, has had other accesses there before. Tells whether there were any.
    pub fn keep_whole(&mut self, range: Range) -> bool {
        let inside: Vec<u64> = self.cuts.range(range.start.0 + 1..range.end()).copied().collect();
        for place in &inside {
            self.cuts.remove(place);
            self.whole.insert(*place);
        }
        self.n_learned += inside.len();
        !inside.is_empty()
    }

    /// What is written as a whole and read in parts.
    #[inline]
    pub(crate) fn wholes(&self) -> &Wholes {
        &self.wholes
    }

    /// From the next start on reads of parts of a range are reads of the whole. Tells whether that is new.
    pub fn read_whole(&mut self, range: Range, reads: PartReads) -> bool {
        let is_new = self.wholes.add(range, reads);
        self.n_learned += is_new as usize;
        is_new
    }

    /// All such ranges.
    pub fn read_as_wholes(&self) -> impl Iterator<Item = (Range, PartReads)> + '_ {
        self.wholes.all()
    }

    /// A part of a range is read: all writes there must be strong enough for that.
    pub(crate) fn demand(&mut self, whole: Range, order: Order) {
        self.n_learned += self.wholes.demand(whole, order) as usize;
    }

    /// Whether there are cuts that are not made yet, or accesses of blocks or freed objects that were not reckoned
    /// with.
    pub fn has_new_cuts(&self) -> bool {
        !self.new_cuts.is_empty() || !self.new_freed.is_empty() || self.n_new_in_blocks > 0
    }

    /// The exploration starts over.
    pub(crate) fn make_cuts(&mut self) {
        self.n_learned += self.new_cuts.len();
        self.cuts.append(&mut self.new_cuts);
        self.n_learned += self.new_freed.len();
        self.freed.append(&mut self.new_freed);
        self.guessed.append(&mut self.new_guesses);
        self.n_new_in_blocks = 0;
    }

    /// Plain accesses are cut where copies are.
    pub fn cut_plain(&mut self) {
        self.n_learned += !self.cuts_plain as usize;
        self.cuts_plain = true;
    }

    /// Whether plain accesses are cut where copies are.
    pub fn cuts_plain(&self) -> bool {
        self.cuts_plain
    }

    /// The addresses at which copies are cut, sorted.
    pub fn cuts(&self) -> impl Iterator<Item = u64> + '_ {
        self.cuts.union(&self.new_cuts).copied()
    }

    /// The first cut inside a range, if one is made there.
    pub fn first_cut(&self, range: Range) -> Option<u64> {
        self.cuts.range(range.start.0 + 1..range.end()).next().copied()
    }

    /// Says that several threads write to a range.
    pub fn contest(&mut self, range: Range) {
        self.n_learned += self.contested.insert(range) as usize;
    }

    /// The ranges that several threads write, as far as that mattered.
    pub fn contested(&self) -> &BTreeSet<Range> {
        &self.contested
    }

    /// Says that other threads write to a range which a thread was taken to find again as it was.
    pub(crate) fn set_foreign(&mut self, range: Range, thread: ThreadId) {
        self.n_learned += self.foreign.insert((range, thread)) as usize;
    }

    /// Whether that was said.
    pub(crate) fn is_foreign(&self, range: Range, thread: ThreadId) -> bool {
        self.foreign.contains(&(range, thread))
    }

    /// A thread has found locks taken so many times, the last time the one at an address.
    pub fn find_taken(&mut self, lock: Address, thread: ThreadId, times: u32) {
        let known = self.found_taken.entry((lock, thread)).or_default();
        self.n_learned += (times > *known) as usize;
        *known = times.max(*known);
    }

    /// How often threads have found locks taken when they found that at an address so, at most.
    pub fn found_taken(&self) -> &BTreeMap<(Address, ThreadId), u32> {
        &self.found_taken
    }

    /// How often other threads than this one find the lock at an address taken, at most.
    pub fn found_by_others(&self, lock: Address, thread: ThreadId) -> u64 {
        let finds = self.found_taken.range((lock, ThreadId(0))..=(lock, ThreadId(u32::MAX)));
        finds.filter(|((_, other), _)| *other != thread).map(|(_, &times)| times as u64).sum()
    }

    /// Rounds of a thread are left out that take the lock at an address.
    pub fn leave_out(&mut self, lock: Address, thread: ThreadId) {
        self.n_learned += self.left_out.insert((lock, thread)) as usize;
        self.watches_locks = true;
    }

    /// From the next start on rounds are looked for that take locks and give them back.
    pub(crate) fn watch_locks(&mut self) {
        self.n_learned += !self.watches_locks as usize;
        self.watches_locks = true;
    }

    /// Whether such rounds are looked for.
    #[inline]
    pub(crate) fn watches_locks(&self) -> bool {
        self.watches_locks
    }

    /// The locks that rounds of threads take which are left out.
    pub fn left_out(&self) -> &BTreeSet<(Address, ThreadId)> {
        &self.left_out
    }

    /// Whether rounds of other threads than this one are left out that take the lock at an address.
    pub(crate) fn is_left_out(&self, lock: Address, thread: ThreadId) -> bool {
        self.left_out.range((lock, ThreadId(0))..=(lock, ThreadId(u32::MAX))).any(|&(_, other)| other != thread)
    }

    /// Somebody looks at a range. Rounds that take a lock there are not left out any more.
    pub(crate) fn peek_at(&mut self, range: Range) {
        let lies_there = |lock: Address| Range { start: lock, size: 8 }.overlaps(range);
        let is_seen = self.left_out.iter().any(|&(lock, _)| lies_there(lock));
        if is_seen {
            self.left_out.retain(|&(lock, _)| !lies_there(lock));
            self.peeked_at.insert(range);
            self.n_learned += 1;
        }
    }

    /// Whether somebody was seen to look at a range.
    pub(crate) fn is_peeked_at(&self, range: Range) -> bool {
        self.peeked_at.iter().any(|other| other.overlaps(range))
    }

    /// How often something became known, cuts aside that are not made yet. It is asked after every event.
    #[inline]
    pub fn n_learned(&self) -> usize {
        self.n_learned
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.n_learned == 0 && !self.has_new_cuts()
    }
}
