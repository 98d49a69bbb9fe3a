//! Coalescing: a copy between two registers that can be one register is removed (Chaitin, "Register allocation and
//! spilling via graph coloring", 1982). It takes away most copies that phis leave in loops.
//!
//! Two registers cannot be one where one is written while the other one is still needed. The copy between them is no
//! such write: after it both hold the same value. Deviation: no interference graph is kept. Each round looks at the
//! pairs that copies name, merges those that share no register with another merge, and computes liveness anew.

use raddle_program::{BlockId, Function, Instr, Reg, live_at_start};
use rustc_hash::FxHashMap;

/// More rounds than this are not worth their time.
const MAX_ROUNDS: usize = 8;

/// Removes copies that are not needed, and the registers that nobody names after that.
pub fn coalesce(function: &mut Function) {
    for _ in 0..MAX_ROUNDS {
        let merges = merges(function);
        if merges.is_empty() {
            break;
        }
        rename(function, |reg| merges.get(&reg).copied().unwrap_or(reg));
        remove_copies_to_self(function);
    }
    compact(function);
}

/// Which registers become which other ones in this round.
fn merges(function: &Function) -> FxHashMap<Reg, Reg> {
    let mut pairs = candidates(function);
    if pairs.is_empty() {
        return FxHashMap::default();
    }
    forget_conflicts(function, &mut pairs);
    let mut busy = vec![false; function.registers as usize];
    let mut merges = FxHashMap::default();
    for (a, b) in pairs.into_iter().flatten() {
        if busy[a.index()] || busy[b.index()] {
            continue;
        }
        busy[a.index()] = true;
        busy[b.index()] = true;
        // A parameter has to stay where it arrives; of two others, the older one stays.
        merges.insert(a.max(b), a.min(b));
    }
    merges
}

/// The pairs that copies name, each once, as far as they may be merged at all.
fn candidates(function: &Function) -> Vec<Option<(Reg, Reg)>> {
    let fixed = in_pairs(function);
    let mut pairs: Vec<(Reg, Reg)> = Vec::new();
    for instr in &function.code {
        if let Instr::Move { to, a } = *instr {
            let (to, a) = (to.0, a.0);
            let is_register = a.0 < function.registers;
            let both_parameters = to.0 < function.parameters && a.0 < function.parameters;
            if is_register && to != a && !both_parameters && !fixed[to.index()] && !fixed[a.index()] {
                pairs.push((to.min(a), to.max(a)));
            }
        }
    }
    pairs.sort();
    pairs.dedup();
    pairs.into_iter().map(Some).collect()
}

/// For each register whether it is half of a pair, which has to stay in its row.
fn in_pairs(function: &Function) -> Vec<bool> {
    let mut fixed = vec![false; function.frame()];
    for instr in &function.code {
        let (mut first, mut all) = (Vec::new(), Vec::new());
        instr.defs(function, |r| first.push(r));
        instr.uses(function, |r| first.push(r));
        instr.all_defs(function, |r| all.push(r));
        instr.all_uses(function, |r| all.push(r));
        if all.len() == first.len() {
            continue;
        }
        for second in all {
            let is_second = second.0.checked_sub(1).is_some_and(|r| first.contains(&Reg(r))) && !first.contains(&second);
            if is_second {
                fixed[second.index()] = true;
                fixed[second.index() - 1] = true;
            }
        }
    }
    fixed
}

/// Takes away the pairs of which one register is written while the other one is needed.
fn forget_conflicts(function: &Function, pairs: &mut [Option<(Reg, Reg)>]) {
    let mut by_register: FxHashMap<Reg, Vec<usize>> = FxHashMap::default();
    for (number, pair) in pairs.iter().enumerate() {
        for reg in pair.iter().flat_map(|&(a, b)| [a, b]) {
            by_register.entry(reg).or_default().push(number);
        }
    }
    let at_start = live_at_start(function);
    let mut forget = |reg: Reg, is_needed: &dyn Fn(Reg) -> bool| {
        for &number in by_register.get(&reg).into_iter().flatten() {
            if pairs[number].is_some_and(|(a, b)| is_needed(if a == reg { b } else { a })) {
                pairs[number] = None;
            }
        }
    };
    // Parameters are written before the first instruction.
    for parameter in (0..function.parameters).map(Reg) {
        forget(parameter, &|other| at_start[0].contains(&other));
    }
    for block in (0..function.blocks.len() as u32).map(BlockId) {
        let mut live = vec![false; function.frame()];
        for to in function.successors(block) {
            at_start[to.index()].iter().for_each(|reg| live[reg.index()] = true);
        }
        for at in function.block(block).rev() {
            let instr = &function.code[at];
            let mut written = Vec::new();
            instr.all_defs(function, |reg| written.push(reg));
            let copied = if let Instr::Move { a, .. } = *instr { Some(a.0) } else { None };
            for &reg in &written {
                forget(reg, &|other| (live[other.index()] && copied != Some(other)) || (written.contains(&other) && other != reg));
            }
            written.iter().for_each(|reg| live[reg.index()] = false);
            instr.all_uses(function, |reg| live[reg.index()] = true);
        }
    }
}

fn rename(function: &mut Function, to: impl Fn(Reg) -> Reg) {
    function.lists.iter_mut().for_each(|reg| *reg = to(*reg));
    function.code.iter_mut().for_each(|instr| instr.rename(&to));
}

fn remove_copies_to_self(function: &mut Function) {
    let code = std::mem::take(&mut function.code);
    let places = std::mem::take(&mut function.places);
    let starts = std::mem::take(&mut function.blocks);
    let mut next_block = 0;
    for (at, (instr, place)) in code.into_iter().zip(places).enumerate() {
        while starts.get(next_block).is_some_and(|&start| start as usize == at) {
            function.blocks.push(function.code.len() as u32);
            next_block += 1;
        }
        if !matches!(instr, Instr::Move { to, a } if to.0 == a.0) {
            function.code.push(instr);
            function.places.push(place);
        }
    }
}

/// Gives the registers that are still named numbers without gaps; their order stays, so pairs stay in their row.
fn compact(function: &mut Function) {
    let mut named = vec![false; function.frame()];
    named[..function.parameters as usize].fill(true);
    for instr in &function.code {
        instr.all_defs(function, |reg| named[reg.index()] = true);
        instr.all_uses(function, |reg| named[reg.index()] = true);
    }
    named[function.registers as usize..].fill(true);
    let mut next = 0;
    let numbers: Vec<Reg> = named
        .iter()
        .map(|&is_named| {
            let reg = Reg(next);
            next += is_named as u32;
            reg
        })
        .collect();
    function.registers = named[..function.registers as usize].iter().filter(|&&is_named| is_named).count() as u32;
    rename(function, |reg| numbers[reg.index()]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_program::{Bits, Builder, Def, To, Use};

    fn text(function: &Function) -> String {
        let mut out = String::new();
        for instr in &function.code {
            instr.print(&mut out, function);
            out.push('\n');
        }
        out
    }

    /// `i = 0; do { next = i + 1; [keep = i;] i = next } while (next != 9); return keep or i`
    fn counting(keeps_old: bool) -> Function {
        let mut b = Builder::new("count", 0, 1);
        let (entry, body, exit) = (b.block(), b.block(), b.block());
        let (i, next, kept) = (b.register(), b.register(), b.register());
        let (zero, one, nine) = (b.constant(0), b.constant(1), b.constant(9));
        b.switch_to(entry);
        b.push(Instr::Move { to: Def(i), a: Use(zero) });
        b.push(Instr::Jump { to: To(body) });
        b.switch_to(body);
        b.push(Instr::Add { to: Def(next), a: Use(i), b: Use(one), bits: Bits(32) });
        if keeps_old {
            b.push(Instr::Add { to: Def(kept), a: Use(i), b: Use(i), bits: Bits(32) });
        }
        b.push(Instr::Move { to: Def(i), a: Use(next) });
        b.push(Instr::BranchEq { a: Use(next), b: Use(nine), yes: To(exit), no: To(body) });
        b.switch_to(exit);
        let values = b.uses(&[if keeps_old { kept } else { i }]);
        b.push(Instr::Return { values });
        b.finish()
    }

    #[test]
    fn a_counter_needs_one_register() {
        let mut function = counting(false);
        coalesce(&mut function);
        assert_eq!(text(&function), "move r0, 0\njump b1\nadd r0, r0, 1, 32\nbr.eq r0, 9, b2, b1\nreturn (r0)\n");
        assert_eq!(function.registers, 1);
    }

    #[test]
    fn an_old_value_that_is_needed_keeps_its_copy() {
        let mut function = counting(true);
        coalesce(&mut function);
        assert!(text(&function).contains("move r0, r1"), "{}", text(&function));
    }
}
