//! What all threads of a machine share, in order or out of order, and what outlives an execution.

use crate::library::Library;
use crate::limits::Limits;
use crate::machine::Tables;
use crate::sharing::Sites;
use raddle_event::{AddressMap, LocationId, Locations, ThreadNames};
use raddle_program::{Program, verify};
use rustc_hash::FxHashMap;

/// The program, the numbers given so far, and what was learned.
pub(crate) struct World<'p> {
    pub program: &'p Program,
    pub map: AddressMap,
    pub names: ThreadNames,
    pub locations: Locations,
    pub sites: Sites,
    pub limits: Limits,
    pub library: Library,
    /// The places of things in the tables that the library keeps for all threads.
    pub slots: FxHashMap<(&'static str, Vec<u8>), usize>,
}

impl<'p> World<'p> {
    /// The world of a machine that starts with these numbers.
    pub fn new(program: &'p Program, limits: Limits, sites: Sites, tables: Tables) -> World<'p> {
        // The inner loop relies on it.
        verify(program).expect("a program that is run keeps the invariants of the form");
        let Tables { map, names, locations } = tables;
        World { program, map, names, locations, sites, limits, library: Library::new(program), slots: FxHashMap::default() }
    }

    /// Cuts copies wherever accesses that overlap others begin and end. Tells whether that is new, so that the exploration must start over.
    pub fn cut_copies(&mut self) -> bool {
        let before = self.sites.len();
        for at in (0..self.locations.len() as u32).map(LocationId).filter(|&at| !self.locations.overlapping(at).is_empty()) {
            let range = self.locations.range(at);
            self.sites.cut(range.start.0);
            self.sites.cut(range.end());
        }
        self.sites.len() > before
    }

    /// The numbers given so far.
    pub fn tables(&self) -> Tables {
        Tables { map: self.map.clone(), names: self.names.clone(), locations: self.locations.clone() }
    }
}
