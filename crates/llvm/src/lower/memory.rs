//! Accesses to memory, addresses and local variables.

use super::Lowering;
use super::operands::pair;
use crate::constants::{GepIndex, Steps};
use crate::ir::{BinOp, Kind, Module, Opcode, Ordering, Type, Value};
use crate::layouts::variable_name;
use crate::shape::{Leaf, Shape};
use crate::unsupported::{Lowered, refuse};
use raddle_event::{Fence, Order, RmwOp};
use raddle_program::{Bits, Def, Instr, NoteId, Reg, Size, Symbol, Use};

/// The most bytes that a plain access takes at once.
pub(super) const WORD: u32 = 8;

/// The order of an access.
fn order(ordering: Ordering) -> Order {
    match ordering {
        Ordering::LLVMAtomicOrderingNotAtomic => Order::Plain,
        Ordering::LLVMAtomicOrderingUnordered | Ordering::LLVMAtomicOrderingMonotonic => Order::Relaxed,
        Ordering::LLVMAtomicOrderingAcquire => Order::Acquire,
        Ordering::LLVMAtomicOrderingRelease => Order::Release,
        Ordering::LLVMAtomicOrderingAcquireRelease => Order::AcqRel,
        Ordering::LLVMAtomicOrderingSequentiallyConsistent => Order::SeqCst,
    }
}

impl<'m> Lowering<'_, 'm> {
    /// `load`
    pub(super) fn load(&mut self, i: Value<'m>) -> Lowered<()> {
        let shape = self.shape(i.of())?;
        let order = if moves_bytes(self.unit.module, i) { Order::Copy } else { order(i.ordering()) };
        let address = self.word(i.operand(0))?;
        let registers = self.load_shape(&shape, address, order)?;
        self.define(i, registers);
        Ok(())
    }

    /// Loads a value leaf by leaf.
    pub(super) fn load_shape(&mut self, shape: &Shape, address: Reg, order: Order) -> Lowered<Vec<Reg>> {
        if shape.is_packed && shape.leaves.len() > 1 {
            let whole = packed(shape)?;
            let registers = self.load_leaf(whole.leaves[0].0, address, order);
            return self.regroup(&whole, registers, shape);
        }
        let mut registers = Vec::new();
        for &(leaf, offset) in &shape.leaves {
            let address = self.plus(address, offset);
            registers.extend(self.load_leaf(leaf, address, order));
        }
        Ok(registers)
    }

    /// Loads a leaf. Bits of memory that are not bits of the value are dropped. What is longer than a word is two loads
    /// where it is not atomic.
    pub(super) fn load_leaf(&mut self, leaf: Leaf, address: Reg, order: Order) -> Vec<Reg> {
        let size = leaf.size();
        let make = |to| Instr::Load { to, address: Use(address), size: Size(size), order };
        let registers = match (size > WORD, order) {
            (false, _) => vec![self.emit(make)],
            (true, Order::Plain | Order::Copy) => {
                let low = self.builder.registers(2);
                let rest = self.plus(address, WORD as u64);
                self.builder.push(Instr::Load { to: Def(low), address: Use(address), size: Size(WORD), order });
                self.builder.push(Instr::Load { to: Def(Reg(low.0 + 1)), address: Use(rest), size: Size(size - WORD), order });
                pair(low)
            }
            (true, _) => self.emit_pair(make),
        };
        match leaf.bits() % 8 {
            0 => registers,
            _ => self.truncate(leaf, &registers),
        }
    }

    /// `store`
    pub(super) fn store(&mut self, i: Value<'m>) -> Lowered<()> {
        let shape = self.shape(i.operand(0).of())?;
        let registers = self.registers(i.operand(0))?;
        let order = if puts_bytes(self.unit.module, i) { Order::Copy } else { order(i.ordering()) };
        let address = self.word(i.operand(1))?;
        self.store_shape(&shape, registers, address, order)
    }

    /// Stores a value leaf by leaf.
    pub(super) fn store_shape(&mut self, shape: &Shape, registers: Vec<Reg>, address: Reg, order: Order) -> Lowered<()> {
        if shape.is_packed && shape.leaves.len() > 1 {
            let whole = packed(shape)?;
            let registers = self.regroup(shape, registers, &whole)?;
            return self.store_shape(&whole, registers, address, order);
        }
        let mut next = 0;
        for &(leaf, offset) in &shape.leaves {
            let address = self.plus(address, offset);
            self.store_leaf(leaf, registers[next], address, order);
            next += leaf.registers() as usize;
        }
        Ok(())
    }

    /// Stores a leaf. What is longer than a word is two stores where it is not atomic.
    pub(super) fn store_leaf(&mut self, leaf: Leaf, value: Reg, address: Reg, order: Order) {
        let put = |this: &mut Self, address, value, size| {
            this.builder.push(Instr::Store { address: Use(address), value: Use(value), size: Size(size), order });
        };
        match leaf.size() {
            size if size > WORD && matches!(order, Order::Plain | Order::Copy) => {
                let rest = self.plus(address, WORD as u64);
                put(self, address, value, WORD);
                put(self, rest, Reg(value.0 + 1), size - WORD);
            }
            size => put(self, address, value, size),
        }
    }

    /// An address and a number of bytes more.
    pub(super) fn plus(&mut self, a: Reg, offset: u64) -> Reg {
        if offset == 0 {
            return a;
        }
        if let Some(base) = self.builder.constant_value(a) {
            return self.builder.constant(base.wrapping_add(offset));
        }
        let b = Use(self.builder.constant(offset));
        self.emit(|to| Instr::Add { to, a: Use(a), b, bits: Bits(64) })
    }

    /// `getelementptr`, of one address or of a vector of them.
    pub(super) fn index(&mut self, i: Value<'m>) -> Lowered<()> {
        let n_lanes = self.shape(i.of())?.leaves.len();
        let bases = self.registers(i.operand(0))?;
        let mut result = Vec::new();
        for lane in 0..n_lanes {
            let base = if bases.len() == 1 { bases[0] } else { bases[lane] };
            result.push(self.offset_from(base, i, lane)?);
        }
        self.define(i, result);
        Ok(())
    }

    /// The address that a computation, instruction or constant, gives from its base, for one lane of its indices.
    pub(super) fn offset_from(&mut self, mut base: Reg, i: Value<'m>, lane: usize) -> Lowered<Reg> {
        let mut steps = Steps::of(i);
        let mut offset = 0u64;
        for number in 1..i.n_operands() {
            let index = i.operand(number);
            match steps.next(self.unit, index) {
                GepIndex::Member(bytes) => offset = offset.wrapping_add(bytes),
                GepIndex::Element(stride) if index.is_int() => offset = offset.wrapping_add(stride.wrapping_mul(index.signed() as u64)),
                GepIndex::Element(0) => {}
                GepIndex::Element(scale) => {
                    let index = Use(self.signed_index(index, lane)?);
                    base = self.emit(|to| Instr::Index { to, base: Use(base), index, scale });
                }
            }
        }
        Ok(self.plus(base, offset))
    }

    /// An index as a number of 64 bits.
    fn signed_index(&mut self, index: Value<'m>, lane: usize) -> Lowered<Reg> {
        let leaf = self.shape(index.of())?.leaves[0].0;
        let lanes = self.split(index)?;
        let lane = if lanes.len() == 1 { &lanes[0] } else { &lanes[lane] };
        Ok(match leaf.bits() {
            64.. => lane[0],
            _ => self.extend_sign(leaf, Leaf::Int(64), lane)[0],
        })
    }

    /// `alloca`
    pub(super) fn allocate(&mut self, i: Value<'m>) -> Lowered<()> {
        let of = i.allocated();
        let size = self.unit.module.size_of(of);
        let count = i.operand(0);
        let size = if count.is_int() {
            self.builder.constant(size.wrapping_mul(count.int(64) as u64))
        } else {
            let (a, b) = (Use(self.word(count)?), Use(self.builder.constant(size)));
            self.emit(|to| Instr::Mul { to, a, b, bits: Bits(64) })
        };
        let name = self.variable_note(i);
        let align = i.align().max(1);
        let address = self.emit(|to| Instr::Alloca { to, size: Use(size), align, name });
        self.define(i, vec![address]);
        Ok(())
    }

    /// The name and the layout of a local variable.
    fn variable_note(&mut self, i: Value<'m>) -> NoteId {
        let variable = self.variables.get(&i).copied();
        let text = variable.and_then(|v| variable_name(v, i)).unwrap_or_else(|| i.name());
        let layout = variable.and_then(|v| self.unit.variable_layout(v, i));
        self.unit.program.add_note(Symbol { text, layout })
    }

    /// `fence`
    pub(super) fn fence(&mut self, i: Value<'m>) -> Lowered<()> {
        let fence = match i.ordering() {
            _ if i.is_single_thread() => Fence::Compiler,
            Ordering::LLVMAtomicOrderingAcquire => Fence::Acquire,
            Ordering::LLVMAtomicOrderingRelease => Fence::Release,
            Ordering::LLVMAtomicOrderingAcquireRelease => Fence::AcqRel,
            _ => Fence::SeqCst,
        };
        self.builder.push(Instr::FenceOp { fence });
        Ok(())
    }

    /// `cmpxchg`: the old value and whether it was the expected one.
    pub(super) fn compare_exchange(&mut self, i: Value<'m>) -> Lowered<()> {
        let leaf = self.leaf(i.operand(1).of())?;
        let (address, size) = (Use(self.word(i.operand(0))?), Size(leaf.size()));
        let expected = Use(self.registers(i.operand(1))?[0]);
        let new = Use(self.registers(i.operand(2))?[0]);
        let (success, failure) = i.exchange_orderings();
        let (order, failure) = (order(success), order(failure));
        let old = self.builder.registers(leaf.registers());
        let (to, done) = (Def(old), Def(self.builder.register()));
        self.builder.push(match i.is_weak() {
            true => Instr::CompareExchangeWeak { to, done, address, expected, new, size, order, failure },
            false => Instr::CompareExchange { to, done, address, expected, new, size, order, failure },
        });
        let mut registers: Vec<Reg> = (old.0..old.0 + leaf.registers()).map(Reg).collect();
        registers.push(done.0);
        self.define(i, registers);
        Ok(())
    }

    /// `atomicrmw`
    pub(super) fn read_modify_write(&mut self, i: Value<'m>) -> Lowered<()> {
        let leaf = self.leaf(i.of())?;
        let op = rmw_op(i.rmw_op())?;
        let (address, operand) = (Use(self.word(i.operand(0))?), Use(self.registers(i.operand(1))?[0]));
        let (size, order) = (Size(leaf.size()), order(i.ordering()));
        let make = |to| Instr::Rmw { to, op, address, operand, size, order };
        let old = if leaf.size() > 8 { self.emit_pair(make) } else { vec![self.emit(make)] };
        self.define(i, old);
        Ok(())
    }
}

/// Whether what a load reads is not looked at but put elsewhere, so that some of it may have no value: it copies a part
/// of a structure, passes or returns a structure in a register, or keeps the other bit-fields where one is written. The
/// names are those that clang gives, and the register promotion, which may have been run before.
fn moves_bytes(module: &Module, load: Value<'_>) -> bool {
    let name = load.name();
    let is_field_kept = || {
        let cleared = load.only_user().filter(|user| user.name().starts_with("bf.clear"));
        let kept = cleared.and_then(|cleared| cleared.only_user());
        kept.is_some_and(|user| user.opcode() == Opcode::LLVMStore || user.name().starts_with("bf.set"))
    };
    matches!(load.ordering(), Ordering::LLVMAtomicOrderingNotAtomic)
        && (load.is_of_copy()
            || name.contains("copyload")
            || name.contains("bf.load") && is_field_kept()
            || is_coerced(module, load.operand(0), load.of())
            || is_part(module, load.operand(0), load.of(), load.align()))
}

/// Whether a store puts bytes of a structure that were moved, so that it is no single access.
fn puts_bytes(module: &Module, store: Value<'_>) -> bool {
    let value = store.operand(0);
    let is_moved = value.is_instruction() && value.opcode() == Opcode::LLVMLoad && moves_bytes(module, value);
    matches!(store.ordering(), Ordering::LLVMAtomicOrderingNotAtomic)
        && (store.is_of_copy()
            || is_moved
            || is_coerced(module, store.operand(1), value.of())
            || is_part(module, store.operand(1), value.of(), store.align()))
}

/// Whether an access with less than its natural alignment, through a pointer, is to several members of a structure at
/// once, and not to a number that may lie anywhere.
fn is_part(module: &Module, address: Value<'_>, of: Type<'_>, align: u64) -> bool {
    let size = module.store_size(of);
    size.is_power_of_two() && align < size.min(WORD as u64) && declared(address).is_none()
}

/// Whether an access to a structure is none to one of its members: it passes or returns several in a register. Their
/// words are members of a type without a name, or what lies there begins with something smaller.
fn is_coerced(module: &Module, address: Value<'_>, of: Type<'_>) -> bool {
    let base = if is_computed(address) { address.operand(0) } else { address };
    if is_computed(address) && address.element_type().is_literal() {
        return declared(base) != Some(address.element_type());
    }
    let structure = declared(address).filter(|declared| matches!(declared.kind(), Kind::Struct(_)));
    let shape = structure.and_then(|structure| Shape::of(module, structure).ok());
    shape.is_some_and(|shape| shape.leaves.first().is_some_and(|(leaf, _)| (leaf.size() as u64) < module.store_size(of)))
}

/// The type of what lies at an address, where the address says so.
fn declared<'m>(address: Value<'m>) -> Option<Type<'m>> {
    match () {
        () if address.is_local() => Some(address.allocated()),
        () if address.is_global() => Some(address.value_type()),
        () if is_computed(address) => Some(address.reached_type()),
        () => None,
    }
}

/// Whether an address is computed from another, by an instruction or before the program starts.
fn is_computed(address: Value<'_>) -> bool {
    address.is_address() || address.is_expression() && address.expression_opcode() == Opcode::LLVMGetElementPtr
}

/// The shape of an integer with the bits of a vector.
fn packed(shape: &Shape) -> Lowered<Shape> {
    let bits: u32 = shape.leaves.iter().map(|(leaf, _)| leaf.bits() as u32).sum();
    match bits {
        1..=128 => Ok(Shape { leaves: vec![(Leaf::Int(bits as u8), 0)], is_packed: false }),
        _ => refuse("an access to a long vector of bits"),
    }
}

fn rmw_op(op: BinOp) -> Lowered<RmwOp> {
    Ok(match op {
        BinOp::LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        BinOp::LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        BinOp::LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        BinOp::LLVMAtomicRMWBinOpAnd => RmwOp::And,
        BinOp::LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        BinOp::LLVMAtomicRMWBinOpOr => RmwOp::Or,
        BinOp::LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        BinOp::LLVMAtomicRMWBinOpMax => RmwOp::Max,
        BinOp::LLVMAtomicRMWBinOpMin => RmwOp::Min,
        BinOp::LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        BinOp::LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        BinOp::LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        BinOp::LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        BinOp::LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        BinOp::LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        BinOp::LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        BinOp::LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
        BinOp::LLVMAtomicRMWBinOpUSubCond => RmwOp::USubCond,
        BinOp::LLVMAtomicRMWBinOpUSubSat => RmwOp::USubSat,
        BinOp::LLVMAtomicRMWBinOpFMaximum | BinOp::LLVMAtomicRMWBinOpFMinimum => return refuse("an atomic `fmaximum` or `fminimum`"),
    })
}
