//! Conversions between integers, pointers and floating point, and of bits as they are.

use super::Lowering;
use super::long::long_bits;
use crate::ir::{Opcode, Value};
use crate::shape::{Leaf, Shape};
use crate::unsupported::{Lowered, refuse};
use raddle_program::{Bits, Convert, Def, Instr, Reg, Use, Wide};

/// Some bits in a row of a longer row of bits, in one register.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub register: Reg,
    pub start: u32,
    pub bits: u32,
}

impl<'m> Lowering<'_, 'm> {
    /// A conversion, lane by lane.
    pub(super) fn cast(&mut self, i: Value<'m>) -> Lowered<()> {
        let opcode = i.opcode();
        if long_bits(i.of()).or(long_bits(i.operand(0).of())).is_some() {
            return self.long_cast(i);
        }
        let Some(&(to, _)) = self.shape(i.of())?.leaves.first() else { return Ok(()) };
        let joins = |user: Value| match user.opcode() {
            Opcode::LLVMOr => true,
            Opcode::LLVMShl => user.operand(1).is_int() && user.operand(1).int(to.bits() as u32).is_multiple_of(8),
            _ => false,
        };
        let is_joined = opcode == Opcode::LLVMZExt && i.only_user().is_some_and(|user| user.is_instruction() && joins(user));
        self.by_leaves(i, [i.operand(0)], |this, from, [a]| match from.bits() {
            // What is joined with other bytes, or moved beside them first, has none of its own there.
            bits @ (8 | 16 | 24 | 32 | 40 | 48 | 56) if is_joined && !to.is_wide() => Ok(vec![this.low_bits(a[0], bits as u32)]),
            _ => this.converted(opcode, from, to, a),
        })
    }

    fn converted(&mut self, opcode: Opcode, from: Leaf, to: Leaf, a: &[Reg]) -> Lowered<Vec<Reg>> {
        let convert = match opcode {
            Opcode::LLVMSExt => return Ok(self.extend_sign(from, to, a)),
            Opcode::LLVMFPToUI => Convert::FpToUi,
            Opcode::LLVMFPToSI => Convert::FpToSi,
            Opcode::LLVMUIToFP => Convert::UiToFp,
            Opcode::LLVMSIToFP => Convert::SiToFp,
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => Convert::FpToFp,
            _ if to.bits() >= from.bits() => return Ok(self.extend_zeros(to, a)),
            _ => return Ok(self.truncate(to, a)),
        };
        Ok(self.convert(convert, from, to, a))
    }

    /// A conversion from or to floating point.
    pub(super) fn convert(&mut self, op: Convert, from: Leaf, to: Leaf, a: &[Reg]) -> Vec<Reg> {
        let (a, from) = (Use(a[0]), Bits(from.bits()));
        let make = |target| Instr::FConvert { to: target, op, a, from, bits: Bits(to.bits()) };
        if to.is_wide() { self.emit_pair(make) } else { vec![self.emit(make)] }
    }

    /// A longer or equal integer with the same value, which is the same register unless a pair is needed.
    pub(super) fn extend_zeros(&mut self, to: Leaf, a: &[Reg]) -> Vec<Reg> {
        if !to.is_wide() || a.len() == 2 {
            return a.to_vec();
        }
        let zero = self.builder.constant(0);
        self.pair_of(a[0], zero)
    }

    /// Two registers in a row with the values of two others.
    pub(super) fn pair_of(&mut self, low: Reg, high: Reg) -> Vec<Reg> {
        if let (Some(low), Some(high)) = (self.builder.constant_value(low), self.builder.constant_value(high)) {
            return super::operands::pair(self.builder.constant_pair(low as u128 | (high as u128) << 64));
        }
        let first = self.builder.registers(2);
        let second = Reg(first.0 + 1);
        self.builder.push(Instr::Move { to: Def(first), a: Use(low) });
        self.builder.push(Instr::Move { to: Def(second), a: Use(high) });
        vec![first, second]
    }

    /// The lower bits.
    pub(super) fn truncate(&mut self, to: Leaf, a: &[Reg]) -> Vec<Reg> {
        if to.is_wide() {
            let high = self.low_bits(a[1], to.bits() as u32 - 64);
            return self.pair_of(a[0], high);
        }
        vec![self.low_bits(a[0], to.bits() as u32)]
    }

    /// The lower bits of a register.
    fn low_bits(&mut self, a: Reg, bits: u32) -> Reg {
        match bits {
            64.. => a,
            _ => self.emit(|to| Instr::Trunc { to, a: Use(a), bits: Bits(bits as u8) }),
        }
    }

    /// A longer integer of the same sign.
    pub(super) fn extend_sign(&mut self, from: Leaf, to: Leaf, a: &[Reg]) -> Vec<Reg> {
        let (from_bits, bits) = (Bits(from.bits()), Bits(to.bits()));
        if !to.is_wide() {
            return vec![self.emit(|to| Instr::SExt { to, a: Use(a[0]), from: from_bits, bits })];
        }
        if !from.is_wide() {
            return self.emit_pair(|to| Instr::WideSExt { to, a: Use(a[0]), from: from_bits, bits });
        }
        // From one pair to a longer one: to the top, and back with the sign.
        let unused = self.builder.constant_pair((to.bits() - from.bits()) as u128);
        let top = self.wide(Wide::Shl, a[0], unused, to.bits());
        self.wide(Wide::AShr, top[0], unused, to.bits())
    }

    /// `bitcast`: the same bits, grouped in another way.
    pub(super) fn bit_cast(&mut self, i: Value<'m>) -> Lowered<()> {
        let (from, to) = (self.shape(i.operand(0).of())?, self.shape(i.of())?);
        let registers = self.registers(i.operand(0))?;
        let registers = self.regroup(&from, registers, &to)?;
        self.define(i, registers);
        Ok(())
    }

    /// Takes the bits of a value of one shape as a value of another shape of the same length.
    pub(super) fn regroup(&mut self, from: &Shape, registers: Vec<Reg>, to: &Shape) -> Lowered<Vec<Reg>> {
        let widths = |shape: &Shape| shape.leaves.iter().map(|(leaf, _)| leaf.bits()).collect::<Vec<u8>>();
        if widths(from) == widths(to) {
            return Ok(registers);
        }
        let sources: Vec<Piece> = pieces(from).zip(registers).map(|((start, bits), register)| Piece { register, start, bits }).collect();
        let targets: Vec<(u32, u32)> = pieces(to).collect();
        let mut parts = Vec::new();
        for &(start, bits) in &targets {
            parts.push(self.gather(&sources, start, bits)?);
        }
        Ok(self.in_rows(&parts, to))
    }

    /// The registers of a value, made from its parts: a pair needs registers in a row.
    pub(super) fn in_rows(&mut self, parts: &[Reg], shape: &Shape) -> Vec<Reg> {
        let mut result = Vec::new();
        let mut left = parts;
        for (leaf, _) in &shape.leaves {
            let (these, rest) = left.split_at(leaf.registers() as usize);
            left = rest;
            match *these {
                [low, high] => result.extend(self.pair_of(low, high)),
                _ => result.extend(these),
            }
        }
        result
    }

    /// The bits from `start` on, at most 64, out of those of several registers.
    pub(super) fn gather(&mut self, sources: &[Piece], start: u32, bits: u32) -> Lowered<Reg> {
        let end = start + bits;
        let mut result = None;
        for source in sources.iter().filter(|s| s.start < end && start < s.start + s.bits) {
            let part = self.placed(*source, start, end);
            result = Some(match result {
                None => part,
                Some(a) => self.emit(|to| Instr::Or { to, a: Use(a), b: Use(part) }),
            });
        }
        match result {
            Some(register) => Ok(register),
            None => refuse("a cast between values of different length"),
        }
    }

    /// The bits of a source that lie between `start` and `end`, where they belong in the result.
    fn placed(&mut self, source: Piece, start: u32, end: u32) -> Reg {
        let mut a = source.register;
        let kept = end.min(source.start + source.bits) - start.max(source.start);
        let (from, at) = (start.saturating_sub(source.start), source.start.saturating_sub(start));
        if kept == source.bits && kept == end - start {
            return a;
        }
        if [from, at, kept].iter().all(|bits| bits.is_multiple_of(8)) && source.bits <= 64 {
            let [from, at, bytes] = [from, at, kept].map(|bits| bits as u64 / 8);
            return self.emit(|to| Instr::Part { to, a: Use(a), from, at, bytes });
        }
        if source.start < start {
            let b = Use(self.builder.constant(from as u64));
            a = self.emit(|to| Instr::LShr { to, a: Use(a), b, bits: Bits(64) });
        }
        if source.start + source.bits > end {
            a = self.low_bits(a, kept);
        }
        if source.start > start {
            let b = Use(self.builder.constant(at as u64));
            a = self.emit(|to| Instr::Shl { to, a: Use(a), b, bits: Bits(64) });
        }
        a
    }
}

/// Where the bits of each register of a shape stand in the row of all bits: start and length.
pub(super) fn pieces(shape: &Shape) -> impl Iterator<Item = (u32, u32)> {
    let mut at = 0;
    let mut all = Vec::new();
    for (leaf, _) in &shape.leaves {
        let bits = leaf.bits() as u32;
        all.push((at, bits.min(64)));
        if bits > 64 {
            all.push((at + 64, bits - 64));
        }
        at += bits;
    }
    all.into_iter()
}
