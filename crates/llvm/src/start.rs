//! Where the program begins: a function that runs the constructors, then `main`, then `exit`.

use crate::ir::{Kind, Type, Value};
use crate::unit::Unit;
use crate::unsupported::{Lowered, refuse};
use crate::{Error, Sources};
use raddle_event::Address;
use raddle_program::{Builder, FunctionId, Global, Instr, Reg};

/// The name of that function.
const NAME: &str = "__raddle_start";

impl<'m> Unit<'m> {
    /// Adds the function that the program starts with.
    pub fn add_start(&mut self, sources: &Sources) -> Result<(), Error> {
        let missing = || if sources.entry == "main" { Error::NoMain } else { Error::NoEntry(sources.entry.clone()) };
        let main = self.module.function(&sources.entry).filter(|main| !main.is_declaration()).ok_or_else(missing)?;
        let function = self.start(main, sources).map_err(|what| Error::Unsupported { what: what.0, place: "main".into() })?;
        self.program.entries.push(function);
        Ok(())
    }

    fn start(&mut self, main: Value<'m>, sources: &Sources) -> Lowered<FunctionId> {
        let mut builder = Builder::new(NAME, 0, 0);
        builder.block();
        for destructor in self.listed("llvm.global_dtors").into_iter().rev() {
            let address = builder.constant(self.function_address(destructor)?);
            let ignored = builder.register();
            self.call_by_name(&mut builder, "atexit", &[ignored], &[address]);
        }
        for constructor in self.listed("llvm.global_ctors") {
            let target = self.function_address(constructor)?;
            let target = raddle_program::Use(builder.constant(target));
            let (results, arguments) = (builder.defs(&[]), builder.uses(&[]));
            builder.push(match self.defined(constructor) {
                Some(function) => Instr::Call { results, function, arguments },
                None => Instr::CallPointer { results, target, arguments },
            });
        }
        let status = self.call_main(&mut builder, main, sources)?;
        self.call_by_name(&mut builder, "exit", &[], &[status]);
        builder.push(Instr::Unreachable {});
        self.program.functions.push(builder.finish());
        Ok(FunctionId(self.program.functions.len() as u32 - 1))
    }

    /// Calls `main` and gives the register of the program's status.
    fn call_main(&mut self, builder: &mut Builder, main: Value<'m>, sources: &Sources) -> Lowered<Reg> {
        let of = main.value_type();
        let Some(function) = self.defined(main) else { return refuse("a program without `main`") };
        let arguments = self.main_arguments(builder, &of.parameters(), sources)?;
        let n_results = self.passed_registers(of.result());
        let first = builder.registers(n_results);
        let results: Vec<Reg> = (first.0..first.0 + n_results).map(Reg).collect();
        let (listed, arguments) = (builder.defs(&results), builder.uses(&arguments));
        builder.push(Instr::Call { results: listed, function, arguments });
        Ok(results.first().copied().unwrap_or_else(|| builder.constant(0)))
    }

    /// `argc`, `argv` and `envp`, as far as `main` takes them.
    fn main_arguments(&mut self, builder: &mut Builder, parameters: &[Type<'m>], sources: &Sources) -> Lowered<Vec<Reg>> {
        if parameters.is_empty() && sources.environment.is_empty() {
            return Ok(Vec::new());
        }
        let words: Vec<&str> = std::iter::once("program").chain(sources.arguments.iter().map(String::as_str)).collect();
        let argv = self.add_list("argv", &words)?;
        let variables: Vec<&str> = sources.environment.iter().map(String::as_str).collect();
        let envp = self.add_list("envp", &variables)?;
        let usual = [(words.len() as u64, false), (argv, true), (envp, true)];
        let mut arguments = Vec::new();
        for (at, parameter) in parameters.iter().enumerate() {
            let is_pointer = parameter.kind() == Kind::Pointer;
            match usual.get(at) {
                Some(&(value, wants_pointer)) if wants_pointer == is_pointer => arguments.push(builder.constant(value)),
                _ => return refuse("a `main` with these parameters"),
            }
        }
        Ok(arguments)
    }

    /// A list of strings with a null pointer at its end, in globals that the source does not have.
    fn add_list(&mut self, name: &str, strings: &[&str]) -> Lowered<u64> {
        let mut list = Vec::new();
        for (number, string) in strings.iter().enumerate() {
            let bytes = string.bytes().chain([0]).collect();
            list.extend(self.add_hidden(&format!("{name}[{number}]"), bytes)?.to_le_bytes());
        }
        list.extend([0; 8]);
        self.add_hidden(name, list)
    }

    /// A global that the source does not have.
    fn add_hidden(&mut self, name: &str, bytes: Vec<u8>) -> Lowered<u64> {
        let size = bytes.len() as u64;
        let global =
            Global { name: name.into(), bytes, size, align: 8, constant: false, thread_local: false, layout: None, address: Address(0) };
        match self.program.add_global(global) {
            Some(id) => Ok(self.program.globals[id.index()].address.0),
            None => refuse("a program with this many globals"),
        }
    }

    fn call_by_name(&mut self, builder: &mut Builder, name: &str, results: &[Reg], arguments: &[Reg]) {
        let (results, arguments) = (builder.defs(results), builder.uses(arguments));
        builder.push(Instr::CallExtern { results, function: self.extern_named(name), arguments });
    }

    /// The functions of a list of constructors or destructors, by priority and then in order.
    fn listed(&self, name: &str) -> Vec<Value<'m>> {
        let list = self.module.globals().into_iter().find(|g| g.name() == name).and_then(|g| g.initialiser());
        let Some(list) = list else { return Vec::new() };
        let Kind::Array(_, n) = list.of().kind() else { return Vec::new() };
        let entries = (0..n as u32).filter_map(|at| list.element(at));
        let functions = entries.filter_map(|entry| Some((entry.element(0)?.int(32) as u32, entry.element(1)?)));
        let mut functions: Vec<(u32, Value<'m>)> = functions.filter(|(_, function)| function.is_function()).collect();
        functions.sort_by_key(|(priority, _)| *priority);
        functions.into_iter().map(|(_, function)| function).collect()
    }
}
