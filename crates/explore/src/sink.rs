//! Where explorers put what they find. They do not collect, count or judge.

use crate::branching::Turned;
use raddle_event::LocationId;
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

impl Branch {
    /// Grows along the path. Where nothing is left at a point, the points behind it have its number: then it is odd.
    pub fn rank(self) -> u32 {
        2 * self.point + if self.turn == Turn::Last { 1 } else { 2 }
    }

    /// The branches of this rank and greater ones are left when this one is taken.
    pub fn ends_from(self) -> u32 {
        2 * self.point + 2
    }
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

    /// A branch is taken, or the way that must be taken; `system` stands at the point. It concerns what is accessed
    /// there: by the event that was taken first, by the next event of the graph, or by the write that is read earlier
    /// than it was there.
    fn turns(&mut self, _system: &S, _branch: Branch, _at: Option<LocationId>) {}

    /// The branches on the present path up to a rank, for who goes on from there elsewhere.
    fn path(&self, _before: u32) -> Vec<Turned> {
        Vec::new()
    }

    /// So many points, the first ones, are given up because what was left there is explored elsewhere: those behind
    /// them get numbers that are less by so many.
    fn renumber(&mut self, _given_up: u32) {}

    /// The exploration goes on from a path on which these branches are.
    fn follow(&mut self, _path: &[Turned]) {}

    /// The exploration starts over, because something was learned about all executions: what was seen does not count.
    /// Explorers do not call this; who runs them does.
    fn restart(&mut self);
}
