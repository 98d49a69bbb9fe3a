//! Random small concurrent programs, to compare each explorer with its plain twin.
//!
//! A seed gives a [`Description`]: a few statements for each thread, drawn as a [`Shape`] allows. The description is
//! lowered to the program form; one that fails a test is shrunk by dropping statements and threads. Every program ends.

#![warn(clippy::too_many_lines)]

mod copies;
mod description;
mod draw;
mod lower;
mod print;
mod shape;
mod shrink;

pub use copies::{Copies, ToldApart};
pub use description::{Access, Description, Expression, Look, MutexId, Pair, Statement, Style, ThreadNumber, Variable};
pub use draw::describe;
pub use lower::Lowering;
pub use raddle_event::Random;
pub use shape::Shape;
pub use shrink::{minimise, shrink};

use raddle_program::Program;

/// The program of a seed.
pub fn program(seed: u64, shape: &Shape) -> Program {
    describe(seed, shape).lower()
}
