//! What all threads of a machine share, in order or out of order, and what outlives an execution.

use crate::blocks::Blocks;
use crate::library::{Library, Random};
use crate::limits::Limits;
use crate::machine::Tables;
use crate::meeting::Meetings;
use crate::output::Printer;
use crate::owners::{Contradicted, Owners};
use crate::sharing::Sites;
use raddle_event::{AddressMap, LocationId, Locations, Mapping, ThreadId, ThreadNames};
use raddle_program::{Program, verify};
use rustc_hash::FxHashMap;

/// The program, the numbers given so far, and what was learned.
pub(crate) struct World<'p> {
    pub program: &'p Program,
    pub map: AddressMap,
    pub names: ThreadNames,
    pub locations: Locations,
    pub sites: Sites,
    pub owners: Owners,
    pub limits: Limits,
    /// What orders and fences become where threads are fetched out of order.
    pub mapping: Mapping,
    pub library: Library,
    /// The places of things in the tables that the library keeps for all threads.
    pub slots: FxHashMap<(&'static str, Vec<u8>), usize>,
    /// The numbers of `rand` by the seed.
    pub random: FxHashMap<u32, Random>,
    /// The first thread that was seen to look at the clock.
    pub clock: Option<ThreadId>,
    /// The first thread that was seen to join or detach another.
    pub claimer: Option<ThreadId>,
    /// What blocks that are one step may touch.
    pub blocks: Blocks,
    /// Which threads access the same bytes.
    pub meetings: Meetings,
    /// Who takes what is printed, where it is not kept with the histories.
    pub printer: Option<Printer<'p>>,
}

impl<'p> World<'p> {
    /// The world of a machine that starts with these numbers.
    pub fn new(program: &'p Program, limits: Limits, mut sites: Sites, tables: Tables) -> World<'p> {
        sites.make_cuts();
        // The inner loop relies on it.
        verify(program).expect("a program that is run keeps the invariants of the form");
        let Tables { mut map, names, mut locations } = tables;
        let (library, slots, random) = (Library::new(program), FxHashMap::default(), FxHashMap::default());
        let (owners, meetings) = (Owners::default(), Meetings::default());
        let blocks = Blocks::new(&library, &limits, &sites, &mut map, &mut locations);
        World {
            program,
            map,
            names,
            locations,
            sites,
            owners,
            limits,
            mapping: Mapping::IN_ORDER,
            library,
            slots,
            random,
            clock: None,
            claimer: None,
            blocks,
            meetings,
            printer: None,
        }
    }

    /// The location of the word of blocks that are one step.
    pub fn block_word(&self) -> Option<LocationId> {
        self.blocks.word
    }

    /// Whether threads may go round in vain: something may end for no reason, or because a time limit is over.
    pub fn ends_in_vain(&self) -> bool {
        self.limits.spurious || self.library.limited
    }

    /// Cuts copies wherever accesses that overlap others begin and end. Tells whether that is new, so that the exploration must start over.
    pub fn cut_copies(&mut self) -> bool {
        for at in (0..self.locations.len() as u32).map(LocationId).filter(|&at| !self.locations.overlapping(at).is_empty()) {
            let range = self.locations.range(at);
            self.sites.cut(range.start.0);
            self.sites.cut(range.end());
        }
        self.sites.has_new_cuts()
    }

    /// A thread that has spawned so many others is about to write.
    pub fn note_writer(&mut self, at: LocationId, thread: ThreadId, spawned: u32) {
        let Contradicted { contested, foreign } = self.owners.note(at, thread, spawned, &self.names, &self.locations);
        contested.into_iter().for_each(|at| self.sites.contest(self.locations.range(at)));
        foreign.into_iter().for_each(|(at, finder)| self.sites.set_foreign(self.locations.range(at), finder));
    }

    /// A thread that waits is taken to find again what is at a location.
    pub fn assume_found_again(&mut self, at: LocationId, thread: ThreadId) {
        match self.finds_again(at, thread) {
            true => self.owners.assume_found_again(at, thread),
            false => self.sites.set_foreign(self.locations.range(at), thread),
        }
    }

    /// Whether a thread finds again what is at a location, because no other is known to write there.
    pub fn finds_again(&self, at: LocationId, thread: ThreadId) -> bool {
        !self.sites.is_foreign(self.locations.range(at), thread) && self.owners.is_owned(at, thread, &self.names, &self.locations)
    }

    /// A round of a loop of a thread is judged to be waiting because only this thread writes there. Where that is not
    /// so the exploration must start over.
    pub fn assume_owned(&mut self, at: LocationId, owner: ThreadId) {
        if !self.owners.assume(at, owner, &self.names, &self.locations) {
            self.sites.contest(self.locations.range(at));
        }
    }

    /// Whether several threads are known to write to a location.
    pub fn is_contested(&self, at: LocationId) -> bool {
        self.sites.contested().contains(&self.locations.range(at))
    }

    /// The numbers given so far.
    pub fn tables(&self) -> Tables {
        Tables { map: self.map.clone(), names: self.names.clone(), locations: self.locations.clone() }
    }
}
