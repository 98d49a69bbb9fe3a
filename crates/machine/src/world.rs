//! The core under both machines: what all threads share, whether they run in order or are fetched out of order, and
//! what outlives an execution.

use crate::awaits::Looked;
use crate::blocks::Blocks;
use crate::library::{Library, Random};
use crate::limits::Limits;
use crate::machine::{Slots, Tables};
use crate::meeting::{HALF, Meetings, Met};
use crate::output::Printer;
use crate::owners::{Contradicted, Owners};
use crate::runner::Runner;
use crate::seen::Seen;
use crate::sharing::{Site, Sites};
use crate::store::{Store, first_image};
use crate::thread::{Kept, Thread};
use raddle_event::{Address, AddressMap, LocationId, Locations, Mapping, PartReads, Published, Range, Region, ThreadId, ThreadNames};
use raddle_program::{FunctionId, Program, layout_starts, verify};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The program, the numbers given so far, and what was learned. Both machines are run on one, and show it.
pub struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) map: AddressMap,
    pub(crate) names: ThreadNames,
    pub(crate) locations: Locations,
    pub(crate) sites: Sites,
    pub(crate) owners: Owners,
    /// The looks that may wait.
    pub(crate) looks: Vec<Looked>,
    pub(crate) limits: Limits,
    /// What orders and fences become where threads are fetched out of order.
    pub(crate) mapping: Mapping,
    pub(crate) library: Library,
    /// The places of things in the tables that the library keeps for all threads.
    pub(crate) slots: Slots,
    /// The numbers of `rand` by the seed.
    pub(crate) random: FxHashMap<u32, Random>,
    /// The first thread that was seen to look at the clock.
    pub(crate) clock: Option<ThreadId>,
    /// The first thread that was seen to join or detach another.
    pub(crate) claimer: Option<ThreadId>,
    /// What blocks that are one step may touch.
    pub(crate) blocks: Blocks,
    /// Which threads access the same bytes.
    pub(crate) meetings: Meetings,
    /// Whether a thread has freed something while there were others.
    pub(crate) has_freed: bool,
    /// The sizes that heap objects have had, where somebody asks.
    pub(crate) sizes: BTreeSet<(Address, u64)>,
    /// How many sites were taken as shared from the start.
    pub(crate) n_learned: usize,
    /// Who takes what is printed, where it is not kept with the histories.
    pub(crate) printer: Option<Printer<'p>>,
}

impl<'p> World<'p> {
    /// The world of a machine that starts with these numbers.
    pub(crate) fn new(program: &'p Program, limits: Limits, mut sites: Sites, tables: Tables) -> World<'p> {
        sites.make_cuts();
        if limits.races {
            sites.write_zeros();
        }
        // The inner loop relies on it.
        verify(program).expect("a program that is run keeps the invariants of the form");
        let Tables { mut map, names, mut locations, slots } = tables;
        let (library, random) = (Library::new(program), FxHashMap::default());
        let (owners, meetings, n_learned) = (Owners::default(), Meetings::default(), sites.n_learned());
        let blocks = Blocks::new(&library, &limits, &sites, &mut map, &mut locations);
        World {
            program,
            map,
            names,
            locations,
            sites,
            owners,
            looks: Vec::new(),
            limits,
            mapping: Mapping::IN_ORDER,
            library,
            slots,
            random,
            clock: None,
            claimer: None,
            blocks,
            meetings,
            has_freed: false,
            sizes: BTreeSet::new(),
            n_learned,
            printer: None,
        }
    }

    /// The location of the word of blocks that are one step.
    pub fn block_word(&self) -> Option<LocationId> {
        self.blocks.word
    }

    /// Whether threads may go round in vain: something may end for no reason, or because a time limit is over.
    pub(crate) fn ends_in_vain(&self) -> bool {
        self.limits.spurious || self.library.limited
    }

    /// Whether rounds are looked for that take locks and give them back ([`crate::backoff`]): where the program tries
    /// locks, and where an execution has become long.
    #[inline]
    pub(crate) fn watches_locks(&self) -> bool {
        self.library.tries || self.sites.watches_locks()
    }

    /// Rounds of a thread that take a lock are left out.
    pub(crate) fn leave_out(&mut self, lock: LocationId, thread: ThreadId) {
        self.sites.leave_out(self.locations.range(lock).start, thread);
    }

    /// A thread that has spawned so many others is about to write.
    pub(crate) fn note_writer(&mut self, at: LocationId, thread: ThreadId, spawned: u32) {
        let Contradicted { contested, foreign } = self.owners.note(at, thread, spawned, &self.names, &self.locations);
        contested.into_iter().for_each(|at| self.sites.contest(self.locations.range(at)));
        foreign.into_iter().for_each(|(at, finder)| self.sites.set_foreign(self.locations.range(at), finder));
    }

    /// A thread that waits is taken to find again what is at a location.
    pub(crate) fn assume_found_again(&mut self, at: LocationId, thread: ThreadId) {
        match self.finds_again(at, thread) {
            true => self.owners.assume_found_again(at, thread),
            false => self.sites.set_foreign(self.locations.range(at), thread),
        }
    }

    /// Whether a thread finds again what is at a location, because no other is known to write there.
    pub(crate) fn finds_again(&self, at: LocationId, thread: ThreadId) -> bool {
        !self.sites.is_foreign(self.locations.range(at), thread) && self.owners.is_owned(at, thread, &self.names, &self.locations)
    }

    /// Whether a location is accessed in one size, of at most eight bytes. That its object comes into being and
    /// ceases to be, which is said of its whole room, does not count.
    pub fn is_of_one_size(&self, at: LocationId) -> bool {
        let range = self.locations.range(at);
        let room = self.map.room(range.start);
        let is_room = |&other: &LocationId| Some(self.locations.range(other)) == room;
        range.size <= 8 && self.locations.overlapping(at).iter().all(is_room)
    }

    /// A round of a loop of a thread is judged to be waiting because only this thread writes there. Where that is not
    /// so the exploration must start over.
    pub(crate) fn assume_owned(&mut self, at: LocationId, owner: ThreadId) {
        if !self.owners.assume(at, owner, &self.names, &self.locations) {
            self.sites.contest(self.locations.range(at));
        }
    }

    /// Whether several threads are known to write to a location.
    pub(crate) fn is_contested(&self, at: LocationId) -> bool {
        self.sites.contested().contains(&self.locations.range(at))
    }
}

/// What both machines show.
impl<'p> World<'p> {
    /// The program that is run.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// What the machine is allowed and asked to do.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The locations seen so far.
    pub fn locations(&self) -> &Locations {
        &self.locations
    }

    /// What addresses mean.
    pub fn addresses(&self) -> &AddressMap {
        &self.map
    }

    /// The names of the threads.
    pub fn names(&self) -> &ThreadNames {
        &self.names
    }

    /// The sites known to be shared.
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// The numbers given so far.
    pub fn tables(&self) -> Tables {
        Tables { map: self.map.clone(), names: self.names.clone(), locations: self.locations.clone(), slots: self.slots.clone() }
    }

    /// The number of a range; a new one where it was not seen before.
    pub fn location(&mut self, range: Range) -> LocationId {
        self.locations.number(range)
    }

    /// What other machines have seen that began with the same numbers, which were these; tells whether all agree.
    pub fn agrees_with(&mut self, base: &Seen, others: &[&Seen]) -> bool {
        self.absorb(base, others) && !self.is_contradicted()
    }

    /// What the shared memory has before anything happens, for a program whose threads all start at once.
    pub fn first_image(&self) -> Option<Rc<Vec<Published>>> {
        (self.program.entries.len() > 1).then(|| first_image(self.program, self.limits.uninitialised))
    }

    /// The thread whose end a location tells.
    pub fn word_of(&self, at: LocationId) -> Option<ThreadId> {
        self.map.word_of(self.locations.range(at).start)
    }

    /// For models in which accesses to one location have one size: cuts copies, and plain accesses where these may be
    /// cut, wherever accesses that overlap others begin and end. Tells whether that is new, so that the exploration
    /// must start over.
    pub fn cut_accesses(&mut self, cuts_plain: bool) -> bool {
        let is_new = cuts_plain && !self.sites.cuts_plain();
        if is_new {
            self.sites.cut_plain();
        }
        for at in (0..self.locations.len() as u32).map(LocationId).filter(|&at| !self.locations.overlapping(at).is_empty()) {
            let range = self.locations.range(at);
            self.sites.cut(range.start.0);
            self.sites.cut(range.end());
        }
        is_new || self.sites.has_new_cuts()
    }

    /// For such models: reads of parts of what is accessed as a whole become reads of the whole, where accesses still
    /// overlap others. Tells whether that is new, so that the exploration must start over.
    pub fn read_wholes(&mut self, reads: PartReads) -> bool {
        let mut is_new = false;
        for at in (0..self.locations.len() as u32).map(LocationId) {
            let range = self.locations.range(at);
            let room = self.map.room(range.start);
            let is_part = |&other: &LocationId| self.locations.range(other) != range && range.covers(self.locations.range(other));
            let is_whole = room != Some(range) && range.size <= 16 && self.sites.first_cut(range).is_none();
            if is_whole && self.locations.overlapping(at).iter().any(is_part) {
                is_new |= self.sites.read_whole(range, reads);
            }
        }
        is_new
    }

    /// Takes back the cuts inside of a location that is accessed as one, where there are any.
    pub fn keep_whole(&mut self, at: LocationId) -> bool {
        self.sites.keep_whole(self.locations.range(at))
    }

    /// Cuts copies that have met where members of what lies there begin. Types are known of global variables. Elsewhere
    /// copies of few bytes, which may be of a structure, are cut every four bytes.
    pub(crate) fn cut_at_members(&mut self) {
        for Met { range, is_few } in self.meetings.take_met() {
            let Some((region, number, offset)) = self.map.find(range.start) else { continue };
            let layout = match region {
                Region::Globals | Region::ThreadLocal(_) => self.program.globals.get(number as usize).and_then(|global| global.layout),
                _ => None,
            };
            let (bytes, mut cut) = (offset..offset + range.size as u64, |at: u64| self.sites.cut(range.start.0 + (at - offset)));
            match layout {
                Some(layout) => layout_starts(&self.program.layouts, layout, bytes, &mut cut),
                None if is_few => (bytes.start + 1..bytes.end).filter(|at| at.is_multiple_of(HALF)).for_each(cut),
                None => {}
            }
        }
    }

    /// Whether something that was taken as private has turned out to be shared, or copies are to be cut, so that the
    /// exploration must start over.
    pub fn is_contradicted(&self) -> bool {
        self.is_contradicted_at_once() || self.sites.has_new_cuts()
    }

    /// The same, but for cuts: an execution in which copies are not cut is one that others stand beside, and can be
    /// finished.
    #[inline]
    pub fn is_contradicted_at_once(&self) -> bool {
        self.sites.n_learned() > self.n_learned
    }
}

/// Threads and their private memory, as both machines make them and look at them.
impl World<'_> {
    /// A worker for a thread that has not done anything.
    pub(crate) fn worker(&self, thread: ThreadId) -> Thread {
        let is_published = self.program.entries.len() > 1 || self.names.parent(thread).is_some();
        let store = Store::new(thread, self.program, is_published, self.limits.uninitialised);
        Thread::new(thread, if self.limits.reuse { store.sharing_heap() } else { store })
    }

    /// Puts a worker at the beginning of the function with which its thread starts.
    pub(crate) fn begin(&self, worker: &mut Thread, function: FunctionId, argument: u64) {
        let code = &self.program.functions[function.index()];
        let arguments: Vec<u64> = (0..code.parameters).map(|n| if n == 0 { argument } else { 0 }).collect();
        worker.push(function, code, &arguments, Runner::NO_RESULTS, Address(0));
    }

    /// What made the object at an address that one of these threads holds as private.
    pub(crate) fn private_site<'k>(&self, mut threads: impl Iterator<Item = &'k Kept>, address: Address) -> Option<Site> {
        threads.find_map(|kept| kept.store.site_at(&self.map, address))
    }
}

/// The heap objects that no other thread than their own has accessed and that are not freed, with their sizes.
pub(crate) fn private_heap<'k>(threads: impl Iterator<Item = &'k Kept>) -> Vec<(Address, u64)> {
    threads.flat_map(|kept| kept.store.private_heap().collect::<Vec<_>>()).collect()
}
