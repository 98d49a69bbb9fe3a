//! Stand-ins: a function that is only declared and whose address is taken becomes one that calls it by name.

use crate::ir::Value;
use crate::unit::Unit;
use crate::unsupported::Unsupported;
use raddle_program::{Builder, Def, FunctionId, Instr, Reg, Symbol, Use};

/// Variadic functions that have a twin, with a `v` before its name, which takes a `va_list`.
const PRINTERS: [&str; 4] = ["printf", "fprintf", "sprintf", "snprintf"];

/// How many bytes a `va_list` of x86-64 has.
pub const VA_LIST_SIZE: u64 = 24;

impl<'m> Unit<'m> {
    /// Makes the stand-in of a declared function.
    pub(crate) fn stand_in(&mut self, function: Value<'m>) -> FunctionId {
        let of = function.value_type();
        let parameters = of.parameters().into_iter().map(|p| self.passed_registers(p)).sum();
        let results = self.passed_registers(of.result());
        let mut builder = Builder::new(function.name(), parameters, results);
        builder.block();
        let prints = PRINTERS.contains(&function.name().as_str());
        if of.is_variadic() {
            builder.variadic();
        }
        if of.is_variadic() && !prints || function.intrinsic().is_some() {
            let what = format!("a call of `{}` through a pointer", function.name());
            builder.push(Instr::Unsupported { what: self.note(Unsupported(what)) });
        } else {
            let mut arguments: Vec<Reg> = (0..parameters).map(Reg).collect();
            let mut name = function.name();
            if prints {
                name = format!("v{name}");
                arguments.push(self.argument_list(&mut builder));
            }
            let first = builder.registers(results);
            let given: Vec<Reg> = (first.0..first.0 + results).map(Reg).collect();
            let (results, arguments, values) = (builder.defs(&given), builder.uses(&arguments), builder.uses(&given));
            builder.push(Instr::CallExtern { results, function: self.extern_named(&name), arguments });
            builder.push(Instr::Return { values });
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(builder.finish());
        self.functions.insert(function, id);
        id
    }

    /// The address of a `va_list` of the variable arguments.
    fn argument_list(&mut self, builder: &mut Builder) -> Reg {
        let name = self.program.add_note(Symbol { text: "arguments".into(), layout: None });
        let (list, size) = (builder.register(), builder.constant(VA_LIST_SIZE));
        builder.push(Instr::Alloca { to: Def(list), size: Use(size), align: 8, name });
        builder.push(Instr::VaStart { list: Use(list) });
        list
    }
}
