//! Stand-ins: a function that is only declared and whose address is taken becomes one that calls it by name.

use crate::ir::Value;
use crate::unit::Unit;
use crate::unsupported::Unsupported;
use raddle_program::{Builder, FunctionId, Instr, Reg};

impl<'m> Unit<'m> {
    /// Makes the stand-in of a declared function.
    pub(crate) fn stand_in(&mut self, function: Value<'m>) -> FunctionId {
        let of = function.value_type();
        let parameters = of.parameters().into_iter().map(|p| self.passed_registers(p)).sum();
        let results = self.passed_registers(of.result());
        let mut builder = Builder::new(function.name(), parameters, results);
        builder.block();
        if of.is_variadic() || function.intrinsic().is_some() {
            let what = format!("a call of `{}` through a pointer", function.name());
            builder.push(Instr::Unsupported { what: self.note(Unsupported(what)) });
        } else {
            let arguments: Vec<Reg> = (0..parameters).map(Reg).collect();
            let first = builder.registers(results);
            let given: Vec<Reg> = (first.0..first.0 + results).map(Reg).collect();
            let (results, arguments, values) = (builder.defs(&given), builder.uses(&arguments), builder.uses(&given));
            builder.push(Instr::CallExtern { results, function: self.extern_named(&function.name()), arguments });
            builder.push(Instr::Return { values });
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(builder.finish());
        self.functions.insert(function, id);
        id
    }
}
