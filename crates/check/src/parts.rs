//! The parts of an exploration that is divided: which wait for somebody, which wait for answers, and who has given them
//! away. It knows neither threads nor clocks: whoever divides work does so by these rules. A part that is over is
//! forgotten, so that what is kept does not grow with the exploration.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The number of a part: they are given in the order in which parts come into being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PartId(pub u64);

/// The parts of an exploration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parts<U, A> {
    ready: VecDeque<(PartId, U)>,
    /// Those that are not over.
    parts: BTreeMap<PartId, Part<U, A>>,
    /// How many there have been.
    n_parts: u64,
    n_working: usize,
}

/// A part: which one has given it away, and what came for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part<U, A> {
    from: Option<PartId>,
    mail: Vec<A>,
    /// The part, where it waits for answers.
    asleep: Option<U>,
}

impl<U, A> Parts<U, A> {
    /// One part, which is all.
    pub fn new(unit: U) -> Parts<U, A> {
        let mut parts = Parts { ready: VecDeque::new(), parts: BTreeMap::new(), n_parts: 0, n_working: 0 };
        parts.add(None, unit);
        parts
    }

    fn add(&mut self, from: Option<PartId>, unit: U) {
        let id = PartId(self.n_parts);
        self.n_parts += 1;
        self.parts.insert(id, Part { from, mail: Vec::new(), asleep: None });
        self.ready.push_back((id, unit));
    }

    fn part(&mut self, part: PartId) -> &mut Part<U, A> {
        self.parts.get_mut(&part).expect("the part is not over")
    }

    /// How many wait for somebody.
    pub fn n_ready(&self) -> usize {
        self.ready.len()
    }

    /// How many are not over, and how many are.
    pub fn n_open_and_done(&self) -> (u64, u64) {
        let n_open = self.parts.len() as u64;
        (n_open, self.n_parts - n_open)
    }

    /// Somebody works on the next part that waits, if there is one.
    pub fn take(&mut self) -> Option<(PartId, U)> {
        let next = self.ready.pop_front()?;
        self.n_working += 1;
        Some(next)
    }

    /// Whether nothing is left, and nobody works on anything.
    pub fn is_done(&self) -> bool {
        let is_done = self.ready.is_empty() && self.n_working == 0;
        assert!(!is_done || self.parts.is_empty(), "a part waits for an answer that nobody gives");
        is_done
    }

    /// A part gives something away.
    pub fn give(&mut self, from: PartId, unit: U) {
        self.add(Some(from), unit);
    }

    /// Whether somebody has given a part away.
    pub fn is_given(&self, part: PartId) -> bool {
        self.parts[&part].from.is_some()
    }

    /// Nothing is left of a part: whoever has given it away gets the answer, and waits for it at the latest when
    /// nothing else is left of its own. Tells whether that one has waited for it.
    pub fn finish(&mut self, part: PartId, answer: Option<A>) -> bool {
        self.n_working -= 1;
        let Part { from, mail, .. } = self.parts.remove(&part).expect("the part is not over");
        assert!(mail.is_empty(), "a part is over that has not looked at an answer");
        let (Some(from), Some(answer)) = (from, answer) else { return false };
        let owner = self.part(from);
        owner.mail.push(answer);
        let Some(unit) = owner.asleep.take() else { return false };
        self.ready.push_front((from, unit));
        true
    }

    /// A part is put down, for somebody to go on with.
    pub fn put_down(&mut self, part: PartId, unit: U) {
        self.n_working -= 1;
        self.ready.push_back((part, unit));
    }

    /// Whether nothing came for a part.
    pub fn has_no_mail(&self, part: PartId) -> bool {
        self.parts[&part].mail.is_empty()
    }

    /// What came for a part.
    pub fn take_mail(&mut self, part: PartId) -> Vec<A> {
        std::mem::take(&mut self.part(part).mail)
    }

    /// A part waits for answers, and nobody works on it. Tells whether it does: not where something came for it.
    pub fn put_to_sleep(&mut self, part: PartId, unit: U) -> bool {
        if !self.has_no_mail(part) {
            return false;
        }
        self.part(part).asleep = Some(unit);
        self.n_working -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{PartId, Parts};

    const ALL: PartId = PartId(0);
    const GIVEN: PartId = PartId(1);

    #[test]
    fn a_part_that_waits_goes_on_with_the_answer() {
        let mut parts: Parts<&str, u32> = Parts::new("all");
        assert_eq!(parts.take(), Some((ALL, "all")));
        parts.give(ALL, "given");
        assert!(parts.put_to_sleep(ALL, "rest"));
        assert!(!parts.is_done());
        assert_eq!(parts.take(), Some((GIVEN, "given")));
        assert!(parts.is_given(GIVEN) && !parts.is_given(ALL));
        assert!(parts.finish(GIVEN, Some(7)), "the first part has waited");
        assert_eq!(parts.take(), Some((ALL, "rest")));
        assert_eq!(parts.take_mail(ALL), [7]);
        assert!(!parts.finish(ALL, None));
        assert!(parts.is_done());
        assert_eq!(parts.n_open_and_done(), (0, 2));
    }

    #[test]
    fn a_part_with_an_answer_does_not_sleep() {
        let mut parts: Parts<&str, u32> = Parts::new("all");
        parts.take();
        parts.give(ALL, "given");
        parts.take();
        assert!(!parts.finish(GIVEN, Some(7)), "the first part is at work");
        assert!(!parts.put_to_sleep(ALL, "rest"));
        assert_eq!((parts.take_mail(ALL), parts.n_ready()), (vec![7], 0));
    }

    #[test]
    fn a_part_that_is_put_down_is_taken_again() {
        let mut parts: Parts<&str, u32> = Parts::new("all");
        parts.take();
        parts.give(ALL, "given");
        parts.put_down(ALL, "rest");
        assert_eq!((parts.take(), parts.take()), (Some((GIVEN, "given")), Some((ALL, "rest"))));
        assert!(!parts.finish(ALL, None), "who has given something away need not wait where nothing comes back");
        assert!(!parts.finish(GIVEN, None));
        assert!(parts.is_done());
    }
}
