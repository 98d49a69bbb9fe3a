//! What the library asks for while a thread is fetched out of order.
//!
//! The library branches on what it reads, so the fetching waits for its reads, and what follows depends on them by
//! control. A lock or a wait has the strength of an acquire, an unlock or a post that of a release (the orders that the
//! library asks with). Spawns and joins are full barriers.

use super::Runner;
use super::fetch::{Fetch, Halt, Reply as Awaited};
use crate::symbolic::{Content, Instance, Milestone, What};
use raddle_event::{Action, Arrival, DepsId, Fence, Guard, Order, Reply, Value};
use raddle_program::FunctionId;

impl Runner<'_, '_> {
    /// Does what is asked for, or says what must happen first.
    pub(super) fn act(&mut self, action: Action) -> Fetch<Reply> {
        let addr = self.symbolic().call;
        match action {
            Action::Read { at, guard: Some(Guard::Ended), .. } => {
                let range = self.world.locations.range(at);
                let joined = self.world.map.word_of(range.start).expect("only threads end");
                Err(Halt::Join { joined, wanted: range.size == 8 })
            }
            Action::Read { at, order, guard } => {
                self.lead(order);
                let event = self.emit_access(What::Read { guard, exclusive: false }, at, [addr, DepsId::NONE], order);
                self.symbolic().events[event as usize].moves = order == Order::Copy;
                Err(Halt::Reply(Awaited { event, rmw: None, order, failure: order }))
            }
            Action::Rmw { at, rmw, order, failure } => {
                self.lead(order);
                let event = self.emit_access(What::Read { guard: rmw.guard, exclusive: true }, at, [addr, DepsId::NONE], order);
                self.symbolic().events[event as usize].orders = [order, failure];
                Err(Halt::Reply(Awaited { event, rmw: Some(rmw), order, failure }))
            }
            Action::Write { at, value, order } => {
                self.lead(order);
                self.emit_access(What::Write { content: Content::Value(value), exclusive: None }, at, [addr, DepsId::NONE], order);
                Ok(Reply::Done)
            }
            Action::Fence(fence) => {
                self.stand_after(fence);
                Ok(Reply::Done)
            }
            Action::Allocate { at, size, zeroed } => {
                let image = self.image.take();
                self.symbolic().arrivals.push(Arrival { at, size, zeroed, image });
                Ok(Reply::Done)
            }
            Action::Free { at, start, how } => {
                self.emit(What::Free { start, how }, Some(at), addr, DepsId::NONE);
                Ok(Reply::Done)
            }
            Action::Spawn { child, function, argument } => Err(Halt::Spawn { child, function: FunctionId(function), argument }),
            Action::Choose { .. } if self.must_sleep() => Ok(Reply::Chosen(0)),
            Action::Choose { n } => {
                let event = self.emit(What::Choose { n }, None, DepsId::NONE, DepsId::NONE);
                Err(Halt::Reply(Awaited { event, rmw: None, order: Order::Plain, failure: Order::Plain }))
            }
            Action::Reserve { .. } | Action::WriteReserved { .. } => unreachable!("the library does not reserve"),
            Action::Reuse { .. } => unreachable!("memory is not used again where executions are committed"),
        }
    }

    /// Passes a spawn or a join, which is a full barrier.
    pub fn pass(&mut self, reply: Reply, what: Milestone) {
        self.symbolic().stand(what);
        self.put_between((self.world.mapping.fence)(Fence::SeqCst));
        self.thread.replies.push(reply);
    }

    /// Goes on with a library function, or an instruction, whose event was answered.
    pub fn resume(&mut self, awaited: &Awaited) {
        let event = awaited.event;
        let symbolic = self.symbolic();
        let Instance { fetched, node, .. } = &symbolic.events[event as usize];
        let (is_read, at, addr) = (fetched.is_read(), fetched.at, fetched.addr);
        let node = node.expect("what is awaited has a node");
        let low = symbolic.nodes.value(node).expect("the event was answered");
        if !is_read {
            let (before, choice) = (symbolic.standing.choices, symbolic.sets.one(event));
            symbolic.standing.choices = symbolic.sets.union(before, choice);
            self.thread.replies.push(Reply::Chosen(low as u32));
            return;
        }
        let size = self.world.locations.range(at.expect("a read has a location")).size;
        let high = if size > 8 { self.symbolic().nodes.value(crate::symbolic::NodeId(node.0 + 1)) } else { None };
        let old = low as u128 | (high.unwrap_or(0) as u128) << 64;
        let read = self.symbolic().sets.one(event);
        let new = awaited.rmw.map(|rmw| rmw.apply(old, size));
        if let Some(Some(new)) = new {
            let content = Content::Value(Value::from_u128(new, size));
            let at = at.expect("a read has a location");
            self.emit_access(What::Write { content, exclusive: Some(event) }, at, [addr, read], awaited.order);
        }
        let call = self.symbolic().call;
        self.symbolic().call = self.union(call, read);
        self.depend_on_branch(read);
        self.trail(if new == Some(None) { awaited.failure } else { awaited.order }, event);
        self.thread.replies.push(Reply::Value(Value::from_u128(old, size)));
    }
}
