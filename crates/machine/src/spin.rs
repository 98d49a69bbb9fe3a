//! Spin loops: a thread that would look at the same values again.
//!
//! A thread about to read stands where it stood before, in the same state, and has done nothing in between that
//! others can see: it has only read. Unless a value changes it will do the same for ever. Running on is then the same as having read later in the
//! first place, so the thread blocks here: the loop becomes one read and an assumption.
//!
//! The state compared is: the functions and instructions of all frames, the registers that are live there, the private
//! memory and the counters (but for those of a loop bound). Reads, fences, compare-exchanges that fail and read-modify-writes that put back the value that was there change nothing.

use crate::history::{History, Next, Step};
use crate::thread::{Counts, Kept, KeptFrame};
use raddle_event::{Action, Locations, Reply};
use raddle_program::{BlockId, FunctionId, Program, Reg, live_at_start};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How far back to look for the same state.
const LOOK_BACK: u32 = 64;

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

/// How many actions ago the thread at `step`, about to take a visible action, was in the same state, where it was.
pub(crate) fn round(history: &History, step: Step, program: &Program, locations: &Locations, live: &mut Live) -> Option<u32> {
    let node = history.node(step);
    let (Next::Action(_), Some(now)) = (&node.next, &node.kept) else { return None };
    let (mut reply, mut quiet, mut above) = (&node.reply, node.output.is_none(), node.parent);
    for n in 1..=LOOK_BACK {
        let before = history.node(above.filter(|_| quiet)?);
        let Next::Action(action) = &before.next else { return None };
        if !changes_nothing(action, reply, locations) {
            return None;
        }
        if action_alike(&node.next, action) && before.kept.as_ref().is_some_and(|kept| is_same(kept, now, program, live)) {
            return Some(n);
        }
        (reply, quiet, above) = (&before.reply, before.output.is_none(), before.parent);
    }
    None
}

fn action_alike(next: &Next, action: &Action) -> bool {
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

fn is_same(before: &Kept, now: &Kept, program: &Program, live: &mut Live) -> bool {
    before.replies == now.replies
        && same_counts(&before.counts, &now.counts)
        && same_frames(before.frames.as_ref(), now.frames.as_ref(), program, live)
        && (Rc::ptr_eq(&before.store, &now.store) || before.store == now.store)
}

/// How often loops have gone round does not matter: a bound only cuts what would go on like this.
fn same_counts(before: &Counts, now: &Counts) -> bool {
    let of = |counts: &Counts| (counts.spawned, counts.frames, counts.reserved);
    of(before) == of(now) && before.notes == now.notes
}

fn same_frames(mut a: Option<&Rc<KeptFrame>>, mut b: Option<&Rc<KeptFrame>>, program: &Program, live: &mut Live) -> bool {
    loop {
        match (a, b) {
            (None, None) => return true,
            (Some(x), Some(y)) if Rc::ptr_eq(x, y) => return true,
            (Some(x), Some(y)) => {
                if x.frame.function != y.frame.function || x.frame.at != y.frame.at || x.frame.depth != y.frame.depth {
                    return false;
                }
                let live = live.before(program, x.frame.function, x.frame.at);
                if live.iter().any(|reg| x.registers[reg.index()] != y.registers[reg.index()]) {
                    return false;
                }
                (a, b) = (x.below.as_ref(), y.below.as_ref());
            }
            _ => return false,
        }
    }
}
