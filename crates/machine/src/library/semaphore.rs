//! POSIX semaphores: one word at the start of the object, the count.
//!
//! Those with names lie in a table that all threads share. A second word says whether the name exists. A name that is unlinked and made again names the same semaphore.

use super::errno::{EAGAIN, EEXIST, ENOENT, ETIMEDOUT, failed, set};
use super::{Builtin, Call, Shared, nothing};
use crate::runner::Run;
use raddle_event::{Address, Guard, Order, Rmw, RmwOp, Value};

pub const TABLE: &[(&str, Builtin)] = &[
    ("sem_init", init),
    ("sem_destroy", nothing),
    ("sem_wait", wait),
    ("sem_trywait", |call| attempt(call, EAGAIN)),
    ("sem_timedwait", timedwait),
    ("sem_clockwait", timedwait),
    ("sem_post", post),
    ("sem_getvalue", value),
    ("sem_open", open),
    ("sem_close", nothing),
    ("sem_unlink", unlink),
];

/// The table of semaphores with names.
pub const NAMED: Shared = ("named semaphores", MOST * 16, &["sem_open", "sem_unlink"]);

/// How many semaphores with names there can be.
const MOST: u64 = 64;

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

/// The address of the semaphore that the first argument names.
fn named(call: &mut Call) -> Run<Address> {
    let name = call.string(call.address(0))?;
    let slot = call.slot(NAMED, name) as u64;
    if slot >= MOST {
        return call.unsupported(format!("more than {MOST} semaphores with names"));
    }
    Ok(Address(call.shared(NAMED).0 + slot * 16))
}

/// The second word of a semaphore with a name.
fn existence(semaphore: Address) -> Address {
    Address(semaphore.0 + 8)
}

/// The arguments are the name, the flags of `open`, the mode and the first count. A null pointer says that it fails.
fn open(call: &mut Call) -> Run<u64> {
    const O_CREAT: u64 = 0o100;
    const O_EXCL: u64 = 0o200;
    let (flags, count) = (call.word(1), call.word(3) as u32 as u64);
    let semaphore = named(call)?;
    let rmw = if flags & O_CREAT != 0 { Rmw::compare_exchange(0, 1) } else { Rmw::compare_exchange(1, 1) };
    let existed = call.runner.rmw(existence(semaphore), 8, rmw, Order::AcqRel)? != 0;
    let error = match existed {
        false if flags & O_CREAT == 0 => ENOENT,
        true if flags & O_CREAT != 0 && flags & O_EXCL != 0 => EEXIST,
        _ => 0,
    };
    if error != 0 {
        set(call, error)?;
        return Ok(0);
    }
    if !existed {
        call.runner.rmw(semaphore, 8, Rmw::new(RmwOp::Exchange, count), Order::AcqRel)?;
    }
    Ok(semaphore.0)
}

fn unlink(call: &mut Call) -> Run<u64> {
    let semaphore = named(call)?;
    let existed = call.runner.rmw(existence(semaphore), 8, Rmw::compare_exchange(1, 0), Order::AcqRel)? != 0;
    if existed { Ok(0) } else { failed(call, ENOENT) }
}
