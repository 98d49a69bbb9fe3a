//! AArch64: what the instructions mean that do not access memory; those that do are in [`crate::aarch64_memory`].
//!
//! `Wn` is the lower half of `Xn`; writing it clears the upper half. A register that a thread only ever names `Wn` is
//! known to have nothing in its upper half.

use crate::aarch64_memory;
use crate::assembly::{Instruction, Item, Operand, OperandKind};
use crate::error::{Result, syntax, unsupported};
use crate::flags::Test;
use crate::header::Arch;
use crate::registers::{self, Register};
use crate::thread::{Binary, Thread};
use raddle_event::Fence;
use raddle_program::{Instr, Reg, Use};
use std::collections::BTreeSet;

/// The registers that a thread names by 64 bits, directly or in an address.
pub(crate) fn wide_registers(column: &[Item]) -> BTreeSet<String> {
    fn collect(operand: &Operand, wide: &mut BTreeSet<String>) {
        match &operand.kind {
            OperandKind::Name(name) => {
                wide.extend(registers::find(Arch::AArch64, name).filter(|r| r.bits == 64).map(|r| r.name));
            }
            OperandKind::Memory { parts, .. } => parts.iter().for_each(|part| collect(part, wide)),
            _ => {}
        }
    }
    let mut wide = BTreeSet::new();
    for item in column {
        if let Item::Instruction(instruction) = item {
            instruction.operands.iter().for_each(|operand| collect(operand, &mut wide));
        }
    }
    wide
}

pub(crate) struct Lowering<'t, 'a, 'i> {
    pub thread: &'t mut Thread<'a>,
    pub instruction: &'i Instruction,
    /// See [`wide_registers`].
    pub wide: &'t BTreeSet<String>,
}

pub(crate) fn lower<'a>(thread: &mut Thread<'a>, instruction: &Instruction, wide: &BTreeSet<String>) -> Result<()> {
    let lowering = &mut Lowering { thread, instruction, wide };
    let word = instruction.word.as_str();
    let is_known = lowering.fence(word)?
        || lowering.jump(word)?
        || lowering.arithmetic(word)?
        || lowering.move_or_shift(word)?
        || lowering.select(word)?
        || aarch64_memory::lower(lowering, word)?;
    match is_known {
        true => Ok(()),
        false => unsupported(instruction.at, format!("instruction `{}` is not supported on AArch64", instruction.word)),
    }
}

/// What a condition asks of the flags, and whether it must hold. The carry is kept as a borrow after a subtraction.
fn condition(word: &str) -> Option<(Test, bool)> {
    Some(match word {
        "EQ" => (Test::Zero, true),
        "NE" => (Test::Zero, false),
        "CC" | "LO" => (Test::Carry, true),
        "CS" | "HS" => (Test::Carry, false),
        "MI" => (Test::Negative, true),
        "PL" => (Test::Negative, false),
        "VS" => (Test::Overflow, true),
        "VC" => (Test::Overflow, false),
        "LS" => (Test::CarryOrZero, true),
        "HI" => (Test::CarryOrZero, false),
        "LT" => (Test::SignedLess, true),
        "GE" => (Test::SignedLess, false),
        "LE" => (Test::SignedLessOrEqual, true),
        "GT" => (Test::SignedLessOrEqual, false),
        _ => return None,
    })
}

impl<'i> Lowering<'_, '_, 'i> {
    /// The register that an operand must be.
    pub fn register(&self, operand: &Operand) -> Result<Register> {
        match &operand.kind {
            OperandKind::Name(name) => match registers::find(Arch::AArch64, name) {
                Some(register) => Ok(register),
                None => syntax(operand.at, format!("`{name}` is not a register of AArch64")),
            },
            _ => syntax(operand.at, "expected a register of AArch64"),
        }
    }

    /// `X0,#5,LSL #16`: the register, the number of sixteen bits, and how far it is shifted.
    fn shifted_number(&self) -> Result<(Register, u64, u64)> {
        let wrong = || syntax(self.instruction.at, format!("expected `{} X0,#1` or `{0} X0,#1,LSL #16`", self.instruction.word));
        let (to, number, by) = match self.instruction.operands.as_slice() {
            [to, number] => (to, number, 0),
            [to, number, Operand { kind: OperandKind::Shift(word, by @ (0 | 16 | 32 | 48)), .. }] if word == "LSL" => {
                (to, number, *by as u64)
            }
            _ => return wrong(),
        };
        let (to, number) = (self.register(to)?, number.number()?);
        if number >> 16 != 0 || by >= to.bits as u64 { wrong() } else { Ok((to, number, by)) }
    }

    /// Sixteen bits of a register get another value; the others keep theirs.
    fn move_keeping(&mut self) -> Result<()> {
        let (to, number, by) = self.shifted_number()?;
        let old = self.read(&to);
        let (kept, set) = (self.thread.constant(!(0xffff << by)), self.thread.constant(number << by));
        let kept = self.thread.binary(Binary::And, old, kept, 64);
        let value = self.thread.binary(Binary::Or, kept, set, 64);
        self.write(&to, value, to.bits);
        Ok(())
    }

    /// The value of the bits that a name means.
    pub fn read(&mut self, register: &Register) -> Reg {
        if register.name == "XZR" {
            return self.thread.constant(0);
        }
        let whole = self.thread.register(&register.name);
        let is_narrow = !self.wide.contains(&register.name) && self.thread.initial(&register.name) >> 32 == 0;
        match register.bits {
            32 if !is_narrow => self.thread.cut(whole, 32),
            _ => whole,
        }
    }

    /// Writes a value of so many bits to the bits that the name means.
    pub fn write(&mut self, register: &Register, value: Reg, bits: u8) {
        if register.name != "XZR" {
            let whole = self.thread.register(&register.name);
            let value = self.cut(value, bits, register.bits);
            self.thread.set(whole, value);
        }
    }

    pub fn read_operand(&mut self, operand: &Operand) -> Result<(Reg, u8)> {
        let register = self.register(operand)?;
        Ok((self.read(&register), register.bits))
    }

    fn fence(&mut self, word: &str) -> Result<bool> {
        if word == "ISB" {
            self.thread.fence(Fence::Isb);
            return Ok(true);
        }
        if word != "DMB" && word != "DSB" {
            return Ok(false);
        }
        let [option] = self.instruction.exactly()?;
        let name = option.label()?.to_ascii_uppercase();
        let fence = match name.as_str() {
            "SY" | "ISH" | "OSH" | "NSH" => Fence::Dmb,
            "LD" | "ISHLD" | "OSHLD" | "NSHLD" => Fence::DmbLd,
            "ST" | "ISHST" | "OSHST" | "NSHST" => Fence::DmbSt,
            _ => return syntax(option.at, format!("`{name}` is not an option of `{word}`")),
        };
        self.thread.fence(fence);
        Ok(true)
    }

    fn jump(&mut self, word: &str) -> Result<bool> {
        match word {
            "B" => {
                let [label] = self.instruction.exactly()?;
                let name = label.label()?;
                self.thread.jump_to_label(label.at, name);
            }
            "CBZ" | "CBNZ" => {
                let [value, label] = self.instruction.exactly()?;
                let (value, name) = (self.read_operand(value)?.0, label.label()?);
                self.thread.branch_to_label(value, word == "CBNZ", label.at, name);
            }
            "TBZ" | "TBNZ" => {
                let [value, bit, label] = self.instruction.exactly()?;
                let (value, name) = (self.read_operand(value)?.0, label.label()?);
                let mask = match bit.number()? {
                    number @ 0..64 => self.thread.constant(1 << number),
                    _ => return syntax(bit.at, "a register has bits 0 to 63"),
                };
                let bit = self.thread.binary(Binary::And, value, mask, 64);
                self.thread.branch_to_label(bit, word == "TBNZ", label.at, name);
            }
            _ => {
                let suffix = word.strip_prefix("B.").or_else(|| word.strip_prefix('B'));
                let Some((test, when)) = suffix.and_then(condition) else { return Ok(false) };
                let [label] = self.instruction.exactly()?;
                let name = label.label()?;
                let c = self.thread.test_flags(test);
                self.thread.branch_to_label(c, when, label.at, name);
            }
        }
        Ok(true)
    }

    /// A register, a number, or a register with a shift or extension behind it, as a value of these bits.
    pub fn flexible(&mut self, operands: &[&Operand], bits: u8) -> Result<Reg> {
        let (first, modifier) = match operands {
            [first] => (*first, None),
            [first, modifier] => (*first, Some(*modifier)),
            _ => return syntax(self.instruction.at, format!("`{}` has too many or too few operands", self.instruction.word)),
        };
        if let OperandKind::Number(number) = first.kind {
            let number = number as u64 & (u64::MAX >> (64 - bits));
            return Ok(self.thread.constant(number));
        }
        let (value, of) = self.read_operand(first)?;
        let Some(modifier) = modifier else { return Ok(self.cut(value, of, bits)) };
        let (name, amount) = match &modifier.kind {
            OperandKind::Name(name) => (name.to_ascii_uppercase(), 0),
            OperandKind::Shift(name, amount) => (name.clone(), *amount as u64),
            _ => return syntax(modifier.at, "expected a shift or an extension"),
        };
        let amount = self.thread.constant(amount);
        let shift = match name.as_str() {
            "LSR" => return Ok(self.thread.binary(Binary::LShr, value, amount, bits)),
            "ASR" => return Ok(self.thread.binary(Binary::AShr, value, amount, bits)),
            "LSL" => value,
            _ => match extension(&name) {
                Some((from, signed)) => self.extend(value, from, signed, bits),
                None => return syntax(modifier.at, format!("`{name}` is neither a shift nor an extension")),
            },
        };
        match self.thread.constant(0) == amount {
            true => Ok(shift),
            false => Ok(self.thread.binary(Binary::Shl, shift, amount, bits)),
        }
    }

    /// A value that has `of` bits as one that has at most `bits`.
    pub fn cut(&mut self, value: Reg, of: u8, bits: u8) -> Reg {
        if bits < of { self.thread.cut(value, bits) } else { value }
    }

    /// Extends the lower bits of a value to more.
    pub fn extend(&mut self, value: Reg, from: u8, signed: bool, bits: u8) -> Reg {
        if from >= bits {
            return self.thread.cut(value, bits);
        }
        let cut = self.thread.cut(value, from);
        if signed { self.thread.sign_extend(cut, from, bits) } else { cut }
    }

    /// Two or three operands and what modifies the last.
    fn arithmetic(&mut self, word: &str) -> Result<bool> {
        let (stem, sets_flags) = match word {
            "CMP" => ("SUB", true),
            "CMN" => ("ADD", true),
            "TST" => ("AND", true),
            "ADDS" | "SUBS" | "ANDS" => (&word[..3], true),
            _ => (word, false),
        };
        let op = match stem {
            "ADD" => Binary::Add,
            "SUB" => Binary::Sub,
            "AND" | "BIC" => Binary::And,
            "ORR" | "ORN" => Binary::Or,
            "EOR" | "EON" => Binary::Xor,
            "MUL" => Binary::Mul,
            _ => return Ok(false),
        };
        let operands: Vec<&Operand> = self.instruction.operands.iter().collect();
        let (to, operands) = match word {
            "CMP" | "CMN" | "TST" => (None, operands.as_slice()),
            _ => match operands.split_first() {
                Some((to, rest)) => (Some(self.register(to)?), rest),
                None => return self.instruction.exactly::<3>().map(|_| true),
            },
        };
        let Some((first, rest)) = operands.split_first() else { return self.instruction.exactly::<3>().map(|_| true) };
        let (a, bits) = self.read_operand(first)?;
        let mut b = self.flexible(rest, bits)?;
        if matches!(word, "BIC" | "ORN" | "EON") {
            b = self.inverted(b, bits);
        }
        let result = if sets_flags { self.with_flags(op, a, b, bits) } else { self.thread.binary(op, a, b, bits) };
        if let Some(to) = to {
            self.write(&to, result, bits);
        }
        Ok(true)
    }

    fn inverted(&mut self, value: Reg, bits: u8) -> Reg {
        let ones = self.thread.constant(u64::MAX >> (64 - bits));
        self.thread.binary(Binary::Xor, value, ones, bits)
    }

    /// The carry is kept as a borrow, so an addition keeps it inverted.
    fn with_flags(&mut self, op: Binary, a: Reg, b: Reg, bits: u8) -> Reg {
        let (result, borrow) = match op {
            Binary::Sub => {
                let borrow = self.thread.binary(Binary::ULt, a, b, bits);
                (self.thread.sub_with_flags(a, b, bits), borrow)
            }
            Binary::Add => {
                let result = self.thread.add_with_flags(a, b, bits);
                (result, self.thread.binary(Binary::ULe, a, result, bits))
            }
            op => {
                let result = self.thread.binary(op, a, b, bits);
                self.thread.flags_of(result, None, bits);
                (result, self.thread.constant(1))
            }
        };
        self.thread.set_carry(borrow);
        result
    }

    fn move_or_shift(&mut self, word: &str) -> Result<bool> {
        match word {
            "NOP" => {
                self.instruction.exactly::<0>()?;
            }
            "MOV" | "MOVZ" | "MVN" | "NEG" => {
                let Some((to, rest)) = self.instruction.operands.split_first() else {
                    return self.instruction.exactly::<2>().map(|_| true);
                };
                let (to, rest) = (self.register(to)?, rest.iter().collect::<Vec<_>>());
                let value = match (rest.as_slice(), word) {
                    ([Operand { kind: OperandKind::Number(number), .. }, Operand { kind: OperandKind::Shift(_, by @ 0..64), .. }], _) => {
                        self.thread.constant(((*number as u64) << by) & (u64::MAX >> (64 - to.bits)))
                    }
                    (rest, _) => self.flexible(rest, to.bits)?,
                };
                let value = match word {
                    "MVN" => self.inverted(value, to.bits),
                    "NEG" => {
                        let zero = self.thread.constant(0);
                        self.thread.binary(Binary::Sub, zero, value, to.bits)
                    }
                    _ => value,
                };
                self.write(&to, value, to.bits);
            }
            "MOVK" => self.move_keeping()?,
            "MOVN" => {
                let (to, number, by) = self.shifted_number()?;
                let value = self.thread.constant(!(number << by) & (u64::MAX >> (64 - to.bits)));
                self.write(&to, value, to.bits);
            }
            "LSL" | "LSR" | "ASR" | "LSLV" | "LSRV" | "ASRV" => {
                let [to, value, by] = self.instruction.exactly()?;
                let (to, (value, bits)) = (self.register(to)?, self.read_operand(value)?);
                let by = self.flexible(&[by], bits)?;
                let width = self.thread.constant(bits as u64 - 1);
                let by = self.thread.binary(Binary::And, by, width, bits);
                let op = match &word[..3] {
                    "LSL" => Binary::Shl,
                    "LSR" => Binary::LShr,
                    _ => Binary::AShr,
                };
                let result = self.thread.binary(op, value, by, bits);
                self.write(&to, result, bits);
            }
            _ => {
                let Some((from, signed)) = extension(word) else { return Ok(false) };
                let [to, value] = self.instruction.exactly()?;
                let (to, (value, _)) = (self.register(to)?, self.read_operand(value)?);
                let result = self.extend(value, from, signed, to.bits);
                self.write(&to, result, to.bits);
            }
        }
        Ok(true)
    }

    fn select(&mut self, word: &str) -> Result<bool> {
        let (to, yes, no, asked) = match word {
            "CSEL" => {
                let [to, yes, no, asked] = self.instruction.exactly()?;
                (to, self.read_operand(yes)?.0, self.read_operand(no)?.0, asked)
            }
            "CSET" => {
                let [to, asked] = self.instruction.exactly()?;
                (to, self.thread.constant(1), self.thread.constant(0), asked)
            }
            _ => return Ok(false),
        };
        let to = self.register(to)?;
        let Some((test, when)) = condition(&asked.label()?.to_ascii_uppercase()) else {
            return syntax(asked.at, "expected a condition such as `EQ`");
        };
        let c = self.thread.test_flags(test);
        let (a, b) = if when { (yes, no) } else { (no, yes) };
        let value = self.thread.compute(|to| Instr::Select { to, c: Use(c), a: Use(a), b: Use(b) });
        self.write(&to, value, 64);
        Ok(true)
    }
}

/// How many bits an extension takes and whether it keeps their sign.
pub(crate) fn extension(word: &str) -> Option<(u8, bool)> {
    Some(match word {
        "UXTB" => (8, false),
        "UXTH" => (16, false),
        "UXTW" => (32, false),
        "UXTX" => (64, false),
        "SXTB" => (8, true),
        "SXTH" => (16, true),
        "SXTW" => (32, true),
        "SXTX" => (64, true),
        _ => return None,
    })
}
