//! Prints programs.

use super::operands::{Printed, print_word};
use crate::pool::Pool;
use crate::{BlockId, Defs, Field, Function, Global, Layout, Place, PlaceId, Program, Scalar, Symbol, TypeId};
use raddle_event::Region;
use std::fmt::{self, Display, Formatter, Result};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_addresses(self, f)?;
        for (number, place) in self.places.iter().enumerate().skip_while(|(n, p)| *n == 0 && **p == Place::default()) {
            print_place(number, place, f)?;
        }
        for (number, layout) in self.layouts.iter().enumerate() {
            print_layout(number, layout, f)?;
        }
        for (number, note) in self.notes.iter().enumerate().skip_while(|(n, s)| *n == 0 && **s == Symbol::default()) {
            write!(f, "note n{number} {:?}", note.text)?;
            print_type(note.layout, f)?;
            writeln!(f)?;
        }
        for (number, name) in self.externs.iter().enumerate() {
            writeln!(f, "extern x{number} {name:?}")?;
        }
        for (number, global) in self.globals.iter().enumerate() {
            print_global(number, global, f)?;
        }
        for entry in &self.entries {
            writeln!(f, "entry f{}", entry.0)?;
        }
        for (number, function) in self.functions.iter().enumerate() {
            print_function(self, number, function, f)?;
        }
        Ok(())
    }
}

/// The blocks of functions and globals; those of a running program come behind them.
fn print_addresses(program: &Program, f: &mut Formatter<'_>) -> Result {
    let mut separator = "addresses ";
    for block in program.addresses.blocks() {
        let name = match block.region {
            Region::Code => "code",
            Region::Globals => "globals",
            _ => break,
        };
        let size = if block.is_large() { ".large" } else { "" };
        write!(f, "{separator}{name}.{}{size}", block.first)?;
        separator = " ";
    }
    if separator == " " { writeln!(f) } else { Ok(()) }
}

fn print_place(number: usize, place: &Place, f: &mut Formatter<'_>) -> Result {
    write!(f, "place p{number} {:?} {} {} {:?}", place.file, place.line, place.column, place.function)?;
    match place.inlined_at {
        Some(at) => writeln!(f, " inlined p{}", at.0),
        None => writeln!(f),
    }
}

fn print_layout(number: usize, layout: &Layout, f: &mut Formatter<'_>) -> Result {
    write!(f, "layout y{number} ")?;
    match layout {
        Layout::Scalar { name, size, kind } => {
            let (_, word) = Scalar::ALL.iter().find(|(scalar, _)| scalar == kind).expect("ALL lists every one");
            write!(f, "scalar {name:?} {size} {word}")?;
        }
        Layout::Array { element, count } => write!(f, "array y{} {count}", element.0)?,
        Layout::Record { name, size, members } => {
            write!(f, "record {name:?} {size}")?;
            for member in members {
                write!(f, " member {:?} {} y{}", member.name, member.offset, member.of.0)?;
            }
        }
    }
    writeln!(f)
}

fn print_type(layout: Option<TypeId>, f: &mut Formatter<'_>) -> Result {
    layout.map_or(Ok(()), |of| write!(f, " layout y{}", of.0))
}

fn print_global(number: usize, global: &Global, f: &mut Formatter<'_>) -> Result {
    write!(f, "global g{number} {:?} size {} align {}", global.name, global.size, global.align)?;
    if !global.bytes.is_empty() {
        write!(f, " bytes ")?;
        global.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
    }
    print_type(global.layout, f)?;
    let flags = [(global.constant, " constant"), (global.thread_local, " thread_local")];
    flags.iter().filter(|(set, _)| *set).try_for_each(|(_, word)| f.write_str(word))?;
    writeln!(f)
}

fn print_function(program: &Program, number: usize, function: &Function, f: &mut Formatter<'_>) -> Result {
    write!(f, "function f{number} {:?} parameters {}", function.name, function.parameters)?;
    write!(f, " results {} registers {}", function.results, function.registers)?;
    if function.variadic {
        write!(f, " variadic")?;
    }
    print_at(function.place, f)?;
    if !function.constants.is_empty() {
        write!(f, "  constants")?;
        function.constants.iter().try_for_each(|&value| write!(f, " {}", print_word(program, value)))?;
        writeln!(f)?;
    }
    for (number, table) in function.tables.iter().enumerate() {
        write!(f, "  table t{number}")?;
        table.cases.iter().try_for_each(|(value, to)| write!(f, " {}:b{}", print_word(program, *value), to.0))?;
        writeln!(f)?;
    }
    for (number, &live) in function.loops.iter().enumerate() {
        let mut list = String::new();
        Defs(live).print(&mut list, function);
        writeln!(f, "  loop l{number} {list}")?;
    }
    print_code(program, function, f)
}

fn print_code(program: &Program, function: &Function, f: &mut Formatter<'_>) -> Result {
    let pool = &Pool::of(&function.constants);
    for block in (0..function.blocks.len() as u32).map(BlockId) {
        writeln!(f, "b{}:", block.0)?;
        for at in function.block(block) {
            let instr = &function.code[at];
            let mut text = String::new();
            instr.print(&mut text, &Printed { program, function, pool, instr });
            write!(f, "  {text}")?;
            print_at(function.places[at], f)?;
        }
    }
    Ok(())
}

fn print_at(place: PlaceId, f: &mut Formatter<'_>) -> fmt::Result {
    match place {
        PlaceId(0) => writeln!(f),
        PlaceId(number) => writeln!(f, " @p{number}"),
    }
}
