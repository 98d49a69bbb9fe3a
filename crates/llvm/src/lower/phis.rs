//! Phis: copies on the edges into a block, all at once.

use super::Lowering;
use crate::ir::Block;
use crate::unsupported::Lowered;
use raddle_program::{Def, Instr, Reg, To, Use};

impl<'m> Lowering<'_, 'm> {
    /// The block to go to for a successor of the block being lowered. Where several successors are possible, copies for
    /// phis stand in a block of their own.
    pub(super) fn target(&mut self, to: Block<'m>) -> Lowered<To> {
        if let Some(&middle) = self.edges.get(&to) {
            return Ok(To(middle));
        }
        let copies = self.copies(to)?;
        let block = self.blocks[&to];
        if copies.is_empty() {
            return Ok(To(block));
        }
        let middle = self.builder.block();
        let current = self.builder.current();
        self.builder.switch_to(middle);
        self.copy_all(copies);
        self.builder.push(Instr::Jump { to: To(block) });
        self.builder.switch_to(current);
        self.edges.insert(to, middle);
        Ok(To(middle))
    }

    /// Ends the block with a jump to its only successor.
    pub(super) fn jump(&mut self, to: Block<'m>) -> Lowered<()> {
        self.jump_as(self.block, to)
    }

    /// Ends the block with a jump to a block, where phis take what they take from another one.
    pub(super) fn jump_as(&mut self, from: Block<'m>, to: Block<'m>) -> Lowered<()> {
        let copies = self.copies_from(from, to)?;
        self.copy_all(copies);
        self.builder.push(Instr::Jump { to: To(self.blocks[&to]) });
        Ok(())
    }

    /// What phis take on the edge to a block: pairs of target and source.
    fn copies(&mut self, to: Block<'m>) -> Lowered<Vec<(Reg, Reg)>> {
        self.copies_from(self.block, to)
    }

    fn copies_from(&mut self, from: Block<'m>, to: Block<'m>) -> Lowered<Vec<(Reg, Reg)>> {
        let mut copies = Vec::new();
        for phi in to.phis() {
            let Some((_, value)) = phi.incoming().into_iter().find(|(block, _)| *block == from) else { continue };
            let (targets, sources) = (self.registers(phi)?, self.registers(value)?);
            copies.extend(targets.into_iter().zip(sources).filter(|(target, source)| target != source));
        }
        Ok(copies)
    }

    /// Makes copies as if all were made at once.
    fn copy_all(&mut self, mut copies: Vec<(Reg, Reg)>) {
        while !copies.is_empty() {
            let free = |(target, _): &(Reg, Reg)| !copies.iter().any(|(_, source)| source == target);
            match copies.iter().position(free) {
                Some(at) => {
                    let (target, source) = copies.remove(at);
                    self.builder.push(Instr::Move { to: Def(target), a: Use(source) });
                }
                None => {
                    // Only cycles are left: keep one target aside and read it from there.
                    let target = copies[0].0;
                    let aside = self.emit(|to| Instr::Move { to, a: Use(target) });
                    copies.iter_mut().filter(|(_, source)| *source == target).for_each(|copy| copy.1 = aside);
                }
            }
        }
    }
}
