//! Runs experiments: `cargo run --release -p raddle-bench -- [EXPERIMENT...]`.

use clap::Parser;
use raddle_bench::{Experiment, cav, growth, kept, rinspect, tacas, tracer};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs experiments and writes CSV and SVG files. Fails when a verdict or a count is not the expected one.
#[derive(Parser)]
#[command(name = "raddle-bench")]
struct Arguments {
    /// The experiments; all where none is named.
    experiments: Vec<String>,
    /// The binary that is measured.
    #[arg(long, default_value = "target/release/raddle")]
    raddle: PathBuf,
    /// The folder for what is written; bench/runs/DATE where none is named.
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            wrong.iter().for_each(|what| eprintln!("wrong: {what}"));
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("raddle-bench: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is in a folder of the repository");
    let mut all = tacas::experiments();
    all.extend(rinspect::experiments(root)?);
    all.extend(cav::experiments());
    all.extend(tracer::experiments());
    all.extend(growth::experiments());
    let raddle = root.join(&arguments.raddle);
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => root.join("bench/runs").join(kept::today()?),
    };
    std::fs::create_dir_all(&out).map_err(|why| format!("{}: {why}", out.display()))?;
    kept::note(&out, &raddle)?;
    let mut wrong = Vec::new();
    for experiment in chosen(&all, &arguments.experiments)? {
        wrong.extend(experiment.run(&raddle, root, &out, &mut |line| eprintln!("{line}"))?);
    }
    println!("{}", out.display());
    Ok(wrong)
}

fn chosen<'e>(all: &'e [Experiment], names: &[String]) -> Result<Vec<&'e Experiment>, String> {
    let known: Vec<&str> = all.iter().map(|experiment| experiment.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("`{name}` is none of {}", known.join(", ")));
    }
    Ok(all.iter().filter(|experiment| names.is_empty() || names.iter().any(|name| name == experiment.name)).collect())
}
