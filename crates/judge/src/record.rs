//! What happened in an execution, event by event: what races and cycles are looked for in.

use crate::model::Model;
use crate::watch::{Act, StoreName, Watch};
use raddle_event::{Action, Fence, Free, LocationId, Order, Range, Reply, ThreadId};
use raddle_machine::{Machine, Moment};
use std::collections::BTreeMap;

/// An access to memory.
pub(crate) struct Access {
    pub range: Range,
    /// For each byte that is read the store that wrote it; empty where nothing is read.
    pub from: Vec<StoreName>,
    /// The order of the read.
    pub reads: Order,
    /// The order and the number of the store, where something is written.
    pub writes: Option<(Order, u32)>,
}

pub(crate) enum What {
    Access(Access),
    Fence(Fence),
    Spawn(ThreadId),
    Join(ThreadId),
    /// An object ends: by a call, or because its function returns.
    Free(Range, Free, Option<u32>),
    /// An object begins.
    Begin(Range),
}

pub(crate) struct Event {
    pub thread: ThreadId,
    pub moment: Moment,
    pub what: What,
    /// How much had reached memory before.
    pub n_reached: usize,
}

/// What changes memory.
#[derive(Clone, Copy)]
pub(crate) enum Reached {
    /// A store, or the end of an object.
    Store((ThreadId, u32), Range),
    /// The bytes belong to another object from now on.
    Begin(Range),
}

/// The events of an execution in the order in which they happened, and what changed memory in the order in which it
/// did.
#[derive(Default)]
pub struct Record {
    pub(crate) events: Vec<Event>,
    pub(crate) reached: Vec<Reached>,
    /// Whether later stores of the same thread belong to a release sequence, as C11 and RC11 have it.
    pub(crate) by_thread: bool,
}

impl Record {
    /// Nothing has happened; the model says what a release sequence is.
    pub fn under(model: Model) -> Record {
        Record { by_thread: model.has_sequences_by_thread(), ..Record::default() }
    }

    /// Which event each store is.
    pub(crate) fn stores(&self) -> BTreeMap<(ThreadId, u32), usize> {
        let number = |(n, event): (usize, &Event)| match event.what {
            What::Access(Access { writes: Some((_, store)), .. }) | What::Free(_, _, Some(store)) => Some(((event.thread, store), n)),
            _ => None,
        };
        self.events.iter().enumerate().filter_map(number).collect()
    }
}

/// What an action is that was answered well.
fn what(machine: &Machine, action: &Action, from: &[StoreName], store: Option<u32>) -> Option<What> {
    let range = |at: LocationId| machine.locations().range(at);
    let access = |at: LocationId, reads: Order, writes: Option<Order>| {
        What::Access(Access { range: range(at), from: from.to_vec(), reads, writes: writes.zip(store) })
    };
    Some(match *action {
        Action::Read { at, order, .. } | Action::Reserve { at, order } => match machine.word_of(at) {
            Some(thread) => What::Join(thread),
            None => access(at, order, None),
        },
        Action::Write { at, order, .. } | Action::WriteReserved { at, order, .. } => access(at, order, Some(order)),
        Action::Rmw { at, order, failure, .. } => access(at, if store.is_some() { order } else { failure }, Some(order)),
        Action::Fence(fence) => What::Fence(fence),
        Action::Spawn { child, .. } => What::Spawn(child),
        Action::Free { at, how, .. } => What::Free(range(at), how, store),
        Action::Allocate { at, .. } | Action::Reuse { at, .. } => What::Begin(range(at)),
        Action::Choose { .. } => return None,
    })
}

impl Watch for Record {
    fn act(&mut self, machine: &Machine, thread: ThreadId, act: &Act) {
        let range = |at: LocationId| machine.locations().range(at);
        let n_reached = self.reached.len();
        let what = match *act {
            Act::Did { reply: Reply::Fault(_), .. } | Act::Updated { fault: Some(_), .. } => None,
            Act::Did { action, from, store, .. } => {
                let at = action.location().map(range);
                self.reached.extend(at.zip(store).map(|(at, store)| Reached::Store((thread, store), at)));
                self.reached.extend(at.filter(|_| matches!(action, Action::Allocate { .. })).map(Reached::Begin));
                what(machine, action, from, store)
            }
            Act::Buffered { at, order, store, .. } => {
                Some(What::Access(Access { range: range(at), from: Vec::new(), reads: order, writes: Some((order, store)) }))
            }
            Act::Updated { at, store, .. } => {
                self.reached.push(Reached::Store((thread, store), range(at)));
                None
            }
        };
        self.events.extend(what.map(|what| Event { thread, moment: machine.moment(thread), what, n_reached }));
    }
}
