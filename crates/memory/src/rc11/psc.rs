//! `acyclic psc`: the events that are seq_cst have an order.
//!
//! ```text
//! scb = po ∪ (po-diff-loc ; hb ; po-diff-loc) ∪ (hb ∩ loc) ∪ co ∪ rb
//! psc = ([SC] ∪ [F SC];hb?) ; scb ; ([SC] ∪ hb?;[F SC])  ∪  [F SC] ; (hb ∪ hb;eco;hb) ; [F SC]
//! ```
//!
//! The newest event e comes before no other in hb and before none in po. So what it adds to psc, besides edges to
//! itself, goes through co or rb from e to a write that is later in coherence, or through eco from e to an access of a
//! greater rank. There is nothing to do where e is last in coherence. Else the new edges go from e, if it is seq_cst,
//! and from the fences that happen before e, and a new cycle has one of these edges in it: it is searched for from
//! where they go to. The graph had no cycle before.
//!
//! Between two events psc is decided by looking at both (see [`leads`]). co ∪ rb goes from x to a write y of the same
//! variable exactly when the rank of x is less; eco as [`crate::coherent`] says. Ranks never fall along the accesses of
//! a thread to one variable.
//!
//! A thread has a beginning, which the spawn happens before, and an end, which happens before the join. Both are in po
//! and have no location, so that what comes before a spawn and what the spawned thread does are ordered by po-diff-loc
//! ; hb ; po-diff-loc, whatever they access. They are no events of the graph.

use super::Graph;
use crate::coherent::Access;
use crate::graphs::{GraphModel, VariableId};
use raddle_event::{EventId, Order, Position};
use smallvec::SmallVec;

/// Whether psc has no cycle, if it had none without the newest event.
pub(super) fn is_acyclic(graph: &Graph) -> bool {
    let newest = graph.newest();
    let Some(access) = graph.access(newest) else { return true };
    let is_behind = |event: Position| graph.rank(event) > graph.rank(newest);
    let later = |fence: Position, only_writes: bool| {
        let seen = accesses(graph, access.variable).filter(|&event| event != newest && graph.happens_before(event, fence));
        seen.into_iter().any(|event| is_behind(event) && (!only_writes || writes(graph, event)))
    };
    let is_later_write = |event: Position| {
        graph.access(event).is_some_and(|other| other.variable == access.variable && other.written.is_some()) && is_behind(event)
    };
    let targets = |only_writes: bool| {
        let is_target = move |&event: &Position| match is_fence(graph, event) {
            true => later(event, only_writes),
            false => event != newest && is_later_write(event),
        };
        graph.seq_cst.iter().copied().filter(is_target).collect::<SmallVec<[Position; 8]>>()
    };
    let is_start = |event: Position| is_fence(graph, event) && graph.happens_before(event, newest);
    if access.order == Order::SeqCst && reaches(graph, targets(true), |event| event == newest) {
        return false;
    }
    !graph.seq_cst.iter().any(|&event| is_start(event)) || !reaches(graph, targets(false), is_start)
}

/// Whether psc leads from one of some events, in some steps or none, to a goal.
fn reaches(graph: &Graph, mut todo: SmallVec<[Position; 8]>, is_goal: impl Fn(Position) -> bool) -> bool {
    let mut left: SmallVec<[Position; 64]> = SmallVec::new();
    if !todo.is_empty() {
        left.extend(graph.seq_cst.iter().copied().filter(|event| !todo.contains(event)));
    }
    while let Some(event) = todo.pop() {
        if is_goal(event) {
            return true;
        }
        let from = Departure::of(graph, event);
        left.retain(|next| {
            let leads = leads(graph, &from, *next);
            if leads {
                todo.push(*next);
            }
            !leads
        });
    }
    false
}

/// An event that psc is to lead away from, with what does not depend on where to.
struct Departure<'g> {
    event: Position,
    id: EventId,
    /// None for a fence.
    access: Option<&'g Access>,
    /// What comes next in its thread and is no access of the same variable.
    next: Option<Position>,
    /// The join of its thread.
    joining: Option<Position>,
}

impl Departure<'_> {
    fn of(graph: &Graph, event: Position) -> Departure<'_> {
        let (id, access) = (graph.id(event), graph.access(event));
        let next = access.and_then(|access| events_after(graph, id).find(|&event| is_elsewhere(graph, event, access.variable)));
        Departure { event, id, access, next, joining: graph.joining(id.thread) }
    }
}

/// Whether psc leads from one event to another one.
fn leads(graph: &Graph, first: &Departure, second: Position) -> bool {
    match (first.access, graph.access(second)) {
        (Some(a), Some(b)) => leads_between_accesses(graph, (first, a), (second, b)),
        (None, Some(_)) => leads_from_fence(graph, first.event, second),
        (Some(_), None) => leads_to_fence(graph, first.event, second),
        (None, None) => graph.happens_before(first.event, second) || leads_by_eco(graph, first.event, second),
    }
}

/// scb between two accesses. Of what po-diff-loc leads to from the first the first event is enough, and of what it
/// comes from to the second the last.
fn leads_between_accesses(graph: &Graph, (first, a): (&Departure, &Access), (second, b): (Position, &Access)) -> bool {
    let other = graph.id(second);
    if first.id.thread == other.thread && first.id.index < other.index {
        return true;
    }
    if a.variable == b.variable {
        let overtaken = b.written.is_some() && graph.rank(first.event) < graph.rank(second);
        if overtaken || graph.happens_before(first.event, second) {
            return true;
        }
    }
    if first.next.is_none() && first.joining.is_none() {
        return false;
    }
    let last = events_before(graph, other).find(|&event| is_elsewhere(graph, event, b.variable));
    let beginning = graph.beginning(other.thread);
    let is_before = |first: Option<Position>, second: Option<Position>| {
        first.zip(second).is_some_and(|(first, second)| graph.happens_before(first, second))
    };
    let (next, joining) = (first.next, first.joining);
    (next != last && is_before(next, last)) || is_before(next, beginning) || is_before(joining, last) || is_before(joining, beginning)
}

/// Whether an event is no access of a variable.
fn is_elsewhere(graph: &Graph, event: Position, variable: VariableId) -> bool {
    graph.access(event).is_none_or(|access| access.variable != variable)
}

/// [F] ; hb? ; scb to an access: the fence happens before what comes right before the access in its thread, or before
/// the spawn of the thread; or before an access of the same variable that happens before this one or comes before it in
/// co ∪ rb.
fn leads_from_fence(graph: &Graph, fence: Position, second: Position) -> bool {
    if graph.previous(graph.id(second)).is_some_and(|last| graph.happens_before(fence, last)) {
        return true;
    }
    let access = graph.access(second).expect("it is one");
    let comes_before =
        |event: Position| graph.happens_before(event, second) || (access.written.is_some() && graph.rank(event) < graph.rank(second));
    accesses(graph, access.variable).any(|event| event != second && graph.happens_before(fence, event) && comes_before(event))
}

/// scb ; hb? ; [F] from an access, the mirror image.
fn leads_to_fence(graph: &Graph, first: Position, fence: Position) -> bool {
    let one = graph.id(first);
    let next = events_after(graph, one).next().or_else(|| graph.joining(one.thread));
    if next.is_some_and(|next| graph.happens_before(next, fence)) {
        return true;
    }
    let comes_after =
        |event: Position| graph.happens_before(first, event) || (writes(graph, event) && graph.rank(first) < graph.rank(event));
    let variable = graph.access(first).expect("it is one").variable;
    accesses(graph, variable).any(|event| event != first && graph.happens_before(event, fence) && comes_after(event))
}

/// [F] ; hb ; eco ; hb ; [F].
fn leads_by_eco(graph: &Graph, first: Position, second: Position) -> bool {
    (0..graph.n_variables()).map(|n| VariableId(n as u32)).any(|variable| {
        let after = accesses(graph, variable).filter(|&event| graph.happens_before(first, event));
        after.map(|event| graph.rank(event)).min().is_some_and(|least| {
            let mut before = accesses(graph, variable).filter(|&event| graph.happens_before(event, second));
            before.any(|event| graph.rank(event) > least || reads_later_write(graph, first, event))
        })
    })
}

/// Whether an event reads from a write that happens after a fence.
fn reads_later_write(graph: &Graph, fence: Position, event: Position) -> bool {
    let source = graph.access(event).and_then(|access| access.source.flatten());
    source.is_some_and(|source| graph.happens_before(fence, source))
}

fn is_fence(graph: &Graph, event: Position) -> bool {
    graph.access(event).is_none()
}

fn writes(graph: &Graph, event: Position) -> bool {
    graph.access(event).is_some_and(|access| access.written.is_some())
}

fn accesses(graph: &Graph, variable: VariableId) -> impl Iterator<Item = Position> {
    graph.accesses(variable).iter().flat_map(|(_, own)| own.iter().copied())
}

/// The events of a thread before one of them, the last one first.
fn events_before(graph: &Graph, EventId { thread, index }: EventId) -> impl Iterator<Item = Position> {
    (0..index).rev().map(move |index| graph.position(EventId { thread, index }))
}

/// The events of a thread after one of them.
fn events_after(graph: &Graph, EventId { thread, index }: EventId) -> impl Iterator<Item = Position> {
    (index + 1..graph.n_events(thread)).map(move |index| graph.position(EventId { thread, index }))
}
