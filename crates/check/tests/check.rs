//! The tests of checks, in one program: it is linked once, and all of them run side by side.

mod aarch64;
mod axioms;
mod barrier;
mod concluded;
mod golden;
mod jobs;
mod limits;
mod ordered;
mod placed;
mod power;
mod promises;
mod rc11;
mod rewind;
mod rewind_graphs;
mod sent;
mod shorter;
mod sra;
mod stuck;
mod support;
mod symmetry;
mod text;
mod twin;
mod units;
mod unordered;
mod watched;
mod weak_traces;
