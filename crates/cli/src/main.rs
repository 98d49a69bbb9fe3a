//! The command line: arguments, files, signals and exit codes. Everything else is below.

#![warn(clippy::too_many_lines)]

mod about;
mod arguments;
mod beside;
mod build;
mod check;
mod cluster;
mod compare;
mod each;
mod estimate;
mod exit;
mod failure;
mod files;
mod fix;
mod front_ends;
mod guard;
mod input;
mod internal;
mod litmus;
mod output;
mod pictures;
mod progress;
mod property;
mod replay;
mod run;
mod spelling;
mod step;
mod suite;
mod terminal;
mod words;

use arguments::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use internal::Internal;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when the user wants to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments = parsed();
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

/// The command line. What may stand there is built once, for the spelling and for the parser: it is much of a start.
fn parsed() -> Arguments {
    let mut command = Arguments::command();
    let words = spelling::mended(std::env::args_os(), &command);
    let mut matches = command.try_get_matches_from_mut(words).unwrap_or_else(|why| why.exit());
    Arguments::from_arg_matches_mut(&mut matches).unwrap_or_else(|why| why.format(&mut command).exit())
}

fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    guard::wake();
}

fn act(arguments: Arguments) -> u8 {
    let internal = &Internal::new(arguments.report.as_deref());
    let work = || match &arguments.command {
        Command::Run(options) => run::run(options, internal),
        Command::Check(options) if options.cluster.is_none() && each::is_asked(&options.check) => each::check_each(&options.check),
        Command::Sample(options) if each::is_asked(&options.check) => each::check_each(&options.check),
        Command::Check(options) => check::check_here_or_there(options, internal),
        Command::Sample(options) => check::check(&options.check, Some(options.sampling()), internal),
        Command::Test(options) => suite::test(&options.check, internal),
        Command::Compare(options) => compare::compare(options, internal),
        Command::Estimate(options) => estimate::estimate(options, internal),
        Command::Replay(options) => replay::replay(options, internal),
        Command::Litmus(options) => litmus::litmus(options, internal),
        Command::Models => about::models(),
        Command::Explain(options) => about::explain(options),
        Command::Completions(options) => about::completions(options),
        Command::Worker(options) => cluster::worker(options),
        Command::Cluster(options) => cluster::cluster(options),
    };
    internal.guarded(&[], work).unwrap_or(exit::INTERNAL)
}
