//! The command line: arguments, files, signals and exit codes. Everything else is below.

mod arguments;
mod check;
mod exit;
mod litmus;
mod progress;
mod replay;
mod run;
mod terminal;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when the user wants to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).expect("no other handler is set");
    // Deep recursion in a program's types or a long chain of frames needs more stack than a main thread may have.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || act(arguments));
    match worker.expect("a thread can be started").join() {
        Ok(code) => ExitCode::from(code),
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

fn act(arguments: Arguments) -> u8 {
    match arguments.command {
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Replay(options) => replay::replay(&options),
        Command::Litmus(options) => litmus::litmus(&options),
    }
}
