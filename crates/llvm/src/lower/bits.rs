//! Intrinsics on the bits of integers.

use super::Lowering;
use crate::ir::{Opcode, Predicate, Value};
use crate::shape::Leaf;
use crate::unsupported::{Lowered, refuse};
use raddle_program::{Bits, Instr, Overflow, Reg, Use};

impl<'m> Lowering<'_, 'm> {
    /// An intrinsic on integers, lane by lane.
    pub(super) fn bit_intrinsic(&mut self, i: Value<'m>, name: &str) -> Lowered<()> {
        let (a, b) = (i.operand(0), i.operand(1));
        match name {
            "abs" | "ctpop" | "ctlz" | "cttz" | "bswap" | "bitreverse" => self.by_leaves(i, [a], |this, leaf, [a]| {
                if leaf.is_wide() { this.wide_bits(name, leaf, a) } else { Ok(vec![this.word_bits(name, leaf, a[0])]) }
            }),
            "fshl" | "fshr" => self.by_leaves(i, [a, b, i.operand(2)], |this, leaf, [a, b, c]| this.funnel(name, leaf, a, b, c)),
            "sshl.sat" | "ushl.sat" => self.by_leaves(i, [a, b], |this, leaf, [a, b]| this.saturated_shift(name, leaf, a, b)),
            "ucmp" | "scmp" => {
                let Some(&(to, _)) = self.shape(i.of())?.leaves.first() else { return Ok(()) };
                self.by_leaves(i, [a, b], |this, leaf, [a, b]| this.three_way(name, leaf, to, a, b))
            }
            _ => self.by_leaves(i, [a, b], |this, leaf, [a, b]| Ok(this.extreme(name, leaf, a, b))),
        }
    }

    fn word_bits(&mut self, name: &str, leaf: Leaf, a: Reg) -> Reg {
        let (a, bits) = (Use(a), Bits(leaf.bits()));
        self.emit(|to| match name {
            "abs" => Instr::Abs { to, a, bits },
            "ctpop" => Instr::PopCount { to, a },
            "ctlz" => Instr::LeadingZeros { to, a, bits },
            "cttz" => Instr::TrailingZeros { to, a, bits },
            "bswap" => Instr::SwapBytes { to, a, bits },
            _ => Instr::ReverseBits { to, a, bits },
        })
    }

    /// `smin`, `smax`, `umin`, `umax`
    pub(super) fn extreme(&mut self, name: &str, leaf: Leaf, a: &[Reg], b: &[Reg]) -> Vec<Reg> {
        if leaf.is_wide() {
            let predicate = if name.starts_with('s') { Predicate::LLVMIntSLT } else { Predicate::LLVMIntULT };
            let less = self.compared(predicate, leaf, a[0], b[0]);
            return if name.ends_with("min") { self.chosen(less, a, b) } else { self.chosen(less, b, a) };
        }
        let (a, b, bits) = (Use(a[0]), Use(b[0]), Bits(leaf.bits()));
        vec![self.emit(|to| match name {
            "smin" => Instr::SMin { to, a, b, bits },
            "smax" => Instr::SMax { to, a, b, bits },
            "umin" => Instr::UMin { to, a, b },
            _ => Instr::UMax { to, a, b },
        })]
    }

    /// `fshl`, `fshr`
    fn funnel(&mut self, name: &str, leaf: Leaf, a: &[Reg], b: &[Reg], c: &[Reg]) -> Lowered<Vec<Reg>> {
        if leaf.is_wide() {
            return self.wide_funnel(name, leaf, a, b, c);
        }
        let (a, b, c, bits) = (Use(a[0]), Use(b[0]), Use(c[0]), Bits(leaf.bits()));
        Ok(vec![self.emit(|to| match name {
            "fshl" => Instr::FShl { to, a, b, c, bits },
            _ => Instr::FShr { to, a, b, c, bits },
        })])
    }

    /// A result cut to its width, and whether it was cut.
    pub(super) fn overflowing(&mut self, op: Overflow, leaf: Leaf, a: &[Reg], b: &[Reg]) -> Lowered<(Vec<Reg>, Reg)> {
        if leaf.is_wide() {
            return self.wide_overflowing(op, leaf, a[0], b[0]);
        }
        let flag = self.builder.register();
        let (a, b, bits) = (Use(a[0]), Use(b[0]), Bits(leaf.bits()));
        let result = self.emit(|to| Instr::WithOverflow { to, flag: raddle_program::Def(flag), op, a, b, bits });
        Ok((vec![result], flag))
    }

    /// Arithmetic that stops at the limits.
    pub(super) fn saturated(&mut self, op: Overflow, leaf: Leaf, a: &[Reg], b: &[Reg]) -> Lowered<Vec<Reg>> {
        if leaf.is_wide() {
            return refuse("saturating arithmetic of more than 64 bits");
        }
        let (a, b, bits) = (Use(a[0]), Use(b[0]), Bits(leaf.bits()));
        Ok(vec![self.emit(|to| Instr::Saturate { to, op, a, b, bits })])
    }

    /// A shift to the left that stops at the limits: if shifting back does not give the operand, the limit.
    fn saturated_shift(&mut self, name: &str, leaf: Leaf, a: &[Reg], b: &[Reg]) -> Lowered<Vec<Reg>> {
        let back = if name == "sshl.sat" { Opcode::LLVMAShr } else { Opcode::LLVMLShr };
        let shifted = self.operate(Opcode::LLVMShl, leaf, a, b)?;
        let again = self.operate(back, leaf, &shifted, b)?;
        let fits = self.compared(Predicate::LLVMIntEQ, leaf, again[0], a[0]);
        let limit = match name {
            "ushl.sat" => self.number(leaf, leaf.mask()),
            _ => {
                let zero = self.number(leaf, 0);
                let negative = self.compared(Predicate::LLVMIntSLT, leaf, a[0], zero[0]);
                let (least, most) = (self.number(leaf, leaf.mask() / 2 + 1), self.number(leaf, leaf.mask() / 2));
                self.chosen(negative, &least, &most)
            }
        };
        Ok(self.chosen(fits, &shifted, &limit))
    }

    /// `ucmp`, `scmp`: -1, 0 or 1.
    fn three_way(&mut self, name: &str, leaf: Leaf, to: Leaf, a: &[Reg], b: &[Reg]) -> Lowered<Vec<Reg>> {
        let predicate = if name == "scmp" { Predicate::LLVMIntSLT } else { Predicate::LLVMIntULT };
        let less = self.compared(predicate, leaf, a[0], b[0]);
        let more = self.compared(predicate, leaf, b[0], a[0]);
        let (less, more) = (self.extend_zeros(to, &[less]), self.extend_zeros(to, &[more]));
        self.operate(Opcode::LLVMSub, to, &more, &less)
    }
}
