//! Intrinsics on floating point. What is not an instruction is a call of the function of `libm`.

use super::Lowering;
use super::operands::pair;
use crate::ir::{Opcode, Value};
use crate::shape::Leaf;
use crate::unsupported::{Lowered, refuse};
use raddle_program::{Bits, FloatTest, Instr, Reg, Use, Wide};

/// The function of `libm` for `double` that an intrinsic is.
fn libm(name: &str) -> Option<&str> {
    Some(match name {
        "minnum" | "minimumnum" => "fmin",
        "maxnum" | "maximumnum" => "fmax",
        "sqrt" | "floor" | "ceil" | "trunc" | "round" | "roundeven" | "rint" | "nearbyint" | "pow" | "exp" | "exp2" | "exp10" | "log"
        | "log2" | "log10" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "ldexp"
        | "copysign" | "lrint" | "llrint" | "lround" | "llround" => name,
        _ => return None,
    })
}

impl<'m> Lowering<'_, 'm> {
    /// An intrinsic on floating point, lane by lane.
    pub(super) fn float_intrinsic(&mut self, i: Value<'m>, name: &str) -> Lowered<()> {
        let operand = |n| i.operand(n);
        match name {
            "fabs" => self.by_leaves(i, [operand(0)], |this, leaf, [a]| {
                if leaf.is_wide() {
                    let all_but_sign = this.builder.constant_pair(leaf.mask() >> 1);
                    return Ok(this.wide(Wide::And, a[0], all_but_sign, leaf.bits()));
                }
                let (a, bits) = (Use(a[0]), Bits(leaf.bits()));
                Ok(vec![this.emit(|to| Instr::FAbs { to, a, bits })])
            }),
            // It may be rounded once or twice; twice is what a machine without such an instruction does.
            "fmuladd" => self.by_leaves(i, [operand(0), operand(1), operand(2)], |this, leaf, [a, b, c]| {
                let product = this.operate(Opcode::LLVMFMul, leaf, a, b)?;
                this.operate(Opcode::LLVMFAdd, leaf, &product, c)
            }),
            "fma" => self.by_leaves(i, [operand(0), operand(1), operand(2)], |this, leaf, [a, b, c]| {
                if leaf.is_wide() {
                    return refuse("`fma` of `long double`");
                }
                let (a, b, c, bits) = (Use(a[0]), Use(b[0]), Use(c[0]), Bits(leaf.bits()));
                Ok(vec![this.emit(|to| Instr::FMulAdd { to, a, b, c, bits })])
            }),
            "is.fpclass" => {
                let classes = operand(1).int(32) as u32;
                self.by_leaves(i, [operand(0)], |this, leaf, [a]| match leaf {
                    Leaf::Extended => this.is_of_extended_class(a, classes),
                    _ => Ok(vec![this.is_of_class(leaf, a[0], classes)]),
                })
            }
            "powi" => self.power(i),
            "modf" | "sincos" => self.two_results(i, name),
            _ => match i.arguments()[..] {
                [a] => self.by_leaves(i, [a], |this, leaf, [a]| this.math(name, leaf, a)),
                [a, b] => self.by_leaves(i, [a, b], |this, leaf, [a, b]| this.math(name, leaf, &[a, b].concat())),
                _ => refuse(format!("the intrinsic `{name}`")),
            },
        }
    }

    /// A function of `libm` on one lane.
    pub(super) fn math(&mut self, name: &str, leaf: Leaf, arguments: &[Reg]) -> Lowered<Vec<Reg>> {
        if leaf == Leaf::Extended {
            return self.extended_math(name, arguments);
        }
        if matches!(name, "minimum" | "maximum") {
            return self.strict_extreme(name, leaf, arguments[0], arguments[1]);
        }
        let suffix = match leaf {
            Leaf::Float => "f",
            Leaf::Double => "",
            Leaf::Int(_) | Leaf::Pointer | Leaf::Extended => return refuse(format!("the intrinsic `{name}`")),
        };
        let Some(function) = libm(name) else { return refuse(format!("the intrinsic `{name}`")) };
        let result = self.builder.register();
        self.call_extern(&format!("{function}{suffix}"), &[result], arguments)?;
        Ok(vec![result])
    }

    /// A function of `libm` on one number of 80 bits.
    fn extended_math(&mut self, name: &str, arguments: &[Reg]) -> Lowered<Vec<Reg>> {
        let Some(function) = libm(name) else { return refuse(format!("the intrinsic `{name}` of `long double`")) };
        let gives_word = matches!(name, "lrint" | "llrint" | "lround" | "llround");
        let first = self.builder.registers(if gives_word { 1 } else { 2 });
        let results = if gives_word { vec![first] } else { pair(first) };
        self.call_extern(&format!("{function}l"), &results, arguments)?;
        Ok(results)
    }

    /// `is.fpclass` of a number of 80 bits.
    fn is_of_extended_class(&mut self, a: &[Reg], classes: u32) -> Lowered<Vec<Reg>> {
        let class = self.builder.register();
        self.call_extern("__raddle_class_of_long_double", &[class], a)?;
        let (classes, zero) = (self.builder.constant(classes as u64), self.builder.constant(0));
        let found = self.emit(|to| Instr::And { to, a: Use(class), b: Use(classes) });
        Ok(vec![self.emit(|to| Instr::Ne { to, a: Use(found), b: Use(zero) })])
    }

    /// `powi`: a power with an integer exponent.
    fn power(&mut self, i: Value<'m>) -> Lowered<()> {
        if self.leaf(i.of()).is_ok_and(Leaf::is_wide) {
            return refuse("`powi` of `long double`");
        }
        let exponent_leaf = self.leaf(i.operand(1).of())?;
        let exponent = self.registers(i.operand(1))?;
        self.by_leaves(i, [i.operand(0)], |this, leaf, [a]| {
            let exponent = this.convert(raddle_program::Convert::SiToFp, exponent_leaf, leaf, &exponent);
            this.math("pow", leaf, &[a[0], exponent[0]])
        })
    }

    /// `modf` and `sincos` of one number.
    fn two_results(&mut self, i: Value<'m>, name: &str) -> Lowered<()> {
        let leaf = self.leaf(i.operand(0).of())?;
        let a = self.registers(i.operand(0))?;
        let results = match name {
            "sincos" => [self.math("sin", leaf, &a)?, self.math("cos", leaf, &a)?],
            _ => {
                let whole = self.math("trunc", leaf, &a)?;
                [self.fraction(leaf, &a, &whole)?, whole]
            }
        };
        self.define(i, results.concat());
        Ok(())
    }

    /// What is left of a number without its whole part: zero for infinities, with the sign of the number.
    fn fraction(&mut self, leaf: Leaf, a: &[Reg], whole: &[Reg]) -> Lowered<Vec<Reg>> {
        let zero = self.number(leaf, 0);
        let difference = self.operate(Opcode::LLVMFSub, leaf, a, whole)?;
        let is_whole = self.compared_floats(FloatTest::Oeq, leaf, a[0], whole[0]);
        let size = self.chosen(is_whole, &zero, &difference);
        self.math("copysign", leaf, &[&size, a].concat())
    }

    /// `minimum`, `maximum`: like `fmin` and `fmax`, but what is not a number stays so.
    fn strict_extreme(&mut self, name: &str, leaf: Leaf, a: Reg, b: Reg) -> Lowered<Vec<Reg>> {
        let bits = Bits(leaf.bits());
        let function = if name == "minimum" { "minnum" } else { "maxnum" };
        let ordered = self.math(function, leaf, &[a, b])?;
        let sum = self.emit(|to| Instr::FAdd { to, a: Use(a), b: Use(b), bits });
        let unordered = self.emit(|to| Instr::FCompare { to, test: FloatTest::Uno, a: Use(a), b: Use(b), bits });
        Ok(self.chosen(unordered, &[sum], &ordered))
    }

    /// `is.fpclass`: the classes are ranges of the bits taken as an integer.
    fn is_of_class(&mut self, leaf: Leaf, a: Reg, classes: u32) -> Reg {
        let mut result = self.builder.constant(0);
        for (least, most) in class_ranges(leaf, classes) {
            let (start, length) = (self.builder.constant(least), self.builder.constant(most - least));
            let from_start = self.emit(|to| Instr::Sub { to, a: Use(a), b: Use(start), bits: Bits(leaf.bits()) });
            let within = self.emit(|to| Instr::ULe { to, a: Use(from_start), b: Use(length) });
            result = self.emit(|to| Instr::Or { to, a: Use(result), b: Use(within) });
        }
        result
    }
}

/// The ranges of bits, as integers, of the classes that a mask of LLVM names.
fn class_ranges(leaf: Leaf, classes: u32) -> Vec<(u64, u64)> {
    let fraction = if leaf == Leaf::Float { 23 } else { 52 };
    let sign = 1u64 << (leaf.bits() - 1);
    let one = 1u64 << fraction;
    let infinity = sign - one;
    let quiet = infinity + one / 2;
    // In the order of LLVM's bits: not a number (signalling, quiet), then from -infinity to +infinity.
    let positive = [(0, 0), (1, one - 1), (one, infinity - 1), (infinity, infinity)];
    let negative = positive.map(|(least, most)| (least + sign, most + sign));
    let nans = [(infinity + 1, quiet - 1), (quiet, sign - 1)];
    let mut all: Vec<(u32, (u64, u64))> = Vec::new();
    for (bit, (least, most)) in nans.into_iter().enumerate() {
        all.extend([(bit as u32, (least, most)), (bit as u32, (least + sign, most | sign))]);
    }
    all.extend(negative.into_iter().rev().enumerate().map(|(n, range)| (n as u32 + 2, range)));
    all.extend(positive.into_iter().enumerate().map(|(n, range)| (n as u32 + 6, range)));
    all.into_iter().filter(|(bit, _)| classes >> bit & 1 == 1).map(|(_, range)| range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes of a `double`, as LLVM numbers them.
    fn classes_of(value: f64) -> Vec<u32> {
        let bits = value.to_bits();
        (0..10).filter(|class| class_ranges(Leaf::Double, 1 << class).iter().any(|&(least, most)| (least..=most).contains(&bits))).collect()
    }

    #[test]
    fn every_number_has_one_class() {
        let numbers = [f64::NEG_INFINITY, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.5, f64::INFINITY];
        for (at, number) in numbers.into_iter().enumerate() {
            assert_eq!(classes_of(number), [at as u32 + 2], "{number}");
        }
        assert_eq!(classes_of(f64::NAN), [1]);
        assert_eq!(classes_of(-f64::NAN), [1]);
        assert_eq!(classes_of(f64::from_bits(0x7ff0_0000_0000_0001)), [0]);
    }
}
