//! RSMC against the plain twin: for random programs with dependencies, barriers and read-modify-writes, all graphs that
//! make sense, in any order of commits, judged by the axioms from scratch. The sets of graphs must be equal, and each
//! must be explored once.

use crate::support::commit_twin::{Judged, compare, compare_as, compare_lowerings, go_back};
use crate::support::linked::linked;
use crate::support::seeds::seeds;
use raddle_event::{EventId, Fence, Mapping, Order, ThreadId, Way};
use raddle_judge::{Model, PlainPower};
use raddle_machine::{Limits, Sites, Tables};
use raddle_memory::power::{MAPPING, Power};
use raddle_sample::{Access, Description, Expression, Lowering, Shape, Statement, Style};

impl Judged for Power {
    const MAPPING: Mapping = MAPPING;
    const JUDGED_BY: Model = Model::Power;
}

#[test]
fn rsmc_explores_each_graph_once() {
    compare::<Power>(&Shape::power(), seeds(80));
}

#[test]
fn rsmc_explores_each_graph_with_locks_once() {
    compare::<Power>(&Shape::power_locks(), seeds(30));
}

#[test]
fn rsmc_explores_each_graph_with_conditions_once() {
    compare::<Power>(&Shape::power_conditions(), seeds(20));
}

#[test]
fn rsmc_explores_each_graph_with_reservations_once() {
    compare::<Power>(&Shape::power_reservations(), seeds(30));
}

/// A loop that waits for a value is a read that gets it: the same as looking once and assuming the value.
#[test]
fn waiting_is_assuming() {
    let assumes = Lowering { assumes: true, ..Lowering::default() };
    compare_lowerings::<Power>(&Shape::power_awaits(), seeds(300), Lowering::default(), assumes);
}

/// The program with assumptions is believed because it is compared with all graphs.
#[test]
fn rsmc_explores_each_graph_with_assumptions_once() {
    let assumes = Lowering { assumes: true, ..Lowering::default() };
    compare_as::<Power>(&Shape::power_awaits(), seeds(40), assumes);
}

/// Values that are not known yet keep what they depend on in private memory.
#[test]
fn private_memory_is_as_good_as_registers() {
    let in_memory = Lowering { in_memory: true, ..Lowering::default() };
    compare_lowerings::<Power>(&Shape::power(), seeds(150), in_memory, Lowering::default());
    compare_lowerings::<Power>(&Shape::power_locks(), seeds(50), in_memory, Lowering::default());
}

/// The judge asks for the stores that an `eieio` puts before one that is committed.
#[test]
fn a_graph_may_lack_stores() {
    let store = |location: u32| Statement::Store {
        to: Access { location, offset: 0, size: 4, order: Order::Plain, depends_on: None },
        value: Expression::Constant(1),
    };
    let lacks_after = |fence: Fence, run: &[u32]| {
        let threads = vec![vec![store(0), Statement::Fence(fence), store(1)], vec![store(2)]];
        let program = linked(Description { style: Style::Entries, threads }.lower());
        let mut plain = PlainPower::new(&program, Limits::default(), Sites::default(), Tables::of(&program), Model::Power);
        for &index in run {
            assert!(plain.commit(EventId { thread: ThreadId(0), index }, Way::After(None)));
        }
        assert!(plain.is_allowed());
        plain.lacks_stores()
    };
    assert!(lacks_after(Fence::Eieio, &[1]));
    assert!(!lacks_after(Fence::Eieio, &[0]) && !lacks_after(Fence::Eieio, &[1, 0]) && !lacks_after(Fence::Isync, &[1]));
}

#[test]
fn going_back_is_the_same_as_never_having_gone_there() {
    go_back::<Power>(&Shape::power_locks());
}
