//! Barriers of pthreads.
//!
//! One word at the start of the object: how many threads make a round in the upper half, how many have arrived since the
//! beginning in the lower. Who arrives counts itself; all but the last of a round wait until the round is full.
//!
//! Deviation: destroying a barrier does not wait for the threads that are still leaving it.

use super::errno::EINVAL;
use super::{Builtin, Call, int, nothing};
use crate::runner::Run;
use raddle_event::{FaultKind, Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("pthread_barrier_init", init),
    ("pthread_barrier_destroy", nothing),
    ("pthread_barrier_wait", wait),
    ("pthread_barrierattr_init", nothing),
    ("pthread_barrierattr_destroy", nothing),
    ("pthread_barrierattr_setpshared", nothing),
];

/// What the last thread of a round gets.
const SERIAL_THREAD: i32 = -1;

fn init(call: &mut Call) -> Run<u64> {
    let round = call.word(2) as u32 as u64;
    if round == 0 {
        return Ok(int(EINVAL));
    }
    call.runner.store(call.address(0), 8, Value::Word(round << 32), Order::Release)?;
    Ok(0)
}

fn wait(call: &mut Call) -> Run<u64> {
    let barrier = call.address(0);
    let word = call.runner.rmw(barrier, 8, Rmw::new(RmwOp::Add, 1), Order::AcqRel)? as u64;
    let (round, arrived) = (word >> 32, word & 0xffff_ffff);
    if round == 0 {
        return call.fault(FaultKind::MutexMisuse, "a thread waits at a barrier that is not initialised");
    }
    if (arrived + 1) % round == 0 {
        return Ok(int(SERIAL_THREAD));
    }
    let full = (round << 32) | ((arrived / round + 1) * round);
    call.runner.wait(barrier, 8, Guard::AtLeast(full))?;
    Ok(0)
}
