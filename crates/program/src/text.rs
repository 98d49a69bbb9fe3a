//! The text syntax of programs: everything that a [`Program`] holds, printed and parsed without loss.
//!
//! It goes line by line; `//` begins a comment. A name is a string in quotes with Rust's escapes. What has a number is
//! introduced in the order of its numbers; `place p0` and `note n0` need not be. In square brackets: may be left out.
//!
//! ```text
//! addresses code.0 globals.0               the blocks of addresses in order; made when needed where left out
//! place p1 "a.c" 3 5 "main" [inlined p2]   file, line, column, function
//! layout y0 scalar "int" 4 signed          name, size
//! layout y1 array y0 10
//! layout y2 record "pair" 8 [member "first" 0 y0] [member "second" 4 y0]
//! note n1 "buffer" [layout y1]
//! extern x0 "pthread_create"
//! global g0 "x" size 4 [align 4] [bytes 2a00] [layout y0] [constant] [thread_local]
//! entry f0
//! function f0 "main" [parameters 1] [results 1] [variadic] [registers 5] [@p1]
//!   constants 7 0 &g0                      their order; those that the code names are added
//!   table t0 1:b2 5:b3                     the cases of a switch
//!   loop l0 (r1 r2)                        the registers live at its head
//! b0:
//!   add r2, r0, 7, 32 @p1                  see `Instr` for the instructions
//! ```
//!
//! An operand is a register `r2` or a constant: a number, the address `&g0`, `&g0+4` or `&f1`, a pair `7:0` (low half
//! first), or `#2` for the one with that number, which is needed only where an equal one stands before it.
//!
//! Printing and parsing gives an equal program if its lists stand in order, as [`crate::Builder`] and
//! [`crate::mark_loops`] leave them, and it grew from [`Program::new`]. Parsing does not verify.

mod functions;
mod globals;
mod line;
mod operands;
mod print;

use crate::Program;
use line::Line;
use std::fmt;

/// Why a text is not a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Counted from one.
    pub line: u32,
    /// Counted from one, in characters.
    pub column: u32,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads a program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut program = Program::new();
    let mut open = None;
    for (number, text) in text.lines().enumerate() {
        let mut line = Line::new(number as u32 + 1, text);
        if line.is_done() {
            continue;
        }
        let word = line.word()?;
        if word == "function" {
            functions::close(&mut program, &mut open);
            open = Some(functions::head(&program, &mut line)?);
        } else if globals::is_introduced_by(word) {
            functions::close(&mut program, &mut open);
            globals::parse(&mut program, word, &mut line)?;
        } else {
            let Some(function) = &mut open else {
                return Err(line.error(format!("`{word}` stands outside of a function")));
            };
            function.parse(&mut program, word, &mut line)?;
        }
        line.end()?;
    }
    functions::close(&mut program, &mut open);
    Ok(program)
}
