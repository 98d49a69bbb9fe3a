//! The prelude: functions of the library that call back into the program, in the program form.
//!
//! [`link`] puts those that a program calls into it and turns the calls into direct ones. They call the rest of the
//! library by name; names that begin with `__raddle_` are only for them.

mod exit;
mod globals;
mod once;
mod search;
mod sort;
mod start;
mod writer;

use raddle_program::{FunctionId, Instr, Program, mark_loops};
use rustc_hash::FxHashMap;
use writer::Writer;

/// Says when a definition of the prelude is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Called,
    /// Only in a program that has something to do when a thread ends.
    ThreadsHaveEndings,
}

/// A function of the prelude: its parameters and results, and what writes its code.
struct Definition {
    name: &'static str,
    parameters: u32,
    results: u32,
    when: When,
    write: fn(&mut Writer),
}

impl Definition {
    const fn new(name: &'static str, parameters: u32, results: u32, write: fn(&mut Writer)) -> Definition {
        Definition { name, parameters, results, when: When::Called, write }
    }

    const fn for_endings(self) -> Definition {
        Definition { when: When::ThreadsHaveEndings, ..self }
    }
}

const TABLES: &[&[Definition]] = &[exit::TABLE, globals::TABLE, once::TABLE, search::TABLE, sort::TABLE, start::TABLE];

/// Functions whose use means that something is to be done when a thread ends.
const ENDINGS: &[&str] = &["pthread_key_create", "tss_create", "__cxa_thread_atexit", "pthread_mutexattr_setrobust"];

/// Whether the prelude has a function of this name.
pub fn defines(name: &str) -> bool {
    TABLES.iter().any(|table| table.iter().any(|definition| definition.name == name))
}

/// Puts the functions of the prelude that a program calls into it.
pub fn link(program: &mut Program) {
    globals::fill(program);
    let endings = program.externs.iter().any(|name| ENDINGS.contains(&name.as_str()));
    let mut linker = Linker { program, endings, made: FxHashMap::default() };
    // Functions of the prelude may call others: the list grows while it is gone through.
    let mut next = 0;
    while next < linker.program.externs.len() {
        let name = linker.program.externs[next].clone();
        linker.define(&name);
        next += 1;
    }
    linker.join();
}

/// A program that the prelude is being put into.
struct Linker<'p> {
    program: &'p mut Program,
    endings: bool,
    made: FxHashMap<String, FunctionId>,
}

impl Linker<'_> {
    /// The function of this name, written when it is first asked for; `None` where the prelude has none.
    fn define(&mut self, name: &str) -> Option<FunctionId> {
        if let Some(&id) = self.made.get(name) {
            return Some(id);
        }
        let applies = |d: &&Definition| d.name == name && (self.endings || d.when == When::Called);
        let definition = TABLES.iter().flat_map(|table| table.iter()).find(applies)?;
        let mut writer = Writer::new(self, definition);
        (definition.write)(&mut writer);
        let mut function = writer.finish();
        mark_loops(&mut function);
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        self.made.insert(name.into(), id);
        Some(id)
    }

    /// Turns calls by name into direct ones where the caller means the same parameters and results.
    fn join(self) {
        let defined: Vec<Option<FunctionId>> = self.program.externs.iter().map(|name| self.made.get(name).copied()).collect();
        let shape = |id: FunctionId| {
            let function = &self.program.functions[id.index()];
            (function.parameters, function.results)
        };
        let shapes: FxHashMap<FunctionId, (u32, u32)> = defined.iter().flatten().map(|&id| (id, shape(id))).collect();
        for instr in self.program.functions.iter_mut().flat_map(|function| &mut function.code) {
            if let Instr::CallExtern { results, function, arguments } = *instr {
                if let Some(id) = defined[function.index()].filter(|id| shapes[id] == (arguments.0.len, results.0.len)) {
                    *instr = Instr::Call { results, function: id, arguments };
                }
            }
        }
    }
}
