//! The graphs of SRA against the plain twin, on random programs: the twin keeps the graphs of program order,
//! reads-from and coherence that meet the axioms by their definition.

use crate::support::few_seeds::few_seeds;
use crate::support::graphs::Twins;
use crate::support::seeds::seeds;
use raddle_judge::Axiom;
use raddle_memory::sra::Graph;
use raddle_sample::Shape;

fn sra() -> Twins<impl Fn() -> Graph> {
    Twins { axiom: Axiom::StrongReleaseAcquire, model: || Graph::new(false, false) }
}

#[test]
fn tiny_programs() {
    sra().check(seeds(600), &Shape::tiny());
}

#[test]
fn reads_and_writes() {
    let plain = Shape { rmws: false, threads: 2..=4, actions: 8, locations: 1..=2, ..Shape::tiny() };
    sra().check(seeds(300), &plain);
}

#[test]
fn read_modify_writes() {
    let rmws = Shape { cas: 2, fences: true, threads: 2..=4, actions: 7, locations: 1..=2, ..Shape::tiny() };
    sra().check(seeds(300), &rmws);
}

#[test]
fn locks() {
    let locks = Shape { locks: true, conditions: true, rmws: false, threads: 2..=3, actions: 8, locations: 1..=2, ..Shape::tiny() };
    sra().check(seeds(300), &locks);
}

#[test]
fn programs_of_all_kinds() {
    sra().check(seeds(300), &Shape::graphs());
}

#[test]
fn choices() {
    sra().check(seeds(300), &Shape::choices());
}

#[test]
fn threads_that_wait_for_one_another() {
    sra().check_waiting(seeds(400));
}

#[test]
fn larger_programs() {
    sra().check(few_seeds(60), &Shape { actions: 11, ..Shape::graphs() });
}

#[test]
fn plain_loads_and_stores() {
    sra().check(few_seeds(40), &Shape::plain());
    sra().check(few_seeds(40), &Shape::long());
    sra().check(few_seeds(40), &Shape::many());
    sra().check(few_seeds(40), &Shape::branches());
}

#[test]
fn plain_accesses_among_updates_fences_and_locks() {
    sra().check(few_seeds(40), &Shape::updates());
    sra().check(few_seeds(40), &Shape::orders());
    sra().check(few_seeds(40), &Shape::locks());
}

#[test]
fn many_locks() {
    let locks = Shape { locks: true, conditions: true, threads: 3..=4, actions: 12, locations: 1..=1, ..Shape::tiny() };
    sra().check(few_seeds(60), &locks);
}

#[test]
fn fences_among_loads_and_stores() {
    let fences = Shape { fences: true, rmws: false, threads: 2..=2, actions: 9, locations: 2..=3, ..Shape::tiny() };
    sra().check(seeds(300), &fences);
}

#[test]
fn threads_that_look_again_and_again() {
    sra().check(few_seeds(40), &Shape { orders: true, ..Shape::awaits() });
}
