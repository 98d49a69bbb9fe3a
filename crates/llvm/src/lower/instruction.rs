//! One instruction: what it is decides where it is lowered.

use super::Lowering;
use crate::ir::{Opcode, Value};
use crate::unsupported::{Lowered, refuse};

impl<'m> Lowering<'_, 'm> {
    /// Lowers an instruction.
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(super) fn instruction(&mut self, i: Value<'m>) -> Lowered<()> {
        match i.opcode() {
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMFAdd
            | Opcode::LLVMFSub
            | Opcode::LLVMFMul
            | Opcode::LLVMFDiv
            | Opcode::LLVMFRem => self.binary(i),
            Opcode::LLVMFNeg => self.negate(i),
            Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMPtrToAddr
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMAddrSpaceCast => self.cast(i),
            Opcode::LLVMBitCast => self.bit_cast(i),
            Opcode::LLVMFreeze => self.rename(i, i.operand(0)),
            Opcode::LLVMICmp => self.compare(i),
            Opcode::LLVMFCmp => self.compare_floats(i),
            Opcode::LLVMSelect => self.select(i),
            Opcode::LLVMExtractValue => self.extract_value(i),
            Opcode::LLVMInsertValue => self.insert_value(i),
            Opcode::LLVMExtractElement => self.extract_element(i),
            Opcode::LLVMInsertElement => self.insert_element(i),
            Opcode::LLVMShuffleVector => self.shuffle(i),
            Opcode::LLVMAlloca => self.allocate(i),
            Opcode::LLVMLoad => self.load(i),
            Opcode::LLVMStore => self.store(i),
            Opcode::LLVMGetElementPtr => self.index(i),
            Opcode::LLVMFence => self.fence(i),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(i),
            Opcode::LLVMAtomicRMW => self.read_modify_write(i),
            Opcode::LLVMPHI => self.registers(i).map(drop),
            Opcode::LLVMCall => self.call(i),
            Opcode::LLVMInvoke => self.invoke(i),
            Opcode::LLVMRet => self.give_back(i),
            Opcode::LLVMBr => self.branch(i),
            Opcode::LLVMSwitch => self.switch(i),
            Opcode::LLVMIndirectBr => self.indirect_branch(i),
            Opcode::LLVMUnreachable => self.unreachable(),
            Opcode::LLVMVAArg => refuse("the instruction `va_arg`"),
            Opcode::LLVMCallBr => refuse("inline assembly that jumps"),
            Opcode::LLVMLandingPad => self.landing_pad(i),
            Opcode::LLVMResume => self.resume(i),
            Opcode::LLVMCleanupRet | Opcode::LLVMCatchRet | Opcode::LLVMCatchPad | Opcode::LLVMCleanupPad | Opcode::LLVMCatchSwitch => {
                refuse("an exception in flight")
            }
            Opcode::LLVMUserOp1 | Opcode::LLVMUserOp2 => refuse("an instruction that LLVM does not define"),
        }
    }

    /// A value that is another one under a new name.
    pub(super) fn rename(&mut self, i: Value<'m>, other: Value<'m>) -> Lowered<()> {
        let registers = self.registers(other)?;
        self.define(i, registers);
        Ok(())
    }
}
