//! Comparisons and choices. A comparison that only the branch after it uses is made by the branch.

use super::Lowering;
use super::long::long_bits;
use crate::ir::{Opcode, Predicate, Value};
use crate::shape::Leaf;
use crate::unsupported::Lowered;
use raddle_program::{Bits, FloatTest, Instr, Reg, To, Use, Wide};

/// A relation that instructions have, after operands are swapped and the result is turned around as needed.
#[derive(Clone, Copy)]
enum Comparison {
    Eq,
    ULt,
    SLt,
}

/// A relation with what has to be done around it.
struct Test {
    relation: Comparison,
    /// `b` comes first.
    swapped: bool,
    /// The result is turned around.
    negated: bool,
}

/// A predicate in terms of equality and "less than".
fn test(predicate: Predicate) -> Test {
    let (relation, swapped, negated) = match predicate {
        Predicate::LLVMIntEQ => (Comparison::Eq, false, false),
        Predicate::LLVMIntNE => (Comparison::Eq, false, true),
        Predicate::LLVMIntULT => (Comparison::ULt, false, false),
        Predicate::LLVMIntUGT => (Comparison::ULt, true, false),
        Predicate::LLVMIntULE => (Comparison::ULt, true, true),
        Predicate::LLVMIntUGE => (Comparison::ULt, false, true),
        Predicate::LLVMIntSLT => (Comparison::SLt, false, false),
        Predicate::LLVMIntSGT => (Comparison::SLt, true, false),
        Predicate::LLVMIntSLE => (Comparison::SLt, true, true),
        Predicate::LLVMIntSGE => (Comparison::SLt, false, true),
    };
    Test { relation, swapped, negated }
}

impl<'m> Lowering<'_, 'm> {
    /// `icmp`
    pub(super) fn compare(&mut self, i: Value<'m>) -> Lowered<()> {
        if long_bits(i.operand(0).of()).is_some() {
            return self.long_compare(i);
        }
        let is_word = self.shape(i.operand(0).of())?.single().is_some_and(|leaf| !leaf.is_wide());
        let branches = |user: Value<'m>| user.is_instruction() && user.opcode() == Opcode::LLVMBr && user.parent() == i.parent();
        if is_word && i.only_user().is_some_and(branches) {
            self.fused.insert(i);
            return Ok(());
        }
        let predicate = i.predicate();
        self.by_leaves(i, [i.operand(0), i.operand(1)], |this, leaf, [a, b]| Ok(vec![this.compared(predicate, leaf, a[0], b[0])]))
    }

    /// Compares two leaves.
    pub(super) fn compared(&mut self, predicate: Predicate, leaf: Leaf, a: Reg, b: Reg) -> Reg {
        let Test { relation, swapped, negated } = test(predicate);
        // `a <= b` is `not (b < a)`; there are instructions for "at most" with the operands in order.
        let (a, b) = if swapped != (negated && !matches!(relation, Comparison::Eq)) { (b, a) } else { (a, b) };
        let bits = leaf.bits();
        if leaf.is_wide() {
            let op = match (relation, negated) {
                (Comparison::Eq, false) => Wide::Eq,
                (Comparison::Eq, true) => Wide::Ne,
                (Comparison::ULt, false) => Wide::ULt,
                (Comparison::ULt, true) => Wide::ULe,
                (Comparison::SLt, false) => Wide::SLt,
                (Comparison::SLt, true) => Wide::SLe,
            };
            return self.wide_test(op, a, b, bits);
        }
        let (a, b, bits) = (Use(a), Use(b), Bits(bits));
        self.emit(|to| match (relation, negated) {
            (Comparison::Eq, false) => Instr::Eq { to, a, b },
            (Comparison::Eq, true) => Instr::Ne { to, a, b },
            (Comparison::ULt, false) => Instr::ULt { to, a, b },
            (Comparison::ULt, true) => Instr::ULe { to, a, b },
            (Comparison::SLt, false) => Instr::SLt { to, a, b, bits },
            (Comparison::SLt, true) => Instr::SLe { to, a, b, bits },
        })
    }

    /// A branch that makes the comparison it depends on.
    pub(super) fn compare_and_branch(&mut self, comparison: Value<'m>, yes: To, no: To) -> Lowered<()> {
        let leaf = self.leaf(comparison.operand(0).of())?;
        let (a, b) = (Use(self.word(comparison.operand(0))?), Use(self.word(comparison.operand(1))?));
        let Test { relation, swapped, negated } = test(comparison.predicate());
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let (yes, no) = if negated { (no, yes) } else { (yes, no) };
        self.builder.push(match relation {
            Comparison::Eq => Instr::BranchEq { a, b, yes, no },
            Comparison::ULt => Instr::BranchULt { a, b, yes, no },
            Comparison::SLt => Instr::BranchSLt { a, b, bits: Bits(leaf.bits()), yes, no },
        });
        Ok(())
    }

    /// `fcmp`
    pub(super) fn compare_floats(&mut self, i: Value<'m>) -> Lowered<()> {
        let test = float_test(i.float_predicate());
        self.by_leaves(i, [i.operand(0), i.operand(1)], |this, leaf, [a, b]| Ok(vec![this.compared_floats(test, leaf, a[0], b[0])]))
    }

    /// Compares two leaves of floating point.
    pub(super) fn compared_floats(&mut self, test: FloatTest, leaf: Leaf, a: Reg, b: Reg) -> Reg {
        let (a, b, bits) = (Use(a), Use(b), Bits(leaf.bits()));
        self.emit(|to| match leaf {
            Leaf::Extended => Instr::ExtendedCompare { to, test, a, b },
            _ => Instr::FCompare { to, test, a, b, bits },
        })
    }

    /// `select`, by one condition for all or by one for each lane.
    pub(super) fn select(&mut self, i: Value<'m>) -> Lowered<()> {
        let (conditions, a, b) = (self.registers(i.operand(0))?, self.split(i.operand(1))?, self.split(i.operand(2))?);
        let mut result = Vec::new();
        for (lane, (a, b)) in a.iter().zip(&b).enumerate() {
            let condition = if conditions.len() == 1 { conditions[0] } else { conditions[lane] };
            result.extend(self.chosen(condition, a, b));
        }
        self.define(i, result);
        Ok(())
    }

    /// `c ? a : b` of the registers of one leaf.
    pub(super) fn chosen(&mut self, c: Reg, a: &[Reg], b: &[Reg]) -> Vec<Reg> {
        let to = self.builder.registers(a.len() as u32);
        for (n, (&a, &b)) in a.iter().zip(b).enumerate() {
            let to = raddle_program::Def(Reg(to.0 + n as u32));
            self.builder.push(Instr::Select { to, c: Use(c), a: Use(a), b: Use(b) });
        }
        (to.0..to.0 + a.len() as u32).map(Reg).collect()
    }
}

/// The test of floating point that LLVM gives a number.
fn float_test(number: usize) -> FloatTest {
    // LLVM's order, from `false` to `true`.
    const TESTS: [FloatTest; 16] = [
        FloatTest::False,
        FloatTest::Oeq,
        FloatTest::Ogt,
        FloatTest::Oge,
        FloatTest::Olt,
        FloatTest::Ole,
        FloatTest::One,
        FloatTest::Ord,
        FloatTest::Uno,
        FloatTest::Ueq,
        FloatTest::Ugt,
        FloatTest::Uge,
        FloatTest::Ult,
        FloatTest::Ule,
        FloatTest::Une,
        FloatTest::True,
    ];
    TESTS[number]
}
