//! Loads and stores of some lanes of a vector: a small branch for each lane.

use super::Lowering;
use crate::ir::Value;
use crate::shape::Shape;
use crate::unsupported::{Lowered, refuse};
use raddle_event::Order;
use raddle_program::{Def, Instr, Reg, To, Use};

impl<'m> Lowering<'_, 'm> {
    /// `masked.load` and `masked.gather`: a lane that is not asked for keeps its value from the last operand.
    pub(super) fn masked_load(&mut self, i: Value<'m>) -> Lowered<()> {
        let n = i.arguments().len() as u32;
        let (addresses, mask) = (self.registers(i.operand(0))?, self.registers(i.operand(n - 2))?);
        let shape = self.shape(i.of())?;
        let (kept, result) = (self.registers(i.operand(n - 1))?, self.fresh(&shape));
        whole_bytes(&shape)?;
        self.move_all(&result, &kept);
        let mut at = 0;
        for (lane, &(leaf, offset)) in shape.leaves.iter().enumerate() {
            let range = at..at + leaf.registers() as usize;
            at = range.end;
            self.when(mask[lane], |this| {
                let address = this.lane_address(&addresses, lane, offset);
                let loaded = this.load_leaf(leaf, address, Order::Plain);
                this.move_all(&result[range], &loaded);
            });
        }
        self.define(i, result);
        Ok(())
    }

    /// `masked.store` and `masked.scatter`
    pub(super) fn masked_store(&mut self, i: Value<'m>) -> Lowered<()> {
        let n = i.arguments().len() as u32;
        let (addresses, mask) = (self.registers(i.operand(1))?, self.registers(i.operand(n - 1))?);
        let shape = self.shape(i.operand(0).of())?;
        let lanes = self.split(i.operand(0))?;
        whole_bytes(&shape)?;
        for (lane, &(leaf, offset)) in shape.leaves.iter().enumerate() {
            self.when(mask[lane], |this| {
                let address = this.lane_address(&addresses, lane, offset);
                this.store_leaf(leaf, lanes[lane][0], address, Order::Plain);
            });
        }
        Ok(())
    }

    /// Where a lane stands: after the lanes before it, or at an address of its own.
    fn lane_address(&mut self, addresses: &[Reg], lane: usize, offset: u64) -> Reg {
        match addresses {
            [all] => self.plus(*all, offset),
            each => each[lane],
        }
    }

    fn move_all(&mut self, to: &[Reg], from: &[Reg]) {
        for (&to, &from) in to.iter().zip(from) {
            self.builder.push(Instr::Move { to: Def(to), a: Use(from) });
        }
    }

    /// Does something only if a register is not zero, and goes on in a new block.
    fn when(&mut self, c: Reg, then: impl FnOnce(&mut Self)) {
        let (yes, after) = (self.builder.block(), self.builder.block());
        self.builder.push(Instr::Branch { c: Use(c), yes: To(yes), no: To(after) });
        self.builder.switch_to(yes);
        then(self);
        self.builder.push(Instr::Jump { to: To(after) });
        self.builder.switch_to(after);
    }
}

fn whole_bytes(shape: &Shape) -> Lowered<()> {
    if shape.is_packed { refuse("a masked access to a vector of bits") } else { Ok(()) }
}
