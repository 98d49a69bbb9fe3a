//! Straightening: jumps that decide nothing are removed.
//!
//! A block with only a jump is skipped by those who go to it, a block that one block alone jumps to is appended to that
//! block, and blocks that cannot be reached are dropped.

use raddle_program::{BlockId, Function, Instr, PlaceId, To};

/// The code of a block in the making.
type Code = Vec<(Instr, PlaceId)>;

/// Removes jumps that decide nothing.
pub fn straighten(function: &mut Function) {
    skip_empty_blocks(function);
    let mut bodies = bodies(function);
    let n_entries = n_entries(function);
    let mut order = Vec::new();
    let mut numbers: Vec<Option<BlockId>> = vec![None; bodies.len()];
    let mut work = vec![BlockId(0)];
    while let Some(block) = work.pop() {
        if numbers[block.index()].is_some() {
            continue;
        }
        numbers[block.index()] = Some(BlockId(order.len() as u32));
        order.push(block);
        absorb(&mut bodies, block, &n_entries);
        let mut next = successors(function, &bodies[block.index()]);
        // The last one pushed comes next: for a branch, the block of its "yes".
        next.reverse();
        work.extend(next);
    }
    rebuild(function, bodies, &order, &numbers);
}

/// Sends those who go to a block with only a jump to where it goes.
fn skip_empty_blocks(function: &mut Function) {
    let goes_on: Vec<Option<BlockId>> = (0..function.blocks.len() as u32)
        .map(|block| match function.code[function.block(BlockId(block))] {
            [Instr::Jump { to }] => Some(to.0),
            _ => None,
        })
        .collect();
    let end = |from: BlockId| {
        let mut at = from;
        // An endless loop of jumps stays as it is.
        for _ in 0..goes_on.len() {
            match goes_on[at.index()] {
                Some(next) => at = next,
                None => return at,
            }
        }
        from
    };
    function.code.iter_mut().for_each(|instr| instr.retarget(end));
    function.tables.iter_mut().flat_map(|table| &mut table.cases).for_each(|case| case.1 = end(case.1));
}

fn bodies(function: &Function) -> Vec<Code> {
    let body = |block| function.block(BlockId(block)).map(|at| (function.code[at], function.places[at])).collect();
    (0..function.blocks.len() as u32).map(body).collect()
}

/// How many blocks go to each block; one more for the first.
fn n_entries(function: &Function) -> Vec<u32> {
    let mut n = vec![0; function.blocks.len()];
    n[0] = 1;
    for block in reachable(function) {
        function.successors(block).iter().for_each(|to| n[to.index()] += 1);
    }
    n
}

fn reachable(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    seen[0] = true;
    let mut found = vec![BlockId(0)];
    let mut at = 0;
    while at < found.len() {
        for to in function.successors(found[at]) {
            if !std::mem::replace(&mut seen[to.index()], true) {
                found.push(to);
            }
        }
        at += 1;
    }
    found
}

/// Appends to a block the blocks that it alone jumps to.
fn absorb(bodies: &mut [Code], block: BlockId, n_entries: &[u32]) {
    while let Some(&(Instr::Jump { to: To(next) }, _)) = bodies[block.index()].last() {
        if next == block || n_entries[next.index()] != 1 {
            return;
        }
        bodies[block.index()].pop();
        let appended = std::mem::take(&mut bodies[next.index()]);
        bodies[block.index()].extend(appended);
    }
}

fn successors(function: &Function, body: &Code) -> Vec<BlockId> {
    let mut to = Vec::new();
    if let Some((last, _)) = body.last() {
        last.targets(|target| to.push(target));
        if let Instr::Switch { cases, .. } = last {
            to.extend(function.tables[cases.index()].cases.iter().map(|case| case.1));
        }
    }
    to
}

fn rebuild(function: &mut Function, bodies: Vec<Code>, order: &[BlockId], numbers: &[Option<BlockId>]) {
    // A table whose switch cannot be reached may name a block that is gone.
    let number = |block: BlockId| numbers[block.index()].unwrap_or(BlockId(0));
    function.code.clear();
    function.places.clear();
    function.blocks.clear();
    for block in order {
        function.blocks.push(function.code.len() as u32);
        for &(mut instr, place) in &bodies[block.index()] {
            instr.retarget(number);
            function.code.push(instr);
            function.places.push(place);
        }
    }
    function.tables.iter_mut().flat_map(|table| &mut table.cases).for_each(|case| case.1 = number(case.1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_program::{Builder, Reg, Use};

    #[test]
    fn a_chain_becomes_one_block_and_the_unreachable_is_dropped() {
        let mut b = Builder::new("chain", 1, 0);
        let blocks: Vec<BlockId> = (0..6).map(|_| b.block()).collect();
        let mut put = |block: usize, instr| {
            b.switch_to(blocks[block]);
            b.push(instr);
        };
        let to = |n: usize| To(blocks[n]);
        put(0, Instr::Jump { to: to(1) });
        put(1, Instr::Assume { c: Use(Reg(0)) });
        put(1, Instr::Jump { to: to(2) });
        put(2, Instr::Branch { c: Use(Reg(0)), yes: to(3), no: to(4) });
        put(3, Instr::Jump { to: to(4) });
        put(4, Instr::Return { values: Default::default() });
        put(5, Instr::Jump { to: to(4) });
        let mut function = b.finish();
        straighten(&mut function);
        let words: Vec<&str> = function.code.iter().map(|i| i.word()).collect();
        assert_eq!(words, ["assume", "br", "return"]);
        assert_eq!(function.blocks, [0, 2]);
    }

    #[test]
    fn an_endless_loop_of_jumps_stays() {
        let mut b = Builder::new("endless", 0, 0);
        let (first, second) = (b.block(), b.block());
        b.switch_to(first);
        b.push(Instr::Jump { to: To(second) });
        b.switch_to(second);
        b.push(Instr::Jump { to: To(first) });
        let mut function = b.finish();
        straighten(&mut function);
        assert!(function.code.iter().all(|i| matches!(i, Instr::Jump { .. })));
    }
}
