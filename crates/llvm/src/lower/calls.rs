//! Calls of functions that are defined, known by name, or reached through a pointer.

use super::Lowering;
use super::memory::WORD;
use crate::ir::{Block, Kind, Opcode, Type, Value};
use crate::shape::{Leaf, Shape};
use crate::unsupported::{Lowered, Unsupported, refuse};
use raddle_event::Order;
use raddle_program::{Instr, Reg, Size, Use};

impl<'m> Lowering<'_, 'm> {
    /// `call`
    pub(super) fn call(&mut self, i: Value<'m>) -> Lowered<()> {
        let callee = self.resolve(i.callee());
        if callee.is_inline_asm() {
            return self.assembly(i, callee);
        }
        if callee.is_function()
            && let Some(name) = callee.intrinsic()
        {
            return self.intrinsic(i, &name);
        }
        self.call_function(i, callee)
    }

    /// `invoke`: a call, then where control goes.
    pub(super) fn invoke(&mut self, i: Value<'m>) -> Lowered<()> {
        self.call(i)?;
        if self.builder.is_ended() {
            return Ok(());
        }
        let (normal, unwind) = (i.successors()[0], i.successors()[1]);
        let clauses = self.clauses(unwind)?;
        let clauses = self.builder.uses(&clauses);
        let (normal, pad) = (self.target(normal)?, self.target(unwind)?);
        self.builder.push(Instr::Invoked { clauses, normal, pad });
        Ok(())
    }

    /// What a landing pad catches, in constants (see [`Instr::Invoked`]).
    fn clauses(&mut self, pad: Block<'m>) -> Lowered<Vec<Reg>> {
        let Some(landing) = pad.instructions().into_iter().find(|i| i.opcode() == Opcode::LLVMLandingPad) else {
            return refuse("a landing pad of another language");
        };
        let mut all = vec![self.builder.constant(landing.is_cleanup() as u64)];
        for clause in landing.clauses() {
            match clause.of().kind() {
                Kind::Array(_, n) => {
                    all.extend([self.builder.constant(2), self.builder.constant(n)]);
                    for number in 0..n as u32 {
                        let Some(of) = clause.element(number) else { return refuse("an exception specification of this kind") };
                        all.push(self.word(of)?);
                    }
                }
                _ => all.extend([self.builder.constant(1), self.word(clause)?]),
            }
        }
        Ok(all)
    }

    /// `landingpad`: the exception, and a number for the type by which it is caught.
    pub(super) fn landing_pad(&mut self, i: Value<'m>) -> Lowered<()> {
        let shape = self.shape(i.of())?;
        let results = self.fresh(&shape);
        self.call_extern("__raddle_landing", &results, &[])?;
        self.define(i, results);
        Ok(())
    }

    /// `resume`: the exception goes on from a landing pad.
    pub(super) fn resume(&mut self, i: Value<'m>) -> Lowered<()> {
        let exception = self.registers(i.operand(0))?;
        self.call_extern("_Unwind_Resume", &[], &exception[..1])?;
        self.unreachable()
    }

    /// `eh.typeid.for`: the number of a type that is caught.
    pub(super) fn type_number(&mut self, i: Value<'m>) -> Lowered<()> {
        let of = self.word(i.operand(0))?;
        let shape = self.shape(i.of())?;
        let results = self.fresh(&shape);
        self.call_extern("__raddle_type_number", &results, &[of])?;
        self.define(i, results);
        Ok(())
    }

    /// What an alias stands for.
    fn resolve(&self, callee: Value<'m>) -> Value<'m> {
        std::iter::successors(Some(callee), |c| c.is_alias().then(|| c.aliasee())).last().unwrap_or(callee)
    }

    fn call_function(&mut self, i: Value<'m>, callee: Value<'m>) -> Lowered<()> {
        if callee.is_ifunc() {
            return refuse(format!("a call of the indirect function `{}`", callee.name()));
        }
        if self.unit.sv_comp && self.as_in_sv_comp(callee)? {
            return Ok(());
        }
        let is_block = callee.is_function() && !callee.is_declaration() && callee.name().starts_with("__VERIFIER_atomic_");
        if is_block {
            self.call_extern("__VERIFIER_atomic_begin", &[], &[])?;
        }
        let copies = (0..i.arguments().len() as u32).any(|n| i.by_value(n).is_some());
        let mark = copies.then(|| self.emit(|to| Instr::StackSave { to }));
        let arguments = self.arguments(i)?;
        let shape = self.shape(i.of())?;
        let results = self.fresh(&shape);
        self.push_call(i, callee, &results, &arguments)?;
        if is_block {
            self.call_extern("__VERIFIER_atomic_end", &[], &[])?;
        }
        if let Some(mark) = mark {
            self.builder.push(Instr::StackRestore { mark: Use(mark) });
        }
        self.define(i, results);
        Ok(())
    }

    /// A call of a function with a meaning of its own in SV-COMP, whatever its body says; tells whether it is one.
    fn as_in_sv_comp(&mut self, callee: Value<'m>) -> Lowered<bool> {
        const ABORTED: u64 = 134;
        match &*callee.name() {
            _ if !callee.is_function() => Ok(false),
            "reach_error" => self.call_extern("reach_error", &[], &[]).map(|()| true),
            "abort" | "__assert_fail" if callee.is_declaration() => {
                let status = self.builder.constant(ABORTED);
                self.call_extern("_exit", &[], &[status]).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    fn push_call(&mut self, i: Value<'m>, callee: Value<'m>, results: &[Reg], arguments: &[Reg]) -> Lowered<()> {
        if callee.is_function() && callee.is_declaration() {
            return self.call_extern(&callee.name(), results, arguments);
        }
        let direct = if callee.is_function() && callee.value_type() == i.called_type() { self.unit.defined(callee) } else { None };
        let target = if direct.is_none() { Some(self.word(callee)?) } else { None };
        let (results, arguments) = (self.builder.defs(results), self.builder.uses(arguments));
        self.builder.push(match (direct, target) {
            (Some(function), _) => Instr::Call { results, function, arguments },
            (None, Some(target)) => Instr::CallPointer { results, target: Use(target), arguments },
            (None, None) => return Err(Unsupported("a call of nothing".into())),
        });
        Ok(())
    }

    /// A call of a function by its name.
    pub(super) fn call_extern(&mut self, name: &str, results: &[Reg], arguments: &[Reg]) -> Lowered<()> {
        let function = self.unit.extern_named(name);
        let (results, arguments) = (self.builder.defs(results), self.builder.uses(arguments));
        self.builder.push(Instr::CallExtern { results, function, arguments });
        Ok(())
    }

    /// The registers of all arguments.
    fn arguments(&mut self, i: Value<'m>) -> Lowered<Vec<Reg>> {
        let n_parameters = i.called_type().parameters().len();
        let mut all = Vec::new();
        let mut first_variable = None;
        for (number, argument) in i.arguments().into_iter().enumerate() {
            if number == n_parameters {
                first_variable = Some(all.len());
            }
            if first_variable.is_some() && i.by_value(number as u32).is_some() && i.argument_align(number as u32) > 2 * WORD as u64 {
                return refuse("a variable argument that is aligned to more than sixteen bytes");
            }
            let is_odd = first_variable.is_some_and(|first| (all.len() - first) % 2 == 1);
            if is_odd && self.is_aligned_to_two_words(i, number as u32, argument) {
                all.push(self.builder.constant(0));
            }
            match i.by_value(number as u32) {
                None if number < n_parameters => all.extend(self.registers(argument)?),
                None => all.extend(self.stacked(argument)?),
                Some(of) if number < n_parameters => all.push(self.copy_of(of, argument)?),
                Some(of) => all.extend(self.words_of(of, argument)?),
            }
        }
        Ok(all)
    }

    /// Whether an argument would begin at a multiple of sixteen bytes on the stack.
    fn is_aligned_to_two_words(&mut self, i: Value<'m>, number: u32, argument: Value<'m>) -> bool {
        match (i.by_value(number), argument.of().kind()) {
            (Some(_), _) => i.argument_align(number) >= 2 * WORD as u64,
            (None, Kind::Vector(..)) => self.unit.module.size_of(argument.of()) >= 2 * WORD as u64,
            (None, _) => self.leaf(argument.of()).is_ok_and(Leaf::is_wide),
        }
    }

    /// The words that a variable argument has on the stack.
    fn stacked(&mut self, argument: Value<'m>) -> Lowered<Vec<Reg>> {
        let registers = self.registers(argument)?;
        if !matches!(argument.of().kind(), Kind::Vector(..)) {
            return Ok(registers);
        }
        let n_words = self.unit.module.size_of(argument.of()).div_ceil(WORD as u64);
        let leaves = (0..n_words).map(|n| (Leaf::Int(8 * WORD as u8), n * WORD as u64)).collect();
        let shape = self.shape(argument.of())?;
        self.regroup(&shape, registers, &Shape { leaves, is_packed: false })
    }

    /// The address of a copy of what an argument points to.
    fn copy_of(&mut self, of: Type<'m>, argument: Value<'m>) -> Lowered<Reg> {
        let length = Use(self.builder.constant(self.unit.module.size_of(of)));
        let align = self.unit.module.align_of(of);
        let name = self.unit.note(Unsupported(argument.name()));
        let copy = self.emit(|to| Instr::Alloca { to, size: length, align, name });
        let from = Use(self.word(argument)?);
        self.builder.push(Instr::Copy { address: Use(copy), from, length });
        Ok(copy)
    }

    /// What a variable argument points to, word by word, as it would lie on the stack.
    fn words_of(&mut self, of: Type<'m>, argument: Value<'m>) -> Lowered<Vec<Reg>> {
        let size = self.unit.module.size_of(of);
        let address = self.word(argument)?;
        let mut words = Vec::new();
        for at in (0..size).step_by(WORD as usize) {
            let (address, size) = (Use(self.plus(address, at)), Size((size - at).min(WORD as u64) as u32));
            words.push(self.emit(|to| Instr::Load { to, address, size, order: Order::Copy }));
        }
        Ok(words)
    }
}
