//! What the judge shows, while it runs a schedule, to those who tell the story or look for more.

use raddle_event::{Action, Fault, LocationId, Order, Reply, ThreadId, Value};
use raddle_machine::Machine;

/// A store: its thread and its number among the stores of that thread, or the initial value (`None`).
pub type StoreName = Option<(ThreadId, u32)>;

/// One thing that happens.
pub enum Act<'a> {
    /// A thread did something and was answered.
    Did {
        /// What it did.
        action: &'a Action,
        /// The answer.
        reply: &'a Reply,
        /// For each byte read which store wrote it.
        from: &'a [StoreName],
        /// The number of the store that reached memory by it.
        store: Option<u32>,
    },
    /// A store went into the buffer of its thread.
    Buffered {
        /// Where it stores.
        at: LocationId,
        /// What it stores.
        value: &'a Value,
        /// Its memory order.
        order: Order,
        /// Its number among the stores of its thread.
        store: u32,
    },
    /// A store left the buffer, and reached memory unless that is wrong.
    Updated {
        /// Where it stores.
        at: LocationId,
        /// What it stores.
        value: &'a Value,
        /// Its number among the stores of its thread.
        store: u32,
        /// What is wrong with it.
        fault: Option<&'a Fault>,
    },
}

/// Looks on while a schedule is run. The thread still stands where it acts.
pub trait Watch {
    /// Something happens.
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act);
}

/// Nobody looks on.
impl Watch for () {
    fn act(&mut self, _: &Machine, _: ThreadId, _: &Act) {}
}
