//! The one list of instructions. The type, its text, what it reads and writes and where it goes all come from here.

use crate::field::Constants;
use crate::field::{
    Bits, BlockId, Def, Defs, ExternId, Field, FunctionId, GlobalId, Lists, LoopId, NoteId, Regs, Size, TableId, To, Use, Uses,
};
use crate::{Convert, Extended, FloatTest, Overflow, Reg, Wide};
use raddle_event::{Fence, Order, RmwOp};

macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident $word:literal { $($field:ident: $kind:ty),* })*) => {
        /// One instruction. Fields that are written come first, as in the text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the fields of an instruction are named and typed by their role")]
        pub enum Instr { $(#[doc = concat!("`", $word, "`")] $(#[$doc])* $name { $($field: $kind),* },)* }

        impl Instr {
            /// The words of all instructions.
            pub const WORDS: &[&'static str] = &[$($word,)*];

            /// The word of the instruction in text.
            pub fn word(&self) -> &'static str {
                match self { $(Instr::$name { .. } => $word,)* }
            }

            /// Appends the instruction as text.
            #[allow(unused_assignments, unused_mut, unused_variables)]
            pub fn print(&self, out: &mut String, lists: &dyn Lists) {
                out.push_str(self.word());
                let mut separator = " ";
                match self { $(Instr::$name { $($field),* } => {
                    $(out.push_str(separator); $field.print(out, lists); separator = ", ";)*
                })* }
            }

            /// Reads an instruction from its word and its fields; the error says which field is wrong.
            #[allow(unused_variables, unused_mut)]
            pub fn parse(word: &str, fields: &[&str], constants: &mut dyn Constants) -> Result<Instr, String> {
                let mut left = fields.iter();
                match word {
                    $($word => {
                        $(let text = left.next().ok_or_else(|| format!("`{word}` lacks its field `{}`", stringify!($field)))?;
                          let $field = <$kind as Field>::parse(text, constants)
                              .ok_or_else(|| format!("`{text}` cannot be the field `{}` of `{word}`", stringify!($field)))?;)*
                        match left.next() {
                            Some(more) => Err(format!("`{more}` is one field too many for `{word}`")),
                            None => Ok(Instr::$name { $($field),* }),
                        }
                    })*
                    _ => Err(format!("`{word}` is not an instruction")),
                }
            }

            /// Calls `f` for each register that the instruction writes (the first of a pair only).
            #[allow(unused_variables)]
            pub fn defs(&self, lists: &dyn Lists, mut f: impl FnMut(Reg)) {
                match self { $(Instr::$name { $($field),* } => { $($field.defs(lists, &mut f);)* })* }
            }

            /// Calls `f` for each register that the instruction reads (the first of a pair only).
            #[allow(unused_variables)]
            pub fn uses(&self, lists: &dyn Lists, mut f: impl FnMut(Reg)) {
                match self { $(Instr::$name { $($field),* } => { $($field.uses(lists, &mut f);)* })* }
            }

            /// The width that the instruction works with, where it has one.
            #[allow(unused_variables)]
            pub fn bits(&self) -> Option<Bits> {
                match self { $(Instr::$name { $($field),* } => { $(if let Some(bits) = $field.bits() { return Some(bits); })* None })* }
            }

            /// Puts another register in place of each one that the instruction names directly, not in a list.
            #[allow(unused_variables)]
            pub fn rename(&mut self, mut f: impl FnMut(Reg) -> Reg) {
                match self { $(Instr::$name { $($field),* } => { $($field.rename(&mut f);)* })* }
            }

            /// Puts another block in place of each one that the instruction names; the cases of a switch are in its
            /// table.
            #[allow(unused_variables)]
            pub fn retarget(&mut self, mut f: impl FnMut(BlockId) -> BlockId) {
                match self { $(Instr::$name { $($field),* } => { $($field.retarget(&mut f);)* })* }
            }

            /// Calls `f` for each block that the instruction names; the cases of a switch are in its table.
            #[allow(unused_variables)]
            pub fn targets(&self, mut f: impl FnMut(BlockId)) {
                match self { $(Instr::$name { $($field),* } => { $($field.targets(&mut f);)* })* }
            }
        }
    };
}

instructions! {
    // Words
    /// `to = a`
    Move "move" { to: Def, a: Use }
    Add "add" { to: Def, a: Use, b: Use, bits: Bits }
    Sub "sub" { to: Def, a: Use, b: Use, bits: Bits }
    Mul "mul" { to: Def, a: Use, b: Use, bits: Bits }
    UDiv "udiv" { to: Def, a: Use, b: Use, bits: Bits }
    SDiv "sdiv" { to: Def, a: Use, b: Use, bits: Bits }
    URem "urem" { to: Def, a: Use, b: Use, bits: Bits }
    SRem "srem" { to: Def, a: Use, b: Use, bits: Bits }
    And "and" { to: Def, a: Use, b: Use }
    Or "or" { to: Def, a: Use, b: Use }
    Xor "xor" { to: Def, a: Use, b: Use }
    /// Shifts by `bits` or more give zero (all sign bits for `ashr`).
    Shl "shl" { to: Def, a: Use, b: Use, bits: Bits }
    LShr "lshr" { to: Def, a: Use, b: Use, bits: Bits }
    AShr "ashr" { to: Def, a: Use, b: Use, bits: Bits }
    /// The upper word of the double word `a:b` shifted left by `c` modulo `bits`.
    FShl "fshl" { to: Def, a: Use, b: Use, c: Use, bits: Bits }
    /// The lower word of the double word `a:b` shifted right by `c` modulo `bits`.
    FShr "fshr" { to: Def, a: Use, b: Use, c: Use, bits: Bits }
    /// The bytes `from` on of `a`, so many, moved to byte `at`; the others are zero. What each byte depends on goes
    /// along with it.
    Part "part" { to: Def, a: Use, from: u64, at: u64, bytes: u64 }
    /// Keeps the lower `bits` bits.
    Trunc "trunc" { to: Def, a: Use, bits: Bits }
    /// Extends the sign of a value of `from` bits to `bits` bits.
    SExt "sext" { to: Def, a: Use, from: Bits, bits: Bits }
    Eq "eq" { to: Def, a: Use, b: Use }
    Ne "ne" { to: Def, a: Use, b: Use }
    ULt "ult" { to: Def, a: Use, b: Use }
    ULe "ule" { to: Def, a: Use, b: Use }
    SLt "slt" { to: Def, a: Use, b: Use, bits: Bits }
    SLe "sle" { to: Def, a: Use, b: Use, bits: Bits }
    /// `to = c ? a : b`
    Select "select" { to: Def, c: Use, a: Use, b: Use }
    SMin "smin" { to: Def, a: Use, b: Use, bits: Bits }
    SMax "smax" { to: Def, a: Use, b: Use, bits: Bits }
    UMin "umin" { to: Def, a: Use, b: Use }
    UMax "umax" { to: Def, a: Use, b: Use }
    Abs "abs" { to: Def, a: Use, bits: Bits }
    /// Arithmetic at the limits of the width: signed or unsigned by the operation.
    Saturate "saturate" { to: Def, op: Overflow, a: Use, b: Use, bits: Bits }
    /// The result cut to the width, and whether it was cut.
    WithOverflow "overflow" { to: Def, flag: Def, op: Overflow, a: Use, b: Use, bits: Bits }
    PopCount "ctpop" { to: Def, a: Use }
    LeadingZeros "ctlz" { to: Def, a: Use, bits: Bits }
    TrailingZeros "cttz" { to: Def, a: Use, bits: Bits }
    SwapBytes "bswap" { to: Def, a: Use, bits: Bits }
    ReverseBits "bitreverse" { to: Def, a: Use, bits: Bits }
    /// `to = base + index * scale`: an address computation; `index` is a 64-bit value.
    Index "index" { to: Def, base: Use, index: Use, scale: u64 }

    // Floating point
    FAdd "fadd" { to: Def, a: Use, b: Use, bits: Bits }
    FSub "fsub" { to: Def, a: Use, b: Use, bits: Bits }
    FMul "fmul" { to: Def, a: Use, b: Use, bits: Bits }
    FDiv "fdiv" { to: Def, a: Use, b: Use, bits: Bits }
    FRem "frem" { to: Def, a: Use, b: Use, bits: Bits }
    FNeg "fneg" { to: Def, a: Use, bits: Bits }
    FAbs "fabs" { to: Def, a: Use, bits: Bits }
    /// `to = a * b + c`, rounded once.
    FMulAdd "fma" { to: Def, a: Use, b: Use, c: Use, bits: Bits }
    FCompare "fcmp" { to: Def, test: FloatTest, a: Use, b: Use, bits: Bits }
    /// `from` and `bits` are the widths before and after.
    FConvert "fconvert" { to: Def, op: Convert, a: Use, from: Bits, bits: Bits }

    // Pairs: integers of 65 to 128 bits
    /// Both operands are pairs.
    WideOp "wide" { to: Def, op: Wide, a: Use, b: Use, bits: Bits }
    /// Extends a sign over a pair: `a` is one register of `from` bits, at most 64.
    WideSExt "wide.sext" { to: Def, a: Use, from: Bits, bits: Bits }

    // Pairs: floating point of 80 bits, the `long double` of x86
    /// Both operands are pairs, and so is the result.
    Extended "extended" { to: Def, op: Extended, a: Use, b: Use }
    /// Both operands are pairs.
    ExtendedCompare "extended.fcmp" { to: Def, test: FloatTest, a: Use, b: Use }

    // Memory
    /// Reads `size` bytes; more than eight fill a pair.
    Load "load" { to: Def, address: Use, size: Size, order: Order }
    /// Writes `size` bytes; more than eight come from a pair.
    Store "store" { address: Use, value: Use, size: Size, order: Order }
    /// Writes `size` bytes, at most eight, where `done` is zero. Where it is not, `value` is what is there already: so
    /// a compare-exchange gives back what it has found, and nothing depends on the condition as on a branch.
    StoreUnless "store.unless" { done: Use, address: Use, value: Use, size: Size }
    /// `to` is the old value.
    Rmw "rmw" { to: Def, op: RmwOp, address: Use, operand: Use, size: Size, order: Order }
    /// `to` is the old value; `done` tells whether it equalled `expected`, so that `new` was written.
    CompareExchange "cas" { to: Def, done: Def, address: Use, expected: Use, new: Use, size: Size, order: Order, failure: Order }
    /// The same, and it may fail although the values are equal.
    CompareExchangeWeak "cas.weak" { to: Def, done: Def, address: Use, expected: Use, new: Use, size: Size, order: Order, failure: Order }
    /// Reads `size` bytes and reserves them for the next store conditional of the thread.
    LoadReserve "load.reserve" { to: Def, address: Use, size: Size, order: Order }
    /// Writes where the reservation still holds, and even then may do nothing; `done` tells whether it wrote.
    StoreConditional "store.conditional" { done: Def, address: Use, value: Use, size: Size, order: Order }
    FenceOp "fence" { fence: Fence }
    /// Copies `length` bytes; the ranges may overlap.
    Copy "copy" { address: Use, from: Use, length: Use }
    /// Writes the byte `value` over `length` bytes.
    Fill "fill" { address: Use, value: Use, length: Use }
    /// A new local variable of `size` bytes; `name` tells the debugger's name and layout of it.
    Alloca "alloca" { to: Def, size: Use, align: u64, name: NoteId }
    /// The mark that `stack.restore` goes back to.
    StackSave "stack.save" { to: Def }
    /// Frees the local variables made since the mark.
    StackRestore "stack.restore" { mark: Use }
    /// The local variable at an address comes into being, with no value, unless it is there.
    LifeBegin "life.begin" { address: Use }
    /// The local variable at an address ceases to be.
    LifeEnd "life.end" { address: Use }
    /// The address of this thread's instance of a thread-local variable.
    ThreadLocal "thread.local" { to: Def, global: GlobalId }
    /// Fills the `va_list` at an address with the variable arguments of this call.
    VaStart "va.start" { list: Use }

    // Control
    Jump "jump" { to: To }
    Branch "br" { c: Use, yes: To, no: To }
    BranchEq "br.eq" { a: Use, b: Use, yes: To, no: To }
    BranchULt "br.ult" { a: Use, b: Use, yes: To, no: To }
    BranchSLt "br.slt" { a: Use, b: Use, bits: Bits, yes: To, no: To }
    /// Goes to the block of the case that equals the value, else to `otherwise`.
    Switch "switch" { value: Use, cases: TableId, otherwise: To }
    Call "call" { results: Defs, function: FunctionId, arguments: Uses }
    /// Goes on after a call at `normal`. Where an exception leaves the call, control goes to `pad` if the clauses say
    /// so: constants, first whether there is something to clean up, then for each clause 1 and a type to catch, or 2, a
    /// count and the types that may pass.
    Invoked "invoked" { clauses: Uses, normal: To, pad: To }
    CallPointer "call.pointer" { results: Defs, target: Use, arguments: Uses }
    /// Calls a function that the machine knows by name, or that nobody knows.
    CallExtern "call.extern" { results: Defs, function: ExternId, arguments: Uses }
    Return "return" { values: Uses }
    /// A loop is entered from outside.
    Enter "loop.enter" { at: LoopId }
    /// A loop goes into its next iteration, which begins at a block.
    Latch "loop.next" { at: LoopId, to: To }
    /// The program promised not to get here.
    Unreachable "unreachable" { }
    /// The program promised that the value is not zero.
    Assume "assume" { c: Use }
    /// Something that this form has no words for; the note says what.
    Unsupported "unsupported" { what: NoteId }
}

impl Instr {
    /// Calls `f` for each register that the instruction writes, both of a pair.
    pub fn all_defs(&self, lists: &dyn Lists, mut f: impl FnMut(Reg)) {
        self.defs(lists, &mut f);
        let pair = match *self {
            Instr::WideOp { to, op, .. } if !op.is_comparison() => Some(to),
            Instr::WideSExt { to, .. } | Instr::Extended { to, .. } | Instr::FConvert { to, bits: Bits(65..), .. } => Some(to),
            Instr::Load { to, size: Size(9..), .. }
            | Instr::LoadReserve { to, size: Size(9..), .. }
            | Instr::Rmw { to, size: Size(9..), .. }
            | Instr::CompareExchange { to, size: Size(9..), .. }
            | Instr::CompareExchangeWeak { to, size: Size(9..), .. } => Some(to),
            _ => None,
        };
        pair.into_iter().for_each(|to| f(Reg(to.0.0 + 1)));
    }

    /// Calls `f` for each register that the instruction reads, both of a pair.
    pub fn all_uses(&self, lists: &dyn Lists, mut f: impl FnMut(Reg)) {
        self.uses(lists, &mut f);
        self.pair_uses().into_iter().flatten().for_each(|a| f(Reg(a.0.0 + 1)));
    }

    /// The operands that are the first of a pair.
    pub fn pair_uses(&self) -> [Option<Use>; 2] {
        match *self {
            Instr::WideOp { a, b, .. } | Instr::Extended { a, b, .. } | Instr::ExtendedCompare { a, b, .. } => [Some(a), Some(b)],
            Instr::FConvert { a, from: Bits(65..), .. } => [Some(a), None],
            Instr::Store { value, size: Size(9..), .. } | Instr::StoreConditional { value, size: Size(9..), .. } => [Some(value), None],
            Instr::Rmw { operand, size: Size(9..), .. } => [Some(operand), None],
            Instr::CompareExchange { expected, new, size: Size(9..), .. }
            | Instr::CompareExchangeWeak { expected, new, size: Size(9..), .. } => [Some(expected), Some(new)],
            _ => [None, None],
        }
    }

    /// The lists that the instruction names.
    pub fn lists(&self) -> [Option<Regs>; 2] {
        match *self {
            Instr::Call { results, arguments, .. }
            | Instr::CallPointer { results, arguments, .. }
            | Instr::CallExtern { results, arguments, .. } => [Some(results.0), Some(arguments.0)],
            Instr::Return { values } => [Some(values.0), None],
            Instr::Invoked { clauses, .. } => [Some(clauses.0), None],
            _ => [None, None],
        }
    }

    /// The lists that the instruction names, to move them.
    pub(crate) fn lists_mut(&mut self) -> [Option<&mut Regs>; 2] {
        match self {
            Instr::Call { results, arguments, .. }
            | Instr::CallPointer { results, arguments, .. }
            | Instr::CallExtern { results, arguments, .. } => [Some(&mut results.0), Some(&mut arguments.0)],
            Instr::Return { values } => [Some(&mut values.0), None],
            Instr::Invoked { clauses, .. } => [Some(&mut clauses.0), None],
            _ => [None, None],
        }
    }

    /// Whether control does not go on to the next instruction.
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Instr::Jump { .. }
                | Instr::Latch { .. }
                | Instr::Branch { .. }
                | Instr::BranchEq { .. }
                | Instr::BranchULt { .. }
                | Instr::BranchSLt { .. }
                | Instr::Switch { .. }
                | Instr::Invoked { .. }
                | Instr::Return { .. }
                | Instr::Unreachable {}
                | Instr::Unsupported { .. }
        )
    }
}
