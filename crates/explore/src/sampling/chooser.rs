//! Who goes next in a sample.

use super::{Guarantee, Sampling, Strategy};
use raddle_event::Random;

/// The lowest priority that an actor gets at the start. Those below are for actors that were put back.
const LOWEST: u64 = 1 << 32;

/// Decides by a strategy who goes next. Actors have small numbers.
pub struct Chooser {
    strategy: Strategy,
    random: Random,
    /// For each actor its priority (PCT), or that of its next event (POS), where one was drawn.
    priorities: Vec<Option<u64>>,
    /// At which steps of this sample the one that would go next is put back, and to which priority (PCT).
    changes: Vec<(u32, u64)>,
    /// How many steps this sample has.
    len: u32,
    /// The most steps that a sample has had.
    longest: u32,
    /// The most actors that a sample has had.
    most_actors: u32,
    /// How many samples were drawn since then.
    n_since: u64,
}

impl Chooser {
    pub fn new(sampling: &Sampling) -> Chooser {
        Chooser {
            strategy: sampling.strategy,
            random: Random::new(sampling.seed),
            priorities: Vec::new(),
            changes: Vec::new(),
            len: 0,
            longest: 0,
            most_actors: 0,
            n_since: 0,
        }
    }

    /// A sample begins.
    pub fn begin(&mut self) {
        self.len = 0;
        self.priorities.clear();
        self.changes.clear();
        if let (Strategy::Pct { depth }, 1..) = (self.strategy, self.longest) {
            let point = |value| (self.random.below(self.longest), value);
            self.changes.extend((1..u64::from(depth)).map(point));
        }
    }

    /// A sample has come to its end.
    pub fn end(&mut self) {
        let n_actors = self.priorities.iter().flatten().count() as u32;
        if self.len > self.longest || n_actors > self.most_actors {
            self.longest = self.longest.max(self.len);
            self.most_actors = self.most_actors.max(n_actors);
            self.n_since = 0;
        } else {
            self.n_since += 1;
        }
    }

    /// Which of these actors goes next, of which there is at least one: its place among them.
    pub fn choose(&mut self, actors: &[u32]) -> usize {
        let step = self.len;
        self.len += 1;
        if self.strategy == Strategy::Uniform {
            return self.random.below(actors.len() as u32) as usize;
        }
        let mut highest = self.highest(actors);
        for at in 0..self.changes.len() {
            let (point, priority) = self.changes[at];
            if point == step {
                self.priorities[actors[highest] as usize] = Some(priority);
                highest = self.highest(actors);
            }
        }
        highest
    }

    /// The place of the actor with the highest priority. Who has none draws one.
    fn highest(&mut self, actors: &[u32]) -> usize {
        let most = *actors.iter().max().expect("somebody goes on") as usize;
        if self.priorities.len() <= most {
            self.priorities.resize(most + 1, None);
        }
        for &actor in actors {
            self.priorities[actor as usize].get_or_insert_with(|| self.random.word().max(LOWEST));
        }
        (0..actors.len()).max_by_key(|&at| self.priorities[actors[at] as usize]).expect("somebody goes on")
    }

    /// Whether events have priorities of their own.
    pub fn is_by_event(&self) -> bool {
        self.strategy == Strategy::Pos
    }

    /// The next event of an actor draws a new priority.
    pub fn draw_again(&mut self, actor: u32) {
        self.priorities[actor as usize] = None;
    }

    /// One of so many, with the same probability.
    pub fn any(&mut self, n: usize) -> usize {
        self.random.below(n as u32) as usize
    }

    /// What PCT promises of the samples so far.
    pub fn guarantee(&self) -> Option<Guarantee> {
        let Strategy::Pct { depth } = self.strategy else { return None };
        Some(Guarantee { actors: self.most_actors, steps: self.longest, depth, samples: self.n_since })
    }
}
