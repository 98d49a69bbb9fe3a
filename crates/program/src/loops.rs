//! Marks loops: where one is entered from outside and where it goes into its next iteration.
//!
//! An edge to a block that is still open in a depth-first walk from the first block closes a loop; its target is the
//! head. Every other edge to a head enters the loop. Where such an edge is a jump into the next iteration the mark
//! takes its place; on the others a small block with the mark is put. The registers live at the head are listed with
//! the loop, for the recognition of iterations that change nothing.
//!
//! Every way round passes a mark, which is what bounds and clocks look at; the verifier demands it of programs from
//! elsewhere ([`unmarked_head`]).
//!
//! A cycle may have an entry beside its head (irreducible control flow). The way in through it has no mark, so
//! the first edge from there to the head counts as an iteration.

use crate::field::To;
use crate::{BlockId, Function, Instr, LoopId, Regs, live_at_start};

/// Puts the marks into a function that has none.
pub fn mark_loops(function: &mut Function) {
    debug_assert!(function.loops.is_empty());
    let back = back_edges(function.blocks.len(), [BlockId(0)], |block| function.successors(block));
    if back.is_empty() {
        return;
    }
    let mut heads: Vec<BlockId> = back.iter().map(|edge| edge.1).collect();
    heads.sort();
    heads.dedup();
    let live = live_at_start(function);
    for head in &heads {
        let start = function.lists.len() as u32;
        function.lists.extend(&live[head.index()]);
        function.loops.push(Regs { start, len: live[head.index()].len() as u32 });
    }
    for from in (0..function.blocks.len() as u32).map(BlockId) {
        for to in function.successors(from) {
            if let Ok(number) = heads.binary_search(&to) {
                let at = LoopId(number as u32);
                match back.contains(&(from, to)) {
                    true => go_round(function, from, to, at),
                    false => split(function, from, to, &[Instr::Enter { at }, Instr::Jump { to: To(to) }]),
                }
            }
        }
    }
    if heads.first() == Some(&BlockId(0)) {
        enter_at_start(function);
        function.order_lists();
    }
}

/// A block to which control can come back without a mark of a next iteration on the way. (Code that is never reached
/// needs no marks.)
pub(crate) fn unmarked_head(function: &Function) -> Option<BlockId> {
    let unmarked = |block: BlockId| match function.code[function.block(block).end - 1] {
        Instr::Latch { .. } => Vec::new(),
        _ => function.successors(block),
    };
    let blocks = (0..function.blocks.len() as u32).map(BlockId);
    let goes_back = |from: BlockId| unmarked(from).into_iter().any(|to| to <= from);
    if !blocks.clone().any(goes_back) {
        return None;
    }
    let reached = reached(function);
    let starts = blocks.filter(|block| reached[block.index()]);
    back_edges(function.blocks.len(), starts, unmarked).first().map(|edge| edge.1)
}

/// For each block whether control can come to it.
fn reached(function: &Function) -> Vec<bool> {
    let mut reached = vec![false; function.blocks.len()];
    let mut open = vec![BlockId(0)];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            open.extend(function.successors(block));
        }
    }
    reached
}

/// The edges that go back to a block open in depth-first walks from these blocks.
fn back_edges(
    n_blocks: usize,
    starts: impl IntoIterator<Item = BlockId>,
    successors: impl Fn(BlockId) -> Vec<BlockId>,
) -> Vec<(BlockId, BlockId)> {
    let (mut seen, mut back) = (vec![Seen::No; n_blocks], Vec::new());
    for start in starts {
        if seen[start.index()] == Seen::No {
            walk(start, &mut seen, &mut back, &successors);
        }
    }
    back
}

/// How far a block is in a depth-first walk.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    No,
    Open,
    Closed,
}

fn walk(start: BlockId, seen: &mut [Seen], back: &mut Vec<(BlockId, BlockId)>, successors: impl Fn(BlockId) -> Vec<BlockId>) {
    let mut open = vec![(start, successors(start))];
    seen[start.index()] = Seen::Open;
    while let Some((block, left)) = open.last_mut() {
        let block = *block;
        match left.pop() {
            None => {
                seen[block.index()] = Seen::Closed;
                open.pop();
            }
            Some(to) => match seen[to.index()] {
                Seen::Open => back.push((block, to)),
                Seen::Closed => {}
                Seen::No => {
                    seen[to.index()] = Seen::Open;
                    open.push((to, successors(to)));
                }
            },
        }
    }
}

/// Marks an edge into the next iteration: a jump becomes the mark, any other edge gets a block with it.
fn go_round(function: &mut Function, from: BlockId, to: BlockId, at: LoopId) {
    let (last, mark) = (function.block(from).end - 1, Instr::Latch { at, to: To(to) });
    match function.code[last] {
        Instr::Jump { .. } => function.code[last] = mark,
        _ => split(function, from, to, &[mark]),
    }
}

/// Puts a block with this code on the edge.
fn split(function: &mut Function, from: BlockId, to: BlockId, code: &[Instr]) {
    let middle = BlockId(function.blocks.len() as u32);
    let last = function.block(from).end - 1;
    let place = function.places[last];
    function.code[last].retarget(|target| if target == to { middle } else { target });
    if let Instr::Switch { cases, .. } = function.code[last] {
        for case in &mut function.tables[cases.index()].cases {
            if case.1 == to {
                case.1 = middle;
            }
        }
    }
    function.blocks.push(function.code.len() as u32);
    function.code.extend(code);
    function.places.extend(code.iter().map(|_| place));
}

/// The first block is a head: the mark for the first entry stands in front of it.
fn enter_at_start(function: &mut Function) {
    // Block 0 moves to the end; a new block 0 enters the loop and jumps there.
    let n = BlockId(function.blocks.len() as u32);
    let range = function.block(BlockId(0));
    let code: Vec<_> = function.code[range.clone()].to_vec();
    let places: Vec<_> = function.places[range.clone()].to_vec();
    function.blocks.push(function.code.len() as u32);
    function.code.extend(code);
    function.places.extend(places);
    let to_new = |block: BlockId| if block == BlockId(0) { n } else { block };
    function.code.iter_mut().for_each(|instr| instr.retarget(to_new));
    function.tables.iter_mut().flat_map(|t| &mut t.cases).for_each(|case| case.1 = to_new(case.1));
    let first = [Instr::Enter { at: LoopId(0) }, Instr::Jump { to: To(n) }];
    let place = function.places[0];
    let removed = range.len() as i64 - first.len() as i64;
    function.code.splice(range.clone(), first);
    function.places.splice(range, [place, place]);
    for start in function.blocks.iter_mut().skip(1) {
        *start = (*start as i64 - removed) as u32;
    }
}
