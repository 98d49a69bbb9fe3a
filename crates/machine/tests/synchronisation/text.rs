//! Small programs as text.
//!
//! A program is a list of functions; the first one is the first thread. A statement is `name arguments`, `variable = name arguments` or `return argument`.
//! Arguments are numbers, variables (their addresses, perhaps `+n`), `*variable` (the word there), `@n` (function n), `p` and `q` (the parameters). Every name is a
//! function of the library except `sub`, a difference of 32 bits.

use crate::memory::Memory;
use raddle_event::{Address, Order};
use raddle_machine::link;
use raddle_program::{Bits, Builder, Def, ExternId, Function, FunctionId, Global, Instr, Program, Reg, Size, Use, verify};
use std::collections::{BTreeMap, BTreeSet};

/// Functions without a result.
const VOID: &[&str] = &["pthread_exit", "thrd_exit", "call_once", "qsort", "free"];

pub struct Text {
    pub program: Program,
    variables: BTreeMap<String, Address>,
    /// The variables that make up an outcome.
    assigned: BTreeSet<String>,
}

impl Text {
    pub fn new(functions: &[&str]) -> Text {
        let mut text = Text { program: Program::new(), variables: BTreeMap::new(), assigned: BTreeSet::new() };
        for function in functions {
            let function = text.function(function);
            text.program.functions.push(function);
        }
        text.program.entries.push(FunctionId(0));
        link(&mut text.program);
        verify(&text.program).expect("the program keeps the invariants");
        text
    }

    /// What the assigned variables are.
    pub fn outcome(&self, memory: &Memory) -> String {
        let show = |name: &String| format!("{name}={}", memory.word(self.address(name)));
        self.assigned.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    fn address(&self, name: &str) -> u64 {
        let (name, offset) = name.split_once('+').unwrap_or((name, "0"));
        self.variables[name].0 + offset.parse::<u64>().expect("an offset is a number")
    }

    fn variable(&mut self, text: &str) -> u64 {
        let name = text.split('+').next().expect("a name");
        if !self.variables.contains_key(name) {
            let (name, bytes) = (name.to_string(), Vec::new());
            let global = Global { name, bytes, size: 64, align: 16, constant: false, thread_local: false, layout: None, address: Address(0) };
            let id = self.program.add_global(global).expect("there is room");
            let Global { name, address, .. } = &self.program.globals[id.index()];
            self.variables.insert(name.clone(), *address);
        }
        self.address(text)
    }

    fn function(&mut self, text: &str) -> Function {
        let names = |name: &str| text.split([' ', ';', '*']).any(|word| word == name);
        let parameters = if names("q") { 2 } else { names("p") as u32 };
        let mut builder = Builder::new("f", parameters, 1);
        builder.block();
        let mut result = builder.constant(0);
        for statement in text.split(';').map(str::trim) {
            match (statement.split_once(" = "), statement.strip_prefix("return ")) {
                (Some((name, value)), _) => {
                    self.assigned.insert(name.into());
                    let value = self.call(value, &mut builder);
                    let address = builder.constant(self.variable(name));
                    builder.push(Instr::Store { address: Use(address), value: Use(value), size: Size(8), order: Order::Plain });
                }
                (_, Some(value)) => result = self.argument(value, &mut builder),
                _ => result = self.call(statement, &mut builder),
            }
        }
        let values = builder.uses(&[result]);
        builder.push(Instr::Return { values });
        builder.finish()
    }

    fn call(&mut self, statement: &str, builder: &mut Builder) -> Reg {
        let mut words = statement.split_whitespace();
        let name = words.next().expect("a statement has a name");
        let arguments: Vec<Reg> = words.map(|word| self.argument(word, builder)).collect();
        let result = builder.register();
        if name == "sub" {
            builder.push(Instr::Sub { to: Def(result), a: Use(arguments[0]), b: Use(arguments[1]), bits: Bits(32) });
            return result;
        }
        let externs = &mut self.program.externs;
        let number = externs.iter().position(|known| known == name).unwrap_or(externs.len());
        if number == externs.len() {
            externs.push(name.into());
        }
        let results = builder.defs(if VOID.contains(&name) { &[] } else { std::slice::from_ref(&result) });
        let arguments = builder.uses(&arguments);
        builder.push(Instr::CallExtern { results, function: ExternId(number as u32), arguments });
        result
    }

    fn argument(&mut self, word: &str, builder: &mut Builder) -> Reg {
        if let Some(address) = word.strip_prefix('*') {
            let (address, to) = (self.argument(address, builder), builder.register());
            builder.push(Instr::Load { to: Def(to), address: Use(address), size: Size(8), order: Order::Plain });
            return to;
        }
        if let Some(number) = word.strip_prefix('@') {
            let function = FunctionId(number.parse().expect("a function is a number"));
            return builder.constant(self.program.function_address(function).expect("there is room").0);
        }
        match (word, word.parse()) {
            ("p", _) => Reg(0),
            ("q", _) => Reg(1),
            (_, Ok(number)) => builder.constant(number),
            _ => builder.constant(self.variable(word)),
        }
    }
}
