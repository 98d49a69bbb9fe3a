//! SC, TSO and PSO by their axioms: graphs of program order, reads-from and coherence whose accesses have a *memory
//! order*.
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
//! instruction, no full fence and no seq_cst write, and neither of which is one. Under PSO two writes to different
//! variables are left out too, where between them there is no barrier between stores ([`effect`]). docs/models/tso.md
//! and pso.md say why `coherent` demands no more than these axioms.
//!
//! **Clocks.** The newest event e comes before nothing in ppo and rfe, so what comes after it does so by co or fr:
//! first of all the write n that is next in coherence. A cycle goes from n back to e. So it is enough to know which
//! *writes* come before an event in memory order. With a write come all that its thread has written before, under PSO
//! all that it has written to the same variable: one number for each *column*, a thread or a variable of a thread, says
//! it all. What an event hands on to later ones of its thread is another matter for reads and for writes, so it has
//! several such rows ([`kept`]). A place in coherence is forbidden exactly when the write behind it comes before the
//! new access, and then all earlier places are too: the axiom raises the floor that coherence says.
//!
//! An event that is not last in coherence puts what comes before it in front of all that comes after n. These rows are
//! changed, and put back when the event is taken back.

mod effect;
mod kept;
mod over;

use crate::coherent::{Axioms, Coherent};
use crate::graphs::{GraphModel, VariableId};
pub use effect::{Buffers, ByVariable, Nowhere, Queues};
use effect::{Effect, effect};
use kept::{Kept, Mark, Neighbours, New};
use raddle_event::{Action, Order, Position, ThreadId};
use rustc_hash::FxHashMap;
use std::marker::PhantomData;

/// The axiom of memory order, by where stores wait.
pub struct MemoryOrder<B> {
    kept: Kept,
    /// The columns of those that have written a variable in some graph; only where stores wait by variable.
    columns: FxHashMap<(ThreadId, VariableId), u32>,
    buffers: PhantomData<B>,
}

impl<B> Default for MemoryOrder<B> {
    fn default() -> MemoryOrder<B> {
        MemoryOrder { kept: Kept::default(), columns: FxHashMap::default(), buffers: PhantomData }
    }
}

/// A graph under SC.
pub type Sc = Coherent<MemoryOrder<Nowhere>>;

/// A graph under TSO.
pub type Tso = Coherent<MemoryOrder<Queues>>;

/// A graph under PSO.
pub type Pso = Coherent<MemoryOrder<ByVariable>>;

type OrderedGraph<B> = Coherent<MemoryOrder<B>>;

impl<B: Buffers> Axioms for MemoryOrder<B> {
    const NAME: &'static str = B::NAME;
    const ORDERS_WRITES: bool = !B::ARE_THERE;
    const RAISES: bool = true;
    const CUTS_PLAIN: bool = false;
    const BUFFERED: bool = B::ARE_THERE;
    const DELAYS_WRITES: bool = B::BY_VARIABLE;
    const NOT_SUPPORTED: &'static str = "by graphs: choose --algorithm optimal";

    /// What is read was in memory before. So was what its writer did before, where writes do not overtake each other:
    /// then happens-before is po ∪ rf.
    fn order(order: Order) -> Order {
        if B::BY_VARIABLE && !order.is_release() { Order::Acquire } else { Order::AcqRel }
    }

    fn may_forbid(_: &OrderedGraph<B>) -> bool {
        false
    }

    fn allow(_: &OrderedGraph<B>) -> bool {
        true
    }

    fn raise(graph: &OrderedGraph<B>, thread: ThreadId, action: &Action, writes: &[Position], floor: u32) -> u32 {
        let Some(last) = graph.last(thread) else { return floor };
        let kept = &graph.axioms.kept;
        let before = kept.before(effect::<B>(action), last);
        floor + writes[floor as usize..].iter().take_while(|write| kept.is_in(**write, before)).count() as u32
    }

    fn widen(&mut self, n_threads: usize) {
        if !B::BY_VARIABLE {
            self.kept.widen(n_threads);
        }
    }

    fn added(graph: &mut OrderedGraph<B>, action: &Action) {
        let new = look_at(graph, action);
        graph.axioms.kept.add(&new);
    }

    fn joined(graph: &mut OrderedGraph<B>, ended: Option<Position>) {
        let id = graph.id(graph.newest());
        let after = ended.map(|last| graph.axioms.kept.all(last)).into_iter().collect();
        graph.axioms.kept.add(&New { effect: Effect::Read, before: graph.previous(id), after, mark: None, next: None });
    }

    fn are_over(graph: &OrderedGraph<B>, accesses: &[Position]) -> bool {
        if B::BY_VARIABLE { over::are_over(graph, accesses) } else { graph.happen_before_newest(accesses) }
    }

    fn rewind(&mut self, len: usize) {
        self.kept.rewind(len);
    }
}

/// What comes right before the newest event in memory order, and right after it.
fn look_at<B: Buffers>(graph: &mut OrderedGraph<B>, action: &Action) -> New {
    let newest = graph.newest();
    let id = graph.id(newest);
    let new = New { effect: effect::<B>(action), before: graph.previous(id), after: Neighbours::new(), mark: None, next: None };
    let Some(access) = graph.access(newest).filter(|access| !access.stray) else {
        return New { after: graph.freed_writes().map(|write| graph.axioms.kept.past(write)).collect(), ..new };
    };
    let (variable, rank, writes) = (access.variable, graph.rank(newest), access.written.is_some());
    let source = access.source.flatten().filter(|&source| graph.id(source).thread != id.thread);
    let kept = &graph.axioms.kept;
    let after = match writes {
        true => overwritten(graph, newest, variable, rank).map(|event| kept.past(event)).collect(),
        false => source.map(|source| kept.past(source)).into_iter().collect(),
    };
    let next = graph.writes(variable).get(rank as usize).copied();
    let mark = writes.then(|| Mark { column: graph.axioms.column(id.thread, variable), count: id.index + 1 });
    New { after, mark, next, ..new }
}

impl<B: Buffers> MemoryOrder<B> {
    /// The column of what a thread writes to a variable.
    fn column(&mut self, thread: ThreadId, variable: VariableId) -> u32 {
        if !B::BY_VARIABLE {
            return thread.0;
        }
        let next = self.columns.len() as u32;
        let column = *self.columns.entry((thread, variable)).or_insert(next);
        if column == next {
            self.kept.widen(next as usize + 1);
        }
        column
    }
}

/// The write that comes right before a new one in coherence, and the last read of it by each other thread. What comes
/// earlier in coherence comes before that write.
fn overwritten<B: Buffers>(graph: &OrderedGraph<B>, newest: Position, variable: VariableId, rank: u32) -> impl Iterator<Item = Position> {
    let writer = graph.id(newest).thread;
    let before = graph.of_rank(variable, rank - 1);
    let reads = graph.accesses(variable).iter().filter_map(move |(thread, own)| {
        let last = own.iter().rev().copied().find(|&access| graph.rank(access) < rank);
        last.filter(|access| *thread != writer && before != Some(*access) && graph.rank(*access) + 1 == rank)
    });
    before.into_iter().chain(reads)
}
