//! RSMC against the plain twin under AArch64: see `power.rs`. Orders are those of C11 by the compilers' mapping;
//! barriers those of Arm.

use crate::support::commit_twin::{Judged, compare, compare_as, compare_lowerings, go_back};
use crate::support::seeds::seeds;
use raddle_event::{Atomics, Mapping};
use raddle_judge::Model;
use raddle_memory::aarch64::{AArch64, LSE};
use raddle_sample::{Lowering, Shape};

impl Judged for AArch64 {
    const MAPPING: Mapping = LSE;
    const JUDGED_BY: Model = Model::AArch64(Atomics::Lse);
}

#[test]
fn rsmc_explores_each_graph_once() {
    compare::<AArch64>(&Shape::power(), seeds(80));
}

#[test]
fn rsmc_explores_each_graph_of_few_locations_once() {
    compare::<AArch64>(&Shape { locations: 1..=2, threads: 2..=2, actions: 8, ..Shape::power() }, seeds(80));
}

/// A load may read what a compare-exchange stores before that has read.
#[test]
fn rsmc_explores_each_graph_with_compare_exchanges_once() {
    compare::<AArch64>(&Shape::power_exchanges(), seeds(60));
}

#[test]
fn rsmc_explores_each_graph_with_locks_once() {
    compare::<AArch64>(&Shape::power_locks(), seeds(30));
}

#[test]
fn rsmc_explores_each_graph_with_conditions_once() {
    compare::<AArch64>(&Shape::power_conditions(), seeds(20));
}

#[test]
fn rsmc_explores_each_graph_with_exclusives_once() {
    compare::<AArch64>(&Shape::power_reservations(), seeds(30));
}

/// A loop that waits for a value is a read that gets it: the same as looking once and assuming the value.
#[test]
fn waiting_is_assuming() {
    let assumes = Lowering { assumes: true, ..Lowering::default() };
    compare_lowerings::<AArch64>(&Shape::power_awaits(), seeds(300), Lowering::default(), assumes);
}

/// The program with assumptions is believed because it is compared with all graphs.
#[test]
fn rsmc_explores_each_graph_with_assumptions_once() {
    let assumes = Lowering { assumes: true, ..Lowering::default() };
    compare_as::<AArch64>(&Shape::power_awaits(), seeds(40), assumes);
}

#[test]
fn going_back_is_the_same_as_never_having_gone_there() {
    go_back::<AArch64>(&Shape::power_locks());
}
