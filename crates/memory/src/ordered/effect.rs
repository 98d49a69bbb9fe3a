//! What an action does to the stores of its thread that wait, under SC, TSO and PSO.

use raddle_event::{Action, Fence, Order};

/// What an action does to the stores of its thread that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It waits for no store, and all that comes later comes after it. What is no access does no more than that.
    Read,
    /// It waits for all earlier stores, and all that comes later comes after it.
    Wait,
    /// A store that waits behind all earlier ones, while later reads do not wait for it.
    Queue,
    /// A store that waits behind those before the last barrier, while later reads and writes do not wait for it.
    Store,
    /// A barrier between stores, and then such a store.
    Release,
    /// A barrier between stores.
    Divide,
}

/// Where stores wait.
pub trait Buffers {
    /// The name of the model.
    const NAME: &'static str;
    /// Whether stores wait at all.
    const ARE_THERE: bool;
    /// Whether stores to different variables do not wait for one another.
    const BY_VARIABLE: bool;
}

/// SC: nowhere.
pub struct Nowhere;

/// TSO: in one queue for each thread.
pub struct Queues;

/// PSO: in one queue for each thread and variable.
pub struct ByVariable;

impl Buffers for Nowhere {
    const NAME: &'static str = "SC";
    const ARE_THERE: bool = false;
    const BY_VARIABLE: bool = false;
}

impl Buffers for Queues {
    const NAME: &'static str = "TSO";
    const ARE_THERE: bool = true;
    const BY_VARIABLE: bool = false;
}

impl Buffers for ByVariable {
    const NAME: &'static str = "PSO";
    const ARE_THERE: bool = true;
    const BY_VARIABLE: bool = true;
}

/// What an action does to the stores of its thread that wait. One row for each model and action.
pub(super) fn effect<B: Buffers>(action: &Action) -> Effect {
    match *action {
        Action::Write { .. } if !B::ARE_THERE => Effect::Wait,
        Action::Write { order: Order::SeqCst, .. } => Effect::Wait,
        Action::Write { .. } if !B::BY_VARIABLE => Effect::Queue,
        Action::Write { order, .. } if order.is_release() => Effect::Release,
        Action::Write { .. } => Effect::Store,
        Action::Rmw { .. } | Action::Spawn { .. } => Effect::Wait,
        Action::Fence(fence) if fence.is_full() => Effect::Wait,
        Action::Fence(fence) if divides(fence) => Effect::Divide,
        _ => Effect::Read,
    }
}

/// Whether a fence keeps the stores before it before those after it: a queue does so by itself.
fn divides(fence: Fence) -> bool {
    matches!(fence, Fence::Release | Fence::AcqRel | Fence::Sfence | Fence::Lwsync | Fence::Eieio | Fence::DmbSt)
}
