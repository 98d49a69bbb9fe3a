//! The invariants of the program form, decided from scratch.
//!
//! 1. Every function has at least one block, and no block is empty.
//! 2. The last instruction of a block ends it, and no other does.
//! 3. Registers, constants, lists, blocks, tables, loops, functions, externs, globals, notes and places exist.
//! 4. No constant is written.
//! 5. Widths are 1 to 64 bits, of floating point 32 or 64, of pairs 65 to 128; an access has 1 to 16 bytes, more than
//!    eight only where a pair of registers exists.
//! 6. A direct call passes the parameters (or more, to a variadic function) and takes the results of the function.
//! 7. A return gives as many values as the function has results.
//! 8. The first bytes of a global are at most its size.
//! 9. There is an entry, and every entry exists.

use crate::{Bits, BlockId, Function, Instr, PlaceId, Program, Reg, Size};
use std::fmt;

/// What is wrong with a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    pub function: String,
    pub at: usize,
    pub what: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function `{}`, instruction {}: {}", self.function, self.at, self.what)
    }
}

impl std::error::Error for Invalid {}

/// Decides whether a program keeps the invariants.
pub fn verify(program: &Program) -> Result<(), Invalid> {
    let whole = |what: String| Invalid { function: String::new(), at: 0, what };
    for global in &program.globals {
        if global.bytes.len() as u64 > global.size {
            return Err(whole(format!("global `{}` has more bytes than its size", global.name)));
        }
    }
    if program.entries.is_empty() {
        return Err(whole("there is no entry".into()));
    }
    if let Some(entry) = program.entries.iter().find(|e| e.index() >= program.functions.len()) {
        return Err(whole(format!("entry {} does not exist", entry.0)));
    }
    for function in &program.functions {
        verify_function(program, function)?;
    }
    Ok(())
}

fn verify_function(program: &Program, function: &Function) -> Result<(), Invalid> {
    let fail = |at: usize, what: String| Err(Invalid { function: function.name.clone(), at, what });
    if function.blocks.is_empty() || function.blocks[0] != 0 {
        return fail(0, "there is no first block".into());
    }
    if function.parameters > function.registers {
        return fail(0, "there are fewer registers than parameters".into());
    }
    if function.places.len() != function.code.len() {
        return fail(0, "not every instruction has a place".into());
    }
    for number in 0..function.blocks.len() {
        let range = function.block(BlockId(number as u32));
        if range.start >= range.end || range.end > function.code.len() {
            return fail(range.start, format!("block {number} is empty"));
        }
        for at in range.clone() {
            let instr = &function.code[at];
            if instr.ends_block() != (at + 1 == range.end) {
                return fail(at, format!("`{}` cannot stand here in block {number}", instr.word()));
            }
            if let Err(what) = verify_instruction(program, function, instr, function.places[at]) {
                return fail(at, format!("`{}`: {what}", instr.word()));
            }
        }
    }
    Ok(())
}

fn verify_instruction(program: &Program, function: &Function, instr: &Instr, place: PlaceId) -> Result<(), String> {
    verify_registers(function, instr)?;
    verify_widths(instr)?;
    let mut target = Ok(());
    instr.targets(|to| {
        if to.index() >= function.blocks.len() {
            target = Err(format!("block {} does not exist", to.0));
        }
    });
    target?;
    let exists = |what: &str, index: usize, len: usize| match index < len {
        true => Ok(()),
        false => Err(format!("{what} {index} does not exist")),
    };
    exists("place", place.0 as usize, program.places.len())?;
    match *instr {
        Instr::Switch { cases, .. } => {
            exists("table", cases.index(), function.tables.len())?;
            for &(_, to) in &function.tables[cases.index()].cases {
                exists("block", to.index(), function.blocks.len())?;
            }
        }
        Instr::Call { results, function: callee, arguments } => {
            exists("function", callee.index(), program.functions.len())?;
            let callee = &program.functions[callee.index()];
            let enough = if callee.variadic { arguments.0.len >= callee.parameters } else { arguments.0.len == callee.parameters };
            if !enough || results.0.len != callee.results {
                return Err(format!("`{}` is called with the wrong number of arguments or results", callee.name));
            }
        }
        Instr::CallExtern { function: callee, .. } => exists("extern", callee.index(), program.externs.len())?,
        Instr::Return { values } if values.0.len != function.results => {
            return Err("the wrong number of values is returned".into());
        }
        Instr::Enter { at } | Instr::Latch { at } => exists("loop", at.index(), function.loops.len())?,
        Instr::ThreadLocal { global, .. } => exists("global", global.index(), program.globals.len())?,
        Instr::Alloca { name, .. } | Instr::Unsupported { what: name } => exists("note", name.index(), program.notes.len())?,
        _ => {}
    }
    Ok(())
}

fn verify_registers(function: &Function, instr: &Instr) -> Result<(), String> {
    if let Some(list) = instr.lists().into_iter().flatten().find(|l| (l.start + l.len) as usize > function.lists.len()) {
        return Err(format!("the list at {} does not exist", list.start));
    }
    let mut result = Ok(());
    instr.all_uses(function, |Reg(reg)| {
        if reg as usize >= function.frame() {
            result = Err(format!("register {reg} does not exist"));
        }
    });
    instr.all_defs(function, |Reg(reg)| {
        if reg >= function.registers {
            result = Err(format!("register {reg} cannot be written"));
        }
    });
    result
}

fn verify_widths(instr: &Instr) -> Result<(), String> {
    let within = |bits: Bits, low: u8, high: u8| match (low..=high).contains(&bits.0) {
        true => Ok(()),
        false => Err(format!("{} bits", bits.0)),
    };
    match *instr {
        Instr::WideOp { bits, .. } => within(bits, 65, 128),
        Instr::WideSExt { from, bits, .. } => within(from, 1, 64).and(within(bits, 65, 128)),
        Instr::FAdd { bits, .. } | Instr::FSub { bits, .. } | Instr::FMul { bits, .. } | Instr::FDiv { bits, .. } => float(bits),
        Instr::FRem { bits, .. } | Instr::FNeg { bits, .. } | Instr::FAbs { bits, .. } | Instr::FMulAdd { bits, .. } => float(bits),
        Instr::FCompare { bits, .. } => float(bits),
        Instr::FConvert { from, bits, .. } => within(from, 1, 128).and(within(bits, 1, 128)),
        Instr::Load { size: Size(size), .. }
        | Instr::Store { size: Size(size), .. }
        | Instr::Rmw { size: Size(size), .. }
        | Instr::CompareExchange { size: Size(size), .. }
        | Instr::CompareExchangeWeak { size: Size(size), .. } => match size {
            1..=16 => Ok(()),
            _ => Err(format!("{size} bytes")),
        },
        _ => match instr.bits() {
            Some(bits) => within(bits, 1, 64),
            None => Ok(()),
        },
    }
}

fn float(bits: Bits) -> Result<(), String> {
    match bits.0 {
        32 | 64 => Ok(()),
        n => Err(format!("{n} bits of floating point")),
    }
}
