//! Rounds in vain: a thread has come back to a state, and something has ended for no reason since, or because a time
//! limit is over.
//!
//! A weak compare-exchange that fails for no reason is a read. A wait for a condition that ends so is a *pause*: the
//! thread unlocks the mutex and locks it again ([`crate::library`]). So all that a round in vain does is to read, and
//! to give and take locks. Others can tell that it was made only where one of them finds a lock taken that the thread
//! took in it: by a try, or with a time limit. Where nobody does, the thread could as well have paused once and longer.
//! So of pauses in a row that begin in the same state one more is looked at than there are such finds, and from then on
//! the thread waits until it is signalled. docs/library-order.md has the proof. It does not hold for a thread that
//! waits with several mutexes in turn: such rounds are cut as loops are that have a bound, and the verdict says so.
//!
//! How often others find a lock taken is learned ([`crate::Sites`]): where it is more than was known the exploration
//! starts over.

use crate::history::{Blocked, History, HistoryId, Next};
use crate::library::{TIMED_WAITS, TRYING, WAITS};
use crate::spin::{LOOK_BACK, action_alike, changes_nothing, is_same, previous};
use crate::thread::Kept;
use crate::world::World;
use raddle_event::{Action, LocationId, Locations, Reply, Rmw, RmwOp};
use raddle_program::{FunctionId, Instr, Program};
use smallvec::SmallVec;

/// How many rounds are looked at of which it is not known that they can be left out, where there is no loop bound.
pub const MOST_OPEN_ROUNDS: u32 = 2;

/// What a thread that has gone round in vain does.
pub(crate) enum Vain {
    /// It does not go on, for this reason. So many actions ago it was in the same state.
    Stops(u32, Blocked),
    /// It has paused often enough: it waits until it is signalled.
    Sleeps,
}

/// What may end for no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spurious {
    /// A wait for a condition, or one whose time limit is over.
    Wait,
    /// A weak compare-exchange.
    Exchange,
    /// The attempt to take a lock that rounds of other threads take which are left out ([`crate::backoff`]).
    Try,
}

/// What may end for no reason at an instruction. It begins with a choice, and that is its only one.
pub(crate) fn spurious_at(program: &Program, function: FunctionId, at: u32) -> Option<Spurious> {
    match program.functions[function.index()].code[at as usize] {
        Instr::CompareExchangeWeak { .. } => Some(Spurious::Exchange),
        Instr::CallExtern { function, .. } => {
            let name = program.externs[function.index()].as_str();
            match TRYING.contains(&name) {
                true => Some(Spurious::Try),
                false => (WAITS.contains(&name) || TIMED_WAITS.contains(&name)).then_some(Spurious::Wait),
            }
        }
        _ => None,
    }
}

/// The same, for an action at which a thread stands.
pub(crate) fn choice_of(action: &Action, kept: &Kept, program: &Program) -> Option<Spurious> {
    let top = kept.frames.as_ref().filter(|_| matches!(action, Action::Choose { .. }))?;
    spurious_at(program, top.frame.function, top.frame.at)
}

/// What an action has done that others can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Nothing,
    /// It has taken a lock that it had to wait for.
    Takes(LocationId),
    /// It has given a lock back.
    Gives(LocationId),
    More,
}

fn deed(action: &Action, reply: &Reply, locations: &Locations) -> Deed {
    match (action, reply) {
        _ if changes_nothing(action, reply, locations) => Deed::Nothing,
        (&Action::Rmw { at, rmw, .. }, Reply::Value(old)) if rmw.apply(old.to_u128(), locations.range(at).size).is_some() => match rmw {
            Rmw { op: RmwOp::Release, .. } => Deed::Gives(at),
            Rmw { op: RmwOp::Acquire | RmwOp::UIncBelow | RmwOp::CompareExchange, guard: Some(_), .. } => Deed::Takes(at),
            _ => Deed::More,
        },
        _ => Deed::More,
    }
}

/// Whether an action that got this reply cannot be part of a round in vain.
pub(crate) fn ends_rounds(action: &Action, reply: &Reply, locations: &Locations) -> bool {
    !matches!(action, Action::Choose { .. }) && deed(action, reply, locations) == Deed::More
}

/// Whether a state is one in a round in vain: no other history may lead there, because what comes next depends on the
/// round.
pub(crate) fn is_in_round(kept: &Kept) -> bool {
    kept.counts.wakes > 0 || matches!(kept.replies.first(), Some(Reply::Chosen(1)))
}

/// Rounds in a row that began with a pause in the same state, the newest first.
#[derive(Default)]
struct Rounds {
    /// Those that can be left out unless a lock was found taken, up to the first that cannot.
    removable: u64,
    /// Those since.
    open: u32,
    /// The locks that the removable ones take.
    locks: SmallVec<[LocationId; 2]>,
}

impl Rounds {
    /// One more, which takes these locks where it can be left out.
    fn add(&mut self, taken: Option<SmallVec<[LocationId; 2]>>) {
        match taken {
            Some(taken) if self.open == 0 => {
                self.removable += 1;
                self.locks.extend(taken);
                self.locks.sort();
                self.locks.dedup();
            }
            _ => self.open += 1,
        }
    }

    /// What follows from them, the first of which began so many actions ago.
    fn conclude(&self, ago: u32, is_bounded: bool, found: impl Fn(LocationId) -> u64) -> Option<Vain> {
        let noticed: u64 = self.locks.iter().map(|&lock| found(lock)).sum();
        match self.open {
            0 => (self.removable > noticed).then_some(Vain::Sleeps),
            open => (open == MOST_OPEN_ROUNDS && !is_bounded).then_some(Vain::Stops(ago, Blocked::LoopBound)),
        }
    }
}

/// What a thread does where it has gone round in vain. The function tells how often others have found a lock taken.
pub(crate) fn vain(history: &History, step: HistoryId, world: &World, found: impl Fn(LocationId) -> u64) -> Option<Vain> {
    let (node, World { program, locations, limits, .. }) = (history.node(step), world);
    let (Next::Action(next), Some(now)) = (&node.next, &node.kept) else { return None };
    let may_pause = choice_of(next, now, program) == Some(Spurious::Wait);
    let (mut at, mut ended, mut since, mut rounds) = (node, false, 0, Rounds::default());
    let mut deeds: SmallVec<[(u32, Deed); 4]> = SmallVec::new();
    for n in 1.. {
        let (before, action) = previous(history, at).filter(|_| at.output.is_none() && n - since <= LOOK_BACK)?;
        let kept = before.kept.as_ref()?;
        match (choice_of(action, kept, program), deed(action, &at.reply, locations)) {
            (Some(_), _) => ended |= at.reply == Reply::Chosen(1),
            (None, Deed::Nothing) => {}
            (None, deed @ (Deed::Takes(_) | Deed::Gives(_))) if may_pause => deeds.push((n, deed)),
            _ => return None,
        }
        if action_alike(&node.next, action) && is_same(kept, now) {
            if deeds.is_empty() {
                let why = if ended { Blocked::Assume } else { Blocked::Spin };
                return (since == 0).then_some(Vain::Stops(n, why));
            }
            rounds.add(taken_between_pauses(n, &deeds));
            if let Some(vain) = rounds.conclude(n, limits.unroll.is_some(), &found) {
                return Some(vain);
            }
            deeds.clear();
            since = n;
        }
        at = before;
    }
    None
}

/// The locks that a round takes which begins with a pause, `n` actions ago, up to where the next pause has unlocked the
/// mutex; none where it gives others back than those. What it does with locks comes newest first, each with how
/// many actions ago that was.
fn taken_between_pauses(n: u32, deeds: &[(u32, Deed)]) -> Option<SmallVec<[LocationId; 2]>> {
    let (&(_, pause), rest) = deeds.split_last().filter(|(first, _)| first.0 + 1 == n)?;
    let (mut held, mut taken) = (SmallVec::<[LocationId; 2]>::new(), SmallVec::new());
    for &deed in rest.iter().rev().map(|(_, deed)| deed).chain([&pause]) {
        match deed {
            Deed::Takes(lock) => {
                held.push(lock);
                taken.push(lock);
            }
            Deed::Gives(lock) => {
                let n = held.iter().rposition(|&other| other == lock)?;
                held.remove(n);
            }
            Deed::Nothing | Deed::More => return None,
        }
    }
    (held.is_empty() && !taken.is_empty()).then_some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What happens in a round, oldest first: `-m` gives a lock back, `+m` takes it, `r` reads.
    #[track_caller]
    fn check(round: &str, expected: Option<&str>) {
        let lock = |word: &str| LocationId(word.as_bytes()[1] as u32);
        let n = round.split(' ').count() as u32 + 1;
        let deed = |(number, word): (usize, &str)| match &word[..1] {
            "+" => Some((n - 1 - number as u32, Deed::Takes(lock(word)))),
            "-" => Some((n - 1 - number as u32, Deed::Gives(lock(word)))),
            _ => None,
        };
        let mut deeds: Vec<(u32, Deed)> = round.split(' ').enumerate().filter_map(deed).collect();
        deeds.reverse();
        let taken = taken_between_pauses(n, &deeds).map(|taken| taken.iter().map(|lock| lock.0 as u8 as char).collect::<String>());
        assert_eq!(taken.as_deref(), expected, "{round}");
    }

    #[test]
    fn a_round_can_be_left_out_where_it_gives_back_what_it_takes() {
        check("-m +m r", Some("m"));
        check("-m +m r -m +m r", Some("mm"));
        check("-m +m -m +n -n +m", Some("mnm"));
        check("-m +m r -n +n", None);
        check("-m +m +n", None);
        check("r -m +m", None);
        check("+m -m", None);
    }

    #[test]
    fn pauses_matter_as_often_as_somebody_can_notice_them() {
        let concludes = |n_removable: u32, n_open: u32, found: u64| {
            let mut rounds = Rounds::default();
            (0..n_removable).for_each(|_| rounds.add(Some(SmallVec::from_slice(&[LocationId(1)]))));
            (0..n_open).for_each(|_| rounds.add(None));
            match rounds.conclude(1, false, |_| found) {
                Some(Vain::Sleeps) => "sleeps",
                Some(Vain::Stops(..)) => "is cut",
                None => "goes on",
            }
        };
        assert_eq!(concludes(1, 0, 0), "sleeps");
        assert_eq!(concludes(1, 0, 1), "goes on");
        assert_eq!(concludes(3, 0, 2), "sleeps");
        assert_eq!(concludes(0, MOST_OPEN_ROUNDS - 1, 0), "goes on");
        assert_eq!(concludes(0, MOST_OPEN_ROUNDS, 0), "is cut");
    }
}
