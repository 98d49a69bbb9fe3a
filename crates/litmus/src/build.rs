//! Makes a test of its text: locations first, then what is observed, then one function for each thread.

use crate::aarch64;
use crate::aarch64_cas;
use crate::aarch64_memory;
use crate::assembly::{Instruction, Item};
use crate::c;
use crate::cells::Cells;
use crate::condition::Proposition;
use crate::error::{Result, syntax};
use crate::final_state::{Claim, Comparison, Side};
use crate::header::Arch;
use crate::lines::Lines;
use crate::location::{Named, Value};
use crate::observed::{Key, Keys, Observations};
use crate::ppc;
use crate::registers;
use crate::source::{Code, TestText};
use crate::test::Test;
use crate::thread::Thread;
use crate::types::Type;
use crate::x86;
use raddle_program::{Builder, Function, FunctionId, Instr, Program, mark_loops, verify};
use std::collections::BTreeMap;

pub(crate) fn build(source: TestText, lines: &Lines) -> Result<Test> {
    let machine = Widths::of(&source);
    let mut program = Program::new();
    if source.header.arch == Arch::AArch64 {
        program.externs = aarch64_cas::EXTERNS.map(String::from).to_vec();
    }
    let cells = cells(&source, &machine, &mut program)?;
    let keys = Keys { arch: source.header.arch, n_threads: source.code.n_threads(), cells: &cells };
    let types = RegisterTypes::of(&source, &keys)?;
    let observations = Observations::new(&keys, &source.end, |thread, name| types.get(thread, name))?;
    for number in 0..keys.n_threads {
        let mut thread = Thread::new(number, &cells, lines, &mut program.places);
        for (name, value) in initial_registers(number, &source, &keys)? {
            let bits = match (machine.arch, types.get(number, &name)) {
                (Arch::X86, _) => machine.register_bits,
                (Arch::C, Some(of)) => of.bits(),
                _ => 64,
            };
            thread.initialise(&name, value & (u64::MAX >> (64 - bits)));
        }
        lower(&mut thread, number, &source.code, &machine)?;
        let mut function = thread.finish(&observations.results[number])?;
        mark_loops(&mut function);
        program.entries.push(FunctionId(number as u32));
        program.functions.push(function);
    }
    while program.entries.len() < 2 {
        program.entries.push(FunctionId(program.functions.len() as u32));
        program.functions.push(idle());
    }
    debug_assert_eq!(verify(&program), Ok(()));
    let condition = observations.condition(&keys, &source.end.claim)?;
    let filter = source.end.filter.as_ref().map(|filter| observations.condition(&keys, filter)).transpose()?;
    let condition_text = format!("{} ({})", source.end.quantifier.word(), Observations::text(&keys, &source.end.claim));
    Ok(Test {
        name: source.header.name,
        arch: source.header.arch,
        program,
        quantifier: source.end.quantifier,
        condition,
        filter,
        observed: observations.observed,
        condition_text,
        shown: observations.shown,
        addresses: cells.names_by_address(),
    })
}

/// A thread that does nothing: with it the locations of a test of one thread are shared memory, as in all other tests.
fn idle() -> Function {
    let mut builder = Builder::new("idle", 0, 0);
    let block = builder.block();
    builder.switch_to(block);
    let values = builder.uses(&[]);
    builder.push(Instr::Return { values });
    builder.finish()
}

/// What the whole test decides about words.
///
/// herd7 keeps whole addresses in registers and words of 32-bit machines. A word of memory has four bytes here, unless
/// the test keeps addresses in memory: then it has eight on X86 and PPC.
struct Widths {
    arch: Arch,
    word_bytes: u32,
    register_bits: u8,
}

impl Widths {
    fn of(source: &TestText) -> Widths {
        let is_address = |value: &Value| matches!(value, Value::Address(..));
        let (mut in_memory, mut in_registers) = (false, false);
        for binding in &source.initial {
            let is_pointer = matches!(binding.of.as_ref().map(Type::element), Some(Type::Pointer(_)));
            if is_pointer || binding.values.iter().any(is_address) {
                let is_register = matches!(binding.named, Named::Register { .. });
                in_registers |= is_register;
                in_memory |= !is_register;
            }
        }
        for_each_comparison(source, |comparison| {
            if matches!(&comparison.right, Side::Value(value) if is_address(value)) {
                let is_register = matches!(comparison.left, Named::Register { .. });
                in_registers |= is_register;
                in_memory |= !is_register;
            }
        });
        let arch = source.header.arch;
        let is_short = matches!(arch, Arch::X86 | Arch::Ppc);
        Widths {
            arch,
            word_bytes: if is_short && in_memory { 8 } else { 4 },
            register_bits: if in_memory || in_registers { 64 } else { 32 },
        }
    }

    fn x86(&self) -> x86::Setting {
        x86::Setting { arch: self.arch, register_bits: self.register_bits, memory_bytes: self.word_bytes }
    }
}

fn for_each_comparison<'s>(source: &'s TestText, mut f: impl FnMut(&'s Comparison)) {
    let filter: Option<&Claim> = source.end.filter.as_ref();
    for claim in std::iter::once(&source.end.claim).chain(filter) {
        Proposition::atoms(claim, &mut f);
    }
}

/// All locations that the test names, placed in the program.
fn cells(source: &TestText, machine: &Widths, program: &mut Program) -> Result<Cells> {
    let mut cells = Cells::new(machine.word_bytes);
    for binding in &source.initial {
        if let Named::Location(name) = &binding.named {
            cells.mention(name);
            if binding.of.as_ref().is_some_and(|of| !cells.declare(name, of)) {
                return syntax(binding.at, format!("`{name}` has another type above"));
            }
            cells.initialise(name, &binding.values);
        }
        binding.values.iter().for_each(|value| mention_value(&mut cells, value));
    }
    mention_code(&mut cells, source, machine);
    let mention_named = |cells: &mut Cells, named: &Named| match named {
        Named::Location(name) | Named::Element(name, _) => cells.mention(name),
        Named::Register { .. } => {}
    };
    source.end.locations.iter().for_each(|(_, named, _)| mention_named(&mut cells, named));
    for_each_comparison(source, |comparison| {
        mention_named(&mut cells, &comparison.left);
        match &comparison.right {
            Side::Value(value) => mention_value(&mut cells, value),
            Side::Named(named) => mention_named(&mut cells, named),
        }
    });
    cells.place(program)?;
    Ok(cells)
}

fn mention_value(cells: &mut Cells, value: &Value) {
    if let Value::Address(name, _) = value {
        cells.mention(name);
    }
}

/// The locations in the code, and the sizes of accesses through registers that hold an address from the start.
fn mention_code(cells: &mut Cells, source: &TestText, machine: &Widths) {
    let columns = match &source.code {
        Code::Assembly(columns) => columns,
        Code::C(functions) => {
            for parameter in functions.iter().flat_map(|function| &function.parameters) {
                cells.declare(&parameter.name, &parameter.of);
            }
            return;
        }
    };
    let held = held_addresses(source);
    for (thread, column) in columns.iter().enumerate() {
        for item in column {
            let Item::Instruction(instruction) = item else { continue };
            accesses(machine, instruction, |name, bytes| match registers::find(machine.arch, name) {
                Some(register) => {
                    if let (Some(location), Some(bytes)) = (held.get(&(thread, register.name)), bytes) {
                        cells.access(location, bytes);
                    }
                }
                None if matches!(machine.arch, Arch::X86 | Arch::X86_64) => match bytes {
                    Some(bytes) => cells.access(name, bytes),
                    None => cells.mention(name),
                },
                None => {}
            });
        }
    }
}

fn accesses<'i>(machine: &Widths, instruction: &'i Instruction, f: impl FnMut(&'i str, Option<u32>)) {
    match machine.arch {
        Arch::X86 | Arch::X86_64 => x86::accesses(machine.x86(), instruction, f),
        Arch::Ppc => ppc::accesses(instruction, machine.word_bytes, f),
        Arch::AArch64 => aarch64_memory::accesses(instruction, f),
        Arch::C => {}
    }
}

/// The location whose address a register of a thread holds at the start.
fn held_addresses(source: &TestText) -> BTreeMap<(usize, String), &str> {
    let mut held = BTreeMap::new();
    for binding in &source.initial {
        if let (Named::Register { thread, name }, [Value::Address(location, _)]) = (&binding.named, binding.values.as_slice())
            && let Some(register) = registers::find(source.header.arch, name)
        {
            held.insert((*thread, register.name), location.as_str());
        }
    }
    held
}

/// The types that the initial state or declarations give to registers.
struct RegisterTypes(BTreeMap<(usize, String), Type>);

impl RegisterTypes {
    fn of(source: &TestText, keys: &Keys) -> Result<RegisterTypes> {
        let mut types = BTreeMap::new();
        for binding in &source.initial {
            if let (Key::Register { thread, name, .. }, Some(of)) = (keys.key(binding.at, &binding.named)?, &binding.of) {
                types.insert((thread, name), of.clone());
            }
        }
        if let Code::C(functions) = &source.code {
            for (thread, function) in functions.iter().enumerate() {
                types.extend(c::variables(function).into_iter().map(|(name, of)| ((thread, name), of)));
            }
        }
        Ok(RegisterTypes(types))
    }

    fn get(&self, thread: usize, name: &str) -> Option<Type> {
        self.0.get(&(thread, name.to_string())).cloned()
    }
}

/// The registers of a thread that have values at first.
fn initial_registers(number: usize, source: &TestText, keys: &Keys) -> Result<Vec<(String, u64)>> {
    let mut registers = Vec::new();
    for binding in &source.initial {
        let Key::Register { thread: of, name, .. } = keys.key(binding.at, &binding.named)? else { continue };
        if of != number {
            continue;
        }
        let value = match binding.values.as_slice() {
            [] => continue,
            [value] => keys.cells.word_of(value),
            _ => return syntax(binding.at, "a register has one value"),
        };
        registers.push((name, value));
    }
    Ok(registers)
}

fn lower(thread: &mut Thread, number: usize, code: &Code, machine: &Widths) -> Result<()> {
    let column = match code {
        Code::C(functions) => return c::lower(thread, &functions[number]),
        Code::Assembly(columns) => &columns[number],
    };
    let wide = aarch64::wide_registers(column);
    for item in column {
        match item {
            Item::Label(at, name) => thread.label(*at, name)?,
            Item::Instruction(instruction) => {
                thread.at(instruction.at);
                match machine.arch {
                    Arch::Ppc => ppc::lower(thread, machine.word_bytes, instruction)?,
                    Arch::AArch64 => aarch64::lower(thread, instruction, &wide)?,
                    _ => x86::lower(thread, machine.x86(), instruction)?,
                }
            }
        }
    }
    Ok(())
}
