//! `raddle run`: one execution, like an interpreter.

use crate::arguments::{Input, RunOptions};
use crate::{INTERRUPTED, exit};
use raddle_check::{RunEnd, Scheduler, Stop, run as run_program};
use raddle_llvm::{Error, Source};
use raddle_machine::{Limits, Piece, Stream, link};
use raddle_program::Program;
use raddle_report::place_words;
use std::io::Write;

/// Reads a program; what is wrong is printed, and the exit code given.
pub fn load(input: &Input) -> Result<Program, u8> {
    let source = Source { files: input.files.clone(), cflags: input.cflags.clone(), clang: input.clang.clone() };
    match raddle_llvm::load(&source) {
        Ok(mut program) => {
            link(&mut program);
            Ok(program)
        }
        Err(why) => {
            match why {
                Error::NoMain => eprintln!("raddle: {}: {why}", input.names()),
                _ => eprintln!("raddle: {why}"),
            }
            Err(match why {
                Error::Compiler { .. } | Error::BadBitcode { .. } | Error::NoMain => exit::COMPILER,
                Error::Unsupported { .. } => exit::UNSUPPORTED,
                _ => exit::USAGE,
            })
        }
    }
}

/// Runs a program and gives its exit code.
pub fn run(options: &RunOptions) -> u8 {
    let scheduler = match scheduler(options) {
        Ok(scheduler) => scheduler,
        Err(why) => {
            eprintln!("raddle: {why}");
            return exit::USAGE;
        }
    };
    let program = match load(&options.input) {
        Ok(program) => program,
        Err(code) => return code,
    };
    let private_turns = options.max_turns.saturating_mul(1_000_000);
    let limits = Limits { private_turns, heap: options.max_heap << 20, uninitialised: options.uninit, ..Limits::default() };
    let end = run_program(&program, &limits, scheduler, &INTERRUPTED, &mut print);
    finish(&program, end)
}

fn scheduler(options: &RunOptions) -> Result<Scheduler, String> {
    match (&options.schedule, options.seed) {
        (Some(text), _) => {
            let numbers: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
            numbers.map(Scheduler::Given).map_err(|_| format!("`{text}` is not a schedule: numbers of threads with dots between"))
        }
        (None, Some(seed)) => Ok(Scheduler::Random(seed)),
        (None, None) => Ok(Scheduler::Fair),
    }
}

/// Prints what a program printed.
pub fn print(pieces: &[Piece]) {
    for piece in pieces {
        // A reader that went away is no reason to complain.
        let _gone = match piece.stream {
            Stream::Out => std::io::stdout().write_all(&piece.bytes),
            Stream::Err => std::io::stderr().write_all(&piece.bytes),
        };
    }
    let _gone = std::io::stdout().flush();
}

fn finish(program: &Program, end: RunEnd) -> u8 {
    match end {
        RunEnd::Exited(code) => code as u8,
        RunEnd::Fault(at) => {
            eprintln!("raddle: {}: {} ({}, {})", at.fault.kind, at.fault.message, at.thread, place_words(program, &at.moment));
            exit::FAULT
        }
        RunEnd::Stopped(Stop::Endless { thread, moment }) => {
            eprintln!("raddle: {thread} does not seem to terminate: use --max-turns ({})", place_words(program, &moment));
            exit::CUT
        }
        RunEnd::Stopped(stop) => print_stop(program, &stop),
        RunEnd::Assumed => {
            eprintln!("raddle: an assumption of the program does not hold in this run");
            exit::CUT
        }
        RunEnd::Interrupted => exit::INTERRUPTED,
    }
}

/// Says why a program could not be run on; gives the exit code.
pub fn print_stop(program: &Program, stop: &Stop) -> u8 {
    match stop {
        Stop::Unsupported { what, thread, moment } => {
            eprintln!("raddle: unsupported: {what} ({thread}, {})", place_words(program, moment));
            exit::UNSUPPORTED
        }
        Stop::Endless { thread, moment } => {
            eprintln!("raddle: {thread} does not seem to terminate: use --unroll ({})", place_words(program, moment));
            exit::CUT
        }
        Stop::Contradicted => exit::INTERNAL,
    }
}
