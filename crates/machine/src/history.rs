//! The history tree of a thread: which replies led to which next action.
//!
//! A thread is deterministic: what it does next is a function of the replies it has got. So its code runs once per
//! history, whatever the interleaving; going back is going to an earlier node, and going forward along a known path is
//! a look-up. A node keeps the thread's state, so that a new reply can be run from there. Histories that lead to the
//! same state may go on as one ([`crate::states`]): a node then has the parent by which it was first reached.
//!
//! Memory is bounded: when the trees grow too large, everything but the paths in use is dropped, to be run again if
//! needed.

use crate::output::Piece;
use crate::thread::Kept;
use raddle_event::{Action, Fault, Guard, LocationId, Published, Reply, ThreadId, Value};
use raddle_program::FunctionId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// What a thread does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// It wants this, and waits for the reply.
    Action(Action),
    /// It has returned from its first function with these values.
    Ended(SmallVec<[u64; 1]>),
    /// It has ended the program.
    Exited(i32),
    /// It will never go on, and nothing is wrong with that.
    Blocked(Blocked),
    /// It has gone wrong, in this way.
    Fault(Fault),
    /// It has reached something that this machine cannot run.
    Unsupported(String),
    /// It runs on and on without a visible action.
    Endless,
    /// It needs a value that is not known yet; only where it is fetched out of order.
    Unknown,
}

/// What kind of thing a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The thread has not started.
    Absent,
    /// It has returned from its first function.
    Ended,
    /// It has ended the program, or has gone wrong.
    Over,
    /// It never goes on, and nothing is wrong with that.
    Blocked,
    /// It waits for the end of another.
    Joins,
    /// It reads, and nothing guards that.
    Reads,
    /// It looks at a value that it may wait for: a read or read-modify-write that has been seen to end a round of a
    /// loop in vain.
    Awaits,
    /// It writes.
    Writes,
    /// It makes a choice.
    Chooses,
    /// It does something else.
    Acts,
}

/// What lies ahead of a thread, in short: enough for most questions about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// What kind of thing it is.
    pub kind: Kind,
    /// The location that it accesses, where it does.
    pub at: LocationId,
}

impl Ahead {
    /// Of a thread that has not started.
    pub const ABSENT: Ahead = Ahead { kind: Kind::Absent, at: LocationId(u32::MAX) };

    fn of(next: &Next) -> Ahead {
        let kind = match next {
            Next::Action(Action::Read { guard: Some(Guard::Ended), .. }) => Kind::Joins,
            Next::Action(Action::Read { guard: None, .. }) => Kind::Reads,
            Next::Action(Action::Write { .. }) => Kind::Writes,
            Next::Action(Action::Choose { .. }) => Kind::Chooses,
            Next::Action(_) => Kind::Acts,
            Next::Blocked(_) => Kind::Blocked,
            Next::Ended(_) => Kind::Ended,
            _ => Kind::Over,
        };
        let at = if let Next::Action(action) = next { action.location() } else { None };
        Ahead { kind, at: at.unwrap_or(Ahead::ABSENT.at) }
    }
}

/// Why a thread never goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blocked {
    /// An assumption does not hold.
    Assume,
    /// It would look at the same values again: a spin loop becomes a read and an assumption.
    Spin,
    /// A loop has gone round as often as the bound allows.
    LoopBound,
    /// What was guessed of a compare-exchange is not so, and what follows depends on that: this is no execution.
    Guess,
    /// It stands for the values that a choice without a given range leaves out.
    Values,
}

/// A moment in the history of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HistoryId(u32);

/// A node of a history tree.
pub(crate) struct Node {
    pub parent: Option<HistoryId>,
    /// The reply that led here from the parent.
    pub reply: Reply,
    pub next: Next,
    /// The same in short.
    pub ahead: Ahead,
    pub kept: Option<Kept>,
    /// What was printed on the way here.
    pub output: Option<Rc<[Piece]>>,
    /// What goes to the shared memory when the action here is taken.
    pub image: Option<Rc<Vec<Published>>>,
    /// Where the thread spins: how many actions a round of its loop has.
    pub round: u32,
    /// Whether several histories lead here, so that what the parents say holds for one of them only.
    pub is_joined: bool,
    /// Whether what comes later relies on the one history that leads here: no other may join it.
    pub is_sealed: bool,
    /// Where the thread joins another: the end of the other at which it did so last, and where that led.
    pub joined: Option<(HistoryId, HistoryId)>,
    /// Whether it was reached to see where a value leads that a thread may wait for: it is kept as long as its parent.
    pub is_looked_at: bool,
    children: Children,
}

/// Where replies lead from a node. Most replies are words, which are found without a look at all that a reply can be.
#[derive(Default)]
struct Children {
    done: Option<HistoryId>,
    words: SmallVec<[(u64, HistoryId); 2]>,
    others: Vec<(Reply, HistoryId)>,
}

impl Children {
    #[inline(always)]
    fn get(&self, reply: &Reply) -> Option<HistoryId> {
        match reply {
            Reply::Done => self.done,
            Reply::Value(Value::Word(word)) => self.words.iter().find(|(known, _)| known == word).map(|c| c.1),
            _ => self.others.iter().find(|(known, _)| known == reply).map(|c| c.1),
        }
    }

    fn add(&mut self, reply: Reply, step: HistoryId) {
        debug_assert_eq!(self.get(&reply), None, "a reply leads to one node at most");
        match reply {
            Reply::Done => self.done = Some(step),
            Reply::Value(Value::Word(word)) => self.words.push((word, step)),
            _ => self.others.push((reply, step)),
        }
    }

    fn all(&self) -> impl Iterator<Item = HistoryId> + '_ {
        self.done.into_iter().chain(self.words.iter().map(|child| child.1)).chain(self.others.iter().map(|child| child.1))
    }

    fn all_replies(&self) -> Vec<(Reply, HistoryId)> {
        let words = self.words.iter().map(|&(word, step)| (Reply::Value(Value::Word(word)), step));
        self.done.map(|step| (Reply::Done, step)).into_iter().chain(words).chain(self.others.iter().cloned()).collect()
    }

    fn retain(&mut self, stays: impl Fn(HistoryId) -> bool) {
        self.done = self.done.filter(|&step| stays(step));
        self.words.retain(|child| stays(child.1));
        self.others.retain(|child| stays(child.1));
    }
}

/// Where a thread starts: its number, function and argument.
pub(crate) type Start = (ThreadId, FunctionId, u64);

/// The history trees of all threads.
///
/// Invariants:
/// 1. A reply leads from a node to one node at most.
/// 2. The parent of a node, its children and the roots are there.
#[derive(Default)]
pub(crate) struct History {
    nodes: Vec<Option<Node>>,
    free: Vec<HistoryId>,
    roots: FxHashMap<Start, HistoryId>,
    /// Whether some thread has come to a choice, in some execution.
    has_choices: bool,
    /// About how many bytes the nodes take.
    bytes: usize,
    /// About how many took the nodes in use when the trees were last cut back.
    in_use: usize,
}

impl History {
    /// When the trees are cut back.
    const MOST_BYTES: usize = 48 << 20;

    /// The node; it must exist.
    #[inline]
    pub fn node(&self, step: HistoryId) -> &Node {
        self.nodes[step.0 as usize].as_ref().expect("a step in use is kept")
    }

    /// Where a thread is when it has started.
    pub fn root(&self, start: &Start) -> Option<HistoryId> {
        self.roots.get(start).copied()
    }

    /// Remembers where a thread is when it has started.
    pub fn set_root(&mut self, start: Start, step: HistoryId) {
        self.roots.insert(start, step);
    }

    /// Where a reply leads.
    #[inline(always)]
    pub fn child(&self, step: HistoryId, reply: &Reply) -> Option<HistoryId> {
        self.node(step).children.get(reply)
    }

    /// The replies that are known to lead on from a node, with where they lead.
    pub fn replies(&self, step: HistoryId) -> Vec<(Reply, HistoryId)> {
        self.node(step).children.all_replies()
    }

    /// A new node below `parent`.
    pub fn add(&mut self, parent: Option<HistoryId>, reply: Reply, next: Next, kept: Option<Kept>) -> HistoryId {
        self.bytes += size_of::<Node>() + kept.as_ref().map_or(0, weight);
        let ahead = Ahead::of(&next);
        self.has_choices |= ahead.kind == Kind::Chooses;
        let node = Node {
            parent,
            reply: reply.clone(),
            next,
            ahead,
            kept,
            output: None,
            image: None,
            round: 0,
            is_joined: false,
            is_sealed: false,
            joined: None,
            is_looked_at: false,
            children: Children::default(),
        };
        let step = match self.free.pop() {
            Some(step) => {
                self.nodes[step.0 as usize] = Some(node);
                step
            }
            None => {
                self.nodes.push(Some(node));
                HistoryId(self.nodes.len() as u32 - 1)
            }
        };
        if let Some(parent) = parent {
            self.node_mut(parent).children.add(reply, step);
        }
        step
    }

    /// A reply leads from a node to one that is there.
    pub fn link(&mut self, from: HistoryId, reply: Reply, to: HistoryId) {
        self.node_mut(from).children.add(reply, to);
        self.node_mut(to).is_joined = true;
    }

    /// The last so many steps that led to one can have no other way to them from now on.
    pub fn seal(&mut self, step: HistoryId, n_steps: u32) {
        let mut at = Some(step);
        for _ in 0..n_steps {
            let Some(step) = at else { return };
            let node = self.node_mut(step);
            (node.is_sealed, at) = (true, node.parent);
        }
    }

    /// Whether a step is among the last so many that led to another.
    pub fn led_to(&self, step: HistoryId, to: HistoryId, most: usize) -> bool {
        std::iter::successors(Some(to), |&at| self.node(at).parent).take(most).any(|at| at == step)
    }

    /// Puts what comes next in place of a node that nobody goes back to.
    pub fn replace(&mut self, step: HistoryId, next: Next, kept: Option<Kept>) -> HistoryId {
        let ahead = Ahead::of(&next);
        self.has_choices |= ahead.kind == Kind::Chooses;
        let node = self.node_mut(step);
        (node.ahead, node.next, node.kept) = (ahead, next, kept);
        step
    }

    /// Whether some thread has come to a choice, in some execution.
    pub fn has_choices(&self) -> bool {
        self.has_choices
    }

    /// The thread does not go on from here.
    pub fn block(&mut self, step: HistoryId, why: Blocked) {
        let node = self.node_mut(step);
        node.next = Next::Blocked(why);
        node.ahead = Ahead::of(&node.next);
    }

    /// The node, to complete it.
    pub fn node_mut(&mut self, step: HistoryId) -> &mut Node {
        self.nodes[step.0 as usize].as_mut().expect("a step in use is kept")
    }

    /// Whether it is time to [`History::cut_back`].
    pub fn is_full(&self) -> bool {
        // Where the paths in use take much, cutting back again and again would take longer than all else.
        self.bytes > Self::MOST_BYTES.max(2 * self.in_use)
    }

    /// What was looked at from a node that stays stays too.
    fn keep_looks(&self, stays: &mut [bool]) {
        let mut open: Vec<usize> = (0..stays.len()).filter(|&number| stays[number]).collect();
        while let Some(number) = open.pop() {
            let node = self.nodes[number].as_ref().expect("what stays is there");
            for child in node.children.all().map(|child| child.0 as usize) {
                if !stays[child] && self.nodes[child].as_ref().is_some_and(|child| child.is_looked_at) {
                    stays[child] = true;
                    open.push(child);
                }
            }
        }
    }

    /// Drops every node that is not on the way to one of `used`.
    pub fn cut_back(&mut self, used: impl Iterator<Item = HistoryId>) {
        let mut stays = vec![false; self.nodes.len()];
        for step in used {
            let mut at = Some(step);
            while let Some(step) = at.filter(|s| !stays[s.0 as usize]) {
                stays[step.0 as usize] = true;
                at = self.node(step).parent;
            }
        }
        self.keep_looks(&mut stays);
        self.roots.retain(|_, step| stays[step.0 as usize]);
        self.bytes = 0;
        for (number, node) in self.nodes.iter_mut().enumerate() {
            match node {
                Some(node) if stays[number] => {
                    node.joined = None;
                    node.children.retain(|step| stays[step.0 as usize]);
                    self.bytes += size_of::<Node>() + node.kept.as_ref().map_or(0, weight);
                }
                Some(_) => {
                    *node = None;
                    self.free.push(HistoryId(number as u32));
                }
                None => {}
            }
        }
        self.in_use = self.bytes;
        debug_assert!(self.is_sound());
    }

    /// Decides from scratch whether all that nodes lead to is there.
    fn is_sound(&self) -> bool {
        let is_there = |step: HistoryId| self.nodes[step.0 as usize].is_some();
        let leads = |node: &Node| node.parent.into_iter().chain(node.children.all()).all(is_there);
        self.roots.values().all(|&root| is_there(root)) && self.nodes.iter().flatten().all(leads)
    }
}

/// About how many bytes of a kept state are its own.
fn weight(kept: &Kept) -> usize {
    let frame = kept.frames.as_ref().map_or(0, |f| f.registers.len() * 8 + 128);
    // A store that nobody else holds was written since the last node: a page or two.
    let store = if Rc::strong_count(&kept.store) <= 2 { 1200 } else { 0 };
    frame + store
}
