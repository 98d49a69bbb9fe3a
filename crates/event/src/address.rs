//! Addresses that name an object and an offset, and do not depend on the interleaving.
//!
//! An address has 47 bits, like a user address on x86-64, so that programs which keep a tag in the upper
//! bits work. The upper 13 of them name a *block*; a block belongs to one [`Region`]. The lower
//! 34 bits hold the number of the object in its block and the offset in the object. Blocks of
//! small objects have 2^14 objects of at most 2^20 bytes, blocks of large objects 4 of 2^32 bytes. So
//! two objects are never neighbours, and an index that runs out of its object finds nothing.
//!
//! All blocks lie half the room of a small object higher than their numbers say. So the lower 32 bits of no address in
//! an object are all zero, and a program may cut a pointer to an `int` and ask whether it is null.
//!
//! Which block a region gets is decided once for all executions, like the number of a thread.

use crate::{Range, ThreadId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An address of the program that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// How many bits lie below the block number.
const BLOCK_BITS: u32 = 34;
/// How many bits of an address are the offset in a small object.
pub(crate) const SMALL_SHIFT: u32 = 20;
const LARGE_SHIFT: u32 = 32;
const BLOCKS: usize = 1 << 13;

/// How much higher than its numbers say an address lies.
const BASE: u64 = 1 << (SMALL_SHIFT - 1);

/// Block number, number of the object in the block and offset, one above the other.
#[inline]
pub(crate) fn numbers(address: Address) -> u64 {
    address.0.wrapping_sub(BASE)
}

/// The number of a block of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// What a block of addresses is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Region {
    /// Functions, by number.
    Code,
    /// Global variables, by number.
    Globals,
    /// One word per thread, by thread number: written when it ends, with its result.
    Threads,
    /// What a thread has allocated by `malloc`, by count.
    Heap(ThreadId),
    /// The local variables of a thread that have an address, by depth.
    Stack(ThreadId),
    /// A thread's instances of the thread-local variables, by number of the variable.
    ThreadLocal(ThreadId),
}

/// One block: the region, and which of the region's objects it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    /// The region that the block belongs to.
    pub region: Region,
    /// The number in the region of the first object of this block.
    pub first: u32,
    /// How many bits of the address are the offset in the object.
    pub shift: u32,
}

/// All blocks in use. It only grows; rewinding an execution does not touch it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Option<Block>>", into = "Vec<Option<Block>>")]
pub struct AddressMap {
    blocks: Vec<Option<Block>>,
    numbers: FxHashMap<(Region, u32, bool), BlockId>,
}

impl Default for AddressMap {
    fn default() -> Self {
        // Block 0 stays empty: small numbers are not addresses.
        AddressMap { blocks: vec![None], numbers: FxHashMap::default() }
    }
}

impl From<Vec<Option<Block>>> for AddressMap {
    fn from(blocks: Vec<Option<Block>>) -> AddressMap {
        let known = blocks.iter().zip(0..).filter_map(|(block, n)| Some(((*block)?, BlockId(n))));
        let numbers = known.map(|(block, id)| ((block.region, block.first, block.is_large()), id)).collect();
        AddressMap { blocks, numbers }
    }
}

impl From<AddressMap> for Vec<Option<Block>> {
    fn from(map: AddressMap) -> Self {
        map.blocks
    }
}

impl AddressMap {
    /// The largest object that has a place in the address space.
    pub const MAX_OBJECT: u64 = 1 << (LARGE_SHIFT - 1);

    /// Every object begins at a multiple of this.
    pub const ALIGNMENT: u64 = BASE;

    /// The address of object `number` of `region`; `None` when the address space is used up.
    pub fn address(&mut self, region: Region, number: u32, size: u64) -> Option<Address> {
        // Half of the room of an object stays unused, so that a pointer past its end meets nothing.
        let large = size > 1 << (SMALL_SHIFT - 1);
        let shift = if large { LARGE_SHIFT } else { SMALL_SHIFT };
        let per_block = 1u32 << (BLOCK_BITS - shift);
        let first = number - number % per_block;
        let next = BlockId(self.blocks.len() as u32);
        let id = *self.numbers.entry((region, first, large)).or_insert(next);
        if id == next {
            if self.blocks.len() == BLOCKS {
                self.numbers.remove(&(region, first, large));
                return None;
            }
            self.blocks.push(Some(Block { region, first, shift }));
        }
        Some(Address((((id.0 as u64) << BLOCK_BITS) | ((number - first) as u64) << shift) + BASE))
    }

    /// The region, the number of the object in it and the offset that an address names.
    #[inline]
    pub fn find(&self, address: Address) -> Option<(Region, u32, u64)> {
        let block = self.block(address)?;
        let (number, offset) = block.split(address);
        Some((block.region, number, offset))
    }

    /// The thread whose word begins at an address: it is written when the thread ends.
    #[inline]
    pub fn word_of(&self, address: Address) -> Option<ThreadId> {
        match self.find(address)? {
            (Region::Threads, number, 0) => Some(ThreadId(number)),
            _ => None,
        }
    }

    /// The thread to which the object that an address names belongs: on its stack, its heap, or one of its
    /// thread-locals.
    pub fn owner(&self, address: Address) -> Option<ThreadId> {
        match self.find(address)?.0 {
            Region::Heap(thread) | Region::Stack(thread) | Region::ThreadLocal(thread) => Some(thread),
            Region::Code | Region::Globals | Region::Threads => None,
        }
    }

    /// The whole room in the address space of the object that an address names.
    pub fn room(&self, address: Address) -> Option<Range> {
        let block = self.block(address)?;
        let start = Address((numbers(address) & !((1 << block.shift) - 1)) + BASE);
        Some(Range { start, size: ((1u64 << block.shift) - 1).min(u32::MAX as u64) as u32 })
    }

    /// How many blocks are in use.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// All blocks, in the order in which they were taken into use.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.blocks.iter().copied().flatten()
    }

    /// The block at a number, for a caller that splits addresses by itself.
    #[inline]
    pub fn block(&self, address: Address) -> Option<Block> {
        *self.blocks.get((numbers(address) >> BLOCK_BITS) as usize)?
    }
}

impl Block {
    /// Whether its objects are the large ones.
    pub fn is_large(&self) -> bool {
        self.shift == LARGE_SHIFT
    }

    /// How many bytes an offset lies before the start of the next object; none in the first half of a room, which is
    /// all that an object has.
    #[inline]
    pub fn before_next(&self, offset: u64) -> Option<u64> {
        (offset >> (self.shift - 1) != 0).then(|| (1 << self.shift) - offset)
    }

    /// The number in the region of the object that `address` names, and the offset in it.
    #[inline]
    pub fn split(&self, address: Address) -> (u32, u64) {
        let within = numbers(address) & ((1 << BLOCK_BITS) - 1);
        (self.first + (within >> self.shift) as u32, within & ((1 << self.shift) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_its_object() {
        let mut map = AddressMap::default();
        let heap = Region::Heap(ThreadId(3));
        for (number, size) in [(0, 8), (1, 1 << 20), (2, 16), (4096, 1 << 19), (20_000, 1), (5, 1 << 30), (8, 1 << 31)] {
            let Address(start) = map.address(heap, number, size).unwrap();
            assert!(start < 1 << 47);
            assert!(start as u32 != 0 && (start + size - 1) as u32 != 0);
            assert_eq!(start % AddressMap::ALIGNMENT, 0);
            assert_eq!(map.find(Address(start + 7)), Some((heap, number, 7)));
            assert_eq!(map.address(heap, number, size), Some(Address(start)));
        }
        assert_eq!(map.find(Address(0)), None);
        assert_eq!(map.find(Address(u64::MAX)), None);
    }
}
