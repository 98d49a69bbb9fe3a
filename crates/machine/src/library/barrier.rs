//! Barriers of pthreads.
//!
//! One word at the start of the object: how many threads make a round in the upper half, how many have arrived since
//! the beginning in the lower. Who arrives counts itself; all but the last of a round wait until the round is full. A
//! destroyed one has the top bit set, which is not in the way of those that are still leaving it.
//!
//! Deviation: destroying a barrier does not wait for the threads that are still leaving it.

use super::errno::EINVAL;
use super::{Builtin, Call, int, nothing};
use crate::runner::Run;
use raddle_event::{Guard, Order, Rmw, RmwOp};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_barrier_init", init),
    ("pthread_barrier_destroy", destroy),
    ("pthread_barrier_wait", wait),
    ("pthread_barrierattr_init", nothing),
    ("pthread_barrierattr_destroy", nothing),
    ("pthread_barrierattr_setpshared", nothing),
];

/// What the last thread of a round gets.
const SERIAL_THREAD: i32 = -1;

const DESTROYED: u64 = 1 << 63;

fn init(call: &mut Call) -> Run<u64> {
    let round = call.word(2) as u32 as u64;
    if round == 0 {
        return Ok(int(EINVAL));
    }
    call.put(call.address(0), 8, round << 32, Order::Release)?;
    Ok(0)
}

/// How many threads make a round, and how many have arrived so far, by the word of a barrier that can be used.
fn parts(call: &Call, word: u64) -> Run<(u64, u64)> {
    match word >> 32 {
        0 => call.misuse("a barrier is used that is not initialised"),
        _ if word & DESTROYED != 0 => call.misuse("a barrier is used that has been destroyed"),
        round => Ok((round, word & 0xffff_ffff)),
    }
}

fn destroy(call: &mut Call) -> Run<u64> {
    let word = call.change(call.address(0), 8, Rmw::new(RmwOp::Or, DESTROYED), Order::Acquire)?;
    let (round, arrived) = parts(call, word)?;
    if arrived % round != 0 {
        return call.misuse("a barrier is destroyed while a thread waits at it");
    }
    Ok(0)
}

fn wait(call: &mut Call) -> Run<u64> {
    let barrier = call.address(0);
    let word = call.change(barrier, 8, Rmw::new(RmwOp::Add, 1), Order::AcqRel)?;
    let (round, arrived) = parts(call, word)?;
    if (arrived + 1) % round == 0 {
        return Ok(int(SERIAL_THREAD));
    }
    let full = (round << 32) | ((arrived / round + 1) * round);
    call.runner.wait(barrier, 8, Guard::AtLeast(full))?;
    Ok(0)
}
