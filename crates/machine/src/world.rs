//! What all threads of a machine share, in order or out of order, and what outlives an execution.

use crate::library::Library;
use crate::limits::Limits;
use crate::machine::Tables;
use crate::sharing::Sites;
use raddle_event::{AddressMap, Locations, ThreadNames};
use raddle_program::{Program, verify};

/// The program, the numbers given so far, and what was learned.
pub(crate) struct World<'p> {
    pub program: &'p Program,
    pub map: AddressMap,
    pub names: ThreadNames,
    pub locations: Locations,
    pub sites: Sites,
    pub limits: Limits,
    pub library: Library,
}

impl<'p> World<'p> {
    /// The world of a machine that starts with these numbers.
    pub fn new(program: &'p Program, limits: Limits, sites: Sites, tables: Tables) -> World<'p> {
        // The inner loop relies on it.
        verify(program).expect("a program that is run keeps the invariants of the form");
        let Tables { map, names, locations } = tables;
        World { program, map, names, locations, sites, limits, library: Library::new(program) }
    }

    /// The numbers given so far.
    pub fn tables(&self) -> Tables {
        Tables { map: self.map.clone(), names: self.names.clone(), locations: self.locations.clone() }
    }
}
