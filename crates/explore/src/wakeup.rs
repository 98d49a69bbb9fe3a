//! Wakeup trees: the beginnings of executions that are still to be explored from one point (POPL 2014, definition 6.1).
//!
//! A tree is ordered: what was put in first is explored first. No path of the tree is redundant with one left of it. The branches of all trees
//! lie in one table, the [`Forest`], so that growing and cutting trees allocates nothing.
//!
//! Deviation: threads may make choices, which the paper's do not. A sequence that leaves a choice open is put in once for each of its
//! outcomes where the tree has that choice. So right of a choice there are only outcomes of the same choice (docs/algorithms/optimal.md).

use crate::initials::Sequence;
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

    /// Adds the outcomes that are missing where the tree begins with a choice.
    pub fn complete_choice(&mut self, tree: &mut WakeupTree) {
        let Some(Branch { step, footprint, .. }) = tree.0.map(|id| self.branch(id)).filter(|branch| branch.footprint.outcomes > 0) else {
            return;
        };
        let (first, footprint) = (*step, footprint.clone());
        for choice in 0..footprint.outcomes {
            let step = Step { choice, ..first };
            if !self.branches(*tree).any(|id| self.branch(id).step == step) {
                self.push(tree, step, footprint.clone());
            }
        }
    }

    /// Puts a sequence in, unless what it leads to is covered by a path that is there: then goes down along that path,
    /// and stops where the path ends.
    pub fn insert<S: System>(&mut self, tree: &mut WakeupTree, execution: &Execution<S>, sequence: &mut Sequence) {
        let mut above = None;
        let mut here = *tree;
        loop {
            let covers = |id: &BranchId| sequence.is_covered_by(execution, self.branch(*id).step, &self.branch(*id).footprint);
            let Some(at) = self.branches(here).find(covers) else { break };
            let chosen = self.branch(at);
            if let Some(first) = sequence.initial(execution, chosen.step) {
                sequence.items.remove(first);
            }
            if chosen.tree.is_empty() {
                return;
            }
            (above, here) = (Some(at), chosen.tree);
        }
        let open = self.branches(here).find(|id| sequence.leaves_open(self.branch(*id).step, &self.branch(*id).footprint));
        match open {
            Some(choice) => self.insert_each(&mut here, choice, execution, sequence),
            None => self.append(&mut here, execution, sequence),
        }
        match above {
            Some(at) => self.branches[at.0 as usize].tree = here,
            None => *tree = here,
        }
    }

    /// Puts a sequence of one step in, where `covers` says whether a branch covers it; tells whether that could be done without a look below the
    /// branches, nor at choices that it leaves open.
    #[inline(always)]
    pub fn insert_alone(
        &mut self,
        tree: &mut WakeupTree,
        step: Step,
        footprint: &Footprint,
        covers: impl Fn(Step, &Footprint) -> bool,
    ) -> bool {
        for branch in self.branches(*tree).map(|id| self.branch(id)) {
            if covers(branch.step, &branch.footprint) {
                return branch.tree.is_empty();
            }
            if branch.footprint.outcomes > 0 {
                return false;
            }
        }
        self.add(tree, step, footprint.clone());
        true
    }

    /// Puts a sequence in once for each outcome of a choice that it leaves open.
    fn insert_each<S: System>(&mut self, tree: &mut WakeupTree, choice: BranchId, execution: &Execution<S>, sequence: &Sequence) {
        let Branch { step, footprint, .. } = self.branch(choice);
        let (first, footprint) = (*step, footprint.clone());
        for choice in 0..footprint.outcomes {
            self.insert(tree, execution, &mut sequence.after_choice(Step { choice, ..first }, &footprint));
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
