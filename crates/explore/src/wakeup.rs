//! Wakeup trees: the beginnings of executions that are still to be explored from one point (POPL 2014, definition 6.1).
//!
//! A tree is ordered: what was put in first is explored first. No path of the tree is redundant with one left of it.

use crate::initials::Sequence;
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

    /// Adds a single step at the end.
    pub fn push(&mut self, step: Step, footprint: Footprint) {
        self.branches.push(Branch { step, footprint, tree: WakeupTree::default() });
    }

    /// Puts a sequence in, unless what it leads to is covered by a path that is there: then goes down along that path,
    /// and stops where the path ends.
    pub fn insert<S: System>(&mut self, execution: &Execution<S>, mut sequence: Sequence) {
        let mut tree = self;
        loop {
            let covers = |b: &Branch| sequence.has_weak_initial(execution, b.step, &b.footprint);
            let Some(at) = tree.branches.iter().position(covers) else {
                return tree.append(execution, sequence);
            };
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
