//! What an event does, in parts that a script can take apart: what is accessed, with which order, what is read and
//! written, and by whom what is read was written.

use crate::tell::{Row, Told};
use crate::words::Words;
use raddle_event::{Action, Fence, LocationId, Order, Range, Reply, Rmw, ThreadId, Value};
use raddle_judge::Act;
use raddle_program::Place;

/// The parts of an event. What it has not is `None`, or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deed {
    /// One of [`Deed::ACTIONS`].
    pub action: &'static str,
    /// The function of the library that the thread is in.
    pub call: Option<String>,
    /// What is accessed.
    pub variable: Option<String>,
    /// The memory order.
    pub order: Option<&'static str>,
    /// The value that is read.
    pub read: Option<String>,
    /// The value that is written.
    pub written: Option<String>,
    /// Who wrote what is read: a thread and the number of the event; nobody for the initial value.
    pub(crate) from: Vec<Option<(ThreadId, u32)>>,
    /// The number of the event that put the store into its buffer, where a store leaves it.
    pub(crate) store: Option<u32>,
    /// The bytes that are accessed.
    pub(crate) range: Option<Range>,
    /// The number of the store that it makes, among those of its thread.
    pub(crate) makes: Option<u32>,
    /// Which fence it is.
    pub(crate) fence: Option<Fence>,
    /// The thread that is started, or whose end is waited for.
    pub(crate) with: Option<ThreadId>,
    /// Where the object was made that an access goes wrong with.
    pub(crate) made_at: Option<Place>,
}

/// Who wrote what an event reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody: it is the initial value.
    Initial,
    /// The row with this index.
    Row(usize),
    /// An event of this thread that is not shown.
    Hidden(ThreadId),
}

impl Deed {
    /// Every word for what an event does.
    pub const ACTIONS: [&'static str; 10] =
        ["load", "store", "update", "read-modify-write", "fence", "allocate", "free", "spawn", "choose", "fault"];

    /// An access to a variable.
    pub(crate) fn access(action: &'static str, variable: String, order: Order) -> Deed {
        let order = if order == Order::Copy { Order::Plain } else { order };
        Deed { action, variable: Some(variable), order: Some(order.word()), ..Deed::default() }
    }

    /// The same, which stands only for what the words of its row say.
    pub(crate) fn only(action: &'static str) -> Deed {
        Deed { action, ..Deed::default() }
    }
}

impl Told {
    /// Who wrote what a row reads.
    pub fn origins(&self, row: &Row) -> Vec<Origin> {
        let origin = |from: &Option<(ThreadId, u32)>| match from {
            None => Origin::Initial,
            Some((thread, number)) => self.at(*number).map_or(Origin::Hidden(*thread), Origin::Row),
        };
        row.deed.from.iter().map(origin).collect()
    }

    /// The row that put the store into its buffer that leaves it in a row.
    pub fn buffered_by(&self, row: &Row) -> Option<usize> {
        row.deed.store.and_then(|number| self.at(number))
    }

    fn at(&self, number: u32) -> Option<usize> {
        self.rows.binary_search_by_key(&number, |row| row.number).ok()
    }
}

impl Words<'_, '_> {
    /// The parts of what happens, without who wrote what is read.
    pub fn deed(&mut self, act: &Act) -> Deed {
        let mut deed = match act {
            Act::Did { action, reply, .. } => self.deed_of(action, reply),
            Act::Buffered { at, value, order, .. } => self.writing("store", *at, value, *order),
            Act::Updated { at, value, .. } => Deed { order: None, ..self.writing("update", *at, value, Order::Plain) },
        };
        deed.call = self.call().map(str::to_string);
        match *act {
            Act::Did { action, reply, store, .. } => {
                deed.range = action.location().map(|at| self.range(at));
                deed.makes = store;
                deed.with = match action {
                    Action::Spawn { child, .. } if !matches!(reply, Reply::Fault(_)) => Some(*child),
                    _ => action.location().and_then(|at| self.machine.word_of(at)),
                };
                deed.fence = if let Action::Fence(fence) = action { Some(*fence) } else { None };
                let is_wrong = matches!(reply, Reply::Fault(_));
                deed.made_at = deed.range.filter(|_| is_wrong).and_then(|range| self.names.made_at(self.machine, range.start));
            }
            Act::Buffered { at, store, .. } => (deed.range, deed.makes) = (Some(self.range(at)), Some(store)),
            Act::Updated { at, .. } => deed.range = Some(self.range(at)),
        }
        deed
    }

    fn writing(&mut self, action: &'static str, at: LocationId, value: &Value, order: Order) -> Deed {
        Deed { written: Some(self.shown(at, value)), ..Deed::access(action, self.name(at), order) }
    }

    fn deed_of(&mut self, action: &Action, reply: &Reply) -> Deed {
        let hidden = self.synchronises(action);
        match (action, reply) {
            (Action::Read { at, order, .. } | Action::Reserve { at, order }, reply) => {
                let read = if let (Reply::Value(value), false) = (reply, hidden) { Some(self.shown(*at, value)) } else { None };
                Deed { read, ..Deed::access("load", self.name(*at), *order) }
            }
            (Action::Write { at, value, order, .. } | Action::WriteReserved { at, value, order, .. }, _) => {
                self.writing("store", *at, value, *order)
            }
            (Action::Rmw { at, rmw, order, .. }, reply) => {
                let access = Deed::access("read-modify-write", self.name(*at), *order);
                match reply {
                    Reply::Value(old) if !hidden => {
                        let (read, written) = (Some(self.shown(*at, old)), self.modified(*at, rmw, old));
                        Deed { read, written, ..access }
                    }
                    _ => access,
                }
            }
            (Action::Fence(_), _) => Deed::only("fence"),
            (Action::Allocate { .. }, _) => Deed::only("allocate"),
            (Action::Free { at, .. }, _) => Deed { variable: Some(self.object(*at)), ..Deed::only("free") },
            (Action::Reuse { at, .. }, _) => Deed { variable: Some(self.object(*at)), ..Deed::only("allocate") },
            (Action::Spawn { .. }, _) => Deed::only("spawn"),
            (Action::Choose { .. }, _) => Deed::only("choose"),
        }
    }

    /// What a read-modify-write leaves behind, where it writes.
    fn modified(&mut self, at: LocationId, rmw: &Rmw, old: &Value) -> Option<String> {
        let size = self.range(at).size;
        let new = rmw.apply(old.to_u128(), size)?;
        Some(self.shown(at, &Value::from_bytes(&new.to_le_bytes()[..size.min(16) as usize])))
    }
}
