//! x86: what the instructions mean, for X86 (destination first) and X86_64 (destination last), as herd7 reads them.
//!
//! `XCHG` with memory and everything with `LOCK` is one atomic action; `ADD [x],1` without it is a load and a store. On
//! X86 a register is 32 bits, unless the test keeps addresses in registers: then it holds a whole address.

mod operands;

use crate::assembly::{Instruction, Operand, OperandKind};
use crate::error::{Result, syntax, unsupported};
use crate::flags::Test;
use crate::header::Arch;
use crate::registers::{self, Register};
use crate::thread::{Binary, Exchange, Thread};
use raddle_event::{Fence, Order, RmwOp};
use raddle_program::Reg;

/// What the whole test decides.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub arch: Arch,
    /// The width of a register of X86.
    pub register_bits: u8,
    /// The size of a location of X86.
    pub memory_bytes: u32,
}

/// The width of one instruction's arithmetic and of its access to memory.
#[derive(Clone, Copy)]
struct Width {
    bits: u8,
    bytes: u32,
}

const STEMS: [&str; 16] =
    ["LEA", "MOV", "ADD", "SUB", "AND", "OR", "XOR", "CMP", "TEST", "INC", "DEC", "NEG", "NOT", "XCHG", "XADD", "CMPXCHG"];

/// The stem of an instruction and the bits that its suffix says.
fn stem(word: &str) -> Option<(&str, Option<u8>)> {
    if STEMS.contains(&word) || word == "UXCH" {
        return Some((word, None));
    }
    let bits = match word.as_bytes().last()? {
        b'B' => 8,
        b'W' => 16,
        b'L' => 32,
        b'Q' => 64,
        _ => return None,
    };
    let stem = &word[..word.len() - 1];
    (STEMS.contains(&stem) || stem == "UXCH").then_some((stem, Some(bits)))
}

/// What a conditional jump, set or move asks, and whether it must hold.
fn condition(suffix: &str) -> Option<(Test, bool)> {
    Some(match suffix {
        "E" | "Z" => (Test::Zero, true),
        "NE" | "NZ" => (Test::Zero, false),
        "S" => (Test::Negative, true),
        "NS" => (Test::Negative, false),
        "O" => (Test::Overflow, true),
        "NO" => (Test::Overflow, false),
        "B" | "C" | "NAE" => (Test::Carry, true),
        "AE" | "NB" | "NC" => (Test::Carry, false),
        "BE" | "NA" => (Test::CarryOrZero, true),
        "A" | "NBE" => (Test::CarryOrZero, false),
        "L" | "LT" | "NGE" => (Test::SignedLess, true),
        "GE" | "NL" => (Test::SignedLess, false),
        "LE" | "NG" => (Test::SignedLessOrEqual, true),
        "G" | "GT" | "NLE" => (Test::SignedLessOrEqual, false),
        _ => return None,
    })
}

/// Whether the operand is in memory.
fn is_memory(operand: &Operand) -> bool {
    matches!(operand.kind, OperandKind::Memory { .. })
}

/// The locations that an instruction names and how many bytes it accesses, for the size of locations without a type.
pub(crate) fn accesses<'i>(machine: Setting, instruction: &'i Instruction, mut f: impl FnMut(&'i str, Option<u32>)) {
    let word = instruction.word.strip_prefix("LOCK ").unwrap_or(&instruction.word);
    let suffix = stem(word).and_then(|(_, bits)| bits);
    let bits = suffix.or_else(|| instruction.operands.iter().find_map(|o| register(machine.arch, o)).map(|r| r.bits));
    let bytes = match (machine.arch, bits) {
        (Arch::X86, Some(32 | 64) | None) => None,
        (_, bits) => bits.map(|bits| bits as u32 / 8),
    };
    for operand in &instruction.operands {
        let OperandKind::Memory { parts, .. } = &operand.kind else { continue };
        for part in parts {
            if let OperandKind::Name(name) = &part.kind {
                f(name, bytes);
            }
        }
    }
}

/// The register that an operand names.
fn register(arch: Arch, operand: &Operand) -> Option<Register> {
    match &operand.kind {
        OperandKind::Name(name) => registers::find(arch, name),
        _ => None,
    }
}

pub(crate) fn lower(thread: &mut Thread, machine: Setting, instruction: &Instruction) -> Result<()> {
    let lowering = &mut Lowering { thread, machine, instruction, width: Width { bits: 32, bytes: 4 } };
    let word = instruction.word.as_str();
    if let Some(fence) = fence(word) {
        instruction.exactly::<0>()?;
        lowering.thread.fence(fence);
        return Ok(());
    }
    match word {
        "NOP" | "NOPL" | "NOPW" => return Ok(()),
        "JMP" => {
            let [label] = instruction.exactly()?;
            let name = label.label()?;
            lowering.thread.jump_to_label(label.at, name);
            return Ok(());
        }
        _ => {}
    }
    if let Some((test, when)) = word.strip_prefix('J').and_then(condition) {
        let [label] = instruction.exactly()?;
        let name = label.label()?;
        let c = lowering.thread.test_flags(test);
        lowering.thread.branch_to_label(c, when, label.at, name);
        return Ok(());
    }
    if let Some((test, when)) = word.strip_prefix("SET").and_then(condition) {
        return lowering.set(test, when);
    }
    if let Some((test, when)) = word.strip_prefix("CMOV").and_then(condition) {
        return lowering.conditional_move(test, when);
    }
    let (locked, word) = match word.strip_prefix("LOCK ") {
        Some(word) => (true, word),
        None => (false, word),
    };
    let Some((stem, suffix)) = stem(word) else {
        return unsupported(instruction.at, format!("instruction `{}` is not supported on {}", instruction.word, machine.arch));
    };
    lowering.width = lowering.width(suffix);
    match locked {
        true => lowering.locked(stem),
        false => lowering.unlocked(stem),
    }
}

fn fence(word: &str) -> Option<Fence> {
    match word {
        "MFENCE" => Some(Fence::Mfence),
        "SFENCE" => Some(Fence::Sfence),
        "LFENCE" => Some(Fence::Lfence),
        _ => None,
    }
}

/// The operation of a stem that computes a value from two.
fn arithmetic(stem: &str) -> Option<(Binary, RmwOp)> {
    Some(match stem {
        "ADD" | "INC" | "XADD" => (Binary::Add, RmwOp::Add),
        "SUB" | "DEC" => (Binary::Sub, RmwOp::Sub),
        "AND" => (Binary::And, RmwOp::And),
        "OR" => (Binary::Or, RmwOp::Or),
        "XOR" => (Binary::Xor, RmwOp::Xor),
        _ => return None,
    })
}

struct Lowering<'t, 'a, 'i> {
    thread: &'t mut Thread<'a>,
    machine: Setting,
    instruction: &'i Instruction,
    width: Width,
}

impl<'i> Lowering<'_, '_, 'i> {
    /// Destination and source.
    fn pair(&self) -> Result<(&'i Operand, &'i Operand)> {
        let [first, second] = self.instruction.exactly()?;
        Ok(match self.machine.arch {
            Arch::X86_64 => (second, first),
            _ => (first, second),
        })
    }

    /// The operand that may be in memory, and the other, whatever their order.
    fn memory_and_register(&self) -> Result<(&'i Operand, &'i Operand)> {
        let [first, second] = self.instruction.exactly()?;
        match (is_memory(first), is_memory(second)) {
            (true, false) => Ok((first, second)),
            (false, true) => Ok((second, first)),
            _ => self.pair(),
        }
    }

    /// The result of an operation, with the flags that it leaves.
    fn operate(&mut self, stem: &str, op: Binary, old: Reg, operand: Reg) -> Reg {
        let bits = self.width.bits;
        let result = match op {
            Binary::Add => self.thread.add_with_flags(old, operand, bits),
            Binary::Sub => self.thread.sub_with_flags(old, operand, bits),
            op => {
                let result = self.thread.binary(op, old, operand, bits);
                self.thread.flags_of(result, None, bits);
                result
            }
        };
        let carry = match (stem, op) {
            ("INC" | "DEC", _) => return result,
            (_, Binary::Add) => self.thread.binary(Binary::ULt, result, old, bits),
            (_, Binary::Sub) => self.thread.binary(Binary::ULt, old, operand, bits),
            _ => self.thread.constant(0),
        };
        self.thread.set_carry(carry);
        result
    }

    fn unlocked(&mut self, stem: &str) -> Result<()> {
        match stem {
            "MOV" => {
                let (to, from) = self.pair()?;
                if is_memory(to) && is_memory(from) {
                    return syntax(to.at, "only one operand can be in memory");
                }
                let value = self.read(from)?;
                self.write(to, value)
            }
            "LEA" if self.machine.arch == Arch::X86_64 => {
                let (to, from) = self.pair()?;
                let address = self.address(from)?;
                self.write(to, address)
            }
            "CMP" => {
                let (left, right) = self.pair()?;
                let (a, b) = (self.read(left)?, self.read(right)?);
                self.operate(stem, Binary::Sub, a, b);
                Ok(())
            }
            "TEST" => {
                let (left, right) = self.pair()?;
                let (a, b) = (self.read(left)?, self.read(right)?);
                self.operate(stem, Binary::And, a, b);
                Ok(())
            }
            "NOT" => {
                let [to] = self.instruction.exactly()?;
                let bits = self.width.bits;
                let ones = self.thread.constant(u64::MAX >> (64 - bits));
                self.update(to, |this, old| this.thread.binary(Binary::Xor, old, ones, bits))
            }
            "NEG" => {
                let [to] = self.instruction.exactly()?;
                let zero = self.thread.constant(0);
                self.update(to, |this, old| this.operate(stem, Binary::Sub, zero, old))
            }
            "XCHG" => self.exchange(),
            "UXCH" => self.exchange_unlocked(),
            "XADD" => self.exchange_add_unlocked(),
            "CMPXCHG" => self.compare_exchange_unlocked(),
            _ => self.arithmetic(stem),
        }
    }

    /// The destination and the value of the other operand, one for `INC` and `DEC`.
    fn destination_and_operand(&mut self, stem: &str) -> Result<(&'i Operand, Reg)> {
        if matches!(stem, "INC" | "DEC") {
            let [to] = self.instruction.exactly()?;
            return Ok((to, self.thread.constant(1)));
        }
        let (to, from) = self.pair()?;
        if is_memory(to) && is_memory(from) {
            return syntax(to.at, "only one operand can be in memory");
        }
        Ok((to, self.read(from)?))
    }

    fn arithmetic(&mut self, stem: &str) -> Result<()> {
        let Some((op, _)) = arithmetic(stem) else { return self.cannot() };
        let (to, operand) = self.destination_and_operand(stem)?;
        self.update(to, |this, old| this.operate(stem, op, old, operand))
    }

    fn cannot<T>(&self) -> Result<T> {
        unsupported(self.instruction.at, format!("instruction `{}` is not supported on {}", self.instruction.word, self.machine.arch))
    }

    fn locked(&mut self, stem: &str) -> Result<()> {
        match stem {
            "XCHG" => return self.exchange(),
            "XADD" => return self.exchange_add(),
            "CMPXCHG" => return self.compare_exchange(),
            _ => {}
        }
        let Some((op, rmw)) = arithmetic(stem) else { return self.cannot() };
        let (to, operand) = self.destination_and_operand(stem)?;
        let address = self.address(to)?;
        let old = self.rmw(rmw, address, operand);
        self.operate(stem, op, old, operand);
        Ok(())
    }

    /// An exchange with memory is atomic, with or without `LOCK`.
    fn exchange(&mut self) -> Result<()> {
        let (place, other) = self.memory_and_register()?;
        let register = self.expect_register(other)?;
        if !is_memory(place) {
            return self.exchange_unlocked();
        }
        let (value, address) = (self.read_register(&register), self.address(place)?);
        let old = self.rmw(RmwOp::Exchange, address, value);
        self.write_register(&register, old);
        Ok(())
    }

    fn exchange_unlocked(&mut self) -> Result<()> {
        let (place, other) = self.memory_and_register()?;
        let register = self.expect_register(other)?;
        let read = self.read_register(&register);
        let value = self.thread.fresh();
        self.thread.set(value, read);
        let mut old = value;
        self.update(place, |this, was| {
            old = this.thread.fresh();
            this.thread.set(old, was);
            value
        })?;
        self.write_register(&register, old);
        Ok(())
    }

    fn exchange_add(&mut self) -> Result<()> {
        let (place, other) = self.memory_and_register()?;
        let register = self.expect_register(other)?;
        let (value, address) = (self.read_register(&register), self.address(place)?);
        let old = self.rmw(RmwOp::Add, address, value);
        self.operate("XADD", Binary::Add, old, value);
        self.write_register(&register, old);
        Ok(())
    }

    fn exchange_add_unlocked(&mut self) -> Result<()> {
        let (place, other) = self.memory_and_register()?;
        let register = self.expect_register(other)?;
        let value = self.read_register(&register);
        let mut old = value;
        self.update(place, |this, was| {
            old = this.thread.fresh();
            this.thread.set(old, was);
            this.operate("XADD", Binary::Add, was, value)
        })?;
        self.write_register(&register, old);
        Ok(())
    }

    /// The accumulator, which a compare-exchange compares with and leaves the old value in.
    fn accumulator(&mut self) -> Register {
        let name = match self.width.bits {
            8 => "AL",
            16 => "AX",
            64 if self.machine.arch == Arch::X86_64 => "RAX",
            _ => "EAX",
        };
        registers::find(self.machine.arch, name).expect("every x86 has it")
    }

    fn compare_exchange(&mut self) -> Result<()> {
        let (place, other) = self.memory_and_register()?;
        let (register, accumulator) = (self.expect_register(other)?, self.accumulator());
        let (expected, new) = (self.read_register(&accumulator), self.read_register(&register));
        let (address, stored_expected) = (self.address(place)?, self.stored(expected));
        let new = self.stored(new);
        let orders = (Order::SeqCst, Order::SeqCst);
        let bytes = self.width.bytes;
        let (old, _) = self.thread.compare_exchange(Exchange { address, expected: stored_expected, new, bytes, orders, is_weak: false });
        let old = self.loaded(old);
        self.operate("CMP", Binary::Sub, expected, old);
        self.write_register(&accumulator, old);
        Ok(())
    }

    /// A load, a comparison and a store where it succeeds.
    fn compare_exchange_unlocked(&mut self) -> Result<()> {
        let (place, other) = self.memory_and_register()?;
        let (register, accumulator) = (self.expect_register(other)?, self.accumulator());
        let (expected, new) = (self.read_register(&accumulator), self.read_register(&register));
        let old = self.read(place)?;
        self.operate("CMP", Binary::Sub, expected, old);
        let equal = self.thread.test_flags(Test::Zero);
        let (yes, after) = (self.thread.new_block(), self.thread.new_block());
        self.thread.branch(equal, yes, after);
        self.thread.go_on_in(yes);
        self.write(place, new)?;
        self.thread.go_on_in(after);
        self.write_register(&accumulator, old);
        Ok(())
    }

    fn set(&mut self, test: Test, when: bool) -> Result<()> {
        let [to] = self.instruction.exactly()?;
        self.width = match is_memory(to) {
            true => self.width(None),
            false => Width { bits: 8, bytes: 1 },
        };
        let flag = self.thread.test_flags(test);
        let value = if when { flag } else { self.thread.is_zero(flag) };
        self.write(to, value)
    }

    fn conditional_move(&mut self, test: Test, when: bool) -> Result<()> {
        let (to, from) = self.pair()?;
        self.width = self.width(None);
        let flag = self.thread.test_flags(test);
        let (yes, after) = (self.thread.new_block(), self.thread.new_block());
        match when {
            true => self.thread.branch(flag, yes, after),
            false => self.thread.branch(flag, after, yes),
        }
        self.thread.go_on_in(yes);
        let value = self.read(from)?;
        self.write(to, value)?;
        self.thread.go_on_in(after);
        Ok(())
    }
}
