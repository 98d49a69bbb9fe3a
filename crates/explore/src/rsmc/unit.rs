//! Units of work: explorations of commits, or parts of them, as plain values that can be written down, sent and gone on
//! with elsewhere.
//!
//! A unit is a run with the nodes of its events. A way that is left at a node, or a template, can be [given
//! away](Rsmc::give_away) together with all that follows. Templates for loads before the part are [handed
//! back](Rsmc::answer), and [accepted](Rsmc::accept) by whoever owns the nodes of these loads, unless they are known
//! there. The paper's Q is a set, so it does not matter in which order it grows.

use super::{Commits, Next, Node, Planned, Queued, Rsmc, Template, Ways};
use crate::{Branch, Left, Misfit, Sink, Turn, Turned};
use raddle_event::{EventId, Way};
use serde::{Deserialize, Serialize};

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitUnit {
    run: Vec<(EventId, Way)>,
    nodes: Vec<Node>,
    owners: Vec<Option<usize>>,
    next: Next,
    /// The first node that belongs to the unit.
    first: usize,
    handed: Vec<Handed>,
    /// The branches on the way to where it goes on, as far as the sink knows them.
    path: Vec<Turned>,
    /// Whether it begins with a template, which is a branch of the node before the first.
    is_branch: bool,
}

/// What was found for a node of somebody else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Handed {
    /// A template, and whether its store takes what the load has read.
    Template { node: usize, template: Vec<Planned>, takes: bool },
    /// The load at the end of a template has refused to read from the store before it.
    Refused { node: usize, template: Vec<Planned> },
}

/// What comes of a unit that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitAnswer {
    /// The node from which it was given away.
    node: usize,
    handed: Vec<Handed>,
}

impl CommitUnit {
    /// The same with the branches on the way to it, of those that a sink has seen: all, or, where it was given away,
    /// those before the node from which it was.
    pub(crate) fn along<S>(self, sink: &dyn Sink<S>, is_given: bool) -> CommitUnit {
        let before = if is_given { 2 * self.first as u32 } else { u32::MAX };
        CommitUnit { path: sink.path(before), ..self }
    }

    /// Whether its parts fit together.
    fn is_sound(&self) -> bool {
        let n = self.run.len();
        let is_inside = |rest: &Option<(Template, usize)>| rest.as_ref().is_none_or(|(template, at)| *at < template.len());
        let is_node = |node: &Node| node.base <= n && is_inside(&node.rest) && node.n_tried <= node.templates.len();
        let is_owner = |owner: &Option<usize>| owner.is_none_or(|owner| owner < self.nodes.len());
        let is_run = self.owners.len() == n && self.owners.iter().all(is_owner);
        let is_next = if let Next::Down(rest) = &self.next { is_inside(rest) } else { true };
        is_run && self.first <= self.nodes.len() && self.nodes.iter().all(is_node) && is_next
    }
}

impl<'s, S: Commits> Rsmc<'s, S> {
    /// The first events of the run, as they were committed.
    fn run(&self, n: usize) -> Vec<(EventId, Way)> {
        (0..n).map(|at| (self.system.event(at), self.system.way(at, &|other| other < at))).collect()
    }

    /// What is left of the exploration, to be gone on with elsewhere.
    pub fn write_down(&self) -> CommitUnit {
        CommitUnit {
            run: self.run(self.system.len()),
            nodes: self.nodes.clone(),
            owners: self.owners.clone(),
            next: self.next.clone(),
            first: self.first,
            handed: self.handed.iter().cloned().collect(),
            path: Vec::new(),
            is_branch: false,
        }
    }

    /// Goes on with a unit, in a system in which nothing is committed; the sink is told the branches on the way.
    pub(crate) fn read_for(system: &'s mut S, sink: &mut dyn Sink<S>, unit: CommitUnit) -> Result<Self, Misfit> {
        sink.follow(&unit.path);
        let is_branch = unit.is_branch;
        let rsmc = Rsmc::read(system, unit)?;
        if let Some(node) = rsmc.nodes[..rsmc.first].last().filter(|_| is_branch) {
            let branch = Branch { point: rsmc.first as u32 - 1, turn: Turn::Another };
            sink.turns(rsmc.system, branch, rsmc.system.accesses(node.event));
        }
        Ok(rsmc)
    }

    /// Goes on with a unit, in a system in which nothing is committed.
    pub fn read(system: &'s mut S, unit: CommitUnit) -> Result<Self, Misfit> {
        if !unit.is_sound() {
            return Err(Misfit);
        }
        let CommitUnit { run, nodes, owners, next, first, handed, .. } = unit;
        for (event, way) in run {
            if !system.can_commit(event, way) {
                return Err(Misfit);
            }
            system.commit(event, way);
        }
        Ok(Rsmc { next, nodes, first, owners, handed: handed.into_iter().collect(), ..Rsmc::new(system) })
    }

    /// Gives away a way or a template that is left at the earliest node that has one.
    pub fn give_away(&mut self) -> Option<CommitUnit> {
        let (at, template) = (self.first..self.nodes.len()).find_map(|at| match &self.nodes[at] {
            node if !node.ways.is_empty() => Some((at, None)),
            node => Some((at, Some(node.n_tried + node.templates[node.n_tried..].iter().position(|queued| !queued.is_given)?))),
        })?;
        let run = self.run(self.nodes[at].base);
        let mut nodes: Vec<Node> = self.nodes[..=at].iter().map(Node::known).collect();
        let (mine, given) = (&mut self.nodes[at], &mut nodes[at]);
        mine.n_given += 1;
        let next = match template {
            None => {
                given.ways.push(mine.ways.remove(0));
                given.plain = mine.plain.filter(|&plain| plain == 0);
                mine.plain = mine.plain.and_then(|plain| plain.checked_sub(1));
                Next::Turn
            }
            Some(n) => {
                mine.templates[n].is_given = true;
                (given.templates, given.n_tried) = (vec![mine.templates[n].clone()], 1);
                Next::Down(Some((mine.templates[n].template.clone(), 0)))
            }
        };
        let owners = self.owners[..self.nodes[at].base].to_vec();
        let is_branch = template.is_some();
        Some(CommitUnit { run, nodes, owners, next, first: at + 1, handed: Vec::new(), path: Vec::new(), is_branch })
    }

    /// What was found for nodes before the first one, where a part that was given away is over.
    pub fn answer(self) -> CommitAnswer {
        debug_assert_eq!(self.left(), Left::Nothing);
        CommitAnswer { node: self.first - 1, handed: self.handed.into_iter().collect() }
    }

    /// A part that was given away is over.
    pub fn accept(&mut self, answer: CommitAnswer) -> Result<(), Misfit> {
        let CommitAnswer { node: from, handed } = answer;
        let is_mine = (self.first..self.nodes.len()).contains(&from) && self.nodes[from].n_given > 0;
        if !is_mine || handed.iter().any(|handed| handed.node() > from) {
            return Err(Misfit);
        }
        self.nodes[from].n_given -= 1;
        if self.next == Next::Nothing {
            self.next = Next::Turn;
        }
        for handed in handed {
            match handed {
                handed if handed.node() < self.first => _ = self.handed.insert(handed),
                Handed::Template { node, template, takes } => self.queue(node, template, takes),
                Handed::Refused { node, template } => self.nodes[node].refuse(&template),
            }
        }
        Ok(())
    }
}

impl Handed {
    fn node(&self) -> usize {
        let (Handed::Template { node, .. } | Handed::Refused { node, .. }) = self;
        *node
    }
}

impl Node {
    /// The node as a part knows it that is given away from here or later: what has been tried.
    fn known(&self) -> Node {
        let templates = self.templates[..self.n_tried].to_vec();
        Node { ways: Ways::new(), templates, n_given: 0, ..self.clone() }
    }

    /// The load at the end of a template has refused to read from the store before it, elsewhere. Where the store has
    /// to come first by now, it is tried again.
    fn refuse(&mut self, template: &[Planned]) {
        let Some(known) = self.templates.iter_mut().rfind(|known| *known.template == *template) else { return };
        known.is_refused = !known.takes;
        if known.takes {
            let again = Queued { is_given: false, ..known.clone() };
            self.templates.push(again);
        }
    }
}
