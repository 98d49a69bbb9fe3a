//! Operands and results: the registers of values.

use super::Lowering;
use crate::ir::{Opcode, Type, Value};
use crate::shape::{Leaf, Shape};
use crate::unsupported::{Lowered, Unsupported, refuse};
use raddle_program::{Def, Instr, Reg};
use std::rc::Rc;

impl<'m> Lowering<'_, 'm> {
    /// The shape of a type.
    pub(super) fn shape(&mut self, of: Type<'m>) -> Lowered<Rc<Shape>> {
        self.unit.shape(of)
    }

    /// The leaf of a type that has one.
    pub(super) fn leaf(&mut self, of: Type<'m>) -> Lowered<Leaf> {
        self.shape(of)?.single().ok_or_else(|| Unsupported(format!("this use of type `{}`", of.text())))
    }

    /// The registers that hold a value.
    pub(super) fn registers(&mut self, value: Value<'m>) -> Lowered<Vec<Reg>> {
        if let Some(registers) = self.values.get(&value) {
            return Ok(registers.clone());
        }
        let shape = self.shape(value.of())?;
        if !value.is_constant() {
            // Not lowered yet: a phi, or something behind a construct that is not supported.
            let registers = self.fresh(&shape);
            self.values.insert(value, registers.clone());
            return Ok(registers);
        }
        if let Some(address) = self.thread_local(value)? {
            return Ok(vec![address]);
        }
        let leaves = self.unit.constant(value)?;
        let registers: Vec<Reg> = shape.leaves.iter().zip(leaves).flat_map(|((leaf, _), number)| self.number(*leaf, number)).collect();
        self.values.insert(value, registers.clone());
        Ok(registers)
    }

    /// The register of a value of one register.
    pub(super) fn word(&mut self, value: Value<'m>) -> Lowered<Reg> {
        match self.registers(value)?[..] {
            [register] => Ok(register),
            _ => refuse(format!("this use of type `{}`", value.of().text())),
        }
    }

    /// The address of a thread-local variable, or one computed from it, that stands where a constant does.
    fn thread_local(&mut self, value: Value<'m>) -> Lowered<Option<Reg>> {
        if value.is_global() && value.is_thread_local() {
            let global = self.unit.globals[&value];
            return Ok(Some(self.emit(|to| Instr::ThreadLocal { to, global })));
        }
        if value.is_alias() {
            return self.thread_local(value.aliasee());
        }
        if value.is_expression() && value.expression_opcode() == Opcode::LLVMGetElementPtr {
            if let Some(base) = self.thread_local(value.operand(0))? {
                return self.offset_from(base, value, 0).map(Some);
            }
        }
        Ok(None)
    }

    /// The registers of a number.
    pub(super) fn number(&mut self, leaf: Leaf, number: u128) -> Vec<Reg> {
        match leaf.is_wide() {
            true => pair(self.builder.constant_pair(number)),
            false => vec![self.builder.constant(number as u64)],
        }
    }

    /// New registers for a value of a shape.
    pub(super) fn fresh(&mut self, shape: &Shape) -> Vec<Reg> {
        let first = self.builder.registers(shape.registers());
        (first.0..first.0 + shape.registers()).map(Reg).collect()
    }

    /// Says which registers hold a value.
    pub(super) fn define(&mut self, value: Value<'m>, registers: Vec<Reg>) {
        self.values.insert(value, registers);
    }

    /// Appends an instruction that writes a new register.
    pub(super) fn emit(&mut self, make: impl FnOnce(Def) -> Instr) -> Reg {
        let to = self.builder.register();
        self.builder.push(make(Def(to)));
        to
    }

    /// Appends an instruction that writes a new pair of registers.
    pub(super) fn emit_pair(&mut self, make: impl FnOnce(Def) -> Instr) -> Vec<Reg> {
        let to = self.builder.registers(2);
        self.builder.push(make(Def(to)));
        pair(to)
    }

    /// Computes a value leaf by leaf from operands that have as many leaves.
    pub(super) fn by_leaves<const N: usize>(
        &mut self,
        value: Value<'m>,
        operands: [Value<'m>; N],
        mut compute: impl FnMut(&mut Self, Leaf, [&[Reg]; N]) -> Lowered<Vec<Reg>>,
    ) -> Lowered<()> {
        let shape = self.shape(operands[0].of())?;
        let mut split = Vec::new();
        for operand in operands {
            split.push(self.split(operand)?);
        }
        let mut result = Vec::new();
        for (lane, (leaf, _)) in shape.leaves.iter().enumerate() {
            let lanes = std::array::from_fn(|n| split[n].get(lane).map_or(&[][..], Vec::as_slice));
            result.extend(compute(self, *leaf, lanes)?);
        }
        self.define(value, result);
        Ok(())
    }

    /// The registers of each leaf of a value.
    pub(super) fn split(&mut self, value: Value<'m>) -> Lowered<Vec<Vec<Reg>>> {
        let shape = self.shape(value.of())?;
        let registers = self.registers(value)?;
        let mut left = &registers[..];
        let mut take = |leaf: Leaf| {
            let (first, rest) = left.split_at(leaf.registers() as usize);
            left = rest;
            first.to_vec()
        };
        Ok(shape.leaves.iter().map(|(leaf, _)| take(*leaf)).collect())
    }
}

/// The two registers of a pair.
pub(super) fn pair(first: Reg) -> Vec<Reg> {
    vec![first, Reg(first.0 + 1)]
}
