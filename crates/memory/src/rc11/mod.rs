//! RC11: what C11 promises.
//!
//! Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in C/C++11", PLDI 2017. Orders mean what they
//! say. Coherence, atomicity and no-thin-air are what [`crate::coherent`] keeps; what is left is the axiom of
//! sequential consistency, which [`psc`] decides. docs/models/rc11.md has the axioms with these names.

mod psc;

use crate::coherent::{Axioms, Coherent};
use raddle_event::Order;

/// The axioms of RC11.
#[derive(Default)]
pub struct Rc11;

/// A graph under RC11.
pub type Graph = Coherent<Rc11>;

impl Axioms for Rc11 {
    const NAME: &'static str = "RC11";
    const NOT_SUPPORTED: &'static str = "under RC11: choose --model sc, tso or pso";
    const ORDERS_WRITES: bool = false;
    const READS_PARTS: bool = false;

    fn order(order: Order) -> Order {
        order
    }

    fn may_forbid(graph: &Graph) -> bool {
        !graph.seq_cst.is_empty()
    }

    fn allow(graph: &Graph) -> bool {
        psc::is_acyclic(graph)
    }
}
