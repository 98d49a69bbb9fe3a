//! Random programs with what the library keeps for those that call it.

use raddle_machine::link;
use raddle_program::Program;

/// A program that the library has been linked to.
pub fn linked(mut program: Program) -> Program {
    link(&mut program);
    program
}
