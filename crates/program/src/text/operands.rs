//! Constants as operands: how they are written in a function and found again.

use crate::field::{Constants, Lists, parse_number};
use crate::pool::Pool;
use crate::{Builder, Function, FunctionId, Instr, Program, Reg, Regs, Use};
use raddle_event::{Address, Region};

/// Functions that are named in text have smaller numbers.
pub(super) const FUNCTIONS: u32 = 1 << 20;

/// A word as it is written: the address of something in the program, or a number.
pub(super) fn print_word(program: &Program, value: u64) -> String {
    let is_large = program.addresses.block(Address(value)).is_some_and(|block| block.is_large());
    match program.addresses.find(Address(value)) {
        Some((Region::Code, number, 0)) if (number as usize) < program.functions.len() && !is_large => format!("&f{number}"),
        Some((Region::Globals, number, offset)) => match program.globals.get(number as usize) {
            Some(global) if global.address.0 == value => format!("&g{number}"),
            Some(global) if offset <= global.size && global.address.0 + offset == value => format!("&g{number}+{offset}"),
            _ => value.to_string(),
        },
        _ => value.to_string(),
    }
}

/// The value of a word.
pub(super) fn parse_word(program: &mut Program, word: &str) -> Option<u64> {
    let Some(name) = word.strip_prefix('&') else { return parse_number(word) };
    if let Some(number) = name.strip_prefix('f') {
        let number = number.parse().ok().filter(|&number| number < FUNCTIONS)?;
        return program.function_address(FunctionId(number)).map(|address| address.0);
    }
    let (number, offset) = name.strip_prefix('g')?.split_once('+').unwrap_or((&name[1..], "0"));
    let global = program.globals.get(number.parse::<usize>().ok()?)?;
    global.address.0.checked_add(parse_number(offset)?)
}

/// The operands of one instruction while it is printed.
pub(super) struct Printed<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub pool: &'a Pool,
    pub instr: &'a Instr,
}

impl Lists for Printed<'_> {
    fn list(&self, regs: Regs) -> &[Reg] {
        self.function.list(regs)
    }

    fn constant(&self, reg: Reg) -> Option<u64> {
        Lists::constant(self.function, reg)
    }

    fn literal(&self, reg: Reg) -> Option<String> {
        let low = Lists::constant(self, reg)?;
        let number = reg.0 - self.function.registers;
        let is_pair = self.instr.pair_uses().contains(&Some(Use(reg)));
        let high = Lists::constant(self, Reg(reg.0 + 1)).filter(|_| is_pair);
        let word = |value| print_word(self.program, value);
        Some(match high {
            Some(high) if self.pool.find_pair(low, high) == Some(number) => format!("{}:{}", word(low), word(high)),
            None if self.pool.find_word(low) == Some(number) => word(low),
            _ => format!("#{number}"),
        })
    }
}

/// The operands of a function while it is parsed.
pub(super) struct Parsed<'a> {
    pub program: &'a mut Program,
    pub builder: &'a mut Builder,
}

impl Constants for Parsed<'_> {
    fn constant(&mut self, value: u64) -> Reg {
        self.builder.constant(value)
    }

    fn list(&mut self, regs: Vec<Reg>) -> Regs {
        self.builder.list(&regs)
    }

    fn literal(&mut self, word: &str) -> Option<Reg> {
        if let Some(number) = word.strip_prefix('#') {
            return self.builder.nth_constant(number.parse().ok()?);
        }
        if let Some((low, high)) = word.split_once(':') {
            let (low, high) = (parse_word(self.program, low)?, parse_word(self.program, high)?);
            return Some(self.builder.constant_pair((high as u128) << 64 | low as u128));
        }
        parse_word(self.program, word).map(|value| self.builder.constant(value))
    }
}
