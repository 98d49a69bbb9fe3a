//! For which variables threads wait, and which were written in an order that somebody chose: in all graphs so far, for
//! these two need not come up in the same one. Where both come up of one variable it is disputed, and cannot be
//! explored so (docs/awaits.md). So those who explore parts of an exploration tell each other.

use super::Place;
use raddle_event::{LocationId, Range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was seen of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waits {
    /// A thread waits for a value of it.
    pub is_awaited: bool,
    /// A write of it could have had another place.
    pub is_unordered: bool,
}

impl Waits {
    fn is_disputed(self) -> bool {
        self.is_awaited && self.is_unordered
    }

    fn or(self, other: Waits) -> Waits {
        Waits { is_awaited: self.is_awaited || other.is_awaited, is_unordered: self.is_unordered || other.is_unordered }
    }
}

/// What is kept of the order of the writes of a variable.
pub trait Waited {
    /// What was seen of it in all graphs so far.
    fn waits(&self) -> Waits;
}

/// What was seen of all variables, as a plain value: each is named by its bytes and the number of its object there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting(BTreeMap<(Range, u32), Waits>);

impl Waiting {
    /// What was seen of these variables.
    pub(super) fn of(all: impl Iterator<Item = (Place, Waits)>, range: impl Fn(LocationId) -> Range) -> Waiting {
        let seen = all.filter(|(_, waits)| *waits != Waits::default());
        Waiting(seen.map(|((at, number), waits)| ((range(at), number), waits)).collect())
    }

    /// Adds what others have seen. Tells whether no variable is disputed by that: where one of the two disputes it, it
    /// has said so.
    pub fn add(&mut self, other: &Waiting) -> bool {
        let mut agrees = true;
        for (&variable, &theirs) in &other.0 {
            let mine = self.0.entry(variable).or_default();
            let both = mine.or(theirs);
            agrees &= !both.is_disputed() || mine.is_disputed() || theirs.is_disputed();
            *mine = both;
        }
        agrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_event::Address;

    fn seen(start: u64, is_awaited: bool, is_unordered: bool) -> Waiting {
        let range = Range { start: Address(start), size: 4 };
        Waiting(BTreeMap::from([((range, 0), Waits { is_awaited, is_unordered })]))
    }

    #[test]
    fn what_one_waits_for_and_another_writes_in_any_order_is_disputed() {
        assert!(!seen(8, true, false).add(&seen(8, false, true)));
        assert!(seen(8, true, false).add(&seen(16, false, true)));
        assert!(seen(8, true, false).add(&seen(8, true, false)));
    }

    #[test]
    fn what_was_added_stays() {
        let mut all = seen(8, false, false);
        assert!(all.add(&seen(8, false, true)) && all.add(&seen(16, true, false)));
        assert!(!all.add(&seen(8, true, false)));
    }

    #[test]
    fn who_disputes_a_variable_has_said_so() {
        assert!(seen(8, true, true).add(&seen(8, false, true)));
    }
}
