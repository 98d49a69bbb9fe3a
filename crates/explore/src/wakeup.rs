//! Wakeup trees: the beginnings of executions that are still to be explored from one point (POPL 2014, definition 6.1).
//!
//! A tree is ordered: what was put in first is explored first. No path of the tree is redundant with one left of it.
//! The branches of all trees lie in one table, the [`Forest`], so that growing and cutting trees allocates nothing.
//!
//! Deviation: threads may make choices, which the paper's do not. A choice is made as soon as it can be, before
//! anything else. So where one can be made, the branches are outcomes of it and nothing else, and a sequence that
//! leaves it open is put in once for each outcome. What an outcome leads to that no execution has shown yet is not
//! known: where that is a choice, it is put before what the tree has as soon as it is known
//! (docs/algorithms/optimal.md, "Choices").

use crate::initials::{Cover, Events, Sequence};
use crate::open_races::{Apart, OpenRaces};
use crate::{Execution, System};
use raddle_event::{Footprint, Numbered, Renumber, Step, now_and_then};
use serde::{Deserialize, Serialize};

/// The place of a branch in the forest.
#[derive(Clone, Copy)]
pub struct BranchId(u32);

/// A branch: a step, what it touches where it is taken, what may follow, and the branch to the right of it.
struct Branch {
    step: Step,
    footprint: Footprint,
    tree: WakeupTree,
    right: WakeupTree,
    explored: Explored,
}

/// Where a branch is explored. Only leaves are explored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Explored {
    /// Here, when its turn comes.
    #[default]
    Here,
    /// Elsewhere, now.
    Elsewhere,
    /// It has been explored elsewhere.
    Done,
}

/// A step on the way to a leaf, after the branches left of it.
pub type Led = (Vec<Step>, Step);

/// A branch as a plain value, so many branches below the root. Its branches come right after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    depth: u32,
    step: Step,
    footprint: Footprint,
    explored: Explored,
}

impl Planned {
    /// Whether these are the branches of a tree, each before what may follow it.
    pub fn is_tree(planned: &[Planned]) -> bool {
        let mut most = 0;
        planned.iter().all(|branch| {
            let is_next = branch.depth <= most;
            most = branch.depth + 1;
            is_next
        })
    }
}

impl Numbered for Planned {
    fn renumber(&mut self, numbers: &mut dyn Renumber) {
        self.step.renumber(numbers);
        self.footprint.renumber(numbers);
    }
}

/// Beginnings of executions, in the order in which to explore them: the leftmost branch, from which the others are
/// found.
#[derive(Clone, Copy, Default)]
pub struct WakeupTree(Option<BranchId>);

impl WakeupTree {
    /// Whether nothing is to be explored.
    pub fn is_empty(self) -> bool {
        self.0.is_none()
    }
}

/// The branches of all trees.
///
/// Invariants, for the branches of one point:
/// 1. No two of them have the same step.
/// 2. What is explored elsewhere, or has been, is a leaf.
/// 3. Where one of them is an outcome of a choice, all are outcomes of that choice.
#[derive(Default)]
pub struct Forest {
    branches: Vec<Branch>,
    /// Branches that are in no tree.
    spare: Vec<BranchId>,
    /// Whether some branch was an outcome of a choice, here or where the trees come from.
    pub has_choices: bool,
}

impl Forest {
    fn branch(&self, id: BranchId) -> &Branch {
        &self.branches[id.0 as usize]
    }

    /// The branches of a tree, from left to right.
    fn branches(&self, tree: WakeupTree) -> impl Iterator<Item = BranchId> + '_ {
        std::iter::successors(tree.0, |id| self.branch(*id).right.0)
    }

    /// Decides the invariants for the branches of one point.
    fn is_sound(&self, tree: WakeupTree) -> bool {
        let all: Vec<&Branch> = self.branches(tree).map(|id| self.branch(id)).collect();
        let chooses = |branch: &Branch| (branch.footprint.outcomes > 0).then_some(branch.step.actor);
        let is_new = |n: usize| all[..n].iter().all(|left| left.step != all[n].step && chooses(left) == chooses(all[n]));
        (0..all.len()).all(|n| is_new(n) && (all[n].explored == Explored::Here || all[n].tree.is_empty()))
    }

    /// Takes out the leftmost branch: its step and what may follow.
    pub fn pop(&mut self, tree: &mut WakeupTree) -> Option<(Step, WakeupTree)> {
        let id = tree.0?;
        self.spare.push(id);
        let branch = self.branch(id);
        *tree = branch.right;
        Some((branch.step, branch.tree))
    }

    /// The step of the leftmost branch.
    pub fn first(&self, tree: WakeupTree) -> Option<Step> {
        tree.0.map(|id| self.branch(id).step)
    }

    /// Where the leftmost branch is explored.
    pub fn next_explored(&self, tree: WakeupTree) -> Explored {
        tree.0.map_or(Explored::Here, |id| self.branch(id).explored)
    }

    /// A leaf that is to be explored here, as far right as there is one, gets explored elsewhere. Gives the path to it,
    /// each step with the branches left of it. Where threads make choices, it is a branch of the point itself: what is
    /// below may have to be put behind a choice that is not known yet ([`Forest::after_choice`]).
    pub fn give_away(&mut self, tree: WakeupTree) -> Option<Vec<Led>> {
        let mut path = Vec::new();
        let id = self.find_leaf(tree, &mut path)?;
        self.branches[id.0 as usize].explored = Explored::Elsewhere;
        Some(path)
    }

    fn find_leaf(&self, tree: WakeupTree, path: &mut Vec<Led>) -> Option<BranchId> {
        let all: Vec<BranchId> = self.branches(tree).collect();
        for (n, &id) in all.iter().enumerate().rev() {
            let Branch { step, tree, explored, .. } = self.branch(id);
            let left = all[..n].iter().map(|&left| self.branch(left).step).collect();
            path.push((left, *step));
            let found = match tree.is_empty() {
                true => Some(id).filter(|_| *explored == Explored::Here),
                false if self.has_choices => None,
                false => self.find_leaf(*tree, path),
            };
            if found.is_some() {
                return found;
            }
            path.pop();
        }
        None
    }

    /// The branch at the end of a path, if there is one.
    pub fn find(&self, tree: WakeupTree, path: &[Step]) -> Option<BranchId> {
        let (last, above) = path.split_last()?;
        let tree = match above {
            [] => tree,
            _ => self.branch(self.find(tree, above)?).tree,
        };
        self.branches(tree).find(|&id| self.branch(id).step == *last)
    }

    /// A leaf has been explored elsewhere, where its step touched this. Tells whether it is a leaf that was given away.
    pub fn note_done(&mut self, id: BranchId, touched: Footprint) -> bool {
        let Branch { explored, footprint, tree, .. } = &mut self.branches[id.0 as usize];
        let is_given = *explored == Explored::Elsewhere && tree.is_empty();
        if is_given {
            (*explored, *footprint) = (Explored::Done, touched);
        }
        is_given
    }

    /// Adds a single step at the right.
    pub fn push(&mut self, tree: &mut WakeupTree, step: Step, footprint: Footprint) {
        self.add(tree, step, footprint);
    }

    fn add(&mut self, tree: &mut WakeupTree, step: Step, footprint: Footprint) -> BranchId {
        self.has_choices |= footprint.outcomes > 0;
        let branch = Branch { step, footprint, tree: WakeupTree(None), right: WakeupTree(None), explored: Explored::Here };
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
        debug_assert!(!now_and_then(id.0 as usize) || self.is_sound(*tree));
        id
    }

    /// Whether the branches of a tree are outcomes of one choice where one can be made, and of none where none can be.
    pub fn chooses_first<S: System>(&self, tree: WakeupTree, execution: &Execution<S>) -> bool {
        let can_choose = execution.first_choice().is_some();
        let first = tree.0.map(|id| self.branch(id).step.actor);
        let is_outcome = |branch: &Branch| branch.footprint.outcomes > 0;
        self.branches(tree)
            .map(|id| self.branch(id))
            .all(|branch| is_outcome(branch) == can_choose && (!can_choose || Some(branch.step.actor) == first))
    }

    /// Whether the branches of a tree are outcomes of a choice.
    fn is_choice(&self, tree: WakeupTree) -> bool {
        tree.0.is_some_and(|id| self.branch(id).footprint.outcomes > 0)
    }

    /// The tree of a point that is entered, with a choice that can be made there before all that it has. What an
    /// outcome leads to that no execution has shown is known only now.
    #[inline]
    pub fn choose_first<S: System>(&mut self, tree: WakeupTree, execution: &Execution<S>) -> WakeupTree {
        if self.has_choices { self.after_choice(tree, execution.first_choice()) } else { tree }
    }

    /// A tree with a choice before all that it has, unless it begins with one: its branches stand below each of the
    /// outcomes.
    pub fn after_choice(&mut self, tree: WakeupTree, choice: Option<(Step, Footprint)>) -> WakeupTree {
        let Some((first, footprint)) = choice.filter(|_| !self.is_choice(tree)) else { return tree };
        let mut all = WakeupTree(None);
        for choice in 0..footprint.outcomes {
            let below = if choice == 0 { tree } else { self.copy(tree) };
            let id = self.add(&mut all, Step { choice, ..first }, footprint.clone());
            self.branches[id.0 as usize].tree = below;
        }
        all
    }

    /// The same tree once more.
    fn copy(&mut self, tree: WakeupTree) -> WakeupTree {
        let mut copied = WakeupTree(None);
        for id in self.branches(tree).collect::<Vec<_>>() {
            let Branch { step, footprint, tree, explored, .. } = self.branch(id);
            debug_assert_eq!(*explored, Explored::Here, "a branch that was given away stays where it is");
            let (step, footprint, below) = (*step, footprint.clone(), *tree);
            let below = self.copy(below);
            let id = self.add(&mut copied, step, footprint);
            self.branches[id.0 as usize].tree = below;
        }
        copied
    }

    /// A branch that is in no tree.
    pub fn keep(&mut self, step: Step, footprint: Footprint) -> BranchId {
        self.add(&mut WakeupTree(None), step, footprint)
    }

    /// The branches of a tree, each before what may follow it.
    pub fn planned(&self, tree: WakeupTree) -> Vec<Planned> {
        let (mut planned, mut left) = (Vec::new(), vec![(0, tree)]);
        while let Some((depth, tree)) = left.pop() {
            let Some(Branch { step, footprint, tree, right, explored }) = tree.0.map(|id| self.branch(id)) else { continue };
            planned.push(Planned { depth, step: *step, footprint: footprint.clone(), explored: *explored });
            left.extend([(depth, *right), (depth + 1, *tree)]);
        }
        planned
    }

    /// The tree of these branches.
    pub fn grow(&mut self, planned: Vec<Planned>) -> WakeupTree {
        let mut path: Vec<BranchId> = Vec::new();
        let mut tree = WakeupTree(None);
        for Planned { depth, step, footprint, explored } in planned {
            let id = self.keep(step, footprint);
            self.branches[id.0 as usize].explored = explored;
            let branch = |id: BranchId| id.0 as usize;
            match path.get(depth as usize) {
                Some(&left) => self.branches[branch(left)].right = WakeupTree(Some(id)),
                None => match path.last() {
                    Some(&above) => self.branches[branch(above)].tree = WakeupTree(Some(id)),
                    None => tree = WakeupTree(Some(id)),
                },
            }
            path.truncate(depth as usize);
            path.push(id);
        }
        tree
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

    /// The step of a branch, and what it touches where it is taken.
    pub fn get(&self, id: BranchId) -> (Step, &Footprint) {
        (self.branch(id).step, &self.branch(id).footprint)
    }

    /// Puts a sequence in, unless what it leads to is covered by a path that is there: then goes down along that path,
    /// and stops where the path ends. The race notes which branches it is left to.
    pub fn insert(&mut self, tree: &mut WakeupTree, events: &impl Events, sequence: &mut Sequence, race: &mut OpenRaces) {
        let mut above = None;
        let mut here = *tree;
        loop {
            let cover = |id: BranchId| sequence.cover(events, self.branch(id).step, &self.branch(id).footprint).map(|cover| (id, cover));
            let Some((at, cover)) = self.branches(here).find_map(cover) else { break };
            match cover {
                Cover::Begins(first) => _ = sequence.items.remove(first),
                // When the event that is taken early has been taken, the race is reversed.
                Cover::Apart if sequence.has_early() => race.leave_to(Apart::Branch(at)),
                Cover::Apart => {}
            }
            let chosen = self.branch(at);
            if chosen.tree.is_empty() {
                return;
            }
            sequence.come_after(events, &chosen.footprint);
            here = chosen.tree;
            if self.has_choices {
                here = self.after_choice(here, sequence.choice(events));
                self.branches[at.0 as usize].tree = here;
            }
            above = Some(at);
        }
        let open = self.branches(here).find(|id| sequence.leaves_open(self.branch(*id).step, &self.branch(*id).footprint));
        match open {
            Some(choice) => self.insert_each(&mut here, choice, events, sequence, race),
            None => self.append(&mut here, events, sequence),
        }
        match above {
            Some(at) => self.branches[at.0 as usize].tree = here,
            None => *tree = here,
        }
        debug_assert!(!now_and_then(self.branches.len()) || self.is_sound(*tree) && self.is_sound(here));
    }

    /// Puts a sequence of one step in, where `cover` says how a branch covers it; tells whether that could be done
    /// without a look below the branches.
    #[inline(always)]
    pub fn insert_alone(
        &mut self,
        tree: &mut WakeupTree,
        (step, footprint): (Step, &Footprint),
        cover: impl Fn(Step, &Footprint) -> Option<Cover>,
        race: &mut OpenRaces,
    ) -> bool {
        for id in self.branches(*tree) {
            let branch = self.branch(id);
            match cover(branch.step, &branch.footprint) {
                None => {}
                Some(_) if !branch.tree.is_empty() => return false,
                Some(by) => {
                    if by == Cover::Apart {
                        race.leave_to(Apart::Branch(id));
                    }
                    return true;
                }
            }
        }
        self.add(tree, step, footprint.clone());
        true
    }

    /// Puts a sequence in once for each outcome of a choice that it leaves open.
    fn insert_each(&mut self, tree: &mut WakeupTree, choice: BranchId, events: &impl Events, sequence: &Sequence, race: &mut OpenRaces) {
        let Branch { step, footprint, .. } = self.branch(choice);
        let (first, footprint) = (*step, footprint.clone());
        for choice in 0..footprint.outcomes {
            self.insert(tree, events, &mut sequence.after_choice(Step { choice, ..first }, &footprint), race);
        }
    }

    /// Adds a path at the right of a tree.
    fn append(&mut self, tree: &mut WakeupTree, events: &impl Events, sequence: &mut Sequence) {
        sequence.choose_early(events);
        let mut above: Option<BranchId> = None;
        for item in &sequence.items {
            let footprint = item.footprint(events).clone();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Op, Op::*, Toy, run, step};
    use raddle_event::Position;

    /// The steps of a tree as it is explored: what follows a step stands in brackets.
    fn draw(forest: &Forest, tree: WakeupTree) -> String {
        let branch = |id: BranchId| {
            let Branch { step, tree, .. } = forest.branch(id);
            let choice = if step.choice > 0 { format!(".{}", step.choice) } else { String::new() };
            format!("{}{choice}[{}]", step.actor.0, draw(forest, *tree))
        };
        forest.branches(tree).map(branch).collect()
    }

    /// Puts sequences into a tree: each reverses the race of the first event with the last one of an execution.
    fn grown(threads: &[&[Op]], executions: &[&[u32]]) -> String {
        let (mut forest, mut tree, mut sequence, mut open) =
            (Forest::default(), WakeupTree::default(), Sequence::default(), OpenRaces::default());
        for steps in executions {
            let mut toy = Toy::new(threads);
            let execution = run(&mut toy, steps);
            assert_eq!(execution.races(), [Position(0)]);
            sequence.reverse(&execution, Position(0));
            forest.insert(&mut tree, &execution, &mut sequence, &mut open);
        }
        draw(&forest, tree)
    }

    /// T0 writes x. The others read it, after something else or at once.
    const THREADS: &[&[Op]] = &[&[Write(0)], &[Write(1), Read(0)], &[Read(0)], &[Write(2), Read(0)]];

    #[test]
    fn a_sequence_that_nothing_covers_becomes_a_path_at_the_right() {
        assert_eq!(grown(THREADS, &[&[0, 1, 1]]), "1[1[]]");
        assert_eq!(
            grown(&[&[Write(0)], &[Write(0)], &[Read(0)]], &[&[0, 1], &[0, 2]]),
            "1[]2[]",
            "a write and a read of x depend on each other"
        );
    }

    /// What a step leads to from here is covered by a branch that is apart from it, if the branch has nothing that
    /// follows.
    #[test]
    fn a_leaf_covers_what_is_independent_of_it() {
        assert_eq!(grown(THREADS, &[&[0, 2], &[0, 1, 1]]), "2[]");
    }

    /// T3's sequence goes down along T1's path, all of which is independent of it, and ends where the path does.
    #[test]
    fn a_sequence_goes_down_along_a_path_that_covers_it() {
        assert_eq!(grown(THREADS, &[&[0, 1, 1], &[0, 3, 3]]), "1[1[]]");
        // What T1 and T3 do in between is independent: T3's sequence begins with its own step, and has T1's in it.
        assert_eq!(grown(THREADS, &[&[0, 1, 3, 3]]), "1[3[3[]]]");
        assert_eq!(grown(THREADS, &[&[0, 1, 3, 3], &[0, 3, 1, 1]]), "1[3[3[]]]");
    }

    /// Below a common beginning the paths part where their steps depend on each other.
    #[test]
    fn paths_part_where_nothing_covers() {
        let threads: &[&[Op]] = &[&[Write(0)], &[Write(1), Write(0)], &[Read(1), Write(0)]];
        assert_eq!(grown(threads, &[&[0, 1, 1], &[0, 2, 2], &[0, 1, 2, 2]]), "1[1[]2[2[]]]2[2[]]");
    }

    #[test]
    fn what_is_taken_out_makes_room() {
        let (mut forest, mut tree) = (Forest::default(), WakeupTree::default());
        for thread in 0..3 {
            forest.push(&mut tree, step(thread), Footprint::default());
        }
        assert_eq!(forest.pop(&mut tree).map(|(step, rest)| (step, rest.is_empty())), Some((step(0), true)));
        forest.push(&mut tree, step(3), Footprint::default());
        assert_eq!((draw(&forest, tree).as_str(), forest.branches.len()), ("1[]2[]3[]", 3));
    }

    /// A sequence that leaves a choice open is put in once for each outcome.
    #[test]
    fn choices_stand_side_by_side() {
        let (mut forest, mut tree, mut sequence, mut open) =
            (Forest::default(), WakeupTree::default(), Sequence::default(), OpenRaces::default());
        let choice = Footprint { outcomes: 3, thread: 3, ..Footprint::default() };
        forest.push(&mut tree, Step { choice: 1, ..step(3) }, choice.clone());
        forest.complete_choice(&mut tree);
        assert_eq!(draw(&forest, tree), "3.1[]3[]3.2[]");
        let (mut tree, mut toy) = (WakeupTree::default(), Toy::new(&[&[Write(0)], &[Read(0)], &[], &[Choose(3)]]));
        forest.push(&mut tree, step(3), choice);
        let execution = run(&mut toy, &[0, 1]);
        sequence.reverse(&execution, Position(0));
        forest.insert(&mut tree, &execution, &mut sequence, &mut open);
        assert_eq!(draw(&forest, tree), "3[]3.1[1[]]3.2[1[]]", "where the first outcome is a leaf it covers what follows it");
    }
}
