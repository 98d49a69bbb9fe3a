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

/// A point at which the exploration does not go on as it did before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// How deep the point is: points behind another one have greater numbers, and the same one where [`Turn::Last`]
    /// says so.
    pub point: u32,
    /// What is left there.
    pub turn: Turn,
}

/// Which of the ways from a point is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One way must be taken: this is the one, and it counts as no branch.
    Rest,
    /// Another one, and there may be more.
    Another,
    /// The last one: the point is given up, and its number is given to points behind it.
    Last,
}

/// Receives what an explorer finds, as it finds it, whatever kind of system `S` it explores.
pub trait Sink<S> {
    /// An execution has ended, and `system` stands at its end. Called once for each. Breaking ends the exploration.
    fn execution(&mut self, system: &S, end: End) -> ControlFlow<()>;

    /// An event happened for the first time; called for every one, to count and to stop in time. Breaking ends the
    /// exploration.
    fn event(&mut self) -> ControlFlow<()>;

    /// Whether a branch is wanted, which is asked before it is explored. One that is not is passed by as if it had been
    /// explored. Explorers that find branches on the way to others (DPOR) do not ask.
    fn wants(&mut self, _: Branch) -> bool {
        true
    }

    /// The exploration starts over, because something was learned about all executions: what was seen does not count.
    /// Explorers do not call this; who runs them does.
    fn restart(&mut self);
}
