//! What random programs are made of.

use std::ops::RangeInclusive;

/// What a random program may have in it. Loads and stores are always there.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How many threads, the first one included; at least one.
    pub threads: RangeInclusive<u32>,
    /// How many visible actions at most in all threads together.
    pub actions: u32,
    /// How many locations, of eight bytes each; at least one.
    pub locations: RangeInclusive<u32>,
    /// Accesses of 1, 2, 4 and 8 bytes that overlap; else each location has one width.
    pub widths: bool,
    /// Half of the stores are followed by a load of what they stored.
    pub forwards: bool,
    /// C11 orders of loads and stores; else all are plain.
    pub orders: bool,
    pub rmws: bool,
    /// How often there are compare-exchanges: a weight, where that of loads is four.
    pub cas: u32,
    /// Loads that reserve, and conditional stores.
    pub reservations: bool,
    pub fences: bool,
    /// The barriers of POWER among the fences.
    pub barriers: bool,
    pub locks: bool,
    /// A lock that can be taken for reading among them.
    pub rwlocks: bool,
    /// Waiting for a condition and signalling it; needs `locks`.
    pub conditions: bool,
    /// How often there are branches on what was read: a weight too.
    pub branches: u32,
    /// Threads that are spawned by a first one or by one another; else all start at once.
    pub spawns: bool,
    pub joins: bool,
    pub asserts: bool,
    /// How often threads make choices: a weight too.
    pub choices: u32,
    /// How often threads end where what they have read or chosen is zero, or is one: a weight too.
    pub assumes: u32,
    /// Addresses and values computed from what was read.
    pub dependencies: bool,
    /// How often threads look at a location again and again until it has a value: a weight too.
    pub awaits: u32,
    /// Some of them look at two places.
    pub pairs: bool,
}

impl Shape {
    /// Everything: for explorers of schedules.
    pub fn schedules() -> Shape {
        Shape {
            threads: 2..=4,
            actions: 8,
            locations: 1..=3,
            widths: true,
            forwards: false,
            orders: true,
            rmws: true,
            cas: 2,
            reservations: false,
            fences: true,
            barriers: false,
            locks: true,
            rwlocks: false,
            conditions: true,
            branches: 4,
            spawns: true,
            joins: true,
            asserts: true,
            choices: 1,
            assumes: 0,
            dependencies: true,
            awaits: 0,
            pairs: false,
        }
    }

    /// One width for each location: for explorers of graphs.
    pub fn graphs() -> Shape {
        Shape { widths: false, ..Shape::schedules() }
    }

    /// Loads that reserve with conditional stores, among other accesses of the same widths.
    pub fn reservations() -> Shape {
        Shape { threads: 2..=3, reservations: true, widths: false, locks: false, conditions: false, asserts: false, ..Shape::schedules() }
    }

    /// Many choices, and branches on them.
    pub fn choices() -> Shape {
        Shape { threads: 2..=3, actions: 7, locations: 1..=2, choices: 6, cas: 2, branches: 16, ..Shape::tiny() }
    }

    /// Choices that end their threads, beside plain loads and stores.
    pub fn ended_by_choices() -> Shape {
        Shape { threads: 3..=3, actions: 9, choices: 2, assumes: 4, ..Shape::plain() }
    }

    /// The same with read-modify-writes and locks.
    pub fn ended_beside_locks() -> Shape {
        Shape { actions: 12, rmws: true, locks: true, rwlocks: true, ..Shape::ended_by_choices() }
    }

    /// Compare-exchanges among accesses of other sizes.
    pub fn exchanges() -> Shape {
        Shape { threads: 2..=3, actions: 7, locations: 1..=1, widths: true, cas: 6, branches: 4, ..Shape::tiny() }
    }

    /// Two threads with loads and stores and fences: what a bound of the buffers is felt by.
    pub fn stores() -> Shape {
        Shape { actions: 7, locations: 2..=3, fences: true, branches: 4, ..Shape::tiny() }
    }

    /// Dependencies, barriers and read-modify-writes, few enough to go through all graphs in all orders of commits.
    pub fn power() -> Shape {
        Shape { threads: 2..=3, actions: 7, barriers: true, locks: false, conditions: false, ..Shape::graphs() }
    }

    /// The same with locks.
    pub fn power_locks() -> Shape {
        Shape { actions: 8, locks: true, cas: 0, ..Shape::power() }
    }

    /// Little but locks, and waiting for a condition.
    pub fn power_conditions() -> Shape {
        Shape {
            threads: 2..=2,
            actions: 9,
            locations: 1..=1,
            rmws: false,
            fences: false,
            dependencies: false,
            conditions: true,
            ..Shape::power_locks()
        }
    }

    /// Many compare-exchanges and loads that may read what these store, with values computed from what was read.
    pub fn power_exchanges() -> Shape {
        Shape {
            threads: 2..=3,
            actions: 8,
            locations: 1..=2,
            forwards: true,
            cas: 6,
            choices: 0,
            branches: 1,
            spawns: false,
            ..Shape::power()
        }
    }

    /// The same with loads that reserve and conditional stores.
    pub fn power_reservations() -> Shape {
        Shape { actions: 8, reservations: true, spawns: false, choices: 0, ..Shape::power() }
    }

    /// Threads that wait in loops for what others write. All start at once: a thread that is alone waits for ever.
    pub fn power_awaits() -> Shape {
        Shape { locations: 1..=2, awaits: 6, cas: 1, choices: 0, branches: 2, asserts: false, spawns: false, ..Shape::power() }
    }

    /// Plain loads and stores of few locations, and nothing else: loads that take their values from the own buffer
    /// while others store there.
    pub fn plain() -> Shape {
        Shape { threads: 3..=3, actions: 10, locations: 2..=2, forwards: true, orders: false, rmws: false, ..Shape::tiny() }
    }

    /// The same in two long threads.
    pub fn long() -> Shape {
        Shape { threads: 2..=2, actions: 12, ..Shape::plain() }
    }

    /// The same in many short threads.
    pub fn many() -> Shape {
        Shape { threads: 4..=5, actions: 8, ..Shape::plain() }
    }

    /// The same with exchanges, sums and compare-exchanges that succeed or fail.
    pub fn updates() -> Shape {
        Shape { threads: 2..=3, actions: 9, locations: 1..=2, rmws: true, cas: 3, ..Shape::plain() }
    }

    /// The same with branches on what was read, and values and addresses computed from it.
    pub fn branches() -> Shape {
        Shape { threads: 2..=3, actions: 11, branches: 5, dependencies: true, ..Shape::plain() }
    }

    /// Loads and stores with C11 orders, among fences.
    pub fn orders() -> Shape {
        Shape { threads: 2..=3, actions: 10, orders: true, fences: true, ..Shape::plain() }
    }

    /// Plain loads and stores of several widths that overlap, with a few read-modify-writes.
    pub fn overlaps() -> Shape {
        Shape { threads: 2..=3, actions: 9, locations: 1..=1, widths: true, rmws: true, cas: 1, ..Shape::plain() }
    }

    /// Plain loads and stores inside and outside of locks, and threads that wait for a condition.
    pub fn locks() -> Shape {
        Shape { threads: 2..=3, actions: 11, locks: true, conditions: true, ..Shape::plain() }
    }

    /// Plain loads and stores, and threads that wait in loops for what others write.
    pub fn awaits() -> Shape {
        Shape { threads: 2..=3, actions: 8, awaits: 3, ..Shape::plain() }
    }

    /// The same, where loops look at two places, among read-modify-writes.
    pub fn awaits_of_pairs() -> Shape {
        Shape { locations: 1..=2, pairs: true, rmws: true, cas: 1, ..Shape::awaits() }
    }

    /// Two threads with a few loads, stores and read-modify-writes, all started at once.
    pub fn tiny() -> Shape {
        Shape {
            threads: 2..=2,
            actions: 4,
            locations: 1..=2,
            forwards: false,
            orders: true,
            rmws: true,
            widths: false,
            cas: 0,
            reservations: false,
            fences: false,
            barriers: false,
            locks: false,
            rwlocks: false,
            conditions: false,
            branches: 0,
            spawns: false,
            joins: false,
            asserts: false,
            choices: 0,
            assumes: 0,
            dependencies: false,
            awaits: 0,
            pairs: false,
        }
    }
}
