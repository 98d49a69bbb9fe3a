//! Machines that begin with the numbers of others, and how many random programs are tried.

use raddle_machine::Machine;
use raddle_program::Program;

/// A machine that has not run yet, with the numbers that threads and locations have in another.
pub fn copy<'p>(program: &'p Program, of: &Machine) -> Machine<'p> {
    Machine::with_tables(program, of.limits().clone(), of.sites().clone(), of.tables())
}

/// How many programs are tried: more for the full run by `tools/check-all`, which may begin with another seed.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("RADDLE_TWIN_FROM").unwrap_or(0);
    first..first + number("RADDLE_TWIN_SEEDS").unwrap_or(usual)
}
