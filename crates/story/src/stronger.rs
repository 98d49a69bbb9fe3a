//! Which accesses would have to be stronger for an execution not to be possible, or not to have its race or early free.

use crate::tell::{Row, rows_of_graph};
use raddle_event::{FaultKind, Order};
use raddle_judge::Model;
use raddle_machine::{Found, Limits};
use raddle_program::{Place, Program};

/// An access that is too weak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weak {
    /// Where it stands in the source.
    pub place: Place,
    /// What it is: `load`, `store`, `exchange` and the like.
    pub what: String,
    /// The order that it would have to have.
    pub order: Order,
}

/// The accesses that would have to be stronger, each place once, in the order of the source; none where that is not
/// shown. `found` has the execution.
pub fn weak_accesses(program: &Program, model: Model, limits: &Limits, found: &Found) -> Vec<Weak> {
    if !matches!(found.kind, FaultKind::DataRace | FaultKind::Assertion | FaultKind::UseAfterFree) {
        return Vec::new();
    }
    let limits = &limits.again();
    let Some((mut graph, rows)) = rows_of_graph(program, model, limits, found) else { return Vec::new() };
    let row = |at: usize| rows.iter().find(|row| row.number as usize == at).filter(|row| is_access(row));
    let stronger = graph.stronger(|at| row(at).is_some_and(|row| row.place.is_some()));
    let mut weak: Vec<Weak> = Vec::new();
    for (at, order) in stronger {
        let Some(Row { place: Some(place), text, .. }) = row(at) else { continue };
        let access = Weak { place: place.clone(), what: text.split(' ').next().unwrap_or_default().into(), order };
        match weak.iter_mut().find(|other| other.place == access.place && other.what == access.what) {
            Some(other) => other.order = both(other.order, order),
            None => weak.push(access),
        }
    }
    weak.sort_by_key(|access| (access.place.file.clone(), access.place.line, access.place.column));
    weak
}

/// The order that is as strong as two.
fn both(a: Order, b: Order) -> Order {
    match (a, b) {
        (Order::SeqCst, _) | (_, Order::SeqCst) => Order::SeqCst,
        (a, b) if a == b => a,
        _ => Order::AcqRel,
    }
}

/// Whether a row is an access of the program itself: calls of the library name themselves first.
fn is_access(row: &Row) -> bool {
    let first = row.text.split(' ').next().unwrap_or_default();
    matches!(first, "load" | "store" | "exchange" | "compare_exchange") || first.starts_with("fetch_")
}
