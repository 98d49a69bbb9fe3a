//! Loops that wait, where events are committed out of order: whether a value would lead a thread round its loop, and
//! what those find who wait for ever (docs/awaits.md).

use crate::commits::Committing;
use raddle_event::{EventId, LocationId, Value, Way};
use raddle_memory::commits::CommitModel;

impl<M: CommitModel> Committing<'_, M> {
    /// The events after a load, for which a loop may be waiting, that lead round the loop with it where it gets a
    /// value; none where the thread goes on.
    pub(crate) fn goes_round(&mut self, load: EventId, value: &Value) -> Option<Vec<(EventId, LocationId)>> {
        if let Some(goes_round) = self.machine.known_to_go_round(load, value) {
            return goes_round.then(Vec::new);
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
        machine.goes_round(load, value, own)
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

    /// Notes for which of these reads loops wait, and that each finds what is last in coherence. A read-modify-write
    /// puts the same back.
    pub(crate) fn look_at_awaiting(&mut self, guarded: Vec<EventId>) {
        for load in guarded.into_iter().filter(|&id| self.may_await(id)).collect::<Vec<_>>() {
            let at = self.fetched(load).at.expect("a load has a location");
            let is_there = |&&(event, way): &&(EventId, Way)| matches!(way, Way::After(_)) && self.fetched(event).at == Some(at);
            let last = self.awaiting.iter().rfind(is_there).map(|&(store, _)| store).or_else(|| self.last(at));
            let value = self.value(at, self.last(at));
            self.awaiting.push((load, Way::From(last)));
            if let Some((store, happens)) = self.machine.store_after(load, &value) {
                self.awaiting.push((store, if happens { Way::After(last) } else { Way::Only }));
            }
            for (own, at) in self.goes_round(load, &value).unwrap_or_default() {
                self.awaiting.push((own, Way::From(self.last(at))));
            }
        }
    }
}
