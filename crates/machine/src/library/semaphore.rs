//! POSIX semaphores without names: one word at the start of the object, the count.

use super::errno::{EAGAIN, ETIMEDOUT, failed};
use super::{Builtin, Call, nothing};
use crate::runner::Run;
use raddle_event::{Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("sem_init", init),
    ("sem_destroy", nothing),
    ("sem_wait", wait),
    ("sem_trywait", |call| attempt(call, EAGAIN)),
    ("sem_timedwait", timedwait),
    ("sem_clockwait", timedwait),
    ("sem_post", post),
    ("sem_getvalue", value),
];

fn init(call: &mut Call) -> Run<u64> {
    let count = call.word(2) as u32 as u64;
    call.runner.store(call.address(0), 8, Value::Word(count), Order::Release)?;
    Ok(0)
}

fn wait(call: &mut Call) -> Run<u64> {
    let rmw = Rmw::new(RmwOp::Sub, 1).guarded(Guard::Not(0));
    call.runner.rmw(call.address(0), 8, rmw, Order::Acquire)?;
    Ok(0)
}

/// Counts down where it can, or fails.
fn attempt(call: &mut Call, error: i32) -> Run<u64> {
    let old = call.runner.rmw(call.address(0), 8, Rmw::new(RmwOp::USubCond, 1), Order::Acquire)?;
    if old == 0 { failed(call, error) } else { Ok(0) }
}

/// Either waits as long as it takes, or gives up at once when it would have to wait.
fn timedwait(call: &mut Call) -> Run<u64> {
    let patient = call.runner.thread.store.is_published() && call.runner.choose(2)? == 0;
    if patient { wait(call) } else { attempt(call, ETIMEDOUT) }
}

fn post(call: &mut Call) -> Run<u64> {
    call.runner.rmw(call.address(0), 8, Rmw::new(RmwOp::Add, 1), Order::Release)?;
    Ok(0)
}

fn value(call: &mut Call) -> Run<u64> {
    let count = call.runner.load(call.address(0), 8, Order::Relaxed, true)? as u64;
    call.store(call.address(1), 4, count)?;
    Ok(0)
}
