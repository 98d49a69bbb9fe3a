//! How many executions an exploration would have, from a random part of it.
//!
//! Knuth ("Estimating the efficiency of backtrack programs", Mathematics of Computation 1975) goes down a tree once, at
//! random, and weighs what he sees by how many ways he has passed by. Chen ("Heuristic sampling: a method for
//! predicting the performance of tree searching programs", SIAM J. Comput. 1992) keeps several ways at a time, a few of
//! each *stratum* of the tree, which tames the variance. Here an exploration is gone through as always, but most of its
//! branches are passed by: one is kept with a probability p and weighs 1/p times what the branch weighs from which it
//! goes. The heavier it is beside what was seen of its stratum, the larger is p. So of each stratum, which is a range
//! of depths, only a few are kept, whatever the size of the tree.
//!
//! An execution belongs to the last branch on its path, or to none, so there are about as many of them as branches. The
//! estimate is the weight of the branches that were seen, each stratum times the part of those that were kept which
//! came to an execution.
//!
//! The estimate is unbiased where all branches of a point are known when the explorer comes to it, since p depends on
//! the past alone: so it is with graphs, and with [`crate::sleeping`]. Where branches are found by what is explored
//! behind others (wakeup trees, templates of commits), those are missed which only what was passed by would have found.

use crate::sink::{Branch, Turn};
use raddle_event::Random;

/// How many ranges of depths are told apart.
const STRATA: usize = 32;

/// How many branches of a stratum are kept, roughly: times the logarithm of how many there are.
const QUOTA: f64 = 4.0;

/// What was seen of a range of depths, all by weight.
#[derive(Clone, Copy, Default)]
struct Stratum {
    /// The branches.
    seen: f64,
    /// Those that were kept, and those of them that came to an execution.
    kept: f64,
    reached: f64,
    /// The branches of an earlier tour, on average.
    expected: f64,
}

/// A branch on the present path that was kept.
struct Kept {
    /// [`Branch::rank`].
    rank: u32,
    stratum: usize,
    weight: f64,
}

/// Decides which branches are explored, tour by tour.
pub struct Thinning {
    random: Random,
    strata: [Stratum; STRATA],
    path: Vec<Kept>,
    /// How many executions have no branch on their path.
    first: f64,
    /// The deepest point that was seen.
    deepest: u32,
    n_tours: u32,
}

impl Thinning {
    /// Random numbers that begin with a seed.
    pub fn new(seed: u64) -> Thinning {
        let (strata, path) = ([Stratum::default(); STRATA], Vec::new());
        Thinning { random: Random::new(seed), strata, path, first: 0.0, deepest: 0, n_tours: 0 }
    }

    /// A tour begins, or the exploration starts over.
    pub fn begin(&mut self) {
        for stratum in &mut self.strata {
            *stratum = Stratum { expected: stratum.expected, ..Stratum::default() };
        }
        self.path.clear();
        self.first = 0.0;
    }

    /// Whether a branch is explored.
    pub fn keeps(&mut self, branch: Branch) -> bool {
        let Branch { point, turn } = branch;
        while self.path.pop_if(|kept| kept.rank >= branch.ends_from()).is_some() {}
        if turn == Turn::Rest {
            return true;
        }
        self.deepest = self.deepest.max(point);
        let stratum = (point as usize * STRATA / (self.deepest as usize + 1)).min(STRATA - 1);
        let weight = self.path.last().map_or(1.0, |kept| kept.weight);
        let seen = &mut self.strata[stratum];
        seen.seen += weight;
        let chance = QUOTA * weight / seen.seen.max(seen.expected);
        if chance < 1.0 && self.fraction() >= chance {
            return false;
        }
        let weight = weight / chance.min(1.0);
        self.strata[stratum].kept += weight;
        self.path.push(Kept { rank: branch.rank(), stratum, weight });
        true
    }

    /// An execution has come to its end.
    pub fn reach(&mut self) {
        match self.path.last() {
            Some(&Kept { stratum, weight, .. }) => self.strata[stratum].reached += weight,
            None => self.first += 1.0,
        }
    }

    /// A tour is over: how many executions it says that there are.
    pub fn end(&mut self) -> f64 {
        let of_all = self.part(&self.strata).unwrap_or(1.0);
        let executions = |stratum: &Stratum| stratum.seen * self.part(&[*stratum]).unwrap_or(of_all);
        let estimate = self.first + self.strata.iter().map(executions).sum::<f64>();
        self.n_tours += 1;
        for stratum in &mut self.strata {
            stratum.expected += (stratum.seen - stratum.expected) / f64::from(self.n_tours);
        }
        estimate
    }

    /// How many tours have come to their end.
    pub fn n_tours(&self) -> u32 {
        self.n_tours
    }

    /// The part of the branches kept that came to an execution, where any was kept.
    fn part(&self, strata: &[Stratum]) -> Option<f64> {
        let kept: f64 = strata.iter().map(|stratum| stratum.kept).sum();
        let reached: f64 = strata.iter().map(|stratum| stratum.reached).sum();
        (kept > 0.0).then(|| reached / kept)
    }

    /// A number below one.
    fn fraction(&mut self) -> f64 {
        (self.random.word() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Thinning;
    use crate::sink::Branch;
    use crate::toy::{Op, Toy};
    use crate::{End, Sink, optimal, sleeping};
    use std::ops::ControlFlow;

    /// Counts executions that come to their end; passes branches by where it thins.
    #[derive(Default)]
    struct Tour {
        executions: u64,
        thinning: Option<Thinning>,
    }

    impl Sink<Toy> for Tour {
        fn execution(&mut self, _: &Toy, end: End) -> ControlFlow<()> {
            if end == End::Maximal {
                self.executions += 1;
                self.thinning.iter_mut().for_each(Thinning::reach);
            }
            ControlFlow::Continue(())
        }
        fn event(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn wants(&mut self, branch: Branch) -> bool {
            self.thinning.as_mut().is_none_or(|thinning| thinning.keeps(branch))
        }
        fn restart(&mut self) {}
    }

    const SYSTEMS: [&[&[Op]]; 4] = [
        &[&[Op::Write(0); 3], &[Op::Write(0); 3], &[Op::Read(0), Op::Write(0)]],
        &[&[Op::Write(0), Op::Read(1)], &[Op::Write(1), Op::Read(0)], &[Op::Write(2), Op::Read(1)]],
        &[&[Op::Choose(3), Op::Write(0)], &[Op::Write(0), Op::Write(1)], &[Op::Read(1), Op::Read(0)]],
        &[&[Op::Write(0); 5], &[Op::Write(0); 5]],
    ];

    #[test]
    fn sleep_sets_alone_bring_one_execution_of_each_trace_to_its_end() {
        for threads in SYSTEMS {
            let (mut by_sleep, mut by_wakeup) = (Tour::default(), Tour::default());
            let _whole = sleeping(&mut Toy::new(threads), &mut by_sleep);
            let _whole = optimal(&mut Toy::new(threads), &mut by_wakeup);
            assert_eq!(by_sleep.executions, by_wakeup.executions, "{threads:?}");
        }
    }

    /// The mean of many tours is the number of executions, although most of the branches are passed by.
    #[test]
    fn tours_are_right_on_average() {
        for threads in SYSTEMS {
            let mut all = Tour::default();
            let _whole = sleeping(&mut Toy::new(threads), &mut all);
            let mut tour = Tour { executions: 0, thinning: Some(Thinning::new(5)) };
            let mut says = Vec::new();
            for _ in 0..2000 {
                tour.thinning.iter_mut().for_each(Thinning::begin);
                let _whole = sleeping(&mut Toy::new(threads), &mut tour);
                says.extend(tour.thinning.as_mut().map(Thinning::end));
            }
            let (mean, truth) = (says.iter().sum::<f64>() / says.len() as f64, all.executions as f64);
            assert!((mean - truth).abs() < 0.1 * truth, "{mean} of {truth}: {threads:?}");
        }
    }
}
