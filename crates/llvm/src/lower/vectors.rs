//! Members of aggregates and lanes of vectors: registers are picked and put together, mostly without an instruction.

use super::Lowering;
use crate::ir::{Kind, Opcode, Predicate, Type, Value};
use crate::shape::Leaf;
use crate::unsupported::{Lowered, refuse};
use raddle_program::Reg;
use std::ops::Range;

impl<'m> Lowering<'_, 'm> {
    /// `extractvalue`
    pub(super) fn extract_value(&mut self, i: Value<'m>) -> Lowered<()> {
        let range = self.member_range(i.operand(0).of(), &i.indices())?;
        let registers = self.registers(i.operand(0))?[range].to_vec();
        self.define(i, registers);
        Ok(())
    }

    /// `insertvalue`
    pub(super) fn insert_value(&mut self, i: Value<'m>) -> Lowered<()> {
        let range = self.member_range(i.of(), &i.indices())?;
        let mut registers = self.registers(i.operand(0))?;
        let member = self.registers(i.operand(1))?;
        registers.splice(range, member);
        self.define(i, registers);
        Ok(())
    }

    /// Which registers of a value hold a member.
    fn member_range(&mut self, of: Type<'m>, indices: &[u32]) -> Lowered<Range<usize>> {
        let mut start = 0;
        let mut at = of;
        for &index in indices {
            at = match at.kind() {
                Kind::Struct(_) => {
                    for member in 0..index {
                        start += self.shape(at.member(member))?.registers();
                    }
                    at.member(index)
                }
                Kind::Array(element, _) => {
                    start += index * self.shape(element)?.registers();
                    element
                }
                _ => return refuse(format!("a member of type `{}`", at.text())),
            };
        }
        let end = start + self.shape(at)?.registers();
        Ok(start as usize..end as usize)
    }

    /// `extractelement`
    pub(super) fn extract_element(&mut self, i: Value<'m>) -> Lowered<()> {
        let lanes = self.split(i.operand(0))?;
        let index = i.operand(1);
        if index.is_int() {
            let lane = lanes.get(index.int(64) as usize).unwrap_or(&lanes[0]).clone();
            self.define(i, lane);
            return Ok(());
        }
        let mut result = lanes[0].clone();
        for (number, lane) in lanes.iter().enumerate().skip(1) {
            let here = self.is_index(index, number)?;
            result = self.chosen(here, lane, &result);
        }
        self.define(i, result);
        Ok(())
    }

    /// `insertelement`
    pub(super) fn insert_element(&mut self, i: Value<'m>) -> Lowered<()> {
        let mut lanes = self.split(i.operand(0))?;
        let element = self.registers(i.operand(1))?;
        let index = i.operand(2);
        for (number, lane) in lanes.iter_mut().enumerate() {
            if !index.is_int() {
                let here = self.is_index(index, number)?;
                *lane = self.chosen(here, &element, lane);
            } else if index.int(64) == number as u128 {
                *lane = element.clone();
            }
        }
        self.define(i, lanes.concat());
        Ok(())
    }

    /// Whether a variable index names a lane.
    fn is_index(&mut self, index: Value<'m>, lane: usize) -> Lowered<Reg> {
        let a = self.word(index)?;
        let b = self.builder.constant(lane as u64);
        Ok(self.compared(Predicate::LLVMIntEQ, Leaf::Int(64), a, b))
    }

    /// `shufflevector`
    pub(super) fn shuffle(&mut self, i: Value<'m>) -> Lowered<()> {
        let mut lanes = self.split(i.operand(0))?;
        lanes.extend(self.split(i.operand(1))?);
        let picked: Vec<Vec<Reg>> = i.shuffle_mask().iter().map(|lane| lanes[lane.unwrap_or(0)].clone()).collect();
        self.define(i, picked.concat());
        Ok(())
    }

    /// All lanes of a vector joined by an operation, beginning with `start` where there is one.
    pub(super) fn reduce(&mut self, i: Value<'m>, vector: Value<'m>, start: Option<Vec<Reg>>, opcode: Opcode) -> Lowered<()> {
        self.reduce_with(i, vector, start, |this, leaf, a, b| this.operate(opcode, leaf, a, b))
    }

    /// All lanes of a vector joined by a function of two lanes.
    pub(super) fn reduce_with(
        &mut self,
        i: Value<'m>,
        vector: Value<'m>,
        start: Option<Vec<Reg>>,
        join: impl Fn(&mut Self, Leaf, &[Reg], &[Reg]) -> Lowered<Vec<Reg>>,
    ) -> Lowered<()> {
        let leaf = self.shape(vector.of())?.leaves[0].0;
        let mut lanes = self.split(vector)?.into_iter();
        let mut result = match start.or_else(|| lanes.next()) {
            Some(first) => first,
            None => return refuse("a vector without lanes"),
        };
        for lane in lanes {
            result = join(self, leaf, &result, &lane)?;
        }
        self.define(i, result);
        Ok(())
    }
}
