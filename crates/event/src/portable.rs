//! Values that can be written down in one exploration and read in another.
//!
//! Inside an exploration locations and actors have small numbers, given in the order in which they are first seen. A
//! [`Portable`] value has its own numbers and says with each what it stands for: a range of bytes; a thread, or the
//! updates of a thread. Threads and blocks of addresses keep their numbers: they come from the tables with which both
//! explorations begin.

use crate::{Actor, Footprint, LocationId, Range, Step, ThreadId, Who};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Who gives numbers to locations and actors in one exploration.
pub trait Numbering {
    /// The bytes of a location.
    fn range(&self, at: LocationId) -> Range;

    /// Who has a number.
    fn who(&self, actor: Actor) -> Who;

    /// The number of a range; a new one where it has none.
    fn location(&mut self, range: Range) -> LocationId;

    /// The number of somebody; a new one where they have none. `None` for a thread that has no number.
    fn actor(&mut self, who: Who) -> Option<Actor>;
}

/// What has numbers of locations and actors in it.
pub trait Numbered {
    /// Shows each number to `numbers`, which may change it.
    fn renumber(&mut self, numbers: &mut dyn Renumber);
}

/// Looks at numbers and changes them.
pub trait Renumber {
    /// A location; it may get another number.
    fn location(&mut self, at: &mut LocationId);
    /// An actor; it may get another number.
    fn actor(&mut self, actor: &mut Actor);
}

/// A value with what its numbers stand for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Portable<T> {
    locations: Vec<Range>,
    /// Their locations are numbers of this value.
    actors: Vec<Who>,
    value: T,
}

impl<T: Numbered> Portable<T> {
    /// Writes a value down. Equal values are written in the same way, whatever their numbers were.
    pub fn new(mut value: T, numbering: &impl Numbering) -> Portable<T> {
        let mut named = Named { numbering, locations: BTreeMap::new(), actors: BTreeMap::new() };
        value.renumber(&mut named);
        let Named { locations, actors, .. } = named;
        let mut given = Given {
            locations: locations.values().zip(0..).map(|(&old, n)| (old, LocationId(n))).collect(),
            actors: actors.values().zip(0..).map(|(&old, n)| (old, Actor(n))).collect(),
        };
        let whose = |&actor: &Actor| match numbering.who(actor) {
            Who::UpdateAt(thread, at) => Who::UpdateAt(thread, given.locations[&at]),
            who => who,
        };
        let (ranges, whos) = (locations.into_keys().collect(), actors.values().map(whose).collect());
        value.renumber(&mut given);
        Portable { locations: ranges, actors: whos, value }
    }

    /// The value with the numbers of an exploration. `None` where it names what is not there.
    pub fn read(mut self, numbering: &mut impl Numbering) -> Option<T> {
        let locations: Vec<LocationId> = self.locations.iter().map(|&range| numbering.location(range)).collect();
        let mut actors = Vec::with_capacity(self.actors.len());
        for who in &self.actors {
            let who = match *who {
                Who::UpdateAt(thread, at) => Who::UpdateAt(thread, *locations.get(at.index())?),
                who => who,
            };
            actors.push(numbering.actor(who)?);
        }
        let mut reading = Reading { locations, actors, is_sound: true };
        self.value.renumber(&mut reading);
        reading.is_sound.then_some(self.value)
    }

    /// The value with its own numbers.
    pub fn value(&self) -> &T {
        &self.value
    }
}

/// The numbers that occur, by what they stand for.
struct Named<'n, N> {
    numbering: &'n N,
    locations: BTreeMap<Range, LocationId>,
    actors: BTreeMap<(ThreadId, u8, Option<Range>), Actor>,
}

impl<N: Numbering> Renumber for Named<'_, N> {
    fn location(&mut self, at: &mut LocationId) {
        self.locations.insert(self.numbering.range(*at), *at);
    }

    fn actor(&mut self, actor: &mut Actor) {
        let key = match self.numbering.who(*actor) {
            Who::Thread(thread) => (thread, 0, None),
            Who::Update(thread) => (thread, 1, None),
            Who::UpdateAt(thread, mut at) => {
                self.location(&mut at);
                (thread, 2, Some(self.numbering.range(at)))
            }
        };
        self.actors.insert(key, *actor);
    }
}

/// New numbers for old ones.
struct Given {
    locations: FxHashMap<LocationId, LocationId>,
    actors: FxHashMap<Actor, Actor>,
}

impl Renumber for Given {
    fn location(&mut self, at: &mut LocationId) {
        *at = self.locations[at];
    }

    fn actor(&mut self, actor: &mut Actor) {
        *actor = self.actors[actor];
    }
}

struct Reading {
    locations: Vec<LocationId>,
    actors: Vec<Actor>,
    is_sound: bool,
}

impl Renumber for Reading {
    fn location(&mut self, at: &mut LocationId) {
        match self.locations.get(at.index()) {
            Some(known) => *at = *known,
            None => self.is_sound = false,
        }
    }

    fn actor(&mut self, actor: &mut Actor) {
        match self.actors.get(actor.index()) {
            Some(known) => *actor = *known,
            None => self.is_sound = false,
        }
    }
}

impl Numbered for Step {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        numbers.actor(&mut self.actor);
    }
}

impl Numbered for Footprint {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.read.iter_mut().chain(&mut self.write).for_each(|at| numbers.location(at));
    }
}

impl<A: Numbered, B: Numbered> Numbered for (A, B) {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.0.renumber(numbers);
        self.1.renumber(numbers);
    }
}

impl<T: Numbered> Numbered for Vec<T> {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.iter_mut().for_each(|one| one.renumber(numbers));
    }
}

impl<T: Numbered> Numbered for Option<T> {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.iter_mut().for_each(|one| one.renumber(numbers));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;

    /// Numbers in the order in which they are asked for.
    #[derive(Default)]
    struct Table {
        ranges: Vec<Range>,
        actors: Vec<Who>,
    }

    fn place<T: PartialEq>(all: &mut Vec<T>, one: T) -> u32 {
        let at = all.iter().position(|known| *known == one).unwrap_or(all.len());
        if at == all.len() {
            all.push(one);
        }
        at as u32
    }

    impl Numbering for Table {
        fn range(&self, at: LocationId) -> Range {
            self.ranges[at.index()]
        }

        fn who(&self, actor: Actor) -> Who {
            self.actors[actor.index()]
        }

        fn location(&mut self, range: Range) -> LocationId {
            LocationId(place(&mut self.ranges, range))
        }

        fn actor(&mut self, who: Who) -> Option<Actor> {
            (who.thread().0 < 2).then(|| Actor(place(&mut self.actors, who)))
        }
    }

    /// What thread 1 updates and thread 0 reads, in a table where other things come first.
    fn drawn(table: &mut Table, x: Range, y: Range) -> Vec<(Step, Footprint)> {
        let (at_x, at_y) = (table.location(x), table.location(y));
        let update = table.actor(Who::UpdateAt(ThreadId(1), at_y)).unwrap();
        let reader = table.actor(Who::Thread(ThreadId(0))).unwrap();
        let step = |actor| Step { actor, choice: 0 };
        vec![
            (step(update), Footprint { write: Some(at_y), thread: 1, ..Footprint::default() }),
            (step(reader), Footprint { read: Some(at_x), ..Footprint::default() }),
        ]
    }

    #[test]
    fn numbers_do_not_depend_on_who_saw_what_first() {
        let range = |start| Range { start: Address(start), size: 4 };
        let (x, y, z) = (range(64), range(72), range(80));
        let (mut one, mut other) = (Table::default(), Table::default());
        other.location(z);
        other.location(y);
        other.actor(Who::Update(ThreadId(0)));
        let (in_one, in_other) = (drawn(&mut one, x, y), drawn(&mut other, x, y));
        assert_ne!(in_one, in_other);
        let written = Portable::new(in_one.clone(), &one);
        assert_eq!(written, Portable::new(in_other.clone(), &other));
        assert_eq!(written.clone().read(&mut other), Some(in_other));
        assert_eq!(written.clone().read(&mut one), Some(in_one));
        let mut fresh = Table::default();
        let in_fresh = written.clone().read(&mut fresh).unwrap();
        assert_eq!(Portable::new(in_fresh, &fresh), written);
    }

    #[test]
    fn what_names_nothing_is_refused() {
        let nobody = Step { actor: Actor(1), choice: 0 };
        let thread = |number| vec![Who::Thread(ThreadId(number))];
        let read = |actors, value| Portable { locations: Vec::new(), actors, value }.read(&mut Table::default());
        assert_eq!(read(thread(0), nobody), None, "no such actor");
        assert_eq!(read(thread(2), Step { actor: Actor(0), choice: 0 }), None, "no such thread");
        assert_eq!(read(vec![Who::UpdateAt(ThreadId(0), LocationId(3))], Step { actor: Actor(0), choice: 0 }), None, "no such location");
    }
}
