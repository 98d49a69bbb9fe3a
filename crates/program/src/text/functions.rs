//! Parses functions: the head, what is said before the code, and the code.

use super::ParseError;
use super::line::Line;
use super::operands::{FUNCTIONS, Parsed, parse_word};
use crate::field::Field;
use crate::{BlockId, Builder, Defs, Function, Instr, PlaceId, Program, Reg, Table};

/// A function whose lines are being read.
pub(super) struct Open {
    builder: Builder,
    n_blocks: usize,
    n_tables: usize,
    n_loops: usize,
    registers: Option<u32>,
}

/// Reads the line that a function begins with.
pub(super) fn head(program: &Program, line: &mut Line<'_>) -> Result<Open, ParseError> {
    line.next_id("f", program.functions.len())?;
    if program.functions.len() >= FUNCTIONS as usize {
        return Err(line.error(format!("there are more than {FUNCTIONS} functions")));
    }
    let mut said = Function { name: line.string()?, ..Function::default() };
    let mut registers = None;
    while !line.is_done() {
        match line.word()? {
            "parameters" => said.parameters = line.number32(Reg::LIMIT)?,
            "results" => said.results = line.number32(Reg::LIMIT)?,
            "registers" => registers = Some(line.number32(Reg::LIMIT)?),
            "variadic" => said.variadic = true,
            word => said.place = place(word).ok_or_else(|| line.error(format!("`{word}` cannot be said of a function")))?,
        }
    }
    let mut builder = Builder::new(said.name, said.parameters, said.results);
    builder.defined_at(said.place);
    if said.variadic {
        builder.variadic();
    }
    Ok(Open { builder, n_blocks: 0, n_tables: 0, n_loops: 0, registers })
}

/// Adds the function that was read to the program.
pub(super) fn close(program: &mut Program, open: &mut Option<Open>) {
    if let Some(Open { mut builder, registers, .. }) = open.take() {
        builder.set_registers(registers);
        program.functions.push(builder.finish());
    }
}

impl Open {
    /// Reads one line that begins with `word`.
    pub fn parse(&mut self, program: &mut Program, word: &str, line: &mut Line<'_>) -> Result<(), ParseError> {
        match word {
            "constants" => self.constants(program, line),
            "table" => self.table(program, line),
            "loop" => self.head_of_loop(program, line),
            _ => match word.strip_suffix(':') {
                Some(label) => self.block(label, line),
                None => self.instruction(program, word, line),
            },
        }
    }

    fn constants(&mut self, program: &mut Program, line: &mut Line<'_>) -> Result<(), ParseError> {
        while !line.is_done() {
            let word = line.word()?;
            let value = parse_word(program, word).ok_or_else(|| line.error(format!("`{word}` is not a constant")))?;
            self.builder.push_constant(value);
        }
        Ok(())
    }

    fn table(&mut self, program: &mut Program, line: &mut Line<'_>) -> Result<(), ParseError> {
        line.next_id("t", self.n_tables)?;
        let mut table = Table::default();
        while !line.is_done() {
            let word = line.word()?;
            let mut case = || {
                let (value, to) = word.split_once(':')?;
                Some((parse_word(program, value)?, BlockId(to.strip_prefix('b')?.parse().ok()?)))
            };
            table.cases.push(case().ok_or_else(|| line.error(format!("`{word}` is not a case like `5:b3`")))?);
        }
        self.n_tables += 1;
        self.builder.push_table(table);
        Ok(())
    }

    fn head_of_loop(&mut self, program: &mut Program, line: &mut Line<'_>) -> Result<(), ParseError> {
        line.next_id("l", self.n_loops)?;
        let builder = &mut self.builder;
        let live = Defs::parse(line.rest(), &mut Parsed { program, builder });
        let live = live.ok_or_else(|| line.error("a list of registers like `(r1 r2)` is missing"))?;
        self.n_loops += 1;
        self.builder.push_loop(live.0);
        Ok(())
    }

    fn block(&mut self, label: &str, line: &Line<'_>) -> Result<(), ParseError> {
        if label.strip_prefix('b').and_then(|number| number.parse().ok()) != Some(self.n_blocks) {
            return Err(line.error(format!("`b{}:` comes next", self.n_blocks)));
        }
        self.n_blocks += 1;
        let block = self.builder.block();
        self.builder.switch_to(block);
        Ok(())
    }

    fn instruction(&mut self, program: &mut Program, word: &str, line: &mut Line<'_>) -> Result<(), ParseError> {
        if self.n_blocks == 0 {
            return Err(line.error(format!("`{word}` stands before the first block `b0:`")));
        }
        let at = line.error("");
        let wrong = |message| ParseError { message, ..at };
        let (text, place) = split_place(line.rest()).map_err(&wrong)?;
        let fields: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split(',').map(str::trim).collect() };
        let builder = &mut self.builder;
        let instr = Instr::parse(word, &fields, &mut Parsed { program, builder }).map_err(|message| {
            let high = text.split(|c: char| !c.is_alphanumeric()).any(is_high_register);
            wrong(if high { format!("{message}: registers have numbers below {}", Reg::LIMIT) } else { message })
        })?;
        self.builder.at(place);
        self.builder.push(instr);
        Ok(())
    }
}

/// The fields of an instruction and the place behind them.
fn split_place(text: &str) -> Result<(&str, PlaceId), String> {
    let Some(at) = text.find('@') else { return Ok((text, PlaceId(0))) };
    let place = place(&text[at..]).ok_or_else(|| format!("`{}` is not a place", &text[at..]))?;
    Ok((text[..at].trim_end(), place))
}

fn place(word: &str) -> Option<PlaceId> {
    word.strip_prefix("@p")?.parse().ok().map(PlaceId)
}

fn is_high_register(word: &str) -> bool {
    let number = word.strip_prefix('r').filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    number.is_some_and(|digits| digits.parse::<u32>().map_or(true, |number| number >= Reg::LIMIT))
}
