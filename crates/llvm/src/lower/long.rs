//! Integers of more than 128 bits, which clang makes for long runs of bit-fields: words in a row, and what bit-fields
//! need of them.
//!
//! Bitwise operations need nothing here: they go leaf by leaf, like those of vectors.

use super::Lowering;
use super::casts::{Piece, pieces};
use crate::ir::{Kind, Opcode, Predicate, Type, Value};
use crate::shape::{Leaf, Shape};
use crate::unsupported::{Lowered, refuse};
use raddle_program::{Bits, Instr, Reg, Use};

/// The width of a type that is a long integer.
pub(super) fn long_bits(of: Type<'_>) -> Option<u32> {
    match of.kind() {
        Kind::Int(bits) if bits > 128 => Some(bits),
        _ => None,
    }
}

impl<'m> Lowering<'_, 'm> {
    /// An operation on long integers.
    pub(super) fn long_binary(&mut self, i: Value<'m>, bits: u32) -> Lowered<()> {
        let (opcode, amount) = (i.opcode(), i.operand(1));
        match opcode {
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                return self.by_leaves(i, [i.operand(0), amount], |this, leaf, [a, b]| this.operate(opcode, leaf, a, b));
            }
            Opcode::LLVMAdd | Opcode::LLVMSub => return self.long_sum(i, opcode == Opcode::LLVMSub),
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr if amount.is_int() => {}
            _ => return refuse(format!("this operation on integers of {bits} bits")),
        }
        let by = amount.long(bits)[0] as u32;
        let shape = self.shape(i.of())?;
        let mut sources = self.sources(i.operand(0))?;
        let first = match opcode {
            Opcode::LLVMShl => {
                sources.iter_mut().for_each(|source| source.start += by);
                0
            }
            Opcode::LLVMLShr => by,
            _ => {
                self.add_sign(&mut sources, bits + by);
                by
            }
        };
        let registers = self.cut_out(&sources, first, &shape)?;
        self.define(i, registers);
        Ok(())
    }

    /// The sum or the difference, word by word with a carry; `a - b` is `a + !b + 1`.
    fn long_sum(&mut self, i: Value<'m>, is_difference: bool) -> Lowered<()> {
        let (word, ones) = (Bits(64), Use(self.builder.constant(u64::MAX)));
        let mut carry = self.builder.constant(is_difference as u64);
        self.by_leaves(i, [i.operand(0), i.operand(1)], |this, leaf, [a, b]| {
            let (a, mut b) = (Use(a[0]), Use(b[0]));
            if is_difference {
                b = Use(this.emit(|to| Instr::Xor { to, a: b, b: ones }));
            }
            let sum = this.emit(|to| Instr::Add { to, a, b, bits: word });
            let first = this.emit(|to| Instr::ULt { to, a: Use(sum), b: a });
            let whole = this.emit(|to| Instr::Add { to, a: Use(sum), b: Use(carry), bits: word });
            let second = this.emit(|to| Instr::ULt { to, a: Use(whole), b: Use(sum) });
            carry = this.emit(|to| Instr::Or { to, a: Use(first), b: Use(second) });
            Ok(this.truncate(leaf, &[whole]))
        })
    }

    /// A conversion from or to a long integer.
    pub(super) fn long_cast(&mut self, i: Value<'m>) -> Lowered<()> {
        let shape = self.shape(i.of())?;
        let mut sources = self.sources(i.operand(0))?;
        match i.opcode() {
            Opcode::LLVMTrunc | Opcode::LLVMZExt => {}
            Opcode::LLVMSExt => self.add_sign(&mut sources, long_bits(i.of()).unwrap_or(128)),
            _ => return refuse("this conversion of a long integer"),
        }
        let registers = self.cut_out(&sources, 0, &shape)?;
        self.define(i, registers);
        Ok(())
    }

    /// Whether two long integers are equal.
    pub(super) fn long_compare(&mut self, i: Value<'m>) -> Lowered<()> {
        let (a, b) = (self.registers(i.operand(0))?, self.registers(i.operand(1))?);
        let mut differ = self.builder.constant(0);
        for (a, b) in a.into_iter().zip(b) {
            let bits = self.emit(|to| Instr::Xor { to, a: Use(a), b: Use(b) });
            differ = self.emit(|to| Instr::Or { to, a: Use(differ), b: Use(bits) });
        }
        let (a, b) = (Use(differ), Use(self.builder.constant(0)));
        let result = match i.predicate() {
            Predicate::LLVMIntEQ => self.emit(|to| Instr::Eq { to, a, b }),
            Predicate::LLVMIntNE => self.emit(|to| Instr::Ne { to, a, b }),
            _ => return refuse("an order of long integers"),
        };
        self.define(i, vec![result]);
        Ok(())
    }

    /// The registers of an integer with the bits that they hold of it.
    fn sources(&mut self, value: Value<'m>) -> Lowered<Vec<Piece>> {
        let shape = self.shape(value.of())?;
        let registers = self.registers(value)?;
        Ok(pieces(&shape).zip(registers).map(|((start, bits), register)| Piece { register, start, bits }).collect())
    }

    /// Adds copies of the sign up to a number of bits.
    fn add_sign(&mut self, sources: &mut Vec<Piece>, end: u32) {
        let top = *sources.last().expect("an integer has bits");
        let (from, bits) = (Leaf::Int(top.bits as u8), Bits(64));
        let extended = if top.bits < 64 { self.extend_sign(from, Leaf::Int(64), &[top.register])[0] } else { top.register };
        let by = Use(self.builder.constant(63));
        let register = self.emit(|to| Instr::AShr { to, a: Use(extended), b: by, bits });
        let mut start = top.start + top.bits;
        while start < end {
            sources.push(Piece { register, start, bits: 64 });
            start += 64;
        }
    }

    /// The value of a shape that has the bits from `first` on; zeros where no source has any.
    fn cut_out(&mut self, sources: &[Piece], first: u32, shape: &Shape) -> Lowered<Vec<Reg>> {
        let mut parts = Vec::new();
        for (start, bits) in pieces(shape) {
            let (start, end) = (start + first, start + first + bits);
            let is_zero = !sources.iter().any(|s| s.start < end && start < s.start + s.bits);
            parts.push(if is_zero { self.builder.constant(0) } else { self.gather(sources, start, bits)? });
        }
        Ok(self.in_rows(&parts, shape))
    }
}
