//! The weak traces of RA against the plain twin, on random programs: the twin keeps the graphs of program order and
//! reads-from for which some total coherence order meets the axiom of release-acquire by its definition.

use crate::support::few_seeds::few_seeds;
use crate::support::graphs::Twins;
use crate::support::seeds::seeds;
use raddle_judge::Axiom;
use raddle_memory::ra::Ra;
use raddle_sample::Shape;

fn weak_traces() -> Twins<impl Fn() -> Ra> {
    Twins { axiom: Axiom::ReleaseAcquire, model: || Ra::new(false) }
}

#[test]
fn tiny_programs() {
    weak_traces().check(seeds(600), &Shape::tiny());
}

#[test]
fn reads_and_writes() {
    let plain = Shape { rmws: false, threads: 2..=4, actions: 8, locations: 1..=2, ..Shape::tiny() };
    weak_traces().check(seeds(300), &plain);
}

#[test]
fn read_modify_writes() {
    let rmws = Shape { cas: 2, fences: true, threads: 2..=4, actions: 7, locations: 1..=2, ..Shape::tiny() };
    weak_traces().check(seeds(300), &rmws);
}

#[test]
fn locks() {
    let locks = Shape { locks: true, conditions: true, rmws: false, threads: 2..=3, actions: 8, locations: 1..=2, ..Shape::tiny() };
    weak_traces().check(seeds(300), &locks);
}

#[test]
fn programs_of_all_kinds() {
    weak_traces().check(seeds(300), &Shape::graphs());
}

#[test]
fn choices() {
    weak_traces().check(seeds(300), &Shape::choices());
}

#[test]
fn threads_that_wait_for_one_another() {
    weak_traces().check_waiting(seeds(400));
}

#[test]
fn larger_programs() {
    weak_traces().check(few_seeds(60), &Shape { actions: 11, ..Shape::graphs() });
}

#[test]
fn plain_loads_and_stores() {
    weak_traces().check(few_seeds(40), &Shape::plain());
    weak_traces().check(few_seeds(40), &Shape::long());
    weak_traces().check(few_seeds(40), &Shape::many());
    weak_traces().check(few_seeds(40), &Shape::branches());
}

#[test]
fn plain_accesses_among_updates_fences_and_locks() {
    weak_traces().check(few_seeds(40), &Shape::updates());
    weak_traces().check(few_seeds(40), &Shape::orders());
    weak_traces().check(few_seeds(40), &Shape::locks());
}

#[test]
fn many_locks() {
    let locks = Shape { locks: true, conditions: true, threads: 3..=4, actions: 12, locations: 1..=1, ..Shape::tiny() };
    weak_traces().check(few_seeds(60), &locks);
}

#[test]
fn threads_that_look_again_and_again() {
    weak_traces().check(seeds(300), &Shape::awaits());
    weak_traces().check(seeds(150), &Shape::awaits_of_pairs());
}

#[test]
fn threads_that_look_again_and_again_among_updates() {
    weak_traces().check(seeds(200), &Shape { rmws: true, cas: 2, fences: true, ..Shape::awaits() });
}

#[test]
fn threads_that_look_again_and_again_beside_locks() {
    weak_traces().check(few_seeds(60), &Shape { locks: true, branches: 2, actions: 10, ..Shape::awaits() });
}
