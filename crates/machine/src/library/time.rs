//! Time, which only passes when a thread looks at it: a second with each look. Sleeping and yielding do nothing.

use super::{Builtin, Call, nothing};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("sched_yield", nothing),
    ("pthread_yield", nothing),
    ("usleep", nothing),
    ("sleep", nothing),
    ("nanosleep", nothing),
    ("clock_nanosleep", nothing),
    ("time", time),
    ("clock", clock),
    ("clock_gettime", |call| fill(call, call.address(1))),
    ("timespec_get", |call| fill(call, call.address(0)).map(|_| call.word(1))),
    ("gettimeofday", |call| fill(call, call.address(0))),
    ("clock_getres", |call| fill(call, call.address(1))),
];

/// The time of the first look, in seconds.
const START: u64 = 1_000_000_000;

/// The time of this look, in seconds.
pub fn now(call: &mut Call) -> u64 {
    let notes = call.notes();
    notes.clock += 1;
    START + notes.clock
}

fn time(call: &mut Call) -> Run<u64> {
    let seconds = now(call);
    call.give(call.address(0), 8, seconds)?;
    Ok(seconds)
}

/// In microseconds since the start.
fn clock(call: &mut Call) -> Run<u64> {
    Ok((now(call) - START) * 1_000_000)
}

/// Whole seconds, and zero for the part of one.
fn fill(call: &mut Call, at: Address) -> Run<u64> {
    let seconds = now(call);
    if at.0 != 0 {
        call.store(at, 8, seconds)?;
        call.store(Address(at.0 + 8), 8, 0)?;
    }
    Ok(0)
}
