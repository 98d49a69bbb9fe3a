//! Hostile input: what must hold of any bytes that are read as a program text, a litmus test, bitcode or a witness, and
//! of any command line.
//!
//! Each target is one function over bytes. `fuzz/` gives it to libFuzzer, which looks for input that reaches new code;
//! `tests/targets.rs` gives it seeds that are changed at random, so that some thousand inputs are in the test command.
//! Both panic where something does not hold. Command lines are run as processes of their own, by [`Trial`].
//! `tools/fuzz` runs them all.

#![warn(clippy::too_many_lines)]

mod bitcode;
mod change;
mod command;
mod execute;
mod inputs;
mod litmus;
mod program_text;
mod trial;
mod verdict;
mod watched;
mod witness;

pub use bitcode::bitcode;
pub use change::{changed_bytes, changed_text};
pub use litmus::litmus;
pub use program_text::program_text;
pub use trial::{Finding, Trial};
pub use witness::{forged, witness};
