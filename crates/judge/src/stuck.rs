//! Whether threads that do not go on wait or spin for ever, by the definition.
//!
//! An execution is *stuck* when no thread can go on: each that has not ended waits, joins, or spins on values that stay
//! in memory. Whoever waits or joins there is in a deadlock, unless all that do not spin join threads that do; then
//! those that spin are in a livelock. Threads that wait for one another in a cycle are in a deadlock, whatever the
//! others do.

use raddle_event::ThreadId;
use std::collections::BTreeMap;

/// How a thread stands where an execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It has ended, well or not.
    Over,
    /// It has ended the program.
    Exited,
    /// It can take a step, a store of it can reach memory, or what it spins on is not what it would find now.
    GoesOn,
    /// An assumption of it fails, a loop of it was cut, or it has come to what cannot be run.
    Stopped,
    /// It would find the same values for ever.
    Spins,
    /// It waits for the end of a thread.
    Joins(ThreadId),
    /// It waits for something else: a lock that this thread holds, where that can be said.
    Waits(Option<ThreadId>),
}

/// How all threads stand.
#[derive(Clone, Debug, Default)]
pub struct Stands(pub BTreeMap<ThreadId, Stand>);

impl Stands {
    /// Whether every thread has ended, or one of them has ended the program.
    pub fn is_complete(&self) -> bool {
        self.any(|stand| stand == Stand::Exited) || !self.any(|stand| stand != Stand::Over)
    }

    /// Whether a thread waits for ever.
    pub fn is_in_deadlock(&self, thread: ThreadId) -> bool {
        match self.0.get(&thread) {
            Some(Stand::Joins(_) | Stand::Waits(_)) => self.is_in_cycle(thread) || (self.is_stuck() && !self.only_spin()),
            _ => false,
        }
    }

    /// The threads that wait for ever, where this is one of them: all that wait where nobody can go on, or else those
    /// of its cycle.
    pub fn deadlock_of(&self, thread: ThreadId) -> Option<Vec<ThreadId>> {
        let waits = |stand: &Stand| matches!(stand, Stand::Joins(_) | Stand::Waits(_));
        if !self.is_in_deadlock(thread) {
            return None;
        }
        if self.is_stuck() && !self.only_spin() {
            return Some(self.0.iter().filter(|(_, stand)| waits(stand)).map(|(&thread, _)| thread).collect());
        }
        let mut members: Vec<ThreadId> =
            std::iter::successors(self.awaited(thread), |&at| self.awaited(at).filter(|_| at != thread)).collect();
        members.sort();
        Some(members)
    }

    /// Whether a thread spins for ever, and nobody waits for anything but its like.
    pub fn is_in_livelock(&self, thread: ThreadId) -> bool {
        self.0.get(&thread) == Some(&Stand::Spins) && self.is_stuck() && self.only_spin()
    }

    fn any(&self, is: impl Fn(Stand) -> bool) -> bool {
        self.0.values().any(|&stand| is(stand))
    }

    fn is_stuck(&self) -> bool {
        !self.any(|stand| matches!(stand, Stand::Exited | Stand::GoesOn | Stand::Stopped))
    }

    /// Whether threads spin, and the others only join.
    fn only_spin(&self) -> bool {
        self.any(|stand| stand == Stand::Spins) && !self.any(|stand| matches!(stand, Stand::Waits(_)))
    }

    /// Whether who waits for whom leads from a thread back to it.
    fn is_in_cycle(&self, thread: ThreadId) -> bool {
        std::iter::successors(self.awaited(thread), |&at| self.awaited(at)).take(self.0.len()).any(|at| at == thread)
    }

    /// For whom a thread waits.
    fn awaited(&self, thread: ThreadId) -> Option<ThreadId> {
        match self.0.get(&thread) {
            Some(Stand::Joins(other) | Stand::Waits(Some(other))) => Some(*other),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stand::{Exited, GoesOn, Joins, Over, Spins, Stopped, Waits};
    use super::*;

    const FIRST: ThreadId = ThreadId(0);
    const SECOND: ThreadId = ThreadId(1);

    /// Which threads are in a deadlock and in a livelock.
    #[track_caller]
    fn check(stands: &[Stand], deadlock: &[u32], livelock: &[u32]) {
        let all = Stands((0..).map(ThreadId).zip(stands.iter().copied()).collect());
        let named = |is: &dyn Fn(ThreadId) -> bool| (0..stands.len() as u32).filter(|&n| is(ThreadId(n))).collect::<Vec<_>>();
        assert_eq!(named(&|thread| all.is_in_deadlock(thread)), deadlock, "{stands:?}");
        assert_eq!(named(&|thread| all.is_in_livelock(thread)), livelock, "{stands:?}");
        for &thread in deadlock {
            let members = all.deadlock_of(ThreadId(thread)).unwrap_or_default();
            assert!(members.contains(&ThreadId(thread)) && members.iter().all(|member| deadlock.contains(&member.0)), "{stands:?}");
        }
    }

    #[test]
    fn who_waits_where_nobody_goes_on_is_in_a_deadlock() {
        check(&[Joins(SECOND), Waits(None)], &[0, 1], &[]);
        check(&[Spins, Waits(None)], &[1], &[]);
        check(&[Over, Waits(None)], &[1], &[]);
    }

    #[test]
    fn who_spins_where_others_only_join_is_in_a_livelock() {
        check(&[Joins(SECOND), Spins], &[], &[1]);
        check(&[Over, Spins], &[], &[1]);
    }

    #[test]
    fn nobody_is_stuck_while_somebody_goes_on() {
        for stand in [GoesOn, Stopped, Exited] {
            check(&[stand, Waits(None)], &[], &[]);
            check(&[stand, Spins], &[], &[]);
            check(&[stand, Waits(Some(FIRST))], &[], &[]);
        }
    }

    #[test]
    fn a_cycle_is_a_deadlock_whatever_the_others_do() {
        for stand in [GoesOn, Stopped, Exited, Over, Spins] {
            check(&[Waits(Some(SECOND)), Waits(Some(FIRST)), stand], &[0, 1], &[]);
            check(&[Waits(Some(FIRST)), stand], &[0], &[]);
        }
        check(&[Waits(Some(SECOND)), Waits(Some(SECOND)), GoesOn], &[1], &[]);
    }
}
