//! Operands of x86: registers and their parts, numbers, memory.
//!
//! Every value that is read has at most the width of the instruction; what is written is cut to what the name means.

use super::{Lowering, Width, is_memory, register};
use crate::assembly::{Operand, OperandKind};
use crate::error::{Result, syntax, unsupported};
use crate::header::Arch;
use crate::registers::{self, Register};
use crate::thread::Binary;
use raddle_event::{Order, RmwOp};
use raddle_program::{Instr, Reg, Use};

impl Lowering<'_, '_, '_> {
    /// The width by the suffix, by a register, or by the location.
    pub(super) fn width(&self, suffix: Option<u8>) -> Width {
        let of_register = || self.instruction.operands.iter().find_map(|o| register(self.machine.arch, o)).map(|r| r.bits);
        let bits = suffix.or_else(of_register);
        if self.machine.arch == Arch::X86 {
            return match bits {
                Some(bits @ (8 | 16)) => Width { bits, bytes: bits as u32 / 8 },
                _ => Width { bits: self.machine.register_bits, bytes: self.machine.memory_bytes },
            };
        }
        let bits = bits.unwrap_or_else(|| {
            let of_location = |operand: &Operand| match &operand.kind {
                OperandKind::Memory { parts, .. } => match &parts[0].kind {
                    OperandKind::Name(name) if self.thread.cells.address(name).is_some() => Some(self.thread.cells.type_of(name).bits()),
                    _ => None,
                },
                _ => None,
            };
            self.instruction.operands.iter().find_map(of_location).unwrap_or(32)
        });
        Width { bits, bytes: bits as u32 / 8 }
    }

    /// The register that holds all bits.
    pub(super) fn container(&mut self, register: &Register) -> Reg {
        self.thread.register(&register.name)
    }

    /// How many bits the whole register has.
    pub(super) fn container_bits(&self) -> u8 {
        match self.machine.arch {
            Arch::X86_64 => 64,
            _ => self.machine.register_bits,
        }
    }

    /// How many bits a name of a register means.
    pub(super) fn bits_of(&self, register: &Register) -> u8 {
        match (self.machine.arch, register.bits) {
            (Arch::X86, 32) => self.machine.register_bits,
            (_, bits) => bits,
        }
    }

    /// The bits that a name means, at most as many as the instruction works with.
    pub(super) fn read_register(&mut self, register: &Register) -> Reg {
        let container = self.container(register);
        let shifted = match register.shift {
            0 => container,
            shift => {
                let shift = self.thread.constant(shift as u64);
                self.thread.binary(Binary::LShr, container, shift, 64)
            }
        };
        let bits = self.bits_of(register).min(self.width.bits);
        if bits < self.container_bits() { self.thread.cut(shifted, bits) } else { shifted }
    }

    /// Writes a value of the instruction's width; a part of 32 bits clears the rest, a smaller one keeps it.
    pub(super) fn write_register(&mut self, register: &Register, value: Reg) {
        let (container, bits) = (self.container(register), self.bits_of(register));
        let value = if bits < self.width.bits { self.thread.cut(value, bits) } else { value };
        if register.bits >= 32 {
            return self.thread.set(container, value);
        }
        let mask = ((1u64 << register.bits) - 1) << register.shift;
        let (mask, shift) = (self.thread.constant(!mask), self.thread.constant(register.shift as u64));
        let kept = self.thread.binary(Binary::And, container, mask, 64);
        let placed = self.thread.binary(Binary::Shl, value, shift, 64);
        let merged = self.thread.binary(Binary::Or, kept, placed, 64);
        self.thread.set(container, merged);
    }

    /// The address of a memory operand: `[x]`, `[EAX]`, `8(%rax)`, `(x,%rax,4)`.
    pub(super) fn address(&mut self, operand: &Operand) -> Result<Reg> {
        let OperandKind::Memory { displacement, parts, .. } = &operand.kind else {
            return syntax(operand.at, "expected an operand in memory");
        };
        let scale = match parts.get(2).map(|part| &part.kind) {
            None => 1,
            Some(OperandKind::Number(n @ (1 | 2 | 4 | 8))) => *n as u64,
            Some(_) => return syntax(parts[2].at, "expected a scale of 1, 2, 4 or 8"),
        };
        if parts.len() > 3 {
            return syntax(parts[3].at, "expected `]` or `)`");
        }
        let mut address = self.base(&parts[0])?;
        if let Some(index) = parts.get(1) {
            let index = self.base(index)?;
            address = self.thread.compute(|to| Instr::Index { to, base: Use(address), index: Use(index), scale });
        }
        if *displacement != 0 {
            let displacement = self.thread.constant(*displacement as u64);
            address = self.thread.binary(Binary::Add, address, displacement, 64);
        }
        Ok(address)
    }

    /// A register, or the address of a location.
    pub(super) fn base(&mut self, part: &Operand) -> Result<Reg> {
        match &part.kind {
            OperandKind::Name(name) => match registers::find(self.machine.arch, name) {
                Some(register) => Ok(self.container(&register)),
                None => match self.thread.cells.address(name) {
                    Some(address) => Ok(self.thread.constant(address)),
                    None => syntax(part.at, format!("`{name}` is neither a register nor a location")),
                },
            },
            _ => unsupported(part.at, "a number as an address is not supported"),
        }
    }

    /// The value of an operand, with the width of the instruction.
    pub(super) fn read(&mut self, operand: &Operand) -> Result<Reg> {
        match &operand.kind {
            OperandKind::Number(number) => {
                let mask = u64::MAX >> (64 - self.width.bits);
                Ok(self.thread.constant(*number as u64 & mask))
            }
            OperandKind::Memory { .. } => {
                let address = self.address(operand)?;
                Ok(self.load(address))
            }
            OperandKind::Name(name) => match registers::find(self.machine.arch, name) {
                Some(register) => Ok(self.read_register(&register)),
                None => syntax(operand.at, format!("`{name}` is not a register of {}", self.machine.arch)),
            },
            OperandKind::Shift(..) => syntax(operand.at, "expected a register, a number or memory"),
        }
    }

    /// The register that an operand must be.
    pub(super) fn expect_register(&self, operand: &Operand) -> Result<Register> {
        match register(self.machine.arch, operand) {
            Some(register) => Ok(register),
            None => syntax(operand.at, format!("expected a register of {}", self.machine.arch)),
        }
    }

    /// A value as it is stored.
    pub(super) fn stored(&mut self, value: Reg) -> Reg {
        match self.width.bytes as u8 * 8 {
            bits if bits < self.width.bits => self.thread.cut(value, bits),
            _ => value,
        }
    }

    /// What was in memory, with the width of the instruction.
    pub(super) fn loaded(&mut self, value: Reg) -> Reg {
        match self.width.bytes as u8 * 8 {
            bits if bits < self.width.bits => self.thread.sign_extend(value, bits, self.width.bits),
            _ => value,
        }
    }

    pub(super) fn load(&mut self, address: Reg) -> Reg {
        let value = self.thread.load(address, self.width.bytes, Order::Relaxed);
        self.loaded(value)
    }

    pub(super) fn rmw(&mut self, op: RmwOp, address: Reg, operand: Reg) -> Reg {
        let operand = self.stored(operand);
        let old = self.thread.rmw(op, address, operand, self.width.bytes, Order::SeqCst);
        self.loaded(old)
    }

    pub(super) fn store(&mut self, address: Reg, value: Reg) {
        let value = self.stored(value);
        self.thread.store(address, value, self.width.bytes, Order::Relaxed);
    }

    pub(super) fn write(&mut self, operand: &Operand, value: Reg) -> Result<()> {
        if is_memory(operand) {
            let address = self.address(operand)?;
            self.store(address, value);
            return Ok(());
        }
        let register = self.expect_register(operand)?;
        self.write_register(&register, value);
        Ok(())
    }

    /// Reads a destination, changes it and writes it back.
    pub(super) fn update(&mut self, operand: &Operand, change: impl FnOnce(&mut Self, Reg) -> Reg) -> Result<()> {
        if !is_memory(operand) {
            let register = self.expect_register(operand)?;
            let old = self.read_register(&register);
            let new = change(self, old);
            self.write_register(&register, new);
            return Ok(());
        }
        let address = self.address(operand)?;
        let old = self.load(address);
        let new = change(self, old);
        self.store(address, new);
        Ok(())
    }
}
