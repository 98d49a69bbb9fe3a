//! Data races: two conflicting accesses of different threads, one of them not atomic, in no order by happens-before.

use super::{Axioms, Coherent};
use raddle_event::{Fault, FaultKind, Position};

impl<A: Axioms> Coherent<A> {
    /// What is wrong where the newest event is the first access that races with an earlier one.
    pub(super) fn look_for_race(&mut self, at: Position) -> Option<Box<Fault>> {
        if self.n_races > 0 {
            return None;
        }
        let other = self.races_with(at)?;
        self.n_races += 1;
        self.access_mut(at).races = true;
        let (one, other) = (self.skeleton.id(at).thread, self.skeleton.id(other).thread);
        let message = format!("{one} and {other} access this in no order");
        Some(Box::new(Fault::new(FaultKind::DataRace, message)))
    }

    /// An access that races with the newest one.
    fn races_with(&self, at: Position) -> Option<Position> {
        let access = self.access(at)?;
        let (is_plain, writes) = (!access.order.is_atomic(), access.written.is_some());
        if !is_plain && self.coherence(access.variable).n_plain == 0 {
            return None;
        }
        let (thread, clock) = (self.skeleton.id(at).thread, self.happens.row(at));
        let races = |other: &&Position| {
            let other = self.access(**other).expect("it is one");
            (writes || other.written.is_some()) && (is_plain || !other.order.is_atomic())
        };
        let others = self.accesses(access.variable).iter().filter(|(other, _)| *other != thread);
        let mut unordered =
            others.flat_map(|(other, own)| own.iter().rev().take_while(|at| self.skeleton.id(**at).index >= clock[other.index()]));
        unordered.find(races).copied()
    }
}
