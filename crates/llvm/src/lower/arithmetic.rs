//! Arithmetic on integers and floating point, leaf by leaf.

use super::Lowering;
use super::long::long_bits;
use crate::ir::{Opcode, Value};
use crate::shape::Leaf;
use crate::unsupported::{Lowered, refuse};
use raddle_program::{Bits, Extended, Instr, Reg, Use, Wide};

impl<'m> Lowering<'_, 'm> {
    /// An operation with two operands of the type of its result.
    pub(super) fn binary(&mut self, i: Value<'m>) -> Lowered<()> {
        let opcode = i.opcode();
        if let Some(bits) = long_bits(i.of()) {
            return self.long_binary(i, bits);
        }
        self.by_leaves(i, [i.operand(0), i.operand(1)], |this, leaf, [a, b]| this.operate(opcode, leaf, a, b))
    }

    /// `-a`
    pub(super) fn negate(&mut self, i: Value<'m>) -> Lowered<()> {
        self.by_leaves(i, [i.operand(0)], |this, leaf, [a]| {
            if leaf.is_wide() {
                let sign = this.builder.constant_pair(1 << (leaf.bits() - 1));
                return Ok(this.wide(Wide::Xor, a[0], sign, leaf.bits()));
            }
            let (a, bits) = (Use(a[0]), Bits(leaf.bits()));
            Ok(vec![this.emit(|to| Instr::FNeg { to, a, bits })])
        })
    }

    /// An operation on the registers of one leaf.
    pub(super) fn operate(&mut self, opcode: Opcode, leaf: Leaf, a: &[Reg], b: &[Reg]) -> Lowered<Vec<Reg>> {
        if leaf.is_wide() {
            return self.operate_wide(opcode, leaf, a[0], b[0]);
        }
        let (a, b, bits) = (Use(a[0]), Use(b[0]), Bits(leaf.bits()));
        if let Some([from, at, bytes]) = self.builder.constant_value(b.0).and_then(|b| part(opcode, bits, b)) {
            return Ok(vec![self.emit(|to| Instr::Part { to, a, from, at, bytes })]);
        }
        let make = match opcode {
            Opcode::LLVMAdd => |to, a, b, bits| Instr::Add { to, a, b, bits },
            Opcode::LLVMSub => |to, a, b, bits| Instr::Sub { to, a, b, bits },
            Opcode::LLVMMul => |to, a, b, bits| Instr::Mul { to, a, b, bits },
            Opcode::LLVMUDiv => |to, a, b, bits| Instr::UDiv { to, a, b, bits },
            Opcode::LLVMSDiv => |to, a, b, bits| Instr::SDiv { to, a, b, bits },
            Opcode::LLVMURem => |to, a, b, bits| Instr::URem { to, a, b, bits },
            Opcode::LLVMSRem => |to, a, b, bits| Instr::SRem { to, a, b, bits },
            Opcode::LLVMShl => |to, a, b, bits| Instr::Shl { to, a, b, bits },
            Opcode::LLVMLShr => |to, a, b, bits| Instr::LShr { to, a, b, bits },
            Opcode::LLVMAShr => |to, a, b, bits| Instr::AShr { to, a, b, bits },
            Opcode::LLVMAnd => |to, a, b, _| Instr::And { to, a, b },
            Opcode::LLVMOr => |to, a, b, _| Instr::Or { to, a, b },
            Opcode::LLVMXor => |to, a, b, _| Instr::Xor { to, a, b },
            Opcode::LLVMFAdd => |to, a, b, bits| Instr::FAdd { to, a, b, bits },
            Opcode::LLVMFSub => |to, a, b, bits| Instr::FSub { to, a, b, bits },
            Opcode::LLVMFMul => |to, a, b, bits| Instr::FMul { to, a, b, bits },
            Opcode::LLVMFDiv => |to, a, b, bits| Instr::FDiv { to, a, b, bits },
            Opcode::LLVMFRem => |to, a, b, bits| Instr::FRem { to, a, b, bits },
            _ => return refuse("an operation that LLVM does not define"),
        };
        Ok(vec![self.emit(|to| make(to, a, b, bits))])
    }

    fn operate_wide(&mut self, opcode: Opcode, leaf: Leaf, a: Reg, b: Reg) -> Lowered<Vec<Reg>> {
        let op = match opcode {
            Opcode::LLVMAdd => Wide::Add,
            Opcode::LLVMSub => Wide::Sub,
            Opcode::LLVMMul => Wide::Mul,
            Opcode::LLVMUDiv => Wide::UDiv,
            Opcode::LLVMSDiv => Wide::SDiv,
            Opcode::LLVMURem => Wide::URem,
            Opcode::LLVMSRem => Wide::SRem,
            Opcode::LLVMShl => Wide::Shl,
            Opcode::LLVMLShr => Wide::LShr,
            Opcode::LLVMAShr => Wide::AShr,
            Opcode::LLVMAnd => Wide::And,
            Opcode::LLVMOr => Wide::Or,
            Opcode::LLVMXor => Wide::Xor,
            _ => return self.operate_extended(opcode, a, b),
        };
        Ok(self.wide(op, a, b, leaf.bits()))
    }

    /// An operation on floating point of 80 bits.
    fn operate_extended(&mut self, opcode: Opcode, a: Reg, b: Reg) -> Lowered<Vec<Reg>> {
        let op = match opcode {
            Opcode::LLVMFAdd => Extended::Add,
            Opcode::LLVMFSub => Extended::Sub,
            Opcode::LLVMFMul => Extended::Mul,
            Opcode::LLVMFDiv => Extended::Div,
            Opcode::LLVMFRem => Extended::Rem,
            _ => return refuse("an operation that LLVM does not define"),
        };
        Ok(self.emit_pair(|to| Instr::Extended { to, op, a: Use(a), b: Use(b) }))
    }

    /// An operation on pairs that gives a pair.
    pub(super) fn wide(&mut self, op: Wide, a: Reg, b: Reg, bits: u8) -> Vec<Reg> {
        self.emit_pair(|to| Instr::WideOp { to, op, a: Use(a), b: Use(b), bits: Bits(bits) })
    }

    /// An operation on pairs that gives one register.
    pub(super) fn wide_test(&mut self, op: Wide, a: Reg, b: Reg, bits: u8) -> Reg {
        self.emit(|to| Instr::WideOp { to, op, a: Use(a), b: Use(b), bits: Bits(bits) })
    }
}

/// The bytes that an operation with a constant keeps, where it does nothing else: from where, to where, and how many.
/// What other bytes depend on is not what the result depends on.
fn part(opcode: Opcode, bits: Bits, constant: u64) -> Option<[u64; 3]> {
    let (size, moved) = (bits.0 as u64 / 8, constant / 8);
    let is_whole = bits.0.is_multiple_of(8);
    match opcode {
        Opcode::LLVMShl if is_whole && constant.is_multiple_of(8) && moved < size => Some([0, moved, size - moved]),
        Opcode::LLVMLShr if is_whole && constant.is_multiple_of(8) && moved < size => Some([moved, 0, size - moved]),
        Opcode::LLVMAnd => {
            let (first, last) = (constant.trailing_zeros() as u64, 64 - constant.leading_zeros() as u64);
            let is_run = constant != 0 && first.is_multiple_of(8) && last.is_multiple_of(8);
            let ones = (constant.count_ones() as u64 == last - first.min(last)) && is_run;
            ones.then(|| [first / 8, first / 8, (last - first) / 8])
        }
        _ => None,
    }
}
