//! Strong release-acquire (Lahav, Giannarakis, Vafeiadis, "Taming Release-Acquire Consistency", POPL 2016):
//! release-acquire, where happens-before and the coherence orders of all variables together have no cycle.
//!
//! Every read acquires and every write releases, so happens-before is (po ∪ rf)+; a full fence is a read-modify-write
//! of a hidden variable, as under RA. Coherence and atomicity are what [`crate::coherent`] keeps. What is left is
//! `acyclic (hb ∪ co)`.
//!
//! The newest event e happens before nothing, so a new cycle leaves it through co: to a write that comes later than e
//! in coherence, and from there by hb and co, from write to write, back to one that happens before e. There is none
//! where e is last in coherence.

use crate::coherent::{Axioms, Coherent};
use crate::graphs::VariableId;
use raddle_event::{Order, Position};

/// The axioms of SRA.
#[derive(Default)]
pub struct Sra;

/// A graph under SRA.
pub type Graph = Coherent<Sra>;

impl Axioms for Sra {
    const NAME: &'static str = "SRA";
    const NOT_SUPPORTED: &'static str = "under SRA";
    const ORDERS_WRITES: bool = true;
    const FENCES_UPDATE: bool = true;

    fn order(_: Order) -> Order {
        Order::AcqRel
    }

    fn may_forbid(_: &Graph) -> bool {
        true
    }

    fn allow(graph: &Graph) -> bool {
        let newest = graph.newest();
        // A read has no place of its own, and neither has a stray: nothing comes after it in coherence.
        if !graph.access(newest).is_some_and(|access| access.has_place()) {
            return true;
        }
        let is_behind = |&write: &Position| comes_later(graph, newest, write);
        let mut left: Vec<Position> = writes(graph).filter(|&write| write != newest).collect();
        let mut todo: Vec<Position> = left.iter().copied().filter(is_behind).collect();
        left.retain(|write| !todo.contains(write));
        while let Some(write) = todo.pop() {
            if graph.happens_before(write, newest) {
                return false;
            }
            left.retain(|&next| {
                let leads = graph.happens_before(write, next) || comes_later(graph, write, next);
                if leads {
                    todo.push(next);
                }
                !leads
            });
        }
        true
    }
}

/// Whether a write comes later in coherence than another one.
fn comes_later(graph: &Graph, first: Position, second: Position) -> bool {
    let variable = |event: Position| graph.access(event).map(|access| access.variable);
    variable(first) == variable(second) && graph.rank(first) < graph.rank(second)
}

fn writes(graph: &Graph) -> impl Iterator<Item = Position> {
    (0..graph.n_variables()).flat_map(|n| graph.writes(VariableId(n as u32)).iter().copied())
}
