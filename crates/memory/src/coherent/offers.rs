//! The ways in which the next event of a thread can be added: what a read may read from, where a write may stand.
//!
//! Both must stand behind what happens before them ([`super::order`]). A write does not come between a
//! read-modify-write and its source; a read-modify-write that writes must find its source untaken, or it is offered as
//! a stray. Where the axioms of the model may forbid more, an event that is not last in coherence is put in and the
//! axioms are asked.

use super::{Axioms, Coherent, Source};
use crate::graphs::FENCES;
use crate::graphs::{GraphModel, VariableId};
use raddle_event::{Action, Guard, Locations, Offer, Position, ThreadId, Way};

impl<A: Axioms> Coherent<A> {
    /// Finds the ways that coherence allows; with `is_raised` those that the model allows by their ranks.
    pub(super) fn find_candidates(
        &mut self,
        thread: ThreadId,
        action: &Action,
        locations: &Locations,
        (offers, is_raised): (&mut Vec<Offer>, bool),
    ) {
        let only = Offer { way: Way::Only, taken: None };
        let (Action::Read { at, .. } | Action::Write { at, .. } | Action::Rmw { at, .. }) = *action else {
            match *action {
                Action::Fence(fence) if Self::is_update(fence) => {
                    let floor = self.floor(FENCES, self.known(thread));
                    self.offer_sources(thread, (FENCES, floor), None, |_, _| true, offers);
                }
                Action::Choose { n } => offers.extend((0..n).rev().map(|outcome| Offer { way: Way::Outcome(outcome), taken: None })),
                _ => offers.push(only),
            }
            return;
        };
        let Ok((variable, _)) = self.variable(thread, at, locations) else {
            offers.push(only);
            return;
        };
        let floor = if is_raised { self.lowest(thread, action, variable) } else { self.floor(variable, self.known(thread)) };
        match *action {
            Action::Write { .. } => self.offer_places(variable, floor, offers),
            Action::Rmw { ref rmw, .. } => {
                let size = locations.range(at).size;
                let writes = |graph: &Self, source: Source| rmw.apply(graph.value(variable, source).to_u128(), size).is_some();
                self.offer_sources(thread, (variable, floor), rmw.guard, writes, offers);
            }
            _ => self.offer_sources(thread, (variable, floor), action.guard(), |_, _| false, offers),
        }
    }

    /// The least rank that an access of a variable by a thread may have.
    fn lowest(&self, thread: ThreadId, action: &Action, variable: VariableId) -> u32 {
        let floor = self.floor(variable, self.known(thread));
        if floor == self.coherence(variable).n_writes() { floor } else { A::raise(self, thread, action, self.writes(variable), floor) }
    }

    /// Offers the places behind the writes from a rank on, the last one first.
    fn offer_places(&self, variable: VariableId, floor: u32, offers: &mut Vec<Offer>) {
        for rank in (floor..=self.coherence(variable).n_writes()).rev() {
            let before = self.of_rank(variable, rank);
            if self.taker(variable, before).is_none() {
                offers.push(Offer { way: Way::After(before.map(|write| self.skeleton.id(write))), taken: None });
            }
        }
    }

    /// Offers the sources from a rank on for which the guard holds, the last one first. `writes` tells whether the
    /// event writes when it reads from one.
    fn offer_sources(
        &mut self,
        thread: ThreadId,
        (variable, floor): (VariableId, u32),
        guard: Option<Guard>,
        writes: impl Fn(&Self, Source) -> bool,
        offers: &mut Vec<Offer>,
    ) {
        if guard.is_some() {
            self.await_variable(variable);
        }
        for rank in (floor..=self.coherence(variable).n_writes()).rev() {
            let source = self.of_rank(variable, rank);
            if guard.is_some_and(|guard| !guard.holds(self.value(variable, source).word())) {
                continue;
            }
            let taken = self.taker(variable, source).filter(|_| writes(self, source));
            // What comes before the event cannot make way for it.
            if taken.is_none_or(|taken| !self.skeleton.has_seen(thread, taken)) {
                let way = Way::From(source.map(|write| self.skeleton.id(write)));
                offers.push(Offer { way, taken: taken.map(|taken| self.skeleton.id(taken)) });
            }
        }
    }

    /// Leaves out what the model forbids by its rank.
    pub(super) fn leave_out_low(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        let (Action::Read { at, .. } | Action::Write { at, .. } | Action::Rmw { at, .. }) = *action else { return };
        let Ok((variable, _)) = self.variable(thread, at, locations) else { return };
        let lowest = self.lowest(thread, action, variable);
        offers.retain(|offer| {
            let (Way::From(place) | Way::After(place)) = offer.way else { return true };
            self.rank_of(place.map(|id| self.skeleton.position(id))) >= lowest
        });
    }

    /// Leaves out what the axioms of the model forbid. The last place in coherence is always allowed.
    pub(super) fn leave_out_forbidden(&mut self, thread: ThreadId, action: &Action, locations: &Locations, offers: &mut Vec<Offer>) {
        let variable = match *action {
            Action::Read { at, .. } | Action::Write { at, .. } | Action::Rmw { at, .. } => {
                self.variable(thread, at, locations).map(|found| found.0).ok()
            }
            Action::Fence(fence) if Self::is_update(fence) => Some(FENCES),
            _ => None,
        };
        let Some(variable) = variable else { return };
        let last = self.coherence(variable).last().map(|write| self.skeleton.id(write));
        offers.retain(|offer| {
            let (Way::From(place) | Way::After(place)) = offer.way else { return true };
            place == last || self.is_allowed(thread, action, offer.way, locations)
        });
    }

    /// Whether the graph stays allowed when an event is added.
    fn is_allowed(&mut self, thread: ThreadId, action: &Action, way: Way, locations: &Locations) -> bool {
        let (len, is_disputed, disputed_look) = (self.events.len(), self.is_disputed, self.disputed_look.get());
        self.is_tried = true;
        self.perform(thread, action, way, locations);
        self.is_tried = false;
        let is_allowed = A::allow(self);
        self.rewind(len);
        // What is only tried is in no order with others.
        self.is_disputed = is_disputed;
        self.disputed_look.set(disputed_look);
        is_allowed
    }

    /// Whether the next event of a thread may read from a write, guards aside.
    pub(super) fn can_read(&mut self, thread: ThreadId, action: &Action, write: Position, locations: &Locations) -> bool {
        let variable = self.access(write).expect("a source is a write").variable;
        let rank = self.rank_of(Some(write));
        if rank == self.coherence(variable).n_writes() {
            return true;
        }
        let way = Way::From(Some(self.skeleton.id(write)));
        rank >= self.lowest(thread, action, variable) && (!A::may_forbid(self) || self.is_allowed(thread, action, way, locations))
    }
}
