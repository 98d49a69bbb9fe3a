//! Random C programs through the command line: `tools/fuzz-c N [FIRST_SEED]`.

use clap::Parser;
use raddle_fuzz_c::{Difference, Summary, Tools, Variant, draw, draw_flows, examine, misjudged, render, shrunk};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compares what is said of random C programs under all models and algorithms. Fails when something differs.
#[derive(Parser)]
#[command(name = "raddle-fuzz-c")]
struct Arguments {
    /// How many programs.
    count: u64,
    /// The first seed; every batch has its own.
    #[arg(default_value_t = 1)]
    first: u64,
    /// The binary that is tried.
    #[arg(long, default_value = "target/release/raddle")]
    raddle: PathBuf,
    /// The compiler, of a version that the binary can read from.
    #[arg(long, default_value = "clang-22")]
    clang: String,
    /// The folder for programs that show a difference.
    #[arg(long, default_value = "target/fuzz-c")]
    keep: PathBuf,
    /// How many programs are compiled and checked at once, at most 32.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..=32))]
    batch: u64,
    /// Of how many batches one is run natively too.
    #[arg(long, default_value_t = 10)]
    native: u64,
    /// Prints the programs of the first seed instead.
    #[arg(long)]
    show: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.show {
        print!("{}", render(&draw(arguments.first, arguments.batch as usize).1, Variant::Plain));
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("raddle-fuzz-c: {why}");
            ExitCode::from(2)
        }
    }
}

/// Gives the number of differences.
fn run(arguments: &Arguments) -> std::io::Result<u64> {
    let tools = Tools::new(arguments.raddle.clone(), arguments.clang.clone())?;
    let (mut summary, mut n_found) = (Summary::default(), 0);
    let n_batches = arguments.count.div_ceil(arguments.batch);
    for seed in arguments.first..arguments.first + n_batches {
        let (flavour, programs) = draw(seed, arguments.batch as usize);
        let natively = seed % arguments.native == 0;
        for (number, difference) in examine(&tools, flavour, programs, natively, &mut summary).into_iter().enumerate() {
            n_found += 1;
            keep(&arguments.keep, &format!("{seed}_{number}.c"), shrunk(&tools, difference))?;
        }
        let flows = draw_flows(seed, arguments.batch as usize);
        summary.flows += flows.len() as u64;
        for (number, wrong) in misjudged(&tools, &flows).map_err(std::io::Error::other)?.into_iter().enumerate() {
            n_found += 1;
            std::fs::create_dir_all(&arguments.keep)?;
            let file = arguments.keep.join(format!("{seed}_flow_{number}.c"));
            std::fs::write(&file, format!("// {wrong}"))?;
            println!("{}: {}", file.display(), wrong.lines().next().unwrap_or_default());
        }
        if (seed - arguments.first) % 5 == 4 {
            eprintln!("seed {seed}: {summary}");
        }
    }
    print!("{summary}");
    println!("{n_found} differences; {} processes", tools.started());
    Ok(n_found)
}

/// Writes a program that shows a difference, and says so.
fn keep(folder: &Path, name: &str, difference: Difference) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let (file, plain) = (folder.join(name), render(&difference.programs, Variant::Plain));
    let assumes = render(&difference.programs, Variant::Assumes);
    let differs = if assumes == plain { String::new() } else { format!("\n#if 0 // With assumptions:\n{assumes}#endif\n") };
    std::fs::write(&file, format!("// {difference}\n{plain}{differs}"))?;
    println!("{}: {difference}", file.display());
    Ok(())
}
