//! Constants: their leaves as numbers, with the addresses of globals and functions put in.

use crate::ir::{Block, Kind, Opcode, Type, Value};
use crate::unit::Unit;
use crate::unsupported::{Lowered, Unsupported, refuse};

impl<'m> Unit<'m> {
    /// The leaves of a constant, in the order of its shape.
    pub fn constant(&mut self, value: Value<'m>) -> Lowered<Vec<u128>> {
        let mut leaves = Vec::new();
        self.add_leaves(value, &mut leaves)?;
        Ok(leaves)
    }

    fn add_leaves(&mut self, value: Value<'m>, out: &mut Vec<u128>) -> Lowered<()> {
        let of = value.of();
        let n = match of.kind() {
            Kind::Struct(n) | Kind::Vector(_, n) => n as u64,
            Kind::Array(_, n) => n,
            Kind::Int(bits @ 129..) => {
                out.extend(value.long(bits).into_iter().map(|word| word as u128));
                return Ok(());
            }
            _ => {
                out.push(self.scalar(value)?);
                return Ok(());
            }
        };
        if value.is_undefined() || value.is_zero_aggregate() {
            let shape = self.shape(of)?;
            out.extend(shape.leaves.iter().map(|_| 0));
            return Ok(());
        }
        for number in 0..n as u32 {
            match value.element(number) {
                Some(element) => self.add_leaves(element, out)?,
                None => return refuse(format!("the constant `{}`", value.text())),
            }
        }
        Ok(())
    }

    /// The number that a constant of one leaf is.
    pub fn scalar(&mut self, value: Value<'m>) -> Lowered<u128> {
        let shape = self.shape(value.of())?;
        let leaf = shape.single().ok_or_else(|| Unsupported(format!("the constant `{}`", value.text())))?;
        let number = if value.is_int() {
            value.int(leaf.bits() as u32)
        } else if value.is_float() {
            value.float_bits(leaf.bits() as u32)
        } else if value.is_undefined() || value.is_null_pointer() || value.is_zero_aggregate() {
            0
        } else {
            self.address(value)? as u128
        };
        Ok(number & leaf.mask())
    }

    /// The number that a constant which refers to addresses is.
    fn address(&mut self, value: Value<'m>) -> Lowered<u64> {
        if (value.is_function() || value.is_global()) && value.may_be_missing() && !is_in_library(value) {
            Ok(0)
        } else if value.is_function() {
            self.function_address(value)
        } else if value.is_global() && value.is_thread_local() {
            refuse(format!("the address of thread-local `{}` in a constant", value.name()))
        } else if value.is_alias() {
            self.address(value.aliasee())
        } else if value.is_expression() {
            self.expression(value)
        } else if value.is_block_address() {
            value.block_of_address().map(block_number).ok_or_else(|| Unsupported("the address of a removed block".into()))
        } else {
            let known = if value.is_global() { self.global_address(value) } else { None };
            known.ok_or_else(|| Unsupported(format!("the constant `{}`", value.text())))
        }
    }

    fn expression(&mut self, value: Value<'m>) -> Lowered<u64> {
        let opcode = value.expression_opcode();
        if opcode == Opcode::LLVMGetElementPtr {
            let base = self.scalar(value.operand(0))? as u64;
            return Ok(base.wrapping_add(self.constant_offset(value)?));
        }
        let a = self.scalar(value.operand(0))? as u64;
        Ok(match opcode {
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast => a,
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMTrunc | Opcode::LLVMZExt => a,
            Opcode::LLVMSExt => {
                let shape = self.shape(value.operand(0).of())?;
                let unused = 64 - shape.single().map_or(64, |leaf| leaf.bits().min(64));
                ((a << unused) as i64 >> unused) as u64
            }
            Opcode::LLVMAdd => a.wrapping_add(self.scalar(value.operand(1))? as u64),
            Opcode::LLVMSub => a.wrapping_sub(self.scalar(value.operand(1))? as u64),
            Opcode::LLVMXor => a ^ self.scalar(value.operand(1))? as u64,
            _ => return refuse(format!("the constant `{}`", value.text())),
        })
    }

    /// What a constant address computation adds to its base.
    fn constant_offset(&mut self, value: Value<'m>) -> Lowered<u64> {
        let mut offset = 0u64;
        let mut steps = Steps::of(value);
        for number in 1..value.n_operands() {
            let index = value.operand(number);
            if !index.is_int() {
                return refuse(format!("the constant `{}`", value.text()));
            }
            offset = offset.wrapping_add(match steps.next(self, index) {
                GepIndex::Member(bytes) => bytes,
                GepIndex::Element(stride) => stride.wrapping_mul(index.signed() as u64),
            });
        }
        Ok(offset)
    }
}

/// Whether a function that may be missing is one that the machine has.
fn is_in_library(value: Value<'_>) -> bool {
    value.name().trim_start_matches('_').starts_with("pthread_")
}

/// What stands for the address of a block. It is a number that only an indirect branch looks at; zero is not one.
pub fn block_number(block: Block<'_>) -> u64 {
    block.function().blocks().iter().position(|b| *b == block).map_or(0, |n| n as u64 + 1)
}

/// One index of an address computation.
pub enum GepIndex {
    /// A member at an offset.
    Member(u64),
    /// An element, so many bytes for each.
    Element(u64),
}

/// Walks the types of an address computation, index by index.
pub struct Steps<'m> {
    /// The type of the next element; the first index steps over whole ones of these.
    at: Option<Type<'m>>,
    first: Type<'m>,
}

impl<'m> Steps<'m> {
    /// The walk of an instruction or constant.
    pub fn of(value: Value<'m>) -> Steps<'m> {
        Steps { at: None, first: value.element_type() }
    }

    /// What the next index, which is a constant where it names a member, means.
    pub fn next(&mut self, unit: &Unit<'m>, index: Value<'m>) -> GepIndex {
        let Some(at) = self.at else {
            self.at = Some(self.first);
            return GepIndex::Element(unit.module.size_of(self.first));
        };
        match at.kind() {
            Kind::Struct(_) => {
                let number = index.element(0).unwrap_or(index).int(32) as u32;
                self.at = Some(at.member(number));
                GepIndex::Member(unit.module.offset_of(at, number))
            }
            Kind::Array(element, _) | Kind::Vector(element, _) => {
                self.at = Some(element);
                GepIndex::Element(unit.module.size_of(element))
            }
            _ => GepIndex::Element(0),
        }
    }
}
