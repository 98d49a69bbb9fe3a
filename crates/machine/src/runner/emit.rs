//! Events of a thread that is fetched out of order, and what stands between them.
//!
//! What C11 orders, fences and the library's locks become is said by the [`Mapping`] of the model: barriers before and
//! after. So the model only knows barriers and dependencies, and this file no barrier by name. What they are in the
//! language goes along for who looks for data races.
//!
//! [`Mapping`]: raddle_event::Mapping

use super::Runner;
use crate::awaits::{LookKind, Looked};
use crate::sharing::Site;
use crate::symbolic::{How, Instance, Milestone, What};
use raddle_event::{Annotation, Barrier, Between, DepsId, Fence, Fetched, LocationId, Order};

impl Runner<'_, '_> {
    /// Fetches an event that no order annotates.
    pub(super) fn emit(&mut self, what: What, at: Option<LocationId>, addr: DepsId, data: DepsId) -> u32 {
        self.emit_annotated(what, at, [addr, data], (Order::Plain, Annotation::default()))
    }

    /// Fetches an access of some order. What the order wants before it has been put there by [`Self::lead`].
    pub(super) fn emit_access(&mut self, what: What, at: LocationId, deps: [DepsId; 2], order: Order) -> u32 {
        let annotation = what.half().map_or(Annotation::default(), |half| (self.world.mapping.annotate)(order, half));
        self.emit_annotated(what, Some(at), deps, (order, annotation))
    }

    /// Fetches an event with what its address and its value depend on.
    pub(super) fn emit_annotated(
        &mut self,
        what: What,
        at: Option<LocationId>,
        [addr, data]: [DepsId; 2],
        (order, annotation): (Order, Annotation),
    ) -> u32 {
        let (place, callers) = self.place();
        if let Some(at) = at {
            self.note_user(&what, at, order);
        }
        let size = at.map_or(0, |at| self.world.locations.range(at).size);
        let symbolic = self.symbolic();
        let (number, n_nodes) = (symbolic.events.len() as u32, symbolic.nodes.len() as u32);
        let node = match what {
            What::Read { .. } => {
                let deps = symbolic.sets.one(number);
                let node = symbolic.nodes.add(deps, How::Answer);
                if size > 8 {
                    symbolic.nodes.add(deps, How::Answer);
                }
                Some(node)
            }
            What::Choose { .. } => Some(symbolic.nodes.add(DepsId::NONE, How::Answer)),
            What::Write { .. } | What::Free { .. } => None,
        };
        let (standing, previous) = (symbolic.standing, at.and_then(|at| symbolic.last_at(at)));
        let fetched = Fetched {
            role: what.role(),
            at,
            addr,
            data,
            ctrl: standing.ctrl,
            ctrl_isync: standing.isync,
            addr_po: standing.addr_po,
            choices: standing.choices,
            barriers: standing.barriers,
            previous,
            annotation,
            annotated: standing.annotated,
        };
        if annotation != Annotation::default() {
            symbolic.standing.note_annotation(annotation, number);
        }
        symbolic.events.push(Instance { fetched, what, orders: [order; 2], moves: false, node, n_nodes, place, callers });
        self.depend_on_address(addr);
        number
    }

    /// Remembers who writes where, who accesses plain memory, and where data races are looked for, who looks in a loop.
    fn note_user(&mut self, what: &What, at: LocationId, order: Order) {
        let by = (self.thread.id, self.thread.counts.spawned);
        let writes = matches!(what, What::Write { .. });
        if writes {
            self.world.note_writer(at, by.0, by.1);
        }
        match what {
            What::Read { .. } | What::Write { .. } if !order.is_atomic() => self.world.note_plain(at, by, writes),
            What::Read { exclusive, .. } if self.world.limits.races && !self.symbolic().rounds.is_empty() => {
                let (function, instr) = self.place().0;
                let kind = if *exclusive { LookKind::Update } else { LookKind::Atomic };
                self.world.note_look(Looked { at, thread: by.0, site: Site::Code(function, instr), kind });
            }
            _ => {}
        }
    }

    /// What follows comes after an access whose address depends on these events, private or not.
    pub(super) fn depend_on_address(&mut self, addr: DepsId) {
        let before = self.symbolic().standing.addr_po;
        let both = self.union(before, addr);
        self.symbolic().standing.addr_po = both;
    }

    /// What follows comes after a fence.
    pub(super) fn stand_after(&mut self, fence: Fence) {
        self.symbolic().stand(Milestone::Fence(fence));
        self.put_between((self.world.mapping.fence)(fence));
    }

    /// What follows comes after what stands here.
    pub(super) fn put_between(&mut self, between: Between) {
        let symbolic = self.symbolic();
        let n = symbolic.events.len() as u32;
        let standing = &mut symbolic.standing;
        match between {
            Between::Nothing => {}
            Between::Accesses(Barrier(kind)) => standing.barriers[kind as usize] = n,
            Between::Branches => standing.isync = standing.ctrl,
            Between::Fetches => standing.isync = symbolic.sets.union(standing.ctrl, standing.addr_po),
        }
    }

    /// What an order wants before an access.
    pub(super) fn lead(&mut self, order: Order) {
        self.put_between((self.world.mapping.lead)(order));
    }

    /// What an order wants after a read.
    pub(super) fn trail(&mut self, order: Order, event: u32) {
        if (self.world.mapping.trail)(order) {
            let deps = self.symbolic().sets.one(event);
            self.depend_on_branch(deps);
            self.put_between(Between::Branches);
        }
    }
}
