//! Memory models: what the memory may answer. This crate knows events, and neither programs nor explorers.
//!
//! A folder for each model has all that is particular to it: what C11 orders and fences mean in it, its buffers or
//! axioms.
//!
//! | folder | models | what it is |
//! |---|---|---|
//! | [`buffered`] | SC, TSO, PSO | a transition system: shared objects with their bytes, store buffers, and for each event what it depends on |
//! | [`happens`], [`cycles`] | the same | what is looked for along their schedules: data races of C11, and cycles that SC does not have |
//! | [`ra`] | release-acquire | graphs of program order and reads-from that some coherence allows |
//! | [`sra`] | strong release-acquire | the same with coherence ([`coherent`]), in which happens-before and coherence have no cycle |
//! | [`rc11`] | RC11 | graphs of program order, reads-from and coherence ([`coherent`]) |
//! | [`ordered`] | SC, TSO, PSO | the same, by a memory order |
//! | [`commits`] | | what models have in common whose events are committed out of order |
//! | [`power`], [`aarch64`] | POWER, AArch64 | graphs whose events are committed out of order |
//!
//! A model knows no exploration; the explorers learn from it what can happen next and what depends on what.

#![warn(missing_docs)]

pub mod aarch64;
pub mod buffered;
pub mod coherent;
pub mod commits;
pub mod cycles;
pub mod graphs;
pub mod happens;
mod heap;
pub mod ordered;
pub mod power;
pub mod ra;
pub mod rc11;
pub mod sra;
