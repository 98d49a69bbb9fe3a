//! Basic blocks.

use super::{Value, versions};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMBasicBlockRef;
use std::marker::PhantomData;

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Block<'m> {
        Block { raw, module: PhantomData }
    }

    pub(super) fn maybe(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        (!raw.is_null()).then(|| Block::new(raw))
    }

    pub(super) fn raw(self) -> LLVMBasicBlockRef {
        self.raw
    }

    /// The instructions in order.
    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        self.all_instructions().filter(|i| !versions::is_about_variables(i.raw()))
    }

    /// The instructions in order, with those that tell of variables where the version of LLVM has such.
    pub(super) fn all_instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the chain ends with null.
        let first = Value::maybe(unsafe { LLVMGetFirstInstruction(self.raw) });
        std::iter::successors(first, |i| Value::maybe(unsafe { LLVMGetNextInstruction(i.raw()) }))
    }

    /// The phis at the start.
    pub fn phis(self) -> impl Iterator<Item = Value<'m>> {
        self.instructions().take_while(|i| i.opcode() == super::Opcode::LLVMPHI)
    }

    /// The last instruction.
    pub fn terminator(self) -> Value<'m> {
        // SAFETY: a checked block has one.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }

    /// The function that the block belongs to.
    pub fn function(self) -> Value<'m> {
        // SAFETY: every block of a checked module is in a function.
        Value::new(unsafe { LLVMGetBasicBlockParent(self.raw) })
    }

    /// The blocks that control can go to.
    pub fn successors(self) -> Vec<Block<'m>> {
        self.terminator().successors()
    }
}
