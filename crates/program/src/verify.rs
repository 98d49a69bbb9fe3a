//! The invariants of the program form, decided from scratch.
//!
//! 1. Every function has at least one block, and no block is empty.
//! 2. The last instruction of a block ends it, and no other does.
//! 3. Registers, constants, lists, blocks, tables, loops, functions, externs, globals, notes, places and layouts exist.
//! 4. No constant is written.
//! 5. Widths are 1 to 64 bits, of floating point 32 or 64, of pairs 65 to 128; an access has 1 to 16 bytes, more than
//!    eight only where a pair of registers exists. A pair is not half a constant. A read-modify-write of floating point
//!    has 4 or 8 bytes, and none is an operation that only the library's locks are made of. A part of a word is within
//!    it.
//! 6. A direct call passes the parameters (or more, to a variadic function) and takes the results of the function.
//! 7. A return gives as many values as the function has results.
//! 8. The first bytes of a global are at most its size.
//! 9. There is an entry, and every entry exists.
//! 10. The cases of a table rise, and a table belongs to one switch.
//! 11. A function has at most [`Reg::LIMIT`] registers.
//! 12. An array is not its own element, and a place is not inlined at itself, however indirectly.
//! 13. Every way from a block back to itself passes the mark of a next iteration ([`crate::mark_loops`]).
//!
//! The machine relies on these where it does not look again: frames have the registers that instructions name (3, 4, 5,
//! 6, 11), code goes on inside its function (1, 2, 3), shifts are within words (5), tables are searched by halves
//! (10), and a thread that runs for long passes a mark where limits are looked at (13).
//! Whatever else a program can do wrong is looked at when it is run.

use crate::loops::unmarked_head;
use crate::{Bits, BlockId, Convert, Function, Instr, Layout, PlaceId, Program, Reg, Regs, Size, TypeId};
use raddle_event::RmwOp;
use std::fmt;

/// What is wrong with a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The name of the function; empty where it is not about one.
    pub function: String,
    /// The number of the instruction in it.
    pub at: usize,
    /// What is wrong, in a sentence.
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
    verify_whole(program).map_err(|what| Invalid { function: String::new(), at: 0, what })?;
    program.functions.iter().try_for_each(|function| verify_function(program, function))
}

fn exists(what: &str, index: usize, len: usize) -> Result<(), String> {
    match index < len {
        true => Ok(()),
        false => Err(format!("{what} {index} does not exist")),
    }
}

fn verify_whole(program: &Program) -> Result<(), String> {
    verify_layouts(program)?;
    verify_places(program)?;
    for global in &program.globals {
        if global.bytes.len() as u64 > global.size {
            return Err(format!("global `{}` has more bytes than its size", global.name));
        }
    }
    if program.entries.is_empty() {
        return Err("there is no entry".into());
    }
    program.entries.iter().try_for_each(|entry| exists("entry", entry.index(), program.functions.len()))
}

fn verify_layouts(program: &Program) -> Result<(), String> {
    let check = |of: TypeId| exists("layout", of.0 as usize, program.layouts.len());
    for layout in &program.layouts {
        match layout {
            Layout::Scalar { .. } => {}
            Layout::Array { element, .. } => check(*element)?,
            Layout::Record { members, .. } => members.iter().try_for_each(|member| check(member.of))?,
        }
    }
    let element = |at: usize| match program.layouts[at] {
        Layout::Array { element, .. } => Some(element.0 as usize),
        _ => None,
    };
    if let Some(number) = cycle(program.layouts.len(), element) {
        return Err(format!("layout {number} is an array of itself"));
    }
    let named = program.globals.iter().map(|global| global.layout).chain(program.notes.iter().map(|note| note.layout));
    named.flatten().try_for_each(check)
}

fn verify_places(program: &Program) -> Result<(), String> {
    let n_places = program.places.len();
    let outer = |at: usize| program.places[at].inlined_at.map(|outer| outer.0 as usize);
    (0..n_places).filter_map(outer).try_for_each(|place| exists("place", place, n_places))?;
    match cycle(n_places, outer) {
        Some(number) => Err(format!("place {number} is inlined at itself")),
        None => Ok(()),
    }
}

/// A member of a cycle in a relation that leads from a number below `n` to at most one other.
fn cycle(n: usize, next: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    // The walk that a number was met on; each number is met on one.
    let mut walks = vec![None; n];
    for start in 0..n {
        let mut at = Some(start);
        while let Some(number) = at.filter(|&number| walks[number].is_none()) {
            walks[number] = Some(start);
            at = next(number);
        }
        if at.is_some_and(|number| walks[number] == Some(start)) {
            return at;
        }
    }
    None
}

fn verify_function(program: &Program, function: &Function) -> Result<(), Invalid> {
    let fail = |at: usize, what: String| Err(Invalid { function: function.name.clone(), at, what });
    if let Err(what) = verify_head(program, function) {
        return fail(0, what);
    }
    let mut switches = vec![false; function.tables.len()];
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
            if let Instr::Switch { cases, .. } = instr {
                if std::mem::replace(&mut switches[cases.index()], true) {
                    return fail(at, format!("table {} belongs to another switch", cases.0));
                }
            }
        }
    }
    match unmarked_head(function) {
        Some(head) => fail(function.block(head).start, format!("code comes back to block {} without the mark of a loop", head.0)),
        None => Ok(()),
    }
}

fn verify_head(program: &Program, function: &Function) -> Result<(), String> {
    if function.blocks.is_empty() || function.blocks[0] != 0 {
        return Err("there is no first block".into());
    }
    if function.parameters > function.registers {
        return Err("there are fewer registers than parameters".into());
    }
    if function.registers > Reg::LIMIT {
        return Err(format!("there are more than {} registers", Reg::LIMIT));
    }
    if function.places.len() != function.code.len() {
        return Err("not every instruction has a place".into());
    }
    exists("place", function.place.0 as usize, program.places.len())?;
    for (number, &live) in function.loops.iter().enumerate() {
        verify_list(function, live)?;
        if function.list(live).iter().any(|reg| reg.0 >= function.registers) {
            return Err(format!("loop {number} lists a register that does not exist"));
        }
    }
    for (number, table) in function.tables.iter().enumerate() {
        if !table.cases.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(format!("the cases of table {number} do not rise"));
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
        Instr::Enter { at } | Instr::Latch { at, .. } => exists("loop", at.index(), function.loops.len())?,
        Instr::ThreadLocal { global, .. } => exists("global", global.index(), program.globals.len())?,
        Instr::Alloca { name, .. } | Instr::Unsupported { what: name } => exists("note", name.index(), program.notes.len())?,
        _ => {}
    }
    Ok(())
}

fn verify_list(function: &Function, list: Regs) -> Result<(), String> {
    match list.start as usize + list.len as usize <= function.lists.len() {
        true => Ok(()),
        false => Err(format!("the list at {} does not exist", list.start)),
    }
}

fn verify_registers(function: &Function, instr: &Instr) -> Result<(), String> {
    instr.lists().into_iter().flatten().try_for_each(|list| verify_list(function, list))?;
    let (mut missing, mut constant) = (None, None);
    let is_missing = |reg: &Reg| reg.index() >= function.frame();
    let is_constant = |reg: &Reg| reg.0 >= function.registers;
    instr.uses(function, |reg| missing = missing.or(Some(reg).filter(is_missing)));
    instr.defs(function, |reg| constant = constant.or(Some(reg).filter(is_constant)));
    // The second of a pair has a number only where the first exists.
    if missing.is_none() && constant.is_none() {
        if instr.pair_uses().into_iter().flatten().any(|first| first.0.0 + 1 == function.registers) {
            return Err(format!("register {} is the first of no pair", function.registers - 1));
        }
        instr.all_uses(function, |reg| missing = missing.or(Some(reg).filter(is_missing)));
        instr.all_defs(function, |reg| constant = constant.or(Some(reg).filter(is_constant)));
    }
    match (missing, constant) {
        (Some(Reg(reg)), _) => Err(format!("register {reg} does not exist")),
        (None, Some(Reg(reg))) => Err(format!("register {reg} cannot be written")),
        (None, None) => Ok(()),
    }
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
        Instr::Part { from, at, bytes, .. } => match from.max(at).checked_add(bytes) {
            Some(1..=8) if bytes > 0 => Ok(()),
            _ => Err(format!("{bytes} bytes from byte {from}, at byte {at}")),
        },
        Instr::SExt { from, bits, .. } => within(bits, 1, 64).and(within(from, 1, bits.0)),
        Instr::FConvert { op: Convert::FpToFp, from, bits, .. } => any_float(from).and(any_float(bits)),
        Instr::FConvert { op: Convert::SiToFp | Convert::UiToFp, from, bits, .. } => within(from, 1, 128).and(any_float(bits)),
        Instr::FConvert { from, bits, .. } => any_float(from).and(within(bits, 1, 128)),
        Instr::Rmw { op: RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin, size: Size(size), .. } if !matches!(size, 4 | 8) => {
            Err(format!("{size} bytes of floating point"))
        }
        Instr::Rmw { op, .. } if op.is_of_library() => Err("an operation of the library's locks".into()),
        Instr::StoreUnless { size: Size(size), .. } if size > 8 => Err(format!("{size} bytes")),
        Instr::Load { size: Size(size), .. }
        | Instr::StoreUnless { size: Size(size), .. }
        | Instr::Store { size: Size(size), .. }
        | Instr::Rmw { size: Size(size), .. }
        | Instr::CompareExchange { size: Size(size), .. }
        | Instr::CompareExchangeWeak { size: Size(size), .. }
        | Instr::LoadReserve { size: Size(size), .. }
        | Instr::StoreConditional { size: Size(size), .. } => match size {
            1..=16 => Ok(()),
            _ => Err(format!("{size} bytes")),
        },
        _ => match instr.bits() {
            Some(bits) => within(bits, 1, 64),
            None => Ok(()),
        },
    }
}

fn any_float(bits: Bits) -> Result<(), String> {
    if bits.0 == 80 { Ok(()) } else { float(bits) }
}

fn float(bits: Bits) -> Result<(), String> {
    match bits.0 {
        32 | 64 => Ok(()),
        n => Err(format!("{n} bits of floating point")),
    }
}
