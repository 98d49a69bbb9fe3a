//! Branches and returns.

use super::Lowering;
use crate::constants::block_number;
use crate::ir::{Block, Opcode, Predicate, Value};
use crate::unsupported::Lowered;
use raddle_program::{Instr, Reg, Size, To, Use};

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
        let is_given_back = match gives_back(i.parent(), condition, &to) {
            Some(GiveBack::Chosen) => true,
            Some(GiveBack::Stored(store)) => self.store_unless(condition, store)?,
            None => false,
        };
        if is_given_back {
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

    /// Stores what a compare-exchange has found, unless it was done. There is no such store of more than a word.
    fn store_unless(&mut self, done: Value<'m>, store: Value<'m>) -> Lowered<bool> {
        let size = self.leaf(store.operand(0).of())?.size();
        if size > 8 {
            return Ok(false);
        }
        let (done, value, address) = (self.word(done)?, self.word(store.operand(0))?, self.word(store.operand(1))?);
        self.builder.at(self.unit.place_of(store));
        let (done, value, address) = (Use(done), Use(value), Use(address));
        self.builder.push(Instr::StoreUnless { done, address, value, size: Size(size) });
        Ok(true)
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

/// The branch by which clang gives back what a compare-exchange has found: `if (!done) *expected = old`. The source has
/// no branch there, and compilers leave none where `expected` is in a register in the end. Where the exchange was done,
/// what was expected is what it has found too.
enum GiveBack<'m> {
    /// `expected` is in no memory: the block after the branch chooses between both.
    Chosen,
    /// It is in memory, where this stores it.
    Stored(Value<'m>),
}

/// Whether a branch is such a one.
fn gives_back<'m>(from: Block<'m>, condition: Value<'m>, to: &[Block<'m>]) -> Option<GiveBack<'m>> {
    let [done, not_done] = to else { return None };
    let exchange = part(condition, 1)?;
    let is_found = |value: Value<'m>| part(value, 0) == Some(exchange);
    let is_same = |phi: Value<'m>| {
        let taken = |on: Block<'m>| phi.incoming().into_iter().find(|(block, _)| *block == on).map(|(_, value)| value);
        let (yes, no) = (taken(from), taken(*not_done));
        yes == no || (yes == Some(exchange.operand(1)) && no.is_some_and(is_found))
    };
    if not_done.successors() != [*done] || !done.phis().all(is_same) {
        return None;
    }
    let between: Vec<Value<'m>> = not_done.instructions().collect();
    match between[..] {
        [_] => Some(GiveBack::Chosen),
        [store, _] if is(store, Opcode::LLVMStore) && is_found(store.operand(0)) => {
            let expected = exchange.operand(1);
            let is_loaded = is(expected, Opcode::LLVMLoad) && expected.operand(0) == store.operand(1);
            (is_loaded && nothing_between(expected, exchange)).then_some(GiveBack::Stored(store))
        }
        _ => None,
    }
}

/// Whether a value is what an instruction of this kind gives.
fn is(value: Value<'_>, opcode: Opcode) -> bool {
    value.is_instruction() && value.opcode() == opcode
}

/// The compare-exchange that a value is the `n`-th part of the result of.
fn part(value: Value<'_>, n: u32) -> Option<Value<'_>> {
    let whole = (is(value, Opcode::LLVMExtractValue) && value.indices() == [n]).then(|| value.operand(0));
    whole.filter(|&whole| is(whole, Opcode::LLVMAtomicCmpXchg))
}

/// Whether a load and a later instruction are in one block with nothing between them that stores or calls.
fn nothing_between<'m>(load: Value<'m>, later: Value<'m>) -> bool {
    let quiet = |i: &Value<'m>| !matches!(i.opcode(), Opcode::LLVMStore | Opcode::LLVMCall | Opcode::LLVMInvoke);
    let mut rest = load.parent().instructions().skip_while(|&i| i != load).skip(1).take_while(quiet);
    rest.any(|i| i == later)
}
