//! AArch64: loads, stores, exclusive pairs and atomic operations.
//!
//! Plain accesses are relaxed, `LDAPR` is an acquire; `LDAR`, `LDAXR`, `STLR` and `STLXR`, which keep their order among
//! themselves, are sequentially consistent. An atomic operation is an acquire by `A`, a release by `L`, sequentially
//! consistent by both.

use crate::aarch64::{Lowering, extension};
use crate::aarch64_cas::compare_and_swap;
use crate::assembly::{Instruction, Operand, OperandKind};
use crate::error::{Result, syntax};
use crate::header::Arch;
use crate::registers;
use crate::thread::Binary;
use raddle_event::{Order, RmwOp};
use raddle_program::{Instr, Reg, Size, Use};

/// What an instruction does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoryOp {
    Load,
    /// A load of a number whose sign is kept.
    LoadSigned,
    Store,
    LoadPair,
    StorePair,
    LoadExclusive,
    StoreExclusive,
    Swap,
    CompareAndSwap,
    /// The operation, whether the operand is inverted first, and whether the old value is kept.
    Fetch(RmwOp, bool, bool),
}

/// An instruction taken apart: what, the size if not that of the register, and the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    access: MemoryOp,
    bytes: Option<u32>,
    order: Order,
}

fn shape(word: &str) -> Option<Shape> {
    let known = |access, order| Some(Shape { access, bytes: None, order });
    match word {
        "LDRSB" | "LDURSB" => return Some(Shape { access: MemoryOp::LoadSigned, bytes: Some(1), order: Order::Relaxed }),
        "LDRSH" | "LDURSH" => return Some(Shape { access: MemoryOp::LoadSigned, bytes: Some(2), order: Order::Relaxed }),
        "LDRSW" | "LDURSW" => return Some(Shape { access: MemoryOp::LoadSigned, bytes: Some(4), order: Order::Relaxed }),
        "LDP" | "LDNP" => return known(MemoryOp::LoadPair, Order::Relaxed),
        "STP" | "STNP" => return known(MemoryOp::StorePair, Order::Relaxed),
        _ => {}
    }
    let (stem, bytes) = match word.as_bytes().last()? {
        b'B' => (&word[..word.len() - 1], Some(1)),
        b'H' => (&word[..word.len() - 1], Some(2)),
        _ => (word, None),
    };
    let (access, order) = simple(stem).or_else(|| atomic(stem))?;
    Some(Shape { access, bytes, order })
}

fn simple(stem: &str) -> Option<(MemoryOp, Order)> {
    Some(match stem {
        "LDR" | "LDUR" => (MemoryOp::Load, Order::Relaxed),
        "LDAPR" | "LDAPUR" => (MemoryOp::Load, Order::Acquire),
        "LDAR" => (MemoryOp::Load, Order::SeqCst),
        "STR" | "STUR" => (MemoryOp::Store, Order::Relaxed),
        "STLR" | "STLUR" => (MemoryOp::Store, Order::SeqCst),
        "LDXR" => (MemoryOp::LoadExclusive, Order::Relaxed),
        "LDAXR" => (MemoryOp::LoadExclusive, Order::SeqCst),
        "STXR" => (MemoryOp::StoreExclusive, Order::Relaxed),
        "STLXR" => (MemoryOp::StoreExclusive, Order::SeqCst),
        _ => return None,
    })
}

/// The families `SWP`, `CAS`, `LD<op>` and `ST<op>` with `A`, `L` or `AL` behind.
fn atomic(word: &str) -> Option<(MemoryOp, Order)> {
    let orders = [("AL", Order::SeqCst), ("A", Order::Acquire), ("L", Order::Release), ("", Order::Relaxed)];
    orders.into_iter().find_map(|(suffix, order)| {
        let stem = word.strip_suffix(suffix)?;
        let access = match stem {
            "SWP" => MemoryOp::Swap,
            "CAS" => MemoryOp::CompareAndSwap,
            _ => {
                let keeps = stem.starts_with("LD");
                let (op, inverted) = match stem.strip_prefix("LD").or_else(|| stem.strip_prefix("ST"))? {
                    "ADD" => (RmwOp::Add, false),
                    "SET" => (RmwOp::Or, false),
                    "EOR" => (RmwOp::Xor, false),
                    "CLR" => (RmwOp::And, true),
                    "SMAX" => (RmwOp::Max, false),
                    "SMIN" => (RmwOp::Min, false),
                    "UMAX" => (RmwOp::UMax, false),
                    "UMIN" => (RmwOp::UMin, false),
                    _ => return None,
                };
                MemoryOp::Fetch(op, inverted, keeps)
            }
        };
        Some((access, order))
    })
}

/// The order of the read of an atomic operation that does not write.
fn failure_order(order: Order) -> Order {
    match order {
        Order::Release => Order::Relaxed,
        order => order,
    }
}

/// Calls `f` with the register that an access takes its address from and its size.
pub(crate) fn accesses<'i>(instruction: &'i Instruction, mut f: impl FnMut(&'i str, Option<u32>)) {
    let Some(shape) = shape(&instruction.word) else { return };
    let data = match shape.access {
        MemoryOp::StoreExclusive => instruction.operands.get(1),
        _ => instruction.operands.first(),
    };
    let of_register = || match data.map(|operand| &operand.kind) {
        Some(OperandKind::Name(name)) => registers::find(Arch::AArch64, name).map(|r| r.bits as u32 / 8),
        _ => None,
    };
    let bytes = shape.bytes.or_else(of_register);
    for operand in &instruction.operands {
        if let OperandKind::Memory { parts, .. } = &operand.kind
            && let OperandKind::Name(name) = &parts[0].kind
        {
            f(name, bytes);
        }
    }
}

/// Appends an access; tells whether the word is one.
pub(crate) fn lower(lowering: &mut Lowering, word: &str) -> Result<bool> {
    let Some(shape) = shape(word) else { return Ok(false) };
    let (registers, place) = lowering.registers_and_place()?;
    let (address, after) = lowering.address(place)?;
    match shape.access {
        MemoryOp::Load | MemoryOp::LoadSigned | MemoryOp::Store => lowering.simple(shape, registers, address)?,
        MemoryOp::LoadPair | MemoryOp::StorePair => lowering.pair(shape, registers, address)?,
        MemoryOp::LoadExclusive | MemoryOp::StoreExclusive => lowering.exclusive(shape, registers, address)?,
        _ => lowering.atomic(shape, registers, address)?,
    }
    if let Some((base, moved)) = after {
        let base = lowering.register(base)?;
        lowering.write(&base, moved, 64);
    }
    Ok(true)
}

/// The register of an address and what it holds after the access.
type WriteBack<'i> = Option<(&'i Operand, Reg)>;

impl<'i> Lowering<'_, '_, 'i> {
    /// The operands in front of the address, and the address with a number behind it.
    fn registers_and_place(&self) -> Result<(&'i [Operand], &'i [Operand])> {
        let operands = &self.instruction.operands;
        match operands.iter().position(|o| matches!(o.kind, OperandKind::Memory { .. })) {
            Some(at) => Ok(operands.split_at(at)),
            None => syntax(self.instruction.at, format!("`{}` lacks its address", self.instruction.word)),
        }
    }

    fn exactly<const N: usize>(&self, registers: &'i [Operand]) -> Result<[&'i Operand; N]> {
        match registers.iter().collect::<Vec<_>>().try_into() {
            Ok(registers) => Ok(registers),
            Err(_) => syntax(self.instruction.at, format!("`{}` has {N} registers, then an address", self.instruction.word)),
        }
    }

    fn address(&mut self, place: &'i [Operand]) -> Result<(Reg, WriteBack<'i>)> {
        let (Operand { at, kind: OperandKind::Memory { parts, writes_back, .. } }, behind) = (&place[0], &place[1..]) else {
            return syntax(place[0].at, "expected an address");
        };
        let (base, rest) = (&parts[0], &parts[1..]);
        let (start, bits) = self.read_operand(base)?;
        if bits != 64 {
            return syntax(base.at, "an address is in a register of 64 bits");
        }
        let address = match rest {
            [] => start,
            [Operand { kind: OperandKind::Number(0), .. }] => start,
            [Operand { kind: OperandKind::Number(number), .. }] => {
                let number = self.thread.constant(*number as u64);
                self.thread.binary(Binary::Add, start, number, 64)
            }
            _ => self.indexed(start, rest)?,
        };
        match behind {
            [] if *writes_back => Ok((address, Some((base, address)))),
            [] => Ok((address, None)),
            [Operand { kind: OperandKind::Number(number), .. }] if rest.is_empty() && !writes_back => {
                let number = self.thread.constant(*number as u64);
                let before = self.thread.fresh();
                self.thread.set(before, start);
                Ok((before, Some((base, self.thread.binary(Binary::Add, start, number, 64)))))
            }
            _ => syntax(*at, "this form of address does not exist"),
        }
    }

    /// `[X1,W2,SXTW #2]`: the index is extended, then scaled.
    fn indexed(&mut self, base: Reg, rest: &[Operand]) -> Result<Reg> {
        let (index, bits) = self.read_operand(&rest[0])?;
        let (index, scale) = match rest {
            [_] if bits == 64 => (index, 0),
            [_, modifier] => {
                let (name, amount) = match &modifier.kind {
                    OperandKind::Name(name) => (name.to_ascii_uppercase(), 0),
                    OperandKind::Shift(name, amount @ 0..=4) => (name.clone(), *amount),
                    _ => return syntax(modifier.at, "expected a shift of 0 to 4 or an extension"),
                };
                match (name.as_str(), extension(&name)) {
                    ("LSL", _) => (index, amount),
                    (_, Some((from, signed))) => (self.extend(index, from, signed, 64), amount),
                    _ => return syntax(modifier.at, format!("`{name}` is neither a shift nor an extension")),
                }
            }
            _ => return syntax(rest[0].at, "an index of 32 bits needs an extension such as `SXTW`"),
        };
        Ok(self.thread.compute(|to| Instr::Index { to, base: Use(base), index: Use(index), scale: 1 << scale }))
    }

    /// The register's value as it is stored.
    fn stored(&mut self, operand: &Operand, bytes: u32) -> Result<Reg> {
        let (value, bits) = self.read_operand(operand)?;
        Ok(self.cut(value, bits, bytes as u8 * 8))
    }

    fn simple(&mut self, shape: Shape, registers: &'i [Operand], address: Reg) -> Result<()> {
        let [data] = self.exactly(registers)?;
        let register = self.register(data)?;
        let bytes = shape.bytes.unwrap_or(register.bits as u32 / 8);
        if shape.access == MemoryOp::Store {
            let value = self.stored(data, bytes)?;
            self.thread.store(address, value, bytes, shape.order);
            return Ok(());
        }
        let mut value = self.thread.load(address, bytes, shape.order);
        if shape.access == MemoryOp::LoadSigned {
            value = self.extend(value, bytes as u8 * 8, true, register.bits);
        }
        self.write(&register, value, register.bits.max(bytes as u8 * 8));
        Ok(())
    }

    fn pair(&mut self, shape: Shape, registers: &'i [Operand], address: Reg) -> Result<()> {
        let both: [&Operand; 2] = self.exactly(registers)?;
        let bytes = self.register(both[0])?.bits as u32 / 8;
        let size = self.thread.constant(bytes as u64);
        let addresses = [address, self.thread.binary(Binary::Add, address, size, 64)];
        for (operand, address) in both.into_iter().zip(addresses) {
            if shape.access == MemoryOp::StorePair {
                let value = self.stored(operand, bytes)?;
                self.thread.store(address, value, bytes, shape.order);
            } else {
                let (register, value) = (self.register(operand)?, self.thread.load(address, bytes, shape.order));
                self.write(&register, value, bytes as u8 * 8);
            }
        }
        Ok(())
    }

    fn exclusive(&mut self, shape: Shape, registers: &'i [Operand], address: Reg) -> Result<()> {
        if shape.access == MemoryOp::LoadExclusive {
            let [data] = self.exactly(registers)?;
            let register = self.register(data)?;
            let size = Size(shape.bytes.unwrap_or(register.bits as u32 / 8));
            let value = self.thread.compute(|to| Instr::LoadReserve { to, address: Use(address), size, order: shape.order });
            self.write(&register, value, size.0 as u8 * 8);
            return Ok(());
        }
        let [status, data] = self.exactly(registers)?;
        let status = self.register(status)?;
        let bytes = shape.bytes.unwrap_or(self.register(data)?.bits as u32 / 8);
        let (value, size, order) = (self.stored(data, bytes)?, Size(bytes), shape.order);
        let done = self.thread.compute(|done| Instr::StoreConditional { done, address: Use(address), value: Use(value), size, order });
        let failed = self.thread.is_zero(done);
        self.write(&status, failed, 1);
        Ok(())
    }

    fn atomic(&mut self, shape: Shape, registers: &'i [Operand], address: Reg) -> Result<()> {
        let bytes = match registers.first() {
            Some(first) => shape.bytes.unwrap_or(self.register(first)?.bits as u32 / 8),
            None => return self.exactly::<2>(registers).map(|_| ()),
        };
        let (to, old) = match shape.access {
            MemoryOp::CompareAndSwap => {
                let [expected, new] = self.exactly(registers)?;
                let (to, expected, new) = (expected, self.stored(expected, bytes)?, self.stored(new, bytes)?);
                let orders = (shape.order, failure_order(shape.order));
                (Some(to), compare_and_swap(self.thread, address, (expected, new), bytes, orders))
            }
            MemoryOp::Fetch(op, inverted, keeps) => {
                let (operand, to) = match keeps {
                    true => self.exactly(registers).map(|[operand, to]| (operand, Some(to)))?,
                    false => self.exactly(registers).map(|[operand]| (operand, None))?,
                };
                let mut operand = self.stored(operand, bytes)?;
                if inverted {
                    let ones = self.thread.constant(u64::MAX >> (64 - bytes * 8));
                    operand = self.thread.binary(Binary::Xor, operand, ones, bytes as u8 * 8);
                }
                (to, self.thread.rmw(op, address, operand, bytes, shape.order))
            }
            _ => {
                let [value, to] = self.exactly(registers)?;
                let value = self.stored(value, bytes)?;
                (Some(to), self.thread.rmw(RmwOp::Exchange, address, value, bytes, shape.order))
            }
        };
        if let Some(to) = to {
            let to = self.register(to)?;
            self.write(&to, old, bytes as u8 * 8);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, access: MemoryOp, bytes: Option<u32>, order: Order) {
        assert_eq!(shape(word), Some(Shape { access, bytes, order }), "{word}");
    }

    #[test]
    fn words_are_taken_apart() {
        check("LDRB", MemoryOp::Load, Some(1), Order::Relaxed);
        check("LDAPR", MemoryOp::Load, None, Order::Acquire);
        check("STLRH", MemoryOp::Store, Some(2), Order::SeqCst);
        check("STLXR", MemoryOp::StoreExclusive, None, Order::SeqCst);
        check("SWPAL", MemoryOp::Swap, None, Order::SeqCst);
        check("CASAB", MemoryOp::CompareAndSwap, Some(1), Order::Acquire);
        check("LDADDL", MemoryOp::Fetch(RmwOp::Add, false, true), None, Order::Release);
        check("STCLRH", MemoryOp::Fetch(RmwOp::And, true, false), Some(2), Order::Relaxed);
        check("LDEORALB", MemoryOp::Fetch(RmwOp::Xor, false, true), Some(1), Order::SeqCst);
        assert_eq!(shape("LDQUX"), None);
        assert_eq!(shape(""), None);
    }
}
