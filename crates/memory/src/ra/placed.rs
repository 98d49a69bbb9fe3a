//! Release-acquire with coherence as a part of each graph: what weak traces leave out ([`super`]), where somebody asks
//! for it.
//!
//! Every read acquires and every write releases, so happens-before is (po ∪ rf)+, and coherence and atomicity, which
//! [`crate::coherent`] keeps, are all that is demanded: with a total order of the writes to each variable,
//! po ∪ rf ∪ co_x ∪ fr_x has a cycle exactly where happens-before goes against eco of that variable.

use crate::coherent::{Axioms, Coherent};
use raddle_event::Order;

/// The axioms of RA, where coherence is given.
#[derive(Default)]
pub struct Placed;

/// A graph under RA with coherence.
pub type Graph = Coherent<Placed>;

impl Axioms for Placed {
    const NAME: &'static str = "RA";
    const NOT_SUPPORTED: &'static str = "under RA";
    const ORDERS_WRITES: bool = false;
    const FENCES_UPDATE: bool = true;

    fn order(_: Order) -> Order {
        Order::AcqRel
    }

    fn may_forbid(_: &Graph) -> bool {
        false
    }

    fn allow(_: &Graph) -> bool {
        true
    }
}
