//! SC and TSO by their axioms: graphs of program order, reads-from and coherence whose accesses have a *memory order*.
//!
//! The axioms are those of the SPARC manual in the form of Alglave, Maranget, Tautschnig ("Herding cats", TOPLAS 2014),
//! where fr leads from a read to the writes that come later than its source:
//!
//! ```text
//! acyclic (po-loc ∪ rf ∪ co ∪ fr)             coherence     kept by crate::coherent
//! empty rmw ∩ (fr ; co)                       atomicity     the same
//! acyclic (ppo ∪ rfe ∪ co ∪ fr)               memory order  kept here
//! ```
//!
//! Under SC ppo is po. Under TSO it is po but for a write and a later read between which there is no locked
//! instruction, no full fence and no seq_cst write, and neither of which is one. docs/models/tso.md says why
//! `coherent` demands no more than these axioms.
//!
//! **Clocks.** The newest event e comes before nothing in ppo and rfe, so what comes after it does so by co or fr:
//! first of all the write n that is next in coherence. A cycle goes from n back to e. So it is enough to know which
//! *writes* come before an event in memory order. With a write all writes come that its thread has done before: one
//! number for each thread says it all. An event has two rows of them: what a later write of its thread comes after
//! ([`Kept::all`]) and what a later read does ([`Kept::reads`]), which under TSO may overtake writes that wait. A place
//! in coherence is forbidden exactly when the write behind it comes before the new access, and then all earlier places
//! are too: the axiom raises the floor that coherence says.
//!
//! An event that is not last in coherence puts what comes before it in front of all that comes after n. These rows are
//! changed, and put back when the event is taken back.

mod kept;

use crate::coherent::{Axioms, Coherent};
use crate::graphs::{GraphModel, VariableId};
use kept::{Kept, Neighbours, New};
use raddle_event::{Action, Order, Position, ThreadId};
use smallvec::SmallVec;

/// The axiom of memory order: of TSO where stores wait in buffers, of SC where they do not.
#[derive(Default)]
pub struct MemoryOrder<const BUFFERS: bool>(Kept);

/// A graph under SC.
pub type Sc = Coherent<MemoryOrder<false>>;

/// A graph under TSO.
pub type Tso = Coherent<MemoryOrder<true>>;

type OrderedGraph<const BUFFERS: bool> = Coherent<MemoryOrder<BUFFERS>>;

impl<const BUFFERS: bool> Axioms for MemoryOrder<BUFFERS> {
    const NAME: &'static str = if BUFFERS { "TSO" } else { "SC" };
    const ORDERS_WRITES: bool = !BUFFERS;
    const AWAITS: bool = false;
    const CUTS_PLAIN: bool = false;
    const BUFFERED: bool = BUFFERS;
    const NOT_SUPPORTED: &'static str = "by graphs: choose --algorithm optimal";

    /// What is read was in memory before, and so was what its writer did before: happens-before is po ∪ rf.
    fn order(_: Order) -> Order {
        Order::AcqRel
    }

    fn may_forbid(_: &OrderedGraph<BUFFERS>) -> bool {
        false
    }

    fn allow(_: &OrderedGraph<BUFFERS>) -> bool {
        true
    }

    fn raise(graph: &OrderedGraph<BUFFERS>, thread: ThreadId, action: &Action, writes: &[Position], floor: u32) -> u32 {
        let Some(last) = graph.last(thread) else { return floor };
        let may_overtake = BUFFERS && matches!(action, Action::Read { .. });
        let before = graph.axioms.0.row(last, may_overtake);
        let comes_before = |write: &&Position| {
            let id = graph.id(**write);
            before[id.thread.index()] > id.index
        };
        floor + writes[floor as usize..].iter().take_while(comes_before).count() as u32
    }

    fn widen(&mut self, n_threads: usize) {
        self.0.widen(n_threads);
    }

    fn added(graph: &mut OrderedGraph<BUFFERS>, action: &Action) {
        let new = look_at(graph, action);
        graph.axioms.0.add::<BUFFERS>(&new);
    }

    fn joined(graph: &mut OrderedGraph<BUFFERS>, ended: Option<Position>) {
        let id = graph.id(graph.newest());
        let after = ended.map(|last| (last, false)).into_iter().collect();
        graph.axioms.0.add::<BUFFERS>(&New { after, ..New::silent(id, graph.previous(id)) });
    }

    fn rewind(&mut self, len: usize) {
        self.0.rewind::<BUFFERS>(len);
    }
}

/// What comes right before the newest event in memory order, and right after it.
fn look_at<const BUFFERS: bool>(graph: &OrderedGraph<BUFFERS>, action: &Action) -> New {
    let newest = graph.newest();
    let id = graph.id(newest);
    let waits = BUFFERS && waits_before(action);
    let new = New { waits, drains: BUFFERS && drains(action), ..New::silent(id, graph.previous(id)) };
    let Some(access) = graph.access(newest).filter(|access| !access.stray) else { return new };
    let rank = graph.rank(newest);
    let writes = access.written.is_some();
    let mut after = SmallVec::new();
    if writes {
        find_overwritten(graph, newest, access.variable, rank, &mut after);
    } else if let Some(source) = access.source.flatten().filter(|&source| !BUFFERS || graph.id(source).thread != id.thread) {
        after.push((source, false));
    }
    let next = graph.writes(access.variable).get(rank as usize).map(|&write| (write, graph.id(write)));
    New { reads: !writes, writes, after, next, ..new }
}

/// Finds the write that comes right before a new one in coherence, and the last read of it by each other thread. What
/// comes earlier in coherence comes before that write.
fn find_overwritten<const BUFFERS: bool>(
    graph: &OrderedGraph<BUFFERS>,
    newest: Position,
    variable: VariableId,
    rank: u32,
    found: &mut Neighbours,
) {
    let writer = graph.id(newest).thread;
    let before = graph.of_rank(variable, rank - 1);
    if let Some(write) = before {
        found.push((write, false));
    }
    for (thread, own) in graph.accesses(variable) {
        let last = own.iter().rev().copied().find(|&access| graph.rank(access) < rank);
        let reads = |access: &Position| *thread != writer && before != Some(*access) && graph.rank(*access) + 1 == rank;
        if let Some(read) = last.filter(reads) {
            found.push((read, true));
        }
    }
}

/// Whether what a thread does waits for all its earlier writes.
fn waits_before(action: &Action) -> bool {
    matches!(action, Action::Rmw { .. } | Action::Spawn { .. }) || is_full_fence(action)
}

/// Whether what a thread does later waits for this and for all its earlier writes.
fn drains(action: &Action) -> bool {
    waits_before(action) || matches!(action, Action::Write { order: Order::SeqCst, .. })
}

fn is_full_fence(action: &Action) -> bool {
    matches!(action, Action::Fence(fence) if fence.is_full())
}
