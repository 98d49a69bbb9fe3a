//! POWER: what the instructions mean. Registers have 64 bits; `lwz` clears the upper half, `cmpw` looks at the lower
//! one.
//!
//! A condition field is three registers (less, greater, equal), so that a branch depends on what was compared. `r0` as
//! the first part of an indexed address, and as the source of `addi`, is zero.

use crate::assembly::{Instruction, Operand, OperandKind};
use crate::error::{Result, syntax, unsupported};
use crate::header::Arch;
use crate::registers;
use crate::thread::{Binary, Thread};
use raddle_event::{Fence, Order};
use raddle_program::{Def, Instr, Reg, Size, Use};

/// What an instruction does with memory, and how many bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemoryOp {
    Load,
    Store,
    LoadReserve,
    StoreConditional,
}

/// An access by its word: what, how many bytes, whether the address is a sum of two registers, whether it is written
/// back.
fn access(word: &str) -> Option<(MemoryOp, u32, bool, bool)> {
    match word {
        "LWARX" => return Some((MemoryOp::LoadReserve, 4, true, false)),
        "LDARX" => return Some((MemoryOp::LoadReserve, 8, true, false)),
        "STWCX." => return Some((MemoryOp::StoreConditional, 4, true, false)),
        "STDCX." => return Some((MemoryOp::StoreConditional, 8, true, false)),
        _ => {}
    }
    let (access, rest) = match word.strip_prefix("ST") {
        Some(rest) => (MemoryOp::Store, rest),
        None => (MemoryOp::Load, word.strip_prefix('L')?),
    };
    let (stem, indexed) = rest.strip_suffix('X').map_or((rest, false), |stem| (stem, true));
    let (stem, update) = stem.strip_suffix('U').map_or((stem, false), |stem| (stem, true));
    let bytes = match (access, stem) {
        (MemoryOp::Load, "BZ") | (MemoryOp::Store, "B") => 1,
        (MemoryOp::Load, "HZ") | (MemoryOp::Store, "H") => 2,
        (MemoryOp::Load, "WZ") | (MemoryOp::Store, "W") => 4,
        (_, "D") => 8,
        _ => return None,
    };
    Some((access, bytes, indexed, update))
}

/// Calls `f` with the registers that an access takes its address from and its size.
pub(crate) fn accesses<'i>(instruction: &'i Instruction, word_bytes: u32, mut f: impl FnMut(&'i str, Option<u32>)) {
    let Some((_, bytes, ..)) = access(&instruction.word) else { return };
    let bytes = Some(if bytes == 4 { word_bytes } else { bytes });
    for operand in instruction.operands.iter().skip(1) {
        match &operand.kind {
            OperandKind::Name(name) => f(name, bytes),
            OperandKind::Memory { parts, .. } => parts.iter().for_each(|part| {
                if let OperandKind::Name(name) = &part.kind {
                    f(name, bytes);
                }
            }),
            _ => {}
        }
    }
}

/// Appends what an instruction does. A word in memory has `word_bytes`.
pub(crate) fn lower(thread: &mut Thread, word_bytes: u32, instruction: &Instruction) -> Result<()> {
    let lowering = &mut Lowering { thread, word_bytes, instruction };
    let word = instruction.word.as_str();
    if let Some(fence) = fence(word) {
        instruction.exactly::<0>()?;
        lowering.thread.fence(fence);
        return Ok(());
    }
    if let Some((access, bytes, indexed, update)) = access(word) {
        let bytes = if bytes == 4 { word_bytes } else { bytes };
        return lowering.access(access, bytes, indexed, update);
    }
    if let Some((bits, immediate, signed)) = comparison(word) {
        return lowering.compare(bits, immediate, signed);
    }
    if let Some((test, when)) = condition(word) {
        return lowering.branch(test, when);
    }
    let (stem, sets_cr0) = word.strip_suffix('.').map_or((word, false), |stem| (stem, true));
    let result = match lowering.compute(stem)? {
        Some(result) => result,
        None => return lowering.others(word),
    };
    if sets_cr0 {
        let zero = lowering.thread.constant(0);
        lowering.set_condition(0, result, zero, 64, true);
    }
    Ok(())
}

fn fence(word: &str) -> Option<Fence> {
    match word {
        "SYNC" | "HWSYNC" => Some(Fence::Sync),
        "LWSYNC" => Some(Fence::Lwsync),
        "EIEIO" => Some(Fence::Eieio),
        "ISYNC" => Some(Fence::Isync),
        _ => None,
    }
}

/// Width, whether the second operand is a number, whether they are signed.
fn comparison(word: &str) -> Option<(u8, bool, bool)> {
    Some(match word {
        "CMPW" => (32, false, true),
        "CMPWI" => (32, true, true),
        "CMPD" => (64, false, true),
        "CMPDI" => (64, true, true),
        "CMPLW" => (32, false, false),
        "CMPLWI" => (32, true, false),
        "CMPLD" => (64, false, false),
        "CMPLDI" => (64, true, false),
        _ => return None,
    })
}

const LESS: &str = "less";
const GREATER: &str = "greater";
const EQUAL: &str = "equal";

/// Which bit of the condition field a branch looks at, and what it must be.
fn condition(word: &str) -> Option<(&'static str, bool)> {
    Some(match word {
        "BEQ" => (EQUAL, true),
        "BNE" => (EQUAL, false),
        "BLT" => (LESS, true),
        "BGE" | "BNL" => (LESS, false),
        "BGT" => (GREATER, true),
        "BLE" | "BNG" => (GREATER, false),
        _ => return None,
    })
}

struct Lowering<'t, 'a, 'i> {
    thread: &'t mut Thread<'a>,
    word_bytes: u32,
    instruction: &'i Instruction,
}

impl<'i> Lowering<'_, '_, 'i> {
    fn register_name(&self, operand: &Operand) -> Result<String> {
        match &operand.kind {
            OperandKind::Name(name) => match registers::find(Arch::Ppc, name) {
                Some(register) => Ok(register.name),
                None => syntax(operand.at, format!("`{name}` is not a register of PPC")),
            },
            _ => syntax(operand.at, "expected a register of PPC"),
        }
    }

    fn register(&mut self, operand: &Operand) -> Result<Reg> {
        let name = self.register_name(operand)?;
        Ok(self.thread.register(&name))
    }

    /// A register, where `r0` means zero.
    fn register_or_zero(&mut self, operand: &Operand) -> Result<Reg> {
        match self.register_name(operand)?.as_str() {
            "r0" => Ok(self.thread.constant(0)),
            name => Ok(self.thread.register(name)),
        }
    }

    fn access(&mut self, access: MemoryOp, bytes: u32, indexed: bool, update: bool) -> Result<()> {
        let value = match self.instruction.operands.first() {
            Some(operand) => self.register(operand)?,
            None => return syntax(self.instruction.at, format!("`{}` lacks its operands", self.instruction.word)),
        };
        let (address, base) = if indexed { self.indexed_address()? } else { self.displaced_address()? };
        match access {
            MemoryOp::Load => {
                let loaded = self.thread.load(address, bytes, Order::Relaxed);
                self.thread.set(value, loaded);
            }
            MemoryOp::Store => {
                let value = self.thread.cut(value, bytes as u8 * 8);
                self.thread.store(address, value, bytes, Order::Relaxed);
            }
            MemoryOp::LoadReserve => {
                let (size, order) = (Size(bytes), Order::Relaxed);
                self.thread.push(Instr::LoadReserve { to: Def(value), address: Use(address), size, order });
            }
            MemoryOp::StoreConditional => self.store_conditional(address, value, bytes),
        }
        if update {
            let base = self.register(base)?;
            self.thread.set(base, address);
        }
        Ok(())
    }

    /// The sum of the last two operands, and the first of them.
    fn indexed_address(&mut self) -> Result<(Reg, &'i Operand)> {
        let [_, base, index] = self.instruction.exactly()?;
        let (a, b) = (self.register_or_zero(base)?, self.register(index)?);
        Ok((self.thread.binary(Binary::Add, a, b, 64), base))
    }

    /// `0(r2)` or `0,r2`, and the register in it.
    fn displaced_address(&mut self) -> Result<(Reg, &'i Operand)> {
        let (displacement, base) = match self.instruction.operands.as_slice() {
            [_, number, base] => (number.number()?, base),
            [_, Operand { at, kind: OperandKind::Memory { displacement, parts, .. } }] => match parts.as_slice() {
                [base] => (*displacement as u64, base),
                _ => return syntax(*at, "expected an address of the form `0(r1)`"),
            },
            _ => return syntax(self.instruction.at, format!("expected `{} r1,0(r2)`", self.instruction.word.to_ascii_lowercase())),
        };
        let register = self.register(base)?;
        if displacement == 0 {
            return Ok((register, base));
        }
        let displacement = self.thread.constant(displacement);
        Ok((self.thread.binary(Binary::Add, register, displacement, 64), base))
    }

    /// Sets the first condition field to whether it stored.
    fn store_conditional(&mut self, address: Reg, value: Reg, bytes: u32) {
        let value = self.thread.cut(value, bytes as u8 * 8);
        let (size, order) = (Size(bytes), Order::Relaxed);
        let done = self.thread.compute(|done| Instr::StoreConditional { done, address: Use(address), value: Use(value), size, order });
        let zero = self.thread.constant(0);
        self.set_bit(0, LESS, zero);
        self.set_bit(0, GREATER, zero);
        self.set_bit(0, EQUAL, done);
    }

    fn set_bit(&mut self, field: u8, bit: &str, value: Reg) {
        let to = self.thread.register(&format!("cr{field}.{bit}"));
        self.thread.set(to, value);
    }

    /// Sets a condition field by comparing two values of this width.
    fn set_condition(&mut self, field: u8, a: Reg, b: Reg, bits: u8, signed: bool) {
        let less = if signed { Binary::SLt } else { Binary::ULt };
        let (is_less, is_greater) = (self.thread.binary(less, a, b, bits), self.thread.binary(less, b, a, bits));
        let is_equal = self.thread.binary(Binary::Eq, a, b, bits);
        self.set_bit(field, LESS, is_less);
        self.set_bit(field, GREATER, is_greater);
        self.set_bit(field, EQUAL, is_equal);
    }

    /// The number of a condition field that an operand names.
    fn field(operand: &Operand) -> Option<u8> {
        match &operand.kind {
            OperandKind::Name(name) => name.to_ascii_lowercase().strip_prefix("cr")?.parse().ok().filter(|&n| n < 8),
            _ => None,
        }
    }

    /// The condition field, where one is named first, and the other operands.
    fn field_and_rest(&self) -> (u8, &'i [Operand]) {
        match self.instruction.operands.split_first() {
            Some((first, rest)) => match Self::field(first) {
                Some(field) => (field, rest),
                None => (0, &self.instruction.operands),
            },
            None => (0, &[]),
        }
    }

    fn compare(&mut self, bits: u8, immediate: bool, signed: bool) -> Result<()> {
        let (field, [left, right]) = self.field_and_rest() else {
            return syntax(self.instruction.at, format!("`{}` compares two operands", self.instruction.word));
        };
        // A word of memory that holds addresses is compared as a whole.
        let bits = if bits == 32 && self.word_bytes == 8 { 64 } else { bits };
        let a = self.register(left)?;
        let a = self.thread.cut(a, bits);
        let b = match immediate {
            true => {
                let number = right.number()? & (u64::MAX >> (64 - bits));
                self.thread.constant(number)
            }
            false => {
                let b = self.register(right)?;
                self.thread.cut(b, bits)
            }
        };
        self.set_condition(field, a, b, bits, signed);
        Ok(())
    }

    fn branch(&mut self, bit: &str, when: bool) -> Result<()> {
        let (field, rest) = self.field_and_rest();
        match rest {
            [Operand { at, kind: OperandKind::Name(label) }] => {
                let c = self.thread.register(&format!("cr{field}.{bit}"));
                self.thread.branch_to_label(c, when, *at, label);
                Ok(())
            }
            _ => syntax(self.instruction.at, format!("`{}` goes to a label", self.instruction.word)),
        }
    }

    /// Computes a register from others; nothing where the word is none of these.
    fn compute(&mut self, stem: &str) -> Result<Option<Reg>> {
        let with_registers = match stem {
            "ADD" => Some(Binary::Add),
            "SUB" | "SUBF" => Some(Binary::Sub),
            "XOR" => Some(Binary::Xor),
            "OR" => Some(Binary::Or),
            "AND" => Some(Binary::And),
            "MULLW" | "MULLD" | "MULL" => Some(Binary::Mul),
            _ => None,
        };
        if let Some(op) = with_registers {
            let [to, a, b] = self.instruction.exactly()?;
            let (a, b) = if stem == "SUBF" { (b, a) } else { (a, b) };
            let (to, a, b) = (self.register(to)?, self.register(a)?, self.register(b)?);
            let result = self.thread.binary(op, a, b, 64);
            self.thread.set(to, result);
            return Ok(Some(to));
        }
        if let "DIVW" | "DIVD" = stem {
            let bits = if stem == "DIVW" { 32 } else { 64 };
            let [to, a, b] = self.instruction.exactly()?;
            let (to, a, b) = (self.register(to)?, self.register(a)?, self.register(b)?);
            let (a, b) = (self.thread.cut(a, bits), self.thread.cut(b, bits));
            let result = self.thread.binary(Binary::SDiv, a, b, bits);
            self.thread.set(to, result);
            return Ok(Some(to));
        }
        self.compute_with_number(stem)
    }

    fn compute_with_number(&mut self, stem: &str) -> Result<Option<Reg>> {
        let op = match stem {
            "ADDI" | "SUBI" => Binary::Add,
            "ORI" => Binary::Or,
            "XORI" => Binary::Xor,
            "ANDI" => Binary::And,
            "MULLI" => Binary::Mul,
            "SLWI" | "SLDI" => Binary::Shl,
            "SRWI" | "SRDI" => Binary::LShr,
            _ => return Ok(None),
        };
        let [to, a, number] = self.instruction.exactly()?;
        let number = number.number()?;
        let number = self.thread.constant(if stem == "SUBI" { number.wrapping_neg() } else { number });
        let a = if op == Binary::Add { self.register_or_zero(a)? } else { self.register(a)? };
        let (a, bits) = match stem {
            "SLWI" | "SRWI" => (self.thread.cut(a, 32), 32),
            _ => (a, 64),
        };
        let to = self.register(to)?;
        let result = self.thread.binary(op, a, number, bits);
        self.thread.set(to, result);
        Ok(Some(to))
    }

    fn others(&mut self, word: &str) -> Result<()> {
        match word {
            "LI" => {
                let [to, number] = self.instruction.exactly()?;
                let (to, number) = (self.register(to)?, number.number()?);
                let number = self.thread.constant(number);
                self.thread.set(to, number);
            }
            "MR" => {
                let [to, from] = self.instruction.exactly()?;
                let (to, from) = (self.register(to)?, self.register(from)?);
                self.thread.set(to, from);
            }
            "NEG" => {
                let [to, from] = self.instruction.exactly()?;
                let (to, from) = (self.register(to)?, self.register(from)?);
                let zero = self.thread.constant(0);
                let result = self.thread.binary(Binary::Sub, zero, from, 64);
                self.thread.set(to, result);
            }
            "EXTSW" => {
                let [to, from] = self.instruction.exactly()?;
                let (to, from) = (self.register(to)?, self.register(from)?);
                let word = self.thread.cut(from, 32);
                let result = self.thread.sign_extend(word, 32, 64);
                self.thread.set(to, result);
            }
            "CLRLDI" => {
                let [to, from, number] = self.instruction.exactly()?;
                let kept = match number.number()? {
                    cleared @ 0..64 => self.thread.constant(u64::MAX >> cleared),
                    _ => return syntax(number.at, "a register has bits 0 to 63"),
                };
                let (to, from) = (self.register(to)?, self.register(from)?);
                let result = self.thread.binary(Binary::And, from, kept, 64);
                self.thread.set(to, result);
            }
            "NOP" => {
                self.instruction.exactly::<0>()?;
            }
            "BLR" => {
                self.instruction.exactly::<0>()?;
                let exit = self.thread.exit();
                self.thread.jump(exit);
            }
            "B" => {
                let [label] = self.instruction.exactly()?;
                self.thread.jump_to_label(label.at, label.label()?);
            }
            _ => return unsupported(self.instruction.at, format!("instruction `{}` is not supported on PPC", self.instruction.word)),
        }
        Ok(())
    }
}
