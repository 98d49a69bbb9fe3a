//! What can be said behind `raddle litmus`.

use crate::arguments::{Most, workers};
use crate::litmus::models::Models;
use clap::{Args, ValueEnum};
use raddle_check::Algorithm;
use raddle_machine::{Limits, Stopping};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How the answers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// herd7's text.
    Herd,
    /// One object per test, model and line.
    Json,
}

#[derive(Args)]
pub struct LitmusOptions {
    /// Litmus tests for X86, X86_64, PPC, AArch64 or C.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The memory model: sc, tso, pso, ra, sra, rc11 (or c11), power or aarch64; all for a table of those that make
    /// sense for each test. Where nothing is said, aarch64 for tests for AArch64, and sc for others.
    #[arg(long, short)]
    pub model: Option<Models>,
    /// The algorithm: optimal, source, classic or naive; weak-trace for ra; graphs for rc11, sra, ra; rsmc for power,
    /// aarch64. Where nothing is said, the best for the model.
    #[arg(long)]
    pub algorithm: Option<Algorithm>,
    /// Lets at most this many stores wait in a buffer: of a thread (tso), or of a thread to one location (pso).
    #[arg(long, value_name = "B")]
    pub buffer_bound: Option<u32>,
    /// Cuts each loop after this many iterations.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub unroll: u32,
    #[command(flatten)]
    pub most: Most,
    /// How the answers are printed.
    #[arg(long, value_enum, ignore_case = true, default_value = "herd")]
    pub format: Format,
    /// Writes a page to this file: each test with its outcomes, and an execution of each as a graph.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// How many tests are explored side by side; as many as there are processors where nothing is said.
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

impl LitmusOptions {
    /// How many workers there are.
    pub fn jobs(&self) -> usize {
        workers(self.jobs)
    }

    /// What the machine may do, until it is asked to stop.
    pub fn limits(&self, stop: &Stopping) -> Limits {
        Limits { unroll: Some(self.unroll), stop: stop.clone(), ..Limits::default() }
    }
}
