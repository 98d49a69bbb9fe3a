//! Relations between the events of a graph, as the definitions of models are written in them.

/// Pairs of events, which are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    /// For each event the set of those that it is related to, a bit each.
    rows: Vec<Vec<u64>>,
}

impl Relation {
    /// The pairs of `n` events for which something holds.
    pub fn new(n: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let row = |a: usize| {
            let mut row = vec![0; n.div_ceil(64)];
            (0..n).filter(|&b| holds(a, b)).for_each(|b| row[b / 64] |= 1 << (b % 64));
            row
        };
        Relation { rows: (0..n).map(row).collect() }
    }

    /// Each event for which something holds, with itself.
    pub fn of(n: usize, holds: impl Fn(usize) -> bool) -> Relation {
        Relation::new(n, |a, b| a == b && holds(a))
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    fn n(&self) -> usize {
        self.rows.len()
    }

    /// The pairs of either.
    pub fn or(&self, other: &Relation) -> Relation {
        let either = |(mine, theirs): (&Vec<u64>, &Vec<u64>)| mine.iter().zip(theirs).map(|(a, b)| a | b).collect();
        Relation { rows: self.rows.iter().zip(&other.rows).map(either).collect() }
    }

    /// The pairs that lead over this relation and then the other one.
    pub fn then(&self, other: &Relation) -> Relation {
        let row = |mine: &Vec<u64>| {
            let mut row = vec![0; mine.len()];
            for b in (0..other.n()).filter(|b| mine[b / 64] >> (b % 64) & 1 == 1) {
                row.iter_mut().zip(&other.rows[b]).for_each(|(word, theirs)| *word |= theirs);
            }
            row
        };
        Relation { rows: self.rows.iter().map(row).collect() }
    }

    /// The pairs that also meet a condition.
    pub fn and(&self, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::new(self.n(), |a, b| self.has(a, b) && holds(a, b))
    }

    /// One step or none.
    pub fn maybe(&self) -> Relation {
        self.or(&Relation::of(self.n(), |_| true))
    }

    /// One step or more.
    pub fn plus(&self) -> Relation {
        let mut closure = self.clone();
        let is_forward = |a: usize| (0..=a).all(|b| !self.has(a, b));
        if (0..self.n()).all(is_forward) {
            // What the later ones lead to is known when the earlier ones ask.
            for a in (0..self.n()).rev() {
                let single = Relation { rows: vec![self.rows[a].clone()] };
                let further = single.then(&closure).rows.remove(0);
                closure.rows[a].iter_mut().zip(further).for_each(|(word, theirs)| *word |= theirs);
            }
            return closure;
        }
        for middle in 0..self.n() {
            for a in 0..self.n() {
                if closure.has(a, middle) {
                    let row = closure.rows[middle].clone();
                    closure.rows[a].iter_mut().zip(row).for_each(|(word, theirs)| *word |= theirs);
                }
            }
        }
        closure
    }

    /// Any number of steps.
    pub fn star(&self) -> Relation {
        self.plus().maybe()
    }

    pub fn is_irreflexive(&self) -> bool {
        (0..self.n()).all(|event| !self.has(event, event))
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
