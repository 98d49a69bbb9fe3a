//! Wakeup trees: the beginnings of executions that are still to be explored from one point (POPL 2014, definition 6.1).
//!
//! A tree is ordered: what was put in first is explored first. No path of the tree is redundant with one left of it.

use crate::initials::Sequence;
use crate::sleep::SleepSet;
use crate::{Execution, System};
use raddle_event::{Footprint, Step};

/// A branch: a step, what it touches where it is taken, and what may follow.
pub struct Branch {
    pub step: Step,
    pub footprint: Footprint,
    pub tree: WakeupTree,
}

/// Beginnings of executions, in the order in which to explore them.
#[derive(Default)]
pub struct WakeupTree {
    branches: Vec<Branch>,
}

impl WakeupTree {
    /// Whether nothing is to be explored.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Takes out the first branch.
    pub fn pop(&mut self) -> Option<Branch> {
        (!self.branches.is_empty()).then(|| self.branches.remove(0))
    }

    /// Whether a branch begins with the step.
    pub fn contains(&self, step: Step) -> bool {
        self.branches.iter().any(|branch| branch.step == step)
    }

    /// Adds a single step at the end.
    pub fn push(&mut self, step: Step, footprint: Footprint) {
        self.branches.push(Branch { step, footprint, tree: WakeupTree::default() });
    }

    /// Adds the outcomes of choices that the tree leaves out, except those that sleep.
    ///
    /// Whoever puts a step to sleep relies on everything after it having been explored. A path that leads through a choice shows one
    /// outcome of it only; the others must be explored from the same point.
    pub fn complete_choices(&mut self, sleep: &SleepSet) {
        for n in 0..self.branches.len() {
            let (first, outcomes) = (self.branches[n].step, self.branches[n].footprint.outcomes);
            for choice in 0..outcomes {
                let step = Step { choice, ..first };
                if !sleep.contains(step) && !self.branches.iter().any(|branch| branch.step == step) {
                    let footprint = self.branches[n].footprint.clone();
                    self.push(step, footprint);
                }
            }
        }
    }

    /// Puts a sequence in, unless what it leads to is covered by a path that is there: then goes down along that path,
    /// and stops where the path ends. `sleep` is what sleeps where the tree begins.
    pub fn insert<S: System>(&mut self, execution: &Execution<S>, mut sequence: Sequence, sleep: &SleepSet) {
        let mut tree = self;
        // The outcomes of choices that sleep where we are.
        let mut asleep: Vec<Step> = sleep.iter().filter(|(_, footprint)| footprint.outcomes > 0).map(|(step, _)| *step).collect();
        loop {
            let known = |step: Step| asleep.contains(&step) || tree.contains(step);
            let covers = |b: &Branch| sequence.is_covered_by(execution, b.step, &b.footprint, known);
            let Some(at) = tree.branches.iter().position(covers) else {
                return tree.append(execution, sequence);
            };
            let path = tree.branches[at].step.actor;
            asleep.extend(tree.branches.iter().take(at).filter(|b| b.footprint.outcomes > 0).map(|b| b.step));
            asleep.retain(|step| step.actor != path);
            if let Some(first) = sequence.initial(execution, tree.branches[at].step) {
                sequence.items.remove(first);
            }
            if tree.branches[at].tree.is_empty() {
                return;
            }
            tree = &mut tree.branches[at].tree;
        }
    }

    fn append<S: System>(&mut self, execution: &Execution<S>, sequence: Sequence) {
        let mut tree = self;
        for item in sequence.items {
            tree.push(item.step, item.footprint(execution).clone());
            tree = &mut tree.branches.last_mut().expect("it was just added").tree;
        }
    }
}
