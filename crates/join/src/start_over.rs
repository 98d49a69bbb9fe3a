//! Explorations that start over: what is private is a judgement ([`Sites`]), and when an execution contradicts it, it
//! is made anew for all of them.

use crate::{Core, Seen};
use raddle_explore::Sink;
use raddle_machine::{Sites, Tables, World};
use raddle_memory::graphs::Waiting;

/// A program that runs under a model.
pub trait Running {
    /// What has become of the present execution.
    fn core(&self) -> &Core;

    /// The machine that runs it, in order or not.
    fn world(&self) -> &World<'_>;

    /// What was learned of all executions.
    fn sites(&self) -> &Sites {
        self.world().sites()
    }

    /// Whether something that was taken for granted has turned out to be otherwise.
    fn is_contradicted(&self) -> bool {
        self.world().is_contradicted()
    }
}

/// A program that is explored in parts by several of its kind.
pub trait Shared: Running {
    /// The numbers given so far.
    fn tables(&self) -> Tables {
        self.world().tables()
    }

    /// What was seen of all executions.
    fn seen(&self) -> Seen {
        Seen { world: self.world().seen(), waiting: Waiting::default() }
    }

    /// What others have seen that began with the same numbers, which were these; tells whether all agree.
    fn agrees_with(&mut self, base: &Seen, others: &[Seen]) -> bool;

    /// Whether graphs that the model allows may not have been reached.
    fn misses_graphs(&self) -> bool {
        false
    }
}

/// Starts a program and explores it until nothing contradicts what was taken for granted; gives the program as the last
/// exploration left it. `start` gets what is known. `explore` tells whether it wants to explore once more for a reason
/// of its own.
pub fn start_over<R: Running, T: Sink<R> + ?Sized>(
    sink: &mut T,
    mut start: impl FnMut(Sites) -> R,
    mut explore: impl FnMut(&mut R, &mut T) -> bool,
) -> R {
    let mut sites = Sites::default();
    loop {
        let mut running = start(sites);
        let once_more = explore(&mut running, sink);
        if !running.is_contradicted() && !once_more {
            return running;
        }
        sites = running.sites().clone();
        sink.restart();
    }
}
