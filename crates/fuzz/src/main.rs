//! Command lines at random for some seconds: `tools/fuzz SECONDS commands`.

use clap::Parser;
use raddle_fuzz::Trial;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs random command lines on random and damaged inputs, and looks how they end. Fails when one ends as none may.
#[derive(Parser)]
#[command(name = "raddle-fuzz")]
struct Arguments {
    /// For how many seconds.
    seconds: u64,
    /// The first seed; every command line has its own.
    #[arg(default_value_t = 1)]
    first: u64,
    /// The binary that is tried.
    #[arg(long, default_value = "target/release/raddle")]
    raddle: PathBuf,
    /// The folder for command lines that end as none may.
    #[arg(long, default_value = "target/fuzz")]
    keep: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("raddle-fuzz: {why}");
            ExitCode::from(2)
        }
    }
}

/// Gives the number of findings.
fn run(arguments: &Arguments) -> std::io::Result<u64> {
    let trial = Trial::new(&arguments.raddle)?;
    let (end, mut codes, mut n_found) = (Instant::now() + Duration::from_secs(arguments.seconds), BTreeMap::new(), 0);
    for seed in arguments.first.. {
        if Instant::now() >= end {
            println!("seeds {} to {}; exit codes: {codes:?}; {n_found} findings", arguments.first, seed - 1);
            break;
        }
        match trial.run(seed)? {
            Ok(code) => *codes.entry(code).or_insert(0u64) += 1,
            Err(finding) => {
                n_found += 1;
                println!("seed {seed}: {finding}");
                finding.keep(&arguments.keep.join(seed.to_string()))?;
            }
        }
    }
    Ok(n_found)
}
