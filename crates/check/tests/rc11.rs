//! The graphs of RC11 against the plain twin, on random programs: the twin keeps the graphs of program order,
//! reads-from and coherence that meet the axioms by their definition.

use crate::support::few_seeds::few_seeds;
use crate::support::graphs::Twins;
use crate::support::seeds::seeds;
use raddle_judge::Axiom;
use raddle_memory::rc11::Graph;
use raddle_sample::Shape;

fn rc11() -> Twins<impl Fn() -> Graph> {
    Twins { axiom: Axiom::Rc11, model: || Graph::new(false, false) }
}

#[test]
fn tiny_programs() {
    rc11().check(seeds(600), &Shape::tiny());
}

#[test]
fn reads_and_writes() {
    let plain = Shape { rmws: false, threads: 2..=4, actions: 8, locations: 1..=2, ..Shape::tiny() };
    rc11().check(seeds(300), &plain);
}

#[test]
fn read_modify_writes() {
    let rmws = Shape { cas: 2, fences: true, threads: 2..=4, actions: 7, locations: 1..=2, ..Shape::tiny() };
    rc11().check(seeds(300), &rmws);
}

#[test]
fn locks() {
    let locks = Shape { locks: true, conditions: true, rmws: false, threads: 2..=3, actions: 8, locations: 1..=2, ..Shape::tiny() };
    rc11().check(seeds(300), &locks);
}

#[test]
fn programs_of_all_kinds() {
    rc11().check(seeds(300), &Shape::graphs());
}

/// What a spawn and a join order among seq_cst accesses and fences.
#[test]
fn spawns_and_joins() {
    let spawned = Shape { spawns: true, joins: true, fences: true, rmws: false, threads: 3..=4, actions: 7, ..Shape::tiny() };
    rc11().check(seeds(300), &spawned);
}

#[test]
fn choices() {
    rc11().check(seeds(300), &Shape::choices());
}

#[test]
fn threads_that_wait_for_one_another() {
    rc11().check_waiting(seeds(400));
}

#[test]
fn larger_programs() {
    rc11().check(few_seeds(60), &Shape { actions: 11, ..Shape::graphs() });
}

#[test]
fn plain_loads_and_stores() {
    rc11().check(few_seeds(40), &Shape::plain());
    rc11().check(few_seeds(40), &Shape::long());
    rc11().check(few_seeds(40), &Shape::many());
    rc11().check(few_seeds(40), &Shape::branches());
}

#[test]
fn plain_accesses_among_updates_fences_and_locks() {
    rc11().check(few_seeds(40), &Shape::updates());
    rc11().check(few_seeds(40), &Shape::orders());
    rc11().check(few_seeds(40), &Shape::locks());
}

#[test]
fn many_locks() {
    let locks = Shape { locks: true, conditions: true, threads: 3..=4, actions: 12, locations: 1..=1, ..Shape::tiny() };
    rc11().check(few_seeds(60), &locks);
}

#[test]
fn orders_and_fences() {
    let orders = Shape { fences: true, threads: 2..=4, actions: 8, locations: 2..=2, ..Shape::tiny() };
    rc11().check(seeds(400), &orders);
}

#[test]
fn fences_among_loads_and_stores() {
    let fences = Shape { fences: true, rmws: false, threads: 2..=2, actions: 9, locations: 2..=3, ..Shape::tiny() };
    rc11().check(seeds(300), &fences);
}

#[test]
fn threads_that_look_again_and_again() {
    rc11().check(seeds(300), &Shape { orders: true, ..Shape::awaits() });
    rc11().check(seeds(150), &Shape { orders: true, ..Shape::awaits_of_pairs() });
}

#[test]
fn threads_that_look_again_and_again_among_updates() {
    rc11().check(seeds(200), &Shape { orders: true, rmws: true, cas: 2, fences: true, ..Shape::awaits() });
}

/// What is waited for is updated by several threads and written by others: an update of what another one has updated
/// (a stray) leads on who is parked.
#[test]
fn threads_that_look_at_what_others_update() {
    let updates = Shape { orders: true, rmws: true, threads: 4..=4, actions: 6, locations: 1..=1, awaits: 4, ..Shape::awaits() };
    rc11().check(seeds(300), &updates);
    // One program in some four thousand is of that kind: there is one among these.
    rc11().check(4_150..4_200, &updates);
}

#[test]
fn threads_that_look_again_and_again_beside_locks() {
    rc11().check(few_seeds(60), &Shape { orders: true, locks: true, branches: 2, actions: 10, ..Shape::awaits() });
}
