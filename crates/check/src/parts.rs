//! The parts of an exploration that is divided: which wait for somebody, which wait for answers, and who has given them
//! away. It knows neither threads nor clocks: whoever divides work does so by these rules.

use std::collections::VecDeque;

/// The parts of an exploration.
pub(crate) struct Parts<U, A> {
    ready: VecDeque<(usize, U)>,
    parts: Vec<Part<U, A>>,
    n_working: usize,
}

/// A part: which one has given it away, and what came for it.
struct Part<U, A> {
    from: Option<usize>,
    mail: Vec<A>,
    /// The part, where it waits for answers.
    asleep: Option<U>,
}

impl<U, A> Parts<U, A> {
    /// One part, which is all.
    pub fn new(unit: U) -> Parts<U, A> {
        let first = Part { from: None, mail: Vec::new(), asleep: None };
        Parts { ready: VecDeque::from([(0, unit)]), parts: vec![first], n_working: 0 }
    }

    /// How many wait for somebody.
    pub fn n_ready(&self) -> usize {
        self.ready.len()
    }

    /// Somebody works on the next part that waits, if there is one.
    pub fn take(&mut self) -> Option<(usize, U)> {
        let next = self.ready.pop_front()?;
        self.n_working += 1;
        Some(next)
    }

    /// Whether nothing is left, and nobody works on anything.
    pub fn is_done(&self) -> bool {
        let is_done = self.ready.is_empty() && self.n_working == 0;
        let is_awake = |part: &Part<U, A>| part.asleep.is_none();
        assert!(!is_done || self.parts.iter().all(is_awake), "a part waits for an answer that nobody gives");
        is_done
    }

    /// A part gives something away.
    pub fn give(&mut self, from: usize, unit: U) {
        self.ready.push_back((self.parts.len(), unit));
        self.parts.push(Part { from: Some(from), mail: Vec::new(), asleep: None });
    }

    /// Whether somebody has given a part away.
    pub fn is_given(&self, part: usize) -> bool {
        self.parts[part].from.is_some()
    }

    /// Nothing is left of a part: whoever has given it away gets the answer. Tells whether that one has waited for it.
    pub fn finish(&mut self, part: usize, answer: Option<A>) -> bool {
        self.n_working -= 1;
        let (Some(from), Some(answer)) = (self.parts[part].from, answer) else { return false };
        self.parts[from].mail.push(answer);
        let Some(unit) = self.parts[from].asleep.take() else { return false };
        self.ready.push_front((from, unit));
        true
    }

    /// Whether nothing came for a part.
    pub fn has_no_mail(&self, part: usize) -> bool {
        self.parts[part].mail.is_empty()
    }

    /// What came for a part.
    pub fn take_mail(&mut self, part: usize) -> Vec<A> {
        std::mem::take(&mut self.parts[part].mail)
    }

    /// A part waits for answers, and nobody works on it. Tells whether it does: not where something came for it.
    pub fn put_to_sleep(&mut self, part: usize, unit: U) -> bool {
        if !self.has_no_mail(part) {
            return false;
        }
        self.parts[part].asleep = Some(unit);
        self.n_working -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn a_part_that_waits_goes_on_with_the_answer() {
        let mut parts: Parts<&str, u32> = Parts::new("all");
        assert_eq!(parts.take(), Some((0, "all")));
        parts.give(0, "given");
        assert!(parts.put_to_sleep(0, "rest"));
        assert!(!parts.is_done());
        assert_eq!(parts.take(), Some((1, "given")));
        assert!(parts.is_given(1) && !parts.is_given(0));
        assert!(parts.finish(1, Some(7)), "the first part has waited");
        assert_eq!(parts.take(), Some((0, "rest")));
        assert_eq!(parts.take_mail(0), [7]);
        assert!(!parts.finish(0, None));
        assert!(parts.is_done());
    }

    #[test]
    fn a_part_with_an_answer_does_not_sleep() {
        let mut parts: Parts<&str, u32> = Parts::new("all");
        parts.take();
        parts.give(0, "given");
        parts.take();
        assert!(!parts.finish(1, Some(7)), "the first part is at work");
        assert!(!parts.put_to_sleep(0, "rest"));
        assert_eq!((parts.take_mail(0), parts.n_ready()), (vec![7], 0));
    }
}
