//! Which registers are live where a block begins: they may be read before they are written.

use crate::{BlockId, Function, Reg};

/// For each block the live registers at its start, in rising order; constants are left out.
pub fn live_at_start(function: &Function) -> Vec<Vec<Reg>> {
    let words = function.registers.div_ceil(64) as usize;
    let n = function.blocks.len();
    let mut live = vec![vec![0u64; words]; n];
    let mut predecessors = vec![Vec::new(); n];
    for block in (0..n as u32).map(BlockId) {
        for to in function.successors(block) {
            predecessors[to.index()].push(block);
        }
    }
    let mut work: Vec<BlockId> = (0..n as u32).map(BlockId).collect();
    while let Some(block) = work.pop() {
        let mut now = vec![0u64; words];
        for to in function.successors(block) {
            now.iter_mut().zip(&live[to.index()]).for_each(|(a, b)| *a |= b);
        }
        for at in function.block(block).rev() {
            let instr = &function.code[at];
            instr.all_defs(function, |Reg(r)| now[r as usize / 64] &= !(1 << (r % 64)));
            instr.all_uses(function, |Reg(r)| {
                if r < function.registers {
                    now[r as usize / 64] |= 1 << (r % 64);
                }
            });
        }
        if now != live[block.index()] {
            live[block.index()] = now;
            work.extend(&predecessors[block.index()]);
        }
    }
    let listed = |bits: Vec<u64>| (0..function.registers).filter(|&r| bits[r as usize / 64] >> (r % 64) & 1 == 1).map(Reg).collect();
    live.into_iter().map(listed).collect()
}
