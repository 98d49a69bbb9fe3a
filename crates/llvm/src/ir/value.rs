//! Values: constants, globals, functions, arguments and instructions.

use super::text::{borrowed, given};
use super::{BinOp, Block, Kind, Metadata, Opcode, Ordering, Predicate, Type, moves, versions};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMInstructionGetDebugLoc};
use llvm_sys::prelude::{LLVMUseRef, LLVMValueRef};
use std::marker::PhantomData;

/// A value of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

/// Questions that LLVM answers with a null pointer or not.
macro_rules! is {
    ($($(#[$doc:meta])* $name:ident $call:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(self) -> bool {
            // SAFETY: any value has an answer.
            unsafe { !$call(self.raw).is_null() }
        }
    )*};
}

impl<'m> Value<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> Value<'m> {
        Value { raw, module: PhantomData }
    }

    pub(super) fn maybe(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    is! {
        is_constant LLVMIsAConstant;
        is_undefined LLVMIsAUndefValue;
        is_int LLVMIsAConstantInt;
        is_float LLVMIsAConstantFP;
        is_null_pointer LLVMIsAConstantPointerNull;
        is_zero_aggregate LLVMIsAConstantAggregateZero;
        /// Whether it is an array or vector of numbers.
        is_data LLVMIsAConstantDataSequential;
        is_expression LLVMIsAConstantExpr;
        is_function LLVMIsAFunction;
        is_global LLVMIsAGlobalVariable;
        is_alias LLVMIsAGlobalAlias;
        is_ifunc LLVMIsAGlobalIFunc;
        is_block_address LLVMIsABlockAddress;
        is_inline_asm LLVMIsAInlineAsm;
        is_instruction LLVMIsAInstruction;
        /// Whether it is the address of a local variable.
        is_local LLVMIsAAllocaInst;
        /// Whether it is an address that is computed from another.
        is_address LLVMIsAGetElementPtrInst;
    }

    /// The type of the value.
    pub fn of(self) -> Type<'m> {
        // SAFETY: any value has a type.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// The name, empty where there is none.
    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the name lives as long as the value.
        unsafe { borrowed(LLVMGetValueName2(self.raw, &mut length), length) }
    }

    /// The value as LLVM writes it.
    pub fn text(self) -> String {
        // SAFETY: the message is given to us.
        unsafe { given(LLVMPrintValueToString(self.raw)) }
    }

    /// How many operands a user or constant has.
    pub fn n_operands(self) -> u32 {
        // SAFETY: asked of users.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    /// An operand, by number.
    pub fn operand(self, number: u32) -> Value<'m> {
        // SAFETY: the caller counted the operands.
        Value::new(unsafe { LLVMGetOperand(self.raw, number) })
    }

    /// The users of the value.
    pub fn users(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the chain of uses ends with null.
        unsafe {
            let first = LLVMGetFirstUse(self.raw);
            let next = |u: &LLVMUseRef| Some(LLVMGetNextUse(*u)).filter(|next| !next.is_null());
            std::iter::successors((!first.is_null()).then_some(first), next).map(|u| Value::new(LLVMGetUser(u)))
        }
    }

    /// The instruction that uses the value, where there is exactly one use.
    pub fn only_user(self) -> Option<Value<'m>> {
        let mut users = self.users();
        users.next().filter(|_| users.next().is_none())
    }
}

/// Constants.
impl<'m> Value<'m> {
    /// The value of an integer of at most 128 bits.
    pub fn int(self, bits: u32) -> u128 {
        if bits <= 64 {
            // SAFETY: it is an integer constant of at most 64 bits.
            return unsafe { LLVMConstIntGetZExtValue(self.raw) as u128 };
        }
        // The interface has no wider getter; the text is `i128 -5`.
        let text = self.text();
        let digits = text.rsplit(' ').next().unwrap_or_default();
        let value = match digits.strip_prefix('-') {
            Some(digits) => digits.parse::<u128>().unwrap_or_default().wrapping_neg(),
            None => digits.parse::<u128>().unwrap_or_default(),
        };
        value & (u128::MAX >> (128 - bits.min(128)))
    }

    /// The words of an integer of any width, the lowest first; zeros where the constant is no number.
    pub fn long(self, bits: u32) -> Vec<u64> {
        let text = self.text();
        let digits = text.rsplit(' ').next().unwrap_or_default();
        let mut words = vec![0u64; bits.div_ceil(64) as usize];
        for digit in digits.chars().filter_map(|c| c.to_digit(10)) {
            carry(&mut words, |word| word as u128 * 10, digit as u128);
        }
        if digits.starts_with('-') {
            carry(&mut words, |word| !word as u128, 1);
        }
        if let (Some(top), rest @ 1..) = (words.last_mut(), bits % 64) {
            *top &= u64::MAX >> (64 - rest);
        }
        words
    }

    /// The value of an integer as a signed number.
    pub fn signed(self) -> i64 {
        // SAFETY: it is an integer constant of at most 64 bits.
        unsafe { LLVMConstIntGetSExtValue(self.raw) }
    }

    /// The bits of a constant number of this width.
    pub fn float_bits(self, bits: u32) -> u128 {
        // SAFETY: the cast of a constant number to an integer of its size is a constant integer.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.raw));
            Value::new(LLVMConstBitCast(self.raw, LLVMIntTypeInContext(context, bits))).int(bits)
        }
    }

    /// An element of a constant array, vector or structure.
    pub fn element(self, number: u32) -> Option<Value<'m>> {
        // SAFETY: LLVM gives null where there is none.
        Value::maybe(unsafe { LLVMGetAggregateElement(self.raw, number) })
    }

    /// The bytes of an array or vector of numbers ([`Value::is_data`]).
    pub fn data_bytes(self) -> Vec<u8> {
        versions::data_bytes(self.raw)
    }

    /// What a constant expression does.
    pub fn expression_opcode(self) -> Opcode {
        // SAFETY: asked of constant expressions.
        unsafe { LLVMGetConstOpcode(self.raw) }
    }

    /// The block whose address it is.
    pub fn block_of_address(self) -> Option<Block<'m>> {
        // SAFETY: asked of block addresses.
        Block::maybe(unsafe { LLVMGetBlockAddressBasicBlock(self.raw) })
    }
}

/// Global variables and functions.
impl<'m> Value<'m> {
    /// Whether a function or global is declared only.
    pub fn is_declaration(self) -> bool {
        // SAFETY: asked of globals and functions.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether a function or global may be missing: then its address is null.
    pub fn may_be_missing(self) -> bool {
        // SAFETY: asked of globals and functions.
        unsafe { self.is_declaration() && LLVMGetLinkage(self.raw) as u32 == LLVMLinkage::LLVMExternalWeakLinkage as u32 }
    }

    /// The type of the variable or function that a global names.
    pub fn value_type(self) -> Type<'m> {
        // SAFETY: asked of globals and functions.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value<'m> {
        // SAFETY: asked of aliases.
        Value::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// The first value of a global.
    pub fn initialiser(self) -> Option<Value<'m>> {
        // SAFETY: asked of global variables.
        Value::maybe(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// Whether each thread has its own.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: asked of global variables.
        unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// Whether the variable is never written.
    pub fn is_constant_global(self) -> bool {
        // SAFETY: asked of global variables.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// The alignment of a global, `alloca`, load or store; zero where none is given.
    pub fn align(self) -> u64 {
        // SAFETY: asked of these only.
        unsafe { LLVMGetAlignment(self.raw) as u64 }
    }

    /// Whether a load or store was a part of a copy of bytes before local variables were put into registers.
    pub fn is_of_copy(self) -> bool {
        moves::is_of_copy(self.raw)
    }

    /// The name of an intrinsic without its types: `llvm.memcpy`.
    pub fn intrinsic(self) -> Option<String> {
        // SAFETY: asked of functions; LLVM owns the name.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw);
            let mut length = 0;
            (id != 0).then(|| borrowed(LLVMIntrinsicGetName(id, &mut length), length))
        }
    }

    /// The parameters of a function.
    pub fn parameters(self) -> Vec<Value<'m>> {
        // SAFETY: as many as LLVM counts.
        unsafe { (0..LLVMCountParams(self.raw)).map(|n| Value::new(LLVMGetParam(self.raw, n))).collect() }
    }

    /// The blocks of a function; the first one is its entry.
    pub fn blocks(self) -> Vec<Block<'m>> {
        // SAFETY: the chain ends with null.
        unsafe {
            let first = Block::maybe(LLVMGetFirstBasicBlock(self.raw));
            std::iter::successors(first, |b| Block::maybe(LLVMGetNextBasicBlock(b.raw()))).collect()
        }
    }

    /// The debug information of a function.
    pub fn subprogram(self) -> Option<Metadata<'m>> {
        // SAFETY: asked of functions.
        Metadata::maybe(unsafe { LLVMGetSubprogram(self.raw) })
    }
}

/// Instructions.
impl<'m> Value<'m> {
    /// What an instruction does.
    pub fn opcode(self) -> Opcode {
        // SAFETY: asked of instructions.
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    /// Makes a local variable one that is not put into registers: its address is taken as a number, which nobody uses.
    pub fn keep_in_memory(self) {
        // SAFETY: asked of an `alloca`, which is followed by another instruction of its block; the builder is freed
        // after its use.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.raw));
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(self.raw));
            LLVMBuildPtrToInt(builder, self.raw, LLVMInt64TypeInContext(context), c"kept".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }

    /// The block that an instruction stands in.
    pub fn parent(self) -> Block<'m> {
        // SAFETY: asked of instructions in blocks.
        Block::new(unsafe { LLVMGetInstructionParent(self.raw) })
    }

    /// Where an instruction comes from.
    pub fn location(self) -> Option<Metadata<'m>> {
        // SAFETY: asked of instructions.
        Metadata::maybe(unsafe { LLVMInstructionGetDebugLoc(self.raw) })
    }

    /// The relation that an `icmp` tests.
    pub fn predicate(self) -> Predicate {
        // SAFETY: asked of `icmp`.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    /// The relation that an `fcmp` tests, as LLVM numbers them.
    pub fn float_predicate(self) -> usize {
        // SAFETY: asked of `fcmp`.
        unsafe { LLVMGetFCmpPredicate(self.raw) as usize }
    }

    /// The order of a load, store, fence or read-modify-write.
    pub fn ordering(self) -> Ordering {
        // SAFETY: asked of these only.
        unsafe { LLVMGetOrdering(self.raw) }
    }

    /// The orders of a compare-exchange when it succeeds and when it fails.
    pub fn exchange_orderings(self) -> (Ordering, Ordering) {
        // SAFETY: asked of `cmpxchg`.
        unsafe { (LLVMGetCmpXchgSuccessOrdering(self.raw), LLVMGetCmpXchgFailureOrdering(self.raw)) }
    }

    /// Whether a compare-exchange may fail for no reason.
    pub fn is_weak(self) -> bool {
        // SAFETY: asked of `cmpxchg`.
        unsafe { LLVMGetWeak(self.raw) != 0 }
    }

    /// Whether an atomic instruction orders one thread only, against its signal handlers.
    pub fn is_single_thread(self) -> bool {
        // SAFETY: asked of atomic instructions.
        unsafe { LLVMIsAtomicSingleThread(self.raw) != 0 }
    }

    /// What an `atomicrmw` does.
    pub fn rmw_op(self) -> BinOp {
        // SAFETY: asked of `atomicrmw`.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// The type that an `alloca` makes room for.
    pub fn allocated(self) -> Type<'m> {
        // SAFETY: asked of `alloca`.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// The type that an address computation, instruction or constant, starts from.
    pub fn element_type(self) -> Type<'m> {
        // SAFETY: asked of `getelementptr`.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The type of what an address computation, instruction or constant, leads to.
    pub fn reached_type(self) -> Type<'m> {
        (2..self.n_operands()).fold(self.element_type(), |of, number| {
            let index = self.operand(number);
            match of.kind() {
                Kind::Struct(_) if index.is_int() => of.member(index.int(32) as u32),
                Kind::Array(element, _) | Kind::Vector(element, _) => element,
                _ => of,
            }
        })
    }

    /// The members that `extractvalue` and `insertvalue` name.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: LLVM keeps as many as it counts.
        unsafe {
            let n = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), n).to_vec()
        }
    }

    /// The lanes that a `shufflevector` takes; `None` where any value will do.
    pub fn shuffle_mask(self) -> Vec<Option<usize>> {
        // SAFETY: as many as LLVM counts.
        unsafe {
            let lane = |n| usize::try_from(LLVMGetMaskValue(self.raw, n)).ok();
            (0..LLVMGetNumMaskElements(self.raw)).map(lane).collect()
        }
    }

    /// The blocks that a terminator names.
    pub fn successors(self) -> Vec<Block<'m>> {
        // SAFETY: as many as LLVM counts.
        unsafe { (0..LLVMGetNumSuccessors(self.raw)).map(|n| Block::new(LLVMGetSuccessor(self.raw, n))).collect() }
    }

    /// Whether a `landingpad` has something to clean up.
    pub fn is_cleanup(self) -> bool {
        // SAFETY: asked of landing pads.
        unsafe { LLVMIsCleanup(self.raw) != 0 }
    }

    /// The clauses of a `landingpad`: types to catch, and arrays of types that may pass.
    pub fn clauses(self) -> Vec<Value<'m>> {
        // SAFETY: as many as LLVM counts.
        unsafe { (0..LLVMGetNumClauses(self.raw)).map(|n| Value::new(LLVMGetClause(self.raw, n))).collect() }
    }

    /// The condition of a `br`, where it has one.
    pub fn condition(self) -> Option<Value<'m>> {
        // SAFETY: asked of `br`.
        unsafe { (LLVMIsConditional(self.raw) != 0).then(|| Value::new(LLVMGetCondition(self.raw))) }
    }

    /// The values of the cases of a `switch`; case `n` goes to successor `n + 1`.
    pub fn cases(self) -> Vec<Value<'m>> {
        // SAFETY: the first successor is the default, each other one has its case.
        unsafe { (1..LLVMGetNumSuccessors(self.raw)).map(|n| Value::new(versions::case_value(self.raw, n))).collect() }
    }

    /// What a phi takes from each block.
    pub fn incoming(self) -> Vec<(Block<'m>, Value<'m>)> {
        // SAFETY: as many as LLVM counts.
        unsafe {
            let one = |n| (Block::new(LLVMGetIncomingBlock(self.raw, n)), Value::new(LLVMGetIncomingValue(self.raw, n)));
            (0..LLVMCountIncoming(self.raw)).map(one).collect()
        }
    }

    /// What a call calls.
    pub fn callee(self) -> Value<'m> {
        // SAFETY: asked of calls.
        Value::new(unsafe { LLVMGetCalledValue(self.raw) })
    }

    /// The type of function that a call calls.
    pub fn called_type(self) -> Type<'m> {
        // SAFETY: asked of calls.
        Type::new(unsafe { LLVMGetCalledFunctionType(self.raw) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value<'m>> {
        // SAFETY: the arguments are the first operands.
        unsafe { (0..LLVMGetNumArgOperands(self.raw)).map(|n| self.operand(n)).collect() }
    }

    /// The type of an argument that a call passes as a copy of what it points to.
    pub fn by_value(self, argument: u32) -> Option<Type<'m>> {
        let name = "byval";
        // SAFETY: asked of calls; argument `n` has its attributes at `n + 1`.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The alignment that a call promises of an argument; zero where it promises none.
    pub fn argument_align(self, argument: u32) -> u64 {
        let name = "align";
        // SAFETY: asked of calls; argument `n` has its attributes at `n + 1`.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            if attribute.is_null() { 0 } else { LLVMGetEnumAttributeValue(attribute) }
        }
    }

    /// The text and the constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        let (mut text, mut constraints) = (0, 0);
        // SAFETY: asked of inline assembly; LLVM owns both.
        unsafe {
            (
                borrowed(LLVMGetInlineAsmAsmString(self.raw, &mut text), text),
                borrowed(LLVMGetInlineAsmConstraintString(self.raw, &mut constraints), constraints),
            )
        }
    }
}

/// Changes each word, the lowest first, and carries on from one to the next.
fn carry(words: &mut [u64], change: impl Fn(u64) -> u128, mut carried: u128) {
    for word in words {
        let sum = change(*word) + carried;
        *word = sum as u64;
        carried = sum >> 64;
    }
}
