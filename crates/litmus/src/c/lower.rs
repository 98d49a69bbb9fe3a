//! What statements and expressions do.
//!
//! A value of a type stands in a register zero-extended, as everywhere in the program form; [`Value::of`] says how to
//! read it.

use super::ast::{Expression, ExpressionKind, Function, Statement, StatementKind, Unary};
use super::builtin;
use crate::error::{Result, syntax, unsupported};
use crate::thread::{Binary, Thread};
use crate::types::Type;
use raddle_event::Order;
use raddle_program::{BlockId, Instr, Reg, Use};
use std::collections::{BTreeMap, VecDeque};

/// A register and the type of what it holds.
#[derive(Clone)]
pub(super) struct Value {
    pub reg: Reg,
    pub of: Type,
}

/// Something that can be assigned to.
pub(super) enum Place {
    Variable(Reg, Type),
    /// The address, and the type there.
    Memory(Reg, Type),
}

pub(super) struct Lowering<'t, 'a> {
    pub thread: &'t mut Thread<'a>,
    /// The local variables with their registers and types.
    variables: BTreeMap<String, (Reg, Type)>,
    /// Where `break` goes, and `continue` where there is a loop.
    loops: Vec<(BlockId, Option<BlockId>)>,
    /// The blocks of the cases of the innermost `switch` that are still to come, first to last.
    cases: VecDeque<BlockId>,
}

/// The types of the variables that a function declares, by name.
pub(crate) fn variables(function: &Function) -> BTreeMap<String, Type> {
    fn collect(statement: &Statement, found: &mut BTreeMap<String, Type>) {
        match &statement.kind {
            StatementKind::Declare(name, of, _) => {
                found.entry(name.clone()).or_insert_with(|| of.clone());
            }
            StatementKind::Block(list) | StatementKind::Switch(_, list) => list.iter().for_each(|s| collect(s, found)),
            StatementKind::If(_, yes, no) => {
                collect(yes, found);
                no.iter().for_each(|s| collect(s, found));
            }
            StatementKind::While(_, body) | StatementKind::DoWhile(body, _) => collect(body, found),
            StatementKind::For(first, _, _, body) => {
                collect(first, found);
                collect(body, found);
            }
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    function.body.iter().for_each(|statement| collect(statement, &mut found));
    found
}

/// Appends the body of a function.
pub(crate) fn lower(thread: &mut Thread, function: &Function) -> Result<()> {
    let mut lowering = Lowering { thread, variables: BTreeMap::new(), loops: Vec::new(), cases: VecDeque::new() };
    for parameter in &function.parameters {
        let Some(address) = lowering.thread.cells.address(&parameter.name) else {
            return syntax(parameter.at, format!("`{}` is not a location", parameter.name));
        };
        let reg = lowering.thread.constant(address);
        lowering.variables.insert(parameter.name.clone(), (reg, parameter.of.clone().pointer_to()));
    }
    lowering.statements(&function.body)
}

impl Lowering<'_, '_> {
    fn statements(&mut self, list: &[Statement]) -> Result<()> {
        list.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        self.thread.at(statement.at);
        match &statement.kind {
            StatementKind::Declare(name, of, value) => self.declare(name, of, value.as_ref()),
            StatementKind::Evaluate(expression) => self.evaluate(expression).map(|_| ()),
            StatementKind::Block(list) => self.statements(list),
            StatementKind::If(condition, yes, no) => self.conditional(condition, yes, no.as_deref()),
            StatementKind::While(condition, body) => self.repeat(Some(condition), None, body, true),
            StatementKind::DoWhile(body, condition) => self.repeat(Some(condition), None, body, false),
            StatementKind::For(first, condition, step, body) => {
                self.statement(first)?;
                self.repeat(condition.as_ref(), step.as_ref(), body, true)
            }
            StatementKind::Break => self.leave(statement.at, |ends| Some(ends.0)),
            StatementKind::Continue => self.leave(statement.at, |ends| ends.1),
            StatementKind::Switch(value, body) => self.switch(value, body),
            StatementKind::Case(_) => match self.cases.pop_front() {
                Some(block) => {
                    self.thread.go_on_in(block);
                    Ok(())
                }
                None => syntax(statement.at, "a case stands directly in the braces of its `switch`"),
            },
            StatementKind::Label(name) => self.thread.label(statement.at, name),
            StatementKind::Goto(name) => {
                self.thread.jump_to_label(statement.at, name);
                Ok(())
            }
            StatementKind::Return => {
                let exit = self.thread.exit();
                self.thread.jump(exit);
                Ok(())
            }
            StatementKind::Nothing => Ok(()),
        }
    }

    fn leave(&mut self, at: usize, to: fn(&(BlockId, Option<BlockId>)) -> Option<BlockId>) -> Result<()> {
        let Some(to) = self.loops.last().and_then(to) else { return syntax(at, "this stands outside of every loop") };
        self.thread.jump(to);
        Ok(())
    }

    fn declare(&mut self, name: &str, of: &Type, value: Option<&Expression>) -> Result<()> {
        let value = value.map(|value| self.evaluate(value)).transpose()?;
        let reg = self.thread.register(name);
        self.variables.insert(name.to_string(), (reg, of.clone()));
        if let Some(value) = value {
            let value = self.convert(value, of);
            self.thread.set(reg, value.reg);
        }
        Ok(())
    }

    fn conditional(&mut self, condition: &Expression, yes: &Statement, no: Option<&Statement>) -> Result<()> {
        let c = self.evaluate(condition)?;
        let (yes_block, no_block, after) = (self.thread.new_block(), self.thread.new_block(), self.thread.new_block());
        self.thread.branch(c.reg, yes_block, no_block);
        self.thread.go_on_in(yes_block);
        self.statement(yes)?;
        self.thread.jump_on(after);
        self.thread.go_on_in(no_block);
        no.map_or(Ok(()), |no| self.statement(no))?;
        self.thread.go_on_in(after);
        Ok(())
    }

    /// Compares a value with those of the cases, one after the other, and goes to the first that equals it.
    fn switch(&mut self, value: &Expression, body: &[Statement]) -> Result<()> {
        let value = self.evaluate(value)?;
        let after = self.thread.new_block();
        let (mut blocks, mut default) = (VecDeque::new(), after);
        for statement in body {
            let StatementKind::Case(case) = &statement.kind else { continue };
            let block = self.thread.new_block();
            blocks.push_back(block);
            let Some(case) = case else {
                default = block;
                continue;
            };
            let case = self.evaluate(case)?;
            let is_equal = self.binary(statement.at, "==", value.clone(), case)?;
            let next = self.thread.new_block();
            self.thread.branch(is_equal.reg, block, next);
            self.thread.go_on_in(next);
        }
        self.thread.jump(default);
        let (outer, goes_on) = (std::mem::replace(&mut self.cases, blocks), self.loops.last().and_then(|ends| ends.1));
        self.loops.push((after, goes_on));
        let unreached = self.thread.new_block();
        self.thread.switch_to(unreached);
        self.statements(body)?;
        self.loops.pop();
        self.cases = outer;
        self.thread.go_on_in(after);
        Ok(())
    }

    /// A loop, which tests its condition before the first iteration or not.
    fn repeat(&mut self, condition: Option<&Expression>, step: Option<&Expression>, body: &Statement, tests_first: bool) -> Result<()> {
        let [test, start, next, after] = std::array::from_fn(|_| self.thread.new_block());
        self.thread.jump_on(if tests_first { test } else { start });
        self.thread.go_on_in(start);
        self.loops.push((after, Some(next)));
        self.statement(body)?;
        self.loops.pop();
        self.thread.go_on_in(next);
        if let Some(step) = step {
            self.evaluate(step)?;
        }
        self.thread.go_on_in(test);
        match condition {
            Some(condition) => {
                let c = self.evaluate(condition)?;
                self.thread.branch(c.reg, start, after);
            }
            None => self.thread.jump(start),
        }
        self.thread.go_on_in(after);
        Ok(())
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, expression: &Expression) -> Result<Value> {
        match &expression.kind {
            ExpressionKind::Number(number, of) => {
                let mask = u64::MAX >> (64 - of.bits());
                Ok(Value { reg: self.thread.constant(*number as u64 & mask), of: of.clone() })
            }
            ExpressionKind::Variable(_) | ExpressionKind::Deref(_) => {
                let place = self.place(expression)?;
                Ok(self.read(&place))
            }
            ExpressionKind::AddressOf(inner) => match self.place(inner)? {
                Place::Memory(reg, of) => Ok(Value { reg, of: of.pointer_to() }),
                Place::Variable(..) => unsupported(expression.at, "the address of a local variable is not supported here"),
            },
            ExpressionKind::Unary(op, inner) => self.unary(*op, inner),
            ExpressionKind::Binary("&&", left, right) => self.shortcut(left, right, true),
            ExpressionKind::Binary("||", left, right) => self.shortcut(left, right, false),
            ExpressionKind::Binary(sign, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.binary(expression.at, sign, left, right)
            }
            ExpressionKind::Choice(condition, yes, no) => self.choice(condition, yes, no),
            ExpressionKind::Assign(op, place, value) => self.assign(expression.at, *op, place, value),
            ExpressionKind::Step(sign, place) => self.step(expression.at, sign, place),
            ExpressionKind::Cast(of, inner) => {
                let value = self.evaluate(inner)?;
                Ok(self.convert(value, of))
            }
            ExpressionKind::Call(name, arguments) => builtin::call(self, expression.at, name, arguments),
        }
    }

    /// What an expression can be assigned to.
    pub fn place(&mut self, expression: &Expression) -> Result<Place> {
        match &expression.kind {
            ExpressionKind::Variable(name) => match self.variables.get(name) {
                Some((reg, of)) => Ok(Place::Variable(*reg, of.clone())),
                None => syntax(expression.at, format!("`{name}` is neither a parameter nor a variable")),
            },
            ExpressionKind::Deref(pointer) => {
                let pointer = self.evaluate(pointer)?;
                match pointer.of {
                    Type::Pointer(of) => Ok(Place::Memory(pointer.reg, *of)),
                    _ => syntax(expression.at, "only a pointer can be followed"),
                }
            }
            _ => syntax(expression.at, "expected a variable or something that is pointed to"),
        }
    }

    pub fn read(&mut self, place: &Place) -> Value {
        match place {
            Place::Variable(reg, of) => {
                // A later assignment must not change what was read.
                let copy = self.thread.compute(|to| Instr::Move { to, a: Use(*reg) });
                Value { reg: copy, of: of.clone() }
            }
            Place::Memory(address, of) => {
                let order = if of.is_atomic() { Order::SeqCst } else { Order::Plain };
                Value { reg: self.thread.load(*address, of.bytes(), order), of: of.clone() }
            }
        }
    }

    /// Writes a value to a place of another or the same type.
    pub fn write(&mut self, at: usize, place: &Place, value: Value) -> Result<Value> {
        match place {
            Place::Variable(reg, of) => {
                if self.thread.is_constant(*reg) {
                    return unsupported(at, "an assignment to a parameter is not supported");
                }
                let value = self.convert(value, of);
                self.thread.set(*reg, value.reg);
                Ok(value)
            }
            Place::Memory(address, of) => {
                let value = self.convert(value, of);
                let order = if of.is_atomic() { Order::SeqCst } else { Order::Plain };
                self.thread.store(*address, value.reg, of.bytes(), order);
                Ok(value)
            }
        }
    }

    /// The same value in another type.
    pub fn convert(&mut self, value: Value, to: &Type) -> Value {
        let (from_bits, to_bits) = (value.of.bits(), to.bits());
        let reg = if to_bits < from_bits {
            self.thread.cut(value.reg, to_bits)
        } else if to_bits > from_bits && value.of.is_signed() {
            self.thread.sign_extend(value.reg, from_bits, to_bits)
        } else {
            value.reg
        };
        Value { reg, of: to.clone() }
    }

    /// The type that two numbers are computed in.
    fn common(left: &Type, right: &Type) -> Type {
        let bytes = left.bytes().max(right.bytes()).max(4);
        let is_unsigned = |of: &Type| of.bytes() == bytes && !of.is_signed();
        Type::int(bytes, !is_unsigned(left) && !is_unsigned(right))
    }

    fn unary(&mut self, op: Unary, inner: &Expression) -> Result<Value> {
        let value = self.evaluate(inner)?;
        if op == Unary::Not {
            return Ok(Value { reg: self.thread.is_zero(value.reg), of: Type::INT });
        }
        let of = Self::common(&value.of, &Type::INT);
        let value = self.convert(value, &of);
        let reg = match op {
            Unary::Minus => {
                let zero = self.thread.constant(0);
                self.thread.binary(Binary::Sub, zero, value.reg, of.bits())
            }
            _ => {
                let ones = self.thread.constant(u64::MAX >> (64 - of.bits()));
                self.thread.binary(Binary::Xor, value.reg, ones, of.bits())
            }
        };
        Ok(Value { reg, of })
    }

    fn binary(&mut self, at: usize, sign: &str, left: Value, right: Value) -> Result<Value> {
        match (&left.of, &right.of, sign) {
            (Type::Pointer(_), Type::Int { .. }, "+" | "-") => return Ok(self.moved(sign, left, right)),
            (Type::Int { .. }, Type::Pointer(_), "+") => return Ok(self.moved(sign, right, left)),
            (Type::Pointer(_), _, "==" | "!=") | (_, Type::Pointer(_), "==" | "!=") => {}
            (Type::Pointer(_), _, _) | (_, Type::Pointer(_), _) => {
                return unsupported(at, format!("`{sign}` of pointers is not supported"));
            }
            _ => {}
        }
        let of = match sign {
            "<<" | ">>" => Self::common(&left.of, &Type::INT),
            _ => Self::common(&left.of, &right.of),
        };
        let (a, b) = (self.convert(left, &of).reg, self.convert(right, &of).reg);
        let signed = of.is_signed();
        let by_sign = |if_signed, if_not| if signed { if_signed } else { if_not };
        let (op, a, b) = match sign {
            "+" => (Binary::Add, a, b),
            "-" => (Binary::Sub, a, b),
            "*" => (Binary::Mul, a, b),
            "/" => (by_sign(Binary::SDiv, Binary::UDiv), a, b),
            "%" => (by_sign(Binary::SRem, Binary::URem), a, b),
            "&" => (Binary::And, a, b),
            "|" => (Binary::Or, a, b),
            "^" => (Binary::Xor, a, b),
            "<<" => (Binary::Shl, a, b),
            ">>" => (by_sign(Binary::AShr, Binary::LShr), a, b),
            "==" => (Binary::Eq, a, b),
            "!=" => (Binary::Ne, a, b),
            "<" => (by_sign(Binary::SLt, Binary::ULt), a, b),
            "<=" => (by_sign(Binary::SLe, Binary::ULe), a, b),
            ">" => (by_sign(Binary::SLt, Binary::ULt), b, a),
            ">=" => (by_sign(Binary::SLe, Binary::ULe), b, a),
            _ => return unsupported(at, format!("`{sign}` is not supported")),
        };
        let reg = self.thread.binary(op, a, b, of.bits());
        let is_comparison = matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=");
        Ok(Value { reg, of: if is_comparison { Type::INT } else { of } })
    }

    /// A pointer moved by a number of elements.
    fn moved(&mut self, sign: &str, pointer: Value, by: Value) -> Value {
        let scale = match &pointer.of {
            Type::Pointer(of) => of.size(),
            _ => 1,
        };
        let mut index = self.convert(by, &Type::LONG).reg;
        if sign == "-" {
            let zero = self.thread.constant(0);
            index = self.thread.binary(Binary::Sub, zero, index, 64);
        }
        let reg = self.thread.compute(|to| Instr::Index { to, base: Use(pointer.reg), index: Use(index), scale });
        Value { reg, of: pointer.of }
    }

    /// `&&` goes on to the right side where the left is not zero, `||` where it is.
    fn shortcut(&mut self, left: &Expression, right: &Expression, goes_on: bool) -> Result<Value> {
        let result = self.thread.fresh();
        let zero = self.thread.constant(0);
        let left = self.evaluate(left)?;
        let known = self.thread.binary(Binary::Ne, left.reg, zero, 64);
        self.thread.set(result, known);
        let (more, after) = (self.thread.new_block(), self.thread.new_block());
        match goes_on {
            true => self.thread.branch(known, more, after),
            false => self.thread.branch(known, after, more),
        }
        self.thread.go_on_in(more);
        let right = self.evaluate(right)?;
        let known = self.thread.binary(Binary::Ne, right.reg, zero, 64);
        self.thread.set(result, known);
        self.thread.go_on_in(after);
        Ok(Value { reg: result, of: Type::INT })
    }

    fn choice(&mut self, condition: &Expression, yes: &Expression, no: &Expression) -> Result<Value> {
        let result = self.thread.fresh();
        let c = self.evaluate(condition)?;
        let (yes_block, no_block, after) = (self.thread.new_block(), self.thread.new_block(), self.thread.new_block());
        self.thread.branch(c.reg, yes_block, no_block);
        self.thread.go_on_in(yes_block);
        let yes = self.evaluate(yes)?;
        // The other side is converted to the type of the first, widened to 64 bits so that nothing is lost.
        let of = if matches!(yes.of, Type::Pointer(_)) { yes.of.clone() } else { Type::LONG };
        let yes = self.convert(yes, &of);
        self.thread.set(result, yes.reg);
        self.thread.jump_on(after);
        self.thread.go_on_in(no_block);
        let no = self.evaluate(no)?;
        let no = self.convert(no, &of);
        self.thread.set(result, no.reg);
        self.thread.go_on_in(after);
        Ok(Value { reg: result, of })
    }

    fn assign(&mut self, at: usize, op: Option<&str>, place: &Expression, value: &Expression) -> Result<Value> {
        if let ExpressionKind::Variable(name) = &place.kind
            && !self.variables.contains_key(name)
        {
            // herd7 takes `r0 = ...` for a declaration.
            let reg = self.thread.register(name);
            self.variables.insert(name.clone(), (reg, Type::INT));
        }
        let place = self.place(place)?;
        let value = match op {
            None => self.evaluate(value)?,
            Some(sign) => {
                let old = self.read(&place);
                let value = self.evaluate(value)?;
                self.binary(at, sign, old, value)?
            }
        };
        self.write(at, &place, value)
    }

    fn step(&mut self, at: usize, sign: &str, place: &Expression) -> Result<Value> {
        let place = self.place(place)?;
        let old = self.read(&place);
        let one = Value { reg: self.thread.constant(1), of: Type::INT };
        let new = self.binary(at, sign, old.clone(), one)?;
        self.write(at, &place, new)?;
        Ok(old)
    }
}
