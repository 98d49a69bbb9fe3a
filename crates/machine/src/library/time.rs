//! Time. Sleeping and yielding do nothing.
//!
//! The clock belongs to the process and never goes back along happens-before, and a look at it orders nothing, so it is
//! no event. Where only one thread looks, a second passes with each look, and as much as a wait with a time limit
//! takes. Once a second thread is seen to look, the exploration starts over and the clock stands still: all looks fall
//! into one second. A thread that goes on looking then waits for time to pass, which is refused.

use super::{Builtin, Call, Shared, nothing};
use crate::runner::Run;
use crate::sharing::Site;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("sched_yield", nothing),
    ("pthread_yield", nothing),
    ("time", time),
    ("clock", clock),
    ("clock_gettime", |call| fill(call, call.address(1))),
    ("timespec_get", |call| fill(call, call.address(0)).map(|_| call.word(1))),
    ("gettimeofday", |call| fill(call, call.address(0))),
    ("clock_getres", |call| fill(call, call.address(1))),
];

/// The time of the first look, in seconds.
const START: u64 = 1_000_000_000;

/// The clock; its site is shared where several threads look.
pub const CLOCK: Shared = ("clock", 8, &LOOKS);

const LOOKS: [&str; 8] = [
    "time",
    "clock",
    "clock_gettime",
    "timespec_get",
    "gettimeofday",
    "clock_getres",
    "_ZNSt6chrono3_V212system_clock3nowEv",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
];

/// How often a thread may look while the clock stands still.
const MOST_LOOKS: u64 = 100;

/// The time of this look, in seconds.
pub fn now(call: &mut Call) -> Run<u64> {
    let (thread, site) = (call.runner.thread.id, Site::Global(call.shared_id(CLOCK)?));
    let world = &mut *call.runner.world;
    if *world.clock.get_or_insert(thread) != thread {
        world.sites.share(site);
    }
    let stands = world.sites.contains(site);
    call.notes().looks += 1;
    let over = call.notes().over;
    match call.notes().looks {
        looks if !stands => Ok(over.max(START + looks)),
        0..=MOST_LOOKS => Ok(over.max(START)),
        _ => call.unsupported("a thread that waits for time to pass, where several threads look at the clock"),
    }
}

/// The thread has waited with a time limit, which lies at an address, and it is over: so says the clock to this thread
/// from now on. (What other threads see then is left open.)
pub fn pass(call: &mut Call, limit: Address) -> Run<()> {
    if limit.0 == 0 {
        return Ok(());
    }
    let seconds = call.load(limit, 8)?.saturating_add((call.load(Address(limit.0 + 8), 8)? > 0) as u64);
    let notes = call.notes();
    notes.over = notes.over.max(seconds);
    Ok(())
}

/// The thread has waited with a time limit, and it is not over: no time has passed since its last look.
pub fn stay(call: &mut Call) {
    let notes = call.notes();
    notes.looks = notes.looks.saturating_sub(1);
}

fn time(call: &mut Call) -> Run<u64> {
    let seconds = now(call)?;
    call.give(call.address(0), 8, seconds)?;
    Ok(seconds)
}

/// In microseconds since the start.
fn clock(call: &mut Call) -> Run<u64> {
    Ok((now(call)? - START) * 1_000_000)
}

/// Whole seconds, and zero for the part of one.
fn fill(call: &mut Call, at: Address) -> Run<u64> {
    let seconds = now(call)?;
    if at.0 != 0 {
        call.store(at, 8, seconds)?;
        call.store(Address(at.0 + 8), 8, 0)?;
    }
    Ok(0)
}
