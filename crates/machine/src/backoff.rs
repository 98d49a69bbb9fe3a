//! Rounds that back off: a thread takes locks, finds another one taken, gives back what it has, and is where it was.
//!
//! `std::lock` does so, and loops around `pthread_mutex_trylock`. Others can see such a round: they find a lock taken
//! that it holds. Two threads that back off keep each other going so, for ever. But nobody can tell from a trylock that
//! fails more than that the lock was taken. So the round is left out all the same, and a trylock (or a lock with a time
//! limit) of another thread may fail for no reason where it tries a lock that such a round takes. Then every execution
//! of the program has one beside it without the rounds, in which all threads do the same otherwise; docs/awaits.md has
//! the proof.
//!
//! An execution in which a trylock has failed for no reason may be none of the program, so it is only *supposed*: it
//! does not count, and what goes wrong in it is no fault. But then nothing is verified either.
//!
//! Which locks rounds take that are left out is learned ([`crate::Sites`]), and the exploration starts over where one
//! is new. Somebody who looks at the word of a lock other than by the functions for locks could see more of a round.
//! Rounds that take such a lock are explored as they are.

use crate::history::{Blocked, History, HistoryId, Next};
use crate::library::{GIVING, TAKING, TRYING};
use crate::spin::{LOOK_BACK, action_alike, changes_nothing, is_same, previous};
use crate::thread::Kept;
use crate::vain::{Spurious, choice_of};
use crate::world::World;
use raddle_event::{Action, LocationId, Reply};
use raddle_program::{Instr, Program};
use smallvec::SmallVec;

/// A round that has given back all the locks that it has taken.
pub(crate) struct BackedOff {
    /// How many actions it has.
    pub len: u32,
    /// The locks that it has taken.
    pub locks: SmallVec<[LocationId; 2]>,
    /// What to say of the thread: in a round in which a trylock has failed for no reason it may not wait for anything.
    pub why: Blocked,
}

/// What an action has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Nothing,
    Takes(LocationId),
    Gives(LocationId),
    /// It has tried a lock, or not even that.
    Tries(bool),
    More,
}

/// The function of the library that a thread is in.
fn called<'p>(program: &'p Program, kept: &Kept) -> Option<&'p str> {
    let frame = &kept.frames.as_ref()?.frame;
    match program.functions[frame.function.index()].code[frame.at as usize] {
        Instr::CallExtern { function, .. } => Some(&program.externs[function.index()]),
        _ => None,
    }
}

/// Whether a thread is in a function for locks, or for what waits with one.
pub(crate) fn is_for_locks(program: &Program, kept: &Kept) -> bool {
    const WORDS: [&str; 7] =
        ["pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "pthread_cond_", "mtx_", "cnd_", "_ZNSt18condition_variable"];
    called(program, kept).is_some_and(|name| WORDS.iter().any(|word| name.starts_with(word)))
}

/// What an action has done that got this reply, in a function that a state is in.
fn deed(action: &Action, reply: &Reply, kept: &Kept, World { program, locations, .. }: &World) -> Deed {
    let is_among = |names: &[&str]| called(program, kept).is_some_and(|name| names.contains(&name));
    match (action, reply) {
        (_, Reply::Chosen(chosen)) if choice_of(action, kept, program) == Some(Spurious::Try) => Deed::Tries(*chosen == 1),
        _ if changes_nothing(action, reply, locations) => Deed::Nothing,
        (&Action::Rmw { at, .. } | &Action::Write { at, .. }, _) if is_among(GIVING) => Deed::Gives(at),
        (&Action::Rmw { at, .. }, _) if is_among(TAKING) || is_among(TRYING) => Deed::Takes(at),
        _ => Deed::More,
    }
}

/// The round that has led a thread, about to take a visible action, back to the state that it was in, where it has only
/// looked, and given back the locks that it has taken since.
pub(crate) fn round(history: &History, step: HistoryId, world: &World) -> Option<BackedOff> {
    let node = history.node(step);
    let (Next::Action(_), Some(now)) = (&node.next, &node.kept) else { return None };
    let (mut at, mut deeds) = (node, SmallVec::<[Deed; 8]>::new());
    for len in 1..=LOOK_BACK {
        let (before, action) = previous(history, at).filter(|_| at.output.is_none() && !at.is_joined)?;
        let kept = before.kept.as_ref()?;
        match deed(action, &at.reply, kept, world) {
            Deed::Nothing => {}
            Deed::More => return None,
            deed => deeds.push(deed),
        }
        if action_alike(&node.next, action) && is_same(kept, now) {
            deeds.reverse();
            let locks = taken(&deeds)?;
            let is_hidden = |&lock: &LocationId| !world.sites.is_peeked_at(world.locations.range(lock));
            let why = if deeds.contains(&Deed::Tries(true)) { Blocked::Assume } else { Blocked::Spin };
            return locks.iter().all(is_hidden).then_some(BackedOff { len, locks, why });
        }
        at = before;
    }
    None
}

/// The locks that are taken and given back again by what a round does, the oldest first; none where it gives others
/// back, or does nothing of this kind.
fn taken(deeds: &[Deed]) -> Option<SmallVec<[LocationId; 2]>> {
    let (mut held, mut locks) = (SmallVec::<[LocationId; 2]>::new(), SmallVec::<[LocationId; 2]>::new());
    for &deed in deeds {
        match deed {
            Deed::Takes(lock) => {
                held.push(lock);
                if !locks.contains(&lock) {
                    locks.push(lock);
                }
            }
            Deed::Gives(lock) => {
                let n = held.iter().rposition(|&other| other == lock)?;
                held.remove(n);
            }
            Deed::Nothing | Deed::Tries(_) => {}
            Deed::More => return None,
        }
    }
    (held.is_empty() && !deeds.is_empty()).then_some(locks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a round does, the oldest first: `+m` takes a lock, `-m` gives it back, `!` tries one in vain.
    #[track_caller]
    fn check(round: &str, expected: Option<&str>) {
        let deed = |word: &str| match word.split_at(1) {
            ("+", lock) => Deed::Takes(LocationId(lock.as_bytes()[0] as u32)),
            ("-", lock) => Deed::Gives(LocationId(lock.as_bytes()[0] as u32)),
            _ => Deed::Tries(true),
        };
        let deeds: Vec<Deed> = round.split_whitespace().map(deed).collect();
        let locks = taken(&deeds).map(|locks| locks.iter().map(|lock| lock.0 as u8 as char).collect::<String>());
        assert_eq!(locks.as_deref(), expected, "{round}");
    }

    #[test]
    fn a_round_can_be_left_out_where_it_gives_back_what_it_has_taken() {
        check("+m -m", Some("m"));
        check("+m ! -m", Some("m"));
        check("+m +n -m -n", Some("mn"));
        check("+m -m +n -n +m -m", Some("mn"));
        check("!", Some(""));
    }

    #[test]
    fn a_round_cannot_be_left_out_where_it_holds_more_or_less_than_before() {
        check("-m +m", None);
        check("+m", None);
        check("+m +n -n", None);
        check("+m -m -n +n", None);
        check("", None);
    }
}
