//! The fields of instructions: what they mean, how they are written, how they are read.

use crate::{Convert, Extended, FloatTest, Overflow, Reg, Wide};
use raddle_event::{Fence, Order, RmwOp};
use std::fmt::Write;

/// A register that the instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Def(pub Reg);

/// A register or constant that the instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Use(pub Reg);

/// A list of registers, kept in [`crate::Function::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Regs {
    /// The number of its first one there.
    pub start: u32,
    /// How many there are.
    pub len: u32,
}

/// The width of an integer or floating-point value in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits(pub u8);

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size(pub u32);

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index into a table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl Field for $name {
            fn print(&self, out: &mut String, _: &dyn Lists) {
                write!(out, concat!($prefix, "{}"), self.0).expect("a string takes everything");
            }
            fn parse(word: &str, _: &mut dyn Constants) -> Option<Self> {
                word.strip_prefix($prefix)?.parse().ok().map($name)
            }
        }
    )*};
}

ids! {
    /// A basic block of a function.
    BlockId "b";
    /// A function of the program.
    FunctionId "f";
    /// A function that the program calls and does not define.
    ExternId "x";
    /// A global variable.
    GlobalId "g";
    /// A loop of a function.
    LoopId "l";
    /// A sentence kept with the program.
    NoteId "n";
    /// A table of cases of a switch.
    TableId "t";
}

/// Gives the registers of a list when a field is printed, and says which registers are constants.
pub trait Lists {
    /// The registers of a list.
    fn list(&self, regs: Regs) -> &[Reg];
    /// The value of a register that is a constant.
    fn constant(&self, reg: Reg) -> Option<u64>;
    /// How a register that is a constant is written.
    fn literal(&self, reg: Reg) -> Option<String> {
        self.constant(reg).map(|value| value.to_string())
    }
}

/// Takes constants and lists when a field is parsed.
pub trait Constants {
    /// The register of a constant, made where there is none yet.
    fn constant(&mut self, value: u64) -> Reg;
    /// A new list of registers.
    fn list(&mut self, regs: Vec<Reg>) -> Regs;
    /// The register of the constant that a word stands for.
    fn literal(&mut self, word: &str) -> Option<Reg> {
        parse_number(word).map(|value| self.constant(value))
    }
}

/// A field of an instruction.
pub trait Field: Sized {
    /// Appends the field as text.
    fn print(&self, out: &mut String, lists: &dyn Lists);
    /// Reads the field from text; `None` where the word is none.
    fn parse(word: &str, constants: &mut dyn Constants) -> Option<Self>;
    /// Calls `f` for each register that is written.
    fn defs(&self, _lists: &dyn Lists, _f: &mut dyn FnMut(Reg)) {}
    /// Calls `f` for each register that is read.
    fn uses(&self, _lists: &dyn Lists, _f: &mut dyn FnMut(Reg)) {}
    /// Calls `f` for each block that control can go to.
    fn targets(&self, _f: &mut dyn FnMut(BlockId)) {}
    /// The width, where the field is one.
    fn bits(&self) -> Option<Bits> {
        None
    }
    /// Puts another register in place of the one that the field names.
    fn rename(&mut self, _f: &mut dyn FnMut(Reg) -> Reg) {}
    /// Puts another block in place of the one that the field names.
    fn retarget(&mut self, _f: &mut dyn FnMut(BlockId) -> BlockId) {}
}

/// A block that control can go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct To(pub BlockId);

impl Field for To {
    fn print(&self, out: &mut String, lists: &dyn Lists) {
        self.0.print(out, lists);
    }
    fn parse(word: &str, constants: &mut dyn Constants) -> Option<Self> {
        BlockId::parse(word, constants).map(To)
    }
    fn targets(&self, f: &mut dyn FnMut(BlockId)) {
        f(self.0);
    }
    fn retarget(&mut self, f: &mut dyn FnMut(BlockId) -> BlockId) {
        self.0 = f(self.0);
    }
}

fn print_reg(reg: Reg, out: &mut String, lists: &dyn Lists) {
    match lists.literal(reg) {
        Some(literal) => out.push_str(&literal),
        None => print_register(reg, out),
    }
}

fn print_register(reg: Reg, out: &mut String) {
    write!(out, "r{}", reg.0).expect("a string takes everything");
}

fn parse_reg(word: &str, constants: &mut dyn Constants) -> Option<Reg> {
    match word.starts_with('r') {
        true => parse_register(word),
        false => constants.literal(word),
    }
}

fn parse_register(word: &str) -> Option<Reg> {
    let number = word.strip_prefix('r')?.parse().ok()?;
    (number < Reg::LIMIT).then_some(Reg(number))
}

/// A number in decimal, negative ones as their two's complement, or in hexadecimal.
pub(crate) fn parse_number(word: &str) -> Option<u64> {
    if let Some(digits) = word.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok();
    }
    match word.starts_with('-') {
        true => word.parse::<i64>().ok().map(|value| value as u64),
        false => word.parse().ok(),
    }
}

impl Field for Def {
    fn print(&self, out: &mut String, _: &dyn Lists) {
        print_register(self.0, out);
    }
    fn parse(word: &str, _: &mut dyn Constants) -> Option<Self> {
        parse_register(word).map(Def)
    }
    fn defs(&self, _: &dyn Lists, f: &mut dyn FnMut(Reg)) {
        f(self.0);
    }
    fn rename(&mut self, f: &mut dyn FnMut(Reg) -> Reg) {
        self.0 = f(self.0);
    }
}

impl Field for Use {
    fn print(&self, out: &mut String, lists: &dyn Lists) {
        print_reg(self.0, out, lists);
    }
    fn parse(word: &str, constants: &mut dyn Constants) -> Option<Self> {
        parse_reg(word, constants).map(Use)
    }
    fn uses(&self, _: &dyn Lists, f: &mut dyn FnMut(Reg)) {
        f(self.0);
    }
    fn rename(&mut self, f: &mut dyn FnMut(Reg) -> Reg) {
        self.0 = f(self.0);
    }
}

/// The registers that a call writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Defs(pub Regs);

/// The registers that a call or return reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Uses(pub Regs);

fn print_list(regs: &[Reg], out: &mut String, mut print: impl FnMut(Reg, &mut String)) {
    out.push('(');
    for (at, &reg) in regs.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        print(reg, out);
    }
    out.push(')');
}

fn parse_list(word: &str, parse: impl FnMut(&str) -> Option<Reg>) -> Option<Vec<Reg>> {
    let inner = word.strip_prefix('(')?.strip_suffix(')')?;
    inner.split_whitespace().map(parse).collect()
}

impl Field for Defs {
    fn print(&self, out: &mut String, lists: &dyn Lists) {
        print_list(lists.list(self.0), out, print_register);
    }
    fn parse(word: &str, constants: &mut dyn Constants) -> Option<Self> {
        parse_list(word, parse_register).map(|regs| Defs(constants.list(regs)))
    }
    fn defs(&self, lists: &dyn Lists, f: &mut dyn FnMut(Reg)) {
        lists.list(self.0).iter().for_each(|&reg| f(reg));
    }
}

impl Field for Uses {
    fn print(&self, out: &mut String, lists: &dyn Lists) {
        print_list(lists.list(self.0), out, |reg, out| print_reg(reg, out, lists));
    }
    fn parse(word: &str, constants: &mut dyn Constants) -> Option<Self> {
        let regs = parse_list(word, |word| parse_reg(word, constants))?;
        Some(Uses(constants.list(regs)))
    }
    fn uses(&self, lists: &dyn Lists, f: &mut dyn FnMut(Reg)) {
        lists.list(self.0).iter().for_each(|&reg| f(reg));
    }
}

impl Field for Size {
    fn print(&self, out: &mut String, _: &dyn Lists) {
        write!(out, "{}", self.0).expect("a string takes everything");
    }
    fn parse(word: &str, _: &mut dyn Constants) -> Option<Self> {
        word.parse().ok().map(Size)
    }
}

impl Field for Bits {
    fn print(&self, out: &mut String, lists: &dyn Lists) {
        Size(self.0 as u32).print(out, lists);
    }
    fn parse(word: &str, _: &mut dyn Constants) -> Option<Self> {
        word.parse().ok().map(Bits)
    }
    fn bits(&self) -> Option<Bits> {
        Some(*self)
    }
}

impl Field for u64 {
    fn print(&self, out: &mut String, _: &dyn Lists) {
        write!(out, "{self}").expect("a string takes everything");
    }
    fn parse(word: &str, _: &mut dyn Constants) -> Option<Self> {
        parse_number(word)
    }
}

macro_rules! words {
    ($($name:ident)*) => {$(
        impl Field for $name {
            fn print(&self, out: &mut String, _: &dyn Lists) {
                let (_, word) = $name::ALL.iter().find(|(v, _)| v == self).expect("ALL lists every one");
                out.push_str(word);
            }
            fn parse(word: &str, _: &mut dyn Constants) -> Option<Self> {
                $name::ALL.iter().find(|(_, w)| *w == word).map(|&(value, _)| value)
            }
        }
    )*};
}
words!(Order Fence RmwOp Convert Extended FloatTest Overflow Wide);
