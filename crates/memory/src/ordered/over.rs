//! Which accesses are over when their object is freed, where stores to different variables overtake each other (PSO).
//!
//! A `free` waits for the stores of its own thread to the object, and stands in program order as a read does. An access
//! of another thread is over where it comes before the `free` in (ppo ∪ rfe)+: what comes before it by co and fr alone
//! could come later, with the same values read (docs/models/pso.md). What the `free` comes after in po ∪ rf it comes
//! after in this order too, but for stores that still wait while their thread hands on something else.

use super::OrderedGraph;
use super::effect::{Buffers, Effect};
use crate::graphs::GraphModel;
use raddle_event::{EventId, Position};

/// Whether these accesses of a thread to a variable, oldest first, are over when the newest event frees their object.
pub(super) fn are_over<B: Buffers>(graph: &OrderedGraph<B>, accesses: &[Position]) -> bool {
    let newest = graph.newest();
    let is_seen = |at: &&Position| graph.skeleton().is_before(**at, newest);
    let waits = |at: &&Position| is_buffered(graph.axioms.kept.effect(**at));
    // Stores to one variable stay in order.
    accesses.last().is_none_or(|last| is_seen(&last)) && accesses.iter().rfind(waits).is_none_or(|last| is_updated(graph, *last, newest))
}

fn is_buffered(effect: Effect) -> bool {
    matches!(effect, Effect::Store | Effect::Release)
}

/// Whether a store has reached memory when the newest event takes place, which comes after it in po ∪ rf: its thread
/// has waited for it, or handed on a store that waits for it.
fn is_updated<B: Buffers>(graph: &OrderedGraph<B>, store: Position, newest: Position) -> bool {
    let id = graph.id(store);
    let is_joined = || graph.joining(id.thread).is_some_and(|join| graph.skeleton().is_before(join, newest));
    if graph.id(newest).thread == id.thread || is_joined() {
        return true;
    }
    let variable = graph.access(store).map(|access| access.variable);
    let mut is_divided = false;
    for index in id.index..graph.clock(newest)[id.thread.index()] {
        let at = graph.position(EventId { index, ..id });
        let effect = graph.axioms.kept.effect(at);
        is_divided |= at != store && matches!(effect, Effect::Divide | Effect::Release);
        let waits_behind = is_divided || graph.access(at).is_some_and(|access| Some(access.variable) == variable);
        if effect == Effect::Wait || (is_buffered(effect) && waits_behind && is_handed_on(graph, at, newest)) {
            return true;
        }
    }
    false
}

/// Whether another thread has read a store, and the newest event comes after that.
fn is_handed_on<B: Buffers>(graph: &OrderedGraph<B>, store: Position, newest: Position) -> bool {
    let Some(access) = graph.access(store) else { return false };
    let reads_it = |at: &Position| graph.access(*at).is_some_and(|read| read.source == Some(Some(store)));
    let others = graph.accesses(access.variable).iter().filter(|(thread, _)| *thread != graph.id(store).thread);
    others.flat_map(|(_, own)| own).any(|at| reads_it(at) && graph.skeleton().is_before(*at, newest))
}
