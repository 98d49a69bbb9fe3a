//! Branches and returns.

use super::Lowering;
use crate::constants::block_number;
use crate::ir::{Block, Opcode, Predicate, Value};
use crate::unsupported::Lowered;
use raddle_program::{Instr, Reg, To, Use};

impl<'m> Lowering<'_, 'm> {
    /// `ret`
    pub(super) fn give_back(&mut self, i: Value<'m>) -> Lowered<()> {
        let registers = if i.n_operands() == 0 { Vec::new() } else { self.registers(i.operand(0))? };
        let values = self.builder.uses(&registers);
        self.builder.push(Instr::Return { values });
        Ok(())
    }

    /// `br`
    pub(super) fn branch(&mut self, i: Value<'m>) -> Lowered<()> {
        let to = i.successors();
        let Some(condition) = i.condition() else { return self.jump(to[0]) };
        if gives_back_expected(i.parent(), condition, &to) {
            return self.jump_as(to[1], to[0]);
        }
        let (yes, no) = (self.target(to[0])?, self.target(to[1])?);
        if self.fused.contains(&condition) {
            return self.compare_and_branch(condition, yes, no);
        }
        let c = Use(self.word(condition)?);
        self.builder.push(Instr::Branch { c, yes, no });
        Ok(())
    }

    /// `switch`
    pub(super) fn switch(&mut self, i: Value<'m>) -> Lowered<()> {
        let leaf = self.leaf(i.operand(0).of())?;
        let value = self.registers(i.operand(0))?;
        let to = i.successors();
        let otherwise = self.target(to[0])?;
        let mut cases = Vec::new();
        for (case, &block) in i.cases().iter().zip(&to[1..]) {
            cases.push((case.int(leaf.bits() as u32), self.target(block)?));
        }
        if !leaf.is_wide() {
            let cases = cases.into_iter().map(|(value, to)| (value as u64, to.0)).collect();
            let cases = self.builder.table(cases);
            self.builder.push(Instr::Switch { value: Use(value[0]), cases, otherwise });
            return Ok(());
        }
        // No table has cases this wide: ask one after the other.
        for (number, yes) in cases {
            let number = self.builder.constant_pair(number);
            let c = Use(self.compared(Predicate::LLVMIntEQ, leaf, value[0], number));
            let next = self.builder.block();
            self.builder.push(Instr::Branch { c, yes, no: To(next) });
            self.builder.switch_to(next);
        }
        self.builder.push(Instr::Jump { to: otherwise });
        Ok(())
    }

    /// `indirectbr`: the addresses of blocks are numbers, so this is a switch.
    pub(super) fn indirect_branch(&mut self, i: Value<'m>) -> Lowered<()> {
        let value: Reg = self.word(i.operand(0))?;
        let mut cases = Vec::new();
        for block in i.successors() {
            cases.push((block_number(block), self.target(block)?.0));
        }
        cases.sort();
        cases.dedup();
        let nowhere = self.builder.block();
        let current = self.builder.current();
        self.builder.switch_to(nowhere);
        self.builder.push(Instr::Unreachable {});
        self.builder.switch_to(current);
        let cases = self.builder.table(cases);
        self.builder.push(Instr::Switch { value: Use(value), cases, otherwise: To(nowhere) });
        Ok(())
    }

    /// `unreachable`
    pub(super) fn unreachable(&mut self) -> Lowered<()> {
        self.builder.push(Instr::Unreachable {});
        Ok(())
    }
}

/// Whether a branch is the one by which clang gives back what a compare-exchange has found: `if (!done) expected =
/// old`, where `expected` is in no memory. The source has no branch there, and compilers leave none. Where the
/// exchange was done `expected` is what it has found too.
fn gives_back_expected<'m>(from: Block<'m>, condition: Value<'m>, to: &[Block<'m>]) -> bool {
    let is = |value: Value<'m>, opcode: Opcode| value.is_instruction() && value.opcode() == opcode;
    let part = |value: Value<'m>, n: u32| {
        let whole = (is(value, Opcode::LLVMExtractValue) && value.indices() == [n]).then(|| value.operand(0));
        whole.filter(|&whole| is(whole, Opcode::LLVMAtomicCmpXchg))
    };
    let [done, not_done] = to else { return false };
    let Some(exchange) = part(condition, 1) else { return false };
    let is_empty = not_done.instructions().count() == 1 && not_done.successors() == [*done];
    let is_same = |phi: Value<'m>| {
        let taken = |on: Block<'m>| phi.incoming().into_iter().find(|(block, _)| *block == on).map(|(_, value)| value);
        taken(from) == Some(exchange.operand(1)) && taken(*not_done).and_then(|value| part(value, 0)) == Some(exchange)
    };
    is_empty && done.phis().all(is_same)
}
