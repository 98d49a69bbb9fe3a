//! The command line: arguments, files, signals and exit codes. Everything else is below.

#![warn(clippy::too_many_lines)]

mod arguments;
mod build;
mod check;
mod cluster;
mod compare;
mod exit;
mod failure;
mod files;
mod front_ends;
mod guard;
mod input;
mod internal;
mod litmus;
mod output;
mod progress;
mod replay;
mod run;
mod terminal;
mod words;

use arguments::{Arguments, Command};
use clap::Parser;
use internal::Internal;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when the user wants to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    internal::quiet_panics();
    ctrlc::set_handler(interrupt).expect("no other handler is set");
    let (timeout, bytes) = arguments.most();
    guard::set_timeout(timeout);
    guard::watch(bytes);
    // Deep recursion in a program's types or a long chain of frames needs more stack than a main thread may have.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || act(arguments));
    match worker.expect("a thread can be started").join() {
        Ok(code) => ExitCode::from(terminal::settled(code)),
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    guard::wake();
}

fn act(arguments: Arguments) -> u8 {
    let internal = &Internal::new(arguments.report.as_deref());
    let work = || match &arguments.command {
        Command::Run(options) => run::run(options, internal),
        Command::Check(options) => check::check_here_or_there(options, internal),
        Command::Sample(options) => check::check(&options.check, Some(options.sampling()), internal),
        Command::Compare(options) => compare::compare(options, internal),
        Command::Replay(options) => replay::replay(options, internal),
        Command::Litmus(options) => litmus::litmus(options, internal),
        Command::Worker(options) => cluster::worker(options),
        Command::Cluster(options) => cluster::cluster(options),
    };
    internal.guarded(&[], work).unwrap_or(exit::INTERNAL)
}
