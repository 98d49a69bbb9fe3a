//! Shapes: how a value of an LLVM type is spread over registers and where its parts stand in memory.
//!
//! Structures, arrays and vectors fall apart into leaves. A leaf of at most 64 bits takes one register, a longer one a
//! pair of registers in a row, low half first. An integer of more than 128 bits falls apart into words, so an access to
//! one is several.

use crate::ir::{Kind, Module, Type};
use crate::unsupported::{Lowered, refuse};

/// A value that does not fall apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An integer of 1 to 128 bits.
    Int(u8),
    Float,
    Double,
    /// Floating point of 80 bits, the `long double` of x86.
    Extended,
    Pointer,
}

impl Leaf {
    /// The width in bits.
    pub fn bits(self) -> u8 {
        match self {
            Leaf::Int(bits) => bits,
            Leaf::Float => 32,
            Leaf::Double | Leaf::Pointer => 64,
            Leaf::Extended => 80,
        }
    }

    /// Whether it takes a pair of registers.
    pub fn is_wide(self) -> bool {
        self.bits() > 64
    }

    /// How many registers it takes.
    pub fn registers(self) -> u32 {
        if self.is_wide() { 2 } else { 1 }
    }

    /// How many bytes a store of it writes.
    pub fn size(self) -> u32 {
        (self.bits() as u32).div_ceil(8)
    }

    /// The bits that a value can have set.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }
}

/// The leaves of a type.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shape {
    /// Each leaf with its offset in bytes.
    pub leaves: Vec<(Leaf, u64)>,
    /// Whether the leaves are bits in a row, not bytes: a vector of `i1` and the like.
    pub is_packed: bool,
}

/// More leaves than this are not held in registers.
const MAX_LEAVES: usize = 1 << 12;
/// Longer integers are not known.
const MAX_BITS: u32 = 1 << 12;

impl Shape {
    /// The shape of a type.
    pub fn of(module: &Module, of: Type<'_>) -> Lowered<Shape> {
        let mut shape = Shape::default();
        shape.add(module, of, 0)?;
        Ok(shape)
    }

    /// How many registers a value takes.
    pub fn registers(&self) -> u32 {
        self.leaves.iter().map(|(leaf, _)| leaf.registers()).sum()
    }

    /// The leaf of a shape that has only one.
    pub fn single(&self) -> Option<Leaf> {
        (self.leaves.len() == 1).then(|| self.leaves[0].0)
    }

    fn add(&mut self, module: &Module, of: Type<'_>, at: u64) -> Lowered<()> {
        let leaf = match of.kind() {
            Kind::Void => return Ok(()),
            Kind::Int(bits @ 1..=128) => Leaf::Int(bits as u8),
            Kind::Float => Leaf::Float,
            Kind::Double => Leaf::Double,
            Kind::Extended => Leaf::Extended,
            Kind::Pointer => Leaf::Pointer,
            Kind::Struct(n) => return (0..n).try_for_each(|m| self.add(module, of.member(m), at + module.offset_of(of, m))),
            Kind::Array(element, n) => {
                let stride = module.size_of(element);
                return (0..n).try_for_each(|i| self.add(module, element, at + i * stride));
            }
            Kind::Vector(element, n) => return self.add_vector(module, element, n, at),
            Kind::Int(bits) if bits <= MAX_BITS => return self.add_words(bits, at),
            Kind::Int(_) | Kind::Function | Kind::Other => return refuse(format!("a value of type `{}`", of.text())),
        };
        if self.leaves.len() == MAX_LEAVES {
            return refuse("a value of thousands of parts");
        }
        self.leaves.push((leaf, at));
        Ok(())
    }

    /// The words of a long integer.
    fn add_words(&mut self, bits: u32, at: u64) -> Lowered<()> {
        let words = (0..bits.div_ceil(64)).map(|n| (Leaf::Int((bits - 64 * n).min(64) as u8), at + 8 * n as u64));
        self.leaves.extend(words);
        Ok(())
    }

    fn add_vector(&mut self, module: &Module, element: Type<'_>, n: u32, at: u64) -> Lowered<()> {
        if matches!(element.kind(), Kind::Int(129..) | Kind::Extended) {
            return refuse(format!("a vector of `{}`", element.text()));
        }
        let first = self.leaves.len();
        for lane in 0..n as u64 {
            self.add(module, element, at)?;
            let (leaf, offset) = &mut self.leaves[first + lane as usize];
            *offset = at + lane * leaf.bits() as u64 / 8;
            self.is_packed |= leaf.bits() % 8 != 0;
        }
        Ok(())
    }
}
