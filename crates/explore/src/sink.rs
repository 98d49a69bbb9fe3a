//! Where explorers put what they find. They do not collect, count or judge.

use std::ops::ControlFlow;

/// How an execution ended, for the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing can be added, or the system says that it is over.
    Maximal,
    /// What follows is explored elsewhere: every enabled step is asleep, or no way is allowed.
    Redundant,
}

/// Receives what an explorer finds, as it finds it, whatever kind of system `S` it explores.
pub trait Sink<S> {
    /// An execution has ended, and `system` stands at its end. Called once for each. Breaking ends the exploration.
    fn execution(&mut self, system: &S, end: End) -> ControlFlow<()>;

    /// An event happened for the first time; called for every one, to count and to stop in time. Breaking ends the
    /// exploration.
    fn event(&mut self) -> ControlFlow<()>;

    /// The exploration starts over, because something was learned about all executions: what was seen does not count.
    /// Explorers do not call this; who runs them does.
    fn restart(&mut self);
}
