//! Relations between the events of a graph, as the definitions of models are written in them.

/// Pairs of events, which are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relation {
    /// For each event the set of those that it is related to, a bit each; the sets stand one behind the other.
    rows: Vec<u64>,
    /// How many events there are.
    n: usize,
    /// How many words a set has.
    width: usize,
}

impl Relation {
    /// The pairs of `n` events for which something holds.
    pub fn new(n: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let mut pairs = Relation::empty(n);
        for a in 0..n {
            (0..n).filter(|&b| holds(a, b)).for_each(|b| pairs.add(a, b));
        }
        pairs
    }

    /// Each event for which something holds, with itself.
    pub fn of(n: usize, holds: impl Fn(usize) -> bool) -> Relation {
        let mut pairs = Relation::empty(n);
        (0..n).filter(|&a| holds(a)).for_each(|a| pairs.add(a, a));
        pairs
    }

    /// No pairs.
    pub fn empty(n: usize) -> Relation {
        let width = n.div_ceil(64);
        Relation { rows: vec![0; n * width], n, width }
    }

    /// One more pair.
    pub fn add(&mut self, a: usize, b: usize) {
        self.rows[a * self.width + b / 64] |= 1 << (b % 64);
    }

    /// What an event is related to.
    fn row(&self, a: usize) -> &[u64] {
        &self.rows[a * self.width..(a + 1) * self.width]
    }

    /// Relates an event to all that another one is related to.
    fn follow(&mut self, a: usize, b: usize) {
        for word in 0..self.width {
            self.rows[a * self.width + word] |= self.rows[b * self.width + word];
        }
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a * self.width + b / 64] >> (b % 64) & 1 == 1
    }

    /// The pairs of either.
    pub fn or(&self, other: &Relation) -> Relation {
        let rows = self.rows.iter().zip(&other.rows).map(|(a, b)| a | b).collect();
        Relation { rows, ..*self }
    }

    /// The pairs that lead over this relation and then the other one.
    pub fn then(&self, other: &Relation) -> Relation {
        let mut pairs = Relation::empty(self.n);
        for a in 0..self.n {
            let row = &mut pairs.rows[a * self.width..(a + 1) * self.width];
            for b in (0..self.n).filter(|&b| self.has(a, b)) {
                row.iter_mut().zip(other.row(b)).for_each(|(word, theirs)| *word |= theirs);
            }
        }
        pairs
    }

    /// The pairs that also meet a condition.
    pub fn and(&self, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::new(self.n, |a, b| self.has(a, b) && holds(a, b))
    }

    /// One step or none.
    pub fn maybe(&self) -> Relation {
        self.or(&Relation::of(self.n, |_| true))
    }

    /// One step or more.
    pub fn plus(&self) -> Relation {
        let mut closure = self.clone();
        let is_forward = |a: usize| (0..=a).all(|b| !self.has(a, b));
        if (0..self.n).all(is_forward) {
            // What the later ones lead to is known when the earlier ones ask.
            for a in (0..self.n).rev() {
                (a..self.n).filter(|&b| self.has(a, b)).for_each(|b| closure.follow(a, b));
            }
            return closure;
        }
        for middle in 0..self.n {
            for a in 0..self.n {
                if closure.has(a, middle) {
                    closure.follow(a, middle);
                }
            }
        }
        closure
    }

    /// Any number of steps.
    pub fn star(&self) -> Relation {
        self.plus().maybe()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&word| word == 0)
    }

    pub fn is_irreflexive(&self) -> bool {
        (0..self.n).all(|event| !self.has(event, event))
    }

    pub fn is_acyclic(&self) -> bool {
        self.plus().is_irreflexive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_and_compositions() {
        let next = Relation::new(70, |a, b| b == a + 1);
        assert!(next.plus().has(0, 69) && !next.plus().has(69, 0) && next.is_acyclic());
        assert!(next.then(&next).has(3, 5) && !next.then(&next).has(3, 4));
        assert!(next.maybe().has(7, 7) && next.and(|a, _| a > 3).has(4, 5) && !next.and(|a, _| a > 3).has(3, 4));
        let around = next.or(&Relation::new(70, |a, b| (a, b) == (69, 60)));
        assert!(around.plus().has(0, 65) && around.plus().has(65, 65) && !around.plus().has(59, 59));
        assert!(!next.or(&Relation::new(70, |a, b| (a, b) == (69, 0))).is_acyclic());
    }
}
