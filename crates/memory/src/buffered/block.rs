//! Blocks that are one step: several accesses of a thread with nothing of any other thread in between.
//!
//! What a block depends on must be known before it runs, and must not change with what it finds. So it counts as an
//! access to every location that it was seen to access in any execution ([`Touched`]), whether it accesses it this time
//! or not. One that accesses more is never finished: the exploration starts over with what was seen. In the system
//! whose blocks stop there the dependence is a valid one, so that the explorers find such a block where there is one.
//!
//! A block waits for the stores of its thread, as a read-modify-write does, and acts on memory.

use super::accesses::Load;
use super::memory::Memory;
use super::steps::Taking;
use super::undo::Undo;
use raddle_event::{Action, Fault, FaultKind, Free, LocationId, Locations, Order, Position, Reply, Taken, ThreadId, Touched, Value};

impl Memory {
    /// A thread begins a block, which becomes the event at `event`.
    pub fn begin_block(&mut self, thread: ThreadId, block: &Touched, event: Position, locations: &Locations, taken: &mut Taken) {
        taken.order.extend_from_slice(&self.state(thread).pending);
        let last = self.happens(thread, event);
        let mut taking = Taking { thread, event, locations, taken };
        self.order_updates(&mut taking);
        for &at in &block.reads {
            self.read_conflicts(thread, at, None, locations, taking.taken);
        }
        for &at in &block.writes {
            self.write_conflicts(thread, at, locations, taking.taken);
        }
        for &at in &block.reads {
            self.note_load(at, Load { by: thread, event, part: None });
        }
        for &at in &block.writes {
            let old = self.heap.word(at);
            self.note_write(thread, at, old, event);
        }
        self.journal.push(Undo::Last { thread, old: last });
    }

    /// An access in the middle of a block.
    pub fn access_in_block(&mut self, action: &Action, locations: &Locations) -> Reply {
        let done = match action {
            Action::Read { at, order, .. } => self.read_in_block(*at, *order),
            Action::Write { at, value, .. } => self.heap.check(*at).map(|()| {
                self.put_in_block(*at, value);
                Reply::Done
            }),
            Action::Rmw { at, rmw, .. } => self.heap.check(*at).map(|()| {
                let (old, size) = (self.heap.read(*at), locations.range(*at).size);
                if let Some(new) = rmw.apply(old.to_u128(), size) {
                    self.put_in_block(*at, &Value::from_u128(new, size));
                }
                Reply::Value(old)
            }),
            Action::Free { at, start, how } => {
                let range = locations.range(*at);
                self.heap.free(*at, *start, range, *how == Free::Heap, &mut self.journal).map(|()| Reply::Done)
            }
            _ => unreachable!("{action:?} is no access"),
        };
        done.unwrap_or_else(Reply::Fault)
    }

    fn read_in_block(&self, at: LocationId, order: Order) -> Result<Reply, Fault> {
        self.heap.check(at)?;
        if order != Order::Copy && !self.heap.is_written(at) {
            return Err(Fault::new(FaultKind::UninitialisedRead, "bytes are read that were never written"));
        }
        Ok(Reply::Value(self.heap.read(at)))
    }

    fn put_in_block(&mut self, at: LocationId, value: &Value) {
        match value {
            Value::Word(new) => {
                let old = self.heap.write_word(at, *new, &mut self.journal);
                self.journal.push(Undo::InBlock { at, old });
            }
            Value::Bytes(new) => drop(self.heap.write_bytes(at, new, &mut self.journal)),
        }
    }
}
