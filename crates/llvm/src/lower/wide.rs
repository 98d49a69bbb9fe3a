//! Intrinsics on integers of 65 to 128 bits, by their halves.

use super::Lowering;
use crate::ir::{Opcode, Predicate};
use crate::shape::Leaf;
use crate::unsupported::{Lowered, refuse};
use raddle_program::{Bits, Instr, Overflow, Reg, Use};

const HALF: Bits = Bits(64);

impl<'m> Lowering<'_, 'm> {
    /// An intrinsic with one operand.
    pub(super) fn wide_bits(&mut self, name: &str, leaf: Leaf, a: &[Reg]) -> Lowered<Vec<Reg>> {
        let (low, high) = (Use(a[0]), Use(a[1]));
        let zero = self.builder.constant(0);
        Ok(match name {
            "abs" => {
                let zeros = self.number(leaf, 0);
                let negative = self.compared(Predicate::LLVMIntSLT, leaf, a[0], zeros[0]);
                let negated = self.operate(Opcode::LLVMSub, leaf, &zeros, a)?;
                self.chosen(negative, &negated, a)
            }
            "ctpop" => {
                let (x, y) = (self.emit(|to| Instr::PopCount { to, a: low }), self.emit(|to| Instr::PopCount { to, a: high }));
                let sum = self.emit(|to| Instr::Add { to, a: Use(x), b: Use(y), bits: HALF });
                self.pair_of(sum, zero)
            }
            "ctlz" => {
                let upper = Bits(leaf.bits() - 64);
                let first = self.emit(|to| Instr::LeadingZeros { to, a: high, bits: upper });
                let second = self.emit(|to| Instr::LeadingZeros { to, a: low, bits: HALF });
                let second = self.plus(second, upper.0 as u64);
                let count = self.emit(|to| Instr::Select { to, c: high, a: Use(first), b: Use(second) });
                self.pair_of(count, zero)
            }
            "cttz" => {
                let first = self.emit(|to| Instr::TrailingZeros { to, a: low, bits: HALF });
                let second = self.emit(|to| Instr::TrailingZeros { to, a: high, bits: Bits(leaf.bits() - 64) });
                let second = self.plus(second, 64);
                let count = self.emit(|to| Instr::Select { to, c: low, a: Use(first), b: Use(second) });
                self.pair_of(count, zero)
            }
            "bswap" | "bitreverse" if leaf.bits() == 128 => {
                let mut turn = |a| {
                    self.emit(|to| match name {
                        "bswap" => Instr::SwapBytes { to, a, bits: HALF },
                        _ => Instr::ReverseBits { to, a, bits: HALF },
                    })
                };
                let (new_low, new_high) = (turn(high), turn(low));
                self.pair_of(new_low, new_high)
            }
            _ => return refuse(format!("`{name}` of {} bits", leaf.bits())),
        })
    }

    /// `fshl`, `fshr` of 128 bits: a shift by all of them gives zero, so no case is special.
    pub(super) fn wide_funnel(&mut self, name: &str, leaf: Leaf, a: &[Reg], b: &[Reg], c: &[Reg]) -> Lowered<Vec<Reg>> {
        if leaf.bits() != 128 {
            return refuse(format!("`{name}` of {} bits", leaf.bits()));
        }
        let (width, mask) = (self.number(leaf, 128), self.number(leaf, 127));
        let by = self.operate(Opcode::LLVMAnd, leaf, c, &mask)?;
        let rest = self.operate(Opcode::LLVMSub, leaf, &width, &by)?;
        let (left, right) = if name == "fshl" { (&by, &rest) } else { (&rest, &by) };
        let upper = self.operate(Opcode::LLVMShl, leaf, a, left)?;
        let lower = self.operate(Opcode::LLVMLShr, leaf, b, right)?;
        self.operate(Opcode::LLVMOr, leaf, &upper, &lower)
    }

    /// Addition and subtraction that tell whether the result fits.
    pub(super) fn wide_overflowing(&mut self, op: Overflow, leaf: Leaf, a: Reg, b: Reg) -> Lowered<(Vec<Reg>, Reg)> {
        let opcode = match op {
            Overflow::SAdd | Overflow::UAdd => Opcode::LLVMAdd,
            Overflow::SSub | Overflow::USub => Opcode::LLVMSub,
            Overflow::SMul | Overflow::UMul => return refuse("a multiplication of more than 64 bits that tells overflow"),
        };
        let (pair_a, pair_b) = (super::operands::pair(a), super::operands::pair(b));
        let result = self.operate(opcode, leaf, &pair_a, &pair_b)?;
        let flag = match op {
            Overflow::UAdd => self.compared(Predicate::LLVMIntULT, leaf, result[0], a),
            Overflow::USub => self.compared(Predicate::LLVMIntULT, leaf, a, b),
            _ => {
                // The result moved the wrong way for the sign of `b`.
                let zeros = self.number(leaf, 0);
                let negative = self.compared(Predicate::LLVMIntSLT, leaf, b, zeros[0]);
                let moved = if opcode == Opcode::LLVMAdd { Predicate::LLVMIntSLT } else { Predicate::LLVMIntSGT };
                let fell = self.compared(moved, leaf, result[0], a);
                self.emit(|to| Instr::Xor { to, a: Use(negative), b: Use(fell) })
            }
        };
        Ok((result, flag))
    }
}
