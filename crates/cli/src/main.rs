//! The command line: arguments, files, signals and exit codes. Everything else is below.

mod arguments;
mod check;
mod compare;
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
    ctrlc::set_handler(interrupt).expect("no other handler is set");
    // Deep recursion in a program's types or a long chain of frames needs more stack than a main thread may have.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || act(arguments));
    match worker.expect("a thread can be started").join() {
        Ok(code) => ExitCode::from(code),
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

/// Asks the work to end in good order, and ends it where it does not hear: in a thread that runs on without a visible action.
fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    std::thread::sleep(std::time::Duration::from_secs(1));
    std::process::exit(exit::INTERRUPTED.into());
}

fn act(arguments: Arguments) -> u8 {
    match arguments.command {
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Compare(options) => compare::compare(&options),
        Command::Replay(options) => replay::replay(&options),
        Command::Litmus(options) => litmus::litmus(&options),
    }
}
