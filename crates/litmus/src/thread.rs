//! A thread while it is made: a function of the program with the registers and labels of the test's names.
//!
//! The function begins with the initial values of all registers that are used and ends with a return of those that are
//! observed. A conditional jump always has two different blocks to go to, so that it stays a branch even where both
//! lead to the same place.

use crate::cells::Cells;
use crate::error::{Result, syntax};
use crate::lines::Lines;
use raddle_event::{Fence, Order, RmwOp};
use raddle_program::{Bits, BlockId, Builder, Def, ExternId, Function, Instr, Overflow, Place, PlaceId, Reg, Size, To, Use};
use std::collections::BTreeMap;

struct Label {
    block: BlockId,
    used_at: usize,
    is_defined: bool,
}

pub(crate) struct Thread<'a> {
    pub cells: &'a Cells,
    lines: &'a Lines<'a>,
    places: &'a mut Vec<Place>,
    name: String,
    builder: Builder,
    start: BlockId,
    body: BlockId,
    exit: BlockId,
    registers: BTreeMap<String, Reg>,
    initial: BTreeMap<String, u64>,
    labels: BTreeMap<String, Label>,
}

impl<'a> Thread<'a> {
    pub fn new(number: usize, cells: &'a Cells, lines: &'a Lines<'a>, places: &'a mut Vec<Place>) -> Thread<'a> {
        let mut builder = Builder::default();
        let (start, body, exit) = (builder.block(), builder.block(), builder.block());
        builder.switch_to(body);
        let name = format!("P{number}");
        let (registers, initial, labels) = Default::default();
        Thread { cells, lines, places, name, builder, start, body, exit, registers, initial, labels }
    }

    /// Gives a register its value before the thread starts.
    pub fn initialise(&mut self, register: &str, value: u64) {
        self.initial.insert(register.to_string(), value);
    }

    /// The value of a register before the thread starts.
    pub fn initial(&self, register: &str) -> u64 {
        self.initial.get(register).copied().unwrap_or(0)
    }

    /// What follows stands at this offset in the text.
    pub fn at(&mut self, offset: usize) {
        self.places.push(self.lines.place(offset, &self.name));
        self.builder.at(PlaceId(self.places.len() as u32 - 1));
    }

    /// The register of this name.
    pub fn register(&mut self, name: &str) -> Reg {
        match self.registers.get(name) {
            Some(&reg) => reg,
            None => {
                let reg = self.builder.register();
                self.registers.insert(name.to_string(), reg);
                reg
            }
        }
    }

    /// A register that no name of the test means.
    pub fn fresh(&mut self) -> Reg {
        self.builder.register()
    }

    pub fn constant(&mut self, value: u64) -> Reg {
        self.builder.constant(value)
    }

    /// Appends an instruction. What follows a jump without a label is never reached.
    pub fn push(&mut self, instr: Instr) {
        if self.builder.is_ended() {
            let unreached = self.builder.block();
            self.builder.switch_to(unreached);
        }
        self.builder.push(instr);
    }

    /// Appends an instruction that writes a new register.
    pub fn compute(&mut self, instr: impl FnOnce(Def) -> Instr) -> Reg {
        let to = self.fresh();
        self.push(instr(Def(to)));
        to
    }

    pub fn set(&mut self, to: Reg, from: Reg) {
        self.push(Instr::Move { to: Def(to), a: Use(from) });
    }

    pub fn load(&mut self, address: Reg, bytes: u32, order: Order) -> Reg {
        self.compute(|to| Instr::Load { to, address: Use(address), size: Size(bytes), order })
    }

    /// Stores a value that has at most these bytes.
    pub fn store(&mut self, address: Reg, value: Reg, bytes: u32, order: Order) {
        self.push(Instr::Store { address: Use(address), value: Use(value), size: Size(bytes), order });
    }

    pub fn rmw(&mut self, op: RmwOp, address: Reg, operand: Reg, bytes: u32, order: Order) -> Reg {
        self.compute(|to| Instr::Rmw { to, op, address: Use(address), operand: Use(operand), size: Size(bytes), order })
    }

    /// The old value, and whether a new one was written.
    pub fn compare_exchange(&mut self, Exchange { address, expected, new, bytes, orders, is_weak }: Exchange) -> (Reg, Reg) {
        let (to, done) = (self.fresh(), self.fresh());
        let (old, written, address, expected, new) = (Def(to), Def(done), Use(address), Use(expected), Use(new));
        let (size, (order, failure)) = (Size(bytes), orders);
        self.push(match is_weak {
            false => Instr::CompareExchange { to: old, done: written, address, expected, new, size, order, failure },
            true => Instr::CompareExchangeWeak { to: old, done: written, address, expected, new, size, order, failure },
        });
        (to, done)
    }

    /// Calls a function of the library.
    pub fn call(&mut self, results: &[Reg], function: ExternId, arguments: &[Reg]) {
        let (results, arguments) = (self.builder.defs(results), self.builder.uses(arguments));
        self.push(Instr::CallExtern { results, function, arguments });
    }

    pub fn fence(&mut self, fence: Fence) {
        self.push(Instr::FenceOp { fence });
    }

    /// The lower bits of a value.
    pub fn cut(&mut self, a: Reg, bits: u8) -> Reg {
        match bits {
            64 => a,
            _ => self.compute(|to| Instr::Trunc { to, a: Use(a), bits: Bits(bits) }),
        }
    }

    pub fn sign_extend(&mut self, a: Reg, from: u8, bits: u8) -> Reg {
        self.compute(|to| Instr::SExt { to, a: Use(a), from: Bits(from), bits: Bits(bits) })
    }

    pub fn binary(&mut self, op: Binary, a: Reg, b: Reg, bits: u8) -> Reg {
        let (a, b, bits) = (Use(a), Use(b), Bits(bits));
        self.compute(|to| match op {
            Binary::Add => Instr::Add { to, a, b, bits },
            Binary::Sub => Instr::Sub { to, a, b, bits },
            Binary::Mul => Instr::Mul { to, a, b, bits },
            Binary::And => Instr::And { to, a, b },
            Binary::Or => Instr::Or { to, a, b },
            Binary::Xor => Instr::Xor { to, a, b },
            Binary::Shl => Instr::Shl { to, a, b, bits },
            Binary::LShr => Instr::LShr { to, a, b, bits },
            Binary::AShr => Instr::AShr { to, a, b, bits },
            Binary::Eq => Instr::Eq { to, a, b },
            Binary::Ne => Instr::Ne { to, a, b },
            Binary::ULt => Instr::ULt { to, a, b },
            Binary::ULe => Instr::ULe { to, a, b },
            Binary::SLt => Instr::SLt { to, a, b, bits },
            Binary::SLe => Instr::SLe { to, a, b, bits },
            Binary::SDiv => Instr::SDiv { to, a, b, bits },
            Binary::UDiv => Instr::UDiv { to, a, b, bits },
            Binary::SRem => Instr::SRem { to, a, b, bits },
            Binary::URem => Instr::URem { to, a, b, bits },
        })
    }

    /// The result cut to the width, and whether it was cut.
    pub fn with_overflow(&mut self, op: Overflow, a: Reg, b: Reg, bits: u8) -> (Reg, Reg) {
        let (to, flag) = (self.fresh(), self.fresh());
        self.push(Instr::WithOverflow { to: Def(to), flag: Def(flag), op, a: Use(a), b: Use(b), bits: Bits(bits) });
        (to, flag)
    }

    /// One where a value is zero, else zero.
    pub fn is_zero(&mut self, a: Reg) -> Reg {
        let zero = self.constant(0);
        self.binary(Binary::Eq, a, zero, 64)
    }

    /// Puts a label here.
    pub fn label(&mut self, at: usize, name: &str) -> Result<()> {
        let block = self.block_of(at, name);
        let label = self.labels.get_mut(name).expect("`block_of` adds it");
        if label.is_defined {
            return syntax(at, format!("label `{name}` stands here for the second time"));
        }
        label.is_defined = true;
        self.go_on_in(block);
        Ok(())
    }

    fn block_of(&mut self, at: usize, name: &str) -> BlockId {
        let builder = &mut self.builder;
        let new = || Label { block: builder.block(), used_at: at, is_defined: false };
        self.labels.entry(name.to_string()).or_insert_with(new).block
    }

    pub fn new_block(&mut self) -> BlockId {
        self.builder.block()
    }

    /// Goes on in a block, without a way there from here.
    pub fn switch_to(&mut self, block: BlockId) {
        self.builder.switch_to(block);
    }

    /// Falls into a block and goes on there.
    pub fn go_on_in(&mut self, block: BlockId) {
        self.jump_on(block);
        self.switch_to(block);
    }

    /// Whether the register is a constant, which cannot be written.
    pub fn is_constant(&self, reg: Reg) -> bool {
        self.builder.constant_value(reg).is_some()
    }

    /// Jumps to a block unless control has gone elsewhere.
    pub fn jump_on(&mut self, block: BlockId) {
        if !self.builder.is_ended() {
            self.jump(block);
        }
    }

    pub fn jump(&mut self, block: BlockId) {
        self.push(Instr::Jump { to: To(block) });
    }

    pub fn jump_to_label(&mut self, at: usize, name: &str) {
        let block = self.block_of(at, name);
        self.jump(block);
    }

    /// Where the thread ends.
    pub fn exit(&self) -> BlockId {
        self.exit
    }

    /// Goes to one of two blocks; they are different.
    pub fn branch(&mut self, c: Reg, yes: BlockId, no: BlockId) {
        self.push(Instr::Branch { c: Use(c), yes: To(yes), no: To(no) });
    }

    /// Goes to a label where the condition is not zero (`when`) or is zero (not `when`), and else goes on.
    pub fn branch_to_label(&mut self, c: Reg, when: bool, at: usize, name: &str) {
        let (target, next) = (self.block_of(at, name), self.new_block());
        match when {
            true => self.branch(c, target, next),
            false => self.branch(c, next, target),
        }
        self.builder.switch_to(next);
    }

    /// The function, which returns the registers of these names.
    pub fn finish(mut self, observed: &[String]) -> Result<Function> {
        if let Some((name, label)) = self.labels.iter().find(|(_, label)| !label.is_defined) {
            return syntax(label.used_at, format!("label `{name}` does not exist"));
        }
        self.go_on_in(self.exit);
        let values: Vec<Reg> = observed.iter().map(|name| self.register(name)).collect();
        let values = self.builder.uses(&values);
        self.push(Instr::Return { values });
        self.builder.switch_to(self.start);
        for (name, reg) in std::mem::take(&mut self.registers) {
            let value = self.initial(&name);
            let value = self.constant(value);
            self.set(reg, value);
        }
        self.push(Instr::Jump { to: To(self.body) });
        let mut function = self.builder.finish();
        function.name = self.name;
        function.results = observed.len() as u32;
        Ok(function)
    }
}

/// A compare-exchange: where, what is expected there, and what is written then.
pub struct Exchange {
    pub address: Reg,
    pub expected: Reg,
    pub new: Reg,
    pub bytes: u32,
    /// Where it succeeds, and where it fails.
    pub orders: (Order, Order),
    /// Whether it may fail although it finds what is expected.
    pub is_weak: bool,
}

/// An operation on two words of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    SDiv,
    UDiv,
    SRem,
    URem,
}
