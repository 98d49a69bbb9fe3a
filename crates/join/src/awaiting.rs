//! Loops that wait, where events are committed out of order: whether a value would lead a thread round its loop, and
//! what those find who wait for ever (docs/awaits.md).

use crate::commits::Committing;
use raddle_event::{EventId, LocationId, Value, Way};
use raddle_machine::Trip;
use raddle_memory::commits::CommitModel;

impl<M: CommitModel> Committing<'_, M> {
    /// How a thread goes round its loop where a load, for which the loop may be waiting, gets a value; none where it
    /// goes on.
    pub(crate) fn goes_round(&mut self, load: EventId, value: &Value) -> Option<Trip> {
        if let Some(known) = self.machine.known_to_go_round(load, value) {
            return known;
        }
        self.learn();
        let own_stores = self.uncommitted().filter(|id| id.thread == load.thread && !self.fetched(*id).is_read());
        let open: Vec<Option<LocationId>> = own_stores.map(|id| self.fetched(id).at).collect();
        let n_known = self.machine.locations().len();
        let Committing { machine, model, objects, .. } = self;
        // What only the thread itself writes is what is there, where none of its stores is still to come.
        let own = |at: LocationId| {
            let is_settled = at.index() < n_known && !open.iter().any(|&store| store.is_none_or(|store| store == at));
            let is_there = || !objects.is_freed(at) && objects.check(at).is_ok();
            if !is_settled || !is_there() {
                return None;
            }
            match model.graph().last(at) {
                Some(last) => model.graph().event(last).value.clone(),
                None => objects.is_initialised(at).then(|| objects.initial(at)),
            }
        };
        let first = |at: LocationId| (at.index() < n_known && objects.is_initialised(at)).then(|| objects.initial(at));
        let trip = machine.goes_round(load, value, own, first);
        // Its thread may have come to what nobody has accessed before.
        self.learn();
        trip
    }

    /// Whether a load that waits has refused a source that stands behind a wanted one in coherence.
    pub(crate) fn refuses_later(&self, at: LocationId, wanted: impl Iterator<Item = Option<EventId>>, refused: &[Option<EventId>]) -> bool {
        let graph = self.model.graph();
        let place = |source: Option<EventId>| match source {
            // What is not committed comes last.
            Some(store) => graph.number(store).map_or(usize::MAX, |number| graph.place(at, Some(number))),
            None => graph.place(at, None),
        };
        let first = wanted.map(place).min();
        first.is_some_and(|first| refused.iter().any(|&source| place(source) > first))
    }

    /// A load for which a loop waits has refused a store behind one that it could read: its thread may as well find
    /// that one for ever. Once the exploration has started over, it may be parked.
    #[cold]
    pub(crate) fn leave_behind(&mut self, load: EventId, refused: &Value) {
        let is_alone = self.goes_round(load, refused).is_none_or(|trip| trip.round.len() == 1);
        self.machine.leave_behind(load, is_alone);
        if self.machine.is_contradicted() {
            self.core.contradict();
        }
    }

    /// Whether the last value leads each thread that is parked round its loop.
    pub(crate) fn all_parked_stay(&mut self) -> bool {
        self.parked.clone().into_iter().all(|load| {
            let at = self.fetched(load).at.expect("a load has a location");
            let is_there = !self.objects.is_freed(at) && self.objects.check(at).is_ok();
            let last = self.value(at, self.last(at));
            is_there && self.goes_round(load, &last).is_some()
        })
    }

    /// Notes for which of these reads, and of those that are parked, loops wait, and that each finds what is last in
    /// coherence. A read-modify-write puts the same back. What the round has looked at before may be there no longer.
    pub(crate) fn look_at_awaiting(&mut self, guarded: Vec<EventId>) {
        self.stale.clear();
        let all = guarded.into_iter().chain(self.parked.clone());
        for load in all.filter(|&id| self.may_await(id)).collect::<Vec<_>>() {
            let at = self.fetched(load).at.expect("a load has a location");
            let is_there = |&&(event, way): &&(EventId, Way)| matches!(way, Way::After(_)) && self.fetched(event).at == Some(at);
            let last = self.awaiting.iter().rfind(is_there).map(|&(store, _)| store).or_else(|| self.last(at));
            let value = self.value(at, self.last(at));
            self.awaiting.push((load, Way::From(last)));
            if let Some((store, happens)) = self.machine.store_after(load, &value) {
                self.awaiting.push((store, if happens { Way::After(last) } else { Way::Only }));
            }
            let Some(trip) = self.goes_round(load, &value) else { continue };
            for (own, at) in trip.own {
                self.awaiting.push((own, Way::From(self.last(at))));
            }
            if self.is_stale(load.thread, trip.round.start..load.index) {
                self.stale.push(load.thread);
            }
        }
    }
}
