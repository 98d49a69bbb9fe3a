//! Machines that begin with the numbers of others, and how many random programs are tried.

pub use super::seeds::seeds;

use raddle_machine::Machine;
use raddle_program::Program;

/// A machine that has not run yet, with the numbers that threads and locations have in another.
pub fn copy<'p>(program: &'p Program, of: &Machine) -> Machine<'p> {
    Machine::with_tables(program, of.limits().clone(), of.sites().clone(), of.tables())
}
