//! Wakeup trees: the beginnings of executions that are still to be explored from one point (POPL 2014, definition 6.1).
//!
//! A tree is ordered: what was put in first is explored first. No path of the tree is redundant with one left of it. The branches of all trees
//! lie in one table, the [`Forest`], so that growing and cutting trees allocates nothing.

use crate::initials::Sequence;
use crate::sleep::SleepSet;
use crate::{Execution, System};
use raddle_event::{Footprint, Step};

/// The place of a branch in the forest.
#[derive(Clone, Copy)]
struct BranchId(u32);

/// A branch: a step, what it touches where it is taken, what may follow, and the branch to the right of it.
struct Branch {
    step: Step,
    footprint: Footprint,
    tree: WakeupTree,
    right: WakeupTree,
}

/// Beginnings of executions, in the order in which to explore them: the leftmost branch, from which the others are found.
#[derive(Clone, Copy, Default)]
pub struct WakeupTree(Option<BranchId>);

impl WakeupTree {
    /// Whether nothing is to be explored.
    pub fn is_empty(self) -> bool {
        self.0.is_none()
    }
}

/// The branches of all trees.
#[derive(Default)]
pub struct Forest {
    branches: Vec<Branch>,
    /// Branches that are in no tree.
    spare: Vec<BranchId>,
}

impl Forest {
    fn branch(&self, id: BranchId) -> &Branch {
        &self.branches[id.0 as usize]
    }

    /// The branches of a tree, from left to right.
    fn branches(&self, tree: WakeupTree) -> impl Iterator<Item = BranchId> + '_ {
        std::iter::successors(tree.0, |id| self.branch(*id).right.0)
    }

    /// Takes out the leftmost branch: its step and what may follow.
    pub fn pop(&mut self, tree: &mut WakeupTree) -> Option<(Step, WakeupTree)> {
        let id = tree.0?;
        self.spare.push(id);
        let branch = self.branch(id);
        *tree = branch.right;
        Some((branch.step, branch.tree))
    }

    /// Whether a branch of the tree begins with the step.
    pub fn contains(&self, tree: WakeupTree, step: Step) -> bool {
        self.branches(tree).any(|id| self.branch(id).step == step)
    }

    /// Adds a single step at the right.
    pub fn push(&mut self, tree: &mut WakeupTree, step: Step, footprint: Footprint) {
        self.add(tree, step, footprint);
    }

    fn add(&mut self, tree: &mut WakeupTree, step: Step, footprint: Footprint) -> BranchId {
        let branch = Branch { step, footprint, tree: WakeupTree(None), right: WakeupTree(None) };
        let id = match self.spare.pop() {
            Some(id) => {
                self.branches[id.0 as usize] = branch;
                id
            }
            None => {
                self.branches.push(branch);
                BranchId(self.branches.len() as u32 - 1)
            }
        };
        match self.branches(*tree).last() {
            Some(last) => self.branches[last.0 as usize].right = WakeupTree(Some(id)),
            None => *tree = WakeupTree(Some(id)),
        }
        id
    }

    /// Adds the outcomes of choices that the tree leaves out, except those that sleep.
    ///
    /// Whoever puts a step to sleep relies on everything after it having been explored. A path that leads through a choice shows one
    /// outcome of it only; the others must be explored from the same point.
    pub fn complete_choices(&mut self, tree: &mut WakeupTree, sleep: &SleepSet) {
        let mut at = tree.0;
        while let Some(id) = at {
            let (first, outcomes) = (self.branch(id).step, self.branch(id).footprint.outcomes);
            for choice in 0..outcomes {
                let step = Step { choice, ..first };
                if !sleep.contains(step) && !self.contains(*tree, step) {
                    let footprint = self.branch(id).footprint.clone();
                    self.push(tree, step, footprint);
                }
            }
            at = self.branch(id).right.0;
        }
    }

    /// Puts a sequence in, unless what it leads to is covered by a path that is there: then goes down along that path,
    /// and stops where the path ends. `sleep` is what sleeps where the tree begins.
    pub fn insert<S: System>(&mut self, tree: &mut WakeupTree, execution: &Execution<S>, sequence: &mut Sequence, sleep: &SleepSet) {
        // The outcomes of choices that sleep where we are.
        let mut asleep: Vec<Step> = sleep.iter().filter(|(_, footprint)| footprint.outcomes > 0).map(|(step, _)| *step).collect();
        let mut above = None;
        let mut here = *tree;
        loop {
            let known = |step: Step| asleep.contains(&step) || self.contains(here, step);
            let covers = |id: &BranchId| sequence.is_covered_by(execution, self.branch(*id).step, &self.branch(*id).footprint, known);
            let Some(at) = self.branches(here).find(covers) else { break };
            let chosen = self.branch(at);
            let passed = self.branches(here).take_while(|id| id.0 != at.0).map(|id| self.branch(id));
            asleep.extend(passed.filter(|b| b.footprint.outcomes > 0).map(|b| b.step));
            asleep.retain(|step| step.actor != chosen.step.actor);
            if let Some(first) = sequence.initial(execution, chosen.step) {
                sequence.items.remove(first);
            }
            if chosen.tree.is_empty() {
                return;
            }
            (above, here) = (Some(at), chosen.tree);
        }
        self.append(&mut here, execution, sequence);
        match above {
            Some(at) => self.branches[at.0 as usize].tree = here,
            None => *tree = here,
        }
    }

    /// Adds a path at the right of a tree.
    fn append<S: System>(&mut self, tree: &mut WakeupTree, execution: &Execution<S>, sequence: &Sequence) {
        let mut above: Option<BranchId> = None;
        for item in &sequence.items {
            let footprint = item.footprint(execution).clone();
            let id = match above {
                None => self.add(tree, item.step, footprint),
                Some(_) => self.add(&mut WakeupTree(None), item.step, footprint),
            };
            if let Some(above) = above {
                self.branches[above.0 as usize].tree = WakeupTree(Some(id));
            }
            above = Some(id);
        }
    }
}
