//! The state of every thread as a value, so that tests can compare two machines, and the plain twin of every judgement
//! that two states are the same.

use crate::history::Next;
use crate::machine::Machine;
use crate::output::Piece;
use crate::store::Store;
use crate::thread::{Counts, Kept};
use raddle_event::{Address, Reply, ThreadId};
use raddle_program::{FunctionId, Regs};
use std::rc::Rc;

/// Everything about the threads that belongs to the present execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    threads: Vec<(ThreadId, ThreadState)>,
}

/// Whether two states of a thread are the same by all that can be read of them, but for how often loops have gone
/// round, waits have ended for no reason and locks were found taken, or taken for that. Slow: debug builds confirm
/// by it what [`crate::spin`] and [`crate::states`] find.
pub(crate) fn agree(a: &Kept, b: &Kept) -> bool {
    let plain = |kept: &Kept| {
        let mut state = ThreadState::of(&Next::Endless, None, kept);
        state.counts.rounds.clear();
        (state.counts.wakes, state.counts.found_taken, state.counts.supposed) = (0, 0, 0);
        (state.frames, state.replies, state.counts, kept.store.contents())
    };
    plain(a) == plain(b)
}

#[derive(Clone, Debug, PartialEq)]
struct ThreadState {
    next: Next,
    output: Option<Rc<[Piece]>>,
    frames: Vec<FrameState>,
    store: Rc<Store>,
    replies: Vec<Reply>,
    counts: Counts,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq)]
struct FrameState {
    function: FunctionId,
    at: u32,
    results: Regs,
    depth: u32,
    more: Address,
    registers: Box<[u64]>,
}

impl Snapshot {
    /// The present state of a machine.
    pub fn of(machine: &Machine) -> Snapshot {
        let of = |thread| (thread, ThreadState::of(machine.next(thread), machine.output(thread), machine.kept(thread)));
        Snapshot { threads: machine.threads().map(of).collect() }
    }
}

impl ThreadState {
    fn of(next: &Next, output: Option<Rc<[Piece]>>, kept: &Kept) -> ThreadState {
        let mut frames = Vec::new();
        let mut above = kept.frames.as_ref();
        while let Some(kept) = above {
            let frame = &kept.frame;
            let registers = kept.registers.clone();
            frames.push(FrameState {
                function: frame.function,
                at: frame.at,
                results: frame.results,
                depth: frame.depth,
                more: frame.more,
                registers,
            });
            above = kept.below.as_ref();
        }
        let replies = kept.replies.to_vec();
        ThreadState { next: next.clone(), output, frames, store: kept.store.clone(), replies, counts: kept.counts.clone() }
    }
}
