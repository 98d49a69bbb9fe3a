//! What the judge shows, while it runs a schedule, to those who tell the story or look for more.

use raddle_event::{Action, Fault, LocationId, Order, Reply, ThreadId, Value};
use raddle_machine::Machine;

/// A store: its thread and the how-manieth store of it, or the initial value (`None`).
pub type Source = Option<(ThreadId, u32)>;

/// One thing that happens.
pub enum Act<'a> {
    /// A thread did something and was answered. `from` says for each byte read which store wrote it; `store` is the
    /// number of the store that reached memory by it.
    Did { action: &'a Action, reply: &'a Reply, from: &'a [Source], store: Option<u32> },
    /// A store went into the buffer of its thread.
    Buffered { at: LocationId, value: &'a Value, order: Order, store: u32 },
    /// A store left the buffer, and reached memory unless that is wrong.
    Updated { at: LocationId, value: &'a Value, store: u32, fault: Option<&'a Fault> },
}

/// Looks on while a schedule is run. The thread still stands where it acts.
pub trait Watch {
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act);
}

/// Nobody looks on.
impl Watch for () {
    fn act(&mut self, _: &Machine, _: ThreadId, _: &Act) {}
}
