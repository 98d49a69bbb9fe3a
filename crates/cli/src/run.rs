//! `raddle run`: one execution, like an interpreter.

use crate::arguments::RunOptions;
use crate::failure::Failure;
use crate::files::readable;
use crate::front_ends::load;
use crate::internal::Internal;
use crate::terminal::{complain, note_lost};
use crate::{exit, guard};
use raddle_check::{RunEnd, Scheduler, guarded, run as run_program};
use raddle_event::Random;
use raddle_join::Stop;
use raddle_machine::{Limits, Piece, Stream};
use raddle_program::Program;
use raddle_report::{fault_line, place_words, stop_reason};
use std::io::{BufWriter, Write};

/// Runs a program and gives its exit code.
pub fn run(options: &RunOptions, internal: &Internal) -> u8 {
    let scheduler = match scheduler(options) {
        Ok(scheduler) => scheduler,
        Err(why) => return Failure::new("usage", why, exit::USAGE).say(),
    };
    let files = options.input.files.clone();
    guard::set_last_words(move |cause| Failure::ended_reading(&files, &cause).last_words(String::new()));
    let program = match load(&options.input, options.uninit, internal) {
        Ok(program) => program,
        Err(failure) => return failure.say(),
    };
    guard::set_last_words(|cause| Failure::ended(&cause).last_words(String::new()));
    let private_turns = options.max_turns.map(|millions| millions.saturating_mul(1_000_000));
    let (heap, uninitialised) = (options.max_heap << 20, options.uninit);
    let limits = Limits { private_turns, patience: None, heap, uninitialised, files: readable(&options.input), ..Limits::default() };
    guard::set_stop(limits.stop.clone());
    let end = guarded(|| run_program(&program, &limits, scheduler, &mut print));
    match (guard::limit().filter(|_| limits.stop.is_asked()), end) {
        (Some(limit), _) => Failure::cut(&limit).say(),
        (None, Ok(end)) => finish(&program, end),
        (None, Err(what)) => {
            internal.say(&what, Some(&program), &[]);
            exit::INTERNAL
        }
    }
}

fn scheduler(options: &RunOptions) -> Result<Scheduler, String> {
    match (&options.schedule, options.seed) {
        (Some(text), _) => {
            let numbers: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
            numbers.map(Scheduler::Given).map_err(|_| format!("`{text}` is not a schedule: numbers of threads with dots between"))
        }
        (None, Some(seed)) => Ok(Scheduler::Random(Random::new(seed))),
        (None, None) => Ok(Scheduler::Fair),
    }
}

/// Prints what a program printed; tells whether somebody still reads it.
pub fn print(pieces: &[Piece]) -> bool {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = pieces.iter().try_for_each(|piece| match piece.stream {
        Stream::Out => out.write_all(&piece.bytes),
        // Who does not read the error stream may read the other one.
        Stream::Err => out.flush().map(|()| drop(std::io::stderr().write_all(&piece.bytes))),
    });
    let written = written.and_then(|()| out.flush()).and_then(|()| out.into_inner().map_err(|why| why.into_error())?.flush());
    let is_read = written.is_ok();
    note_lost(written);
    is_read
}

fn finish(program: &Program, end: RunEnd) -> u8 {
    match end {
        RunEnd::Exited(code) => code as u8,
        RunEnd::Fault(at) => {
            complain(fault_line(program, &at));
            exit::FAULT
        }
        RunEnd::Stopped(Stop::Endless { thread, moment }) => {
            complain(format!("{thread} does not seem to terminate: use --max-turns ({})", place_words(program, &moment)));
            exit::CUT
        }
        RunEnd::Stopped(stop) => print_stop(program, &stop),
        RunEnd::Assumed => {
            complain("an assumption of the program does not hold in this run");
            exit::CUT
        }
        RunEnd::Interrupted => {
            complain("interrupted");
            exit::INTERRUPTED
        }
        // The answer of a program is what it prints.
        RunEnd::Unread => exit::USAGE,
        RunEnd::Another => {
            complain(
                "unsupported: more was printed than can be held back, and then an object turned out to be shared that was taken as private",
            );
            exit::UNSUPPORTED
        }
    }
}

/// Says why a program could not be run on; gives the exit code.
pub fn print_stop(program: &Program, stop: &Stop) -> u8 {
    complain(stop_reason(program, stop).message);
    exit::of_stop(stop)
}
