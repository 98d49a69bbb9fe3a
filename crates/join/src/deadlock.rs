//! What becomes of an execution that can go no further, by how its threads stand: the only place that says that one is
//! a deadlock or a livelock.
//!
//! - *Stuck*: no thread can go on. Each that has not ended waits (for a lock, condition, barrier, semaphore or join) or
//!   spins on values that stay in memory.
//! - A stuck execution is a deadlock when some thread waits for more than the end of one that spins; else it is a
//!   livelock.
//! - Threads that wait for one another in a cycle, by locks that they hold and by joins, are a deadlock whatever the
//!   others do.
//! - A failed assumption, a loop bound and a stale value make no deadlock: the others wait for a thread that goes on
//!   elsewhere, or not at all.

use crate::standing::Standing;
use raddle_event::ThreadId;
use raddle_machine::Blocked;

/// What becomes of an execution that can go no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Every thread has ended, or one of them has ended the program.
    Complete,
    /// Some thread does not go on, and nothing is wrong with that.
    Blocked(Blocked),
    /// These threads wait for ever.
    Deadlock(Vec<ThreadId>),
    /// No thread can go on, and this one spins.
    Livelock(ThreadId),
}

/// Concludes from how all threads stand.
pub fn conclude(threads: &[(ThreadId, Standing)]) -> Conclusion {
    let is = |standing: Standing| threads.iter().any(|thread| thread.1 == standing);
    let blocked = match () {
        _ if is(Standing::Cut) => Some(Blocked::LoopBound),
        _ if is(Standing::LeftOut) => Some(Blocked::Values),
        _ if is(Standing::Assumes) => Some(Blocked::Assume),
        _ if is(Standing::Stale) => Some(Blocked::Spin),
        _ => None,
    };
    let conclusion = match blocked {
        Some(why) => Conclusion::Blocked(why),
        None if is(Standing::Exited) => Conclusion::Complete,
        None => conclude_stuck(threads),
    };
    match conclusion {
        Conclusion::Blocked(_) | Conclusion::Complete => cycle(threads).map_or(conclusion, Conclusion::Deadlock),
        stuck => stuck,
    }
}

/// The same, where no thread can go on.
fn conclude_stuck(threads: &[(ThreadId, Standing)]) -> Conclusion {
    let waits = |standing: Standing| matches!(standing, Standing::Waits(_));
    let joins = |standing: Standing| matches!(standing, Standing::Joins(_));
    let named = |is: &dyn Fn(Standing) -> bool| threads.iter().filter(|thread| is(thread.1)).map(|thread| thread.0).collect::<Vec<_>>();
    let spinning = named(&|standing| standing == Standing::Spins).first().copied();
    let all = named(&|standing| waits(standing) || joins(standing));
    match spinning {
        Some(thread) if !threads.iter().any(|thread| waits(thread.1)) => Conclusion::Livelock(thread),
        _ if all.is_empty() => Conclusion::Complete,
        _ => Conclusion::Deadlock(all),
    }
}

/// Threads that wait for one another in a cycle, where there are any.
fn cycle(threads: &[(ThreadId, Standing)]) -> Option<Vec<ThreadId>> {
    let after = |thread: ThreadId| match threads.iter().find(|other| other.0 == thread)?.1 {
        Standing::Joins(other) | Standing::Waits(Some(other)) => Some(other),
        _ => None,
    };
    let around = |&(first, _): &(ThreadId, Standing)| {
        let mut members = vec![first];
        while members.len() <= threads.len() {
            match after(*members.last()?)? {
                next if next == first => return Some(members),
                next => members.push(next),
            }
        }
        None
    };
    let mut members = threads.iter().find_map(around)?;
    members.sort();
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::Standing::{Assumes, Cut, Ended, Exited, Joins, LeftOut, Spins, Stale, Waits};
    use super::*;

    const HELD_BY_0: Standing = Waits(Some(ThreadId(0)));
    const HELD_BY_1: Standing = Waits(Some(ThreadId(1)));
    const HELD_BY_2: Standing = Waits(Some(ThreadId(2)));

    /// The threads stand so, in the order of their numbers; `expected` names those that wait or spin for ever.
    #[track_caller]
    fn check(standings: &[Standing], expected: &str) {
        let threads: Vec<_> = (0..).map(ThreadId).zip(standings.iter().copied()).collect();
        let named = |threads: &[ThreadId]| threads.iter().map(|thread| format!(" {thread}")).collect::<String>();
        let concluded = match conclude(&threads) {
            Conclusion::Complete => "complete".into(),
            Conclusion::Blocked(why) => format!("blocked {why:?}"),
            Conclusion::Deadlock(waiting) => format!("deadlock{}", named(&waiting)),
            Conclusion::Livelock(thread) => format!("livelock {thread}"),
        };
        assert_eq!(concluded, expected, "{standings:?}");
    }

    #[test]
    fn an_execution_is_complete_when_all_have_ended_or_one_ends_the_program() {
        check(&[Ended, Ended], "complete");
        check(&[Exited, Ended], "complete");
        check(&[Exited, Waits(None)], "complete");
        check(&[Exited, Spins], "complete");
        check(&[Exited, Stale], "blocked Spin");
        check(&[Exited, Cut], "blocked LoopBound");
    }

    #[test]
    fn who_waits_beside_threads_that_cannot_go_on_either_is_in_a_deadlock() {
        check(&[Joins(ThreadId(1)), Waits(None)], "deadlock T0 T1");
        check(&[Ended, Waits(None)], "deadlock T1");
        check(&[Spins, Waits(None)], "deadlock T1");
        check(&[Joins(ThreadId(1)), Spins, Waits(None)], "deadlock T0 T2");
        check(&[Joins(ThreadId(0))], "deadlock T0");
        check(&[Joins(ThreadId(1)), Joins(ThreadId(0))], "deadlock T0 T1");
    }

    #[test]
    fn who_only_spins_or_joins_one_that_spins_is_in_a_livelock() {
        check(&[Ended, Spins], "livelock T1");
        check(&[Joins(ThreadId(1)), Spins], "livelock T1");
        check(&[Joins(ThreadId(1)), Joins(ThreadId(2)), Spins], "livelock T2");
    }

    #[test]
    fn nobody_is_stuck_beside_a_thread_that_goes_on_elsewhere_or_never_counts() {
        for (standing, why) in [(Stale, "Spin"), (Assumes, "Assume"), (Cut, "LoopBound"), (LeftOut, "Values")] {
            check(&[standing, Ended], &format!("blocked {why}"));
            check(&[standing, Spins], &format!("blocked {why}"));
            check(&[standing, Waits(None)], &format!("blocked {why}"));
            check(&[standing, HELD_BY_0], &format!("blocked {why}"));
            check(&[standing, HELD_BY_2, Ended], &format!("blocked {why}"));
            check(&[Joins(ThreadId(1)), standing], &format!("blocked {why}"));
        }
        check(&[Assumes, Cut, Stale], "blocked LoopBound");
    }

    #[test]
    fn a_cycle_is_a_deadlock_whatever_the_others_do() {
        for standing in [Ended, Exited, Assumes, Cut, Stale, Spins] {
            check(&[standing, HELD_BY_2, HELD_BY_1], "deadlock T1 T2");
        }
        check(&[Stale, HELD_BY_1], "deadlock T1");
        check(&[Stale, HELD_BY_2, Joins(ThreadId(1))], "deadlock T1 T2");
        check(&[Stale, HELD_BY_2, HELD_BY_1, HELD_BY_1], "deadlock T1 T2");
    }
}
