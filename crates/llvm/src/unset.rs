//! Local variables that may be read before they have a value.
//!
//! Register promotion gives such a read any value it likes, and nobody sees it any more. So where reads of
//! uninitialised memory are faults, these variables stay in memory, and the machine sees at run time whether they have
//! been written. Which ones these are is decided by definite assignment: forward over the blocks, byte by byte, a byte
//! has a value where it was written on every path. All other variables go into registers as ever.
//!
//! Variables whose address goes elsewhere are in memory anyway; where it only goes to a local pointer they are kept
//! there. Structures with bit-fields or with accesses that are no accesses to members (as they are passed in registers)
//! are left alone: those read bytes without a value to copy or keep them, which is no fault.

use crate::constants::{GepIndex, Steps};
use crate::ir::versions::LIVING;
use crate::ir::{Block, Module, Opcode, Value};
use crate::unit::Unit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Longer variables are left alone.
const LONGEST: u64 = 4096;

/// Bytes of the local variables of a function, all in a row.
type Bytes = Range<usize>;

/// What happens to local variables, in order.
enum Use<'m> {
    /// Bytes of a variable are read.
    Read(Bytes, Value<'m>),
    Written(Bytes),
    /// The variable comes into being, with no value, or ceases to be.
    Unset(Bytes),
    /// Bytes of one variable go to another, by a call.
    Copied {
        to: Bytes,
        from: Bytes,
        by: Value<'m>,
    },
}

/// Makes sure that variables which may be read before they have a value are not put into registers.
pub fn keep_in_memory(module: &Module) {
    let mut unit = Unit::new(module);
    for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
        let locals = Locals::of(&mut unit, function);
        locals.unset().into_iter().chain(locals.pointed_to.iter().copied()).for_each(Value::keep_in_memory);
    }
}

/// The local variables of a function that can be followed.
struct Locals<'m> {
    /// Where the bytes of each `alloca` are.
    bytes: FxHashMap<Value<'m>, Bytes>,
    /// The `alloca` and the offset that an address names.
    addresses: FxHashMap<Value<'m>, (Value<'m>, u64)>,
    left_alone: FxHashSet<Value<'m>>,
    /// Plain variables whose address another variable gets.
    pointed_to: FxHashSet<Value<'m>>,
    n_bytes: usize,
    blocks: Vec<Block<'m>>,
    uses: Vec<Vec<Use<'m>>>,
}

impl<'m> Locals<'m> {
    fn of(unit: &mut Unit<'m>, function: Value<'m>) -> Locals<'m> {
        let blocks = function.blocks();
        let (bytes, addresses, left_alone) = (FxHashMap::default(), FxHashMap::default(), FxHashSet::default());
        let mut locals = Locals { bytes, addresses, left_alone, pointed_to: FxHashSet::default(), n_bytes: 0, blocks, uses: Vec::new() };
        locals.find_addresses(unit);
        for block in locals.blocks.clone() {
            let uses = block.instructions().flat_map(|i| locals.uses_of(unit, i)).collect();
            locals.uses.push(uses);
        }
        locals
    }

    /// Finds the variables, and the addresses of their members.
    fn find_addresses(&mut self, unit: &Unit<'m>) {
        for i in self.blocks.clone().into_iter().flat_map(|block| block.instructions()) {
            match i.opcode() {
                Opcode::LLVMAlloca if i.operand(0).is_int() && i.operand(0).int(64) == 1 && i.name() != "retval" => {
                    let size = unit.module.size_of(i.allocated());
                    if size <= LONGEST {
                        self.bytes.insert(i, self.n_bytes..self.n_bytes + size as usize);
                        self.addresses.insert(i, (i, 0));
                        self.n_bytes += size as usize;
                    }
                }
                Opcode::LLVMGetElementPtr => {
                    if let (Some(&(of, at)), Some(offset)) = (self.addresses.get(&i.operand(0)), constant_offset(unit, i)) {
                        self.addresses.insert(i, (of, at.wrapping_add(offset)));
                    }
                }
                _ => {}
            }
        }
    }

    /// The bytes of a variable from an address on.
    fn range(&self, address: Value<'m>, size: u64) -> Option<Bytes> {
        let &(of, at) = self.addresses.get(&address)?;
        let whole = &self.bytes[&of];
        let start = whole.start.checked_add(usize::try_from(at).ok()?)?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        (end <= whole.end).then_some(start..end)
    }

    /// What an instruction does to the variables. One of which something else is done is left alone.
    fn uses_of(&mut self, unit: &mut Unit<'m>, i: Value<'m>) -> Option<Use<'m>> {
        let size = |of: Value<'m>| unit.module.store_size(of.of());
        let found = match i.opcode() {
            Opcode::LLVMGetElementPtr if self.addresses.contains_key(&i) => return None,
            Opcode::LLVMLoad => self
                .range(i.operand(0), size(i))
                .filter(|_| self.is_member(unit, i))
                .map(|bytes| Use::Read(bytes, self.addresses[&i.operand(0)].0)),
            Opcode::LLVMStore => {
                self.note_address(unit, i);
                return self.range(i.operand(1), unit.module.store_size(i.operand(0).of())).map(Use::Written);
            }
            Opcode::LLVMCall => self.bulk(i),
            _ => None,
        };
        if found.is_none() {
            let used = (0..i.n_operands()).filter_map(|number| self.addresses.get(&i.operand(number)));
            self.left_alone.extend(used.map(|(of, _)| *of));
        }
        found
    }

    /// The address of a variable may be stored: then it is left alone.
    fn note_address(&mut self, unit: &mut Unit<'m>, store: Value<'m>) {
        let Some(&(of, _)) = self.addresses.get(&store.operand(0)) else { return };
        self.left_alone.insert(of);
        let is_plain = unit.shape(of.allocated()).is_ok_and(|shape| shape.single().is_some());
        if is_plain && self.addresses.contains_key(&store.operand(1)) {
            self.pointed_to.insert(of);
        }
    }

    /// A copy or fill of a known number of bytes.
    fn bulk(&self, i: Value<'m>) -> Option<Use<'m>> {
        let name = i.callee().intrinsic()?;
        if ["llvm.lifetime.start", "llvm.lifetime.end"].contains(&name.as_str()) {
            return self.bytes.get(&i.operand(LIVING)).cloned().map(Use::Unset);
        }
        let (to, from, length) = (i.operand(0), i.operand(1), i.operand(2));
        if !["llvm.memcpy", "llvm.memmove", "llvm.memset"].contains(&name.as_str()) || !length.is_int() {
            return None;
        }
        let length = length.int(64) as u64;
        match (self.range(to, length), self.range(from, length)) {
            (Some(to), Some(from)) => Some(Use::Copied { to, from, by: i }),
            (Some(to), None) if !self.addresses.contains_key(&from) => Some(Use::Written(to)),
            (None, Some(from)) if !self.addresses.contains_key(&to) => Some(Use::Copied { to: 0..0, from, by: i }),
            _ => None,
        }
    }

    /// Whether a load is one of a member as a whole, and not of a bit-field.
    fn is_member(&self, unit: &mut Unit<'m>, load: Value<'m>) -> bool {
        let Some(&(of, at)) = self.addresses.get(&load.operand(0)) else { return false };
        let size = unit.module.store_size(load.of());
        let shape = unit.shape(of.allocated());
        let leaf = shape.ok().and_then(|shape| shape.leaves.iter().find(|leaf| leaf.1 == at).copied());
        leaf.is_some_and(|(leaf, _)| leaf.size() as u64 == size) && !load.name().starts_with("bf.load")
    }

    /// The variables that may be read without a value, and those that they are copied from.
    fn unset(&self) -> FxHashSet<Value<'m>> {
        let mut kept = self.read_unset();
        let of = |address: Value<'m>| self.addresses[&address].0;
        let mut copies: Vec<Value<'m>> = self.uses.iter().flatten().filter_map(copy).collect();
        loop {
            let (more, rest): (Vec<_>, Vec<_>) = copies.into_iter().partition(|by| kept.contains(&of(by.operand(0))));
            if more.is_empty() {
                return kept;
            }
            kept.extend(more.iter().map(|by| of(by.operand(1))));
            copies = rest;
        }
    }

    /// The variables with reads to which not every path gives a value.
    fn read_unset(&self) -> FxHashSet<Value<'m>> {
        let mut found = FxHashSet::default();
        if self.n_bytes == 0 {
            return found;
        }
        let entries = self.set_at_entry();
        for (uses, entry) in self.uses.iter().zip(entries) {
            let Some(mut set) = entry else { continue };
            for used in uses {
                if let Use::Read(bytes, of) = used
                    && set[bytes.clone()].contains(&false)
                    && !self.left_alone.contains(of)
                {
                    found.insert(*of);
                }
                pass(used, &mut set);
            }
        }
        found
    }

    /// Which bytes have a value on every path to each block; none for a block that is not reached.
    fn set_at_entry(&self) -> Vec<Option<Vec<bool>>> {
        let numbers: FxHashMap<Block<'m>, usize> = self.blocks.iter().enumerate().map(|(n, &block)| (block, n)).collect();
        let mut entries: Vec<Option<Vec<bool>>> = vec![None; self.blocks.len()];
        entries[0] = Some(vec![false; self.n_bytes]);
        let mut work = vec![0];
        while let Some(n) = work.pop() {
            let mut set = entries[n].clone().expect("it is reached");
            self.uses[n].iter().for_each(|used| pass(used, &mut set));
            for next in self.blocks[n].successors().into_iter().map(|block| numbers[&block]) {
                match &mut entries[next] {
                    Some(before) => {
                        let lost = before.iter().zip(&set).any(|(before, now)| *before && !now);
                        before.iter_mut().zip(&set).for_each(|(before, now)| *before &= now);
                        work.extend(lost.then_some(next));
                    }
                    unseen => {
                        *unseen = Some(set.clone());
                        work.push(next);
                    }
                }
            }
        }
        entries
    }
}

/// The call that copies from one variable to another.
fn copy<'m>(used: &Use<'m>) -> Option<Value<'m>> {
    match used {
        Use::Copied { to, by, .. } if !to.is_empty() => Some(*by),
        _ => None,
    }
}

/// Goes past a use.
fn pass(used: &Use, set: &mut [bool]) {
    match used {
        Use::Read(..) => {}
        Use::Written(bytes) => set[bytes.clone()].fill(true),
        Use::Unset(bytes) => set[bytes.clone()].fill(false),
        Use::Copied { to, from, .. } if to.len() == from.len() => set.copy_within(from.clone(), to.start),
        Use::Copied { .. } => {}
    }
}

/// How far from its base an address is that is computed from constants.
fn constant_offset<'m>(unit: &Unit<'m>, i: Value<'m>) -> Option<u64> {
    let mut steps = Steps::of(i);
    (1..i.n_operands()).map(|number| i.operand(number)).try_fold(0u64, |offset, index| match steps.next(unit, index) {
        GepIndex::Member(bytes) => Some(offset.wrapping_add(bytes)),
        GepIndex::Element(stride) if index.is_int() => Some(offset.wrapping_add(stride.wrapping_mul(index.signed() as u64))),
        GepIndex::Element(_) => None,
    })
}
