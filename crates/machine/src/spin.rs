//! Spin loops: a thread that would look at the same values again.
//!
//! A thread about to read stands where it stood before, in the same state, and has done nothing in between that others
//! can see: it has only read. Unless a value changes it will do the same for ever. Running on is then the same as
//! having read later in the first place, so the thread blocks here: the loop becomes one read and an assumption.
//!
//! A write is nothing that others can see where it puts what the thread itself had written there last, and no other
//! thread writes there ([`crate::owners`]).
//!
//! The state compared is: the functions and instructions of all frames, the registers that are live there, the private
//! memory and the counters (but for those of a loop bound). Reads, fences, compare-exchanges that fail and
//! read-modify-writes that put back the value that was there change nothing.

use crate::history::{History, HistoryId, Next, Node};
use crate::snapshot::agree;
use crate::thread::{Counts, Kept, KeptFrame};
use raddle_event::{Action, LocationId, Locations, Reply, Value};
use raddle_program::{BlockId, FunctionId, Program, Reg, live_at_start};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// How far back to look for the same state.
pub const LOOK_BACK: u32 = 64;

/// The registers that are live before an instruction, found when they are first asked for.
#[derive(Default)]
pub(crate) struct Live {
    before: FxHashMap<(FunctionId, u32), Rc<[Reg]>>,
    blocks: FxHashMap<FunctionId, Vec<Vec<Reg>>>,
}

impl Live {
    /// The registers that are live before an instruction of a function.
    pub fn before(&mut self, program: &Program, id: FunctionId, at: u32) -> Rc<[Reg]> {
        if let Some(live) = self.before.get(&(id, at)) {
            return live.clone();
        }
        let function = &program.functions[id.index()];
        let blocks = self.blocks.entry(id).or_insert_with(|| live_at_start(function));
        let block = function.block_of(at as usize);
        let mut live: Vec<Reg> = function.successors(block).iter().flat_map(|to: &BlockId| blocks[to.index()].clone()).collect();
        for instr in function.code[at as usize..function.block(block).end].iter().rev() {
            instr.all_defs(function, |reg| live.retain(|&l| l != reg));
            instr.all_uses(function, |reg| live.push(reg));
        }
        live.retain(|reg| reg.0 < function.registers);
        live.sort();
        live.dedup();
        let live: Rc<[Reg]> = live.into();
        self.before.insert((id, at), live.clone());
        live
    }
}

/// A round of a loop that has changed nothing.
pub(crate) struct Round {
    /// How many actions it has.
    pub len: u32,
    /// Where it has written again what the thread had written there before.
    pub rewritten: SmallVec<[LocationId; 2]>,
    /// How many of the last steps show that.
    pub shown_by: u32,
}

/// The round that has led a thread, about to take a visible action, back to the state that it was in, where it has
/// changed nothing. Locations that other threads write are `contested`. That a block that is one step begins and ends
/// (`block`) changes nothing.
pub(crate) fn round(
    history: &History,
    step: HistoryId,
    locations: &Locations,
    block: Option<LocationId>,
    contested: impl Fn(LocationId) -> bool,
) -> Option<Round> {
    let node = history.node(step);
    let (Next::Action(_), Some(now)) = (&node.next, &node.kept) else { return None };
    let (mut at, mut writes) = (node, false);
    for len in 1..=LOOK_BACK {
        let (before, action) = previous(history, at).filter(|_| at.output.is_none())?;
        let is_border = block.is_some() && action.location() == block;
        if !is_border && !changes_nothing(action, &at.reply, locations) {
            // Behind a write histories may be joined: then it is not known what came before.
            let is_open = matches!(action, Action::Write { at, .. } if !contested(*at)) && !at.is_joined;
            writes = is_open.then_some(true)?;
        }
        if action_alike(&node.next, action) && before.kept.as_ref().is_some_and(|kept| is_same(kept, now)) {
            let none = Round { len, rewritten: SmallVec::new(), shown_by: 0 };
            return if writes { rewriting(history, node, len, locations) } else { Some(none) };
        }
        at = before;
    }
    None
}

/// The node before another, and the action that led from there.
pub(crate) fn previous<'h>(history: &'h History, node: &Node) -> Option<(&'h Node, &'h Action)> {
    let before = history.node(node.parent?);
    match &before.next {
        Next::Action(action) => Some((before, action)),
        _ => None,
    }
}

/// A round with writes, where each of them writes what the thread itself had written there last.
fn rewriting(history: &History, node: &Node, len: u32, locations: &Locations) -> Option<Round> {
    let mut round = Round { len, rewritten: SmallVec::new(), shown_by: 0 };
    let mut at = node;
    for n in 1..=len {
        let (before, action) = previous(history, at)?;
        if let Action::Write { at: location, value, .. } = action {
            let ago = written_before(history, before, *location, value, locations)?;
            round.shown_by = round.shown_by.max(n + ago);
            if !round.rewritten.contains(location) {
                round.rewritten.push(*location);
            }
        }
        at = before;
    }
    Some(round)
}

/// How many actions before a node the thread has last written to a location, where it was this value and the one
/// history of the node is known so far.
fn written_before(history: &History, node: &Node, location: LocationId, value: &Value, locations: &Locations) -> Option<u32> {
    let range = locations.range(location);
    let mut at = node;
    for ago in 1..=2 * LOOK_BACK {
        let (before, action) = previous(history, at).filter(|_| !at.is_joined)?;
        let is_near = action.location().is_some_and(|other| locations.range(other).overlaps(range));
        let written = match (action, &at.reply) {
            _ if !is_near => None,
            (Action::Write { value, .. }, _) => Some(value.to_u128()),
            (Action::Rmw { rmw, .. }, Reply::Value(old)) => rmw.apply(old.to_u128(), range.size),
            (Action::Read { .. } | Action::Reserve { .. }, _) => None,
            _ => return None,
        };
        if let Some(written) = written {
            return (action.location() == Some(location) && written == value.to_u128()).then_some(ago);
        }
        at = before;
    }
    None
}

pub(crate) fn action_alike(next: &Next, action: &Action) -> bool {
    matches!(next, Next::Action(now) if now == action)
}

/// Whether an action that got this reply left everything as it was.
pub(crate) fn changes_nothing(action: &Action, reply: &Reply, locations: &Locations) -> bool {
    match (action, reply) {
        (Action::Read { guard: None, .. } | Action::Reserve { .. } | Action::Fence(_), _) => true,
        (Action::Rmw { at, rmw, .. }, Reply::Value(old)) if rmw.guard.is_none() => {
            let old = old.to_u128();
            rmw.apply(old, locations.range(*at).size).is_none_or(|new| new == old)
        }
        _ => false,
    }
}

pub(crate) fn is_same(before: &Kept, now: &Kept) -> bool {
    let is_same = before.replies == now.replies
        && same_counts(&before.counts, &now.counts)
        && same_frames(before.frames.as_ref(), now.frames.as_ref())
        && (Rc::ptr_eq(&before.store, &now.store) || before.store == now.store);
    debug_assert_eq!(is_same, agree(before, now), "whether a round has led to the same state");
    is_same
}

/// How often loops have gone round does not matter: a bound only cuts what would go on like this. Nor does how often
/// the thread has woken up for no reason, or found a lock taken.
fn same_counts(before: &Counts, now: &Counts) -> bool {
    let of = |counts: &Counts| (counts.spawned, counts.frames, counts.reserved, counts.stored);
    of(before) == of(now) && before.notes == now.notes
}

/// Registers that are not live are kept as zeros, so all can be compared.
fn same_frames(mut a: Option<&Rc<KeptFrame>>, mut b: Option<&Rc<KeptFrame>>) -> bool {
    loop {
        match (a, b) {
            (None, None) => return true,
            (Some(x), Some(y)) if Rc::ptr_eq(x, y) => return true,
            (Some(x), Some(y)) if x.frame.is_same(&y.frame) && x.registers == y.registers => {
                (a, b) = (x.below.as_ref(), y.below.as_ref());
            }
            _ => return false,
        }
    }
}
