//! The graphs of RA with coherence against the plain twin, on random programs; and without coherence they are the weak
//! traces of RA.

use crate::support::few_seeds::few_seeds;
use crate::support::graphs::Twins;
use crate::support::linked::linked;
use crate::support::seeds::seeds;
use raddle_judge::{Axiom, Trace};
use raddle_memory::ra::{Ra, placed::Graph};
use raddle_sample::{Shape, describe};
use std::collections::{BTreeMap, BTreeSet};

fn placed() -> Twins<impl Fn() -> Graph> {
    Twins { axiom: Axiom::PlacedReleaseAcquire, model: || Graph::new(false, false) }
}

fn rmws() -> Shape {
    Shape { cas: 2, fences: true, threads: 2..=4, actions: 7, locations: 1..=2, ..Shape::tiny() }
}

#[test]
fn tiny_programs() {
    placed().check(seeds(400), &Shape::tiny());
}

#[test]
fn read_modify_writes() {
    placed().check(seeds(200), &rmws());
}

#[test]
fn programs_of_all_kinds() {
    placed().check(seeds(200), &Shape::graphs());
}

#[test]
fn threads_that_wait_for_one_another() {
    placed().check_waiting(seeds(200));
}

#[test]
fn larger_programs() {
    placed().check(few_seeds(40), &Shape::updates());
    placed().check(few_seeds(40), &Shape::locks());
    placed().check(few_seeds(40), &Shape { orders: true, ..Shape::awaits() });
}

#[test]
fn without_coherence_they_are_weak_traces() {
    let weak = Twins { axiom: Axiom::ReleaseAcquire, model: || Ra::new(false) };
    let without = |trace: &Trace| Trace { coherence: BTreeMap::new(), ..trace.clone() };
    for shape in [Shape::tiny(), rmws()] {
        for seed in seeds(200) {
            let program = linked(describe(seed, &shape).lower());
            let (Some(graphs), Some(traces)) = (placed().traces(&program), weak.traces(&program)) else { continue };
            let projected: BTreeSet<Trace> = graphs.iter().map(without).collect();
            assert_eq!(projected, traces.iter().map(without).collect(), "seed {seed}: {shape:?}");
        }
    }
}
