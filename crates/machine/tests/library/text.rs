//! Small programs as text.
//!
//! A program is a list of functions; the first one is the first thread. A statement is `name arguments`, `variable =
//! name arguments` or `return argument`. Arguments are numbers, variables (their addresses, perhaps `+n`), `*variable`
//! (the word there), `@n` (function n), `p` and `q` (the parameters) and `'text'` (a constant string). Every name is a
//! function of the library except `sub`, a difference of 32 bits.

use crate::memory::Memory;
use raddle_event::{Address, Order};
use raddle_machine::link;
use raddle_program::{Bits, Builder, Def, ExternId, Function, FunctionId, Global, Instr, Program, Reg, Size, Use, verify};
use std::collections::{BTreeMap, BTreeSet};

/// Functions without a result.
const VOID: &[&str] = &["pthread_exit", "thrd_exit", "call_once", "qsort", "free", "exit"];

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

    fn global(&mut self, name: &str, bytes: Vec<u8>, constant: bool) -> Address {
        let (name, size) = (name.to_string(), bytes.len() as u64);
        let global = Global { name, bytes, size, align: 16, constant, thread_local: false, layout: None, address: Address(0) };
        let id = self.program.add_global(global).expect("there is room");
        self.program.globals[id.index()].address
    }

    fn variable(&mut self, text: &str) -> u64 {
        let name = text.split('+').next().expect("a name");
        if !self.variables.contains_key(name) {
            let address = self.global(name, vec![0; 64], false);
            self.variables.insert(name.to_string(), address);
        }
        self.address(text)
    }

    fn function(&mut self, text: &str) -> Function {
        let names = |name: &str| statements(text).iter().flatten().any(|word| word.trim_start_matches('*') == name);
        let parameters = if names("q") { 2 } else { names("p") as u32 };
        let mut builder = Builder::new("f", parameters, 1);
        builder.block();
        let mut result = builder.constant(0);
        for statement in statements(text) {
            match &statement[..] {
                [name, "=", value @ ..] => {
                    self.assigned.insert(name.to_string());
                    let value = self.call(value, &mut builder);
                    let address = builder.constant(self.variable(name));
                    builder.push(Instr::Store { address: Use(address), value: Use(value), size: Size(8), order: Order::Plain });
                }
                ["return", value] => result = self.argument(value, &mut builder),
                call => result = self.call(call, &mut builder),
            }
        }
        let values = builder.uses(&[result]);
        builder.push(Instr::Return { values });
        builder.finish()
    }

    fn call(&mut self, words: &[&str], builder: &mut Builder) -> Reg {
        let (name, arguments) = words.split_first().expect("a statement has a name");
        let arguments: Vec<Reg> = arguments.iter().map(|word| self.argument(word, builder)).collect();
        let result = builder.register();
        if *name == "sub" {
            builder.push(Instr::Sub { to: Def(result), a: Use(arguments[0]), b: Use(arguments[1]), bits: Bits(32) });
            return result;
        }
        let externs = &mut self.program.externs;
        let number = externs.iter().position(|known| known == name).unwrap_or(externs.len());
        if number == externs.len() {
            externs.push(name.to_string());
        }
        let results = builder.defs(if VOID.contains(name) { &[] } else { std::slice::from_ref(&result) });
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
        if let Some(text) = word.strip_prefix('\'') {
            let bytes = [text.trim_end_matches('\'').as_bytes(), &[0]].concat();
            return builder.constant(self.global("text", bytes, true).0);
        }
        match (word, word.parse()) {
            ("p", _) => Reg(0),
            ("q", _) => Reg(1),
            (_, Ok(number)) => builder.constant(number),
            _ => builder.constant(self.variable(word)),
        }
    }
}

/// The words of each statement.
fn statements(text: &str) -> Vec<Vec<&str>> {
    let (mut all, mut rest) = (vec![Vec::new()], text.trim_start());
    while !rest.is_empty() {
        let length = match rest.as_bytes()[0] {
            b'\'' => rest[1..].find('\'').expect("a text ends") + 2,
            b';' => 1,
            _ => rest.find([' ', ';']).unwrap_or(rest.len()),
        };
        match &rest[..length] {
            ";" => all.push(Vec::new()),
            word => all.last_mut().expect("there is a statement").push(word),
        }
        rest = rest[length..].trim_start();
    }
    all
}
