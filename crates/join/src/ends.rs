//! Accesses that are wrong, and the ends of objects.
//!
//! The end of an object conflicts with every access to it that commit-before does not put before it: there is an order
//! of commits in which the access comes after the end. So that is a fault in whatever order they come, and no run need
//! be explored for it. The same holds of two ends.
//!
//! What becomes of an access is decided by the graph alone, never by the order in which a run happens to commit, since
//! RSMC goes along parts of a run in another order:
//! - An end comes before the access, in commit-before or in the program order of its thread: the access is wrong, its
//!   thread gets no further, and a load gets no answer.
//! - Nothing orders them: both are reported, and the execution goes on as the one in which the access came first does.
//! - An access comes before an end that its own thread makes later: that is right.

use crate::commits::{Committing, Within};
use crate::core::Stop;
use raddle_event::{EventId, Fault, FaultKind, Free, LocationId, Position, ThreadId, Way};
use raddle_machine::{FaultAt, Instance, What};
use raddle_memory::commits::CommitModel;

/// How the end of its object stands to an access, or to another end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It comes later, or there is none.
    After,
    /// Nothing orders it and the access.
    Unordered(ThreadId),
    /// It comes before the access.
    Before,
}

impl<M: CommitModel> Committing<'_, M> {
    fn newest(&self) -> Position {
        Position(self.model.graph().len() as u32 - 1)
    }

    /// Who ends an object by an event, where it is an end.
    fn how_ended(&self, event: EventId) -> Option<Free> {
        match self.instance(event).what {
            What::Free { how, .. } => Some(how),
            _ => None,
        }
    }

    /// The committed ends of the object in which a location lies.
    fn ends(&self, at: LocationId) -> impl Iterator<Item = (Position, EventId)> + '_ {
        let of = move |number: Position| {
            let event = self.model.graph().event(number);
            let is_same = event.at.is_some_and(|other| self.objects.is_same(other, at));
            (is_same && self.how_ended(event.id).is_some()).then_some((number, event.id))
        };
        (0..self.model.graph().len() as u32).map(Position).filter_map(of)
    }

    /// Whether a thread has freed the object in which a location lies before an event of its own, by program order.
    fn is_freed_by_itself(&self, event: EventId, at: LocationId) -> bool {
        self.machine.events(event.thread)[..event.index as usize].iter().any(|earlier| {
            matches!(earlier.what, What::Free { how: Free::Heap, .. })
                && earlier.fetched.at.is_some_and(|other| self.objects.is_same(other, at))
        })
    }

    /// How a committed end stands to the event that was committed last.
    fn stands(&self, (number, end): (Position, EventId), event: EventId) -> End {
        match end.thread == event.thread {
            true if end.index > event.index => End::After,
            true => End::Before,
            false if self.model.is_before(number, self.newest()) => End::Before,
            false => End::Unordered(end.thread),
        }
    }

    /// How the end of the object stands to the access that was committed last. Where there is another object at its
    /// place by now, that is the one accessed.
    fn end_of(&self, event: EventId, at: LocationId) -> End {
        if self.is_freed_by_itself(event, at) {
            return End::Before;
        }
        if !self.objects.is_freed(at) {
            return End::After;
        }
        // An object that was freed before others saw it has no end among the events.
        self.ends(at).map(|end| self.stands(end, event)).max().unwrap_or(End::Before)
    }

    /// Takes back cuts inside of what is read and written as one at a location, or across it.
    fn keeps_whole(&mut self, at: LocationId) -> bool {
        let others = self.machine.locations().overlapping(at);
        let events = self.machine.threads().flat_map(|thread| self.machine.events(thread));
        let exclusive = events.filter(|event| matches!(event.what, What::Read { exclusive: true, .. }));
        let whole: Vec<LocationId> = exclusive.filter_map(|event| event.fetched.at).filter(|it| *it == at || others.contains(it)).collect();
        whole.into_iter().any(|it| self.machine.keep_whole(it))
    }

    /// Reports what is wrong with the access that was committed last. Tells whether its thread gets no further.
    pub(crate) fn is_wrong_access(&mut self, event: EventId, at: LocationId, way: Way) -> bool {
        let range = self.machine.locations().range(at);
        let room = self.machine.addresses().room(range.start);
        let is_mixed = |other: &LocationId| room != Some(self.machine.locations().range(*other));
        if self.machine.locations().overlapping(at).iter().any(is_mixed) {
            if self.machine.cut_accesses(true) || self.keeps_whole(at) {
                return false;
            }
            let what = format!("mixed-size access not supported under {}", M::NAME);
            let moment = self.machine.moment_of(event.thread, event.index);
            self.core.stop_by(Stop::Unsupported { what, thread: event.thread, moment });
        }
        let end = self.end_of(event, at);
        if let End::Unordered(by) = end {
            let moment = self.machine.moment_of(event.thread, event.index);
            self.go_wrong(FaultAt::freed_unordered(by, event.thread, moment), Within::event(event.index), false);
        }
        let fault = match self.objects.check(at) {
            _ if end == End::Before => Some(Fault::new(FaultKind::UseAfterFree, format!("access to {} bytes of freed memory", range.size))),
            Err(fault) => Some(fault),
            Ok(()) if way == Way::From(None) && !self.objects.is_initialised(at) && !self.instance(event).moves => {
                Some(Fault::new(FaultKind::UninitialisedRead, format!("{} bytes are read that were never written", range.size)))
            }
            Ok(()) => None,
        };
        if end != End::After || fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::WildPointer) {
            self.machine.contradict(event.thread, at);
        }
        let is_wrong = fault.is_some();
        if let Some(fault) = fault {
            self.fail_by(event, fault, true);
        }
        is_wrong
    }

    /// An object ceases to be. Accesses to it by others that nothing orders before that are wrong.
    pub(crate) fn free(&mut self, event: EventId) {
        let Instance { fetched, what, .. } = self.instance(event);
        let (&What::Free { start, how }, Some(at)) = (what, fetched.at) else { unreachable!("an object ends") };
        let e = self.newest();
        if let Err(fault) = self.objects.free(at, start, how, self.machine.locations(), self.machine.addresses()) {
            if fault.kind == FaultKind::InvalidFree {
                self.machine.contradict(event.thread, at);
            }
            if fault.kind != FaultKind::DoubleFree || self.is_freed_again(event, at, &fault) {
                self.fail_by(event, fault, true);
                return;
            }
        }
        for number in (0..e.0).map(Position) {
            let access = self.model.graph().event(number);
            // What the thread itself accesses later is the next object there, where nobody freed this one; where it
            // did, that was found when the access was committed.
            let is_access = access.at.is_some_and(|other| self.objects.is_same(other, at)) && self.how_ended(access.id).is_none();
            if is_access && access.way != Way::Parked && access.id.thread != event.thread && !self.model.is_before(number, e) {
                let id = access.id;
                let fault = FaultAt::freed_unordered(event.thread, id.thread, self.machine.moment_of(id.thread, id.index));
                self.go_wrong(fault, Within::event(id.index), false);
            }
        }
    }

    /// Reports that an object ends several times, the last time by the event that was committed last. Tells whether
    /// another end comes before this one.
    fn is_freed_again(&mut self, event: EventId, at: LocationId, fault: &Fault) -> bool {
        let others: Vec<_> = self.ends(at).filter(|end| end.1 != event).map(|end| (end.1, self.stands(end, event))).collect();
        if others.is_empty() || others.iter().any(|(_, end)| *end == End::Before) {
            return true;
        }
        for (other, end) in others {
            self.fail_by(other, fault.clone(), end == End::After);
            if end != End::After {
                self.fail_by(event, fault.clone(), false);
            }
        }
        false
    }
}
