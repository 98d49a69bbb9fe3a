//! Where local variables of blocks come into being and cease to be: the intrinsics `lifetime.start` and `lifetime.end`.
//!
//! A local variable is there from its `alloca` to the return of its function; what these marks say beyond that is
//! lowered. The first block is entered once, so a variable that first comes into being there has done so by its
//! `alloca`, and one that ceases to be right before the function returns does so by that.

use super::Lowering;
use crate::ir::versions::LIVING;
use crate::ir::{Block, Opcode, Value};
use crate::unsupported::Lowered;
use raddle_program::{Instr, Use};

/// How many blocks without instructions are looked through for a return.
const MOST_BLOCKS: usize = 16;

impl<'m> Lowering<'_, 'm> {
    /// `lifetime.start`
    pub(super) fn begin_life(&mut self, i: Value<'m>) -> Lowered<()> {
        if i.operand(LIVING).is_local() && !self.is_first_life(i) {
            let address = Use(self.word(i.operand(LIVING))?);
            self.builder.push(Instr::LifeBegin { address });
        }
        Ok(())
    }

    /// Whether a variable comes into being for the first time: in the first block, in which it has not ceased to be
    /// before.
    fn is_first_life(&self, begin: Value<'m>) -> bool {
        let mut before = self.block.instructions().take_while(|&i| i != begin);
        let has_ended = before.any(|i| ends_life(i) && i.operand(LIVING) == begin.operand(LIVING));
        self.block == self.block.function().blocks()[0] && !has_ended
    }

    /// `lifetime.end`
    pub(super) fn end_life(&mut self, i: Value<'m>) -> Lowered<()> {
        if i.operand(LIVING).is_local() && !returns_after(self.block, i) {
            let address = Use(self.word(i.operand(LIVING))?);
            self.builder.push(Instr::LifeEnd { address });
        }
        Ok(())
    }
}

/// Whether nothing but ends of variables comes between an instruction of a block and the return of the function.
fn returns_after(block: Block<'_>, end: Value<'_>) -> bool {
    let mut last = block.instructions().skip_while(|&i| i != end).find(|&i| !ends_life(i));
    // Blocks without instructions may go round.
    for _ in 0..MOST_BLOCKS {
        match last {
            Some(i) if i.opcode() == Opcode::LLVMRet => return true,
            Some(i) if i.opcode() == Opcode::LLVMBr && i.condition().is_none() => {
                last = i.successors()[0].instructions().find(|&i| i.opcode() != Opcode::LLVMPHI && !ends_life(i));
            }
            _ => return false,
        }
    }
    false
}

fn ends_life(i: Value<'_>) -> bool {
    i.opcode() == Opcode::LLVMCall && i.callee().intrinsic().is_some_and(|name| name == "llvm.lifetime.end")
}
