//! What a machine has seen of all executions, where several machines share one exploration.
//!
//! Some judgements are made by what was seen in any execution: who writes where ([`crate::owners`]), who looks in loops
//! ([`crate::awaits`]), which threads meet in bytes that are copied ([`crate::meeting`]), who looks at the clock, which
//! accesses overlap. Machines that explore
//! parts of one exploration each see a part of that. When all parts are over, what they have seen is put together. They
//! *agree* when nothing is contradicted by the whole that was not contradicted by a part, and when no number was given
//! that the others do not know: then one machine that had explored everything would have explored the same.

use crate::awaits::Looked;
use crate::machine::Slots;
use crate::meeting::Users;
use crate::sharing::Site;
use crate::world::World;
use raddle_event::{LocationId, Range, ThreadId};
use raddle_program::GlobalId;
use serde::{Deserialize, Serialize};

/// What a machine has seen, as a plain value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    n_threads: usize,
    n_blocks: usize,
    slots: Slots,
    /// The locations, by number.
    ranges: Vec<Range>,
    users: Vec<Users>,
    writers: Vec<(LocationId, ThreadId, u32)>,
    assumed: Vec<(LocationId, ThreadId)>,
    found_again: Vec<(LocationId, ThreadId)>,
    /// Who accesses plain memory, where data races are looked for.
    plain: Vec<(LocationId, ThreadId, bool, u32)>,
    looks: Vec<Looked>,
    clock: Option<ThreadId>,
    claimer: Option<ThreadId>,
}

impl Seen {
    /// Whether threads, blocks of addresses and the library's tables have the same numbers.
    fn has_numbers_of(&self, other: &Seen) -> bool {
        self.n_threads == other.n_threads && self.n_blocks == other.n_blocks && self.slots == other.slots
    }
}

impl World<'_> {
    /// What was seen so far.
    pub fn seen(&self) -> Seen {
        let locations = &self.locations;
        Seen {
            n_threads: self.names.len(),
            n_blocks: self.map.n_blocks(),
            slots: self.slots.clone(),
            ranges: (0..locations.len() as u32).map(|at| locations.range(LocationId(at))).collect(),
            users: self.meetings.users().to_vec(),
            writers: self.owners.writers().collect(),
            assumed: self.owners.assumed().collect(),
            found_again: self.owners.found_again().collect(),
            plain: self.owners.plain().collect(),
            looks: self.looks.clone(),
            clock: self.clock,
            claimer: self.claimer,
        }
    }

    /// Puts together what machines have seen that began with the same numbers, which were these. Tells whether they
    /// have the same numbers still; what is contradicted is noted with the sites.
    pub fn absorb(&mut self, base: &Seen, others: &[&Seen]) -> bool {
        if !self.seen().has_numbers_of(base) || !others.iter().all(|other| other.has_numbers_of(base)) {
            return false;
        }
        let numbers: Vec<Vec<LocationId>> = others.iter().map(|other| self.number(&other.ranges)).collect();
        let is_met = |at: u32| !self.locations.overlapping(LocationId(at)).is_empty();
        if (base.ranges.len() as u32..self.locations.len() as u32).any(is_met) {
            return false;
        }
        others.iter().zip(&numbers).all(|(other, numbers)| self.absorb_one(other, numbers))
    }

    fn number(&mut self, ranges: &[Range]) -> Vec<LocationId> {
        ranges.iter().map(|&range| self.locations.number(range)).collect()
    }

    /// The same for one of them, whose locations have these numbers here.
    fn absorb_one(&mut self, other: &Seen, numbers: &[LocationId]) -> bool {
        for (&users, &at) in other.users.iter().zip(numbers) {
            if self.meetings.absorb(at, users, &self.locations, &mut self.sites).is_err() {
                return false;
            }
        }
        self.cut_at_members();
        for &(at, thread, spawned) in &other.writers {
            self.note_writer(numbers[at.index()], thread, spawned);
        }
        for &(at, owner) in &other.assumed {
            self.assume_owned(numbers[at.index()], owner);
        }
        for &(at, finder) in &other.found_again {
            self.assume_found_again(numbers[at.index()], finder);
        }
        for &(at, thread, writes, spawned) in &other.plain {
            self.note_plain(numbers[at.index()], (thread, spawned), writes);
        }
        for look in &other.looks {
            self.note_look(Looked { at: numbers[look.at.index()], ..*look });
        }
        self.meet(other.clock, self.clock, self.library.clock);
        self.meet(other.claimer, self.claimer, self.library.claims);
        (self.clock, self.claimer) = (self.clock.or(other.clock), self.claimer.or(other.claimer));
        true
    }

    /// Two threads that are not the same have done something that the library keeps a variable for: it is shared.
    fn meet(&mut self, one: Option<ThreadId>, other: Option<ThreadId>, variable: Option<GlobalId>) {
        if let (Some(one), Some(other), Some(variable)) = (one, other, variable)
            && one != other
        {
            self.sites.share(Site::Global(variable));
        }
    }
}
